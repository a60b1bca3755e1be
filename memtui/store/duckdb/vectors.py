"""Vectors in the ledger's file: one table per width, read whole into arrays."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from memtui.model.embeddings import WIDTHS
from memtui.store.duckdb.engine import duckdb
from memtui.store.duckdb.full_text import fetch_columns
from memtui.store.vectors import EmbeddedText, Space, VectorBlock

_NUMBERED = "embedded_number"
"""Where the store keeps the last number that an embedded text was given: numbers are never given twice."""
_RENEWED = "embedded_anew:"
"""Before a model's name: the last number that was given before all of it was to be embedded anew."""
_TABLES = {
    "embedded_text": "number BIGINT, text_id BIGINT, model_id VARCHAR, chunker VARCHAR, chunks VARCHAR[]",
    **{f"vector_{width}": f"chunk VARCHAR, model_id VARCHAR, vector FLOAT[{width}]" for width in WIDTHS},
}
"""As the migration made them: what they hold can be made again, so a lost one is."""
_BROKEN = (duckdb.CatalogException, duckdb.BinderException)
"""What a query raises where someone dropped a table, or a column of it."""


def _table(space: Space) -> str:
    """The table of a space's width. Raises ValueError for a width that has none."""
    if space.dims not in WIDTHS:
        raise ValueError(
            f"{space.model_id} makes vectors of {space.dims} numbers, and there is no table vector_{space.dims}: "
            "a migration must add it"
        )
    return f"vector_{space.dims}"


def _whole(table: str) -> str:
    """The beginning of a query: `whole` are the texts embedded beyond a number of which no vector is missing.

    A model may give wider vectors than it did, and rows may get lost: what has no vectors was never embedded.
    """
    return f"""WITH own AS (
        SELECT number, text_id, chunks FROM embedded_text
        WHERE model_id = $model AND chunker = $chunker AND number > $after
    ), whole AS (
        SELECT number, text_id, chunks FROM own WHERE text_id NOT IN (
            SELECT text_id FROM (SELECT text_id, unnest(chunks) AS chunk FROM own)
            ANTI JOIN (SELECT chunk FROM {table} WHERE model_id = $model) USING (chunk)
        )
    ) """


def _values(space: Space, after: int = -1) -> dict[str, object]:
    return {"model": space.model_id, "chunker": space.chunker, "after": after}


