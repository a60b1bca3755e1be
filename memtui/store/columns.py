"""The ledger as columns of numbers: enough to compute any belief state without reading a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memtui.model.instants import Instant
from memtui.model.intervals import OPEN_END
from memtui.model.records import DRAWING_FILE, KINDS, STATES, Content, Kind

UNKNOWN: Instant = np.iinfo(np.int64).min
"""An instant that is not known, inside int64 columns."""

KIND_CODE: Mapping[str, int] = {kind: code for code, kind in enumerate(KINDS)}

PINNED = 1
FINISHED = 2
CAPTURED = 4
ORIGIN_KNOWN = 8
REVIVED = 16
DOCUMENT = 32
REINFORCES = 64
SUPERSEDED = 128
DRAWING = 256
CLAIMS = 512

_FINISHED_STATUSES = frozenset({"completed", "complete", "done", "archived", "closed", "cancelled", "superseded"})
_ARCHIVES = frozenset({"archive", "archives", "archived"})
"""Folders and tags for what is put away."""
_CAPTURE_MARKS = frozenset({"digest", "bookmark", "capture"})
_LAST_PART = re.compile("[:/]")


def flags_of(kind: Kind | str, content: Content, *, origin_known: bool, reinforces: bool) -> int:
    """The bits of a version that ranking and reading need without its texts."""
    flags = PINNED if content.pinned else 0
    if (content.status or "").strip().casefold() in _FINISHED_STATUSES or _put_away(content):
        flags |= FINISHED
    marks = {tag.casefold() for tag in content.tags} | {(content.doc_type or "").casefold()}
    if marks & _CAPTURE_MARKS:
        flags |= CAPTURED
    if origin_known:
        flags |= ORIGIN_KNOWN
    if content.revivals:
        flags |= REVIVED
    if reinforces:
        flags |= REINFORCES
    if content.superseded_by:
        flags |= SUPERSEDED
    if content.claims:
        flags |= CLAIMS
    if kind not in ("engram", "research", "evidence"):
        flags |= DOCUMENT
        if (content.path or "").casefold().endswith(DRAWING_FILE):
            flags |= DRAWING
    return flags


def _put_away(content: Content) -> bool:
    """Whether a record lies in an archive, by its folder or by a tag such as `archived` or `kind:archive`."""
    folders = (content.path or "").casefold().split("/")[:-1]
    tags = (_LAST_PART.split(tag.casefold())[-1] for tag in content.tags)
    return not _ARCHIVES.isdisjoint((*folders, *tags))


@dataclass(frozen=True, slots=True)
class VersionColumns:
    """One row per version, oldest first (by `recorded_at`, then `seq`). Shapes: all (n,).

    `record` numbers records densely from 0; `valid_from` is `UNKNOWN` and `valid_to` `OPEN_END`
    where the version has none; `gaps` holds the validity intervals of rows flagged `REVIVED`.
    `confidence` is the authored number, a label's code (see `cognition.decay.LABEL_CODES`) or NaN; `stability_days`
    NaN where it is not given; `affect` a place in `affects`, -1 for none. `reinforced_at` is the transaction
    time of the record's last version up to this one that says something new.
    """

    record: NDArray[np.int64]
    partition: NDArray[np.int16]
    seq: NDArray[np.int64]
    recorded_at: NDArray[np.int64]
    valid_from: NDArray[np.int64]
    valid_to: NDArray[np.int64]
    text_id: NDArray[np.int64]
    kind: NDArray[np.int8]
    flags: NDArray[np.int16]
    dated: NDArray[np.int64]
    confidence: NDArray[np.float64]
    stability_days: NDArray[np.float64]
    affect: NDArray[np.int16]
    reinforced_at: NDArray[np.int64]
    gaps: Mapping[int, tuple[tuple[Instant, Instant], ...]]
    partitions: tuple[str, ...]
    records: int
    affects: tuple[str, ...] = ()
    shadows: NDArray[np.int64] | None = None
    """Pairs (hidden record, the record of the same kind and name that hides it): shape (2, s); None for none."""
    supersedes: NDArray[np.int64] | None = None
    """Pairs (version row, the record that it says it replaces): shape (2, s); None for none."""

    def __len__(self) -> int:
        return len(self.record)

    def rows_at(self, known_at: Instant) -> NDArray[np.int64]:
        """The row of each record's version as believed at `known_at`, in row order.

        One pass: rows are ordered by transaction time, so the last write for a record wins.
        """
        until = int(np.searchsorted(self.recorded_at, known_at, side="right"))
        latest = np.full(self.records, -1, dtype=np.int64)
        latest[self.record[:until]] = np.arange(until)
        if self.shadows is not None:
            hidden, hiding = self.shadows
            latest[hidden[latest[hiding] >= 0]] = -1
        rows = latest[latest >= 0]
        rows.sort()
        return rows

    def in_force(self, rows: NDArray[np.int64], true_at: Instant) -> NDArray[np.bool_]:
        """For each of the rows: whether its validity set contains `true_at`."""
        inside = (self.valid_from[rows] <= true_at) & (true_at < self.valid_to[rows])
        inside &= self.valid_from[rows] != UNKNOWN
        if self.gaps:
            for i in np.flatnonzero(self.flags[rows] & REVIVED):
                intervals = self.gaps[int(rows[i])]
                inside[i] = any(start <= true_at < end for start, end in intervals)
        return inside

    def overridden(self, rows: NDArray[np.int64], true_at: Instant) -> NDArray[np.bool_] | None:
        """For each of the rows, one a record: whether a later one of them that is in force says it replaces it.

        Later by what they say of their dates; where one says nothing, what names the other came after it. None for
        none at all.
        """
        if self.supersedes is None:
            return None
        row, record = self.supersedes
        speaks = np.isin(row, rows[self.in_force(rows, true_at)])
        row, record = row[speaks], record[speaks]
        own = np.full(self.records, -1, dtype=np.int64)
        own[self.record[rows]] = rows
        named = own[record]
        later = (self.dated[row] >= self.dated[named]) | (self.dated[row] == UNKNOWN)
        found = np.isin(rows, named[(named >= 0) & later])
        return found if found.any() else None

    def states(self, rows: NDArray[np.int64], true_at: Instant) -> NDArray[np.int8]:
        """For each of the rows its place in `STATES` at `true_at`, as `Content.state_at` tells it. Shape: (len(rows),).

        An empty window is neither to come nor over: who has it is forgotten, or superseded by what came after.
        """
        start, end = self.valid_from[rows], self.valid_to[rows]
        for i in np.flatnonzero(self.flags[rows] & REVIVED) if self.gaps else ():
            intervals = self.gaps[int(rows[i])]
            start[i], end[i] = (intervals[0][0], intervals[-1][1]) if intervals else (0, 0)
        codes = np.full(len(rows), STATES.index("forgotten"), dtype=np.int8)
        codes[((self.flags[rows] & SUPERSEDED) != 0) & (true_at >= self.valid_to[rows])] = STATES.index("superseded")
        codes[(true_at < start) & (start < end)] = STATES.index("not_yet")
        codes[self.in_force(rows, true_at)] = STATES.index("in_force")
        return codes


def reinforced_at(
    record: NDArray[np.int64],
    recorded_at: NDArray[np.int64],
    flags: NDArray[np.int16],
    renamed: Iterable[tuple[int, int]] = (),
) -> NDArray[np.int64]:
    """For each version the stamp of the last one of its record, itself included, that says something new.

    `renamed` are pairs (record, the record it goes on from), earlier renames first: what says nothing new since a
    rename counts from what was said under the earlier name.
    """
    if not len(record):
        return recorded_at
    order = np.argsort(record, kind="stable")
    own, times = record[order], recorded_at[order]
    said = (flags[order] & REINFORCES) != 0
    first = np.ones(len(own), dtype=np.bool_)
    first[1:] = own[1:] != own[:-1]
    # A record's first version always counts, so nothing leaks from one record into the next.
    last = np.maximum.accumulate(np.where(said | first, np.arange(len(order)), 0))
    stamps = times[last]
    for renewed, origin in renamed:
        start, end = _span(own, renewed)
        if start == end or said[start]:
            continue  # of another partition, or with something new in the very rename
        before, until = _span(own, origin)
        until = before + int(np.searchsorted(times[before:until], int(times[start])))  # an earlier name may live on
        if before < until:
            stamps[start:end][last[start:end] == start] = stamps[until - 1]
    result = np.empty(len(order), dtype=np.int64)
    result[order] = stamps
    return result


def _span(numbers: NDArray[np.int64], number: int) -> tuple[int, int]:
    """Where a number's run begins and ends among sorted ones."""
    return int(np.searchsorted(numbers, number)), int(np.searchsorted(numbers, number, side="right"))


