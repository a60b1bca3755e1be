"""The lexical plane: plain BM25, its field-weighted sister, coverage, identity, prefixes and stand-ins.

All arrays run over index rows (`text_id`); only rows visible under the mask ever count.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from memtui.search.beginnings import Beginnings, PrefixMatch
from memtui.search.mask import BeliefMask
from memtui.search.policy import RankingPolicy
from memtui.search.postings import Postings
from memtui.search.standing_in import Replaced, StandIns
from memtui.search.weighing import Scores, TokenMatch, weigh
from memtui.text.analysis import QueryTerm, QueryTerms


def _stem_of(query: QueryTerms) -> str:
    """The score token of the word being typed, if it is an ordinary term of the query."""
    return query.terms[-1].score_tokens[0] if query.terms else ""


@dataclass(frozen=True, slots=True)
class LexicalMatch:
    """What a query finds by words: scores over all index rows, and the parts that explain them."""

    score: Scores
    """Plain BM25: thresholds read only this."""
    coverage: Scores
    """Share of the query's idf mass that the row's own text contains, in [0, 1]."""
    fielded: Scores
    exact: Scores
    identity: Scores
    """Share of the query's terms found in name, aliases or title, in [0, 1]."""
    prefix: Scores
    stand_in: Scores
    """What stands in for words that the row does not hold."""
    candidates: NDArray[np.int64]
    tokens: tuple[TokenMatch, ...]
    exact_tokens: tuple[TokenMatch, ...]
    completions: PrefixMatch | None
    replaced: tuple[Replaced, ...]
    """Words of the query that something stands in for."""
    hidden: NDArray[np.int64]
    """Index rows of records that are not in force and would have matched."""
    masses: tuple[float, ...]
    """Idf mass of each term of the query: of a compound that of its parts."""

    def understood(self, text_id: int) -> float:
        """Share of the query's idf mass that a row holds, if need be by what a mistyped or begun word is taken for.

        In [`coverage`, 1]: a word that was typed wrong or not to its end is one the vault knows all the same.
        """
        mass = math.fsum(self.masses)
        if mass <= 0:
            return 0.0
        known: dict[int, float] = {
            word.term: self.masses[word.term] for word in self.replaced if word.is_taken_for_other(text_id)
        }
        last = len(self.masses) - 1
        if self.completions is not None and self.completions.worths(text_id):
            known[last] = self.masses[last]
        return min(1.0, float(self.coverage[text_id]) + math.fsum(known.values()) / mass)

    def weights(self) -> dict[str, float]:
        """Token → idf, for choosing and marking snippets."""
        weights: dict[str, float] = {}
        if self.completions is not None:
            weights.update(zip(self.completions.terms, self.completions.idf.tolist(), strict=True))
        for replaced in self.replaced:
            for stand_in in replaced.stand_ins:
                weights.update(dict.fromkeys(stand_in.tokens, stand_in.weight * stand_in.idf))
        weights.update({match.token: match.idf for match in self.exact_tokens})
        weights.update({match.token: match.idf for match in self.tokens})
        return weights


_MOST_WEIGHED = 16
"""Tokens whose worth is kept: the words of a query stand still while its last one grows."""


