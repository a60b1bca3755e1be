"""Vectors that travel with texts: made once by a model, kept by chunk, and taken over where the same chunks lie."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from memtui.errors import InvalidInput
from memtui.memory.embedding import chunks_in
from memtui.memory.realm import Realm
from memtui.model.embeddings import WIDTHS
from memtui.regular_files import NotRegular
from memtui.store.vectors import EmbeddedText, Space

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

_DIGEST = 32
"""Bytes of a SHA-256."""


@dataclass(frozen=True, slots=True)
class VectorPack:
    """Unit vectors of one space by the digest of the chunk that was embedded."""

    space: Space
    vectors: Mapping[str, NDArray[np.float32]]

    def write(self, path: Path) -> None:
        """Keep it in a file, in half precision: cosines keep three digits. The same vectors give the same bytes."""
        digests = sorted(self.vectors)
        told = np.array([bytes.fromhex(digest) for digest in digests], dtype="S32")
        table = np.stack([self.vectors[digest] for digest in digests]).astype(np.float16)
        with path.open("wb") as file:
            np.savez(
                file,
                digests=told.view(np.uint8).reshape(-1, _DIGEST),
                vectors=table,
                model_id=np.array(self.space.model_id),
                chunker=np.array(self.space.chunker),
            )

    @classmethod
    def read(cls, path: Path) -> VectorPack:
        """The pack in a file. Raises InvalidInput naming a file that holds none."""
        try:
            if not path.is_file():  # at a pipe nobody would ever stop waiting
                path.stat()
                raise NotRegular(0, "it is no regular file")
            with np.load(path, allow_pickle=False) as held:
                table, told = held["vectors"], held["digests"]
                model_id, chunker = str(held["model_id"]), str(held["chunker"])
        except Exception as error:  # whatever an archive of someone else's can make numpy and zipfile raise
            raise InvalidInput(f"{path} holds no vectors: {_why(error)}", file=str(path)) from error
        return cls.of(path, table, told, model_id, chunker)

    @classmethod
    def of(cls, path: Path, table: NDArray[Any], told: NDArray[Any], model_id: str, chunker: str) -> VectorPack:
        """The pack that two arrays make, if they are of the shapes that `write` gives them. Raises InvalidInput."""
        shaped = table.ndim == 2 and told.dtype == np.uint8 and told.shape == (len(table), _DIGEST)
        if not shaped or table.dtype.kind != "f" or table.shape[1] not in WIDTHS:
            raise InvalidInput(
                f"{path} holds vectors of shape {table.shape} and digests of shape {told.shape}",
                file=str(path),
                hint="a pack has one digest of 32 bytes for each vector, of a width that stores have a table for",
            )
        vectors = table.astype(np.float32)
        length = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.all(np.isfinite(length)) or not np.all(length > 0):
            raise InvalidInput(f"{path} holds vectors without a direction", file=str(path))
        vectors /= length
        space = Space(model_id, vectors.shape[1], chunker)
        digests = [bytes(row).hex() for row in told]
        return cls(space, dict(zip(digests, vectors, strict=True)))


def _why(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__


def adopt(realm: Realm, pack: VectorPack) -> int:
    """Keep the vectors of all texts that wait and whose chunks the pack knows; how many texts.

    One transaction. Raises StoreBusy, StoreUnreadable, Refused (read-only).
    """
    with realm.ledger.reading() as unit:
        waiting = [(partition, seq) for _, partition, seq in unit.unembedded(pack.space, realm.readable)]
        cut = {version.text_id: chunks_in(version) for version in unit.at_rows(waiting)}
    texts = [
        EmbeddedText(text_id, tuple(chunk.digest for chunk in chunks))
        for text_id, chunks in cut.items()
        if all(chunk.digest in pack.vectors for chunk in chunks)
    ]
    if not texts:
        return 0
    asked = {digest for text in texts for digest in text.chunks}
    with realm.writing() as unit:
        return unit.embed(pack.space, texts, {digest: pack.vectors[digest] for digest in asked})
