"""The time slider by itself: keys, mouse, zoom, and what it draws, for histories of any length."""

from __future__ import annotations

from datetime import timezone
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from textual.app import App
from textual.events import MouseMove
from textual.widgets import Input

import memtui.tui
from memtui.model.instants import DAY, MAX_INSTANT, MIN_INSTANT, SECOND
from memtui.tui.time_axis import TimeAxis
from memtui.tui.widgets.time_slider import TimeSlider
from tests.clocks import at
from tests.tui.driving import pressed, settled, shown

NOW = at("2026-08-01T12:00:00Z")
EVENTS = (
    at("2025-09-01T08:00:00Z"),
    at("2026-01-10T09:30:15Z"),
    at("2026-01-10T09:30:16Z"),
    at("2026-06-20T10:00:00Z"),
)


class Sliding(App):
    """One slider and something else to focus."""

    CSS_PATH: ClassVar = [Path(memtui.tui.__file__).parent / "styles" / "time.tcss"]

    def __init__(self, *events, ahead=False, now=NOW):
        super().__init__()
        self.line = TimeAxis(np.array(sorted(events), dtype=np.int64), now, ahead, timezone.utc)
        self.told = []

    def get_theme_variable_defaults(self):
        return {"rule": "#555555"}

    def compose(self):
        slider = TimeSlider("known at", id="known")
        slider.axis = self.line
        yield slider
        yield Input()

    def on_time_slider_moved(self, event):
        self.told.append(event.place)

    @property
    def slider(self):
        return self.query_one(TimeSlider)


@pytest.fixture
def sliding():
    return Sliding(*EVENTS)


async def test_keys_step_by_event_day_and_month_and_back_to_now(sliding):
    async with sliding.run_test(size=(80, 6)) as pilot:
        await pressed(pilot, "left")
        assert sliding.slider.place == EVENTS[3]
        await pressed(pilot, "left", "left", "left", "left")
        assert sliding.slider.place == EVENTS[0]
        await pressed(pilot, "shift+right", "ctrl+right")
        assert sliding.slider.place == at("2025-10-02T08:00:00Z")
        await pressed(pilot, "right", "home")
        assert sliding.slider.place == EVENTS[0]
        await pressed(pilot, "shift+left", "end")
        assert sliding.slider.place is None
        assert sliding.told[0] == EVENTS[3]
        assert sliding.told[-1] is None
        assert len(sliding.told) == 10  # what moves nothing tells nothing: the fourth step left had nowhere to go
        await pressed(pilot, "right")
        assert len(sliding.told) == 10


async def dragged(pilot, x, y):
    """The mouse goes there with its button held down."""
    await pilot._post_mouse_events([MouseMove], TimeSlider, offset=(x, y), button=1)
    await pilot.pause()


async def test_a_button_released_where_nobody_saw_it_ends_the_drag(sliding):
    async with sliding.run_test(size=(80, 6)) as pilot:
        await pilot.mouse_down(TimeSlider, offset=(20, 1))
        place = sliding.slider.place
        await pilot.hover(TimeSlider, offset=(60, 1))
        assert sliding.slider.place == place
        assert sliding.mouse_captured is None
        await pilot.mouse_down(TimeSlider, offset=(30, 1))
        sliding.query_one(Input).focus()
        await settled(pilot)
        assert sliding.mouse_captured is None


async def test_zooming_out_reaches_what_lies_far_out():
    far = Sliding(*(NOW - i * DAY for i in range(40)), NOW - 20_000 * DAY)
    async with far.run_test(size=(80, 6)) as pilot:
        await settled(pilot)
        assert shown(far)[1].startswith("‹")
        await pressed(pilot, "left", *["minus"] * 12)
        assert not shown(far)[1].startswith("‹")
        assert far.slider.track.holds(NOW - 20_000 * DAY)
        await pressed(pilot, *["plus"] * 3, "home")  # the handle is never drawn where it does not stand
        assert far.slider.track.holds(far.slider.place)


async def test_a_press_a_drag_and_the_wheel_move_it(sliding):
    async with sliding.run_test(size=(80, 6)) as pilot:
        track = sliding.slider.track
        cell = track.cell_of(EVENTS[1])
        await pilot.mouse_down(TimeSlider, offset=(cell + 1, 1))
        assert sliding.slider.place == EVENTS[2]  # the last of two in one cell: what happened there is seen
        await dragged(pilot, track.cell_of(EVENTS[3]) + 1, 4)
        assert sliding.slider.place == EVENTS[3]
        await dragged(pilot, 79, 1)
        await pilot.mouse_up(TimeSlider, offset=(79, 1))
        assert sliding.slider.place is None
        await pilot.hover(TimeSlider, offset=(3, 1))
        assert sliding.slider.place is None  # let go
        await pilot.click(TimeSlider, offset=(20, 0))
        assert sliding.slider.place is None  # the name is no track
        sliding.slider.action_step(-1)
        await settled(pilot)
        assert sliding.slider.place == EVENTS[3]


async def test_it_says_where_it_stands_and_draws_what_happened_when(sliding):
    async with sliding.run_test(size=(80, 6)) as pilot:
        await settled(pilot)
        name, track, dates = shown(sliding)[:3]
        assert name.startswith(" known at  now")
        assert track.rstrip().endswith("┃")
        assert track.count("█") == 1
        assert track.count("▅") + track.count("▆") == 2
        assert "Jan 2026" in dates
        sliding.slider.note = "linked"
        await pressed(pilot, "left", "left")
        name, track, _ = shown(sliding)[:3]
        assert name.startswith(" known at  10 Jan 2026 09:30:16 UTC · 6mo ago")
        assert name.rstrip().endswith("linked")
        assert track.index("┃") == sliding.slider.track.cell_of(EVENTS[2]) + 1


async def test_zooming_tells_apart_what_stood_in_one_cell(sliding):
    async with sliding.run_test(size=(80, 6)) as pilot:
        await pressed(pilot, "left", "left")
        whole = sliding.slider.track
        await pressed(pilot, *["plus"] * 24)
        near = sliding.slider.track
        assert near.cell_of(EVENTS[1]) < near.cell_of(EVENTS[2])
        assert shown(sliding)[1].startswith("‹")
        assert shown(sliding)[1].rstrip().endswith("›")
        await pressed(pilot, "right")
        assert sliding.slider.track.holds(EVENTS[3])  # the stretch follows
        await pressed(pilot, *["minus"] * 25)
        assert sliding.slider.track == whole


@pytest.mark.parametrize(
    "events",
    [
        (),
        (NOW,),
        (MIN_INSTANT, MAX_INSTANT),
        tuple(NOW - SECOND + i * 997 for i in range(1000)),
        tuple(NOW - i * 365 * DAY for i in range(40)),
    ],
)
@pytest.mark.parametrize("width", [3, *(pytest.param(width, marks=pytest.mark.slow) for width in (20, 200))])
async def test_any_history_at_any_width(events, width):
    app = Sliding(*events, ahead=True)
    async with app.run_test(size=(width, 6)) as pilot:
        await pressed(pilot, "home", "shift+left", "ctrl+right", "plus", "right", "end", "minus", "left")
        assert all(len(strip.text) >= 0 for strip in app.screen._compositor.render_strips(app.size))
        assert app._exception is None
