"""Files: scanning a vault, reading each kind of document, sync."""
