"""Dates as people write them, and the zone they mean.

A date-time without a zone is taken in the user's zone. Where that zone's clocks jump:

* a time that does not exist (clocks put forward) is moved forward by the length of the gap:
  02:30 on such a night becomes 03:30;
* a time that exists twice (clocks put back) is the first of the two;
* a bare date is the first instant of that day, also where its midnight does not exist.
"""

from __future__ import annotations

import os
import re
import time
from datetime import date, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import NoReturn

from memtui.errors import InvalidInput
from memtui.model.instants import MAX_INSTANT, MIN_INSTANT, SECOND, Instant
from memtui.text.visible import quotable

ZONE_VARIABLE = "MEMTUI_TZ"
EXPECTED = "Write an ISO 8601 date or date-time, such as 2026-08-01, 2026-08-01T14:30 or 2026-08-01T14:30:00+03:00."

_ISO = re.compile(
    r"(?P<year>[0-9]{4})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})"
    r"(?:[Tt ](?P<hour>[0-9]{2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})(?:[.,](?P<fraction>[0-9]{1,30}))?)?"
    r" ?(?P<offset>[Zz]|[+-][0-9]{2}(?::?[0-9]{2})?)?)?"
)
_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - differences of wall clocks are taken from it
_MICROSECOND = timedelta(microseconds=1)
_DAY_SECONDS = 86_400


def local_zone() -> tzinfo:
    """The user's zone: `MEMTUI_TZ` if set, else the system's, with its rules for every year.

    Raises InvalidInput that names MEMTUI_TZ if it is no zone of the IANA database.
    """
    wanted = os.environ.get(ZONE_VARIABLE, "").strip()
    if not wanted:
        return _system_zone(os.environ.get("TZ", ""))
    zone = _named_zone(wanted)
    if zone is None:
        raise InvalidInput(
            f"{ZONE_VARIABLE} is {quotable(wanted, exact=True)}, which is no time zone.",
            hint="Set it to a name such as Europe/Istanbul, America/New_York or UTC, or unset it.",
            field=ZONE_VARIABLE,
            value=quotable(wanted),
        )
    return zone


def zone_trouble() -> str | None:
    """Why the system's zone cannot be used and UTC stands for it, as a sentence; None where it can."""
    if os.environ.get(ZONE_VARIABLE, "").strip():
        return None
    rules = os.environ.get("TZ", "")
    if _system_zone(rules) is not timezone.utc:
        return None
    return (
        f"TZ is {quotable(rules, exact=True)}, a day or more away from UTC, which no clock is: "
        f"times are told and read in UTC; set {ZONE_VARIABLE} to a name such as Europe/Istanbul"
    )


def named_zone(name: str, file: str) -> tzinfo:
    """A zone by its name in the IANA database, as a setting gives it. Raises InvalidInput naming the file."""
    zone = _named_zone(name.strip())
    if zone is None:
        raise InvalidInput(
            f"{file}: {quotable(name, exact=True)} is no time zone",
            hint="set `timezone` to a name such as Europe/Istanbul, America/New_York or UTC, or leave it out",
            file=file,
            field="timezone",
            value=quotable(name),
        )
    return zone


def parse_instant(
    value: str | datetime | date | int,
    zone: tzinfo,
    *,
    field: str | None = None,
    file: str | None = None,
    clamped: bool = False,
) -> Instant:
    """The instant someone wrote: ISO 8601 text, a datetime or a date; `zone` for what names none.

    Digits beyond the microsecond are cut off. Raises InvalidInput that quotes the value (with `field`
    and `file` where given) for anything else: other words, days that do not exist, years outside 1–9999, numbers.
    With `clamped` the hours by which the first or last of these days lies beyond them in UTC are cut off.
    """
    try:
        instant = _read(value, zone)
    except (ValueError, OverflowError) as error:
        _refuse(value, str(error), field, file)
    if clamped:
        return min(max(instant, MIN_INSTANT), MAX_INSTANT)
    if not MIN_INSTANT <= instant <= MAX_INSTANT:
        _refuse(value, "it lies outside the years 1 to 9999 in UTC", field, file)
    return instant


def _refuse(value: object, reason: str, field: str | None, file: str | None) -> NoReturn:
    quoted = quotable(value)
    raise InvalidInput(
        f"{quoted!r} cannot be read as a date: {reason}.", hint=EXPECTED, field=field, file=file, value=value
    )


def _read(value: str | datetime | date | int, zone: tzinfo) -> Instant:
    """The instant, not yet checked for its bounds. Raises ValueError that says why there is none."""
    if isinstance(value, datetime):
        offset = value.utcoffset()
        wall = value.replace(tzinfo=None, fold=0)
        return _wall_clock(wall) - offset // _MICROSECOND if offset is not None else _in_zone(wall, zone)
    if isinstance(value, date):
        return _first_instant_of_day(datetime(value.year, value.month, value.day), zone)  # noqa: DTZ001
    if isinstance(value, str):
        return _read_text(value.strip(), zone)
    raise ValueError("a number does not say which day it means")


