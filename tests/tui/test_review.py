"""The Review with a keyboard: proposals decided one by one, confirmed all at once, and taken back."""

from __future__ import annotations

import json

import pytest

from memtui.memory.opening import open_memory
from memtui.model.instants import DAY
from memtui.tui.app import MemtuiApp
from memtui.tui.widgets.proposal_list import ProposalList
from memtui.tui.widgets.query_input import QueryInput
from tests.clocks import SteppingClock, at
from tests.tui.driving import pressed, screen_text, settled, shown, toasts, typed, until

START = at("2025-03-01T09:00:00Z")
SIZE = (120, 36)


@pytest.fixture
def clock():
    return SteppingClock(START, step=0)


@pytest.fixture
def memory(vault, clock):
    """A contradiction on the port, two texts that say the same, one that has faded, and a lone opinion."""
    memory = open_memory(vault, create=True, clock=clock)
    memory.remember("The lamp in the hall flickers", name="lamp", memory_type="semantic")
    clock.forward(400 * DAY)
    memory.remember("Staging listens on 8080 since May", name="old-port", area="Feature/staging", claims=["port=8080"])
    clock.forward(DAY)
    memory.remember("Staging listens on 8087 since June", name="new-port", area="Feature/staging", claims=["port=8087"])
    memory.remember("Backups of the ledger run every night at two", name="backups")
    clock.forward(DAY)
    memory.remember("Backups of the ledger run every night at two o'clock", name="backups-again")
    memory.remember("Staging is slow on Mondays", name="slow", area="Feature/staging")
    clock.forward(DAY)
    return memory


@pytest.fixture
def open_app(memory, clock, tmp_path):
    def make():
        return MemtuiApp(memory, sync_on_start=False, clock=clock, state_file=tmp_path / "interface.json")

    return make


@pytest.fixture
def app(open_app):
    return open_app()


def board(app):
    return app.screen_stack[0].state.board


def decisions(app):
    return {
        entry.about: board(app).decisions[entry.id].verb
        for entry in board(app).entries
        if entry.id in board(app).decisions
    }


def selected(app):
    entry = app.screen_stack[0].entry
    return None if entry is None else entry.about


def states(memory, *names):
    return [memory.show(name).state for name in names]


async def test_what_is_proposed_stands_in_groups_with_its_panel_and_a_badge(app):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        assert "F4 Review 4" in screen_text(app)
        await pressed(pilot, "f4")
        text = screen_text(app)
        assert isinstance(app.screen.focused, ProposalList)
        for heading in ("Contradictions  1", "Merges  1", "Expiries  1", "Undecided  1"):
            assert heading in text
        assert selected(app) == "Feature/staging · port"
        assert "1 new-port  stays" in text
        assert "2 old-port  ends" in text
        assert "old-port began first" not in text
        assert "new-port begins while old-port holds and ends with it" in text
        await pressed(pilot, "j", "j")
        assert selected(app) == "lamp"
        assert "never recalled" in screen_text(app)
        assert "15% " in screen_text(app)


async def test_nothing_is_changed_before_it_is_confirmed_and_one_key_takes_it_back(app, memory):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f4", "a", "x", "d")
        assert decisions(app) == {"Feature/staging · port": "accept", "backups-again": "reject", "lamp": "defer"}
        assert states(memory, "old-port", "lamp") == ["in_force", "in_force"]
        assert memory.reviews() == ()
        await pressed(pilot, "c")
        assert toasts(app)[-1] == "1 accepted · 1 rejected · 1 deferred; u takes it back."
        assert states(memory, "old-port", "new-port", "lamp") == ["superseded", "in_force", "in_force"]
        assert "Suppressed  1" in screen_text(app)
        assert "F4 Review 2" in screen_text(app)
        await pressed(pilot, "u")
        assert toasts(app)[-1].startswith("r1 is taken back: 1 memory is as before.")
        assert states(memory, "old-port") == ["in_force"]
        assert "F4 Review 4" in screen_text(app)


