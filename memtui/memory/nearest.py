"""The records that are nearest to a candidate, and what that advises.

How near a record is says the best pair of passages, one of the candidate and one of the record: by meaning where the
record is embedded, else by the words they share. Near is not the same: what turns a sentence round is for a person.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memtui.cognition.overlap import jaccard, merge_tokens
from memtui.cognition.turning import turning
from memtui.embedding.nearness import LEAD, NOISE, SENTENCES, Nearness
from memtui.memory.candidate import Candidate, Passages
from memtui.memory.near_duplicates import MERGE, REVIEW, telling
from memtui.model.belief import BeliefState
from memtui.model.duplicates import Advice, Comparison, Dedup, Nearest
from memtui.model.instants import Instant
from memtui.model.records import Content, RecordKey
from memtui.search.ranking import best_first
from memtui.search.request import SearchRequest
from memtui.search.searcher import Searcher
from memtui.store.columns import KIND_CODE
from memtui.store.vectors import Space, Vectors
from memtui.text.chunking import words_in

_COMPARED = 20
"""Records that a way of looking brings for comparison, passage by passage."""
_MOST_SEARCHED = 50
"""Passages of a candidate that are looked for by their words."""
_LONGEST_QUERY = 200
"""Characters of a text without telling words that are looked for as they stand."""
_BATCH = 32
"""Records that are read at a time."""
_ORDER: dict[Advice, int] = {"MERGE": 0, "REVIEW": 1, "CREATE": 2}


class Asked(NamedTuple):
    """What a candidate is compared with, and how many of the nearest are wanted."""

    belief: BeliefState
    kinds: tuple[str, ...]
    k: int


class Meant(NamedTuple):
    """What the candidate's passages mean, and what nearness is worth in their space."""

    space: Space
    vectors: Vectors
    near: Nearness


class _Record(NamedTuple):
    key: RecordKey
    content: Content
    text_id: int
    passages: Passages

    @classmethod
    def of(cls, key: RecordKey, content: Content, text_id: int) -> _Record:
        return cls(key, content, text_id, Passages(key.kind, key.name, content))


@dataclass(frozen=True, slots=True)
class _Pair:
    """The candidate beside one record: their nearest passages."""

    record: _Record
    by: Comparison
    similarity: float
    agrees: bool
    """Nothing turns one of the two round."""
    says_the_same: bool
    """As near as what says the same, and nothing turns one of the two round."""
    sentence: bool
    """One of the two is no longer than a sentence or two."""
    same: bool
    """The whole texts are the same, word for word."""


