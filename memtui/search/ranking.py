"""`rank_score`: how hits are ordered, and the tree that explains it.

    words = (score + share · max(0, BM25F − score) + exact forms + prefix + stand-ins + identity) × factors
    rank_score = max(words ÷ the greatest, association) × prior factor

`score` itself is never touched: thresholds elsewhere read it and must mean the same for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from memtui.model.explanation import Explanation, calibrated, greatest, leaf, product, total
from memtui.model.results import Fusion
from memtui.search.association import Association
from memtui.search.dense import DensePlane
from memtui.search.factors import Factors
from memtui.search.fused import FusedPlanes
from memtui.search.lexical import LexicalMatch, Scores
from memtui.search.policy import DECIDED_COVERAGE, PIN_RATIO, RankingPolicy
from memtui.search.priors import Priors
from memtui.search.provided import ProvidedPlane


def words_worth(match: LexicalMatch, text_ids: NDArray[np.int64], policy: RankingPolicy) -> Scores:
    """What the words alone are worth for the given index rows, before any factor."""
    score = match.score[text_ids]
    share = match.identity[text_ids]
    return (
        score
        + policy.field_share * np.maximum(0.0, match.fielded[text_ids] - score)
        + policy.exact_form * match.exact[text_ids]
        + match.prefix[text_ids]
        + match.stand_in[text_ids]
        + policy.identity * share**2 * np.maximum(score, 1.0)
    )


def explain_words(
    match: LexicalMatch, text_id: int, factors: Factors, place: int, policy: RankingPolicy
) -> Explanation:
    """The tree that makes what the words of one candidate are worth; evaluating it gives that number."""
    score_parts = [
        leaf(token.token, worth, detail=f"idf {token.idf:.3f}")
        for token in match.tokens
        if (worth := token.worth(text_id, token.plain)) > 0
    ]
    parts = [total("BM25 score", *score_parts)]
    score = parts[0].value
    fielded = sum(token.worth(text_id, token.fielded) for token in match.tokens)
    if fielded > score:
        surplus = leaf("beyond BM25", fielded - score, detail=f"BM25F {fielded:.3f}")
        parts.append(product("title, tags, description", leaf("share", policy.field_share), surplus))
    exact = [
        leaf(token.token, worth) for token in match.exact_tokens if (worth := token.worth(text_id, token.plain)) > 0
    ]
    if exact:
        parts.append(product("exact form", leaf("share", policy.exact_form), total("as typed", *exact)))
    begun = [
        product(term, leaf("weight", weight), leaf("BM25F", worth))
        for term, weight, worth in (match.completions.worths(text_id) if match.completions is not None else ())
    ]
    if begun:
        parts.append(greatest("word being typed", *begun))
    for replaced in match.replaced:
        standing_in = [
            product(
                f"{stand_in.how} {stand_in.text}",
                leaf("weight", stand_in.weight),
                leaf("BM25F", worth, detail=f"idf {stand_in.idf:.3f}"),
            )
            for stand_in, worth in replaced.worths(text_id)
        ]
        if standing_in:
            parts.append(greatest(replaced.word, *standing_in))
    share = float(match.identity[text_id])
    if share > 0:
        parts.append(
            product(
                "name, alias or title",
                leaf("weight", policy.identity),
                leaf("share of terms²", share**2, detail=f"{share:.0%} of the terms"),
                leaf("max(score, 1)", max(score, 1.0)),
            )
        )
    return product("lexical", total("words", *parts), *factors.explain(place))


@dataclass(frozen=True, slots=True)
class Planes:
    """What has a say in a ranking beside the words."""

    associated: Mapping[int, Association] = field(default_factory=dict[int, Association])
    """What circumstances and links bring, by index row."""
    dense: DensePlane | None = None
    fusion: Fusion = "adaptive"
    provided: ProvidedPlane | None = None
    """A registered engine's ranking: then neither words nor meaning have any."""


