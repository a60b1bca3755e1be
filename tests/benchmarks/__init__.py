"""Measured speed: vaults of known size with realistic text, built once, and what a person waits for in them."""
