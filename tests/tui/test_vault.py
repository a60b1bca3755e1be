"""The Vault mode with a keyboard: how a vault stands, its problems, and the journal of reviews."""

from __future__ import annotations

import stat

import pytest

from memtui.errors import Refused
from memtui.memory.opening import open_memory
from memtui.model.instants import DAY
from memtui.model.problems import Problem
from memtui.model.reviews import Accept, Reject
from memtui.tui.app import MemtuiApp
from memtui.tui.widgets.query_input import QueryInput
from memtui.tui.widgets.vault_list import VaultList
from memtui.tui.workers.surveying import excerpt_of
from tests.clocks import SteppingClock, at
from tests.tui.driving import Handed, pressed, screen_text, settled, toasts, typed, until

START = at("2025-03-01T09:00:00Z")
SIZE = (120, 36)
BROKEN = "---\nsummary: Nobody knows when\nvalid_from: the day after\n---\nbody\n"


@pytest.fixture
def clock():
    return SteppingClock(START, step=0)


@pytest.fixture
def memory(vault, clock):
    """Two reviews, one of which was taken back, and a file that is off."""
    memory = open_memory(vault, create=True, clock=clock, actor="ada")
    memory.remember("The lamp in the hall flickers", name="lamp", memory_type="semantic")
    clock.forward(400 * DAY)
    memory.remember("Staging listens on 8080 since May", name="old-port", area="Feature/staging", claims=["port=8080"])
    clock.forward(DAY)
    memory.remember("Staging listens on 8087 since June", name="new-port", area="Feature/staging", claims=["port=8087"])
    (vault / "engrams").mkdir()
    (vault / "engrams" / "off.md").write_text(BROKEN, encoding="utf-8")
    memory.sync()
    plan = memory.consolidate()
    (found,) = plan.contradictions
    (faded,) = plan.expiries
    memory.apply(plan, {found.id: Reject(), faded.id: Accept()})
    clock.forward(DAY)
    memory.undo_review("r1")
    clock.forward(DAY)
    plan = memory.consolidate()
    memory.apply(plan, {plan.contradictions[0].id: Accept()})
    clock.forward(3 * DAY)
    return memory


@pytest.fixture
def app(memory, clock, tmp_path):
    return MemtuiApp(memory, sync_on_start=False, clock=clock, state_file=tmp_path / "interface.json")


def selected(app):
    inspected = app.screen_stack[0].state.inspected
    return None if inspected is None else inspected.id


async def test_it_tells_how_the_vault_stands(app):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f5")
        assert isinstance(app.screen.focused, VaultList)
        text = screen_text(app)
        assert "F5 Vault" in text
        assert "Problems  2" in text
        assert "Reviews  3" in text
        assert "2 in force" in text
        assert "2 true · 1 superseded" in text
        assert "3 known, 0 in the last 7 days, 2 in the last 30" not in text  # the file and two others are this week's
        assert "Growth" in text
        await pressed(pilot, "j")
        text = screen_text(app)
        assert "memory.duckdb" in text
        assert "texts, analyser" in text


async def test_the_journal_tells_every_review_with_its_decisions(app):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f5", "G")
        assert selected(app) == "review 1"
        text = screen_text(app)
        assert "r1  1 accepted · 1 rejected; taken back" in text
        assert "r2 took it back." in text
        assert "✗ rejected  ≠ Feature/staging · port" in text
        assert "it is not shown again until a fact of it changes" in text
        assert "lamp is let go" in text
        await pressed(pilot, "k")
        assert "r2  took r1 back" in screen_text(app)


async def test_a_review_of_an_earlier_session_is_taken_back(app, memory):
    assert memory.show("old-port").state == "superseded"
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f5", "G", "k", "k")
        assert selected(app) == "review 3"
        assert "u Undo review" in screen_text(app)
        await pressed(pilot, "u")
        assert memory.show("old-port").state == "in_force"
        assert toasts(app) == ["r3 is taken back: 1 memory is as before."]
        assert selected(app) == "review 3"
        text = screen_text(app)
        assert "r4 took it back." in text
        assert "u Undo review" not in text
        await pressed(pilot, "u")
        assert toasts(app) == ["r3 was taken back already."]
        await pressed(pilot, "f4")
        assert "Contradictions  1" in screen_text(app)


async def test_what_took_a_review_back_is_not_taken_back(app):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f5", "G", "k", "u")
        assert toasts(app) == ["r2 took another one back; that is decided anew in the Review (F4)."]
        await pressed(pilot, "g", "u")
        assert toasts(app) == ["Only a review can be taken back here."]


async def test_nothing_is_taken_back_in_the_past_and_the_journal_is_of_then(app, clock):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f3", "tab", "T")
        await typed(pilot, "3 days ago")
        await pressed(pilot, "enter", "f5")
        text = screen_text(app)
        assert "Reviews  2" in text
        assert "r3" not in text
        await pressed(pilot, "G", "u")
        assert "Another time than now is read-only" in toasts(app)[0]
        await pressed(pilot, "0")
        assert "Reviews  3" in screen_text(app)


async def test_read_only_nothing_is_taken_back(vault, memory, clock):
    app = MemtuiApp(open_memory(vault, clock=clock, read_only=True), sync_on_start=False, clock=clock)
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f5", "G", "k", "k", "u")
        assert "read-only" in toasts(app)[0]
        assert memory.show("old-port").state == "superseded"


async def test_a_review_taken_back_here_is_not_undone_again_in_the_review(app, memory):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f5", "G", "k", "k", "u", "f4", "a", "c")
        assert memory.show("old-port").state == "superseded"
        await pressed(pilot, "f5", "g", "o", "o", "o", "u")  # the reviews alone, the newest selected
        assert memory.show("old-port").state == "in_force"
        await pressed(pilot, "f4", "u")
        assert toasts(app) == [
            "There is nothing to undo in this session. F5 lists every review, and u there takes it back."
        ]