async def test_a_number_chooses_who_stays_and_w_when_the_others_end(app, memory):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f4", "2")
        assert "accepted: old-port stays, the other ends now" in screen_text(app)
        await pressed(pilot, "w")
        assert "accepted: old-port stays, the other ends when it began" in screen_text(app)
        await pressed(pilot, "9")
        assert toasts(app)[-1] == "There are only 2 memories here."
        await pressed(pilot, "c")
        content = memory.show("new-port").content
        assert (content.superseded_by, content.valid_to) == ("old-port", content.valid_from)


async def test_a_predicate_may_have_many_values_but_only_where_values_differ(app, memory):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f4", "v")
        assert decisions(app) == {"Feature/staging · port": "many"}
        await pressed(pilot, "v")
        assert toasts(app)[-1] == "Only claims of different values can be marked as accumulating."
        await pressed(pilot, "c")
        assert [str(claim) for claim in memory.show("old-port").content.claims] == ["port+=8080"]


async def test_the_same_key_again_and_undo_take_a_decision_back(app):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f4", "a", "k", "a")
        assert decisions(app) == {}
        await pressed(pilot, "x", "k", "a")
        assert decisions(app) == {"Feature/staging · port": "accept"}
        await pressed(pilot, "u")
        assert decisions(app) == {"Feature/staging · port": "reject"}
        await pressed(pilot, "u", "u", "u", "u")
        assert decisions(app) == {}
        assert (
            toasts(app)[-1]
            == "There is nothing to undo in this session. F5 lists every review, and u there takes it back."
        )


async def test_marks_and_groups_decide_about_many_at_once(app, memory):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f4", "space", "space", "x")
        assert decisions(app) == {"Feature/staging · port": "reject", "backups-again": "reject"}
        assert board(app).marked == frozenset()
        await pressed(pilot, "g", "A")
        assert decisions(app)["Feature/staging · port"] == "accept"
        await pressed(pilot, "G", "X")
        assert decisions(app)["Feature/staging"] == "reject"


async def test_one_group_alone_and_a_query_narrow_the_list(app):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f4", "o")
        assert [line.about for line in board(app).lines[1:]] == ["Feature/staging · port"]
        await pressed(pilot, "o")
        assert [line.about for line in board(app).lines[1:]] == ["backups-again"]
        await pressed(pilot, "o", "o", "o")
        assert board(app).only is None
        await pressed(pilot, "slash")
        await typed(pilot, "ledger")
        assert [getattr(line, "about", None) for line in board(app).lines] == [None, "backups-again"]
        assert isinstance(app.screen.focused, QueryInput)
        await typed(pilot, " zebra")
        assert "No proposal matches the query." in screen_text(app)


async def test_what_does_not_fit_together_is_shown_and_nothing_is_confirmed(app, memory):
    memory.remember("The hall has a lamp", name="lamp-hall", area="Feature/hall", claims=["light=lamp"])
    memory.remember("The hall has a candle", name="candle", area="Feature/hall", claims=["light=candle", "fire=yes"])
    memory.remember("The hall has no fire", name="no-fire", area="Feature/hall", claims=["fire=no"])
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f4")
        abouts = [entry.about for entry in board(app).entries if entry.group == "contradiction"]
        assert abouts == ["Feature/hall · fire", "Feature/hall · light", "Feature/staging · port"]
        # On the light candle stays; on the fire it goes.
        await pressed(pilot, "2", "j", "1", "c")
        assert "does not fit together" in toasts(app)[-1]
        assert memory.reviews() == ()
        assert selected(app) == "Feature/hall · light"


async def test_what_an_agent_changed_meanwhile_is_not_applied_and_shown_again(app, memory, vault, clock):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f4", "a", "a")
        assert len(decisions(app)) == 2
        plan_before = app.screen.plan
        agent = open_memory(vault, clock=clock, actor="agent", resident=False)
        agent.update("old-port", claims=["port=9090"])
        app.screen.plan = plan_before
        await pressed(pilot, "c")
        assert "1 not applied and shown again: old-port: port=8080" in toasts(app)[-1]
        assert states(memory, "old-port", "backups") == ["in_force", "superseded"]
        await until(pilot, lambda: any(entry.changed for entry in board(app).entries))
        await settled(pilot)
        await pressed(pilot, "g")
        assert selected(app) == "Feature/staging · port"
        assert "changed while you looked: old-port: port=8080" in screen_text(app)
        assert decisions(app) == {}


