"""Instants: whole microseconds since 1970-01-01T00:00:00Z, the one time type inside memtui.

A plain integer orders totally, fits a BIGINT for every year datetime can express, and leaves no
room for a naive value. Zones exist only at the edges (see `memtui.text.dates`).
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import TypeAlias

Instant: TypeAlias = int
"""Microseconds since 1970-01-01T00:00:00Z."""

SECOND: Instant = 1_000_000
HOUR: Instant = 3_600 * SECOND
DAY: Instant = 24 * HOUR

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_MICROSECOND = timedelta(microseconds=1)

MIN_INSTANT: Instant = (datetime(1, 1, 1, tzinfo=timezone.utc) - _EPOCH) // _MICROSECOND
MAX_INSTANT: Instant = (datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=timezone.utc) - _EPOCH) // _MICROSECOND


def from_datetime(moment: datetime) -> Instant:
    """The instant of an aware datetime.

    Raises ValueError for a naive one: only `memtui.text.dates` knows which zone a person meant.
    """
    if moment.tzinfo is None:
        raise ValueError(f"{moment.isoformat()} has no zone")
    return (moment - _EPOCH) // _MICROSECOND


def to_datetime(instant: Instant) -> datetime:
    """The aware UTC datetime of an instant."""
    return _EPOCH + timedelta(microseconds=instant)


def iso(instant: Instant) -> str:
    """ISO 8601 in UTC with `Z`: microseconds only where there are any (`2026-08-01T12:00:00Z`)."""
    moment = to_datetime(instant)
    text = f"{moment:%m-%dT%H:%M:%S}"
    fraction = f".{moment.microsecond:06d}" if moment.microsecond else ""
    return f"{moment.year:04d}-{text}{fraction}Z"


def iso_or_none(instant: Instant | None) -> str | None:
    """`iso` of an instant that may be absent."""
    return None if instant is None else iso(instant)
