"""Fusion: the order by words and the order by meaning made into one.

Three rules, each a pure function: `adaptive`, which is used unless another is asked for, `reciprocal_rank_fusion`
by places alone, and `seed`, the rule of the system this one learned from, kept for comparison.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from memtui.model.explanation import Explanation, leaf, product, total

Shares = NDArray[np.float64]
"""What each candidate is worth in a plane, as a share of the best: in [0, 1]."""

RRF_K = 60
"""How soon the first places stop standing out (spec page 4)."""
MOST_MEANING = 0.58
"""What meaning weighs where no text holds any word of a query, and none stands out by meaning."""
LESS_MEANING = 0.4
"""How much less it weighs where one text holds them all."""
CLEAR_MEANING = 0.2
"""How much more it weighs where few texts stand out from the others by it."""
DECISIVE_SCORE = 18.0
"""BM25 of the first place from which `seed` trusts the words."""
SEED_MEANING = 0.3
"""What meaning weighs in `seed`."""
SEED_WEIGHTS = (1.0 - SEED_MEANING, SEED_MEANING)
"""What the places by words and by meaning weigh in `seed`."""
RRF_WEIGHTS = (1.0, 1.0)
"""The same in `rrf`."""


def dense_weight(understood: float, distinct: float) -> float:
    """What meaning weighs beside words, in [0.18, 0.78]: less, the more of the query the best hit by words holds.

    Words that a vault knows keep their margins; a paraphrase or another language lets meaning lead. `understood` is
    the share of the query's idf mass that the text of the first place by words holds, a mistyped or begun word by
    what it is taken for, `distinct` how clearly the nearest texts stand out from the others; both in [0, 1]. Where
    many are about as near, as short turns of a talk are, nearness says little.

    The numbers were set on 60 training queries and on 410 others over chat turns, abstracts, Turkish notes and
    project documents, written for that; each could be moved by a sixth without a difference that means anything.
    """
    return MOST_MEANING - LESS_MEANING * understood + CLEAR_MEANING * distinct


def explain_dense_weight(understood: float, distinct: float) -> Explanation:
    """The tree that makes `dense_weight`."""
    held = leaf("understood", understood, detail="share of the query that the first hit by words holds")
    clear = leaf("distinct", distinct, detail="how clearly the nearest stand out from the others")
    return total(
        "weight",
        leaf("most", MOST_MEANING),
        product("less for what words hold", leaf("at most", -LESS_MEANING), held),
        product("more for what stands out", leaf("at most", CLEAR_MEANING), clear),
    )


def adaptive(words: Shares, meaning: Shares, weight: float) -> Shares:
    """(1 - weight) · words + weight · meaning, both in [0, 1]. Shapes: (n,).

    Who fuses gives a text that is not embedded its words' share for its meaning, so that it is worth just what its
    words are: it is unknown how near it is, and 0 would put what waits below all that is embedded. Of 60 training
    queries over a vault of which a random half was embedded 44 found what they wanted first, with 0 it was 40.
    """
    return (1.0 - weight) * words + weight * meaning


Name = TypeVar("Name", str, int)


def reciprocal_rank_fusion(
    lists: Sequence[Sequence[Name]], k: float = RRF_K, *, weights: Sequence[float] | None = None
) -> list[tuple[Name, float]]:
    """Names with Σ weight / (k + place), places from 1: best first, then by name. Each list weighs 1 unless told.

    A name that a list repeats counts there once, at its first place; the others keep the places they have.
    The sum is rounded once, so names that stand alike are alike in whichever lists they stand.
    """
    terms: dict[Name, list[float]] = {}
    for ranking, weight in zip(lists, weights or [1.0] * len(lists), strict=True):
        seen: set[Name] = set()
        for place, name in enumerate(ranking, start=1):
            if name not in seen:
                seen.add(name)
                terms.setdefault(name, []).append(weight / (k + place))
    scores = {name: math.fsum(parts) for name, parts in terms.items()}
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))


def rrf(words: Shares, meaning: Shares, among: int) -> Shares:
    """Reciprocal rank fusion of the best of both planes, whatever their numbers mean. Shapes: (n,)."""
    return _by_places(words, meaning, among, RRF_WEIGHTS)


def seed(words: Shares, meaning: Shares, among: int, *, best_score: float) -> Shares:
    """The seed's rule: where BM25 is decisive both planes' numbers are added, else their places are. Shapes: (n,)."""
    if best_score >= DECISIVE_SCORE:
        return adaptive(words, meaning, SEED_MEANING)
    return _by_places(words, meaning, among, SEED_WEIGHTS)


def _by_places(words: Shares, meaning: Shares, among: int, weights: Sequence[float]) -> Shares:
    fused = np.zeros(len(words))
    lists = [best_places(plane, among) for plane in (words, meaning)]
    for place, score in reciprocal_rank_fusion(lists, weights=weights):
        fused[place] = score
    return fused


def best_places(shares: Shares, among: int) -> list[int]:
    """Places of the best that count for anything, best first."""
    order = np.argsort(-shares, kind="stable")[:among]
    return [int(place) for place in order if shares[place] > 0]
