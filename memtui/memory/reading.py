"""Reads: search, list, show, history, counts. Every one takes the belief state; none ever writes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo

import numpy as np

from memtui.clock import monotonic_ms
from memtui.errors import NotFound
from memtui.memory.resolving import MOST_CLOSEST, Named, called, closest, names_in, resolve
from memtui.model.belief import BeliefState
from memtui.model.instants import Instant, iso
from memtui.model.records import KINDS, STATES, WORKSPACE, RecordKey, State
from memtui.model.results import Found, Listing, Order, RecordView
from memtui.search.request import SearchRequest
from memtui.search.searcher import Searcher, view
from memtui.store.columns import KIND_CODE, ORIGIN_KNOWN

MOST_BLIND_SPOTS = 100

_Entry = tuple[int, RecordKey, tuple[str, ...]]
"""A record's number, its key and its latest aliases."""


def find(searcher: Searcher, request: SearchRequest, present: Instant, zone: tzinfo) -> tuple[Found, bool]:
    """Search, and say honestly what ran; and whether words alone decide the first place."""
    started = monotonic_ms()
    result = searcher.search(request, present, zone)
    semantic = result.fused if request.provided is None else request.provided.semantic
    scanned = None if request.provided is not None else index_note(searcher)
    blind, blind_total = blind_spots(searcher, request.belief, request.kinds)

    def near() -> tuple[str, ...]:
        return _closest(searcher, request, present)

    def unheld() -> tuple[str, ...]:
        from memtui.search.unheld import unheld_values  # hardly ever needed

        believed = searcher.mask(request.belief, present, everything=True)
        mask = searcher.mask(request.belief, present, everything=request.looks_everywhere)
        return unheld_values(searcher.corpus, believed, mask, request.conditions)

    found = Found(
        query=request.query,
        hits=result.hits,
        plane="hybrid" if semantic else "scan" if scanned else "lexical",
        semantic=semantic,
        fusion=request.fusion if result.fused else None,
        degraded=scanned is not None,
        reason="; ".join(filter(None, (scanned, before_the_beginning(searcher, request.belief)))) or None,
        as_of=request.belief.known_at,
        valid_at=request.belief.true_at,
        as_of_truncated=blind,
        truncated_total=blind_total,
        took_ms=monotonic_ms() - started,
        ignored_filters=() if request.filters is None else request.filters.query.ignored,
        understood=request.understood,
        hidden=result.hidden,
        filtered_out=result.filtered_out,
        order=request.order,
        by_meaning_alone=result.by_meaning_alone,
        find_closest=near if not result.hits and request.words else tuple,
        find_unheld=unheld if not result.hits and request.filters_fields else tuple,
    )
    return found, result.decided


def _closest(searcher: Searcher, request: SearchRequest, present: Instant) -> tuple[str, ...]:
    """The names most like what is looked for, of what a search with these filters could find."""
    known = [named for named in named_records(searcher, request.belief, present) if named.in_force]
    names = [named.key.name for named in known]
    if request.filters is None and not request.kinds and not request.filters_fields:
        return tuple(closest(request.words, names))
    like = closest(request.words, names, limit=len(names))
    numbers = {key: number for number, key, _ in searcher.corpus.find(like)}
    admitted = searcher.admitted_records(request, present, numbers.values())
    passing = {named.key.name for named in known if numbers.get(named.key) in admitted}
    return tuple(name for name in like if name in passing)[:MOST_CLOSEST]


def index_note(searcher: Searcher) -> str | None:
    """A sentence if the index cannot be used, so that every search scans everything: why, and what mends it."""
    trouble = searcher.corpus.trouble
    if trouble is None:
        return None
    own = "" if searcher.corpus.partitions[0] == WORKSPACE else " --personal"
    return f"{trouble}: `memtui sync{own}` fills it anew"


def before_the_beginning(searcher: Searcher, belief: BeliefState) -> str | None:
    """A sentence for who asks about a time before anything was recorded: silence then means nothing."""
    recorded_at = searcher.corpus.columns.recorded_at
    if belief.known_at is None or not len(recorded_at) or belief.known_at >= recorded_at[0]:
        return None
    return f"nothing had been recorded yet: the first version is of {iso(int(recorded_at[0]))}"


