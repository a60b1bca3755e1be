"""The prompt hook: what is remembered about a prompt, handed to a coding agent beside it."""
