"""Priors: how fresh a memory is in mind and how much it meant, as a factor that can only break near-ties.

    prior = max(floor, R) × affect weight        final = relevance × (0.85 + 0.15 · min(prior, 1.5) / 1.5)

Documents, research and evidence neither fade nor mean anything: their prior is 1 (spec page 3).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memtui.cognition.affect import affect_weight, prior, prior_factor
from memtui.cognition.decay import retentions, stabilities
from memtui.model.explanation import Explanation, greatest, leaf, least, product, total
from memtui.model.instants import DAY, Instant
from memtui.search.lexical import Scores
from memtui.search.policy import RankingPolicy
from memtui.search.reinforcing import Reinforcements
from memtui.store.columns import KIND_CODE, VersionColumns

_ENGRAM = KIND_CODE["engram"]


@dataclass(frozen=True, slots=True)
class Priors:
    """What multiplies relevance.

    `factor` runs over the candidates; the others only over those that fade, whose places `fading` holds (rising).
    Days and stability are in days.
    """

    factor: Scores
    fading: NDArray[np.int64]
    days: Scores
    stability: Scores
    retention: Scores
    affect: Scores

    def explain(self, place: int, policy: RankingPolicy) -> Explanation:
        """The tree of one candidate's factor."""
        memory = policy.memory
        at = int(np.searchsorted(self.fading, place))
        if at >= len(self.fading) or int(self.fading[at]) != place:
            return leaf("prior factor", float(self.factor[place]), detail="does not fade")
        said = f"{self.days[at]:.1f} days since it was last reinforced, stability {self.stability[at]:.1f} days"
        retention = leaf("retention", float(self.retention[at]), detail=said)
        floor = leaf("floor", memory.retention_floor)
        inner = product("prior", greatest("in mind", retention, floor), leaf("affect", float(self.affect[at])))
        share = leaf("share", memory.prior_span / memory.highest_prior)
        bounded = least("bounded", inner, leaf("ceiling", memory.highest_prior))
        return total("prior factor", leaf("base", memory.prior_base), product("of the prior", share, bounded))


class PriorPlane:
    """The priors of one corpus' versions. Authored stability and affect are worked out once."""

    def __init__(self, columns: VersionColumns, policy: RankingPolicy) -> None:
        self._columns = columns
        self._policy = policy
        self.stability = stabilities(columns.confidence, columns.stability_days, policy.memory)
        """The authored stability of every version. Shape: (versions,)."""
        weights = [affect_weight(name, policy.palette) for name in columns.affects]
        self._affect = np.array([*weights, 1.0])[columns.affect]  # -1, no affect, is the last
        self._fades = columns.kind == _ENGRAM
        self._unfading = float(prior_factor(np.ones(1), policy.memory)[0])

    def of(
        self, rows: NDArray[np.int64], *, now: Instant, known_at: Instant, reinforcements: Reinforcements | None
    ) -> Priors:
        """The priors of version rows for a reader at `now`, from recalls up to `known_at` (None: none count)."""
        memory = self._policy.memory
        (fading,) = np.nonzero(self._fades[rows])
        own = rows[fading]
        if reinforcements is None:
            stability, since = self.stability[own], self._columns.reinforced_at[own]
        else:
            stability, since = reinforcements.of_rows(own, known_at)
        days = np.maximum(0.0, (now - since) / DAY)
        retention = retentions(days, stability, memory)
        affect = self._affect[own]
        factor = np.full(len(rows), self._unfading)
        factor[fading] = prior_factor(prior(retention, affect, memory), memory)
        return Priors(factor, fading, days, stability, retention, affect)