async def test_open_decisions_are_there_again_on_the_next_start(open_app, tmp_path):
    app = open_app()
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f4", "2", "w", "j", "x")
        before = board(app).decisions
        kept = json.loads((tmp_path / "interface.json").read_text())  # as it is when the program is killed now
    assert kept["mode"] == "review"
    again = open_app()
    async with again.run_test(size=SIZE) as pilot:
        await settled(pilot)
        assert board(again).decisions == before
        assert len(before) == 2
        assert "accepted: old-port stays, the other ends when it began" in screen_text(again)


async def test_c_goes_from_a_memory_to_its_contradiction(app):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await typed(pilot, "staging listens")
        assert "contradicted" in screen_text(app)
        await pressed(pilot, "tab", "c")
        assert app.screen.state.mode == "review"
        assert selected(app) == "Feature/staging · port"
        await pressed(pilot, "f2")
        await typed(pilot, "backups")
        await pressed(pilot, "tab", "c")
        assert app.screen.state.mode == "search"


async def test_enter_reads_the_memory_that_stays_and_escape_comes_back(app):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f4", "enter")
        assert "Staging listens on 8087 since June" in screen_text(app)
        assert "Proposals ─" not in screen_text(app)
        await pressed(pilot, "escape")
        assert isinstance(app.screen.focused, ProposalList)
        assert "Proposals ─" in screen_text(app)


async def test_a_read_only_vault_can_be_looked_over_and_not_decided(vault, memory, clock):
    reader = open_memory(vault, clock=clock, read_only=True)
    app = MemtuiApp(reader, sync_on_start=False, clock=clock)
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f4", "a", "c")
        assert "read-only" in toasts(app)[-1]
        assert reader.reviews() == ()


async def test_an_empty_vault_says_that_nothing_is_to_review(tmp_path, clock):
    app = MemtuiApp(open_memory(tmp_path / "empty", create=True, clock=clock), sync_on_start=False, clock=clock)
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f4")
        assert "Nothing to review: everything fits together." in screen_text(app)
        await pressed(pilot, "a", "c", "1", "w", "v", "space", "u", "enter", "A", "j", "G")
        assert board(app).decisions == {}


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (200, 60)])
async def test_list_and_panel_fit_at_every_size(app, size):
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        await pressed(pilot, "f4")
        assert all(len(line) <= size[0] for line in shown(app))
        assert "Contradictions  1" in screen_text(app)
        await pressed(pilot, "a", "c")
        assert "1 accepted; u takes it back." in toasts(app)


async def test_a_thousand_proposals_paint_no_more_than_what_is_seen(vault, clock):
    memory = open_memory(vault, create=True, clock=clock)
    lines = "".join(
        json.dumps(
            {
                "kind": "engram",
                "id": f"m{n}-{side}",
                "text": f"Side {side} of thing {n}",
                "area": f"Thing/t{n}",
                "claims": [f"side={side}"],
            }
        )
        + "\n"
        for n in range(1_000)
        for side in "ab"
    )
    source = vault.parent / "items.jsonl"
    source.write_text(lines)
    memory.import_(source)
    app = MemtuiApp(memory, sync_on_start=False, clock=clock)
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f4")
        assert board(app).counts["contradiction"] == 1_000
        before = app.screen.proposals.lines_painted
        await pressed(pilot, "j", "j", "j")
        assert app.screen.proposals.lines_painted - before <= 8
        await pressed(pilot, "A", "c")
        assert toasts(app)[-1] == "1,000 accepted; u takes it back."
        assert len(memory.reviews()[0].decisions) == 1_000
