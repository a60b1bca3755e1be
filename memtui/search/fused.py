"""The two planes put together for the candidates of one search, and the tree that explains each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from memtui.model.explanation import Explanation, calibrated, fused, greatest, leaf, least, product, total
from memtui.model.results import Fusion
from memtui.search.dense import BEST, DensePlane
from memtui.search.fusion import adaptive, dense_weight, rrf, seed
from memtui.search.lexical import LexicalMatch, Scores
from memtui.search.policy import PIN_RATIO


class FusedPlanes:
    """What words and meaning make together. `words` is each candidate's share of the best by words, in [0, 1]."""

    def __init__(
        self,
        words: Scores,
        match: LexicalMatch,
        candidates: NDArray[np.int64],
        dense: DensePlane,
        fusion: Fusion,
        *,
        pinned: int | None,
    ) -> None:
        self._candidates, self._dense, self._fusion, self._pinned = candidates, dense, fusion, pinned
        self._meaning = dense.share(candidates)
        first = int(np.argmax(words)) if len(words) else 0
        understood = match.understood(int(candidates[first])) if len(words) and words[first] > 0 else 0.0
        self.weight = dense_weight(understood, dense.distinct)
        """What meaning weighs, by the adaptive rule."""
        if fusion == "adaptive":
            self._shares = adaptive(words, self._meaning, self.weight)
        elif fusion == "rrf":
            self._shares = rrf(words, self._meaning, BEST)
        else:
            best_score = float(match.score[candidates].max()) if len(candidates) else 0.0
            self._shares = seed(words, self._meaning, BEST, best_score=best_score)
        self._greatest = float(self._shares.max()) if len(words) else 0.0
        relevance = self._shares / self._greatest if self._greatest > 0 else self._shares
        if pinned is not None:
            kept = np.minimum(relevance, 1.0 / PIN_RATIO)
            kept[pinned] = 1.0
            relevance = kept
        self.relevance: Scores = relevance
        """In [0, 1], the best 1. Shape: (candidates,)."""

    def explain(self, place: int, words: Explanation, factors: list[Explanation]) -> Explanation:
        """The tree of one candidate's relevance."""
        if place == self._pinned:
            return leaf("relevance", 1.0, detail="decided by words")
        relevance = calibrated("relevance", self._combined(place, words, factors), self._greatest)
        if self._pinned is None:
            return relevance
        return least("relevance", relevance, leaf("below what words decided", 1.0 / PIN_RATIO))

    def _combined(self, place: int, words: Explanation, factors: list[Explanation]) -> Explanation:
        if self._fusion != "adaptive":
            return leaf(f"fused by {self._fusion}", float(self._shares[place]), detail="by places in both orders")
        return fused(
            "fused",
            product("by words", leaf("weight", 1.0 - self.weight), words),
            product("by meaning", leaf("weight", self.weight), self._by_meaning(place, factors)),
        )

    def _by_meaning(self, place: int, factors: list[Explanation]) -> Explanation:
        dense, text_id = self._dense, int(self._candidates[place])
        similarity = float(dense.similarity[text_id])
        if np.isnan(similarity) or not dense.high > dense.low:
            return leaf("meaning, of the best", 0.0, detail="not embedded yet" if np.isnan(similarity) else None)
        worth = product("similarity, weighed", leaf("similarity", similarity), *factors)
        above = greatest(
            "above the background", total("beyond it", worth, leaf("background", -dense.low)), leaf("none", 0.0)
        )
        return calibrated("meaning, of the best", above, dense.high - dense.low)
