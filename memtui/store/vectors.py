"""Vectors as a store keeps them: chunks of texts, by what was embedded and by which model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
"""Unit vectors, shape (n, dims)."""


class Space(NamedTuple):
    """What makes vectors comparable, and texts cut alike: a model, its width, and the way of cutting."""

    model_id: str
    dims: int
    chunker: str


@dataclass(frozen=True, slots=True)
class EmbeddedText:
    """One index row with the digests of its chunks in reading order; none where it says nothing."""

    text_id: int
    chunks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class VectorBlock:
    """Vectors of index rows: `vectors[i]` is of a chunk of `text_id[i]`. Shapes: (m,), (m, dims).

    The chunks of one text follow one another in reading order. `last` is the greatest number that was given to an
    embedded text: what is beyond it came later.
    """

    text_id: NDArray[np.int64]
    vectors: Vectors
    texts: int
    """How many texts there are, those that say nothing included."""
    last: int
    trouble: str | None = None
    """Why there can be none: someone took the table, as a clause with the way out."""


class VectorIndex(Protocol):
    """The vectors of a store, as a read unit gives them."""

    def vectors(self, space: Space, after: int = -1) -> VectorBlock:
        """Vectors of all texts embedded in a space, or of those beyond a number."""
        ...

    def embedded(self, space: Space) -> tuple[int, int]:
        """How many texts are embedded in a space, and in how many chunks; its width need not be known.

        One of which a vector is missing, or is of another width, is not.
        """
        ...

    def unembedded(self, space: Space, partitions: Sequence[str]) -> Sequence[tuple[int, str, int]]:
        """(text_id, partition, seq of its latest version) of every text that waits in a space, newest first.

        It is not embedded there, or is to be embedded anew.
        """
        ...

    def known_vectors(self, space: Space, digests: Sequence[str]) -> Mapping[str, NDArray[np.float32]]:
        """Digest → vector of those chunks that were embedded before, wherever they stand."""
        ...


class VectorWriting(VectorIndex, Protocol):
    """The vectors of a store, as a write unit takes them."""

    def renew_vectors(self, space: Space) -> None:
        """From now on all texts embedded by a space's model wait and its vectors are not known any more.

        Until a text is embedded again its old vectors answer, so that a run which ends in the middle loses nothing.
        """
        ...

    def embed(self, space: Space, texts: Sequence[EmbeddedText], vectors: Mapping[str, NDArray[np.float32]]) -> int:
        """Keep texts with the vectors of those of their chunks that are new; how many texts were not kept before.

        What another process embedded meanwhile stays. Raises ValueError for a chunk without a vector here or there.
        """
        ...