class Gate:
    """One candidate before one state of the store; without what it `meant` all is compared by words."""

    def __init__(
        self, searcher: Searcher, present: Instant, candidate: Candidate, asked: Asked, meant: Meant | None
    ) -> None:
        self._searcher, self._present = searcher, present
        self._candidate, self._asked, self._meant = candidate, asked, meant
        self._left_out: dict[RecordKey, None] = {}
        self._known_tokens: dict[str, frozenset[str]] = {}
        self._mask = searcher.mask(asked.belief, present)
        self._index = None if meant is None else searcher.corpus.dense(meant.space)
        self._similarity = np.full(len(self._mask.visible), np.nan, dtype=np.float32)
        if meant is not None and self._index is not None:
            for vector in meant.vectors:
                near = self._index.similarity(vector, len(self._similarity))
                self._similarity = np.fmax(self._similarity, near)

    def answer(self) -> Dedup:
        """The advice, and what could not be compared by meaning."""
        waiting = self._waiting()
        found = {record.text_id: record for record in self._nearest()}
        for record in self._sharing_words(every_passage=self._meant is None or waiting > 0):
            found.setdefault(record.text_id, record)
        pairs = [self._pair(record) for record in found.values() if record.passages.chunks]
        # What the words brought may share no more than its name, or a stem.
        nearest = self._judged([pair for pair in pairs if pair.by == "meaning" or pair.similarity > 0 or pair.same])
        return Dedup(
            nearest[0].verdict if nearest else "CREATE",
            by="words" if self._meant is None else "meaning",
            reason=_partly(waiting) if waiting else None,
            nearest=tuple(nearest[: self._asked.k]),
            left_out=tuple(sorted(self._left_out)),
        )

    def _waiting(self) -> int:
        """How many of the records that are asked about are not embedded, where others are."""
        corpus = self._searcher.corpus
        if self._meant is None or corpus.embedded(self._meant.space) >= len(corpus.lengths.text_id):
            return 0
        return len(self._of_kinds(np.flatnonzero(self._mask.visible & np.isnan(self._similarity))))

    def _of_kinds(self, text_ids: NDArray[np.intp]) -> list[int]:
        """Those of the index rows whose records are of a kind that is asked about."""
        if self._asked.kinds:
            codes = [KIND_CODE[kind] for kind in self._asked.kinds]
            kinds = self._searcher.corpus.columns.kind[self._mask.row_of_text[text_ids]]
            text_ids = text_ids[np.isin(kinds, codes)]
        return text_ids.tolist()

    def _nearest(self) -> Iterator[_Record]:
        """The records nearest in meaning, but never the candidate's own."""
        text_ids = np.array(self._of_kinds(np.flatnonzero(self._mask.visible & ~np.isnan(self._similarity))), np.int64)
        corpus = self._searcher.corpus
        rows = self._mask.row_of_text[text_ids]
        order = best_first(
            self._similarity[text_ids].astype(np.float64),
            corpus.columns.recorded_at[rows],
            lambda: corpus.name_order()[corpus.columns.record[rows]],
            None,
        )
        wanted = max(_COMPARED, self._asked.k + 1)
        for start in range(0, len(order), _BATCH):
            places = order[start : start + _BATCH]
            versions = corpus.versions([int(row) for row in rows[places]])
            for text_id, version in zip(text_ids[places].tolist(), versions, strict=True):
                if self._is_own(version.key, version.content):
                    continue
                yield _Record.of(version.key, version.content, text_id)
                wanted -= 1
                if not wanted:
                    return

    def _sharing_words(self, *, every_passage: bool) -> Iterator[_Record]:
        """Records that hold the candidate's telling words, of the whole or also of `every_passage`."""
        content = self._candidate.content
        texts = ["\n".join(filter(None, (content.title, content.summary, content.body)))]
        if every_passage and len(self._candidate.chunks) > 1:
            texts += [chunk.text for chunk in self._candidate.chunks[:_MOST_SEARCHED]]
        columns = self._searcher.corpus.columns
        for text in texts:
            wanted = " ".join(telling(merge_tokens(Content(summary=text)))) or text[:_LONGEST_QUERY]
            limit = max(_COMPARED, self._asked.k + 1)
            request = SearchRequest(wanted, limit=limit, belief=self._asked.belief, kinds=self._asked.kinds)
            for hit in self._searcher.search(request, self._present).hits:
                if not self._is_own(hit.record.key, hit.record.content):
                    partition = columns.partitions.index(hit.scope)
                    (row,) = np.flatnonzero((columns.seq == hit.record.seq) & (columns.partition == partition))
                    yield _Record.of(hit.record.key, hit.record.content, int(columns.text_id[row]))

    def _is_own(self, key: RecordKey, content: Content) -> bool:
        """Whether a record is the candidate's own, which is then told to be left out."""
        own = self._candidate.is_own(content)
        if own:
            self._left_out[key] = None
        return own

    def _pair(self, record: _Record) -> _Pair:
        other = record.passages
        if self._meant is not None and self._index is not None and not np.isnan(self._similarity[record.text_id]):
            by: Comparison = "meaning"
            near, begins = self._meant.vectors @ self._index.vectors_of(record.text_id).T, self._meant.near.merge
        else:
            by, near, begins = "words", self._words_shared(other), MERGE
        own, theirs = divmod(int(np.argmax(near)), near.shape[1])
        similarity = float(near[own, theirs])
        agrees = self._agree(own, other, theirs)
        shorter = min(words_in(self._candidate.chunks[own].text), words_in(other.chunks[theirs].text))
        return _Pair(
            record,
            by,
            similarity,
            agrees,
            says_the_same=begins is not None and similarity >= begins and agrees,
            sentence=shorter < SENTENCES,
            same=self._candidate.same_words(other),
        )

    def _words_shared(self, other: Passages) -> NDArray[np.float64]:
        """The share of common words of each pair of passages. Shape: (the candidate's, the other's)."""
        own = [self._tokens(self._candidate.readings(n, other)) for n in range(len(self._candidate.chunks))]
        theirs = [self._tokens(other.readings(n, self._candidate)) for n in range(len(other.chunks))]
        shared = [[max(jaccard(a, b) for a, b in product(mine, its)) for its in theirs] for mine in own]
        return np.array(shared, dtype=np.float64)

    def _tokens(self, readings: tuple[str, ...]) -> list[frozenset[str]]:
        """The words by which the readings of a passage are compared."""
        for text in readings:
            if text not in self._known_tokens:
                self._known_tokens[text] = merge_tokens(Content(summary=text))
        return [self._known_tokens[text] for text in readings]

    def _agree(self, own: int, other: Passages, theirs: int) -> bool:
        """Whether nothing turns one of two passages round, in some way to read them."""
        mine = {turning(text) for text in self._candidate.readings(own, other)}
        return any(turning(text) in mine for text in other.readings(theirs, self._candidate))

    def _judged(self, pairs: Sequence[_Pair]) -> list[Nearest]:
        """What each record advises, the most telling first.

        Of those that are as good as nearest (within NOISE) the ones come first that nothing turns round: the fact in
        other words before a nearer sentence with another figure, day or denial.
        """
        nearest: list[Nearest] = []
        leading: set[RecordKey] = set()
        for by in ("meaning", "words"):
            alike = sorted(
                (pair for pair in pairs if pair.by == by), key=lambda pair: (-pair.similarity, pair.record.key)
            )
            for place, pair in enumerate(alike):
                lead = pair.similarity - (alike[place + 1].similarity if place + 1 < len(alike) else 0.0)
                if pair.agrees and alike[0].similarity - pair.similarity < NOISE:
                    leading.add(pair.record.key)
                verdict = self._verdict(pair, leads=place == 0 and lead >= LEAD)
                nearest.append(
                    Nearest(
                        pair.record.key,
                        pair.similarity,
                        lead,
                        by,
                        verdict,
                        verbatim=pair.same,
                        title=pair.record.content.title or pair.record.content.summary,
                        path=pair.record.content.path,
                    )
                )
        return sorted(nearest, key=lambda n: (_ORDER[n.verdict], n.by, n.key not in leading, -n.similarity, n.key))

    def _verdict(self, pair: _Pair, *, leads: bool) -> Advice:
        if pair.same or (pair.says_the_same and (leads or pair.by == "words")):
            return "MERGE"
        begins: float | None = REVIEW
        if pair.by == "meaning" and self._meant is not None:
            begins = self._meant.near.review if pair.sentence else self._meant.near.review_passages
        return "REVIEW" if begins is not None and pair.similarity >= begins else "CREATE"


def _partly(waiting: int) -> str:
    are = "1 record is" if waiting == 1 else f"{waiting:,} records are"
    them = "it" if waiting == 1 else "them"
    return f"{are} not embedded yet and compared by words, `memtui embed refresh` embeds {them}"
