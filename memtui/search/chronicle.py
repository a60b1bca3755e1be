"""The chronicle: when things were learned, when they began and ended, and how every record stands in a belief state.

What a person moves through in time is here: arrays over all versions that a resident corpus holds, so that moving a
slider reads no file and no text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from memtui.model.instants import Instant
from memtui.model.intervals import OPEN_END
from memtui.model.records import STATES, RecordKey
from memtui.model.results import RecordView
from memtui.model.versions import Version
from memtui.search.lanes import NOT_YET_KNOWN, LaneOrder, Lanes
from memtui.search.searcher import Searcher, view
from memtui.store.columns import KIND_CODE, ORIGIN_KNOWN, REVIVED, UNKNOWN

Rows: TypeAlias = NDArray[np.int64]


class Chronicle:
    """The history of all that one searcher holds. Immutable; what is asked again is kept. Thread-safe."""

    def __init__(self, searcher: Searcher) -> None:
        self._searcher, self._columns = searcher, searcher.corpus.columns
        self._believed: tuple[Instant, Rows] | None = None

    def over(self, searcher: Searcher) -> Chronicle:
        """The chronicle of the same store later; what was worked out is kept where no version was added."""
        if searcher is self._searcher:
            return self
        later = Chronicle(searcher)
        if searcher.corpus.columns is self._columns:
            later._believed = self._believed
            later.__dict__.update({name: value for name, value in self.__dict__.items() if name in _WORKED_OUT})
        return later

    @cached_property
    def transactions(self) -> Rows:
        """The stamps at which something was recorded, rising and distinct."""
        return np.unique(self._columns.recorded_at)

    def turns(self, known_at: Instant) -> Rows:
        """The moments of world time at which something that was believed then begins or ends, rising and distinct."""
        rows = self._rows_at(known_at)
        held = np.zeros(len(self.all_turns) + 1, dtype=np.bool_)  # the last place is that of no moment
        starts, ends = self._turn_places
        held[starts[rows]] = True
        held[ends[rows]] = True
        held[np.searchsorted(self.all_turns, self._gaps(rows))] = True
        return self.all_turns[held[:-1]]

    @cached_property
    def all_turns(self) -> Rows:
        """The same of every version there ever was: what a track of world time spans."""
        columns = self._columns
        bounds = np.concatenate([columns.valid_from, columns.valid_to, self._gaps(np.arange(len(columns)))])
        return np.unique(bounds[(bounds != UNKNOWN) & (bounds != OPEN_END)])

    @cached_property
    def _turn_places(self) -> tuple[Rows, Rows]:
        """Where among all turns each version begins and ends; behind the last where it does not."""
        columns, none = self._columns, len(self.all_turns)
        starts, ends = (np.searchsorted(self.all_turns, bound) for bound in (columns.valid_from, columns.valid_to))
        return np.where(columns.valid_from == UNKNOWN, none, starts), np.where(columns.valid_to == OPEN_END, none, ends)

    def _gaps(self, rows: Rows) -> Rows:
        """The bounds of the intervals of those rows that have several."""
        columns = self._columns
        revived = rows[(columns.flags[rows] & REVIVED) != 0].tolist()
        bounds = [bound for row in revived for gap in columns.gaps[row] for bound in gap if bound != OPEN_END]
        return np.array(bounds, dtype=np.int64)

    def _rows_at(self, known_at: Instant) -> Rows:
        """The version that was believed of each record; the last moment asked for is kept."""
        kept = self._believed  # read once: another thread may ask about another moment
        if kept is None or kept[0] != known_at:
            kept = self._believed = known_at, self._columns.rows_at(known_at)
        return kept[1]

    @cached_property
    def first_known(self) -> Rows:
        """The transaction time of each record's first version, by record number."""
        return self._columns.recorded_at[self._searcher.first_rows]

    @cached_property
    def numbers(self) -> Mapping[RecordKey, int]:
        """The number of each record by its key."""
        return {key: number for number, key, _ in self._searcher.corpus.names()}

    def lanes(
        self,
        known_at: Instant,
        true_at: Instant,
        *,
        order: LaneOrder = "first-known",
        kinds: Sequence[str] = (),
        records: Sequence[int] | None = None,
        lasting: bool = False,
    ) -> Lanes:
        """Every record, or those given, as it stands in a belief state; `records` given stay in their order.

        With `lasting` without those that have been, or that nobody knew of yet.
        """
        columns = self._columns
        row = self._searcher.first_rows.copy()
        believed = self._rows_at(known_at)
        row[columns.record[believed]] = believed
        unknown = self.first_known > known_at
        shown = unknown.copy()
        shown[columns.record[believed]] = True  # what another record of its name hides is neither
        if kinds:
            shown &= np.isin(columns.kind[row], [KIND_CODE[kind] for kind in kinds])
        if records is None:
            chosen = self._ordered(np.flatnonzero(shown), row, unknown, order, known_at)
        else:
            chosen = np.array(records, dtype=np.int64)
            chosen = chosen[shown[chosen]]
        rows = row[chosen]
        state = columns.states(rows, true_at)
        state[unknown[chosen]] = NOT_YET_KNOWN
        if lasting:
            left = np.isin(state, _LASTING)
            chosen, rows, state = chosen[left], rows[left], state[left]
        blind = unknown[chosen] & ((columns.flags[rows] & ORIGIN_KNOWN) == 0)
        contradicted = self._searcher.contradictions.among(rows, known_at, true_at) & (state == _IN_FORCE)
        return Lanes(known_at, true_at, chosen, rows, state, blind, contradicted)

    def _ordered(
        self, records: Rows, row: Rows, unknown: NDArray[np.bool_], order: LaneOrder, known_at: Instant
    ) -> Rows:
        """The records in an order; ties, and all that is equal in it, by when they were first known, then by name."""
        if order == "first-known":
            return _among(self._by_first_known, records)
        if order == "name":
            return _among(self._by_name, records)
        first, name = self.first_known[records], self._searcher.corpus.name_order()[records]
        match order:
            case "area":
                keys = (name, first, self._area_order[row[records]])
            case "retention":
                # What is most present in mind first, then what does not fade, then what is not known yet.
                retention = np.full(len(records), -1.0)
                fading, present = self._searcher.presence(row[records], known_at)
                retention[fading] = present
                keys = (name, first, -retention, unknown[records])
        return records[np.lexsort(keys)]

    @cached_property
    def _by_first_known(self) -> Rows:
        return np.lexsort((self._searcher.corpus.name_order(), self.first_known))

    @cached_property
    def _by_name(self) -> Rows:
        return np.lexsort((self.first_known, self._searcher.corpus.name_order()))

    @cached_property
    def _area_order(self) -> Rows:
        """The place of each version's area among all areas; what has none comes last."""
        areas = [version.content.area or "" for version in self._searcher.corpus.versions(range(len(self._columns)))]
        order = {area: place for place, area in enumerate(sorted(set(areas), key=lambda area: (not area, area)))}
        return np.array([order[area] for area in areas], dtype=np.int64)

    def in_force(self, known_at: Instant, true_at: Instant) -> int:
        """How many records a belief state holds true."""
        return int(np.count_nonzero(self._columns.in_force(self._rows_at(known_at), true_at)))

    def version(self, row: int) -> Version:
        """The version in a row."""
        return self._searcher.corpus.versions([row])[0]

    def record(self, row: int, true_at: Instant, *, contradicted: bool = False) -> RecordView:
        """The record of a version as that version has it at a moment of world time."""
        return view(self.version(row), true_at, contradicted=contradicted)

    def versions_of(self, record: int) -> Sequence[Version]:
        """All versions of a record, oldest first."""
        return self._searcher.corpus.versions(np.flatnonzero(self._columns.record == record).tolist())

    def recorded_in(self, stamp: Instant) -> Sequence[Version]:
        """What one transaction recorded."""
        low, high = (int(np.searchsorted(self._columns.recorded_at, stamp, side)) for side in ("left", "right"))
        return self._searcher.corpus.versions(range(low, high))


def _among(order: Rows, records: Rows) -> Rows:
    """Those of an order that are among some records."""
    wanted = np.zeros(len(order), dtype=np.bool_)
    wanted[records] = True
    return order[wanted[order]]


_IN_FORCE = STATES.index("in_force")
_LASTING = (STATES.index("in_force"), STATES.index("not_yet"))
_WORKED_OUT = frozenset(name for name, value in vars(Chronicle).items() if isinstance(value, cached_property))