def make_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Make those tables anew, empty, that someone dropped or took a column from, in the transaction that is open."""
    for table, columns in _TABLES.items():
        names = ", ".join(column.split()[0] for column in columns.split(", "))
        try:
            connection.execute(f"SELECT {names} FROM {table} LIMIT 0")
        except _BROKEN:
            connection.execute(f"DROP TABLE IF EXISTS {table}")
            connection.execute(f"CREATE TABLE {table} ({columns.replace(',', ' NOT NULL,')} NOT NULL)")


class StoredVectors:
    """`VectorIndex` over one open connection."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def vectors(self, space: Space, after: int = -1) -> VectorBlock:
        """Vectors of all texts embedded in a space, or of those beyond a number."""
        table, values = _table(space), _values(space, after)
        try:
            columns = fetch_columns(
                self._connection,
                f"{_whole(table)} SELECT text_id, vector FROM ("
                "SELECT text_id, unnest(chunks) AS chunk, generate_subscripts(chunks, 1) AS place FROM whole"
                f") JOIN {table} USING (chunk) WHERE model_id = $model ORDER BY text_id, place",
                values,
            )
            row = self._connection.execute(
                f"{_whole(table)} SELECT (SELECT count(*) FROM whole), (SELECT coalesce(max(number), $after) FROM own)",
                values,
            ).fetchone()
        except _BROKEN as error:
            none = np.zeros(0, dtype=np.int64)
            return VectorBlock(none, np.zeros((0, space.dims), dtype=np.float32), 0, after, _trouble(error))
        texts, last = row or (0, after)
        return VectorBlock(columns["text_id"].astype(np.int64), _stacked(columns["vector"], space.dims), texts, last)

    def embedded(self, space: Space) -> tuple[int, int]:
        """How many texts are embedded in a space, and in how many chunks."""
        if space.dims not in WIDTHS:
            return max(self.embedded(space._replace(dims=width)) for width in WIDTHS)
        try:
            row = self._connection.execute(
                f"{_whole(_table(space))} SELECT count(*), coalesce(sum(len(chunks)), 0) FROM whole", _values(space)
            ).fetchone()
        except _BROKEN:  # no table, no vectors: `vectors` says so
            return (0, 0)
        return (int(row[0]), int(row[1])) if row else (0, 0)

    def unembedded(self, space: Space, partitions: Sequence[str]) -> Sequence[tuple[int, str, int]]:
        """(text_id, partition, seq of its latest version) of every text not embedded in a space, newest first."""
        latest = (
            "SELECT v.text_id, v.partition, v.seq FROM version v "
            "WHERE list_contains($partitions, v.partition){without} "
            "QUALIFY row_number() OVER (PARTITION BY v.text_id ORDER BY v.recorded_at DESC, v.seq DESC) = 1 "
            "ORDER BY v.recorded_at DESC, v.seq DESC"
        )
        named = {"partitions": list(partitions)}
        without = " AND v.text_id NOT IN (SELECT text_id FROM whole)"
        try:
            rows = self._connection.execute(
                _whole(_table(space)) + latest.format(without=without),
                {**_values(space, self._outdated(space)), **named},
            ).fetchall()
        except _BROKEN:
            rows = self._connection.execute(latest.format(without=""), named).fetchall()
        return [(int(text_id), str(partition), int(seq)) for text_id, partition, seq in rows]

    def known_vectors(self, space: Space, digests: Sequence[str]) -> Mapping[str, NDArray[np.float32]]:
        """Digest → vector of those chunks that were embedded before."""
        outdated = self._outdated(space)
        values: dict[str, object] = {"model": space.model_id, "digests": list(digests)}
        current = ""
        if outdated >= 0:
            values["outdated"] = outdated
            current = (
                " AND chunk IN (SELECT unnest(chunks) FROM embedded_text "
                "WHERE model_id = $model AND number > $outdated)"
            )
        try:
            columns = fetch_columns(
                self._connection,
                f"SELECT chunk, vector FROM {_table(space)} "
                f"WHERE model_id = $model AND chunk IN (SELECT unnest($digests)){current}",
                values,
            )
        except _BROKEN:
            return {}
        return dict(zip(columns["chunk"].tolist(), _stacked(columns["vector"], space.dims), strict=True))

    def _outdated(self, space: Space) -> int:
        """The last number of what is to be embedded anew; -1 where nothing is."""
        row = self._connection.execute(
            "SELECT value::BIGINT FROM meta WHERE key = ?", [_RENEWED + space.model_id]
        ).fetchone()
        return int(row[0]) if row else -1


