"""The two planes put together for the candidates of one search, and the tree that explains each."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from memtui.model.explanation import (
    DECIDED,
    NOT_EMBEDDED,
    Explanation,
    calibrated,
    fused,
    greatest,
    leaf,
    product,
    quotient,
    total,
)
from memtui.model.results import Fusion
from memtui.search.dense import BEST, DensePlane
from memtui.search.fusion import (
    DECISIVE_SCORE,
    RRF_K,
    RRF_WEIGHTS,
    SEED_MEANING,
    SEED_WEIGHTS,
    adaptive,
    best_places,
    dense_weight,
    explain_dense_weight,
    rrf,
    seed,
)
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
        self._words, self._meaning = words, dense.share(candidates)
        first = int(np.argmax(words)) if len(words) else 0
        self._understood = match.understood(int(candidates[first])) if len(words) and words[first] > 0 else 0.0
        self._weight = dense_weight(self._understood, dense.distinct) if fusion == "adaptive" else SEED_MEANING
        """What meaning weighs where the numbers of both planes are added."""
        best_score = float(match.score[candidates].max()) if len(candidates) else 0.0
        self._adds = fusion == "adaptive" or (fusion == "seed" and best_score >= DECISIVE_SCORE)
        """Whether numbers are added, not places."""
        self._unknown = dense.unknown(candidates)
        if fusion == "adaptive":
            # What is not embedded yet is not far: it is taken to be as near as its words are.
            self._shares = adaptive(words, np.where(self._unknown, words, self._meaning), self._weight)
        elif fusion == "rrf":
            self._shares = rrf(words, self._meaning, BEST)
        else:
            self._shares = seed(words, self._meaning, BEST, best_score=best_score)
        self._greatest = float(self._shares.max()) if len(words) else 0.0
        relevance = self._shares / self._greatest if self._greatest > 0 else self._shares
        self._ceiling = False
        """Whether the others, whom meaning would put higher, are brought below what words decided, in their order."""
        if pinned is not None:
            others = np.delete(self._shares, pinned)
            most = float(others.max()) if len(others) else 0.0
            self._ceiling = most * PIN_RATIO > self._greatest
            if self._ceiling:
                self._greatest = most
                relevance = self._shares / most / PIN_RATIO
            relevance[pinned] = 1.0
        self.relevance: Scores = relevance
        """In [0, 1], the best 1. Shape: (candidates,)."""

    def explain(self, place: int, words: Explanation, factors: list[Explanation]) -> Explanation:
        """The tree of one candidate's relevance."""
        if place == self._pinned:
            return product("relevance", words, detail=DECIDED)
        combined = self._combined(place, words, factors)
        if not self._ceiling:
            return calibrated("relevance", combined, self._greatest)
        beside = calibrated("of the best beside it", combined, self._greatest)
        return product("relevance", beside, leaf("below what words decided", 1.0 / PIN_RATIO))

    def _combined(self, place: int, words: Explanation, factors: list[Explanation]) -> Explanation:
        if not self._adds:
            by_words, by_meaning = SEED_WEIGHTS if self._fusion == "seed" else RRF_WEIGHTS
            beyond = f"not among the best {BEST}"
            wordless = beyond if self._words[place] > 0 else "holds no word of it"
            far = beyond if self._meaning[place] > 0 else "not embedded, or no nearer than most"
            return fused(
                f"fused by {self._fusion}",
                _by_place("by words", place, self._order_by_words, by_words, wordless),
                _by_place("by meaning", place, self._order_by_meaning, by_meaning, far),
            )
        return fused(
            "fused" if self._fusion == "adaptive" else f"fused by {self._fusion}",
            product("by words", leaf("weight", 1.0 - self._weight, detail="what meaning leaves"), words),
            product("by meaning", self._explain_weight(), self._by_meaning(place, factors)),
        )

    def _explain_weight(self) -> Explanation:
        if self._fusion == "adaptive":
            return explain_dense_weight(self._understood, self._dense.distinct)
        return leaf("weight", self._weight, detail=f"the best by words has a BM25 score of {DECISIVE_SCORE:g} or more")

    @cached_property
    def _order_by_words(self) -> list[int]:
        return best_places(self._words, BEST)

    @cached_property
    def _order_by_meaning(self) -> list[int]:
        return best_places(self._meaning, BEST)

    def _by_meaning(self, place: int, factors: list[Explanation]) -> Explanation:
        dense, text_id = self._dense, int(self._candidates[place])
        similarity = float(dense.similarity[text_id])
        if self._fusion == "adaptive" and self._unknown[place]:
            return leaf("as much as by words", float(self._words[place]), detail=NOT_EMBEDDED)
        if np.isnan(similarity) or not dense.high > dense.low:
            return leaf("meaning, of the best", 0.0, detail=NOT_EMBEDDED if np.isnan(similarity) else None)
        worth = product("similarity, weighed", leaf("similarity", similarity), *factors)
        above = greatest(
            "above the background", total("beyond it", worth, leaf("background", -dense.low)), leaf("none", 0.0)
        )
        return calibrated("meaning, of the best", above, dense.high - dense.low)


def _by_place(label: str, place: int, order: list[int], weight: float, otherwise: str) -> Explanation:
    """What a candidate's place in the order of one plane counts for; `otherwise` tells why it has none."""
    if place not in order:
        return leaf(label, 0.0, detail=otherwise)
    number = order.index(place) + 1
    below = total("places", leaf("k", float(RRF_K)), leaf("place", float(number)))
    return quotient(label, leaf("weight", weight), below, detail=f"{weight:g} / ({RRF_K} + place {number})")
