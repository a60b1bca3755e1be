"""The Timeline with a keyboard: two clocks, lanes, map and diff, on a vault whose history is known."""

from __future__ import annotations

import json

import pytest

from memtui.memory.opening import open_memory
from memtui.model.instants import DAY
from memtui.tui.app import MemtuiApp
from memtui.tui.widgets.time_slider import TimeSlider
from tests.clocks import SteppingClock, at
from tests.tui.driving import names, pressed, screen_text, settled, shown, toasts, typed, until

START = at("2026-03-01T09:00:00Z")
SIZE = (120, 36)


@pytest.fixture
def clock():
    return SteppingClock(START, step=0)


@pytest.fixture
def memory(vault, clock):
    """mill: learned, corrected a month later, forgotten, revived; port: superseded by dock; kiln: comes true in May."""
    memory = open_memory(vault, create=True, clock=clock)

    def later(days):
        clock.forward(days * DAY)

    memory.remember("The mill grinds at six in the morning", name="mill")
    later(10)
    memory.remember("The port of the press is 5433", name="port", area="ops")
    later(20)
    memory.update("mill", summary="The mill grinds at seven in the morning")
    later(10)
    memory.forget("mill")
    later(5)
    memory.supersede("port", "The port of the press is 6000", name="dock", area="ops")
    later(5)
    memory.revive("mill")
    later(5)
    memory.remember("The kiln is fired on Sundays", name="kiln", valid_from="2026-06-01")
    later(1)
    return memory


@pytest.fixture
def app(memory, clock, tmp_path):
    return MemtuiApp(memory, sync_on_start=False, clock=clock, state_file=tmp_path / "interface.json")


def lanes(app):
    """name → the lane as drawn, without its title."""
    listed = app.screen.lanes
    return {listed.timeline.key(i).name: line for i, line in enumerate(_lines(app, listed))}


def _lines(app, widget):
    region = widget.region
    rows = shown(app)[region.y + 1 : region.bottom]
    return [row[region.x : region.right] for row in rows][: widget.count]


def belief(app):
    return app.screen_stack[0].state.belief


def states(app):
    timeline = app.screen.lanes.timeline
    return {
        timeline.key(i).name: timeline.state(i) if timeline.is_known(i) else "unknown"
        for i in range(app.screen.lanes.count)
    }


async def test_every_memory_has_a_lane_and_goes_through_time_with_the_clock(app, memory):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f3")
        assert states(app) == {"mill": "in_force", "port": "superseded", "dock": "in_force", "kiln": "not_yet"}
        assert "→ dock" in lanes(app)["port"]
        assert "2 records" in shown(app)[0]
        await pressed(pilot, "tab", "tab", "shift+tab", "left")  # the first slider, the event before
        kiln_learned = memory.history("kiln")[0].recorded_at
        assert belief(app).known_at == kiln_learned
        await pressed(pilot, "left")
        assert states(app) == {"mill": "in_force", "port": "superseded", "dock": "in_force", "kiln": "unknown"}
        assert "2 records" in shown(app)[0]
        await pressed(pilot, "left", "left")
        assert states(app)["mill"] == "forgotten"
        assert states(app)["port"] == "in_force"
        assert states(app)["dock"] == "unknown"
        await pressed(pilot, "home")
        assert states(app) == {"mill": "in_force", "port": "unknown", "dock": "unknown", "kiln": "unknown"}
        assert "known and true at 1 Mar 2026 09:00" in shown(app)[0]
        assert "1 record" in shown(app)[0]
        assert "2 records" not in shown(app)[0]
        await pressed(pilot, "f2", "tab", "0")
        assert "2 records" in shown(app)[0]
        assert belief(app).is_present
        assert " now " in shown(app)[0]


async def test_a_gap_is_seen_in_a_lane(app):
    async with app.run_test(size=(200, 40)) as pilot:
        await settled(pilot)
        await pressed(pilot, "f3")
        assert "┄" in lanes(app)["mill"]
        assert "┄" not in lanes(app)["dock"]


