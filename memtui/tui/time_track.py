"""A stretch of time on a row of cells: where an instant stands, what a cell means, and which dates to write below.

Pure: needs no screen. All arithmetic is on whole microseconds, so a stretch of forty years and one of a second are
drawn by the same rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memtui.errors import InvalidInput
from memtui.model.instants import DAY, HOUR, MAX_INSTANT, MIN_INSTANT, SECOND, Instant, from_datetime, to_datetime

_GAP = 2
"""Blank cells between two labels."""
_MOST_LEFT_OUT = 4
"""One in so many dates may be left out where a long label, one with the year, stands before it."""
SHORTEST = 16
"""Microseconds of the shortest stretch: a cell must stand for some time."""


class Tick(NamedTuple):
    """A date below the track: its cell, and the label that begins there."""

    cell: int
    label: str


@dataclass(frozen=True, slots=True)
class TimeTrack:
    """Time from `start` up to `end` on `cells` cells of equal length.

    Both are instants in microseconds, `start < end`; what lies outside stands in the first or last cell.
    """

    start: Instant
    end: Instant
    cells: int

    @property
    def length(self) -> int:
        """Microseconds from end to end."""
        return self.end - self.start

    def cell_of(self, instant: Instant) -> int:
        """The cell in which an instant stands, the outermost one for what lies beyond."""
        if self.cells < 1:
            return 0
        return min(max((instant - self.start) * self.cells // self.length, 0), self.cells - 1)

    def instant_at(self, cell: int) -> Instant:
        """The middle of a cell; the ends of the track for cells beyond it."""
        if cell < 0 or self.cells < 1:
            return self.start
        if cell >= self.cells:
            return self.end
        return self.start + (2 * cell + 1) * self.length // (2 * self.cells)

    def begin_of(self, cell: int) -> Instant:
        """The first instant that stands in a cell, or would if there were one more."""
        return self.start - (-cell * self.length // self.cells)

    def holds(self, instant: Instant) -> bool:
        """Whether an instant lies on the track."""
        return self.start <= instant <= self.end

    def density(self, events: NDArray[np.int64]) -> NDArray[np.int64]:
        """How many of the rising instants stand in each cell; those beyond the ends are left out. Shape: (cells,)."""
        if self.cells < 1:
            return np.zeros(0, dtype=np.int64)
        # Whole numbers: a float would not tell microseconds apart that lie decades from the epoch.
        bounds = np.array([self.begin_of(cell) for cell in range(self.cells)], dtype=np.int64)
        below = np.searchsorted(events, bounds, side="left")
        until = int(np.searchsorted(events, self.end, side="right"))
        return np.diff(np.append(below, until))

    def zoomed(self, factor: float, about: Instant, whole: TimeTrack) -> TimeTrack:
        """A stretch `factor` times as long around an instant that keeps its cell, within the `whole` one."""
        length = min(max(int(self.length * factor), SHORTEST), whole.length)
        about = min(max(about, self.start), self.end)
        start = about - (about - self.start) * length // self.length
        start = min(max(start, whole.start), whole.end - length)
        return replace(self, start=start, end=start + length)

    def showing(self, instant: Instant, whole: TimeTrack) -> TimeTrack:
        """The same stretch moved so that an instant lies on it, if the `whole` one holds that."""
        if self.holds(instant) or not whole.holds(instant):
            return self
        start = min(max(instant - self.length // 2, whole.start), whole.end - self.length)
        return replace(self, start=start, end=start + self.length)

    def ticks(self, zone: tzinfo) -> list[Tick]:
        """Dates in `zone` at which something begins for people, as many as their labels leave room for."""
        for step in _STEPS:
            if self.length // step.least > self.cells:
                continue  # more often than once a cell
            ticks = _fitting(self, step, zone)
            if ticks is not None:
                return ticks
        return []


Unit = Literal["microsecond", "second", "minute", "hour", "day", "month", "year"]


class _Step(NamedTuple):
    each: int
    unit: Unit

    @property
    def least(self) -> int:
        """Microseconds that a step has at least."""
        return self.each * _LEAST[self.unit]


_LEAST: dict[Unit, int] = {
    "microsecond": 1,
    "second": SECOND,
    "minute": 60 * SECOND,
    "hour": HOUR,
    "day": DAY,
    "month": 28 * DAY,
    "year": 365 * DAY,
}
_COUNTS: dict[Unit, tuple[int, ...]] = {
    "microsecond": (1, 10, 100, 1_000, 10_000, 100_000, 500_000),
    "second": (1, 5, 15, 30),
    "minute": (1, 5, 15, 30),
    "hour": (1, 3, 6, 12),
    "day": (1, 2, 7, 14),
    "month": (1, 3, 6),
    "year": (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000),
}
_STEPS = tuple(_Step(count, unit) for unit, counts in _COUNTS.items() for count in counts)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def _fitting(track: TimeTrack, step: _Step, zone: tzinfo) -> list[Tick] | None:
    """The ticks of one step; None where more than a few would run into the label before them."""
    ticks: list[Tick] = []
    before: datetime | None = None
    left_out = 0
    for moment, instant in _moments(track, step, zone):
        cell, label = track.cell_of(instant), _label(moment, before, step)
        if cell + len(label) > track.cells:
            continue
        if ticks and cell < ticks[-1].cell + len(ticks[-1].label) + _GAP:
            left_out += 1
            continue
        before = moment
        ticks.append(Tick(cell, label))
    return ticks if left_out * _MOST_LEFT_OUT <= len(ticks) else None


def _moments(track: TimeTrack, step: _Step, zone: tzinfo) -> Iterator[tuple[datetime, Instant]]:
    """The local times on the track at which a step begins, with their instants, in order."""
    if step.unit == "microsecond":
        for instant in range(-(-track.start // step.each) * step.each, track.end + 1, step.each):
            moment = _local(instant, zone)
            if _instant(moment, zone) == instant:
                yield moment, instant
        return
    moment: datetime | None = _begun(_local(track.start, zone), step)
    last = track.start - 1
    while moment is not None:
        instant = _instant(moment, zone)
        if instant is not None:
            if instant > track.end:
                return
            # An hour that clocks skip is no time of day, and one that they repeat is told once.
            if instant > last and _local(instant, zone) == moment:
                last = instant
                yield moment, instant
        moment = _next(moment, step)


def _local(instant: Instant, zone: tzinfo) -> datetime:
    """The local time without its zone, or the nearest that calendars have."""
    try:
        return to_datetime(min(max(instant, MIN_INSTANT), MAX_INSTANT)).astimezone(zone).replace(tzinfo=None)
    except (OverflowError, ValueError):
        return datetime.min if instant < 0 else datetime.max  # noqa: DTZ901 - a local time has no zone


def _instant(moment: datetime, zone: tzinfo) -> Instant | None:
    try:
        return from_datetime(moment.replace(tzinfo=zone))
    except (OverflowError, ValueError, InvalidInput):  # the first hours of year 1 have no instant east of Greenwich
        return None


def _begun(moment: datetime, step: _Step) -> datetime:
    """The last beginning of a step at or before a local time."""
    each = step.each
    match step.unit:
        case "year":
            return datetime(max(moment.year // each * each, 1), 1, 1)  # noqa: DTZ001
        case "month":
            return datetime(moment.year, (moment.month - 1) // each * each + 1, 1)  # noqa: DTZ001
        case "day":
            day = moment.replace(hour=0, minute=0, second=0, microsecond=0)
            return day - timedelta(days=min(day.toordinal() - 1, (day.toordinal() - 1) % each))
        case "hour":
            return moment.replace(hour=moment.hour // each * each, minute=0, second=0, microsecond=0)
        case "minute":
            return moment.replace(minute=moment.minute // each * each, second=0, microsecond=0)
        case _:
            return moment.replace(second=moment.second // each * each, microsecond=0)


def _next(moment: datetime, step: _Step) -> datetime | None:
    """The beginning of the following step; None beyond the calendar."""
    try:
        if step.unit == "year":
            # After year 1, which stands for year 0, the round years come.
            return datetime(moment.year // step.each * step.each + step.each, 1, 1)  # noqa: DTZ001
        if step.unit == "month":
            months = moment.year * 12 + moment.month - 1 + step.each
            return datetime(months // 12, months % 12 + 1, 1)  # noqa: DTZ001
        return moment + timedelta(microseconds=step.each * _LEAST[step.unit])
    except (OverflowError, ValueError):
        return None


def _label(moment: datetime, before: datetime | None, step: _Step) -> str:
    """What is new at a tick beside the one before it."""
    if step.unit == "year":
        return str(moment.year)
    if step.unit == "month":
        new_year = before is None or before.year != moment.year
        return f"{_MONTHS[moment.month - 1]} {moment.year}" if new_year else _MONTHS[moment.month - 1]
    day = f"{moment.day} {_MONTHS[moment.month - 1]}"
    if step.unit == "day":
        return f"{day} {moment.year}" if before is None or before.year != moment.year else day
    same_day = before is not None and before.date() == moment.date()
    if step.unit == "microsecond":
        part = f".{moment.microsecond:06d}"[: 8 - len(str(step.each))]
        if before is not None and before.replace(microsecond=0) == moment.replace(microsecond=0):
            return part
        time = f"{moment:%H:%M:%S}{part}"
    else:
        time = moment.strftime("%H:%M:%S" if step.unit == "second" else "%H:%M")
    return time if same_day else f"{day} {time}"
