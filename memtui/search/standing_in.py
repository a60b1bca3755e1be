"""Stand-ins: what counts for a word of the query in records that do not hold the word itself.

A word has its synonyms; an identifier that occurs nowhere is taken for the same characters joined otherwise; a word
that occurs nowhere and is in no table of synonyms, for the words spelt nearly like it. A stand-in counts by its BM25F
contribution, with an idf of at most the word's own, times a weight of at most one; of several in one record the best.
So a record that holds the word is never outranked by one that, all else equal, holds a stand-in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from memtui.search.mask import BeliefMask
from memtui.search.policy import RankingPolicy
from memtui.search.postings import Postings
from memtui.search.rejoining import written_otherwise
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
    has_synonyms: bool = False
    may_be_mistyped: bool = False
    identifier: QueryTerm | None = None
    """The term it is the whole of, where that may be an identifier others join otherwise."""


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
        looked_for = 0
        for word in _words(query, tokens, begun=begun):
            proposals = self._meaning_the_same(word)
            occurs = len(word.match.text_id) > 0
            if not occurs and looked_for < self._policy.most_typos:
                if word.identifier is not None and (forms := written_otherwise(word.identifier)):
                    looked_for += 1
                    proposals = [*(proposals or ()), *self._joined_otherwise(forms)]
                elif proposals is None and _may_be_mistyped(word):
                    looked_for += 1
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

    def _joined_otherwise(self, forms: Sequence[str]) -> list[_Proposal]:
        """What an identifier is taken for: the forms of it that are visible, the most frequent first."""
        if self._policy.rejoined <= 0:
            return []
        self._postings.need(forms)
        return self._taken_for([form for form in forms if self._frequency(form)], self._policy.rejoined)

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
        return self._taken_for(nearest, self._policy.typo)

    def _taken_for(self, terms: Sequence[str], weight: float) -> list[_Proposal]:
        frequent = sorted(terms, key=lambda term: (-self._frequency(term), term))
        return [
            _Proposal("taken for", term.removeprefix("~"), (term,), weight)
            for term in frequent[: self._policy.typo_terms]
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
    """The words something may stand in for: of the one being typed, while others begin with it, no part."""
    seen: set[str] = set()
    for place, term in enumerate(query.terms):
        if term.is_stop:
            continue
        whole = tokens[term.score_tokens[0]]
        begins = begun and len(whole.text_id) == 0 and fold_accents(term.exact) == query.last
        for word in [_whole(place, term, tokens)] if begins else _words_of(place, term, tokens):
            if word.match.token not in seen:
                seen.add(word.match.token)
                yield word


def _words_of(place: int, term: QueryTerm, tokens: Mapping[str, TokenMatch]) -> Iterator[_Word]:
    """A term itself and the parts of a compound; those of an identifier are meant as they are: without synonyms."""
    yield _whole(place, term, tokens)._replace(has_synonyms=True, may_be_mistyped=not term.parts)
    for part in term.parts:
        match = tokens[part[0]]
        letters = match.token.removeprefix("~")
        yield _Word(place, letters, match, match.token, has_synonyms=term.shape == "word", may_be_mistyped=True)


def _whole(place: int, term: QueryTerm, tokens: Mapping[str, TokenMatch]) -> _Word:
    return _Word(place, term.text, tokens[term.score_tokens[0]], fold_accents(term.exact), identifier=term)


def _may_be_mistyped(word: _Word) -> bool:
    """Whether a word is long enough to be told from others."""
    return word.may_be_mistyped and bool(steps_allowed(word.match.token) or steps_allowed(word.form))
