"""Orders that no word makes: recorded last, true since last, most present in mind. Ties: recorded later, then name."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from memtui.model.explanation import Explanation, leaf, product
from memtui.model.results import Order
from memtui.search.filters import Standing
from memtui.search.lexical import Scores
from memtui.search.policy import RankingPolicy
from memtui.search.priors import Priors
from memtui.search.ranking import best_first
from memtui.store.columns import UNKNOWN


class Unranked:
    """Stands where a `Ranking` stands in a search without words: relevance is 1 for all."""

    pinned: int | None = None

    def __init__(self, priors: Priors, policy: RankingPolicy) -> None:
        self._priors, self._policy = priors, policy
        self.final: Scores = priors.factor
        """What is shown as `rank_score`: how present each is in mind. It does not decide the order."""

    def explain(self, place: int) -> Explanation:
        """The tree that makes one record's `rank_score`."""
        relevance = leaf("relevance", 1.0, detail="asked for by filters alone: no word ranks it")
        return product("rank_score", relevance, self._priors.explain(place, self._policy))


def arranged(
    order: Order,
    rows: NDArray[np.int64],
    standing: Standing,
    name_order: Callable[[], NDArray[np.int64]],
    limit: int | None,
) -> NDArray[np.int64]:
    """Places of the version rows in an order; where nothing ranks them, `relevance` means `recorded`.

    One sync records many at once: of these what is true since last comes first. What has no date, or does not fade,
    comes last in the order that goes by it.
    """
    recorded_at, since = standing.columns.recorded_at[rows], standing.columns.valid_from[rows]
    match order:  # whole microseconds: exact as floats up to the year 2255
        case "true-since":
            key = np.where(since == UNKNOWN, -np.inf, since.astype(np.float64))
            return best_first(key, recorded_at, name_order, limit)
        case "retention":
            priors = standing.priors(rows)
            key = np.full(len(rows), -np.inf)
            key[priors.fading] = priors.retention
            return best_first(key, recorded_at, name_order, limit)
        case "relevance" | "recorded":
            later = np.maximum(since, UNKNOWN + 1)  # the least number has no opposite
            return best_first(recorded_at.astype(np.float64), later, name_order, limit)
