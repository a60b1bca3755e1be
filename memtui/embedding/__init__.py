"""How texts become vectors: the port, and the models behind it."""
