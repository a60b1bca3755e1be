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


def _table(space: Space) -> str:
    """The table of a space's width. Raises ValueError for a width that has none."""
    if space.dims not in WIDTHS:
        raise ValueError(
            f"{space.model_id} makes vectors of {space.dims} numbers, and there is no table vector_{space.dims}: "
            "a migration must add it"
        )
    return f"vector_{space.dims}"


class StoredVectors:
    """`VectorIndex` over one open connection."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def vectors(self, space: Space, after: int = -1) -> VectorBlock:
        """Vectors of all texts embedded in a space, or of those beyond a number."""
        values = {"model": space.model_id, "chunker": space.chunker, "after": after}
        embedded = "FROM embedded_text WHERE model_id = $model AND chunker = $chunker AND number > $after"
        columns = fetch_columns(
            self._connection,
            "SELECT text_id, vector FROM ("
            f"SELECT text_id, unnest(chunks) AS chunk, generate_subscripts(chunks, 1) AS place {embedded}"
            f") JOIN {_table(space)} USING (chunk) WHERE model_id = $model ORDER BY text_id, place",
            values,
        )
        row = self._connection.execute(f"SELECT count(*), coalesce(max(number), $after) {embedded}", values).fetchone()
        texts, last = row or (0, after)
        return VectorBlock(columns["text_id"].astype(np.int64), _stacked(columns["vector"], space.dims), texts, last)

    def embedded(self, space: Space) -> tuple[int, int]:
        """How many texts are embedded in a space, and in how many chunks."""
        row = self._connection.execute(
            "SELECT count(*), coalesce(sum(len(chunks)), 0) FROM embedded_text WHERE model_id = ? AND chunker = ?",
            [space.model_id, space.chunker],
        ).fetchone()
        return (int(row[0]), int(row[1])) if row else (0, 0)

    def unembedded(self, space: Space, partitions: Sequence[str]) -> Sequence[tuple[int, str, int]]:
        """(text_id, partition, seq of its latest version) of every text not embedded in a space, newest first."""
        rows = self._connection.execute(
            "SELECT v.text_id, v.partition, v.seq FROM version v "
            "WHERE list_contains($partitions, v.partition) AND v.text_id NOT IN ("
            "SELECT text_id FROM embedded_text WHERE model_id = $model AND chunker = $chunker) "
            "QUALIFY row_number() OVER (PARTITION BY v.text_id ORDER BY v.recorded_at DESC, v.seq DESC) = 1 "
            "ORDER BY v.recorded_at DESC, v.seq DESC",
            {"partitions": list(partitions), "model": space.model_id, "chunker": space.chunker},
        ).fetchall()
        return [(int(text_id), str(partition), int(seq)) for text_id, partition, seq in rows]

    def known_vectors(self, space: Space, digests: Sequence[str]) -> Mapping[str, NDArray[np.float32]]:
        """Digest → vector of those chunks that were embedded before."""
        columns = fetch_columns(
            self._connection,
            f"SELECT chunk, vector FROM {_table(space)} WHERE model_id = $model AND chunk IN (SELECT unnest($digests))",
            {"model": space.model_id, "digests": list(digests)},
        )
        return dict(zip(columns["chunk"].tolist(), _stacked(columns["vector"], space.dims), strict=True))


class WritableVectors(StoredVectors):
    """`VectorWriting` over one open connection."""

    def drop_vectors(self, space: Space) -> None:
        """Let go of everything embedded by a space's model."""
        for table in ("embedded_text", _table(space)):
            self._connection.execute(f"DELETE FROM {table} WHERE model_id = ?", [space.model_id])

    def embed(self, space: Space, texts: Sequence[EmbeddedText], vectors: Mapping[str, NDArray[np.float32]]) -> int:
        """Keep texts with the vectors of those of their chunks that are new; how many texts were not kept before."""
        last = self._last_number()
        kept = self._embedded(space, [text.text_id for text in texts])
        fresh = [text for text in texts if text.text_id not in kept]
        wanted = dict.fromkeys(chunk for text in fresh for chunk in text.chunks)
        known = self.known_vectors(space, list(wanted))
        missing = [chunk for chunk in wanted if chunk not in known]
        if lacking := [chunk for chunk in missing if chunk not in vectors]:
            raise ValueError(f"{len(lacking)} chunks have no vector, {lacking[0]} among them")
        self._keep(space, missing, vectors)
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
        self._connection.execute("DELETE FROM meta WHERE key = $key", {"key": _NUMBERED})
        self._connection.execute(
            "INSERT INTO meta VALUES ($key, $value)", {"key": _NUMBERED, "value": str(last + len(fresh))}
        )
        return len(fresh)

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
            "SELECT text_id FROM embedded_text WHERE model_id = $model AND chunker = $chunker "
            "AND text_id IN (SELECT unnest($texts))",
            {"model": space.model_id, "chunker": space.chunker, "texts": list(text_ids)},
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


def _stacked(rows: NDArray[np.object_], dims: int) -> NDArray[np.float32]:
    if not len(rows):
        return np.zeros((0, dims), dtype=np.float32)
    return np.stack(rows.tolist()).astype(np.float32, copy=False)
