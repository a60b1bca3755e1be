"""Priors: how fresh a memory is in mind and how much it meant, as a factor that can only break near-ties.

    prior = max(floor, R) × affect weight        final = relevance × (0.85 + 0.15 · min(prior, 1.5) / 1.5)

Documents, research and evidence neither fade nor mean anything: their prior is 1 (spec page 3).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memtui.cognition.affect import prior, prior_factor
from memtui.cognition.decay import Reinforcement, reinforced, retentions, stabilities
from memtui.model.explanation import Explanation, greatest, leaf, least, product, total
from memtui.model.instants import DAY, Instant
from memtui.search.lexical import Scores
from memtui.search.policy import RankingPolicy
from memtui.store.columns import KIND_CODE, RecallColumns, VersionColumns

_ENGRAM = KIND_CODE["engram"]


@dataclass(frozen=True, slots=True)
class Priors:
    """What multiplies relevance. Shapes: all (candidates,); days and stability in days."""

    fades: NDArray[np.bool_]
    days: Scores
    stability: Scores
    retention: Scores
    affect: Scores
    factor: Scores

    def explain(self, place: int, policy: RankingPolicy) -> Explanation:
        """The tree of one candidate's factor."""
        memory = policy.memory
        if not self.fades[place]:
            return leaf("prior factor", float(self.factor[place]), detail="does not fade")
        said = f"{self.days[place]:.1f} days since it was last reinforced, stability {self.stability[place]:.1f} days"
        retention = leaf("retention", float(self.retention[place]), detail=said)
        floor = leaf("floor", memory.retention_floor)
        inner = product("prior", greatest("in mind", retention, floor), leaf("affect", float(self.affect[place])))
        share = leaf("share", memory.prior_span / memory.highest_prior)
        bounded = least("bounded", inner, leaf("ceiling", memory.highest_prior))
        return total("prior factor", leaf("base", memory.prior_base), product("of the prior", share, bounded))


class PriorPlane:
    """The priors of one corpus' versions. Authored stability and affect are worked out once."""

    def __init__(self, columns: VersionColumns, policy: RankingPolicy) -> None:
        self._columns = columns
        self._policy = policy
        self._stability = stabilities(columns.confidence, columns.stability_days, policy.memory)
        weights = [policy.palette.get(name, 1.0) for name in columns.affects]
        self._affect = np.array([*weights, 1.0])[columns.affect]  # -1, no affect, is the last
        self._times: dict[int, NDArray[np.int64]] | None = None

    def of(self, rows: NDArray[np.int64], *, now: Instant, known_at: Instant, recalls: RecallColumns | None) -> Priors:
        """The priors of version rows for a reader at `now`, from recalls up to `known_at` (None: none count)."""
        fades = self._columns.kind[rows] == _ENGRAM
        stability, since = self._stability[rows], self._columns.reinforced_at[rows]
        if recalls is not None and len(recalls):
            stability, since = stability.copy(), since.copy()
            for place in np.flatnonzero(fades):
                strengthened = self.reinforcement(int(rows[place]), known_at, recalls)
                stability[place], since[place] = strengthened.stability, strengthened.last
        days = np.maximum(0.0, (now - since) / DAY)
        retention = retentions(days, stability, self._policy.memory)
        affect = self._affect[rows]
        factor = prior_factor(np.where(fades, prior(retention, affect, self._policy.memory), 1.0), self._policy.memory)
        return Priors(fades, days, stability, retention, affect, factor)

    def reinforcement(self, row: int, known_at: Instant, recalls: RecallColumns) -> Reinforcement:
        """How a version stands after the recalls of its record up to `known_at`."""
        times = self._times_of(int(self._columns.record[row]), recalls)
        counted = times[: int(np.searchsorted(times, known_at, side="right"))].tolist()
        since = int(self._columns.reinforced_at[row])
        return reinforced(float(self._stability[row]), since, counted, self._policy.memory)

    def _times_of(self, record: int, recalls: RecallColumns) -> NDArray[np.int64]:
        if self._times is None:
            order = np.argsort(recalls.record, kind="stable")
            records, starts = np.unique(recalls.record[order], return_index=True)
            runs = np.split(recalls.recorded_at[order], starts[1:])
            self._times = dict(zip(records.tolist(), runs, strict=False))  # without recalls one empty run is left
        return self._times.get(record, _NEVER)


_NEVER = np.zeros(0, dtype=np.int64)
