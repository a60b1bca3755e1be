"""Moments for people: ages in a few letters, instants in the reader's own zone."""

from __future__ import annotations

from datetime import datetime, tzinfo

from memtui.model.instants import DAY, HOUR, SECOND, Instant, iso, to_datetime
from memtui.model.records import Content

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


def local(instant: Instant, zone: tzinfo | None = None, *, named: bool = True) -> str:
    """The instant in the reader's zone: the date alone at midnight, else with minutes and the zone's name."""
    try:
        moment = to_datetime(instant).astimezone(zone)
    except (OverflowError, ValueError, OSError):
        # The first and last days datetime can express have no local counterpart.
        return iso(instant)
    day = f"{moment.day} {_MONTHS[moment.month - 1]} {moment.year:04d}"
    if moment.hour == moment.minute == moment.second == moment.microsecond == 0:
        return day
    return f"{day} {moment:%H:%M} {_zone_name(moment) if named else ''}".rstrip()


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def _zone_name(moment: datetime) -> str:
    name = moment.tzname() or ""
    return name if name.isascii() and len(name) <= 6 else f"{moment:%z}"


def known_since(content: Content, recorded_at: Instant) -> Instant:
    """The moment a row's age counts from: a document's own date, else when it became true, else its recording."""
    if content.dated is not None:
        return content.dated
    return recorded_at if content.valid_from is None else content.valid_from
