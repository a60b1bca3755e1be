"""Neighbours by meaning: which of many records are as near to one as a threshold, without comparing each with each.

Vectors are dealt out to pivots, which are vectors among them: each to the nearest. Who is nearly the same as another
lies with the same pivot or with one of the next nearest, so only these are compared. Of a few vectors all are.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from memtui.store.vectors import Vectors

FEW = 2_048
"""Up to so many vectors each is compared with all."""
_LOOKED_AT = 6
"""Pivots whose vectors one is compared with.

Of 100,000 vectors of 512 numbers that lie in no clusters, which is the hardest case, it finds 97.7 % of the pairs with
a cosine of at least 0.93 in 0.25 ms a vector; four pivots find 95.3 % in 0.17 ms, eight 98.7 % in 0.34 ms.
"""
_BLOCK = 4_096
"""Vectors that are dealt out at a time."""


class Neighbours:
    """Who is near whom among unit vectors. `places[i]` is whose vector row `i` is; a place may have none."""

    def __init__(self, places: Sequence[int], vectors: Vectors, threshold: float) -> None:
        self._threshold = threshold
        count = len(vectors)
        self._row_of = {place: row for row, place in enumerate(places)}
        self._places = np.array(places, dtype=np.int64)
        self._vectors = vectors
        self._pivots: Vectors | None = None
        self._starts: NDArray[np.int64] = np.array([0, count], dtype=np.int64)
        if count > FEW:
            self._deal_out(count)

    def _deal_out(self, count: int) -> None:
        wanted = int(np.ceil(np.sqrt(count)))
        self._pivots = self._vectors[np.linspace(0, count - 1, wanted).astype(np.int64)]
        nearest = np.empty(count, dtype=np.int64)
        for start in range(0, count, _BLOCK):
            block = self._vectors[start : start + _BLOCK]
            nearest[start : start + _BLOCK] = np.argmax(block @ self._pivots.T, axis=1)
        order = np.argsort(nearest, kind="stable")
        self._vectors, self._places = self._vectors[order], self._places[order]
        self._row_of = {int(place): row for row, place in enumerate(self._places)}
        self._starts = np.searchsorted(nearest[order], np.arange(wanted + 1))

    def near(self, place: int) -> Sequence[tuple[int, float]]:
        """(place, cosine) of those that reach the threshold, rising by place, itself left out."""
        row = self._row_of.get(place)
        if row is None:
            return ()
        own = self._vectors[row]
        found: list[tuple[int, float]] = []
        for start, end in self._stretches(own):
            cosines = self._vectors[start:end] @ own
            for at in np.flatnonzero(cosines >= self._threshold).tolist():
                if start + at != row:
                    found.append((int(self._places[start + at]), float(cosines[at])))
        found.sort()
        return found

    def _stretches(self, vector: NDArray[np.float32]) -> list[tuple[int, int]]:
        """Where those lie that a vector is compared with."""
        if self._pivots is None:
            return [(0, int(self._starts[-1]))]
        nearness = self._pivots @ vector
        best = np.argpartition(-nearness, _LOOKED_AT)[:_LOOKED_AT]
        return [(int(self._starts[pivot]), int(self._starts[pivot + 1])) for pivot in np.sort(best).tolist()]
