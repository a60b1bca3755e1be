"""The query language on the screen: filters as chips, and what could not be understood."""

from __future__ import annotations

import pytest
from textual.widgets import Input

from memtui.text.query_language import parse
from tests.tui.driving import names, pressed, screen_text, settled, shown, toasts, typed


def rule(app):
    return next(line for line in shown(app) if "Results" in line)


async def test_filters_are_chips_and_escape_in_the_box_takes_them_out(app, memory):
    memory.remember("A scale of another area", name="other", area="Feature/other")
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await typed(pilot, 'scale area:Feature/weighing -tag:"a b"')
        assert set(names(app)) == {"m-0", "m-4"}
        assert "── Results  area:Feature/weighing   +1  ─" in rule(app)
        assert "2 hits" in rule(app)
        await pressed(pilot, "tab", "escape")
        assert app.screen.query_input.value.endswith('"a b"'), "the first escape goes back to the box"
        await pressed(pilot, "escape")
        assert app.screen.query_input.value == "scale"
        assert set(names(app)) == {"m-0", "m-4", "other"}
        assert "area:" not in rule(app)
        await pressed(pilot, "escape")
        assert app.screen.query_input.value == "scale"


async def test_a_click_on_a_chip_takes_that_filter_out(app):
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await typed(pilot, "kind:engram scale is:pinned")
        assert names(app) == []
        row = next(i for i, line in enumerate(shown(app)) if "Results" in line)
        await pilot.click(offset=(rule(app).index("is:pinned") + 2, row))
        await settled(pilot)
        assert app.screen.query_input.value == "kind:engram scale"
        assert set(names(app)) == {"m-0", "m-4"}


async def test_a_chip_means_the_filter_it_shows_whatever_was_typed_since(app):
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await typed(pilot, "scale is:pinned")
        screen = app.screen
        with screen.prevent(Input.Changed):  # the results of what is typed now have not come yet
            screen.query_input.value = "kind:engram scale is:pinned"
        await pilot.click(offset=chip(app, "is:pinned"))
        await settled(pilot)
        assert screen.query_input.value == "kind:engram scale"
        with screen.prevent(Input.Changed):
            screen.query_input.value = "scale -kind:engram"
        await pilot.click(offset=chip(app, "kind:engram"))
        await settled(pilot)
        assert screen.query_input.value == "scale -kind:engram"


@pytest.mark.slow
async def test_a_click_on_the_chip_that_counts_tells_which_and_takes_none_out(app):
    query = "scale area:Feature/weighing kind:engram -tag:a -tag:bbbbbbbbbb -tag:cccccccccc"
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settled(pilot)
        await typed(pilot, query)
        await pilot.click(offset=chip(app, "+2"))
        await settled(pilot)
        assert app.screen.query_input.value == query
        assert toasts(app) == [
            "More filters: -tag:bbbbbbbbbb, -tag:cccccccccc. Escape in the search box takes all out."
        ]


def chip(app, text):
    row = next(i for i, line in enumerate(shown(app)) if "Results" in line)
    return shown(app)[row].index(text) + 1, row


async def test_filters_alone_list_and_ask_no_model(app):
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await typed(pilot, "kind:engram")
        assert len(names(app)) == 5
        assert "kind:engram" in rule(app)


async def test_what_is_no_filter_is_told(app):
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await typed(pilot, "scale kind:nonsense")
        assert "kind:nonsense was left out:" in screen_text(app)


async def test_a_query_of_nothing_that_can_be_applied_shows_nothing_and_says_why(app):
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await typed(pilot, "kind:engrams")
        told = " ".join(screen_text(app).split())
        assert names(app) == []
        assert "kind:engrams was left out: there is no kind" in told
        assert "Nothing matches." in told
        assert "fewer words" not in told
        await typed(pilot, " nosuchword")
        assert "Try fewer words" in screen_text(app)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(60, 16), (80, 24), (120, 40)])
async def test_what_is_no_filter_is_told_to_the_end(app, size):
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        await typed(pilot, "scale kind:bogus")
        half = size[0] // 2 if size[0] >= 100 else size[0]
        told = " ".join(" ".join(line[:half] for line in shown(app)).split())
        said = next(f"{sentence}." for sentence in parse("scale kind:bogus").reservations())
        assert said in told
        assert app.screen.results.rows[0].record.title[:20] in screen_text(app)
        await pilot.resize_terminal(200, 60)
        await settled(pilot)
        assert app.screen.results.virtual_size.height == 2 * len(names(app)) + len(app.screen.results._notes)
        assert said.split(" (")[0] in screen_text(app)


@pytest.mark.slow
async def test_chips_that_do_not_fit_stay_away(app):
    async with app.run_test(size=(60, 16)) as pilot:
        await settled(pilot)
        await typed(pilot, "scale area:Feature/weighing kind:engram -tag:a -tag:b -tag:c")
        assert "2 hits" in rule(app)
        assert "-tag:c" not in rule(app)
        await pilot.resize_terminal(200, 60)
        await settled(pilot)
        assert " area:Feature/weighing   kind:engram   -tag:a   -tag:b   -tag:c  ─" in rule(app)


async def test_where_nothing_matches_the_way_out_of_filters_is_told(app):
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await typed(pilot, "scale is:pinned")
        assert "2 records would match without the filters." in screen_text(app)
        assert "takes the filters out" in screen_text(app)
        await pressed(pilot, "escape")
        assert set(names(app)) == {"m-0", "m-4"}
        await typed(pilot, " qqxyz")
        assert "takes the filters out" not in screen_text(app)