async def test_the_clocks_are_linked_until_they_are_not(app, memory):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f3")
        app.screen.lanes.focus()
        await pressed(pilot, "left_curly_bracket", "left_curly_bracket")
        moment = memory.history("mill")[-1].recorded_at
        assert (belief(app).known_at, app.screen.true_slider.place) == (moment, moment)
        assert belief(app).true_at is None
        await pressed(pilot, "l", "left_curly_bracket")
        assert belief(app).true_at == moment  # stays behind
        assert belief(app).known_at == memory.history("dock")[0].recorded_at
        assert "known at" in shown(app)[0]
        assert "true at" in shown(app)[0]
        # What was believed then of a later moment: the mill was forgotten, and nobody knew that it comes back.
        assert states(app)["mill"] == "forgotten"
        await pressed(pilot, "l")
        assert belief(app).true_at is None
        await pressed(pilot, "0", "right_square_bracket")
        assert belief(app).known_at is None
        assert belief(app).true_at == at("2026-06-01T00:00:00Z")
        assert states(app)["kiln"] == "in_force"


async def test_the_query_narrows_the_lanes_to_what_was_known_then(app, memory):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f3")
        await typed(pilot, "port")
        assert set(states(app)) == {"port", "dock"}
        app.screen.known_slider.focus()
        await pressed(pilot, "home")
        assert states(app) == {}
        assert "Nothing that was known then matches." in screen_text(app)
        await pressed(pilot, "right")
        assert set(states(app)) == {"port"}
        # Where nothing else is known, its words are not rare: the statistics are of that moment.
        then = app.screen.row.hit.score
        now = next(hit for hit in memory.search("port", all=True) if hit.name == "port").score
        assert then != now
        assert then == next(iter(memory.search("port", as_of="2026-03-12", all=True))).score


async def test_the_selection_is_the_same_in_both_modes(app):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "tab")
        app.screen.results.select(names(app).index("dock"), by_person=True)
        await pressed(pilot, "f3")
        assert app.screen.row.key.name == "dock"
        app.screen.lanes.focus()
        await pressed(pilot, "g")
        first = app.screen.row.key
        assert first.name == "mill"
        await pressed(pilot, "f2")
        assert app.screen.row.key == first


async def test_t_goes_to_the_moment_a_memory_was_learned(app, memory):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await typed(pilot, "6000")
        await pressed(pilot, "tab", "t")
        assert app.screen.in_timeline
        assert belief(app).known_at == memory.history("dock")[0].recorded_at
        assert app.screen.row.key.name == "dock"


async def test_the_past_is_read_only_and_says_how_to_come_back(app, memory):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f3")
        app.screen.lanes.focus()
        await pressed(pilot, "g", "left_curly_bracket", "f")
        assert "read-only" in toasts(app)[-1]
        assert "0 goes back" in toasts(app)[-1]
        assert memory.show("mill").state == "in_force"
        await pressed(pilot, "f2")
        assert not belief(app).is_present  # one value for the whole program
        assert "known and true at" in shown(app)[0]
        assert "dock" in names(app)
        await pressed(pilot, "tab", "0", "g", "f")
        assert "Forgot" in toasts(app)[-1]


async def test_a_time_is_typed_and_said_back(app):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f3")
        app.screen.lanes.focus()
        await pressed(pilot, "T")
        await typed(pilot, "2 weeks ago")
        assert "12 Apr 2026 00:00:00 UTC" in screen_text(app)
        await pressed(pilot, "ctrl+u")
        await typed(pilot, "whenever")
        assert "cannot be read as a date" in screen_text(app)
        await pressed(pilot, "enter")  # says no, and stays
        assert belief(app).is_present
        await pressed(pilot, "ctrl+u")
        await typed(pilot, "tomorrow")
        assert "nobody knows yet" in screen_text(app)
        await pressed(pilot, "ctrl+u")
        await typed(pilot, "2026-03-12")
        await pressed(pilot, "enter")
        assert belief(app).known_at == at("2026-03-12T00:00:00Z")
        await pressed(pilot, "T", "escape")
        assert belief(app).known_at == at("2026-03-12T00:00:00Z")


async def test_the_diff_tab_tells_what_changed_since_the_mark(app, memory):
    async with app.run_test(size=(140, 50)) as pilot:
        await settled(pilot)
        await pressed(pilot, "f3")
        app.screen.known_slider.focus()
        await pressed(pilot, "home", "right", "m")
        assert "A is 11 Mar 2026" in toasts(app)[-1]
        await pressed(pilot, "0", "5")
        told = memory.diff("2026-03-11T09:00:00Z", "2026-04-26T09:00:00Z").as_dict()
        page = screen_text(app)
        for name in ("learned", "forgotten", "changed"):
            assert f"{len(told[name])} {name}" in page
        assert "[−six−]" in page
        assert "{+seven+}" in page
        await pressed(pilot, "slash")
        await typed(pilot, "kiln")
        page = screen_text(app)
        assert "1 learned" in page
        assert "seven" not in page