@dataclass(frozen=True, slots=True)
class RecallColumns:
    """The recall events a reader may count, oldest first. Shapes: (n,); `record` as in `VersionColumns`."""

    record: NDArray[np.int64]
    recorded_at: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.record)


def carried_over(recalls: RecallColumns, renamed: Iterable[tuple[int, int, Instant]]) -> RecallColumns:
    """The events with those of a renamed file's earlier names counted for it as well, up to the rename.

    `renamed` are triples (record, the record it goes on from, the stamp of the rename), earlier renames first.
    """
    order = np.argsort(recalls.record, kind="stable")
    numbers, starts = np.unique(recalls.record[order], return_index=True)
    times = dict(zip(numbers.tolist(), np.split(recalls.recorded_at[order], starts[1:]), strict=False))
    added: list[tuple[int, NDArray[np.int64]]] = []
    for record, origin, stamp in renamed:
        earlier = times.get(origin)
        earlier = None if earlier is None else earlier[earlier <= stamp]
        if earlier is not None and len(earlier):
            own = times.get(record)
            times[record] = earlier if own is None else np.concatenate([earlier, own])
            added.append((record, earlier))
    if not added:
        return recalls
    record = np.concatenate([recalls.record, *(np.full(len(t), r, dtype=np.int64) for r, t in added)])
    recorded_at = np.concatenate([recalls.recorded_at, *(t for _, t in added)])
    oldest = np.argsort(recorded_at, kind="stable")
    return RecallColumns(record[oldest], recorded_at[oldest])


def gaps_of(content: Content) -> tuple[tuple[Instant, Instant], ...]:
    """The validity set of a revived version as plain pairs, open ends as `OPEN_END`."""
    return tuple((interval.start, interval.bound) for interval in content.validity())


__all__ = ["OPEN_END", "RecallColumns", "VersionColumns", "flags_of", "gaps_of", "reinforced_at"]
