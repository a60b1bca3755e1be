"""The inverted index: kept up to date by plain SQL inside the transaction that records a version.

The FTS extension makes its tables once and then does not follow; but they are ordinary tables, and
adding a text to `docs`, `dict`, `terms` and `stats` gives exactly what a rebuild would.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from memtui.store.duckdb.engine import duckdb
from memtui.store.duckdb.rows import portions
from memtui.store.duckdb.soundness import FULL_TEXT, Damage, damage
from memtui.store.postings import FIELD_WEIGHTS, PostingBlock, TextLengths, analysed, posting_block
from memtui.text.analysis import ANALYSER
from memtui.text.searchable import SearchableText

_FTS = FULL_TEXT
_FIELDS = tuple(FIELD_WEIGHTS)
# DOUBLE, because decimal literals would be summed as decimals.
_WEIGHT = f"CASE fieldid {' '.join(f'WHEN {i} THEN {FIELD_WEIGHTS[f]}::DOUBLE' for i, f in enumerate(_FIELDS))} END"

_AT_ONCE = 100_000
"""Bytes of a text's tokens that the engine may take apart in one go.

It copies the whole text for every 2,048 tokens it gives, so that time would grow with the square of the length.
"""
_HELD = (*_FIELDS, "identity")
_LONGEST = f"SELECT max(greatest({', '.join(f'strlen({name})' for name in _HELD)})) FROM indexed_text"


def _tokens(name: str) -> str:
    """Every token of a column beyond a text_id."""
    return f"""SELECT text_id, unnest(string_split("{name}", ' ')) AS term
        FROM indexed_text WHERE text_id > $after AND "{name}" <> '' """


def _tokens_by_place(name: str) -> str:
    """The same, each fetched by its place: linear however long a text is, but slower for many short ones."""
    return f"""SELECT text_id, tokens[place] AS term FROM (
        WITH split AS MATERIALIZED (
            SELECT text_id, string_split("{name}", ' ') AS tokens
            FROM indexed_text WHERE text_id > $after AND "{name}" <> ''
        ), counted AS MATERIALIZED (SELECT text_id, len(tokens) AS most FROM split)
        SELECT text_id, tokens, place FROM split
        JOIN (SELECT text_id, unnest(range(1, most + 1)) AS place FROM counted) USING (text_id)
    )"""


def _following(tokens: Callable[[str], str]) -> tuple[str, ...]:
    """The statements that bring the full-text tables up to new index rows."""
    # Every occurrence of every token in the index rows beyond a text_id, field by field.
    incoming = " UNION ALL ".join(
        f"SELECT text_id, {number} AS fieldid, term FROM ({tokens(field)})" for number, field in enumerate(_FIELDS)
    )
    return (
        f"""INSERT INTO {_FTS}.dict
            SELECT (SELECT coalesce(max(termid), -1) FROM {_FTS}.dict) + row_number() OVER (ORDER BY term), term, 0
            FROM (SELECT DISTINCT term FROM ({incoming})) ANTI JOIN {_FTS}.dict USING (term)""",
        f"""INSERT INTO {_FTS}.terms
            SELECT text_id, fieldid, termid FROM ({incoming}) JOIN {_FTS}.dict USING (term)
            ORDER BY text_id, fieldid""",
        f"""UPDATE {_FTS}.dict SET df = df + more FROM (
                SELECT termid AS grown, count(DISTINCT docid) AS more
                FROM {_FTS}.terms WHERE docid > $after GROUP BY termid
            ) WHERE termid = grown""",
        f"""INSERT INTO {_FTS}.docs
            SELECT text_id, text_id, coalesce(len, 0) FROM indexed_text LEFT JOIN (
                SELECT docid, count(*) AS len FROM {_FTS}.terms WHERE docid > $after GROUP BY docid
            ) ON docid = text_id WHERE text_id > $after ORDER BY text_id""",
        f"""UPDATE {_FTS}.stats SET
            num_docs = (SELECT count(*) FROM {_FTS}.docs), avgdl = (SELECT avg(len) FROM {_FTS}.docs)""",
        f"INSERT INTO identity_term SELECT DISTINCT text_id, term FROM ({tokens('identity')})",
    )


_FOLLOW, _FOLLOW_LONG = _following(_tokens), _following(_tokens_by_place)

_TEXT_STRUCTURE = json.dumps(
    [
        {
            "text_id": "BIGINT",
            "record_id": "BIGINT",
            "text_hash": "VARCHAR",
            **dict.fromkeys(_HELD, "VARCHAR"),
            "plain": "DOUBLE",
            "weighted": "DOUBLE",
        }
    ]
)


def add_texts(
    connection: duckdb.DuckDBPyConnection, rows: Sequence[tuple[int, int, str, SearchableText]], *, after: int
) -> None:
    """Index new texts: (text_id, record_id, text hash, text), all with a text_id beyond `after`."""
    if not rows:
        return
    for portion in portions(rows):
        shapes = [_indexed(*row) for row in portion]
        connection.execute(
            f"INSERT INTO indexed_text SELECT unnest(from_json(?, '{_TEXT_STRUCTURE}'), max_depth := 2)",
            [json.dumps(shapes, ensure_ascii=False)],
        )
    follow(connection, after=after)


def _indexed(text_id: int, record_id: int, text_hash: str, text: SearchableText) -> dict[str, object]:
    """One index row: tokens per field, and the lengths BM25 needs."""
    row = analysed(text)
    return {
        "text_id": text_id,
        "record_id": record_id,
        "text_hash": text_hash,
        **row.fields,
        "identity": row.identity,
        "plain": row.plain,
        "weighted": row.weighted,
    }


def clear_index(connection: duckdb.DuckDBPyConnection) -> None:
    """Empty the index: everything in it can be made again from the versions."""
    for table in ("indexed_text", "identity_term", f"{_FTS}.docs", f"{_FTS}.dict", f"{_FTS}.terms"):
        connection.execute(f"DELETE FROM {table}")


def follow(connection: duckdb.DuckDBPyConnection, *, after: int) -> None:
    """Bring the full-text tables up to the index rows beyond `after`."""
    longest = connection.execute(f"{_LONGEST} WHERE text_id > $after", {"after": after}).fetchone()
    for statement in _FOLLOW_LONG if longest is not None and (longest[0] or 0) > _AT_ONCE else _FOLLOW:
        connection.execute(statement, {"after": after} if "$after" in statement else None)


def known_texts(connection: duckdb.DuckDBPyConnection, record_ids: Iterable[int]) -> dict[tuple[int, str], int]:
    """The text_id of each (record, text hash) already indexed for these records."""
    rows = connection.execute(
        "SELECT record_id, text_hash, text_id FROM indexed_text "
        """WHERE record_id IN (SELECT unnest(from_json(?, '["BIGINT"]')))""",
        [json.dumps(sorted(set(record_ids)))],
    ).fetchall()
    return {(record_id, text_hash): text_id for record_id, text_hash, text_id in rows}


def fetch_columns(
    connection: duckdb.DuckDBPyConnection, query: str, values: Mapping[str, object] | None = None
) -> dict[str, NDArray[Any]]:
    """The columns of a result as arrays."""
    return cast("dict[str, NDArray[Any]]", connection.execute(query, values or None).fetchnumpy())  # pyright: ignore[reportUnknownMemberType]


def _any_term(terms: Sequence[str], prefixes: Sequence[str], values: dict[str, object]) -> str:
    """A condition on `term`: one of the terms, or the beginning is one of the prefixes. Fills in `values`."""
    values["terms"] = list(terms)
    conditions = ["term IN (SELECT unnest($terms::VARCHAR[]))"]
    for number, prefix in enumerate(prefixes):
        conditions.append(f"starts_with(term, $prefix{number})")
        values[f"prefix{number}"] = prefix
    return " OR ".join(conditions)


class FullText:
    """`LexicalIndex` over one open connection."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def analyser(self) -> str:
        """The analyser that filled the index."""
        row = self._connection.execute("SELECT value FROM meta WHERE key = 'analyser'").fetchone()
        return str(row[0]) if row else ANALYSER

    def index_damage(self) -> Damage | None:
        """What makes the index useless, whoever filled it; None for nothing."""
        return damage(self._connection)

    def index_trouble(self) -> str | None:
        """Why the index cannot be searched as it stands; None where it can."""
        found, stored = self.index_damage(), self.analyser()
        if found is not None:
            return found.sentence
        return (
            None if stored == ANALYSER else f"the index was filled by analyser {stored}, this program uses {ANALYSER}"
        )

    def text_lengths(self, after: int = -1) -> TextLengths:
        """Lengths of every index row beyond `after`."""
        columns = fetch_columns(
            self._connection,
            "SELECT text_id, plain, weighted FROM indexed_text WHERE text_id > $after ORDER BY text_id",
            {"after": after},
        )
        return TextLengths(columns["text_id"], columns["plain"], columns["weighted"])

    def postings(self, after: int = -1, before: int | None = None) -> PostingBlock:
        """All postings of the index rows in (after, before)."""
        limit = np.iinfo(np.int64).max if before is None else before
        columns = fetch_columns(
            self._connection,
            f"SELECT termid, docid AS text_id, count(*)::FLOAT AS n, sum({_WEIGHT})::FLOAT AS weighted "
            f"FROM {_FTS}.terms WHERE docid > {after:d} AND docid < {limit:d} GROUP BY ALL",
        )
        named = self._names_of(np.unique(columns["termid"]))
        return posting_block(named, columns["termid"], columns["text_id"], columns["n"], columns["weighted"])

    def _names_of(self, term_ids: NDArray[np.int64]) -> list[tuple[int, str]]:
        """(id, term) of some dictionary entries, or of all when that is cheaper."""
        query = f"SELECT termid, term FROM {_FTS}.dict"
        if len(term_ids) > 2_000:
            return self._connection.execute(query).fetchall()
        identifiers = ", ".join(map(str, term_ids.tolist())) or "-1"
        return self._connection.execute(f"{query} WHERE termid IN ({identifiers})").fetchall()

    def postings_of(self, terms: Sequence[str], prefixes: Sequence[str]) -> PostingBlock:
        """Postings of the terms and of every dictionary term that begins with one of the prefixes."""
        values: dict[str, object] = {}
        named: list[tuple[int, str]] = self._connection.execute(
            f"SELECT termid, term FROM {_FTS}.dict WHERE {_any_term(terms, prefixes, values)}", values
        ).fetchall()
        # Ids as literals and no grouping: for the few terms of one query that is three times as fast.
        identifiers = ", ".join(str(identifier) for identifier, _ in named) or "-1"
        raw = fetch_columns(
            self._connection, f"SELECT termid, docid, fieldid FROM {_FTS}.terms WHERE termid IN ({identifiers})"
        )
        # Term and text as one number, which sorts many times as fast as pairs.
        found, place = np.unique((raw["termid"].astype(np.int64) << 32) | raw["docid"], return_inverse=True)
        weights = np.array([FIELD_WEIGHTS[field] for field in _FIELDS])[raw["fieldid"].astype(np.int64)]
        size = len(found)
        return posting_block(
            named,
            found >> 32,
            found & 0xFFFF_FFFF,
            np.bincount(place, minlength=size).astype(np.float32),
            np.bincount(place, weights, minlength=size).astype(np.float32),
        )

    def words(self, shortest: int, longest: int) -> Sequence[str]:
        """The dictionary's terms of that many characters, in the order they came."""
        rows = self._connection.execute(
            f"SELECT term FROM {_FTS}.dict WHERE length(term) BETWEEN $shortest AND $longest ORDER BY termid",
            {"shortest": shortest, "longest": longest},
        ).fetchall()
        return [term for (term,) in rows]

    def identity_postings(
        self, terms: Sequence[str] | None, after: int = -1, prefixes: Sequence[str] = ()
    ) -> PostingBlock:
        """Which index rows carry a term in their names, aliases and titles."""
        values: dict[str, object] = {"after": after}
        condition = "" if terms is None else f"AND ({_any_term(terms, prefixes, values)})"
        rows = self._connection.execute(
            f"SELECT term, text_id FROM identity_term WHERE text_id > $after {condition}",
            values,
        ).fetchall()
        numbers = {term: number for number, term in enumerate(sorted({row[0] for row in rows}))}
        ones = np.ones(len(rows), dtype=np.float32)
        return posting_block(
            [(number, term) for term, number in numbers.items()],
            np.array([numbers[row[0]] for row in rows], dtype=np.int64),
            np.array([row[1] for row in rows], dtype=np.int64),
            ones,
            ones,
        )
