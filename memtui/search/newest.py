"""The order of what is asked for by filters alone: newest first. No word ranks it, so relevance is 1 for all."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from memtui.model.explanation import Explanation, leaf, product
from memtui.search.lexical import Scores
from memtui.search.policy import RankingPolicy
from memtui.search.priors import Priors
from memtui.search.ranking import best_first
from memtui.store.columns import UNKNOWN, VersionColumns


class NewestFirst:
    """Stands where a `Ranking` stands in a search that asks for words."""

    pinned: int | None = None

    def __init__(self, priors: Priors, policy: RankingPolicy) -> None:
        self._priors, self._policy = priors, policy
        self.final: Scores = priors.factor
        """What is shown as `rank_score`: how present each is in mind. It does not decide the order."""

    def explain(self, place: int) -> Explanation:
        """The tree that makes one record's `rank_score`."""
        relevance = leaf("relevance", 1.0, detail="asked for by filters alone: newest first")
        return product("rank_score", relevance, self._priors.explain(place, self._policy))


def newest_first(
    columns: VersionColumns,
    rows: NDArray[np.int64],
    name_order: Callable[[], NDArray[np.int64]],
    limit: int | None,
) -> NDArray[np.int64]:
    """Places of the rows recorded last; one sync records many at once, of these what is true since last comes first."""
    recorded_at = columns.recorded_at[rows].astype(np.float64)  # whole microseconds: exact up to the year 2255
    since = np.maximum(columns.valid_from[rows], UNKNOWN + 1)  # the least number has no opposite
    return best_first(recorded_at, since, name_order, limit)
