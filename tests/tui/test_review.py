"""The Review with a keyboard: proposals decided one by one, confirmed all at once, and taken back."""

from __future__ import annotations

import json

import pytest

from memtui.errors import Refused
from memtui.memory.opening import open_memory
from memtui.model.instants import DAY
from memtui.model.reviews import Reject
from memtui.tui.app import MemtuiApp
from memtui.tui.widgets.proposal_list import ProposalList
from memtui.tui.widgets.query_input import QueryInput
from tests.clocks import SteppingClock, at
from tests.tui.driving import Handed, pressed, screen_text, settled, shown, toasts, typed, until

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
        agent = open_memory(vault, clock=clock, actor="agent", resident=False)
        agent.update("old-port", claims=["port=9090"])
        await pilot.press("c")  # before the screen has seen what the agent did
        await until(pilot, lambda: toasts(app))
        assert "1 not applied and shown again: old-port: port=8080" in toasts(app)[-1]
        assert states(memory, "old-port", "backups") == ["in_force", "superseded"]
        await until(pilot, lambda: any(entry.changed for entry in board(app).entries))
        await settled(pilot)
        await pressed(pilot, "g")
        assert selected(app) == "Feature/staging · port"
        assert "changed since you decided: old-port: port=8080" in screen_text(app)
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
        await pressed(pilot, "x", "c", "f2")  # one that was rejected is shown too, and no merge in its place
        await typed(pilot, "staging listens")
        await pressed(pilot, "tab", "c")
        assert app.screen.state.mode == "review"
        assert app.screen.entry.suppressed is not None
        assert selected(app) == "Feature/staging · port"
        await pressed(pilot, "f2")
        await typed(pilot, "run every night")
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


# What a person decided is never dropped without a word


async def test_a_decision_falls_away_with_a_word_when_what_it_is_about_changes(app, vault, clock):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f4", "2", "j", "a")
        assert decisions(app) == {"Feature/staging · port": "accept", "backups-again": "accept"}
        agent = open_memory(vault, clock=clock, actor="agent", resident=False)
        agent.update("old-port", claims=["port=9090"])
        app.screen.look_for_changes()
        await until(pilot, lambda: toasts(app))
        assert toasts(app) == ["1 decision fell away: it changed, and is shown again."]
        assert decisions(app) == {"backups-again": "accept"}
        await pressed(pilot, "g")
        assert "changed since you decided: old-port: port=8080" in screen_text(app)


async def test_a_decision_of_the_last_start_falls_away_with_a_word(open_app, memory, clock):
    app = open_app()
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f4", "a")
    memory.update("old-port", claims=["port=9090"])
    again = open_app()
    async with again.run_test(size=SIZE) as pilot:
        await settled(pilot)
        assert toasts(again) == ["1 decision fell away: it changed, and is shown again."]
        await pressed(pilot, "g")
        assert "changed since you decided: what it is about" in screen_text(again)


async def test_undo_takes_decisions_back_after_a_look_and_no_review_before_them(app, memory, vault, clock):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f4", "a", "c", "a")
        assert decisions(app) == {"backups-again": "accept"}
        open_memory(vault, clock=clock, resident=False).remember("Something else altogether", name="else")
        app.screen.look_for_changes()
        await until(pilot, lambda: app.screen.records == 6)
        await settled(pilot)
        assert decisions(app) == {"backups-again": "accept"}
        await pressed(pilot, "u")
        assert decisions(app) == {}
        assert states(memory, "old-port") == ["superseded"]
        await pressed(pilot, "u")
        assert states(memory, "old-port") == ["in_force"]


async def test_undo_of_what_was_decided_before_this_start_takes_no_review_back(open_app, memory):
    app = open_app()
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f4", "a")
    again = open_app()
    async with again.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "u")
        assert decisions(again) == {"Feature/staging · port": "accept"}
        assert "On its line, the same key (a, x, d or v) takes it back." in toasts(again)[-1]
        await pressed(pilot, "g", "a")
        assert decisions(again) == {}


async def test_two_screens_keep_each_others_decisions(open_app):
    first, second = open_app(), open_app()
    async with first.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f4", "a")
        async with second.run_test(size=SIZE) as other:
            await settled(other)
            await pressed(other, "f4", "j", "x")
        await pressed(pilot, "j", "d")
    again = open_app()
    async with again.run_test(size=SIZE) as pilot:
        await settled(pilot)
        assert decisions(again) == {
            "Feature/staging · port": "accept", "backups-again": "reject", "lamp": "defer",
        }  # fmt: skip


# Deciding what makes sense


