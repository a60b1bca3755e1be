"""A clock's axis: where its events lie, and where a step by event, day or month leads. Needs no screen.

A place on it is an instant, or None: the present, which moves on by itself.
"""

from __future__ import annotations

import calendar
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone, tzinfo
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from memtui.errors import InvalidInput
from memtui.model.instants import DAY, HOUR, MAX_INSTANT, MIN_INSTANT, SECOND, Instant, from_datetime, to_datetime
from memtui.tui.time_track import TimeTrack

Place: TypeAlias = "Instant | None"
Unit = Literal["event", "day", "month"]

_MOMENT = 60 * SECOND
_FEW = 20
"""One in so many events are few."""
_A_LIFE = 100 * 366 * DAY
"""Microseconds that something may be away at most to be shown unasked: the year 1 is a way to say always."""


@dataclass(frozen=True, slots=True, eq=False)  # arrays are not compared at each assignment
class TimeAxis:
    """The events of one clock, rising and distinct, before a present; `ahead` where places after that make sense."""

    events: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    now: Instant = 0
    ahead: bool = False
    zone: tzinfo = timezone.utc
    spanned: NDArray[np.int64] | None = None
    """What the whole stretch shows, rising, so that it stays while the events change. None: the events."""

    def settled(self, place: Place) -> Instant:
        """The instant of a place."""
        return self.now if place is None else place

    def place_of(self, instant: Instant) -> Place:
        """The place of an instant: the present where none later makes sense."""
        if instant == self.now or (instant > self.now and not self.ahead):
            return None
        return min(max(instant, MIN_INSTANT), MAX_INSTANT)

    @property
    def first(self) -> Place:
        """The first event, or the present where there is none."""
        return self.place_of(int(self.events[0])) if len(self.events) else None

    def stepped(self, place: Place, steps: int, unit: Unit) -> Place:
        """The place so many steps later, or earlier; where there is no further one, the last."""
        if unit == "event":
            for _ in range(abs(steps)):
                place = self._event_after(place) if steps > 0 else self._event_before(place)
            return place
        moved = _shifted(self.settled(place), steps, unit, self.zone)
        # Back where it came from is the present again, also if that has moved on meanwhile.
        return None if steps > 0 and 0 <= self.now - moved < _MOMENT else self.place_of(moved)

    def _event_after(self, place: Place) -> Place:
        here = self.settled(place)
        at = int(np.searchsorted(self.events, here, side="right"))
        following = int(self.events[at]) if at < len(self.events) else None
        if here < self.now and (following is None or following > self.now):
            return None  # the present is a stop of its own
        return place if following is None else self.place_of(following)

    def _event_before(self, place: Place) -> Place:
        here = self.settled(place)
        at = int(np.searchsorted(self.events, here, side="left")) - 1
        before = int(self.events[at]) if at >= 0 else None
        if here > self.now and (before is None or before < self.now):
            return None
        return place if before is None else self.place_of(before)

    def snapped(self, track: TimeTrack, cell: int) -> Place:
        """The place a cell means: the last event in it, else its middle; the last cell is the present if that ends it.

        So what happened within a cell is seen from there.
        """
        if cell >= track.cells - 1 and track.end == self.now:
            return None
        at = int(np.searchsorted(self.events, track.begin_of(cell + 1), side="left")) - 1
        last = int(self.events[at]) if at >= 0 else None
        found = last if last is not None and last >= track.begin_of(cell) else track.instant_at(cell)
        return self.place_of(found)

    def whole(self, cells: int) -> TimeTrack:
        """The stretch that shows the events and the present: what lies very far out is left beyond its ends.

        Of many events a few that lie far out would press all others together, and nothing is shown that lies longer
        than a life away: `everything` holds these too.
        """
        events = self._shown
        if not len(events):
            return TimeTrack(self.now - HOUR, self.now, cells)
        middle = int(events[len(events) // 2])
        start, end = _grown(events, min(middle, self.now), max(middle, self.now))
        return _stretch(start, end, cells)

    def everything(self, cells: int, here: Instant | None = None) -> TimeTrack:
        """The stretch from the first event to the last, with the present and the moment one is at."""
        ends = [self.now, *self._shown[[0, -1]].tolist()] if len(self._shown) else [self.now]
        ends += [] if here is None else [here]
        return _stretch(min(ends), max(ends), cells)

    @property
    def _shown(self) -> NDArray[np.int64]:
        events = self.events if self.spanned is None else self.spanned
        return events if self.ahead else events[: int(np.searchsorted(events, self.now, side="right"))]


def _stretch(start: Instant, end: Instant, cells: int) -> TimeTrack:
    return TimeTrack(max(start - HOUR if end == start else start, MIN_INSTANT), end, cells)


def _grown(events: NDArray[np.int64], start: Instant, end: Instant) -> tuple[Instant, Instant]:
    """The ends after each event beyond them that lies near enough to be shown beside what lies between them.

    A few that lie far out would press all others together; of many that is what happened.
    """
    few = len(events) // _FEW
    last = len(events) - 1
    low = int(np.searchsorted(events, start, side="left"))
    high = int(np.searchsorted(events, end, side="right")) - 1
    grew = True
    while grew:
        grew = False
        if low > 0:
            nearest = int(np.searchsorted(events, start - _reach(end - start, low > few), side="left"))
            nearest = max(nearest, few) if low > few else nearest
            if nearest < low:
                low, start, grew = nearest, int(events[nearest]), True
        if high < last:
            beyond = last - high
            nearest = int(np.searchsorted(events, end + _reach(end - start, beyond > few), side="right")) - 1
            nearest = min(nearest, last - few) if beyond > few else nearest
            if nearest > high:
                high, end, grew = nearest, int(events[nearest]), True
    return start, end


def _reach(length: int, many: bool) -> int:
    """Microseconds that the next event may be away."""
    return _A_LIFE if many else min(max(length, HOUR), _A_LIFE)


def _shifted(instant: Instant, steps: int, unit: Unit, zone: tzinfo) -> Instant:
    """The same time of day so many days or months away in a zone; the end of time where there is no such day."""

    def moved(local: datetime) -> datetime:
        if unit == "day":
            return local + timedelta(days=steps)
        year, month = divmod(local.year * 12 + local.month - 1 + steps, 12)
        day = min(local.day, calendar.monthrange(year, month + 1)[1])
        return local.replace(year=year, month=month + 1, day=day)

    return _locally(instant, moved, zone, otherwise=MIN_INSTANT if steps < 0 else MAX_INSTANT)


def _locally(instant: Instant, move: Callable[[datetime], datetime], zone: tzinfo, *, otherwise: Instant) -> Instant:
    try:
        local = to_datetime(instant).astimezone(zone).replace(tzinfo=None)
        return from_datetime(move(local).replace(tzinfo=zone))
    except (OverflowError, ValueError, InvalidInput):  # beyond the years 1 to 9999
        return otherwise
