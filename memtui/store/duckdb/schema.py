"""The schema of a file by number: the one this program works with, and the one a file has."""

from __future__ import annotations

from pathlib import Path

from memtui.errors import StoreUnreadable
from memtui.store.duckdb.engine import duckdb

SCHEMA = 6
"""The last of the migrations that this program carries: known without reading them, for every unit of work asks."""


def schema_version(connection: duckdb.DuckDBPyConnection) -> int:
    """The number of the last migration a file has been through; 0 for a file that is not ours."""
    try:
        row = connection.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
    except (duckdb.CatalogException, duckdb.BinderException):
        return 0
    return int(row[0]) if row and str(row[0]).isdecimal() else 0


def not_ours(path: Path) -> StoreUnreadable:
    """The refusal of a database that memtui did not make."""
    return StoreUnreadable(
        f"{path} is a database, but not a memtui store",
        file=str(path),
        hint="the file was left as it is; move it away and sync again",
    )


def check_schema(path: Path, have: int) -> None:
    """Raises StoreUnreadable for a file whose schema is not the one this program works with."""
    if have == 0:
        raise not_ours(path)
    if have > SCHEMA:
        raise StoreUnreadable(
            f"{path} was made by a newer memtui (schema {have}; this program knows {SCHEMA})",
            file=str(path),
            hint="install the newer memtui; the file was left as it is",
        )
    if have < SCHEMA:
        raise StoreUnreadable(
            f"{path} has the older schema {have}; this program works with {SCHEMA}",
            file=str(path),
            hint="run `memtui sync` where the folder can be written: it migrates and keeps the old file",
        )
