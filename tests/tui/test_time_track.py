"""A stretch of time on a row of cells: cells and instants, density, dates below, zoom."""

from __future__ import annotations

from datetime import timezone
from itertools import pairwise
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.model.instants import DAY, HOUR, MAX_INSTANT, MIN_INSTANT, SECOND
from memtui.tui.time_track import SHORTEST, TimeTrack
from tests.clocks import at

ZONES = [timezone.utc, *map(ZoneInfo, ("Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Apia"))]
INSTANTS = st.one_of(
    st.integers(MIN_INSTANT, MAX_INSTANT), st.integers(at("2020-01-01"), at("2030-01-01")), st.just(MIN_INSTANT)
)


@st.composite
def tracks(draw, least_cells=1):
    start, end = sorted((draw(INSTANTS), draw(INSTANTS)))
    near = draw(st.integers(SHORTEST, 10 ** draw(st.integers(2, 16))))
    end = min(start + near, MAX_INSTANT) if draw(st.booleans()) else end
    if end - start < SHORTEST:
        start, end = max(end - SHORTEST, MIN_INSTANT), max(end, MIN_INSTANT + SHORTEST)
    return TimeTrack(start, end, draw(st.integers(least_cells, 200)))


@given(tracks())
def test_the_middle_of_a_cell_stands_in_it(track):
    for cell in {0, track.cells // 2, track.cells - 1}:
        if track.length >= 2 * track.cells:
            assert track.cell_of(track.instant_at(cell)) == cell
        assert track.holds(track.instant_at(cell))


@given(tracks(), st.lists(INSTANTS))
def test_later_instants_never_stand_further_left(track, instants):
    cells = [track.cell_of(instant) for instant in sorted(instants)]
    assert cells == sorted(cells)
    assert all(0 <= cell < track.cells for cell in cells)


@given(tracks(), st.lists(INSTANTS))
def test_every_event_on_the_track_is_counted_once_in_its_cell(track, instants):
    events = np.array(sorted(set(instants)), dtype=np.int64)
    density = track.density(events)
    inside = [int(event) for event in events if track.holds(int(event))]
    assert density.sum() == len(inside)
    assert {cell for cell in range(track.cells) if density[cell]} == {track.cell_of(event) for event in inside}


@given(tracks(), st.sampled_from(ZONES))
def test_dates_stand_in_order_and_never_run_into_each_other(track, zone):
    ticks = track.ticks(zone)
    for before, after in pairwise(ticks):
        assert before.cell + len(before.label) < after.cell
        assert before.label != after.label
    assert all(tick.cell >= 0 and tick.cell + len(tick.label) <= track.cells for tick in ticks)


@given(tracks(), st.floats(0.05, 20), INSTANTS)
def test_zooming_stays_on_the_whole_and_keeps_what_it_is_about(whole, factor, about):
    zoomed = whole.zoomed(factor, about, whole)
    assert whole.start <= zoomed.start < zoomed.end <= whole.end
    again = zoomed.zoomed(1 / factor, about, whole)
    assert whole.start <= again.start < again.end <= whole.end
    assert zoomed.holds(min(max(about, whole.start), whole.end))
    moved = zoomed.showing(about, whole)
    assert moved.length == zoomed.length
    assert moved.holds(about) or not whole.holds(about)


def labels(start, end, cells=60, zone=timezone.utc):
    return [tick.label for tick in TimeTrack(at(start), at(end), cells).ticks(zone)]


@pytest.mark.parametrize(
    ("start", "end", "shown"),
    [
        ("1986-03-01", "2026-03-01", ["1990", "1995", "2000", "2005", "2010", "2015", "2020"]),
        ("2025-11-20", "2026-11-20", ["Jan 2026", "Apr", "Jul", "Oct"]),
        ("2026-08-01T00:00:00Z", "2026-08-29T00:00:00Z", ["3 Aug 2026", "10 Aug", "17 Aug", "24 Aug"]),
        ("2026-08-01T10:00:00Z", "2026-08-01T10:00:01Z", ["1 Aug 10:00:00.0", ".3", ".4"]),
        ("0001-01-01T00:00:00Z", "9999-12-31T00:00:00Z", ["1", "1000", "2000"]),
    ],
)
def test_dates_are_those_at_which_something_begins(start, end, shown):
    assert labels(start, end)[: len(shown)] == shown


def test_hours_that_clocks_skip_or_repeat_are_told_once_and_in_order():
    berlin = ZoneInfo("Europe/Berlin")
    spring = TimeTrack(at("2026-03-28T22:00:00Z"), at("2026-03-29T04:00:00Z"), 120).ticks(berlin)
    autumn = TimeTrack(at("2026-10-24T22:00:00Z"), at("2026-10-25T04:00:00Z"), 120).ticks(berlin)
    for ticks in (spring, autumn):
        assert [tick.cell for tick in ticks] == sorted({tick.cell for tick in ticks})
        assert len({tick.label for tick in ticks}) == len(ticks)
    assert "02:00" not in [tick.label for tick in spring]


def test_a_day_has_its_hours_and_a_second_its_parts():
    track = TimeTrack(at("2026-08-01"), at("2026-08-01") + DAY, 80)
    assert [tick.label for tick in track.ticks(timezone.utc)][:3] == ["1 Aug 00:00", "06:00", "09:00"]
    short = TimeTrack(at("2026-08-01"), at("2026-08-01") + SECOND // 2, 80)
    assert [tick.label for tick in short.ticks(timezone.utc)] == ["1 Aug 00:00:00.0", ".2", ".3", ".4"]
    assert track.cell_of(at("2026-08-01") + 12 * HOUR) == 40
