"""The dense plane: how near each text is to a query in meaning, by its best chunk.

Vectors are held as unit vectors, so a dot product is a cosine. A search reads all of them, which is exact and, up to
some hundred thousand, takes no longer than memory can be read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memtui.store.vectors import Space, VectorBlock, VectorIndex, Vectors

BEST = 50
"""How many of a plane's best are told apart (spec page 4, adaptive fusion)."""
_TOLD = 3
"""The place that tells how clearly the nearest stand out."""
MOST_BLOCKS = 8
"""Beyond this many small blocks they are made one: each costs a search a little."""


class DenseIndex:
    """The vectors of one space, held in memory. Never changed: following makes a new one that shares the arrays."""

    def __init__(self, space: Space, blocks: Sequence[VectorBlock]) -> None:
        self.space = space
        self._blocks = tuple(blocks)
        self._parts = tuple(_Part.of(block) for block in blocks)
        self._last: tuple[NDArray[np.float32], NDArray[np.float32]] | None = None
        """The last query and how near each text is to it: whoever moves through time asks the same again."""

    @classmethod
    def load(cls, unit: VectorIndex, space: Space) -> DenseIndex:
        """Read everything."""
        return cls(space, [unit.vectors(space)])

    def followed(self, unit: VectorIndex) -> DenseIndex:
        """The same store later: reads only what was embedded since, or everything where some was let go."""
        later = unit.vectors(self.space, self._blocks[-1].last)
        if unit.embedded(self.space)[0] != self.texts + later.texts or later.trouble != self.trouble:
            return DenseIndex.load(unit, self.space)
        if not later.texts:
            return self
        blocks = (*self._blocks, later)
        return DenseIndex(self.space, blocks if len(blocks) <= MOST_BLOCKS else [_one(blocks)])

    @property
    def trouble(self) -> str | None:
        """Why the store has no vectors, where its tables are damaged."""
        return self._blocks[-1].trouble

    @property
    def texts(self) -> int:
        """How many texts are embedded, those that say nothing included."""
        return sum(block.texts for block in self._blocks)

    @property
    def chunks(self) -> int:
        """How many vectors there are."""
        return sum(len(block.text_id) for block in self._blocks)

    def similarity(self, query: NDArray[np.float32], texts: int) -> NDArray[np.float32]:
        """The cosine of the query with the best chunk of each index row, NaN where it has none. Shape: (texts,).

        Not to be changed: what was asked last is kept.
        """
        last = self._last  # read once: another thread may ask something else
        if last is not None and len(last[1]) == texts and np.array_equal(last[0], query):
            return last[1]
        best = np.full(texts, np.nan, dtype=np.float32)
        for part in self._parts:
            if len(part.text_id):
                found = np.maximum.reduceat(part.vectors @ query, part.starts)
                within = part.text_id < texts
                best[part.text_id[within]] = found[within]
        best.flags.writeable = False
        self._last = query, best
        return best

    def vectors_of(self, text_id: int) -> Vectors:
        """The vectors of one index row's chunks, in reading order; none where it has none."""
        for part in self._parts:
            place = int(np.searchsorted(part.text_id, text_id))
            if place < len(part.text_id) and part.text_id[place] == text_id:
                end = part.starts[place + 1] if place + 1 < len(part.starts) else len(part.vectors)
                return part.vectors[part.starts[place] : end]
        return np.empty((0, self.space.dims), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class _Part:
    """A block whose chunks are grouped by text: those of `text_id[i]` begin at `starts[i]`."""

    text_id: NDArray[np.int64]
    starts: NDArray[np.int64]
    vectors: Vectors

    @classmethod
    def of(cls, block: VectorBlock) -> _Part:
        text_id, starts = np.unique(block.text_id, return_index=True)
        return cls(text_id, starts.astype(np.int64), block.vectors)


def _one(blocks: Sequence[VectorBlock]) -> VectorBlock:
    text_id = np.concatenate([block.text_id for block in blocks])
    order = np.argsort(text_id, kind="stable")
    vectors = np.concatenate([block.vectors for block in blocks])[order]
    return VectorBlock(text_id[order], vectors, sum(block.texts for block in blocks), blocks[-1].last)


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a query means, as a vector of one space, and what nearness is worth in that space."""

    space: Space
    vector: NDArray[np.float32]
    background: float | None
    """The similarity that texts about nothing in common have: counts for nothing. None: measured in each search."""
    floor: float | None
    """The similarity from which a text that shares no word with the query is a hit. None: measured in each search."""


@dataclass(frozen=True, slots=True)
class DensePlane:
    """How near the visible texts are to a query, as numbers that can stand beside the words'. Shapes: (texts,)."""

    similarity: NDArray[np.float64]
    """NaN where a text is not embedded."""
    worth: NDArray[np.float64]
    """Similarity times the factors that act on both planes; NaN also where a text is not to count."""
    low: float
    """The worth that counts for nothing: of the last among the best, but never below the background's."""
    high: float
    """The greatest worth."""
    floor: float
    """The similarity from which a text is a hit without sharing a word."""
    distinct: float
    """How clearly the nearest stand out, in [0, 1]: 1 minus what the third nearest is worth as a share of the best."""

    def share(self, text_ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """(worth - low) / (high - low) of index rows, in [0, 1]; 0 where it is not known."""
        if not self.high > self.low:
            return np.zeros(len(text_ids))
        return np.clip(np.nan_to_num(self.worth[text_ids], nan=self.low) - self.low, 0.0, None) / (self.high - self.low)

    def unknown(self, text_ids: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which index rows are not embedded, where meaning tells others apart."""
        return np.isnan(self.similarity[text_ids]) & (self.high > self.low)

    def near(self) -> NDArray[np.int64]:
        """Index rows that count for something and are similar enough to be hits without sharing a word."""
        with np.errstate(invalid="ignore"):  # comparing with NaN is the way to leave it out
            return np.flatnonzero((self.worth > self.low) & (self.similarity >= self.floor))


def plane_of(
    similarity: NDArray[np.float32],
    factor: NDArray[np.float64],
    *,
    background: float | None = None,
    floor: float | None = None,
) -> DensePlane:
    """The plane of one query: `factor` is NaN for index rows that are not to count. Shapes: (texts,)."""
    near = similarity.astype(np.float64)
    worth = near * factor
    counts = ~np.isnan(worth)
    known = worth[counts]
    if not len(known):
        return DensePlane(near, worth, 0.0, 0.0, 1.0, 0.0)
    begin, least = _measured(near[counts]) if background is None or floor is None else (background, floor)
    last = float(np.partition(known, -BEST)[-BEST]) if len(known) > BEST else begin
    low, high = max(begin, last), float(known.max())
    third = float(np.partition(known, -_TOLD)[-_TOLD]) if len(known) >= _TOLD else low
    distinct = 1.0 - max(third - low, 0.0) / (high - low) if high > low else 0.0
    return DensePlane(near, worth, low, high, least, distinct)


def _measured(similarity: NDArray[np.float64]) -> tuple[float, float]:
    """(background, floor) of a space nobody measured: the average over all texts, and two deviations above it.

    Of few texts little can be said: there all that is above average may be a hit.
    """
    average = float(similarity.mean())
    return average, average + 2.0 * float(similarity.std()) if len(similarity) > BEST else average
