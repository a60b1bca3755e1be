"""Dates as people say them: what each means, for a present and a zone, and what is none."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.errors import InvalidInput
from memtui.model.instants import DAY, HOUR, MAX_INSTANT, MIN_INSTANT, from_datetime
from memtui.text.moments import age
from memtui.text.query_language import parse
from memtui.text.spoken_dates import SUGGESTED, Spoken, read_when

ISTANBUL = ZoneInfo("Europe/Istanbul")
NOW = from_datetime(datetime(2026, 3, 31, 22, 30, tzinfo=timezone.utc))
"""In Istanbul half past one on Wednesday, 1 April."""


def meant(text, zone=ISTANBUL, now=NOW):
    when = read_when(text, zone)
    return when.at(now) if isinstance(when, Spoken) else when


def day(*date, zone=ISTANBUL):
    return from_datetime(datetime(*date, tzinfo=zone))


@pytest.mark.parametrize(
    ("said", "date"),
    [
        ("today", (2026, 4, 1)),
        ("Yesterday", (2026, 3, 31)),
        ("tomorrow", (2026, 4, 2)),
        ("3 weeks ago", (2026, 3, 11)),
        ("3-weeks-ago", (2026, 3, 11)),
        ("a week ago", (2026, 3, 25)),
        ("3w", (2026, 3, 11)),
        ("10d", (2026, 3, 22)),
        ("2mo", (2026, 2, 1)),
        ("1y", (2025, 4, 1)),
        ("in 2 days", (2026, 4, 3)),
        ("last week", (2026, 3, 23)),
        ("this week", (2026, 3, 30)),
        ("last month", (2026, 3, 1)),
        ("next month", (2026, 5, 1)),
        ("last year", (2025, 1, 1)),
        ("dün", (2026, 3, 31)),
        ("Bugün", (2026, 4, 1)),
        ("3 hafta önce", (2026, 3, 11)),
        ("GEÇEN YIL", (2025, 1, 1)),
        ("2 gün sonra", (2026, 4, 3)),
        ("2026-08", (2026, 8, 1)),
        ("2026", (2026, 1, 1)),
        ("2026-08-01", (2026, 8, 1)),
        ("2026-08-01T14:30", (2026, 8, 1, 14, 30)),
    ],
)
def test_days_weeks_months_and_years_are_days_of_the_reader(said, date):
    assert meant(said) == day(*date)


def test_hours_and_minutes_are_told_to_the_instant():
    assert meant("5 hours ago") == meant("5h") == NOW - 5 * HOUR
    assert meant("90 min ago") == NOW - 90 * HOUR // 60
    assert meant("now") == NOW


def test_a_month_that_is_too_short_ends_on_its_last_day():
    last = from_datetime(datetime(2026, 3, 31, 12, tzinfo=timezone.utc))
    assert meant("1mo", timezone.utc, last) == day(2026, 2, 28, zone=timezone.utc)
    assert meant("1 year ago", timezone.utc, day(2028, 2, 29, zone=timezone.utc)) == day(2027, 2, 28, zone=timezone.utc)


@pytest.mark.parametrize(
    "said", ["", "soon", "yesterdayish", "ago", "3", "weeks ago", "3 weeks", "in 3 weeks ago", "last hour", "2026-13"]
)
def test_anything_else_is_refused_and_told_what_may_be_written(said):
    with pytest.raises(InvalidInput) as caught:
        read_when(said, timezone.utc)
    assert repr(said) in caught.value.message
    assert "yesterday" in caught.value.hint


@pytest.mark.parametrize(("said", "bound"), [("999999y", MIN_INSTANT), ("in 999999 years", MAX_INSTANT)])
def test_what_lies_beyond_all_years_is_the_end_of_them(said, bound):
    assert meant(said) == bound


LENGTHS = {"now": 0, "m": 0, "h": 0, "d": 1, "w": 7, "mo": 31, "y": 366}
"""Days of what an age is told in."""


@given(st.integers(0, 2_250 * DAY))
def test_an_age_as_lists_tell_it_means_a_moment_about_as_old(distance):
    told = age(NOW - distance, NOW)
    back = NOW - meant(told, timezone.utc)
    # To the day, and months are not all as long.
    assert abs(back - distance) <= (LENGTHS[told.lstrip("0123456789")] + 3) * DAY


@given(
    st.sampled_from(SUGGESTED),
    st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1)),  # noqa: DTZ001
    st.sampled_from([timezone.utc, ISTANBUL, timezone(timedelta(hours=-9))]),
)
def test_what_is_suggested_lies_in_the_past_and_begins_a_day(said, moment, zone):
    now = from_datetime(moment.replace(tzinfo=timezone.utc))
    instant = meant(said, zone, now)
    assert instant <= now
    assert meant("today", zone, instant) == instant


def test_a_query_keeps_what_was_typed_and_means_another_day_tomorrow():
    (asked,) = parse("kettle after:yesterday", timezone.utc).filters
    assert str(asked) == "after:yesterday"
    assert asked.at(NOW + DAY) - asked.at(NOW) == DAY
    (quoted,) = parse('kettle before:"3 weeks ago"', timezone.utc).filters
    assert str(quoted) == 'before:"3 weeks ago"'
    assert quoted.at(NOW) == day(2026, 3, 10, zone=timezone.utc)


@pytest.mark.parametrize(
    ("zone", "written", "bound"),
    [
        ("Asia/Tokyo", "0001-01-01", MIN_INSTANT),
        ("Asia/Tokyo", "0001", MIN_INSTANT),
        ("America/New_York", "9999-12-31T23:59", MAX_INSTANT),
        ("UTC", "0001-01-01T00:00+23:59", MIN_INSTANT),
        ("UTC", "9999-12-31T23:59:59-12:00", MAX_INSTANT),
    ],
)
def test_a_day_that_lies_partly_beyond_the_ends_of_time_is_cut_there(zone, written, bound):
    assert read_when(written, ZoneInfo(zone)) == bound
