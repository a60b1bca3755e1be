"""Thin doors over `memtui.memory`."""
