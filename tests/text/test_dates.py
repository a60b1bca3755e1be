"""Dates: every ISO form is one instant; what is no date is refused by name."""

import os
import subprocess
import sys
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.errors import InvalidInput
from memtui.model.instants import MAX_INSTANT, MIN_INSTANT, iso, to_datetime
from memtui.text import dates
from memtui.text.dates import local_zone, parse_instant

UTC = timezone.utc
ZONES = ("UTC", "Europe/Istanbul", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia")


def read(text, zone="UTC"):
    return iso(parse_instant(text, ZoneInfo(zone)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-01-02", "2024-01-02T00:00:00Z"),
        ("2024-01-02T03:04", "2024-01-02T03:04:00Z"),
        ("2024-01-02 03:04:05", "2024-01-02T03:04:05Z"),
        ("2024-01-02t03:04:05z", "2024-01-02T03:04:05Z"),
        ("2024-01-02T03:04:05+03:00", "2024-01-02T00:04:05Z"),
        ("2024-01-02T03:04:05 -0330", "2024-01-02T06:34:05Z"),
        ("2024-01-02T03:04:05+03", "2024-01-02T00:04:05Z"),
        ("2024-01-02T03:04:05.1", "2024-01-02T03:04:05.100000Z"),
        ("2024-01-02T03:04:05,123456789Z", "2024-01-02T03:04:05.123456Z"),
        ("2040-07-01T12:00:00+02:00", "2040-07-01T10:00:00Z"),
        ("0360-01-01", "0360-01-01T00:00:00Z"),
        ("9999-12-31", "9999-12-31T00:00:00Z"),
        (" 2024-02-29 ", "2024-02-29T00:00:00Z"),
    ],
)
def test_iso_forms(text, expected):
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "zone", "expected"),
    [
        ("2024-01-02T03:04:05", "Europe/Istanbul", "2024-01-02T00:04:05Z"),
        ("2024-01-02", "Europe/Istanbul", "2024-01-01T21:00:00Z"),
        ("2024-01-02T03:04:05Z", "America/New_York", "2024-01-02T03:04:05Z"),
        # A skipped time moves forward by the gap, a repeated one is the first.
        ("2024-03-31T02:30", "Europe/Berlin", "2024-03-31T01:30:00Z"),
        ("2024-10-27T02:30", "Europe/Berlin", "2024-10-27T00:30:00Z"),
        ("2024-10-27T02:15:00+01:00", "Europe/Berlin", "2024-10-27T01:15:00Z"),
        # Days that do not begin at midnight, or have it twice.
        ("2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00Z"),
        ("1919-03-31", "America/Toronto", "1919-03-31T04:30:00Z"),
        ("2011-12-30", "Pacific/Apia", "2011-12-30T10:00:00Z"),
        ("2000-10-29", "America/Havana", "2000-10-29T04:00:00Z"),
        ("2040-07-01T12:00", "America/New_York", "2040-07-01T16:00:00Z"),
    ],
)
def test_zones_and_their_jumps(text, zone, expected):
    assert read(text, zone) == expected


def test_the_mixture_of_naive_and_offset_times_orders_by_instant():
    a, b, c = (
        parse_instant(text, UTC)
        for text in ("2025-03-01T10:00:00+00:00", "2025-03-01T11:30:00+03:00", "2025-03-01T10:30:00")
    )
    assert b < a < c


@pytest.mark.parametrize(
    "value",
    [
        "2024-13-01",
        "yesterdayish",
        "next spring",
        "2024-02-30",
        "2023-02-29",
        "0000-01-01",
        "10000-01-01",
        "2024-1-1",
        "20240101",
        "2024-01-01T24:00",
        "2024-01-01T10:60",
        "2024-01-01T23:59:60Z",
        "2024-01-01T10:00+24:00",
        "2024-01-01T10:00+03:75",
        "0001-01-01T00:00+05:00",
        "9999-12-31T23:59-05:00",
        "٢٠٢٤-٠١-٠١",
        "2024-01-01\x00",
        "",
        2024,
        True,
    ],
)
def test_nonsense_is_refused_with_the_value_and_a_hint(value):
    with pytest.raises(InvalidInput) as refused:
        parse_instant(value, UTC, field="valid_from", file="notes/a.md")
    error = refused.value
    assert repr(str(value)) in error.message
    assert "ISO 8601" in (error.hint or "")
    assert (error.field, error.file, error.value) == ("valid_from", "notes/a.md", value)


def test_a_long_value_is_quoted_in_part():
    with pytest.raises(InvalidInput) as refused:
        parse_instant("x" * 10_000, UTC)
    assert len(refused.value.message) < 200