async def test_what_does_not_fit_together_is_marked_and_says_why(app, memory):
    memory.update("backups", claims=["Ledger/x::backup=2"])
    memory.remember("The ledger is never backed up", name="never", claims=["Ledger/x::backup=0"])
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f4")
        contradiction = next(e for e in board(app).entries if e.about == "Ledger/x · backup")
        merge = next(e for e in board(app).entries if e.group == "merge")
        app.screen.proposals.select(contradiction.id, by_person=True)
        await pressed(pilot, "2")  # backups goes, and is to stay in the merge
        app.screen.proposals.select(merge.id, by_person=True)
        await pressed(pilot, "a", "c")
        assert "Not confirmed, for it does not fit together" in toasts(app)[-1]
        text = screen_text(app)
        assert text.count("! ≠  Ledger/x") + text.count("! ≈  backups") == 2
        assert "does not fit with other decisions: " in text
        assert memory.reviews() == ()
        await pressed(pilot, "x")
        assert "does not fit" not in screen_text(app)
        assert "! ≠" not in screen_text(app)


async def test_what_was_rejected_says_how_it_is_opened_again(app):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f4", "x", "c", "G")
        assert app.screen.entry.suppressed is not None
        for key in ("a", "X", "2", "w", "e", "v"):
            app.clear_notifications()
            await pressed(pilot, key)
            assert toasts(app) == ["It was rejected. F5 lists that review, and u there takes it back."], key
        assert decisions(app) == {}


async def test_when_it_ends_is_said_of_what_is_accepted(app):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f4", "x", "k", "w")
        assert decisions(app) == {"Feature/staging · port": "reject"}
        assert toasts(app) == ["Only of what is accepted it can be said when the others end."]


async def test_marks_that_are_not_shown_are_not_decided(app):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f4", "space", "slash")
        await typed(pilot, "backups")
        await pressed(pilot, "tab", "x")
        assert decisions(app) == {"backups-again": "reject"}


async def test_nothing_leads_out_of_the_review_by_a_number(app):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f4")
        while app.screen.pane != "preview":
            await pressed(pilot, "tab")
        assert "Why tab" not in screen_text(app)
        await pressed(pilot, "2")
        assert app.screen.state.mode == "review"
        assert toasts(app) == ["Here are only these tabs: Proposal, Text, History."]
        await pressed(pilot, "f")
        assert "Here memories change by what you decide" in toasts(app)[-1]
        await pressed(pilot, "1")
        assert app.screen.state.tab == "text"


async def test_where_there_is_no_room_for_a_panel_enter_shows_it(app):
    async with app.run_test(size=(60, 16)) as pilot:
        await settled(pilot)
        await pressed(pilot, "f4", "enter")
        assert "new-port  stays" in screen_text(app)


async def test_the_review_is_of_now_whatever_the_clocks_show(app):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f3", "tab", "home", "f4")
        assert "of now · " in screen_text(app)
        assert "0 Back to now" in screen_text(app)
        await pressed(pilot, "0")
        assert "of now · " not in screen_text(app)


# Writing what no proposal says


@pytest.fixture
def writing(app, tmp_path, monkeypatch):
    """An editor that writes what it is told, each time."""
    script = tmp_path / "ed"
    script.write_text('#!/bin/sh\ncp "$1" "$0.seen"\n. "$0.does"\n')
    script.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(script))
    monkeypatch.setattr(app, "suspend", Handed)

    def does(command):
        (tmp_path / "ed.does").write_text(command)
        return tmp_path / "ed.seen"

    return does


async def test_one_text_is_written_for_all_of_a_merge(app, memory, writing):
    seen = writing('echo "The ledger is backed up at two" >> "$1"')
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f4", "j", "e")
        assert "# backups-again: Backups of the ledger run every night at two o'clock" in seen.read_text()
        assert "a new memory is written, and both end now" in screen_text(app)
        await pressed(pilot, "c")
        (review,) = memory.reviews()
        kept = review.decisions[0].keep
        assert memory.show(kept).content.summary == "The ledger is backed up at two"
        assert states(memory, "backups", "backups-again") == ["superseded", "superseded"]


async def test_a_text_that_is_too_long_is_offered_again(app, memory, writing):
    seen = writing('printf "%0300d" 7 >> "$1"')
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f4", "j", "e")
        assert "It has 300 characters, 280 are allowed." in toasts(app)[-1]
        assert decisions(app) == {}
        writing("true")
        await pressed(pilot, "e")
        assert "0000007" in seen.read_text()
        writing(': > "$1"')
        await pressed(pilot, "e")
        assert toasts(app)[-1] == "Nothing was written, so nothing is decided."


