"""The ledger as columns of numbers: enough to compute any belief state without reading a text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memtui.model.instants import Instant
from memtui.model.intervals import OPEN_END
from memtui.model.records import KINDS, Content, Kind

UNKNOWN: Instant = np.iinfo(np.int64).min
"""An instant that is not known, inside int64 columns."""

KIND_CODE: Mapping[str, int] = {kind: code for code, kind in enumerate(KINDS)}

PINNED = 1
FINISHED = 2
CAPTURED = 4
ORIGIN_KNOWN = 8
REVIVED = 16
DOCUMENT = 32

_FINISHED_STATUSES = frozenset({"completed", "complete", "done", "archived", "closed", "cancelled", "superseded"})
_CAPTURE_MARKS = frozenset({"digest", "bookmark", "capture"})


def flags_of(kind: Kind | str, content: Content, *, origin_known: bool) -> int:
    """The bits of a version that ranking and reading need without its texts."""
    flags = PINNED if content.pinned else 0
    if content.status and content.status.strip().casefold() in _FINISHED_STATUSES:
        flags |= FINISHED
    marks = {tag.casefold() for tag in content.tags} | {(content.doc_type or "").casefold()}
    if marks & _CAPTURE_MARKS:
        flags |= CAPTURED
    if origin_known:
        flags |= ORIGIN_KNOWN
    if content.revivals:
        flags |= REVIVED
    if kind not in ("engram", "research", "evidence"):
        flags |= DOCUMENT
    return flags


@dataclass(frozen=True, slots=True)
class VersionColumns:
    """One row per version, oldest first (by `recorded_at`, then `seq`). Shapes: all (n,).

    `record` numbers records densely from 0; `valid_from` is `UNKNOWN` and `valid_to` `OPEN_END`
    where the version has none; `gaps` holds the validity intervals of rows flagged `REVIVED`.
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
    gaps: Mapping[int, tuple[tuple[Instant, Instant], ...]]
    partitions: tuple[str, ...]
    records: int

    def __len__(self) -> int:
        return len(self.record)

    def rows_at(self, known_at: Instant) -> NDArray[np.int64]:
        """The row of each record's version as believed at `known_at`, in row order.

        One pass: rows are ordered by transaction time, so the last write for a record wins.
        """
        until = int(np.searchsorted(self.recorded_at, known_at, side="right"))
        latest = np.full(self.records, -1, dtype=np.int64)
        latest[self.record[:until]] = np.arange(until)
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


def gaps_of(content: Content) -> tuple[tuple[Instant, Instant], ...]:
    """The validity set of a revived version as plain pairs, open ends as `OPEN_END`."""
    return tuple((interval.start, interval.bound) for interval in content.validity())


__all__ = ["OPEN_END", "VersionColumns", "flags_of", "gaps_of"]