def test_datetimes_and_dates():
    istanbul = ZoneInfo("Europe/Istanbul")
    assert iso(parse_instant(date(2024, 1, 2), istanbul)) == "2024-01-01T21:00:00Z"
    assert iso(parse_instant(datetime(2024, 1, 2, 3), istanbul)) == "2024-01-02T00:00:00Z"  # noqa: DTZ001
    aware = datetime(2024, 1, 2, 3, tzinfo=timezone(timedelta(hours=-5)))
    assert iso(parse_instant(aware, istanbul)) == "2024-01-02T08:00:00Z"
    folded = datetime(2024, 10, 27, 2, 30, tzinfo=ZoneInfo("Europe/Berlin"), fold=1)
    assert iso(parse_instant(folded, UTC)) == "2024-10-27T01:30:00Z"


@given(st.integers(MIN_INSTANT, MAX_INSTANT), st.sampled_from(ZONES))
def test_iso_text_comes_back_as_the_same_instant(instant, zone):
    assert parse_instant(iso(instant), ZoneInfo(zone)) == instant


@given(st.integers(0, 4_000_000_000_000_000), st.sampled_from(ZONES))
def test_a_local_time_with_its_offset_comes_back_as_the_same_instant(instant, zone):
    local = to_datetime(instant).astimezone(ZoneInfo(zone))
    assert parse_instant(local.isoformat(), UTC) == instant


@given(st.dates(date(1900, 1, 2), date(2100, 1, 1)), st.sampled_from((*ZONES, "America/Sao_Paulo", "Asia/Beirut")))
def test_a_day_begins_where_the_day_before_ends(day, name):
    zone = ZoneInfo(name)
    first = parse_instant(day, zone)
    before = to_datetime(first - 1).astimezone(zone)
    assert before.date() < day or before.utcoffset() != to_datetime(first).astimezone(zone).utcoffset()
    assert to_datetime(first).astimezone(zone).date() >= day


# --- The zone ------------------------------------------------------------------------------------


def test_memtui_tz_names_the_zone(monkeypatch):
    monkeypatch.setenv("MEMTUI_TZ", "Asia/Tokyo")
    assert local_zone() == ZoneInfo("Asia/Tokyo")


@pytest.mark.parametrize("name", ["Mars/Base", "../etc/passwd", "Europe", "\udcff", "x" * 5_000])
def test_an_unknown_memtui_tz_is_refused_by_name(monkeypatch, name):
    monkeypatch.setattr(dates.os, "environ", {"MEMTUI_TZ": name})
    with pytest.raises(InvalidInput) as refused:
        local_zone()
    assert "MEMTUI_TZ" in refused.value.message
    assert len(refused.value.message) < 200
    assert refused.value.value == (name if len(name) < 80 else f"{name[:79]}…")


def test_a_clock_that_is_a_day_away_from_utc_is_no_clock():
    script = (
        "from memtui.text.dates import *; from memtui.text.moments import local; zone = local_zone(); "
        "print(parse_instant('1970-01-02', zone) // 10**6, zone_trouble())"
    )
    for rules, told in (("XXX+25:99", "86400 TZ is 'XXX+25:99', a day or more"), ("XXX-5:30", "66600 None")):
        zones = {"TZ": rules, "MEMTUI_TZ": ""}
        ran = subprocess.run(
            [sys.executable, "-c", script], env={**os.environ, **zones}, capture_output=True, text=True, check=True
        )
        assert ran.stdout.startswith(told), ran


def test_without_it_the_system_decides(monkeypatch):
    monkeypatch.setattr(dates.os, "environ", {"MEMTUI_TZ": " ", "TZ": "America/New_York"})
    assert read_in(local_zone(), "2040-07-01T12:00") == "2040-07-01T16:00:00Z"
    monkeypatch.setattr(dates.os, "environ", {})
    assert local_zone().utcoffset(datetime(2024, 1, 1)) is not None  # noqa: DTZ001


def read_in(zone, text):
    return iso(parse_instant(text, zone))


def test_a_zone_only_the_c_library_knows(monkeypatch):
    if not hasattr(dates.time, "tzset"):
        pytest.skip("the C library of this system cannot be told a zone")
    monkeypatch.setenv("MEMTUI_TZ", "")
    monkeypatch.setenv("TZ", "XST5XDT,M3.2.0,M11.1.0")
    dates.time.tzset()
    try:
        zone = local_zone()
        assert read_in(zone, "2024-07-01T12:00") == "2024-07-01T16:00:00Z"
        assert read_in(zone, "2024-01-01") == "2024-01-01T05:00:00Z"
        assert read_in(zone, "2024-03-10T02:30") == "2024-03-10T07:30:00Z"
        assert read_in(zone, "2024-11-03T01:30") == "2024-11-03T05:30:00Z"
        assert datetime(2024, 7, 1, 16, tzinfo=UTC).astimezone(zone).hour == 12
    finally:
        monkeypatch.undo()
        dates.time.tzset()
