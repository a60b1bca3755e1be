"""The searcher: one pipeline from query to ranked, explained hits, for every door and both corpora."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import timezone, tzinfo
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from memtui.cognition.decay import derived_confidence
from memtui.model.belief import BeliefState
from memtui.model.details import Strength
from memtui.model.instants import Instant
from memtui.model.results import Hit, Order, RecordView
from memtui.model.versions import Version
from memtui.search.association import Association, Encodings, associate, cue_of
from memtui.search.conditions import Phrase
from memtui.search.contradictions import Contradictions
from memtui.search.corpus import Corpus
from memtui.search.dense import BEST, DensePlane, Meaning, plane_of
from memtui.search.factors import FactorPlane
from memtui.search.filters import Standing, narrowed
from memtui.search.lexical import LexicalPlane
from memtui.search.mask import BeliefMask, Masks
from memtui.search.ordering import Unranked, arranged
from memtui.search.passages import Passages
from memtui.search.policy import DEFAULT_POLICY, RankingPolicy
from memtui.search.postings import Postings
from memtui.search.priors import PriorPlane, Priors
from memtui.search.provided import ProvidedPlane
from memtui.search.ranking import Planes, Ranking, best_first
from memtui.search.reinforcing import Reinforcements
from memtui.search.request import SearchRequest, SearchResult
from memtui.search.steps import Asked, Candidates, with_brought
from memtui.search.verdicts import FAILS, PASSES, UNKNOWN, Admission, Verdicts
from memtui.store.columns import KIND_CODE
from memtui.text.analysis import query_terms

_NOWHERE: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
_BATCH = 64
"""How many records are read at a time while a filter looks for the next that pass."""


class Searcher:
    """Searches one corpus. What does not depend on the words is worked out once: a keystroke only pays for its own.

    Thread-safe.
    """

    def __init__(self, corpus: Corpus, policy: RankingPolicy = DEFAULT_POLICY) -> None:
        self.corpus = corpus
        self.policy = policy
        self._plane: LexicalPlane | None = None
        """Of the belief state that was searched last."""
        self._encodings = Encodings()

    def over(self, corpus: Corpus) -> Searcher:
        """The searcher of the same store later; what was worked out is kept where only recalls were added."""
        later = Searcher(corpus, self.policy)
        if corpus.columns is self.corpus.columns and corpus.lengths is self.corpus.lengths:
            later._masks, later._factors, later._priors = self._masks, self._factors, self._priors
            later.first_rows, later._verdicts = self.first_rows, self._verdicts
            later._plane, later._encodings = self._plane, self._encodings
            later.__dict__.update({k: v for k, v in self.__dict__.items() if k == "contradictions"})
            later.reinforcements = self.reinforcements.followed_by(corpus.recalls())
        return later

    @cached_property
    def _masks(self) -> Masks:
        return Masks(self.corpus.columns, self.corpus.lengths)

    @cached_property
    def _factors(self) -> FactorPlane:
        return FactorPlane(self.corpus.columns, self.policy)

    @cached_property
    def _priors(self) -> PriorPlane:
        return PriorPlane(self.corpus.columns, self.policy)

    @cached_property
    def _verdicts(self) -> Verdicts:
        return Verdicts(len(self.corpus.columns))

    @cached_property
    def reinforcements(self) -> Reinforcements:
        """What recalls have made of every version."""
        return Reinforcements(self.corpus.columns, self._priors.stability, self.corpus.recalls(), self.policy.memory)

    @cached_property
    def contradictions(self) -> Contradictions:
        """Which memories contradict another, in any belief state."""
        return Contradictions(self.corpus, self.policy.many)

    @cached_property
    def first_rows(self) -> NDArray[np.int64]:
        """The row of each record's first version, by record number."""
        _, rows = np.unique(self.corpus.columns.record, return_index=True)
        return rows

    def mask(self, belief: BeliefState, present: Instant, *, everything: bool = False) -> BeliefMask:
        """What is visible in a belief state, given the present of the store."""
        return self._masks.of(belief, present, everything=everything)

    def search(self, request: SearchRequest, present: Instant, zone: tzinfo = timezone.utc) -> SearchResult:
        """The best hits for a request. Never raises on any query text; writes nothing.

        `zone` is the reader's: the time of day belongs to a cue.
        """
        asked = self._asked(request, present, zone)
        found = self._candidates(asked)
        ranking, order = self._ranked(asked, found)
        hits = tuple(self._hits(asked, found, ranking, order))
        return SearchResult(
            hits,
            self._count_hidden(request, asked.admission, asked.mask.hidden_row_of_text[asked.match.hidden]),
            filtered_out=0 if hits or found.provided is not None else asked.matching,
            fused=found.dense is not None,
            decided=ranking.pinned is not None,
            by_meaning_alone=bool(hits) and found.by_meaning_alone(asked.match),
        )

    def _asked(self, request: SearchRequest, present: Instant, zone: tzinfo) -> Asked:
        """The query analysed and matched under the mask of its belief state, and what its filters leave of that."""
        query = query_terms(request.positive)
        mask = self.mask(request.belief, present, everything=request.looks_everywhere)
        texts, names = self.corpus.postings(query)
        match = self._lexical(texts, names, mask).match(query)
        matching = len(match.candidates)
        known_at, _ = request.belief.settle(present)
        now = known_at if request.scoring_now is None else request.scoring_now
        standing = self._standing(mask.true_at, now=now, known_at=known_at)
        lists = request.filters is not None and request.filters.lists and not query.terms
        if request.filters is not None:
            mask, match = narrowed(request.filters, mask, match, (texts, names), standing, lists=lists)
        admission = self._verdicts.on(request.conditions)
        return Asked(request, mask, match, matching, admission, standing, known_at, zone, bool(query.terms), lists)

    def _candidates(self, asked: Asked) -> Candidates:
        """What words, circumstances and meaning bring, or a registered engine alone; of it what passes the filters."""
        request, mask, match = asked.request, asked.mask, asked.match
        provided = None if request.provided is None else ProvidedPlane(request.provided, self.corpus, mask)
        associated = self._associated(asked)
        dense = None if request.meaning is None else self._dense(asked, request.meaning)
        near = _NOWHERE if dense is None else dense.near()
        if provided is not None:
            text_ids = provided.text_ids
        else:
            text_ids = with_brought(match.candidates, np.array(list(associated), dtype=np.int64), near)
        found = Candidates(text_ids, mask.row_of_text[text_ids], associated, dense, provided, near)
        found = found.only(self._kinds_match(found.rows, request.kinds))
        if request.filters_fields and not asked.lists:
            # What fails has no say in what is best, nor in what words decide.
            found = found.only(self._passing(asked.admission, found.rows))
        return found

    def _associated(self, asked: Asked) -> Mapping[int, Association]:
        """The memories whose circumstances answer the cue, where they are asked for, and those linked to them."""
        request = asked.request
        of_engrams = not request.kinds or "engram" in request.kinds
        if request.provided is not None or not (request.ecphory and asked.has_words and of_engrams):
            return {}
        return associate(
            self.corpus,
            asked.mask,
            asked.match,
            cue_of(request.words, tags=request.topics, now=asked.now, zone=asked.zone),
            now=asked.now,
            policy=self.policy,
            admits=request.admits if request.filters_fields else None,
            encodings=self._encodings,
        )

    def _ranked(self, asked: Asked, found: Candidates) -> tuple[Ranking | Unranked, NDArray[np.int64]]:
        """The final numbers of the candidates, fused, calibrated and with their priors; and their places, best first.

        Without words none is better than another: what passes is listed in an order of its own.
        """
        request, rows = asked.request, found.rows
        reinforcements = self.reinforcements if request.counts_recalls else None
        priors = self._priors.of(rows, now=asked.now, known_at=asked.known_at, reinforcements=reinforcements)
        if asked.lists:
            told = asked.admission.told(rows)
            kept = np.flatnonzero(told != FAILS)
            most = None if (told == UNKNOWN).any() else request.limit
            return Unranked(priors, self.policy), kept[self._in_order(request.order, rows[kept], asked.standing, most)]
        factors = self._factors.of(rows, now=asked.now, overridden=asked.mask.overridden)
        planes = Planes(found.associated, found.dense, request.fusion, found.provided)
        ranking = Ranking(asked.match, found.text_ids, factors, priors, planes, self.policy)
        if request.order != "relevance":
            return ranking, self._in_order(request.order, rows, asked.standing, request.limit)
        recorded_at = self.corpus.columns.recorded_at[rows]
        return ranking, best_first(ranking.final, recorded_at, lambda: self._name_order(rows), request.limit)

    def _hits(
        self, asked: Asked, found: Candidates, ranking: Ranking | Unranked, order: NDArray[np.int64]
    ) -> Iterator[Hit]:
        """The best that pass, each with what makes its passage and its explanation when they are read."""
        meaning, mask, match = asked.request.meaning, asked.mask, asked.match
        index = None if found.dense is None or meaning is None else self.corpus.dense(meaning.space)
        passages = Passages(match, meaning, index)
        for place, version in self._admitted(asked.admission, found.rows[order], order, asked.request.limit):
            text_id = int(found.text_ids[place])
            association = found.associated.get(text_id)
            row = int(found.rows[place])
            overridden = mask.overridden is not None and bool(mask.overridden[row])
            contradicted = bool(version.content.claims) and row in self.contradictions.rows(mask.known_at, mask.true_at)
            yield Hit(
                view(version, mask.true_at, overridden=overridden, contradicted=contradicted),
                score=float(match.score[text_id]),
                rank_score=float(ranking.final[place]),
                coverage=float(match.coverage[text_id]),
                snip=passages.of(text_id),
                explain=partial(ranking.explain, place),
                via=None if association is None else association.via,
            )

    def arranged(
        self, order: Order, rows: NDArray[np.int64], belief: BeliefState, present: Instant, limit: int | None
    ) -> NDArray[np.int64]:
        """Places of version rows in an order that needs no query."""
        known_at, true_at = belief.settle(present)
        return self._in_order(order, rows, self._standing(true_at, now=known_at, known_at=known_at), limit)

    def _in_order(
        self, order: Order, rows: NDArray[np.int64], standing: Standing, limit: int | None
    ) -> NDArray[np.int64]:
        return arranged(order, rows, standing, lambda: self._name_order(rows), limit)

    def _lexical(self, texts: Postings, names: Postings, mask: BeliefMask) -> LexicalPlane:
        """The words under a mask; kept, so that a query typed on costs only what is new of it."""
        plane = self._plane  # read once: another thread may search another belief state
        if plane is None or not plane.is_over(texts, names, mask):
            plane = self._plane = LexicalPlane(texts, names, mask, self.policy)
        return plane

    def _standing(self, true_at: Instant, *, now: Instant, known_at: Instant) -> Standing:
        """Where a query's filters look from: what recalls have kept in mind counts there, also in a search."""

        def priors(rows: NDArray[np.int64]) -> Priors:
            return self._priors.of(rows, now=now, known_at=known_at, reinforcements=self.reinforcements)

        def contradicted(rows: NDArray[np.int64]) -> NDArray[np.bool_]:
            return self.contradictions.among(rows, known_at, true_at)

        return Standing(self.corpus.columns, true_at, now, priors, contradicted)

    def _name_order(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        return self.corpus.name_order()[self.corpus.columns.record[rows]]

    def _dense(self, asked: Asked, meaning: Meaning) -> DensePlane | None:
        """How near everything that passes the filters is to a meaning; None where nothing is embedded in its space."""
        request, mask, admission = asked.request, asked.mask, asked.admission
        index = self.corpus.dense(meaning.space)
        if index is None or not index.chunks:
            return None
        similarity = index.similarity(meaning.vector, len(mask.visible))
        text_ids = np.flatnonzero(mask.visible & ~np.isnan(similarity))
        rows = mask.row_of_text[text_ids]
        of_kind = self._kinds_match(rows, request.kinds)
        text_ids, rows = text_ids[of_kind], rows[of_kind]
        product = self._factors.of(rows, now=asked.now, overridden=mask.overridden).product
        if request.filters_fields:
            order = np.argsort(-similarity[text_ids] * product, kind="stable")
            order = order[admission.told(rows[order]) != FAILS]
            # One more than are told apart: filters come before limits.
            nearest = self._admitted(admission, rows[order], order, BEST + 1)
            places = np.array([place for place, _ in nearest], dtype=np.int64)
            text_ids, product = text_ids[places], product[places]
        factor = np.full(len(mask.visible), np.nan)
        factor[text_ids] = product
        return plane_of(similarity, factor, background=meaning.background, floor=meaning.floor)

    def matching(self, request: SearchRequest, present: Instant) -> set[int]:
        """The records, by number, that a request finds by words and filters, however many."""
        asked = self._asked(request, present, timezone.utc)
        rows = self._candidates(asked).rows
        return set(self.corpus.columns.record[rows[self._passing(asked.admission, rows)]].tolist())

    def strength(self, record: RecordView, now: Instant) -> Strength:
        """How an engram stands at `now` after all its recalls up to then."""
        columns = self.corpus.columns
        partition = columns.partitions.index(record.key.partition)
        (row,) = np.flatnonzero((columns.seq == record.seq) & (columns.partition == partition))
        after = self.reinforcements.of(int(row), now)
        confidence = derived_confidence(record.content.confidence, after.counted, self.policy.memory)
        return Strength(
            after.retention_at(now, self.policy.memory), after.stability, after.last, after.counted, confidence
        )

    def retentions(self, records: Sequence[RecordView], now: Instant) -> list[float | None]:
        """How present each is in mind at `now` after its recalls up to then, in (0, 1]; None for what does not fade."""
        columns = self.corpus.columns
        rows = np.empty(len(records), dtype=np.int64)
        for partition in {record.key.partition for record in records}:
            (of_partition,) = np.nonzero(columns.partition == columns.partitions.index(partition))
            places = [place for place, record in enumerate(records) if record.key.partition == partition]
            # Within a partition `seq` rises with the rows.
            seqs = [records[place].seq for place in places]
            rows[places] = of_partition[np.searchsorted(columns.seq[of_partition], seqs)]
        found: list[float | None] = [None] * len(records)
        for place, retention in zip(*(array.tolist() for array in self.presence(rows, now)), strict=True):
            found[place] = retention
        return found

    def presence(self, rows: NDArray[np.int64], now: Instant) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Which of the version rows fade, by place, and how present each of these is in mind at `now`, in (0, 1]."""
        priors = self._priors.of(rows, now=now, known_at=now, reinforcements=self.reinforcements)
        return priors.fading, priors.retention

    def admitted_records(self, request: SearchRequest, present: Instant, records: Collection[int]) -> set[int]:
        """Which of these records, by number, a search with the request's filters could find by other words.

        The phrases that must stand in a record are what is looked for, and may be what is mistyped: they say nothing.
        """
        columns, filters = self.corpus.columns, request.filters
        mask = self.mask(request.belief, present, everything=request.looks_everywhere)
        passing = mask.visible
        if filters is not None:
            texts, _ = self.corpus.postings(query_terms(request.positive))
            passing = passing & filters.without_excluded(texts, len(passing))
        rows = mask.row_of_text[passing]
        rows = rows[np.isin(columns.record[rows], list(records))]
        rows = rows[self._kinds_match(rows, request.kinds)]
        if filters is not None:
            known_at, _ = request.belief.settle(present)
            now = known_at if request.scoring_now is None else request.scoring_now
            rows = rows[filters.passing(rows, self._standing(mask.true_at, now=now, known_at=known_at))]
        asked = [
            condition for condition in request.conditions if condition.excludes or not isinstance(condition, Phrase)
        ]
        if asked:
            admitted = self._admitted(self._verdicts.on(asked), rows, np.arange(len(rows)), len(rows))
            rows = rows[[place for place, _ in admitted]]
        return set(columns.record[rows].tolist())

    def _passing(self, admission: Admission, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The places of the version rows that pass; those of which it is not known are read for that."""
        told = admission.told(rows)
        unknown = np.flatnonzero(told == UNKNOWN)
        for start in range(0, len(unknown), _BATCH):
            places: list[int] = unknown[start : start + _BATCH].tolist()
            versions = self.corpus.versions([int(rows[place]) for place in places])
            for place, version in zip(places, versions, strict=True):
                told[place] = PASSES if admission.admits(int(rows[place]), version) else FAILS
        return np.flatnonzero(told == PASSES)

    def _count_hidden(self, request: SearchRequest, admission: Admission, rows: NDArray[np.int64]) -> int:
        """How many of the rows that are not in force pass the filters: `everything` would show just these."""
        rows = rows[self._kinds_match(rows, request.kinds)]
        return len(self._passing(admission, rows))

    def _kinds_match(self, rows: NDArray[np.int64], kinds: tuple[str, ...]) -> NDArray[np.bool_]:
        if not kinds:
            return np.ones(len(rows), dtype=np.bool_)
        codes = np.array([KIND_CODE[kind] for kind in kinds], dtype=np.int8)
        return np.isin(self.corpus.columns.kind[rows], codes)

    def _admitted(
        self, admission: Admission, rows: NDArray[np.int64], places: NDArray[np.int64], limit: int
    ) -> Iterator[tuple[int, Version]]:
        """Places whose version rows pass, in order, until there are enough: filters come before limits."""
        taken = 0
        for start in range(0, len(rows), _BATCH):
            batch: list[int] = rows[start : start + _BATCH].tolist()
            of_batch: list[int] = places[start : start + _BATCH].tolist()
            for place, row, version in zip(of_batch, batch, self.corpus.versions(batch), strict=True):
                if taken >= limit:
                    return
                if admission.admits(row, version):
                    taken += 1
                    yield place, version


def view(version: Version, true_at: Instant, *, overridden: bool = False, contradicted: bool = False) -> RecordView:
    """A version as it stands at a moment of world time; what others say of it only its belief state can tell."""
    return RecordView(
        key=version.key,
        content=version.content,
        state=version.content.state_at(true_at),
        recorded_at=version.recorded_at,
        seq=version.seq,
        overridden=overridden,
        contradicted=contradicted,
    )
