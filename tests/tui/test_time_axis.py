"""A clock's axis: steps by event, day and month, what a cell means, and the stretch that shows the events."""

from __future__ import annotations

from datetime import timezone
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.model.instants import DAY, HOUR, MAX_INSTANT, MIN_INSTANT, SECOND
from memtui.tui.time_axis import TimeAxis
from tests.clocks import at

NOW = at("2026-08-01T12:00:00Z")
BERLIN = ZoneInfo("Europe/Berlin")


def axis(*events, now=NOW, ahead=False, zone=timezone.utc):
    return TimeAxis(np.array(sorted(set(events)), dtype=np.int64), now, ahead, zone)


INSTANTS = st.one_of(st.integers(MIN_INSTANT, MAX_INSTANT), st.integers(NOW - 5, NOW + 5))
AXES = st.builds(
    lambda events, ahead: axis(*(e for e in events if ahead or e <= NOW), ahead=ahead),
    st.lists(INSTANTS, max_size=12),
    st.booleans(),
)


@given(AXES)
def test_steps_meet_every_event_and_the_present_once_each_way(line):
    stops = sorted({*line.events.tolist(), NOW})
    place, met = line.first, [line.settled(line.first)]
    while (later := line.stepped(place, 1, "event")) != place:
        place = later
        met.append(line.settled(place))
    assert met == stops[stops.index(met[0]) :]
    assert (place is None) == (met[-1] == NOW)
    back = [line.settled(place)]
    while (earlier := line.stepped(place, -1, "event")) != place:
        place = earlier
        back.append(line.settled(place))
    assert back[::-1] == stops[stops.index(min(stops)) :]


@given(AXES, st.one_of(st.none(), INSTANTS), st.integers(-40, 40), st.sampled_from(["event", "day", "month"]))
def test_no_step_leads_beyond_what_makes_sense(line, place, steps, unit):
    found = line.stepped(line.place_of(NOW if place is None else place), steps, unit)
    assert found is None or MIN_INSTANT <= found <= MAX_INSTANT
    assert line.ahead or found is None or found < NOW


@pytest.mark.parametrize(
    ("start", "steps", "unit", "end"),
    [
        ("2026-03-28T12:00:00+01:00", 1, "day", "2026-03-29T12:00:00+02:00"),
        ("2025-10-25T12:00:00+02:00", 1, "day", "2025-10-26T12:00:00+01:00"),
        ("2026-01-31T09:00:00+01:00", 1, "month", "2026-02-28T09:00:00+01:00"),
        ("2026-03-31T09:00:00+02:00", -13, "month", "2025-02-28T09:00:00+01:00"),
    ],
)
def test_days_and_months_keep_the_time_of_day_through_changes_of_the_clocks(start, steps, unit, end):
    assert axis(zone=BERLIN).stepped(at(start), steps, unit) == at(end)


@given(AXES, st.integers(1, 120), st.data())
def test_a_cell_means_its_last_event_or_its_middle_and_the_last_the_present(line, cells, data):
    track = line.whole(cells)
    cell = data.draw(st.integers(0, cells - 1))
    place = line.snapped(track, cell)
    inside = [e for e in line.events.tolist() if track.holds(e) and track.cell_of(e) == cell]
    if cell == cells - 1 and track.end == NOW:
        assert place is None
    elif inside and inside[-1] != track.end:
        assert line.settled(place) == inside[-1]
    elif track.length >= 2 * cells:
        assert track.cell_of(line.settled(place)) == cell


@given(AXES, st.integers(1, 200))
def test_the_whole_stretch_holds_the_present_and_the_middle_of_the_events(line, cells):
    track = line.whole(cells)
    assert track.start < track.end
    assert track.holds(NOW)
    assert line.ahead or track.end == NOW
    events = [event for event in line.events.tolist() if line.ahead or event <= NOW]
    assert not events or track.holds(events[len(events) // 2])


def test_what_lies_very_far_out_does_not_squeeze_the_rest():
    events = [NOW - day * DAY for day in range(1, 40)]
    far = axis(MIN_INSTANT, *events, NOW + 20 * DAY, MAX_INSTANT, ahead=True)
    track = far.whole(80)
    assert (track.start, track.end) == (NOW - 39 * DAY, NOW + 20 * DAY)
    assert far.stepped(NOW - 39 * DAY, -1, "event") == MIN_INSTANT  # a step reaches it all the same
    assert far.stepped(NOW + 20 * DAY, 1, "event") == MAX_INSTANT


@pytest.mark.parametrize("events", [(), (NOW,), (NOW - 40 * 365 * DAY,), (NOW - 9 * SECOND, NOW - 8 * SECOND)])
def test_any_history_has_a_stretch(events):
    track = axis(*events).whole(80)
    assert all(track.holds(event) for event in events)
    assert track.end == NOW
    if not events or events == (NOW,):
        assert track.length == HOUR
