"""Stand-ins: what counts for a word of the query in records that do not hold the word itself.

A word has its synonyms; one that occurs nowhere and is in no table of synonyms is taken for the words spelt
nearly like it. A stand-in counts by its BM25F
contribution, with an idf of at most the word's own, times a weight below one; of several in one record the best.
So a record that holds the word is never outranked by one that, all else equal, holds a stand-in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from memtui.search.mask import BeliefMask
from memtui.search.policy import RankingPolicy
from memtui.search.postings import Postings
from memtui.search.spelling import steps_allowed
from memtui.search.weighing import Scores, TokenMatch, weigh
from memtui.text.analysis import QueryTerm, QueryTerms
from memtui.text.folding import fold_accents
from memtui.text.stemming import stem

How: TypeAlias = Literal["synonym", "taken for"]


@dataclass(frozen=True, slots=True)
class StandIn:
    """Tokens that stand in for a word where all of them occur and the word does not. Shapes: (p,)."""

    how: How
    text: str
    tokens: tuple[str, ...]
    weight: float
    idf: float
    text_id: NDArray[np.int64]
    fielded: Scores
    """BM25F contribution to each row: that of the token which is worth least there."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """A word of the query and what stands in for it."""

    word: str
    term: int
    """Place of its term in the query."""
    stand_ins: tuple[StandIn, ...]

    def worths(self, text_id: int) -> Iterator[tuple[StandIn, float]]:
        """The stand-ins that one row holds, each with its BM25F contribution there."""
        for stand_in in self.stand_ins:
            place = int(np.searchsorted(stand_in.text_id, text_id))
            if place < len(stand_in.text_id) and int(stand_in.text_id[place]) == text_id:
                yield stand_in, float(stand_in.fielded[place])

    def is_taken_for_other(self, text_id: int) -> bool:
        """Whether a row holds what the word is taken for, because it occurs nowhere as it was typed."""
        return any(stand_in.how == "taken for" for stand_in, _ in self.worths(text_id))

    def add_to(self, scores: Scores) -> None:
        """Add to each row what its best stand-in counts for."""
        best = np.zeros_like(scores)
        for stand_in in self.stand_ins:
            rows = stand_in.text_id
            best[rows] = np.maximum(best[rows], stand_in.weight * stand_in.fielded)
        scores += best


class _Word(NamedTuple):
    """A word the query asks for: a term, or a part of a compound."""

    term: int
    text: str
    match: TokenMatch
    form: str
    """As typed, accents folded; of a part only the stem is known."""
    has_synonyms: bool
    may_be_mistyped: bool


class _Proposal(NamedTuple):
    how: How
    text: str
    tokens: tuple[str, ...]
    weight: float


class StandIns:
    """Finds what stands in for the words of a query, under one mask."""

    def __init__(self, postings: Postings, mask: BeliefMask, policy: RankingPolicy) -> None:
        self._postings = postings
        self._mask = mask
        self._policy = policy

    def of(
        self, query: QueryTerms, tokens: Mapping[str, TokenMatch], names: Postings, *, begun: bool
    ) -> tuple[Replaced, ...]:
        """The words of a query that something stands in for; `names` is made ready for them too.

        `tokens` are the query's own; `begun`: the word being typed is the beginning of others.
        """
        words: list[tuple[_Word, list[_Proposal]]] = []
        typos = 0
        for word in _words(query, tokens, begun=begun):
            proposals = self._meaning_the_same(word)
            if proposals is None and typos < self._policy.most_typos and _may_be_mistyped(word):
                typos += 1
                proposals = self._spelt_nearly_like(word)
            if proposals:
                words.append((word, proposals))
        needed = {token for _, proposals in words for proposal in proposals for token in proposal.tokens}
        if not needed:
            return ()
        self._postings.need(needed)
        names.need(needed)
        replaced: list[Replaced] = []
        for word, proposals in words:
            stand_ins = [self._stand_in(proposal, word.match) for proposal in proposals if self._occurs(proposal)]
            if stand_ins:
                replaced.append(Replaced(word.text, word.term, tuple(stand_ins)))
        return tuple(replaced)

    def _occurs(self, proposal: _Proposal) -> bool:
        return all(len(self._postings.find(token).text_id) > 0 for token in proposal.tokens)

    def _meaning_the_same(self, word: _Word) -> list[_Proposal] | None:
        """The synonyms of a word; None of one that no table knows."""
        policy = self._policy
        synonyms = policy.synonyms.of(word.match.token) if word.has_synonyms else ()
        if not synonyms:
            return None
        if policy.synonym <= 0:
            return []
        return [_Proposal("synonym", s.text, s.tokens, policy.synonym) for s in synonyms[: policy.synonym_terms]]

    def _spelt_nearly_like(self, word: _Word) -> list[_Proposal]:
        """What a mistyped word is taken for: the nearest visible words; of these the most frequent, by their stems."""
        if self._policy.typo <= 0:
            return []
        found: dict[str, int] = {}
        for spelling in {word.match.token, word.form}:
            near = self._postings.near(spelling, most) if (most := steps_allowed(spelling)) else {}
            self._postings.need(near)
            for term, distance in near.items():
                if self._frequency(term):
                    target = term if term.startswith("~") else "~" + stem(fold_accents(term))
                    found[target] = min(distance, found.get(target, distance))
        least = min(found.values(), default=0)
        nearest = [target for target, distance in found.items() if distance == least]
        self._postings.need(nearest)
        nearest.sort(key=lambda target: (-self._frequency(target), target))
        return [
            _Proposal("taken for", target.removeprefix("~"), (target,), self._policy.typo)
            for target in nearest[: self._policy.typo_terms]
        ]

    def _frequency(self, term: str) -> int:
        return int(np.count_nonzero(self._mask.visible[self._postings.find(term).text_id]))

    def _stand_in(self, proposal: _Proposal, word: TokenMatch) -> StandIn:
        matches = [weigh(token, self._postings.find(token), self._mask, most_idf=word.idf) for token in proposal.tokens]
        text_id = reduce(np.intersect1d, [match.text_id for match in matches])
        without_word = self._mask.visible.copy()
        without_word[word.text_id] = False
        text_id = text_id[without_word[text_id]]
        worths = [match.fielded[np.searchsorted(match.text_id, text_id)] for match in matches]
        return StandIn(
            proposal.how,
            proposal.text,
            proposal.tokens,
            proposal.weight,
            min(match.idf for match in matches),
            text_id,
            reduce(np.minimum, worths),
        )


def _words(query: QueryTerms, tokens: Mapping[str, TokenMatch], *, begun: bool) -> Iterator[_Word]:
    """The words something may stand in for: not the one being typed while it is but the beginning of others."""
    seen: set[str] = set()
    for place, term in enumerate(query.terms):
        whole = tokens[term.score_tokens[0]]
        if term.is_stop or (begun and len(whole.text_id) == 0 and fold_accents(term.exact) == query.last):
            continue
        for word in _words_of(place, term, tokens):
            if word.match.token not in seen:
                seen.add(word.match.token)
                yield word


def _words_of(place: int, term: QueryTerm, tokens: Mapping[str, TokenMatch]) -> Iterator[_Word]:
    """A term itself and the parts of a compound; those of an identifier are meant as they are: without synonyms."""
    whole = tokens[term.score_tokens[0]]
    form = fold_accents(term.exact)
    yield _Word(place, term.text, whole, form, has_synonyms=True, may_be_mistyped=not term.parts)
    for part in term.parts:
        match = tokens[part[0]]
        letters = match.token.removeprefix("~")
        yield _Word(place, letters, match, match.token, has_synonyms=term.shape == "word", may_be_mistyped=True)


def _may_be_mistyped(word: _Word) -> bool:
    """Whether a word occurs nowhere and is long enough to be told from others."""
    occurs = len(word.match.text_id) > 0
    return word.may_be_mistyped and not occurs and bool(steps_allowed(word.match.token) or steps_allowed(word.form))