def blind_spots(
    searcher: Searcher, belief: BeliefState, kinds: Sequence[str] = ()
) -> tuple[tuple[RecordKey, ...], int]:
    """Records of the asked kinds that may have existed at `known_at` though the ledger first saw them later.

    What is forgotten by now is among them, because whoever asks may see it with `all`; what a record of the same
    name would have hidden is not.
    """
    if belief.known_at is None:
        return (), 0
    columns, first_rows = searcher.corpus.columns, searcher.first_rows
    known = columns.recorded_at[first_rows] <= belief.known_at
    blind = ~known & ((columns.flags[first_rows] & ORIGIN_KNOWN) == 0)
    if columns.shadows is not None:
        hidden, hiding = columns.shadows
        numbers = columns.record[first_rows]
        hides = np.isin(hiding, numbers[known | blind])
        blind &= ~np.isin(numbers, hidden[hides])
    if kinds:
        blind &= np.isin(columns.kind[first_rows], [KIND_CODE[kind] for kind in kinds])
    rows = first_rows[blind]
    versions = searcher.corpus.versions([int(row) for row in rows[:MOST_BLIND_SPOTS]])
    return tuple(version.key for version in versions), len(rows)


def _rows(searcher: Searcher, belief: BeliefState, present: Instant, *, everything: bool) -> tuple[list[int], Instant]:
    known_at, true_at = belief.settle(present)
    rows = searcher.corpus.columns.rows_at(known_at)
    if not everything:
        rows = rows[searcher.corpus.columns.in_force(rows, true_at)]
    return [int(row) for row in rows], true_at


def list_records(
    searcher: Searcher,
    request: SearchRequest,
    present: Instant,
    *,
    limit: int | None = None,
    offset: int = 0,
    order: Order | None = None,
) -> Listing:
    """The records a request admits, without scores: in an order, or by kind and name."""
    rows, true_at = _rows(searcher, request.belief, present, everything=request.everything)
    columns = searcher.corpus.columns
    if request.kinds:
        wanted = {KIND_CODE[kind] for kind in request.kinds if kind in KIND_CODE}
        rows = [row for row in rows if int(columns.kind[row]) in wanted]
    if request.filters_fields:
        rows = [
            row for row, version in zip(rows, searcher.corpus.versions(rows), strict=True) if request.admits(version)
        ]
    end = None if limit is None else offset + limit
    if order is not None:
        every = np.array(rows, dtype=np.int64)
        page: list[int] = every[searcher.arranged(order, every, request.belief, present, end)[offset:]].tolist()
    else:
        names = searcher.corpus.name_order()
        rows.sort(key=lambda row: (int(columns.kind[row]), int(names[columns.record[row]])))
        page = rows[offset:end]
    versions = searcher.corpus.versions(page)
    overridden = _overridden(searcher, request.belief, present)
    contradicted = _contradicted(searcher, request.belief, present)
    return Listing(
        len(rows),
        tuple(
            view(version, true_at, overridden=row in overridden, contradicted=row in contradicted)
            for row, version in zip(page, versions, strict=True)
        ),
        reason=before_the_beginning(searcher, request.belief),
    )


def _overridden(searcher: Searcher, belief: BeliefState, present: Instant) -> frozenset[int]:
    """The version rows of records that a later entry overrides in a belief state."""
    known_at, true_at = belief.settle(present)
    rows = searcher.corpus.columns.rows_at(known_at)
    found = searcher.corpus.columns.overridden(rows, true_at)
    return frozenset() if found is None else frozenset(rows[found].tolist())


def _contradicted(searcher: Searcher, belief: BeliefState, present: Instant) -> frozenset[int]:
    """The version rows of memories that contradict another in a belief state."""
    return searcher.contradictions.rows(*belief.settle(present))


def named_records(searcher: Searcher, belief: BeliefState, present: Instant) -> list[Named]:
    """Every record a name may mean in a belief state: those known then, forgotten ones marked."""
    known_at, true_at = belief.settle(present)
    columns = searcher.corpus.columns
    rows = columns.rows_at(known_at)
    in_force = dict(zip(columns.record[rows].tolist(), columns.in_force(rows, true_at).tolist(), strict=True))
    if belief.known_at is not None:
        # Aliases given since then were no names yet.
        versions = searcher.corpus.versions([int(row) for row in rows])
        numbers = columns.record[rows].tolist()
        return [
            Named(version.key, version.content.aliases, in_force=in_force[number])
            for number, version in zip(numbers, versions, strict=True)
        ]
    return [
        Named(key, aliases, in_force=in_force[number])
        for number, key, aliases in searcher.corpus.names()
        if number in in_force
    ]