class WritableVectors(StoredVectors):
    """`VectorWriting` over one open connection."""

    def renew_vectors(self, space: Space) -> None:
        """From now on everything embedded by a space's model waits; until its turn comes it stays as it is."""
        make_tables(self._connection)
        self._note(_RENEWED + space.model_id, self._last_number())

    def embed(self, space: Space, texts: Sequence[EmbeddedText], vectors: Mapping[str, NDArray[np.float32]]) -> int:
        """Keep texts with the vectors of those of their chunks that are new; how many texts were not kept before."""
        make_tables(self._connection)
        last = self._last_number()
        kept = self._embedded(space, [text.text_id for text in texts])
        fresh = [text for text in texts if text.text_id not in kept]
        wanted = dict.fromkeys(chunk for text in fresh for chunk in text.chunks)
        known = self.known_vectors(space, list(wanted))
        missing = [chunk for chunk in wanted if chunk not in known]
        if lacking := [chunk for chunk in missing if chunk not in vectors]:
            raise ValueError(f"{len(lacking)} chunks have no vector, {lacking[0]} among them")
        outdated = self._outdated(space)
        if outdated >= 0:  # old vectors of these chunks may be there
            self._connection.execute(
                f"DELETE FROM {_table(space)} WHERE model_id = $model AND chunk IN (SELECT unnest($chunks))",
                {"model": space.model_id, "chunks": missing},
            )
        self._keep(space, missing, vectors)
        # One whose vectors were lost, or were of another width, may still be noted.
        self._connection.execute(
            "DELETE FROM embedded_text WHERE model_id = $model AND chunker = $chunker "
            "AND text_id IN (SELECT unnest($texts))",
            {"model": space.model_id, "chunker": space.chunker, "texts": [text.text_id for text in fresh]},
        )
        rows = [
            {"number": last + place, "text": text.text_id, "chunks": list(text.chunks)}
            for place, text in enumerate(fresh, start=1)
        ]
        self._connection.execute(
            "INSERT INTO embedded_text SELECT row.number, row.text, $model, $chunker, row.chunks FROM ("
            """SELECT unnest(from_json($rows, '[{"number": "BIGINT", "text": "BIGINT", "chunks": ["VARCHAR"]}]'))"""
            " AS row)",
            {"rows": json.dumps(rows), "model": space.model_id, "chunker": space.chunker},
        )
        self._note(_NUMBERED, last + len(fresh))
        if outdated >= 0:
            self._connection.execute(
                "DELETE FROM meta WHERE key = $key AND NOT EXISTS "
                "(SELECT 1 FROM embedded_text WHERE model_id = $model AND number <= $outdated)",
                {"key": _RENEWED + space.model_id, "model": space.model_id, "outdated": outdated},
            )
        return len(fresh)

    def _note(self, key: str, number: int) -> None:
        self._connection.execute("DELETE FROM meta WHERE key = ?", [key])
        self._connection.execute("INSERT INTO meta VALUES (?, ?)", [key, str(number)])

    def _last_number(self) -> int:
        """The number of what was embedded last, also where that was let go since: who follows asks for greater ones."""
        row = self._connection.execute(
            "SELECT greatest((SELECT coalesce(max(number), -1) FROM embedded_text), "
            "coalesce((SELECT value::BIGINT FROM meta WHERE key = $key), -1))",
            {"key": _NUMBERED},
        ).fetchone()
        return int(row[0]) if row else -1

    def _embedded(self, space: Space, text_ids: Sequence[int]) -> set[int]:
        rows = self._connection.execute(
            f"{_whole(_table(space))} SELECT text_id FROM whole WHERE text_id IN (SELECT unnest($texts))",
            {**_values(space, self._outdated(space)), "texts": list(text_ids)},
        ).fetchall()
        return {int(text_id) for (text_id,) in rows}

    def _keep(self, space: Space, chunks: Sequence[str], vectors: Mapping[str, NDArray[np.float32]]) -> None:
        if not chunks:
            return
        # As JSON: binding an array as a value takes DuckDB a tenth of a second to plan.
        rows = [{"chunk": chunk, "vector": vectors[chunk].tolist()} for chunk in chunks]
        self._connection.execute(
            f"INSERT INTO {_table(space)} SELECT row.chunk, $model, row.vector::FLOAT[{space.dims}] FROM ("
            """SELECT unnest(from_json($rows, '[{"chunk": "VARCHAR", "vector": ["FLOAT"]}]')) AS row)""",
            {"rows": json.dumps(rows, allow_nan=False), "model": space.model_id},
        )


def _trouble(error: Exception) -> str:
    first = str(error).splitlines()[0].partition("Error: ")[2].strip(" !")
    return f"the vectors are damaged ({first}), `memtui embed refresh` makes them anew"


def _stacked(rows: NDArray[np.object_], dims: int) -> NDArray[np.float32]:
    if not len(rows):
        return np.zeros((0, dims), dtype=np.float32)
    return np.stack(rows.tolist()).astype(np.float32, copy=False)