async def test_claims_are_written_for_what_is_undecided(app, memory, writing):
    memory.remember("Staging is quick on Mondays", name="quick", area="Feature/staging", claims=["port=8087"])
    seen = writing("""sed -i.bak 's/^\\(.*engram.slow\\)$/\\1\\nmondays=slow/' "$1"; """)
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        undecided = next(e for e in board(app).entries if e.group == "undecided")
        await pressed(pilot, "f4")
        app.screen.proposals.select(undecided.id, by_person=True)
        await pressed(pilot, "e")
        assert "engram/slow" in seen.read_text()
        assert [str(claim) for claim in memory.show("slow").content.claims] == ["mondays=slow"]
        assert "slow claims what you wrote; the look begins anew." in toasts(app)


async def test_a_claim_that_cannot_be_read_is_named_and_offered_again(app, memory, writing):
    seen = writing('echo "port=" >> "$1"')
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        undecided = next(e for e in board(app).entries if e.group == "undecided")
        await pressed(pilot, "f4")
        app.screen.proposals.select(undecided.id, by_person=True)
        await pressed(pilot, "e")
        assert "e goes on with what you wrote" in toasts(app)[-1]
        writing("true")
        await pressed(pilot, "e")
        assert seen.read_text().endswith("port=\n")


async def test_a_text_that_is_taken_back_takes_its_decision_back(app, writing):
    writing('echo "The ledger is backed up at two" >> "$1"')
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f4", "j", "e")
        assert decisions(app) == {"backups-again": "accept"}
        writing(': > "$1"')
        await pressed(pilot, "e")
        assert decisions(app) == {}
        assert toasts(app)[-1] == "The text is taken back, and with it the decision."


async def test_when_and_who_stay_when_it_is_accepted_again(app):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f4", "2", "w", "a")
        decision = board(app).decisions[next(iter(board(app).decisions))]
        assert (decision.keep, decision.at_survivor) == ("old-port", True)
        assert selected(app) == "backups-again"  # it went on


async def test_looking_at_what_may_go_keeps_it_from_nothing(app, memory):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f4", "j", "j", "a", "k", "enter", "escape", "c")
        assert states(memory, "lamp") == ["forgotten"]


async def test_what_was_decided_in_a_shell_meanwhile_is_told_as_that(app, vault, clock):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f4", "a")
        other = open_memory(vault, clock=clock, actor="bob", resident=False)
        plan = other.consolidate()
        other.apply(plan, {plan.contradictions[0].id: Reject()})
        await pilot.press("c")
        await until(pilot, lambda: toasts(app))
        assert "1 not applied, as it was decided elsewhere: bob rejected it" in toasts(app)[-1]


async def test_c_in_the_reader_of_the_review_goes_back_to_the_proposal(app):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f4", "enter")
        await pilot.app.screen.run_action("screen.to_contradiction")
        await settled(pilot)
        assert app.screen.state.tab == "proposal"
        assert app.screen.state.mode == "review"


async def test_what_was_written_when_the_editor_failed_or_the_proposal_changed_is_offered_again(app, memory, writing):
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pressed(pilot, "f4", "j")
        writing('echo "Half a sentence" >> "$1"; exit 7')
        await pressed(pilot, "e")
        assert toasts(app)[-1].endswith("ended with status 7. What you wrote is kept for the next time.")
        assert decisions(app) == {}
        seen = writing("true")
        memory.update("backups", summary="Backups of the ledger run every single night at two")
        app.screen.look_for_changes()
        await until(pilot, lambda: "single" in screen_text(app))
        await settled(pilot)
        await pressed(pilot, "e")
        assert seen.read_text().endswith("Half a sentence\n")
        assert len(decisions(app)) == 1


async def test_claims_that_could_not_be_recorded_are_offered_again(app, memory, writing, monkeypatch):
    seen = writing("""sed -i.bak 's/^\\(.*engram.slow\\)$/\\1\\nmondays=slow/' "$1"; """)
    undecided = None
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        undecided = next(e for e in board(app).entries if e.group == "undecided")
        await pressed(pilot, "f4")
        app.screen.proposals.select(undecided.id, by_person=True)

        def refuses(*_, **__):
            raise Refused("the store is held", hint="wait")

        with monkeypatch.context() as patched:
            patched.setattr(memory, "update", refuses)
            await pressed(pilot, "e")
        assert "the store is held" in toasts(app)[-1].casefold()
        writing("true")
        await pressed(pilot, "e")
        assert "mondays=slow" in seen.read_text()
        assert [str(claim) for claim in memory.show("slow").content.claims] == ["mondays=slow"]
