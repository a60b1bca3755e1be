"""Reads: search, list, show, history, counts. Every one takes the belief state; none ever writes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import tzinfo

import numpy as np

from memtui.clock import monotonic_ms
from memtui.memory.resolving import Named, closest
from memtui.model.belief import BeliefState
from memtui.model.instants import Instant, iso
from memtui.model.records import KINDS, RecordKey, State
from memtui.model.results import Found, Listing, RecordView
from memtui.search.searcher import Searcher, SearchRequest, view
from memtui.store.columns import ORIGIN_KNOWN

MOST_BLIND_SPOTS = 100


def find(searcher: Searcher, request: SearchRequest, present: Instant, zone: tzinfo) -> Found:
    """Search, and say honestly what ran."""
    started = monotonic_ms()
    result = searcher.search(request, present, zone)
    blind, blind_total = blind_spots(searcher, request.belief)

    def near() -> tuple[str, ...]:
        known = named_records(searcher, request.belief, present)
        return tuple(closest(request.query.strip(), [named.key.name for named in known if named.in_force]))

    return Found(
        query=request.query,
        hits=result.hits,
        reason=before_the_beginning(searcher, request.belief),
        as_of=request.belief.known_at,
        valid_at=request.belief.true_at,
        as_of_truncated=blind,
        truncated_total=blind_total,
        took_ms=monotonic_ms() - started,
        hidden=result.hidden,
        find_closest=near if not result.hits and request.query.strip() else tuple,
    )


def before_the_beginning(searcher: Searcher, belief: BeliefState) -> str | None:
    """A sentence for who asks about a time before anything was recorded: silence then means nothing."""
    recorded_at = searcher.corpus.columns.recorded_at
    if belief.known_at is None or not len(recorded_at) or belief.known_at >= recorded_at[0]:
        return None
    return f"nothing had been recorded yet: the first version is of {iso(int(recorded_at[0]))}"


def blind_spots(searcher: Searcher, belief: BeliefState) -> tuple[tuple[RecordKey, ...], int]:
    """Records that may have existed at `known_at` though the ledger first saw them later."""
    if belief.known_at is None:
        return (), 0
    columns = searcher.corpus.columns
    _, first_rows = np.unique(columns.record, return_index=True)
    later = columns.recorded_at[first_rows] > belief.known_at
    unknown = (columns.flags[first_rows] & ORIGIN_KNOWN) == 0
    rows = first_rows[later & unknown]
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
    belief: BeliefState,
    present: Instant,
    *,
    kinds: Sequence[str] = (),
    everything: bool = False,
    limit: int | None = None,
    offset: int = 0,
    newest_first: bool = False,
) -> Listing:
    """Records without scores, ordered by kind and name, or newest first."""
    rows, true_at = _rows(searcher, belief, present, everything=everything)
    columns = searcher.corpus.columns
    if kinds:
        wanted = {KINDS.index(kind) for kind in kinds if kind in KINDS}
        rows = [row for row in rows if int(columns.kind[row]) in wanted]
    order = searcher.corpus.name_order()
    if newest_first:
        # One sync records many at once: among them what is true since last comes first.
        rows.sort(
            key=lambda row: (
                -int(columns.recorded_at[row]),
                -int(columns.valid_from[row]),
                int(order[columns.record[row]]),
            )
        )
    else:
        rows.sort(key=lambda row: (int(columns.kind[row]), int(order[columns.record[row]])))
    page = rows[offset:] if limit is None else rows[offset : offset + limit]
    versions = searcher.corpus.versions(page)
    return Listing(
        len(rows),
        tuple(view(version, true_at) for version in versions),
        reason=before_the_beginning(searcher, belief),
    )


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


def show_record(searcher: Searcher, key: RecordKey, belief: BeliefState, present: Instant) -> RecordView | None:
    """One record as it stood, or None if it was not known then."""
    known_at, true_at = belief.settle(present)
    columns = searcher.corpus.columns
    number = next((number for number, known, _ in searcher.corpus.names() if known == key), -1)
    rows = columns.rows_at(known_at)
    rows = rows[columns.record[rows] == number]
    if not len(rows):
        return None
    return view(searcher.corpus.versions([int(rows[-1])])[0], true_at)


def counts(searcher: Searcher, belief: BeliefState, present: Instant) -> tuple[dict[str, int], dict[State, int]]:
    """Live records per kind, and all that are believed by how they stand."""
    rows, true_at = _rows(searcher, belief, present, everything=False)
    everything, _ = _rows(searcher, belief, present, everything=True)
    tally = Counter(KINDS[int(searcher.corpus.columns.kind[row])] for row in rows)
    others = searcher.corpus.versions(sorted(set(everything) - set(rows)))
    states = Counter[State](version.content.state_at(true_at) for version in others)
    states["in_force"] = len(rows)
    return {kind: tally[kind] for kind in KINDS}, dict(sorted(states.items()))