def _read_text(text: str, zone: tzinfo) -> Instant:
    found = _ISO.fullmatch(text)
    if found is None:
        raise ValueError("it is no ISO 8601 date")
    year, month, day = int(found["year"]), int(found["month"]), int(found["day"])
    if found["hour"] is None:
        return _first_instant_of_day(datetime(year, month, day), zone)  # noqa: DTZ001
    micro = int((found["fraction"] or "0")[:6].ljust(6, "0"))
    hour, minute, second = int(found["hour"]), int(found["minute"]), int(found["second"] or 0)
    wall = datetime(year, month, day, hour, minute, second, micro)  # noqa: DTZ001
    if found["offset"] is None:
        return _in_zone(wall, zone)
    return _wall_clock(wall) - _offset_seconds(found["offset"]) * SECOND


def _offset_seconds(text: str) -> int:
    if text in "Zz":
        return 0
    hours, minutes = int(text[1:3]), int(text[3:].lstrip(":") or 0)
    if hours > 23 or minutes > 59:
        raise ValueError(f"{text} is no offset from UTC")
    seconds = (hours * 60 + minutes) * 60
    return -seconds if text[0] == "-" else seconds


def _wall_clock(wall: datetime) -> int:
    """Microseconds from 1970-01-01T00:00 to a moment on the same wall clock."""
    return (wall - _EPOCH) // _MICROSECOND


def _offset(wall: datetime, zone: tzinfo, fold: int = 0) -> int:
    """Microseconds a zone's clocks are ahead of UTC when they show a time."""
    offset = wall.replace(tzinfo=zone, fold=fold).utcoffset()
    return 0 if offset is None else offset // _MICROSECOND


def _in_zone(wall: datetime, zone: tzinfo) -> Instant:
    """The instant at which a zone's clocks show a time.

    fold=0 asks for the offset in force before a jump: for a repeated time that is its first
    occurrence, and a skipped time, counted on by the old clock, moves forward by the gap.
    """
    return _wall_clock(wall) - _offset(wall, zone)


def _first_instant_of_day(midnight: datetime, zone: tzinfo) -> Instant:
    before, after = _offset(midnight, zone, 0), _offset(midnight, zone, 1)
    instant = _wall_clock(midnight) - before
    if after <= before:
        return instant
    # Midnight is skipped. The day begins where the clocks jump, which lies between midnight by the
    # new clock and midnight by the old one; jumps happen on whole seconds.
    low, high = (_wall_clock(midnight) - after) // SECOND, instant // SECOND
    while low < high:
        middle = (low + high) // 2
        moment = datetime.fromtimestamp(middle, timezone.utc).astimezone(zone)
        if moment.replace(tzinfo=None) >= midnight:
            high = middle
        else:
            low = middle + 1
    return low * SECOND


def _named_zone(name: str) -> tzinfo | None:
    """A zone of the IANA database, or None. A leading colon is allowed, as in TZ."""
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name.removeprefix(":"))
    except (KeyError, ValueError, OSError):
        # An unknown name is a KeyError; one that is a path, a folder or no text, one of the others.
        return None


@lru_cache(maxsize=8)
def _system_zone(tz_variable: str) -> tzinfo:
    """The system's zone with its rules: by name, else from /etc/localtime, else by asking the C library."""
    from zoneinfo import ZoneInfo

    if tz_variable:
        return _named_zone(tz_variable) or _clock_of_the_system(tz_variable)
    try:
        with open("/etc/localtime", "rb") as file:
            return ZoneInfo.from_file(file, key=_zone_of_link("/etc/localtime"))
    except (OSError, ValueError):
        # Windows, and containers without a zone file.
        return _clock_of_the_system()


def _zone_of_link(path: str) -> str | None:
    _, found, name = os.path.realpath(path).partition("zoneinfo/")
    return name if found else None


def _clock_of_the_system(rules: str = "") -> tzinfo:
    """The system's clock, or UTC where its rules put it a day or more away, which Python can not express."""
    if max(abs(time.timezone), abs(time.altzone)) >= _DAY_SECONDS:
        return timezone.utc
    return _ClockOfTheSystem(rules)


class _ClockOfTheSystem(tzinfo):
    """The system's zone where only the C library knows its rules."""

    def __init__(self, rules: str = "") -> None:
        self._rules = rules

    def __repr__(self) -> str:
        """The same in every process whose clock follows the same rules: what was read under one is known by it."""
        return f"the system's clock ({self._rules or '/'.join(time.tzname)}, UTC{-time.timezone:+d} s)"

    def utcoffset(self, dt: datetime | None) -> timedelta:
        if dt is None:
            return timedelta(seconds=-time.timezone)
        try:
            return dt.replace(tzinfo=None).astimezone().utcoffset() or timedelta(0)
        except (OverflowError, ValueError, OSError):  # the first and last days there are
            return timedelta(seconds=-time.timezone)

    def dst(self, dt: datetime | None) -> timedelta | None:
        return None

    def tzname(self, dt: datetime | None) -> str | None:
        return time.tzname[0] if dt is None else dt.replace(tzinfo=None).astimezone().tzname()

    def fromutc(self, dt: datetime) -> datetime:
        local = dt.replace(tzinfo=timezone.utc).astimezone()
        return local.replace(tzinfo=self)
