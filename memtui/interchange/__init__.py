"""Memories on their way between stores and programs: ledger files, and items that others wrote."""
