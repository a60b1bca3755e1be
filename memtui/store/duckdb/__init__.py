"""The embedded store: one DuckDB file, opened for one transaction at a time."""
