"""Vectors by formula, in the space of the default model: embedding 100,000 texts would take it an hour.

A text's vector is a share of a topic's direction and a share of noise, all drawn by the digest of the text. The topics
are what the model itself says of the sample vault's texts, so that a real query is nearer to some than to others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from memtui.embedding.names import USE_MULTILINGUAL
from memtui.embedding.process import WorkerEmbedder
from memtui.memory.embedding import chunks_in, space_of
from memtui.memory.memory import Memory
from memtui.model.versions import Version
from memtui.store.vectors import EmbeddedText, Vectors
from memtui.text.frontmatter import split_front_matter
from tests.benchmarks.texts import sample_texts

_PORTION = 1_000
"""Texts kept in one transaction."""
_TOPICS = 64
_TOPIC_LENGTH = 120
"""Characters of a text that a topic is taken from."""
_LEAST_SHARE, _MOST_SHARE = 0.4, 0.95
"""How much of a vector its topic may be."""


def embed_by_formula(memory: Memory) -> None:
    """Give every text that waits its vectors, through the store's own way of keeping them."""
    embedder = WorkerEmbedder(USE_MULTILINGUAL)
    space = space_of(embedder)
    with memory.ledger.reading() as unit:
        places = [(partition, seq) for _, partition, seq in unit.unembedded(space, list(unit.heads()))]
    if not places:
        return
    said = [split_front_matter(text).body.strip()[:_TOPIC_LENGTH] for text in sample_texts()[:_TOPICS]]
    topics = embedder.embed(said, purpose="passage")
    embedder.close()
    for start in range(0, len(places), _PORTION):
        with memory.ledger.writing() as unit:
            cut = _chunks(unit.at_rows(places[start : start + _PORTION]))
            vectors = {digest: vector_of(digest, topics) for text in cut for digest in text.chunks}
            unit.embed(space, cut, vectors)


def vector_of(digest: str, topics: Vectors) -> Vectors:
    """The unit vector of a text with this digest (hex)."""
    chance = np.random.default_rng(int(digest, 16))
    share = chance.uniform(_LEAST_SHARE, _MOST_SHARE)
    noise: NDArray[np.float64] = chance.standard_normal(len(topics[0]))
    topic = topics[int(chance.integers(len(topics)))]
    vector = share * topic + math.sqrt(1.0 - share**2) * _unit(noise)
    return _unit(vector).astype(np.float32)


def _unit(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    return vector / math.sqrt(float(vector @ vector))


def _chunks(versions: Sequence[Version]) -> list[EmbeddedText]:
    return [EmbeddedText(v.text_id, tuple(chunk.digest for chunk in chunks_in(v))) for v in versions]