class Ranking:
    """The final numbers of a search's candidates, and the tree behind each.

    Relevance is what the planes give as a share of the greatest, or what an association counts for if that is
    more; the prior factor multiplies it. Ratios between candidates are kept (spec page 4, Calibration). A first
    place that words alone decide keeps it, whatever the vectors are: nothing else is worth more than 1 / 1.35 of it.
    """

    def __init__(
        self,
        match: LexicalMatch,
        candidates: NDArray[np.int64],
        factors: Factors,
        priors: Priors,
        planes: Planes,
        policy: RankingPolicy,
    ) -> None:
        self._match, self._candidates, self._factors, self._priors = match, candidates, factors, priors
        self._planes, self._policy = planes, policy
        words = words_worth(match, candidates, policy) * factors.product
        self._greatest = float(words.max()) if len(words) else 0.0
        relevance = words / self._greatest if self._greatest > 0 else words
        self.pinned = None if planes.provided is not None else _decided_by_words(match, candidates, words)
        """Place of the candidate that words alone put first; None where they leave it open."""
        self._fused: FusedPlanes | None = None
        associated = planes.associated
        if planes.provided is not None:
            relevance = planes.provided.relevance(candidates)
        elif planes.dense is not None:
            self._fused = FusedPlanes(relevance, match, candidates, planes.dense, planes.fusion, pinned=self.pinned)
            relevance = self._fused.relevance
        if associated:
            lifted = np.zeros(len(match.score))
            lifted[list(associated)] = [association.relevance(policy) for association in associated.values()]
            relevance = np.maximum(relevance, lifted[candidates])
        self.final: Scores = relevance * priors.factor
        """Shape: (candidates,)."""

    def explain(self, place: int) -> Explanation:
        """The tree that makes one candidate's `rank_score`; evaluating it gives that number."""
        text_id = int(self._candidates[place])
        relevance = self._explain_relevance(place, text_id)
        association = self._planes.associated.get(text_id)
        if association is not None:
            relevance = greatest("relevance", relevance, association.explain(self._policy))
        return product("rank_score", relevance, self._priors.explain(place, self._policy))

    def _explain_relevance(self, place: int, text_id: int) -> Explanation:
        if self._planes.provided is not None:
            return self._planes.provided.explain(text_id)
        words = explain_words(self._match, text_id, self._factors, place, self._policy)
        if self._fused is None:
            return calibrated("relevance", words, self._greatest)
        by_words = calibrated("words, of the best", words, self._greatest)
        return self._fused.explain(place, by_words, self._factors.explain(place))


_NONE: Scores = np.zeros(1)


def _decided_by_words(match: LexicalMatch, candidates: NDArray[np.int64], words: Scores) -> int | None:
    """The place of a first hit so far ahead by words, and holding so many of them, that meaning has no say."""
    if not len(words):
        return None
    first = int(np.argmax(words))
    second = max(float(others.max()) for others in (words[:first], words[first + 1 :], _NONE) if len(others))
    ahead = words[first] > 0 and words[first] >= PIN_RATIO * second
    return first if ahead and match.coverage[candidates[first]] >= DECIDED_COVERAGE else None


def best_first(
    rank: Scores,
    recorded_at: NDArray[np.int64],
    name_order: Callable[[], NDArray[np.int64]],
    limit: int | None,
) -> NDArray[np.int64]:
    """Places of the best candidates: by rank, then newer `recorded_at`, then name.

    `name_order` gives each candidate's place in the order of names and is asked only if it decides.
    """
    pool = np.arange(len(rank))
    if limit is not None and len(rank) > 4 * limit:
        threshold = np.partition(rank, len(rank) - limit)[len(rank) - limit]
        pool = np.flatnonzero(rank >= threshold)
    order = pool[np.lexsort((-recorded_at[pool], -rank[pool]))]
    same = (rank[order][1:] == rank[order][:-1]) & (recorded_at[order][1:] == recorded_at[order][:-1])
    if same[: limit if limit is not None else len(same)].any():
        names = name_order()
        order = pool[np.lexsort((names[pool], -recorded_at[pool], -rank[pool]))]
    return order if limit is None else order[:limit]
