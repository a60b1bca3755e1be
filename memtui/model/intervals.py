"""Closed-open intervals of world time and the validity sets made of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from memtui.model.instants import MAX_INSTANT, Instant

Allen = Literal[
    "before",
    "meets",
    "overlaps",
    "starts",
    "during",
    "finishes",
    "equals",
    "finished by",
    "contains",
    "started by",
    "overlapped by",
    "met by",
    "after",
]
"""How two intervals can lie to one another."""

OPEN_END: Instant = MAX_INSTANT + 1
"""Stands for "no end" in arithmetic; never stored in a record and never shown."""


@dataclass(frozen=True, slots=True)
class Interval:
    """`[start, end)` in microseconds; `end` None means open. An empty interval holds no instant."""

    start: Instant
    end: Instant | None = None

    @property
    def bound(self) -> Instant:
        """The end as a number: `OPEN_END` where there is none."""
        return OPEN_END if self.end is None else self.end

    @property
    def is_empty(self) -> bool:
        """Whether no instant lies inside."""
        return self.bound <= self.start

    def contains(self, instant: Instant) -> bool:
        """Whether `start <= instant < end`."""
        return self.start <= instant < self.bound

    def overlaps(self, other: Interval) -> bool:
        """Whether some instant lies in both (intervals that only meet share none)."""
        return max(self.start, other.start) < min(self.bound, other.bound)

    def relation(self, other: Interval) -> Allen:
        """How this interval lies to another, neither of them empty: one of Allen's thirteen relations.

        After J. F. Allen, Maintaining knowledge about temporal intervals, 1983.
        """
        if self.bound < other.start:
            return "before"
        if other.bound < self.start:
            return "after"
        if self.bound == other.start:
            return "meets"
        if other.bound == self.start:
            return "met by"
        if self.start == other.start:
            return "equals" if self.bound == other.bound else "starts" if self.bound < other.bound else "started by"
        if self.bound == other.bound:
            return "finishes" if self.start > other.start else "finished by"
        if self.start < other.start:
            return "contains" if self.bound > other.bound else "overlaps"
        return "during" if self.bound < other.bound else "overlapped by"

    def meets(self, other: Interval) -> bool:
        """Whether one ends exactly where the other begins: a clean succession."""
        return self.bound == other.start or other.bound == self.start


@dataclass(frozen=True, slots=True)
class ValiditySet:
    """When something was true: disjoint, non-empty intervals in rising order."""

    intervals: tuple[Interval, ...]

    @classmethod
    def of(cls, intervals: Iterable[Interval]) -> ValiditySet:
        """The union of any intervals: empties dropped, touching or overlapping ones joined."""
        joined: list[Interval] = []
        for interval in sorted((i for i in intervals if not i.is_empty), key=lambda i: (i.start, i.bound)):
            if joined and interval.start <= joined[-1].bound:
                last = joined[-1]
                end = last.end if last.bound >= interval.bound else interval.end
                joined[-1] = Interval(last.start, end)
            else:
                joined.append(interval)
        return cls(tuple(joined))

    def contains(self, instant: Instant) -> bool:
        """Whether the instant lies in one of the intervals."""
        return any(interval.contains(instant) for interval in self.intervals)

    def overlaps(self, other: ValiditySet) -> bool:
        """Whether the two sets share an instant."""
        return any(a.overlaps(b) for a in self.intervals for b in other.intervals)

    def __iter__(self) -> Iterator[Interval]:
        return iter(self.intervals)

    def __bool__(self) -> bool:
        return bool(self.intervals)