async def test_the_map_tells_each_version_and_what_changed(app):
    async with app.run_test(size=(140, 44)) as pilot:
        await settled(pilot)
        await pressed(pilot, "f3")
        app.screen.lanes.focus()
        await pressed(pilot, "g", "4")
        page = screen_text(app)
        assert "version 4 of 4" in page
        assert "▓" in page
        assert page.count("▒") > 3
        await pressed(pilot, *["left_curly_bracket"] * 5)
        assert "version 2 of 4" in screen_text(app)
        assert "[−six−]{+seven+}" in screen_text(app)
        await pressed(pilot, "greater_than_sign", "greater_than_sign")
        assert "against version 3" in screen_text(app)
        await pressed(pilot, "home")
        app.screen.known_slider.focus()
        await pressed(pilot, "home")
        assert "version 1 of 4" in screen_text(app)


async def test_a_replay_plays_on_event_by_event_to_the_present(app, memory):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f3")
        app.screen.lanes.focus()
        seen = []
        app.screen.watch(app.screen.known_slider, "place", lambda place: seen.append(place), init=False)
        await pressed(pilot, "S")  # sixteen a second
        await pilot.press("P")
        await until(pilot, lambda: seen and seen[-1] is None and belief(app).is_present)
        assert seen == [*memory.chronicle().transactions.tolist(), None]
        assert belief(app).is_present


async def test_any_key_stops_a_replay_and_means_nothing_else(app):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f3")
        app.screen.lanes.focus()
        await pressed(pilot, "S", "S")  # one a second
        await pilot.press("P")
        await until(pilot, lambda: "remember" in screen_text(app))
        told = len(toasts(app))
        await pilot.press("f")
        stopped = belief(app).known_at
        assert stopped is not None
        await pilot.pause(1.2)
        assert belief(app).known_at == stopped
        assert len(toasts(app)) <= told


async def test_link_order_and_mode_return(app, memory, clock, tmp_path):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f3")
        app.screen.lanes.focus()
        await pressed(pilot, "l", "o")
        assert "by area" in screen_text(app)
        await app.action_quit()
    again = MemtuiApp(memory, sync_on_start=False, clock=clock, state_file=tmp_path / "interface.json")
    async with again.run_test(size=SIZE) as pilot:
        await settled(pilot)
        state = again.screen.state
        assert (state.mode, state.clocks.linked, state.lane_order) == ("timeline", False, "area")
        assert again.screen.lanes.count == 4
        assert again.screen.query_input.has_focus


async def test_a_click_and_a_drag_on_a_slider_move_everything(app):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f3")
        await pilot.click("#known-at", offset=(1, 1))
        await settled(pilot)
        assert states(app)["port"] == "unknown"
        await pilot.click(app.screen.known_slider, offset=(app.screen.known_slider.size.width - 2, 1))
        await settled(pilot)
        assert belief(app).is_present


async def test_forgotten_ones_can_be_left_out_of_the_lanes(app):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f3")
        app.screen.lanes.focus()
        await pressed(pilot, "x")
        assert set(states(app)) == {"mill", "dock", "kiln"}
        await pressed(pilot, "x")
        assert "port" in states(app)


async def test_letters_are_letters_in_the_box_of_the_timeline(app):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f3", "f2", "f3")
        app.screen.query_input.focus()
        await typed(pilot, "lT0mP[]{}tf")
        assert app.screen.query_input.value == "lT0mP[]{}tf"
        assert belief(app).is_present


async def test_nothing_runs_while_nothing_moves(app):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f3")
        app.screen.known_slider.focus()
        await pressed(pilot, "left")
        drawn = app.screen.lanes.lanes_painted
        await pilot.pause(1.5)
        assert app.screen.lanes.lanes_painted == drawn
        assert isinstance(app.screen.focused, TimeSlider)


async def test_a_past_of_one_second_and_one_instant(vault, clock):
    memory = open_memory(vault, create=True, clock=clock)
    for number in range(3):
        memory.remember(f"Note {number} of the mill", name=f"n{number}")
        clock.forward(300_000)
    app = MemtuiApp(memory, sync_on_start=False, clock=clock)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pressed(pilot, "f3")
        app.screen.known_slider.focus()
        await pressed(pilot, "left")
        assert "09:00:00.6" in screen_text(app)
        await pressed(pilot, "left")
        assert states(app) == {"n0": "in_force", "n1": "in_force", "n2": "unknown"}


