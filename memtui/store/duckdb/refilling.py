"""Filling the index anew from the versions, and with it everything else that is told of them from their texts."""

from __future__ import annotations

import json
from collections.abc import Iterator

from memtui.model.versions import Version
from memtui.store.columns import flags_of
from memtui.store.duckdb.engine import duckdb
from memtui.store.duckdb.full_text import add_texts, clear_index
from memtui.store.duckdb.rows import PORTION, SELECT_STORED, portions, version_from_row
from memtui.store.duckdb.vectors import make_tables
from memtui.text.searchable import SearchableText, searchable, searchable_hash

_IndexRow = tuple[int, int, str, SearchableText]
_Told = tuple[str, int, int, int]
"""Partition, seq, text_id and flags of a version."""


def refill(connection: duckdb.DuckDBPyConnection, *, same_analyser: bool) -> None:
    """Fill the index anew over every text ever recorded, in the transaction that is open.

    One row per record and text, as if every version were written now: texts that have become one share a row, and
    those that no longer are the same get rows of their own. A row keeps its number where nothing else was told of
    it, so that readers who hold the index need not read it anew.
    """
    before = _hashes(connection)
    rows, changed = _told_anew(connection)
    clear_index(connection)
    add_texts(connection, rows, after=-1)
    for portion in portions(changed):
        connection.execute(
            "UPDATE version SET text_id = told.t, flags = told.f FROM (SELECT unnest(from_json(?, "
            """'[{"p": "VARCHAR", "s": "BIGINT", "t": "BIGINT", "f": "SMALLINT"}]'), max_depth := 2)) told """
            "WHERE partition = told.p AND seq = told.s",
            [json.dumps([dict(zip("pstf", row, strict=True)) for row in portion], ensure_ascii=False)],
        )
    # A row that is gone from the index says nothing of its text; the same analyser told it as now.
    make_tables(connection)
    kept = [number for number, _, digest, _ in rows if before.get(number, digest if same_analyser else None) == digest]
    connection.execute(
        """DELETE FROM embedded_text WHERE text_id NOT IN (SELECT unnest(from_json(?, '["BIGINT"]')))""",
        [json.dumps(kept)],
    )


def _hashes(connection: duckdb.DuckDBPyConnection) -> dict[int, str]:
    """Of each row that the index holds, the hash of its text."""
    return dict(connection.execute("SELECT text_id, text_hash FROM indexed_text").fetchall())


def _told_anew(connection: duckdb.DuckDBPyConnection) -> tuple[list[_IndexRow], list[_Told]]:
    """Every row the index is to hold, and the versions whose row or flags differ from what is stored."""
    numbers: dict[tuple[int, str], int] = {}
    rows: list[_IndexRow] = []
    changed: list[_Told] = []
    for record, stored_flags, version in _stored(connection):
        text = searchable(version.key.kind, version.key.name, version.content)
        digest = searchable_hash(text)
        number = numbers.setdefault((record, digest), len(rows))
        if number == len(rows):
            rows.append((number, record, digest, text))
        flags = flags_of(
            version.key.kind, version.content, origin_known=version.origin_known, reinforces=version.reinforces
        )
        if (number, flags) != (version.text_id, stored_flags):
            changed.append((version.key.partition, version.seq, number, flags))
    return rows, changed


def _stored(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[int, int, Version]]:
    """(record, flags, version) of every version, a portion in memory at a time, in the order of their index rows."""
    found = connection.execute(f"{SELECT_STORED} ORDER BY v.text_id, v.record_id, v.seq")
    while portion := found.fetchmany(PORTION):
        for record, flags, *row in portion:
            yield record, flags, version_from_row(row)
