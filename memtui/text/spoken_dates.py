"""Dates as people say them: yesterday, 3 weeks ago, last month, 6w, 2026-08; in English and Turkish.

What is said counts from a present that who reads it need not know yet. Days, weeks, months and years are told by the
day: "3 weeks ago" is the first instant of that day in the reader's zone, hours and minutes are told to the instant.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta, tzinfo
from typing import Literal, TypeAlias

from memtui.errors import InvalidInput
from memtui.model.instants import HOUR, MAX_INSTANT, MIN_INSTANT, SECOND, Instant, to_datetime
from memtui.text.dates import parse_instant
from memtui.text.folding import folded

Unit = Literal["minute", "hour", "day", "week", "month", "year"]

EXPECTED = 'Write a date such as 2026-08-01, 2026-08, yesterday, 6w or "3 weeks ago".'
SUGGESTED = ("today", "yesterday", "last week", "last month", "last year")
"""What may be offered to who is about to write one."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A moment so many units from the present, before it where `steps` is negative; `begins` at the unit's first day.

    A week begins on Monday.
    """

    unit: Unit
    steps: int
    zone: tzinfo
    begins: bool = False

    def at(self, now: Instant) -> Instant:
        """The moment, for a present. One beyond the years 1 to 9999 is the first or last instant of them."""
        if self.unit in _EXACT:
            return min(max(now + self.steps * _EXACT[self.unit], MIN_INSTANT), MAX_INSTANT)
        try:
            return parse_instant(self._day(to_datetime(now).astimezone(self.zone).date()), self.zone)
        except (OverflowError, ValueError, InvalidInput):
            return MIN_INSTANT if self.steps < 0 else MAX_INSTANT

    def _day(self, today: date) -> date:
        """Raises OverflowError, ValueError for a day beyond those there are."""
        if self.unit in ("day", "week"):
            day = today + timedelta(days=self.steps * (7 if self.unit == "week" else 1))
            return day - timedelta(days=day.weekday()) if self.begins and self.unit == "week" else day
        months = today.year * 12 + today.month - 1 + self.steps * (12 if self.unit == "year" else 1)
        year, month = divmod(months, 12)
        if self.begins:
            return date(year, 1 if self.unit == "year" else month + 1, 1)
        return date(year, month + 1, min(today.day, calendar.monthrange(year, month + 1)[1]))


When: TypeAlias = "Instant | Spoken"
"""A moment that is fixed, or counts from the present."""


def read_when(text: str, zone: tzinfo) -> When:
    """The moment someone wrote or said, in `zone` where it names none; kept within the years 1 to 9999 of UTC.

    Raises InvalidInput that quotes the text and says what may be written.
    """
    said = " ".join(folded(text).replace("-", " ").replace("_", " ").split())
    spoken = _WORDS.get(said) or _begun(said) or _counted(said)
    if spoken is not None:
        unit, steps, begins = spoken
        return Spoken(unit, steps, zone, begins)
    part = _PART_OF_DATE.fullmatch(text.strip())
    try:
        return parse_instant(date(int(part[1]), int(part[2] or 1), 1) if part else text, zone, clamped=True)
    except ValueError as error:
        raise InvalidInput(f"{text!r} cannot be read as a date: {error}.", hint=EXPECTED, value=text) from error
    except InvalidInput as error:
        raise InvalidInput(error.message, hint=EXPECTED, value=text) from error


_EXACT: Mapping[Unit, int] = {"minute": 60 * SECOND, "hour": HOUR}
_PART_OF_DATE = re.compile(r"([0-9]{4})(?:-([0-9]{2}))?")

_Said: TypeAlias = tuple[Unit, int, bool]

_WORDS: Mapping[str, _Said] = {
    "now": ("minute", 0, False),
    "today": ("day", 0, False),
    "yesterday": ("day", -1, False),
    "tomorrow": ("day", 1, False),
    "simdi": ("minute", 0, False),
    "bugun": ("day", 0, False),
    "dun": ("day", -1, False),
    "yarin": ("day", 1, False),
}
"""Words by themselves, folded."""

_UNITS: Mapping[str, Unit] = {
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes", "dk", "dakika"), "minute"),
    **dict.fromkeys(("h", "hour", "hours", "saat"), "hour"),
    **dict.fromkeys(("d", "day", "days", "gun"), "day"),
    **dict.fromkeys(("w", "week", "weeks", "hafta"), "week"),
    **dict.fromkeys(("mo", "month", "months", "ay"), "month"),
    **dict.fromkeys(("y", "year", "years", "yil", "sene"), "year"),
}
_NAMED = "|".join(sorted(_UNITS, key=lambda unit: (-len(unit), unit)))
_COUNTED = re.compile(
    rf"(?:(?P<ahead>in)\ )?(?P<count>[0-9]{{1,6}}|an?|bir)\ ?(?P<unit>{_NAMED})(?:\ (?P<way>ago|once|sonra))?",
    re.VERBOSE,
)
_BEGUN = re.compile(rf"(?P<which>last|this|next|gecen|bu|gelecek)\ (?P<unit>{_NAMED})", re.VERBOSE)
_WHICH = {"last": -1, "gecen": -1, "this": 0, "bu": 0, "next": 1, "gelecek": 1}


def _begun(said: str) -> _Said | None:
    """`last month`: the first day of the unit before."""
    found = _BEGUN.fullmatch(said)
    if found is None or _UNITS[found["unit"]] in _EXACT:
        return None
    return _UNITS[found["unit"]], _WHICH[found["which"]], True


def _counted(said: str) -> _Said | None:
    """`3 weeks ago`, `in 2 days`; `6w` alone looks back, as the ages in lists do."""
    found = _COUNTED.fullmatch(said)
    if found is None or (found["ahead"] and found["way"]):
        return None
    written_out = not found["count"].isdigit() or len(found["unit"]) > 2  # "3 weeks" may be anything
    if written_out and not (found["ahead"] or found["way"]):
        return None
    count = int(found["count"]) if found["count"].isdigit() else 1
    return _UNITS[found["unit"]], count if found["ahead"] or found["way"] == "sonra" else -count, False
