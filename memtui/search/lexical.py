"""The lexical plane: plain BM25, its field-weighted sister, coverage, identity and prefixes.

All arrays run over index rows (`text_id`); only rows visible under the mask ever count.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memtui.search.mask import BeliefMask
from memtui.search.policy import K1, RankingPolicy
from memtui.search.postings import Postings, TermPostings
from memtui.text.analysis import QueryTerm, QueryTerms

Scores = NDArray[np.float64]


def idf(total: int, frequency: int) -> float:
    """ln(1 + (N - df + 0.5) / (df + 0.5)): never negative, also in a tiny vault (spec page 4)."""
    return math.log(1.0 + (total - frequency + 0.5) / (frequency + 0.5))


def _stem_of(query: QueryTerms) -> str:
    """The score token of the word being typed, if it is an ordinary term of the query."""
    return query.terms[-1].score_tokens[0] if query.terms else ""


@dataclass(frozen=True, slots=True)
class TokenMatch:
    """One query token under the mask: where it occurs and what it is worth there. Shapes: (p,)."""

    token: str
    idf: float
    text_id: NDArray[np.int64]
    count: Scores
    weighted: Scores
    plain: Scores
    """BM25 contribution to each row."""
    fielded: Scores
    """BM25F contribution to each row."""

    def worth(self, text_id: int, contributions: Scores) -> float:
        """The contribution to one row; 0 where the token does not occur."""
        place = int(np.searchsorted(self.text_id, text_id))
        if place < len(self.text_id) and int(self.text_id[place]) == text_id:
            return float(contributions[place])
        return 0.0


@dataclass(frozen=True, slots=True)
class PrefixMatch:
    """Dictionary terms that stand in for the word being typed, all at once.

    `terms`, `weight` and `idf` run over the terms; `term`, `text_id` and `fielded` (BM25F contribution:
    a title begun counts more than a body) over all their postings, `term` being the place in `terms`.
    """

    terms: tuple[str, ...]
    weight: Scores
    idf: Scores
    term: NDArray[np.int64]
    text_id: NDArray[np.int64]
    fielded: Scores

    def worths(self, text_id: int) -> list[tuple[str, float, float]]:
        """(term, weight, BM25F contribution) of the terms that one row holds."""
        places = np.flatnonzero(self.text_id == text_id)
        return [
            (self.terms[int(self.term[p])], float(self.weight[self.term[p]]), float(self.fielded[p])) for p in places
        ]


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
    candidates: NDArray[np.int64]
    tokens: tuple[TokenMatch, ...]
    exact_tokens: tuple[TokenMatch, ...]
    completions: PrefixMatch | None
    hidden: NDArray[np.int64]
    """Index rows of records that are not in force and would have matched."""

    def weights(self) -> dict[str, float]:
        """Token → idf, for choosing and marking snippets."""
        weights: dict[str, float] = {}
        if self.completions is not None:
            weights.update(zip(self.completions.terms, self.completions.idf.tolist(), strict=True))
        weights.update({match.token: match.idf for match in self.exact_tokens})
        weights.update({match.token: match.idf for match in self.tokens})
        return weights


class LexicalPlane:
    """Postings, names and a mask, ready to match queries."""

    def __init__(self, postings: Postings, identity: Postings, mask: BeliefMask, policy: RankingPolicy) -> None:
        self._postings = postings
        self._identity = identity
        self._mask = mask
        self._policy = policy

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
        prefix, completions = self._prefix(query, tokens)
        self._cover(query.terms, tokens, coverage)
        identity = self._identities(query, completions)
        found = (score > 0) | (identity > 0) | (prefix > 0)
        return LexicalMatch(
            score=score,
            coverage=coverage,
            fielded=fielded,
            exact=exact,
            identity=identity,
            prefix=prefix,
            candidates=np.flatnonzero(found & self._mask.visible),
            tokens=tuple(tokens.values()),
            exact_tokens=exact_tokens,
            completions=completions,
            hidden=self._hidden(tokens),
        )

    def _token(self, token: str) -> TokenMatch:
        return self._weigh(token, self._postings.find(token))

    def _weigh(self, token: str, postings: TermPostings) -> TokenMatch:
        mask = self._mask
        seen = mask.visible[postings.text_id]
        text_id = postings.text_id[seen]
        # Kept small in memory, reckoned in double precision: scores must agree with the reference to 1e-9.
        count = postings.count[seen].astype(np.float64)
        weighted = postings.weighted[seen].astype(np.float64)
        worth = idf(mask.total, len(text_id))
        gain = worth * (K1 + 1.0)
        return TokenMatch(
            token=token,
            idf=worth,
            text_id=text_id,
            count=count,
            weighted=weighted,
            plain=gain * count / (count + mask.plain_norm[text_id]),
            fielded=gain * weighted / (weighted + mask.weighted_norm[text_id]),
        )

    def _exact_forms(self, terms: Sequence[QueryTerm], tokens: dict[str, TokenMatch]) -> tuple[TokenMatch, ...]:
        """The typed forms of ordinary words: they count a little beside the stems that `score` reads."""
        forms = {term.exact for term in terms if term.shape == "word"} - tokens.keys()
        return tuple(self._token(form) for form in sorted(forms))

    def _prefix(self, query: QueryTerms, tokens: dict[str, TokenMatch]) -> tuple[Scores, PrefixMatch | None]:
        """The word being typed as the beginning of others: the best completion a row holds counts."""
        best = np.zeros(len(self._mask.visible))
        word = query.last
        if not word:
            return best, None
        found = self._postings.completions((word, "~" + word), self._mask.visible, self._policy.prefix_terms)
        terms = tuple(term for term, _ in found if term not in tokens and term.removeprefix("~") != word)
        if not terms:
            return best, None
        postings = [self._postings.find(term) for term in terms]
        text_id = np.concatenate([p.text_id for p in postings])
        count = np.concatenate([p.weighted for p in postings]).astype(np.float64)
        term = np.repeat(np.arange(len(terms)), [len(p.text_id) for p in postings])
        seen = self._mask.visible[text_id]
        text_id, count, term = text_id[seen], count[seen], term[seen]
        frequency = np.bincount(term, minlength=len(terms))
        worth = np.log(1.0 + (self._mask.total - frequency + 0.5) / (frequency + 0.5))
        weight = np.array([self._policy.prefix * len(word) / len(t.removeprefix("~")) for t in terms])
        fielded = worth[term] * (K1 + 1.0) * count / (count + self._mask.weighted_norm[text_id])
        np.maximum.at(best, text_id, weight[term] * fielded)
        whole = tokens.get(_stem_of(query))
        if whole is not None and len(whole.plain) and best.max() > (limit := self._policy.prefix * whole.plain.min()):
            # The word stands in the vault as typed: no beginning of another may outrank it.
            weight *= limit / best.max()
            best *= limit / best.max()
        return best, PrefixMatch(terms, weight, worth, term, text_id, fielded)

    def _cover(self, terms: Sequence[QueryTerm], tokens: dict[str, TokenMatch], coverage: Scores) -> None:
        """Fill in the share of the query's idf mass each row holds. A compound is held whole or by parts."""
        mass = 0.0
        for term in terms:
            whole, *parts = term.score_tokens
            if not parts:
                mass += tokens[whole].idf
                coverage[tokens[whole].text_id] += tokens[whole].idf
                continue
            worth = math.fsum(tokens[part].idf for part in parts)
            mass += worth
            held = np.zeros_like(coverage)
            for part in parts:
                held[tokens[part].text_id] += tokens[part].idf
            held[tokens[whole].text_id] = worth
            coverage += held
        if mass > 0:
            coverage /= mass
            np.minimum(coverage, 1.0, out=coverage)

    def _identities(self, query: QueryTerms, completions: PrefixMatch | None) -> Scores:
        """Share of the terms that a row is called by; the word being typed counts by its completions."""
        terms = query.terms
        share = np.zeros(len(self._mask.visible))
        named = np.zeros(0, dtype=np.int64)
        for term in terms:
            named = np.unique(self._identity.find(term.score_tokens[0]).text_id)
            share[named] += 1.0 / len(terms)
        if completions is not None and terms:
            begun = np.zeros_like(share)
            for term, weight in zip(completions.terms, completions.weight.tolist(), strict=True):
                rows = self._identity.find(term).text_id
                begun[rows] = np.maximum(begun[rows], weight / len(terms))
            begun[named] = 0.0  # the last word stands there whole
            share += begun
        share[~self._mask.visible] = 0.0
        return np.minimum(share, 1.0)

    def _hidden(self, tokens: dict[str, TokenMatch]) -> NDArray[np.int64]:
        """Index rows that match but are not in force: a person may want to know that they exist."""
        touched = np.zeros(len(self._mask.visible), dtype=np.bool_)
        for token in tokens:
            touched[self._postings.find(token).text_id] = True
        return np.flatnonzero(touched & (self._mask.hidden_row_of_text >= 0))