async def test_the_query_narrows_problems_and_reviews(app):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f5", "slash")
        await typed(pilot, "lamp")
        text = screen_text(app)
        assert "Reviews  1" in text
        assert "Problems" not in text
        assert isinstance(app.screen.focused, QueryInput)
        await pressed(pilot, "ctrl+u")
        await typed(pilot, "zebra")
        assert "Neither a problem nor a review matches" in screen_text(app)
        await pressed(pilot, "ctrl+u")
        assert "Reviews  3" in screen_text(app)


async def test_groups_are_shown_alone_one_after_the_other(app):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f5", "o")
        assert "Reviews" not in screen_text(app)
        await pressed(pilot, "o")
        assert "Problems  2" in screen_text(app)
        assert "Store and index" not in screen_text(app)
        await pressed(pilot, "o", "o")
        assert "Store and index" in screen_text(app)
        at_reviews = next(y for y, line in enumerate(screen_text(app).split("\n")) if "Reviews  3" in line)
        await pilot.click(VaultList, offset=(3, at_reviews - app.screen.vault_list.region.y))
        await settled(pilot)
        assert "Store and index" not in screen_text(app)


async def test_a_page_is_read_over_the_full_screen_and_left_as_it_was(app):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f5", "enter")
        assert "Store and index" not in screen_text(app)
        assert "How present they are" in screen_text(app)
        await pressed(pilot, "escape")
        assert isinstance(app.screen.focused, VaultList)
        assert "Store and index" in screen_text(app)


async def test_the_selected_memory_is_selected_again_after_a_look_at_the_vault(app):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "down")
        chosen = app.screen.state.selected
        await pressed(pilot, "f5")
        assert app.screen.state.selected is None
        await pressed(pilot, "f2")
        assert app.screen.state.selected == chosen


async def test_the_mode_returns_on_the_next_start(app, memory, clock, tmp_path):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f5")
    again = MemtuiApp(memory, sync_on_start=False, clock=clock, state_file=tmp_path / "interface.json")
    async with again.run_test(size=SIZE) as pilot:
        await settled(pilot)
        assert "Reviews  3" in screen_text(again)


async def test_what_others_decide_appears(app, vault, clock):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f5")
        other = open_memory(vault, clock=clock, resident=False)
        other.undo_review("r3")
        app.screen.look_for_changes()
        await until(pilot, lambda: "r4  took r3 back" in screen_text(app))


async def test_a_problem_shows_its_place_and_opens_in_an_editor(app, vault, tmp_path, monkeypatch):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f5", "j", "j")
        text = screen_text(app)
        assert "Problem  engrams/off.md:3" in text
        assert "3 valid_from: the day after" in text
        assert "enter Edit file" in text
        monkeypatch.setenv("EDITOR", str(tmp_path / "none"))
        monkeypatch.delenv("VISUAL", raising=False)
        await pressed(pilot, "enter")
        assert str(vault / "engrams" / "off.md") in toasts(app)[0]


async def test_what_the_editor_saves_is_read_at_once(app, vault, tmp_path, monkeypatch):
    editor = tmp_path / "vi"
    editor.write_text('#!/bin/sh\nprintf "%s %s" "$1" "$2" > "$0.log"\nsed -i.bak "s/the day after/2026-01-01/" "$2"\n')
    editor.chmod(editor.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("VISUAL", str(editor))

    monkeypatch.setattr(app, "suspend", Handed)  # a test has no terminal to hand over
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f5", "j", "j", "enter")
        await until(pilot, lambda: "Problems" not in screen_text(app))
        assert (tmp_path / "vi.log").read_text() == f"+3 {vault / 'engrams' / 'off.md'}"
        assert "3 in force" in screen_text(app)


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (200, 60)])
async def test_it_fits_every_size(app, size):
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        await pressed(pilot, "f5", "G")
        assert "Reviews  3" in screen_text(app)
        await pressed(pilot, "enter")
        assert "lamp is let go" in screen_text(app)


async def test_an_empty_vault_says_so(tmp_path, clock):
    app = MemtuiApp(open_memory(tmp_path / "empty", create=True, clock=clock), sync_on_start=False, clock=clock)
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f5")
        text = screen_text(app)
        assert "0 in force" in text
        assert "Nothing is recorded yet." in text
        assert "Problems" not in text
        await pressed(pilot, "u", "e", "j", "enter")
        assert "memory.duckdb" in screen_text(app)


async def test_where_the_vault_cannot_be_looked_at_the_list_says_why(app, memory, monkeypatch):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)

        def refuses(*_, **__):
            raise Refused("the store is held by somebody")

        monkeypatch.setattr(memory, "reviews", refuses)
        await pressed(pilot, "f5")
        assert "store is held by somebody" in screen_text(app).casefold()
        assert "Looking at the vault" not in screen_text(app)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_place_of_a_problem_is_that_of_its_line(memory, vault, newline):
    (vault / "odd.md").write_bytes(newline.join(["one\x0bstill one\u2028still one", "two", "three"]).encode())
    assert excerpt_of(memory, Problem("odd.md", "is odd", 2))[1] == (2, "two")


def test_nothing_outside_the_vault_is_shown(memory, vault, tmp_path):
    (tmp_path / "secret.txt").write_text("secret\n")
    (vault / "link.md").symlink_to(tmp_path / "secret.txt")
    for path in ("../secret.txt", str(tmp_path / "secret.txt"), "link.md", "none.md", "engrams"):
        assert excerpt_of(memory, Problem(path, "is odd", 1)) == []