def resolved(
    searcher: Searcher, asked: str, belief: BeliefState, present: Instant, *, forgotten: bool = False
) -> RecordKey:
    """The one record that `asked` names in a belief state, see `resolve`.

    A whole name is looked up by itself; every name is read only for the beginning of one, or to tell the closest.
    """
    found = _believed(searcher, searcher.corpus.find(names_in(asked)), belief, present)
    # Aliases given since a past moment were no names yet: there only names are certain.
    known = [Named(key, aliases if belief.known_at is None else ()) for _, key, aliases in found]
    if len(known) == 1 and (key := called(asked, known)) is not None:
        return key
    return resolve(asked, named_records(searcher, belief, present), forgotten=forgotten)


def admit(searcher: Searcher, key: RecordKey, belief: BeliefState, present: Instant) -> RecordKey:
    """The key, if it is of a record that may be read here and was known in a belief state. Raises NotFound."""
    _entry(searcher, key, belief, present)
    return key


def _entry(searcher: Searcher, key: RecordKey, belief: BeliefState, present: Instant) -> _Entry:
    same = [entry for entry in searcher.corpus.find([key.name]) if entry[1] == key]
    for entry in _believed(searcher, same, belief, present):
        return entry
    if belief.known_at is None:
        raise NotFound(f"no record is named {key.kind}/{key.name}", value=key.name)
    raise NotFound(f"{key.kind}/{key.name} was not known then", value=key.name)


def _believed(searcher: Searcher, entries: Sequence[_Entry], belief: BeliefState, present: Instant) -> Sequence[_Entry]:
    """Those of the records that were known in a belief state and that none of the same kind and name hid."""
    corpus = searcher.corpus
    if not entries:
        return ()
    if belief.known_at is not None:
        known_at, _ = belief.settle(present)
        columns = corpus.columns
        believed = set(columns.record[columns.rows_at(known_at)].tolist())
        return [entry for entry in entries if entry[0] in believed]
    if len(corpus.partitions) == 1:
        return entries
    # What has a name is known by now; one question more is less than reading the numbers of every version.
    place = {partition: number for number, partition in enumerate(corpus.partitions)}
    first: dict[tuple[str, str], int] = {}
    for _, key, _ in corpus.find(sorted({entry[1].name for entry in entries})):
        first[key.kind, key.name] = min(place[key.partition], first.get((key.kind, key.name), len(place)))
    return [entry for entry in entries if place[entry[1].partition] == first[entry[1].kind, entry[1].name]]


def show_record(searcher: Searcher, key: RecordKey, belief: BeliefState, present: Instant) -> RecordView:
    """One record as it stood. Raises NotFound if it was not known then, or may not be read here."""
    number, _, _ = _entry(searcher, key, belief, present)
    known_at, true_at = belief.settle(present)
    columns = searcher.corpus.columns
    rows = np.flatnonzero((columns.record == number) & (columns.recorded_at <= known_at))
    row = int(rows[-1])
    overridden = row in _overridden(searcher, belief, present)
    contradicted = row in _contradicted(searcher, belief, present)
    return view(searcher.corpus.versions([row])[0], true_at, overridden=overridden, contradicted=contradicted)


def counts(searcher: Searcher, belief: BeliefState, present: Instant) -> tuple[dict[str, int], dict[State, int]]:
    """Live records per kind, and all that are believed by how they stand."""
    known_at, true_at = belief.settle(present)
    columns = searcher.corpus.columns
    rows = columns.rows_at(known_at)
    states = columns.states(rows, true_at)
    live = np.bincount(columns.kind[rows[states == STATES.index("in_force")]], minlength=len(KINDS))
    told = np.bincount(states, minlength=len(STATES))
    kinds = {kind: int(live[code]) for code, kind in enumerate(KINDS)}
    return kinds, {state: int(told[code]) for code, state in enumerate(STATES) if told[code] or state == "in_force"}
