"""Factors: what else than its words lets a record rank higher or lower. They multiply, and know nothing of the query.

All but recency are the same at every keystroke and are worked out once; what is overridden, once a belief state.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memtui.model.explanation import Explanation, leaf
from memtui.model.instants import DAY, Instant
from memtui.search.lexical import Scores
from memtui.search.policy import RankingPolicy
from memtui.store.columns import CAPTURED, DOCUMENT, DRAWING, FINISHED, KIND_CODE, PINNED, UNKNOWN, VersionColumns

_CHANGELOG = KIND_CODE["changelog"]


@dataclass(frozen=True, slots=True)
class Factors:
    """What multiplies the words' worth. Shapes: `fixed` (labels, versions), `rows` and `recency` (candidates,)."""

    rows: NDArray[np.int64]
    recency: Scores
    fixed: Scores
    product: Scores
    """All factors of each candidate together. Shape: (candidates,)."""
    standing: Scores | None = None
    """What a later entry that says it replaces it leaves of each version; None where there is no such entry."""

    def explain(self, place: int) -> list[Explanation]:
        """The factors of one candidate that are not 1."""
        row = self.rows[place]
        overridden = 1.0 if self.standing is None else float(self.standing[row])
        values = (float(self.recency[place]), *self.fixed[:, row].tolist(), overridden)
        return [leaf(label, value) for label, value in zip(_LABELS, values, strict=True) if value != 1.0]


_LABELS = ("recency", "finished", "change log", "captured", "drawing", "pinned", "overridden")


class FactorPlane:
    """The factors of one corpus' versions."""

    def __init__(self, columns: VersionColumns, policy: RankingPolicy) -> None:
        self._policy = policy
        self._dated = columns.dated
        flags = columns.flags
        self._fixed = np.stack(
            [
                np.where(flags & FINISHED, policy.finished, 1.0),
                np.where(columns.kind == _CHANGELOG, policy.changelog, 1.0),
                np.where(flags & CAPTURED, policy.captured, 1.0),
                np.where(flags & DRAWING, policy.drawing, 1.0),
                np.where(flags & PINNED, policy.pinned, 1.0),
            ]
        )
        self._product: Scores = self._fixed.prod(axis=0)
        self._under: tuple[NDArray[np.bool_], Scores, Scores] | None = None
        document = (flags & DOCUMENT) != 0
        self._fresh = document & (columns.dated != UNKNOWN)
        # A document of unknown date stands in the middle.
        self._otherwise = np.where(document, policy.recency_floor + (1.0 - policy.recency_floor) / 2, 1.0)

    def of(self, rows: NDArray[np.int64], *, now: Instant, overridden: NDArray[np.bool_] | None = None) -> Factors:
        """The factors of the given version rows at the present `now` of the reader.

        `overridden` tells it of every version row in the belief state that is asked; None where none is.
        """
        recency = self._recency(rows, now)
        if overridden is None:
            return Factors(rows, recency, self._fixed, recency * self._product[rows])
        standing, product = self._of_belief(overridden)
        return Factors(rows, recency, self._fixed, recency * product[rows], standing)

    def _of_belief(self, overridden: NDArray[np.bool_]) -> tuple[Scores, Scores]:
        """(standing, all factors but recency) of every version in a belief state; kept while the same one is asked."""
        kept = self._under  # read once: another thread may ask about another
        if kept is None or kept[0] is not overridden:
            standing = np.where(overridden, self._policy.overridden, 1.0)
            kept = self._under = (overridden, standing, self._product * standing)
        return kept[1:]

    def _recency(self, rows: NDArray[np.int64], now: Instant) -> Scores:
        """Halving towards a floor."""
        floor = self._policy.recency_floor
        recency = self._otherwise[rows]
        (dated,) = np.nonzero(self._fresh[rows])
        age_days = np.maximum(0.0, (now - self._dated[rows[dated]]) / DAY)
        recency[dated] = floor + (1.0 - floor) * np.exp2(age_days / -self._policy.recency_half_life_days)
        return recency
