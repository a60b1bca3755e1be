"""What the screens have done in threads: one idea a module, every answer a message."""
