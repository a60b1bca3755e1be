"""Beginnings: the word being typed, as the beginning of words that the vault holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memtui.search.mask import BeliefMask
from memtui.search.policy import K1, RankingPolicy
from memtui.search.postings import Postings, Segment
from memtui.search.weighing import Scores, TokenMatch


@dataclass(frozen=True, slots=True)
class PrefixMatch:
    """Dictionary terms that stand in for the word being typed, all at once.

    `terms`, `weight` and `idf` run over the terms; `term`, `text_id` and `fielded` (BM25F contribution:
    a title begun counts more than a body) over all their postings, `term` being the place in `terms`; what they say
    of rows that are not visible means nothing.
    """

    terms: tuple[str, ...]
    weight: Scores
    idf: Scores
    term: NDArray[np.int64]
    text_id: NDArray[np.int64]
    fielded: Scores

    def worths(self, text_id: int) -> list[tuple[str, float, float]]:
        """(term, weight, BM25F contribution) of the terms that one visible row holds."""
        places = np.flatnonzero(self.text_id == text_id)
        return [
            (self.terms[int(self.term[p])], float(self.weight[self.term[p]]), float(self.fielded[p])) for p in places
        ]


class Beginnings:
    """The words that begin as another, under one mask.

    While a word grows under the fingers, what its longer forms match lies within what was counted for the shorter.
    """

    def __init__(self, postings: Postings, mask: BeliefMask, policy: RankingPolicy) -> None:
        self._postings, self._mask, self._policy = postings, mask, policy
        self._counted: dict[tuple[Segment, bool], tuple[int, int, NDArray[np.int64]]] = {}

    def of(self, word: str | None, tokens: Mapping[str, TokenMatch], typed: str) -> tuple[Scores, PrefixMatch | None]:
        """What the best completion that each index row holds counts for. Shape: (texts,).

        `tokens` are the query's own, `typed` that of the word itself: no beginning of another may outrank it.
        """
        best = np.zeros(len(self._mask.visible))
        if not word:
            return best, None
        found = self._most_frequent((word, "~" + word))
        counted = {term: df for term, df in found if term not in tokens and term.removeprefix("~") != word}
        if not counted:
            return best, None
        terms, policy = tuple(counted), self._policy
        postings = self._postings.gather(terms)
        term, text_id = postings.term, postings.text_id
        count = postings.weighted.astype(np.float64)
        frequency = np.array(list(counted.values()))
        worth = np.log(1.0 + (self._mask.total - frequency + 0.5) / (frequency + 0.5))
        weight = np.array([policy.prefix * len(word) / len(t.removeprefix("~")) for t in terms])
        fielded = (worth * (K1 + 1.0))[term] * count / (count + self._mask.weighted_norm[text_id])
        np.maximum.at(best, text_id, weight[term] * fielded)
        best *= self._mask.visible
        whole = tokens.get(typed)
        if whole is not None and len(whole.plain) and best.max() > (limit := policy.prefix * whole.plain.min()):
            weight *= limit / best.max()
            best *= limit / best.max()
        return best, PrefixMatch(terms, weight, worth, term, text_id, fielded)

    def _most_frequent(self, prefixes: Sequence[str]) -> list[tuple[str, int]]:
        """The most frequent visible terms that begin with one of these: (term, visible df)."""
        limit = self._policy.prefix_terms
        best: list[tuple[str, int]] = []
        for prefix in prefixes:
            best += self._of_prefix(prefix, limit)
        return sorted(best, key=lambda pair: (-pair[1], pair[0]))[:limit]

    def _of_prefix(self, prefix: str, limit: int) -> list[tuple[str, int]]:
        if not self._postings.segments:
            return []
        main, *small = self._postings.segments
        low, counts = self._counts(main, prefix)
        elsewhere: dict[str, int] = {}
        for segment in small:
            start, of_segment = self._counts(segment, prefix)
            if not len(of_segment):
                continue
            counts = counts.copy()
            for place, count in enumerate(of_segment.tolist(), start):
                term = segment.block.terms[place]
                known = main.place_of(term)
                if known is not None:
                    counts[known - low] += count
                else:
                    elsewhere[term] = elsewhere.get(term, 0) + count
        # A few words are frequent and very many rare: going down from the most frequent is cheaper than sorting.
        least = int(counts.max()) if len(counts) else 0
        while least > 1 and np.count_nonzero(counts >= least) < limit:
            least //= 4
        most = np.flatnonzero(counts >= max(least, 1))
        # Stable: among equally frequent terms the alphabet decides, as everywhere.
        order: list[int] = most[np.argsort(-counts[most], kind="stable")][:limit].tolist()
        found = [(main.block.terms[low + place], int(counts[place])) for place in order]
        return found + [(term, count) for term, count in elsewhere.items() if count]

    def _counts(self, segment: Segment, prefix: str) -> tuple[int, NDArray[np.int64]]:
        """The first dictionary place of the terms that begin with a prefix, and in how many visible rows each stands.

        What was counted last is kept, of words and of stems; it is never changed.
        """
        low, high = segment.range_of(prefix)
        if low == high:
            return low, np.zeros(0, dtype=np.int64)
        kind = (segment, prefix.startswith("~"))
        first, end, counts = self._counted.get(kind, (0, 0, None))
        if counts is None or low < first or high > end:
            first, end, counts = low, high, segment.visible_counts(low, high, self._mask.visible)
            self._counted[kind] = first, end, counts
        return low, counts[low - first : high - first]
