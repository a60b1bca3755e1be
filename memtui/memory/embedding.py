"""Embedding what is not embedded yet: newest first, in portions, each kept in a transaction of its own.

A run that ends in the middle loses nothing but its last portion, and two that run side by side keep each text once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from memtui.memory.realm import Realm
from memtui.model.records import MEMORY_KINDS
from memtui.model.versions import Version
from memtui.store.vectors import EmbeddedText, Space
from memtui.text.chunking import CHUNKER, Chunk, chunks_of
from memtui.text.searchable import searchable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memtui.embedding.port import EmbeddingPort

Progress: TypeAlias = Callable[[int, int], None]
"""Told how many texts are embedded of how many that waited."""

PORTION = 32
"""Texts that are read and kept together."""
BATCH = 16
"""Chunks that a model is given at a time: of about one length, for the longest decides what all cost."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """What a run did: texts that are embedded now, chunks that a model had to embed for that, and what still waits."""

    texts: int = 0
    chunks: int = 0
    waiting: int = 0


def space_of(embedder: EmbeddingPort) -> Space:
    """The space an embedder's vectors lie in. Raises EmbedderUnavailable."""
    from memtui.embedding.checking import check_width

    return Space(embedder.model_id, check_width(embedder.dims), CHUNKER)


def embed_waiting(
    realm: Realm,
    embedder: EmbeddingPort,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
    *,
    anew: bool = False,
) -> Embedded:
    """Embed the texts of a realm that wait, until all are or it is `cancelled`; with `anew` all of them again.

    Raises EmbedderUnavailable, StoreBusy, Refused; what was kept until then stays.
    """
    space = space_of(embedder)
    if anew:
        with realm.writing() as unit:
            unit.drop_vectors(space)
    with realm.ledger.reading() as unit:
        waiting = list(unit.unembedded(space, realm.readable))
    texts = chunks = 0
    for start in range(0, len(waiting), PORTION):
        if cancelled is not None and cancelled():
            break
        portion = waiting[start : start + PORTION]
        kept, embedded = _embed(realm, embedder, space, [(partition, seq) for _, partition, seq in portion])
        texts, chunks = texts + kept, chunks + embedded
        if progress is not None:
            progress(min(start + PORTION, len(waiting)), len(waiting))
    with realm.ledger.reading() as unit:
        return Embedded(texts, chunks, len(unit.unembedded(space, realm.readable)))


def chunks_in(version: Version) -> tuple[Chunk, ...]:
    """The chunks of a version's text: of a memory just one."""
    text = searchable(version.key, version.key.name, version.content)
    return chunks_of(text, whole=version.key.kind in MEMORY_KINDS)


def _embed(realm: Realm, embedder: EmbeddingPort, space: Space, places: Sequence[tuple[str, int]]) -> tuple[int, int]:
    """How many texts were kept, and how many chunks had to be embedded for them."""
    with realm.ledger.reading() as unit:
        cut = {version.text_id: chunks_in(version) for version in unit.at_rows(places)}
        told = {chunk.digest: chunk.text for found in cut.values() for chunk in found}
        known = unit.known_vectors(space, list(told))
    vectors = _vectors(embedder, {digest: text for digest, text in told.items() if digest not in known})
    texts = [EmbeddedText(text_id, tuple(chunk.digest for chunk in found)) for text_id, found in cut.items()]
    with realm.writing() as unit:
        return unit.embed(space, texts, vectors), len(vectors)


def _vectors(embedder: EmbeddingPort, told: dict[str, str]) -> dict[str, NDArray[np.float32]]:
    from memtui.embedding.checking import checked

    digests = sorted(told, key=lambda digest: (len(told[digest]), digest))
    vectors: dict[str, NDArray[np.float32]] = {}
    for start in range(0, len(digests), BATCH):
        batch = digests[start : start + BATCH]
        made = embedder.embed([told[digest] for digest in batch], purpose="passage")
        vectors.update(zip(batch, checked(made, len(batch), embedder.dims), strict=True))
    return vectors
