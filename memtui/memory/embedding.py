"""Embedding what is not embedded yet: newest first, in portions, each kept in a transaction of its own.

A run that ends in the middle loses nothing but its last portion, and two that run side by side keep each text once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from memtui.clock import monotonic_ms
from memtui.errors import EmbedderUnavailable
from memtui.log import survived
from memtui.memory.realm import Realm
from memtui.model.records import MEMORY_KINDS
from memtui.model.versions import Version
from memtui.store.vectors import EmbeddedText, Space
from memtui.text.chunking import CHUNKER, Chunk, chunks_of, embeddable
from memtui.text.searchable import searchable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memtui.embedding.port import EmbeddingPort

Progress: TypeAlias = Callable[[int, int], None]
"""Told how many texts are embedded of how many that waited."""

PORTION = 32
"""Texts that are read and kept together."""
MOST_CAUGHT_UP = 32
"""Chunks that a search embeds at most before it answers (spec page 6, Freshness)."""
CATCHING_UP_MS = 300.0
"""Milliseconds that it may take for that."""
_BATCH = 16
"""Chunks that a model is given at a time."""


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

    What is embedded again keeps its old vectors until then; where the run ends before, the next one goes on.
    Raises EmbedderUnavailable, StoreBusy, Refused; what was kept until then stays.
    """
    space = space_of(embedder)
    if anew:
        _vectors(embedder, {"": "what is there is out of date only where the model answers"})
        with realm.writing() as unit:
            unit.renew_vectors(space)
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


def catch_up(realm: Realm, space: Space, embed: Callable[[list[str], float], NDArray[np.float32]]) -> int:
    """Embed the newest of what waits, as much as a search may take along; how many texts.

    `embed(texts, seconds)` gives their vectors in time or raises EmbedderUnavailable. A text that is more than a
    search can wait for is left to a run of its own. Raises StoreBusy, StoreUnreadable, Refused.
    """
    until = monotonic_ms() + CATCHING_UP_MS
    with realm.ledger.reading() as unit:
        places = [(partition, seq) for _, partition, seq in unit.unembedded(space, realm.readable)[:MOST_CAUGHT_UP]]
        cut: dict[int, tuple[Chunk, ...]] = {}
        for version in unit.at_rows(places):
            if monotonic_ms() < until and len(chunks := chunks_in(version)) <= MOST_CAUGHT_UP:
                cut[version.text_id] = chunks
        told = {chunk.digest: chunk.text for found in cut.values() for chunk in found}
        known = set(unit.known_vectors(space, list(told)))
    vectors: dict[str, NDArray[np.float32]] = {}
    texts: list[EmbeddedText] = []
    room = MOST_CAUGHT_UP
    for text_id, chunks in cut.items():
        fresh = [digest for chunk in chunks if (digest := chunk.digest) not in known and digest not in vectors]
        left = (until - monotonic_ms()) / 1_000
        if len(fresh) > room or left <= 0:
            continue
        if fresh:
            try:
                made = embed([told[digest] for digest in fresh], left)
            except EmbedderUnavailable as error:
                survived("a search took less along than it could have", error)
                break
            vectors.update(zip(fresh, made, strict=True))
        room -= len(fresh)
        texts.append(EmbeddedText(text_id, tuple(chunk.digest for chunk in chunks)))
    if not texts:
        return 0
    with realm.writing(wait=CATCHING_UP_MS / 1_000) as unit:
        return unit.embed(space, texts, vectors)


def chunks_in(version: Version) -> tuple[Chunk, ...]:
    """The chunks that are embedded of a version's text: of a memory just one; none where it says next to nothing."""
    text = searchable(version.key, version.key.name, version.content)
    return embeddable(chunks_of(text, whole=version.key.kind in MEMORY_KINDS))


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


def in_batches(
    told: Mapping[str, str], embed: Callable[[list[str]], NDArray[np.float32]]
) -> dict[str, NDArray[np.float32]]:
    """The vectors of some texts, both by digest: in the same batches whatever order they came in. Raises as `embed`."""
    from memtui.embedding.batching import batches

    digests = sorted(told)
    vectors: dict[str, NDArray[np.float32]] = {}
    for places in batches([told[digest] for digest in digests], _BATCH):
        batch = [digests[place] for place in places]
        vectors.update(zip(batch, embed([told[digest] for digest in batch]), strict=True))
    return vectors


def _vectors(embedder: EmbeddingPort, told: Mapping[str, str]) -> dict[str, NDArray[np.float32]]:
    """The checked vectors of some texts, by digest. Raises EmbedderUnavailable."""
    from memtui.embedding.checking import checked

    def embed(texts: list[str]) -> NDArray[np.float32]:
        return checked(embedder.embed(texts, purpose="passage"), len(texts), embedder.dims)

    return in_batches(told, embed)
