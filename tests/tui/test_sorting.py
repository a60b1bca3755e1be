"""The line under the search box, and what stands above the rest where nothing is asked."""

from __future__ import annotations

import pytest
from textual.geometry import Offset

from memtui.memory.opening import open_memory
from memtui.model.instants import DAY
from memtui.tui.app import MemtuiApp
from memtui.tui.palette import Commands
from memtui.tui.widgets.counts_line import CountsLine
from tests.clocks import SteppingClock
from tests.tui.conftest import app_on
from tests.tui.driving import names, pressed, screen_text, settled, shown, typed
from tests.tui.fake_memory import PRESENT


def counts(app):
    return shown(app)[app.screen.query_one(CountsLine).region.y].strip()


async def clicked(pilot, text):
    line = pilot.app.screen.query_one(CountsLine).region
    await pilot.click(offset=Offset(shown(pilot.app)[line.y].index(text) + 1, line.y))
    await settled(pilot)


@pytest.fixture
def mill(vault, write):
    """Two memories and two notes, each recorded a day after the one before."""
    clock = SteppingClock(PRESENT - 9 * DAY, step=DAY)
    memory = open_memory(vault, create=True, clock=clock)
    memory.remember(
        "The scale drifts and drifts", name="drift", area="Feature/weighing", tags=["cold"], stability_days=2,
        valid_from="2026-05-01",
    )  # fmt: skip
    memory.remember("A scale must be zeroed", name="zero", tags=["cold", "scale"], stability_days=9000)
    for name in ("older", "newer"):
        write(f"notes/{name}.md", f"---\ntags: [scale]\n---\nThe scale of the {name} mill, its beam and its pans\n")
        memory.sync()
    return memory


async def test_hits_are_sorted_by_key_click_and_palette_and_the_choice_is_kept(mill):
    app = app_on(mill, state_file=mill.state_file)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        assert counts(app).endswith("newest first")
        await typed(pilot, "scale")
        best = names(app)
        assert counts(app).endswith("by relevance")
        await pressed(pilot, "tab", "j", "o")
        assert counts(app).endswith("by recorded")
        assert names(app) == ["notes/newer", "notes/older", "zero", "drift"]
        assert app.screen.results.selected == 0, "another order begins at its first"
        await pressed(pilot, "o")
        assert counts(app).endswith("by true since")
        assert names(app)[-1] == "drift", "it became true before the others"
        await clicked(pilot, "by true since")
        assert counts(app).endswith("by retention")
        assert names(app) == ["zero", "drift", "notes/newer", "notes/older"]
        await pressed(pilot, "o")
        assert names(app) == best
        (command,) = [c for c in Commands(app.screen)._commands() if c.name == "list: Sort by retention"]
        await command.run()
        await settled(pilot)
        await pressed(pilot, "slash", "ctrl+u", "o")
        assert app.screen.query_input.value == "o", "in the box a letter is a letter"
        await pressed(pilot, "ctrl+u")
        assert "All records" in screen_text(app)
        assert names(app) == ["zero", "drift", "notes/newer", "notes/older"]
    again = app_on(mill, state_file=mill.state_file)
    async with again.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert counts(again).endswith("by retention")


async def test_it_sorts_from_the_preview_too_and_does_not_open(mill):
    app = app_on(mill)
    async with app.run_test(size=(120, 40)) as pilot:
        await typed(pilot, "scale")
        await pressed(pilot, "tab", "tab")
        await pressed(pilot, "o")
        assert counts(app).endswith("by recorded")
        assert names(app) == ["notes/newer", "notes/older", "zero", "drift"]
        assert app.screen.pane == "preview"
        assert not app.screen.state.reading, "enter opens"


async def test_ages_and_the_why_tab_go_by_the_order_of_a_list_that_nothing_was_asked_of(mill):
    app = app_on(mill)

    def age_of(name):
        (row,) = (line for line in shown(app) if name in line and line.lstrip(" ▌").startswith(("●", "○")))
        return row.split("│")[0].split()[-1]

    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        assert names(app)[-1] == "drift"
        assert counts(app).endswith("newest first")
        recorded = age_of("The scale drifts")
        await pressed(pilot, "tab", "2")
        assert "recorded last" in screen_text(app)
        await pressed(pilot, "o", "o")
        assert counts(app).endswith("by true since")
        assert "became true last" in " ".join(screen_text(app).split())
        assert "recorded last" not in screen_text(app)
        assert age_of("The scale drifts") != recorded, "it became true long before it was recorded"
        await pressed(pilot, "o")
        assert "most present in mind" in " ".join(screen_text(app).split())


async def test_rows_are_counted_and_a_click_narrows_to_a_count(mill):
    app = app_on(mill)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await typed(pilot, "scal")
        assert counts(app).startswith("● engram 2  ○ note 2    area Feature/weighing 1    tag scale 3  cold 2   ")
        await clicked(pilot, "engram")
        assert app.screen.query_input.value == "kind:engram scal"
        assert set(names(app)) == {"drift", "zero"}
        assert counts(app).startswith("area Feature/weighing 1    tag cold 2  scale 1   "), "a filter need not be told"
        await clicked(pilot, "scale 1")
        assert app.screen.query_input.value == "kind:engram tag:scale scal"
        assert names(app) == ["zero"]
        await pressed(pilot, "escape")
        assert app.screen.query_input.value == "scal"
        await typed(pilot, "qqx")
        assert counts(app) == ""
        await pilot.resize_terminal(60, 16)
        await pressed(pilot, "ctrl+u")
        assert counts(app).startswith("●2 ○2   area weighing 1   tag scale 3   ")


async def test_what_was_opened_stands_above_what_was_recorded_and_nothing_twice(mill):
    app = app_on(mill, state_file=mill.state_file)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert "Recently opened" not in screen_text(app)
        await pressed(pilot, "down", "down", "enter", "escape")
        assert app.screen.row.key.name == "zero"
        await typed(pilot, "drifts")
        await pressed(pilot, "enter", "escape", "ctrl+u")
        text = screen_text(app)
        assert text.index("Recently opened") < text.index("The scale drifts") < text.index("Recently recorded")
        assert names(app) == ["drift", "zero", "notes/newer", "notes/older"]
        results = app.screen.results
        await pressed(pilot, "down", "down")
        assert app.screen.row.key.name == "notes/newer"
        top = results.region.y
        heading = next(i for i, line in enumerate(shown(app)) if "Recently recorded" in line) - top
        await pilot.click(results, offset=(9, heading + 3))
        await settled(pilot)
        assert app.screen.row.key.name == "notes/older"
        await pilot.click(results, offset=(9, heading))
        await pilot.click(results, offset=(9, heading - 1))
        await settled(pilot)
        assert app.screen.row.key.name == "zero"
        await pressed(pilot, "tab", "o")
        assert counts(app).endswith("by recorded")
        assert "Recently opened" in screen_text(app)
        await pressed(pilot, "o")
        assert "Recently" not in screen_text(app)
        await pressed(pilot, "o", "o")
        mill.forget("zero")
        app.screen.ask("changed")
        await settled(pilot)
        assert names(app) == ["drift", "notes/newer", "notes/older"]
    again = MemtuiApp(mill, sync_on_start=False, state_file=mill.state_file)
    async with again.run_test(size=(60, 16)) as pilot:
        await settled(pilot)
        assert names(again) == ["drift", "notes/newer", "notes/older"]
        assert again.screen.results.virtual_size.height == 7, "two lines for each, and one for a heading"