class LexicalPlane:
    """Postings, names and a mask, ready to match queries. Thread-safe: what is kept is never changed."""

    def __init__(self, postings: Postings, identity: Postings, mask: BeliefMask, policy: RankingPolicy) -> None:
        self._postings = postings
        self._identity = identity
        self._mask = mask
        self._policy = policy
        self._beginnings = Beginnings(postings, mask, policy)
        self._weighed: dict[str, TokenMatch] = {}

    def is_over(self, postings: Postings, identity: Postings, mask: BeliefMask) -> bool:
        """Whether it matches in just these."""
        return self._postings is postings and self._identity is identity and self._mask is mask

    def match(self, query: QueryTerms) -> LexicalMatch:
        """Match a query against everything visible."""
        size = len(self._mask.visible)
        score, fielded, exact, coverage = (np.zeros(size) for _ in range(4))
        tokens: dict[str, TokenMatch] = {}
        for term in query.terms:
            for token in term.score_tokens:
                if token not in tokens:
                    match = tokens[token] = self._token(token)
                    score[match.text_id] += match.plain
                    fielded[match.text_id] += match.fielded
        exact_tokens = self._exact_forms(query.terms, tokens)
        for match in exact_tokens:
            exact[match.text_id] += match.plain
        prefix, completions = self._beginnings.of(query.last, tokens, _stem_of(query))
        masses = self._cover(query.terms, tokens, coverage)
        stand_ins = StandIns(self._postings, self._mask, self._policy)
        replaced = stand_ins.of(query, tokens, self._identity, begun=completions is not None)
        stand_in = np.zeros(size)
        for word in replaced:
            word.add_to(stand_in)
        identity = self._identities(query, completions, replaced)
        found = (score > 0) | (identity > 0) | (prefix > 0) | (stand_in > 0)
        return LexicalMatch(
            score=score,
            coverage=coverage,
            fielded=fielded,
            exact=exact,
            identity=identity,
            prefix=prefix,
            stand_in=stand_in,
            candidates=np.flatnonzero(found & self._mask.visible),
            tokens=tuple(tokens.values()),
            exact_tokens=exact_tokens,
            completions=completions,
            replaced=replaced,
            hidden=self._hidden(tokens),
            masses=masses,
        )

    def _token(self, token: str) -> TokenMatch:
        match = self._weighed.get(token)
        if match is None:
            match = weigh(token, self._postings.find(token), self._mask)
            if len(self._weighed) >= _MOST_WEIGHED:
                self._weighed = {}
            self._weighed[token] = match
        return match

    def _exact_forms(self, terms: Sequence[QueryTerm], tokens: dict[str, TokenMatch]) -> tuple[TokenMatch, ...]:
        """The typed forms of ordinary words: they count a little beside the stems that `score` reads."""
        forms = {term.exact for term in terms if term.shape == "word"} - tokens.keys()
        return tuple(self._token(form) for form in sorted(forms))

    def _cover(self, terms: Sequence[QueryTerm], tokens: dict[str, TokenMatch], coverage: Scores) -> tuple[float, ...]:
        """Fill in the share of the query's idf mass each row holds; the mass of each term.

        A compound is held whole or by parts.
        """
        masses: list[float] = []
        for term in terms:
            whole, *parts = term.score_tokens
            if not parts:
                masses.append(tokens[whole].idf)
                coverage[tokens[whole].text_id] += tokens[whole].idf
                continue
            masses.append(math.fsum(tokens[part].idf for part in parts))
            held = np.zeros_like(coverage)
            for part in parts:
                held[tokens[part].text_id] += tokens[part].idf
            held[tokens[whole].text_id] = masses[-1]
            coverage += held
        if (mass := math.fsum(masses)) > 0:
            coverage /= mass
            np.minimum(coverage, 1.0, out=coverage)
        return tuple(masses)

    def _identities(self, query: QueryTerms, completions: PrefixMatch | None, replaced: Sequence[Replaced]) -> Scores:
        """Share of the terms that a row is called by; completions, stand-ins and an identifier's parts by weight."""
        terms = query.terms
        share = np.zeros(len(self._mask.visible))
        others: dict[int, list[tuple[NDArray[np.integer], Scores]]] = {}
        for word in replaced:
            for stand_in in word.stand_ins:
                rows = reduce(np.intersect1d, [self._identity.find(token).text_id for token in stand_in.tokens])
                others.setdefault(word.term, []).append((rows, np.full(len(rows), stand_in.weight)))
        for place, term in enumerate(terms):
            if term.parts and term.shape != "word":
                rows = reduce(np.intersect1d, [self._identity.find(part[0]).text_id for part in term.parts])
                others.setdefault(place, []).append((rows, np.full(len(rows), self._policy.rejoined)))
        if completions is not None and terms:
            begun = self._identity.gather(completions.terms)
            others.setdefault(len(terms) - 1, []).append((begun.text_id, completions.weight[begun.term]))
        for place, term in enumerate(terms):
            named = self._identity.find(term.score_tokens[0]).text_id
            share[named] += 1.0 / len(terms)
            if place in others:
                partly = np.zeros_like(share)
                for rows, weight in others[place]:
                    np.maximum.at(partly, rows, weight / len(terms))
                partly[named] = 0.0  # the word itself stands there
                share += partly
        share[~self._mask.visible] = 0.0
        return np.minimum(share, 1.0, out=share)

    def _hidden(self, tokens: dict[str, TokenMatch]) -> NDArray[np.int64]:
        """Index rows that match but are not in force: a person may want to know that they exist."""
        touched = np.zeros(len(self._mask.visible), dtype=np.bool_)
        for token in tokens:
            touched[self._postings.find(token).text_id] = True
        return np.flatnonzero(touched & (self._mask.hidden_row_of_text >= 0))
