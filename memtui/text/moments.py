"""Moments for people: ages in a few letters, instants in the reader's own zone.

Minutes say enough of one moment alone. Where two moments stand side by side they would make a short period look
like none at all, so there seconds are told as well, and fractions where even those are the same.
"""

from __future__ import annotations

import re
from datetime import datetime, tzinfo

from memtui.errors import InvalidInput
from memtui.model.instants import DAY, HOUR, SECOND, Instant, iso, to_datetime
from memtui.model.records import Content
from memtui.text.dates import parse_instant

_MINUTE = 60 * SECOND


def age(instant: Instant, now: Instant) -> str:
    """How long ago (`now`, `5m`, `3h`, `2d`, `6w`, `7mo`, `3y`), or how soon (`in 3d`)."""
    distance = now - instant
    if distance < 0:
        return f"in {_length(-distance)}" if -distance >= _MINUTE else "now"
    return "now" if distance < _MINUTE else _length(distance)


def _length(distance: int) -> str:
    days = distance // DAY
    if distance < HOUR:
        return f"{distance // _MINUTE}m"
    if distance < DAY:
        return f"{distance // HOUR}h"
    if days < 14:
        return f"{days}d"
    if days < 60:
        return f"{days // 7}w"
    if days < 730:
        return f"{int(days / 30.44)}mo"
    return f"{int(days / 365.25)}y"


def local(instant: Instant, zone: tzinfo | None = None, *, named: bool = True, time: str = "") -> str:
    """The instant in the reader's zone: the date alone at midnight, else with minutes and the zone's name.

    With `time`, a form such as `%H:%M:%S`, the time of day is told in it, also at midnight.
    """
    try:
        moment = to_datetime(instant).astimezone(zone)
    except (OverflowError, ValueError, OSError):
        # The first and last days datetime can express have no local counterpart.
        return iso(instant)
    day = f"{moment.day} {_MONTHS[moment.month - 1]} {moment.year:04d}"
    if not time and moment.hour == moment.minute == moment.second == moment.microsecond == 0:
        return day
    return f"{day} {moment.strftime(time or '%H:%M')} {_zone_name(moment) if named else ''}".rstrip()


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def _zone_name(moment: datetime) -> str:
    name = moment.tzname() or ""
    return name if name.isascii() and len(name) <= 6 else f"{moment:%z}"


def known_since(content: Content, recorded_at: Instant) -> Instant:
    """The moment a row's age counts from: a document's own date, else when it became true, else its recording."""
    if content.dated is not None:
        return content.dated
    return recorded_at if content.valid_from is None else content.valid_from


_FINER = ((60 * SECOND, ""), (SECOND, "%H:%M:%S"), (1, "%H:%M:%S.%f"))
"""What two moments may share, and how they are told where they share no more than that."""


def told_apart(*instants: Instant, zone: tzinfo | None = None, named: bool = True) -> list[str]:
    """The instants in the reader's zone; different ones read differently."""
    different = len(set(instants))
    form = next(form for unit, form in _FINER if len({instant // unit for instant in instants}) == different)
    return [local(instant, zone, named=named, time=form) for instant in instants]


_STAMP_OR_QUOTED = re.compile(r"`[^`]*`|'[^']*'|\b[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z")
"""An instant as programs write it; or a command or a value, which are repeated as they are."""


def on_the_readers_clock(sentence: str, zone: tzinfo) -> str:
    """A sentence with its instants in the reader's zone; what it quotes stays letter for letter."""
    found = {text: _stamp(text, zone) for text in _STAMP_OR_QUOTED.findall(sentence)}
    stamps = {text: instant for text, instant in found.items() if instant is not None}
    shown = dict(zip(stamps, told_apart(*stamps.values(), zone=zone), strict=True))
    return _STAMP_OR_QUOTED.sub(lambda place: shown.get(place[0], place[0]), sentence)


def _stamp(text: str, zone: tzinfo) -> Instant | None:
    if text[0] in "`'":
        return None
    try:
        return parse_instant(text, zone)
    except InvalidInput:  # part of a name, which may look like anything
        return None