async def test_an_empty_vault_has_a_timeline_that_says_so(vault, clock):
    app = MemtuiApp(open_memory(vault, create=True, clock=clock), sync_on_start=False, clock=clock)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pressed(pilot, "f3")
        assert "Nothing has been recorded yet." in screen_text(app)
        app.screen.known_slider.focus()
        await pressed(pilot, "left", "home", "m", "5", "P")
        assert belief(app).is_present
        assert "nothing to replay" in toasts(app)[-1]


@pytest.mark.parametrize("size", [(80, 24), *(pytest.param(s, marks=pytest.mark.slow) for s in ((60, 16), (200, 60)))])
async def test_lanes_are_drawn_only_where_they_are_seen(vault, clock, size):
    memory = open_memory(vault, create=True, clock=clock)
    items = [{"name": f"m{number:03}", "summary": f"Mill {number} stands at the river"} for number in range(150)]
    (vault / "items.jsonl").write_text("\n".join(map(json.dumps, items)), encoding="utf-8")
    memory.import_(vault / "items.jsonl")
    app = MemtuiApp(memory, sync_on_start=False, clock=clock)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        await pressed(pilot, "f3")
        assert app.screen.lanes.count == 150
        assert 0 < app.screen.lanes.lanes_painted <= 3 * size[1]
        app.screen.lanes.focus()
        await pressed(pilot, "G")
        assert app.screen.row.key.name == "m149"
        listed = app.screen.lanes
        assert listed.scroll_offset.y + listed.page >= 150
        listed.scroll_to(y=20, animate=False)
        await pressed(pilot, "m", "left_curly_bracket", "0")
        assert listed.scroll_offset.y == 20  # who has scrolled away from it is not taken back
        await pressed(pilot, "g")
        assert listed.scroll_offset.y == 0


async def test_history_tells_what_was_known_then(app):
    async with app.run_test(size=(120, 50)) as pilot:
        await settled(pilot)
        await pressed(pilot, "f3")
        app.screen.lanes.focus()
        await pressed(pilot, "g", "3")
        assert "4 versions" in screen_text(app)
        app.screen.known_slider.focus()
        await pressed(pilot, "home")
        assert "1 version" in screen_text(app)
        assert "Recorded later, and not shown here: 3." in screen_text(app)


async def test_what_may_have_been_there_unseen_is_said_in_the_search_too(vault, clock):
    memory = open_memory(vault, create=True, clock=clock)
    memory.remember("The mill grinds at six", name="mill")
    clock.forward(DAY)
    (vault / "note.md").write_text("# The river and the mill\n\nIt runs.\n", encoding="utf-8")
    memory.sync()
    clock.forward(DAY)
    app = MemtuiApp(memory, sync_on_start=False, clock=clock)
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await typed(pilot, "mill")
        await pressed(pilot, "tab")
        app.screen.results.select(names(app).index("mill"), by_person=True)
        await pressed(pilot, "t")
        assert "░ 1" in screen_text(app)
        await pressed(pilot, "f2")
        assert "Unseen: 1 record first read later" in screen_text(app)
        assert names(app) == ["mill"]


async def test_a_few_events_far_apart_are_all_on_the_track(vault, clock):
    memory = open_memory(vault, create=True, clock=clock)
    for name, since in (("rent", "2025-08-01"), ("lift", "2025-09-15"), ("boiler", "2027-03-01")):
        memory.remember(f"The {name} is settled", name=name, valid_from=since)
        clock.forward(1_000_000)
    app = MemtuiApp(memory, sync_on_start=False, clock=clock)
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f3")
        track = app.screen.true_slider.track
        assert track.holds(at("2025-08-01T00:00:00Z"))
        assert track.holds(at("2027-03-01T00:00:00Z"))
        assert set("▸╍╺") & set(lanes(app)["boiler"])


async def test_the_palette_moves_the_clocks_while_the_box_has_the_focus(app):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f3")
        app.screen.query_input.focus()
        await settled(pilot)
        await app.screen.run_command("screen.clock_type")
        await settled(pilot)
        await typed(pilot, "2026-03-12")
        await pressed(pilot, "enter")
        assert belief(app).known_at == at("2026-03-12T00:00:00Z")
        assert app.screen.query_input.value == ""


