"""Whether the full-text tables can be what the versions say, by numbers that are read off without reading the tables.

Someone may have dropped a table or emptied it, and an index that answers with less than there is does so silently.
`check` compares every row; this is quick enough to be asked before every search and every write.
"""

from __future__ import annotations

from dataclasses import dataclass

from memtui.store.duckdb.engine import duckdb

FULL_TEXT = "fts_main_indexed_text"
"""The schema in which the full-text extension keeps its tables."""

# One column of each sort that is read or written anywhere, so that a missing one is noticed too; as a union, because
# that is planned five times as fast as the same numbers side by side.
_NUMBERS = " UNION ALL ".join(
    f"SELECT '{name}', ({first})::BIGINT, ({second})::BIGINT FROM ({source})"
    for name, first, second, source in (
        ("versions", "coalesce(max(text_id), -1) + 1", "0", "SELECT text_id FROM version"),
        (
            "texts",
            "count(*)",
            "coalesce(sum(plain), 0)",
            'SELECT text_id, record_id, text_hash, title, description, tags, body, "identity", plain, weighted '
            "FROM indexed_text",
        ),
        ("terms", "count(*)", "0", f"SELECT docid, fieldid, termid FROM {FULL_TEXT}.terms"),
        ("docs", "count(*)", "0", f"SELECT docid, name, len FROM {FULL_TEXT}.docs"),
        ("stats", "count(*)", "coalesce(max(num_docs), -1)", f"SELECT num_docs, avgdl FROM {FULL_TEXT}.stats"),
        ("dict", "count(*)", "coalesce(max(termid), -1) + 1", f"SELECT termid, term, df FROM {FULL_TEXT}.dict"),
        ("names", "count(*)", "0", "SELECT text_id, term FROM identity_term"),
        ("named", "count(*)", "0", "SELECT 1 FROM indexed_text WHERE \"identity\" <> '' LIMIT 1"),
    )
)


@dataclass(frozen=True, slots=True)
class Damage:
    """What makes the full-text tables useless."""

    sentence: str
    """As a clause: what is wrong."""
    needs_tables: bool
    """Whether tables must be made, or only filled anew."""


def damage(connection: duckdb.DuckDBPyConnection) -> Damage | None:
    """What makes the full-text tables useless, as far as numbers tell; None for nothing."""
    try:
        rows = connection.execute(_NUMBERS).fetchall()
    except (duckdb.CatalogException, duckdb.BinderException) as error:
        first = str(error).splitlines()[0].partition("Error: ")[2].strip(" !")
        return Damage(f"the index is damaged ({first})", needs_tables=True)
    found: dict[str, tuple[int, int]] = {name: (first, second) for name, first, second in rows}
    versions, (texts, tokens) = found["versions"][0], found["texts"]
    if texts != versions:
        return Damage(f"the index is damaged (it holds {texts} of {versions} texts)", needs_tables=False)
    words, words_end = found["dict"]
    whole = (
        found["terms"][0] == tokens
        and words == words_end
        and found["docs"][0] == texts
        and found["stats"] == (1, texts)
        and (found["names"][0] > 0) == (found["named"][0] > 0)
        and not _is_beyond(connection, words_end)
    )
    if whole:
        return None
    return Damage("the index is damaged (rows of it are missing)", needs_tables=found["stats"][0] != 1)


def _is_beyond(connection: duckdb.DuckDBPyConnection, words_end: int) -> bool:
    """Whether an occurrence is of a word beyond the dictionary's last.

    The greatest number itself is read off only while nothing waits in the log; looking for a greater one always skips
    the rows whose bounds are below.
    """
    query = f"SELECT 1 FROM {FULL_TEXT}.terms WHERE termid >= {words_end:d} LIMIT 1"
    return connection.execute(query).fetchone() is not None