async def test_time_goes_on_while_nothing_moves(app, clock):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f3")
        app.screen.lanes.focus()
        clock.forward(5 * DAY)
        await pressed(pilot, "T")
        await typed(pilot, "yesterday")
        assert "30 Apr 2026" in screen_text(app)
        await pressed(pilot, "escape", "m")
        assert "A is 1 May 2026" in toasts(app)[-1]


async def test_what_ends_at_the_present_has_its_sign(app, memory):
    memory.forget("dock")
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f3")
        assert "✕" in lanes(app)["dock"]


async def test_revivals_are_told_in_the_diff(app):
    async with app.run_test(size=(140, 60)) as pilot:
        await settled(pilot)
        await pressed(pilot, "f3")
        app.screen.known_slider.focus()
        await pressed(pilot, "home", "m", "0", "5")
        assert "out of force 10 Apr 2026 09:00 UTC – 20 Apr 2026 09:00 UTC" in screen_text(app)
        assert "{'" not in screen_text(app)


async def test_the_versions_to_compare_with_end_where_they_end(app):
    async with app.run_test(size=(140, 44)) as pilot:
        await settled(pilot)
        await pressed(pilot, "f3")
        app.screen.lanes.focus()
        await pressed(pilot, "g", "4", *["less_than_sign"] * 9)
        assert "against version 1," in screen_text(app)
        await pressed(pilot, "greater_than_sign")
        assert "against version 2," in screen_text(app)


@pytest.mark.parametrize("mode", [pytest.param("f2", marks=pytest.mark.slow), "f3"])
async def test_on_a_small_terminal_what_is_opened_fills_the_screen(app, mode):
    async with app.run_test(size=(60, 16)) as pilot:
        await settled(pilot)
        await pressed(pilot, "f3", mode, "tab", "tab", "tab", "shift+tab")
        app.screen.listed.focus()
        await pressed(pilot, "g", "enter")
        assert "in the morning" in screen_text(app) or "5433" in screen_text(app) or "6000" in screen_text(app)
        await pressed(pilot, "escape", "3")
        assert "version" in screen_text(app)
        await pressed(pilot, "escape")
        assert app.screen.listed.has_focus


@pytest.mark.parametrize("mode", [pytest.param("f2", marks=pytest.mark.slow), "f3"])
@pytest.mark.parametrize("size", [(60, 16), pytest.param(SIZE, marks=pytest.mark.slow)])
async def test_what_is_typed_after_leaving_the_text_goes_into_the_box(app, mode, size):
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        await pressed(pilot, "f3", mode)
        app.screen.listed.focus()
        await pressed(pilot, "g", "enter")
        await pilot.press("slash", "m", "o")
        await settled(pilot)
        assert app.screen.query_input.value == "mo"
        assert app.screen.state.mark is None


async def test_the_focus_goes_back_to_where_it_was(app):
    async with app.run_test(size=(60, 16)) as pilot:
        await settled(pilot)
        await pressed(pilot, "f3")
        for widget in (app.screen.true_slider, app.screen.known_slider, app.screen.lanes):
            widget.focus()
            await pressed(pilot, "3", "escape")
            assert widget.has_focus
        await pressed(pilot, "enter", "f2")
        assert not app.screen.state.reading
        app.screen.results.focus()
        await pressed(pilot, "5")
        assert app.screen.in_timeline
        assert app.screen.preview.document.has_focus


async def test_a_typed_time_beyond_all_events_stands_where_it_is(app):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f3")
        app.screen.true_slider.focus()
        for time in ("2020-01-01", "2040-01-01"):
            await pressed(pilot, "T")
            await typed(pilot, time)
            await pressed(pilot, "enter")
            track = app.screen.true_slider.track
            assert track.holds(at(f"{time}T00:00:00Z"))
            lanes_track = app.screen.lanes.track
            assert (lanes_track.start, lanes_track.end) == (track.start, track.end)


async def test_counts_above_the_lanes_fit_after_a_resize(app):
    async with app.run_test(size=(200, 36)) as pilot:
        await settled(pilot)
        await pressed(pilot, "f3")
        assert "superseded" in screen_text(app)
        await pilot.resize_terminal(100, 36)
        await settled(pilot)
        assert "━ 2  ╍ 1  → 1" in screen_text(app)


async def test_what_begins_to_be_true_by_itself_is_counted(app, clock):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await until(pilot, lambda: app.screen._looked_at is not None)
        assert "2 records" in shown(app)[0]
        clock.forward(60 * DAY)
        await until(pilot, lambda: "3 records" in shown(app)[0])
        await settled(pilot)
        assert "kiln" in names(app)
