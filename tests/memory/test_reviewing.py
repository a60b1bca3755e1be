"""Reviewing: what is decided about a plan, all in one transaction, and taken back."""

from __future__ import annotations

import subprocess
import sys

import pytest

from memtui.errors import NotFound, Refused
from memtui.memory.opening import open_memory
from memtui.model.instants import DAY
from memtui.model.reviews import Accept, Defer, Many, Reject

FADED = 400 * DAY


@pytest.fixture
def ports(memory):
    """Two memories that contradict each other, and two that say nearly the same."""
    memory.remember("Staging listens on 8080", name="old-port", area="Feature/staging", claims=["port=8080"])
    memory.remember("Staging listens on 8087", name="new-port", area="Feature/staging", claims=["port=8087"])
    memory.remember("Backups of the ledger run every night at two", name="backups")
    memory.remember("Backups of the ledger run every night at two o'clock", name="backups-again")
    return memory


def only(proposals):
    (proposal,) = proposals
    return proposal


def states(memory, *names):
    return [memory.show(name).state for name in names]


def test_a_plan_changes_nothing(ports):
    before = [version.seq for version in ports.history("old-port")]
    plan = ports.consolidate()
    assert [p.kind for p in plan.proposals] == ["contradiction", "merge"]
    assert [version.seq for version in ports.history("old-port")] == before
    assert ports.reviews() == ()


def test_accepting_closes_the_others_and_keeps_everything(ports):
    plan = ports.consolidate()
    proposal = only(plan.contradictions)
    done = ports.apply(plan, {proposal.id: Accept()})
    assert [each.id for each in done.applied] == [proposal.id]
    assert states(ports, "old-port", "new-port") == ["superseded", "in_force"]
    closed = ports.show("old-port")
    assert closed.content.superseded_by == "new-port"
    assert closed.content.valid_to == done.review.decided_at
    assert closed.content.summary == "Staging listens on 8080"
    assert ports.history("old-port")[-1].operation == "review"
    assert ports.consolidate().contradictions == ()


def test_another_survivor_and_its_own_beginning(ports):
    ports.update("old-port", valid_from="2025-05-01")
    ports.update("new-port", valid_from="2025-03-01")
    plan = ports.consolidate()
    proposal = only(plan.contradictions)
    ports.apply(plan, {proposal.id: Accept(keep="old-port", at_survivor=True)})
    assert states(ports, "old-port", "new-port") == ["in_force", "superseded"]
    ended = ports.show("new-port").content
    assert ended.valid_to == ports.show("old-port").content.valid_from
    assert ports.show("new-port", valid_at="2025-04-01").state == "in_force"


def test_whoever_began_after_the_survivor_never_came_into_force(ports):
    ports.update("old-port", valid_from="2025-05-01")
    plan = ports.consolidate()
    ports.apply(plan, {only(plan.contradictions).id: Accept(keep="old-port", at_survivor=True)})
    content = ports.show("new-port").content
    assert content.valid_to == content.valid_from


def test_rejected_stays_rejected_until_a_fact_changes_and_then_says_what(ports):
    plan = ports.consolidate()
    proposal = only(plan.contradictions)
    ports.apply(plan, {proposal.id: Reject()})
    later = ports.consolidate()
    assert later.contradictions == ()
    assert [each.proposal.id for each in later.suppressed] == [proposal.id]
    assert only(later.suppressed).by == "tester"
    ports.update("old-port", tags=["net"])  # no fact of it
    assert ports.consolidate().contradictions == ()
    ports.update("old-port", claims=["port=8081"])
    again = only(ports.consolidate().contradictions)
    assert again.id != proposal.id
    assert again.returned[0].startswith("old-port: port=8080 from ")
    assert "port=8081" in again.returned[0]


def test_deferred_comes_back(ports):
    plan = ports.consolidate()
    id_ = only(plan.contradictions).id
    ports.apply(plan, {id_: Defer()})
    plan = ports.consolidate()
    assert only(plan.contradictions).id == id_
    assert ports.apply(plan, {id_: Accept()}).refused == ()


def test_a_predicate_may_turn_out_to_have_many_values(ports):
    plan = ports.consolidate()
    ports.apply(plan, {only(plan.contradictions).id: Many()})
    assert [str(claim) for claim in ports.show("old-port").content.claims] == ["port+=8080"]
    assert states(ports, "old-port", "new-port") == ["in_force", "in_force"]
    assert ports.consolidate().contradictions == ()


def test_merging_keeps_the_survivor_and_what_was_said(ports):
    plan = ports.consolidate()
    merge = only(plan.merges)
    ports.apply(plan, {merge.id: Accept()})
    assert states(ports, *(key.name for key in merge.keys)).count("superseded") == 1
    assert ports.show(merge.keep.name).state == "in_force"


def test_an_expiry_is_let_go_and_only_that(memory, clock):
    memory.remember("A thing once said", name="faded", memory_type="semantic")
    memory.remember("Another thing once said and kept", name="pinned", pinned=True, memory_type="semantic")
    clock.forward(FADED)
    plan = memory.consolidate(all=True)
    assert [each.key.name for each in plan.expiries] == ["faded"]
    assert {each.key.name: each.reason for each in plan.retained} == {"pinned": "it is pinned"}
    memory.apply(plan, {only(plan.expiries).id: Accept()})
    assert states(memory, "faded", "pinned") == ["forgotten", "in_force"]


# --- What does not stand any more ----------------------------------------------------------------


def test_what_changed_meanwhile_is_not_applied_and_says_what_changed(ports):
    plan = ports.consolidate()
    contradiction, merge = only(plan.contradictions), only(plan.merges)
    ports.update("old-port", claims=["port=9090"])
    done = ports.apply(plan, {contradiction.id: Accept(), merge.id: Accept()})
    assert [each.id for each in done.applied] == [merge.id]
    lost = only(done.refused)
    assert lost.id == contradiction.id
    assert "port=9090" in lost.changed[0]
    assert states(ports, "old-port", "new-port") == ["in_force", "in_force"]


def test_a_memory_forgotten_or_recalled_meanwhile_is_left_alone(memory, clock):
    memory.remember("A thing once said", name="faded", memory_type="semantic")
    memory.remember("Some other matter entirely", name="gone", memory_type="semantic")
    clock.forward(FADED)
    plan = memory.consolidate()
    memory.recall("thing once said", k=1)
    memory.forget("gone")
    done = memory.apply(plan, {each.id: Accept() for each in plan.expiries})
    assert done.applied == ()
    assert done.review is None
    told = {lost.changed for lost in done.refused}
    assert any(change.startswith("last reinforced: ") for changed in told for change in changed)
    assert states(memory, "faded") == ["in_force"]


def test_what_someone_else_decided_is_not_decided_twice(ports):
    plan = ports.consolidate()
    id_ = only(plan.contradictions).id
    ports.apply(plan, {id_: Accept()})
    lost = only(ports.apply(plan, {id_: Accept(keep="old-port")}).refused)
    assert lost.decided
    assert "tester accepted it" in lost.reason
    assert states(ports, "old-port", "new-port") == ["superseded", "in_force"]


def test_an_id_that_is_not_open_says_why(ports):
    plan = ports.consolidate()
    id_ = only(plan.contradictions).id
    ports.update("old-port", claims=["port=1"])
    plan = ports.consolidate()
    changed, unknown = ports.apply(plan, {id_: Accept(), "0123456789": Accept()}).refused
    assert changed.reason == f"it changed since: it is {only(plan.contradictions).id} now"
    assert "it never was" in unknown.reason


@pytest.mark.parametrize(
    "asked", [{"as_of": "2026-01-01T00:00:00.003Z"}, {"valid_at": "2026-01-01"}, {"now": "2027-01-01"}]
)
def test_a_plan_of_another_time_is_read_only(ports, asked):
    plan = ports.consolidate(**asked)
    with pytest.raises(Refused, match="another time"):
        ports.apply(plan, {})


# --- What does not fit together ------------------------------------------------------------------


def test_decisions_that_do_not_fit_change_nothing(memory):
    for name, port, host in (("a", 1, "x"), ("b", 2, "x"), ("c", 1, "y")):
        memory.remember(f"{name} says so", name=name, area="Feature/f", claims=[f"port={port}", f"host={host}"])
    plan = memory.consolidate()
    host, port = sorted(plan.contradictions, key=lambda each: each.predicate)
    # On the port b goes in favour of a; on the host a goes in favour of c.
    done = memory.apply(plan, {port.id: Accept(keep="a"), host.id: Accept(keep="c")})
    assert {lost.id for lost in done.refused} == {port.id, host.id}
    told = " ".join(lost.reason for lost in done.refused)
    assert "b would go twice: it would be superseded by a and be superseded by c" in told
    assert "b would be superseded by a, which is to go itself" in told
    assert (done.review, memory.reviews()) == (None, ())
    assert states(memory, "a", "b", "c") == ["in_force"] * 3


def test_who_goes_twice_in_favour_of_the_same_fits(memory):
    for name, value in (("a", 1), ("b", 2)):
        memory.remember(f"{name} says so", name=name, area="Feature/f", claims=[f"port={value}", f"host={value}"])
    plan = memory.consolidate()
    done = memory.apply(plan, {each.id: Accept() for each in plan.contradictions})
    assert len(done.applied) == 2
    assert states(memory, "a", "b") == ["superseded", "in_force"]
    assert states(memory, *[key.name for key in memory.undo_review().restored]) == ["in_force"]


def test_a_survivor_that_is_none_of_them_is_refused(ports):
    plan = ports.consolidate()
    lost = only(ports.apply(plan, {only(plan.contradictions).id: Accept(keep="backups")}).refused)
    assert lost.reason == "backups is none of new-port, old-port"


def test_survivors_of_the_future_close_nothing_in_the_past(ports):
    ports.remember("Staging will listen on 1", name="to-come", area="Feature/staging", valid_from="2027-01-01")
    plan = ports.consolidate()
    assert "to-come" not in {key.name for p in plan.contradictions for key in p.keys}


# --- Undo ----------------------------------------------------------------------------------------


def test_undoing_makes_everything_as_it_was_and_the_proposal_open_again(ports):
    plan = ports.consolidate()
    before = ports.show("old-port").content
    ports.apply(plan, {p.id: Accept() for p in plan.proposals})
    undone = ports.undo_review()
    assert {key.name for key in undone.restored} >= {"old-port"}
    after = ports.show("old-port")
    assert after.state == "in_force"
    assert after.content.validity() == before.validity()
    assert {p.id for p in ports.consolidate().proposals} == {p.id for p in plan.proposals}
    review, undoing = ports.reviews()
    assert (review.undone_by, undoing.undoes) == (undoing.seq, review.seq)


def test_undoing_leaves_what_someone_changed_since_and_names_it(ports):
    plan = ports.consolidate()
    ports.apply(plan, {p.id: Accept() for p in plan.proposals})
    ports.update("old-port", tags=["net"])
    undone = ports.undo_review()
    assert [(key.name, reason.split(" at ")[0]) for key, reason in undone.skipped] == [
        ("old-port", "tester changed it")
    ]
    assert states(ports, "old-port") == ["superseded"]
    assert len(undone.restored) == 1


def test_undoing_a_rejection_opens_it_again(ports):
    plan = ports.consolidate()
    ports.apply(plan, {p.id: Reject() for p in plan.proposals})
    assert ports.consolidate().proposals == ()
    ports.undo_review("r1")
    assert len(ports.consolidate().proposals) == 2


def test_a_review_is_taken_back_once(ports):
    plan = ports.consolidate()
    with pytest.raises(NotFound, match="no review to take back"):
        ports.undo_review()
    ports.apply(plan, {only(plan.contradictions).id: Accept()})
    ports.undo_review()
    with pytest.raises(Refused, match="taken back already"):
        ports.undo_review("r1")
    with pytest.raises(Refused, match="decided anew"):
        ports.undo_review("r2")
    with pytest.raises(NotFound, match="no review is called r9"):
        ports.undo_review("r9")


def test_undoing_many_takes_the_marks_away(ports):
    plan = ports.consolidate()
    ports.apply(plan, {only(plan.contradictions).id: Many()})
    ports.undo_review()
    assert [str(claim) for claim in ports.show("old-port").content.claims] == ["port=8080"]
    assert len(ports.consolidate().contradictions) == 1


# --- Who knows what ------------------------------------------------------------------------------


def test_an_election_goes_by_when_each_was_learned(memory):
    memory.remember("It is at four", name="four", area="Feature/tea", claims=["at=4"], valid_from="2026-05-01")
    memory.remember("It is at five", name="five", area="Feature/tea", claims=["at=5"], valid_from="2020-01-01")
    assert only(memory.consolidate(valid_at="2026-06-01").contradictions).keep.name == "five"
    memory.update("four", claims=["at=3"])
    assert only(memory.consolidate(valid_at="2026-06-01").contradictions).keep.name == "four"
    memory.update("four", tags=["tea"])  # it still makes the same claim
    memory.update("five", claims=["at=5", "taste=good"])
    assert only(memory.consolidate(valid_at="2026-06-01").contradictions).keep.name == "four"


def test_the_past_has_its_own_plan_and_decisions(ports):
    then = ports.consolidate().known_at
    plan = ports.consolidate()
    ports.apply(plan, {only(plan.contradictions).id: Accept()})
    assert ports.consolidate().contradictions == ()
    assert len(ports.consolidate(as_of=then).contradictions) == 1


def test_settings_may_say_that_a_predicate_has_many_values(vault, clock):
    (vault / "memtui.toml").write_text('[claims]\nmany = ["Uses"]\n')
    memory = open_memory(vault, create=True, clock=clock)
    memory.remember("It uses tea", name="a", area="Feature/f", claims=["uses=tea"])
    memory.remember("It uses milk", name="b", area="Feature/f", claims=["uses=milk"])
    assert memory.consolidate().contradictions == ()


def test_contradicting_memories_are_told_apart_in_searches(ports):
    assert {hit.name for hit in ports.search("is:contradicted")} == {"old-port", "new-port"}
    assert [hit.record.contradicted for hit in ports.search("staging listens", k=2)] == [True, True]
    assert not any(hit.record.contradicted for hit in ports.search("backups ledger"))
    plan = ports.consolidate()
    ports.apply(plan, {only(plan.contradictions).id: Accept()})
    assert list(ports.search("is:contradicted")) == []
    assert {hit.name for hit in ports.search("is:contradicted", as_of=plan.known_at)} == {"old-port", "new-port"}


def test_an_exported_ledger_brings_its_reviews_along(ports, tmp_path, clock):
    plan = ports.consolidate()
    ports.apply(plan, {only(plan.contradictions).id: Accept(), only(plan.merges).id: Reject()})
    ports.undo_review()
    ports.apply(plan, {only(plan.merges).id: Reject()})
    out = tmp_path / "ledger.jsonl"
    exported = ports.export(out)
    there = open_memory(tmp_path / "there", create=True, clock=clock)
    imported = there.import_(out)
    assert (exported.reviews, imported.reviews) == (3, 3)
    assert there.reviews() == ports.reviews()
    assert [s.proposal.id for s in there.consolidate().suppressed] == [only(plan.merges).id]
    again = tmp_path / "again.jsonl"
    there.export(again)
    assert again.read_bytes() == out.read_bytes()


# --- Files ---------------------------------------------------------------------------------------


def test_memories_kept_in_files_follow_a_review_and_its_undoing(memory, write):
    for name, port in (("old", 1), ("new", 2)):
        write(
            f"engrams/{name}.md",
            f"---\nsummary: Staging listens on {port}\narea: Feature/staging\nclaims:\n  - port={port}\n---\n\n"
            f"Body {name}.\n",
        )
    memory.sync()
    plan = memory.consolidate()
    proposal = only(plan.contradictions)
    gone = proposal.supersede[0].name
    file = memory.vault / "engrams" / f"{gone}.md"
    before = file.read_text()
    memory.apply(plan, {proposal.id: Accept()})
    assert "valid_to" in file.read_text()
    memory.undo_review()
    assert memory.show(gone).state == "in_force"
    assert memory.sync().problems == ()
    assert memory.show(gone).state == "in_force"
    assert file.read_text() == before


@pytest.fixture
def filed(memory, write):
    """Two contradictions between memories that are kept in files."""

    def say(name, value):
        claim = name.partition("-")[0]
        write(
            f"engrams/{name}.md",
            f"---\nsummary: {name} says {value}\narea: Feature/{claim}\nclaims:\n  - {claim}={value}\n---\n",
        )

    for name, value in (("port-a", 1), ("port-b", 2), ("host-a", 1), ("host-b", 2)):
        say(name, value)
    memory.sync()
    return say


@pytest.mark.parametrize("changed", ["port-a", "port-b"])
def test_whose_file_changed_since_its_sync_is_shown_again_and_the_others_go_on(memory, filed, changed):
    plan = memory.consolidate()
    filed(changed, 30)
    done = memory.apply(plan, {found.id: Accept() for found in plan.contradictions})
    assert only(done.refused).changed == (
        f"{changed}: engrams/{changed}.md changed since its last sync; `memtui sync` reads it",
    )
    assert sorted(states(memory, "host-a", "host-b")) == ["in_force", "superseded"]
    assert states(memory, "port-a", "port-b") == ["in_force", "in_force"]


def test_whose_file_is_gone_supersedes_nobody(memory, filed):
    plan = memory.consolidate()
    (found,) = (found for found in plan.contradictions if found.predicate == "port")
    (memory.vault / "engrams" / f"{found.keep.name}.md").unlink()
    assert only(memory.apply(plan, {found.id: Accept()}).refused).changed
    assert states(memory, "port-a", "port-b") == ["in_force", "in_force"]


@pytest.mark.usefixtures("filed")
def test_a_file_that_cannot_be_edited_stops_only_its_own(memory, write):
    shared = "---\nsummary: port-a\narea: Feature/port\nclaims: &shared\n  - port=1\nother: *shared\n---\n"
    write("engrams/port-a.md", shared)
    memory.sync()
    plan = memory.consolidate()
    found = {found.predicate: found for found in plan.contradictions}
    done = memory.apply(plan, {found["port"].id: Many(), found["host"].id: Accept(keep="host-b")})
    assert states(memory, "host-a", "host-b") == ["superseded", "in_force"]
    assert [each.id for each in done.applied] == [found["host"].id]
    assert "engrams/port-a.md" in only(done.refused).reason


@pytest.mark.usefixtures("filed")
def test_a_file_that_cannot_be_edited_stops_nothing_that_leaves_it_as_it_is(memory, write):
    shared = (
        "---\nsummary: port-a\nclaims: &shared\n  - Feature/port::port=1\n  - Feature/host::host=3\n"
        "other: *shared\n---\n"
    )
    write("engrams/port-a.md", shared)
    memory.sync()
    plan = memory.consolidate()
    found = {found.predicate: found for found in plan.contradictions}
    done = memory.apply(plan, {found["port"].id: Many(), found["host"].id: Reject()})
    assert [each.id for each in done.applied] == [found["host"].id]
    assert only(done.refused).id == found["port"].id


# --- Scribes -------------------------------------------------------------------------------------


class Writer:
    def __init__(self, text):
        self.text = text

    def merge(self, memories):
        if isinstance(self.text, Exception):
            raise self.text
        return self.text


def test_a_scribe_may_write_one_text_for_all(ports):
    ports.register_scribes(merge=Writer("The ledger is backed up nightly at two"))
    plan = ports.consolidate()
    merge = only(plan.merges)
    assert merge.text == "The ledger is backed up nightly at two"
    done = ports.apply(plan, {merge.id: Accept(text="The ledger is backed up at two each night")})
    new = only(done.review.decisions).keep.name
    assert ports.show(new).content.summary == "The ledger is backed up at two each night"
    assert states(ports, "backups", "backups-again", new) == ["superseded", "superseded", "in_force"]
    assert ports.show("backups").content.superseded_by == new
    ports.undo_review()
    assert states(ports, "backups", "backups-again") == ["in_force", "in_force"]
    assert ports.show(new).content.valid_to == ports.show(new).content.valid_from


@pytest.mark.parametrize("text", [RuntimeError("out of paper"), "  "])
def test_a_scribe_that_fails_leaves_the_proposal_as_it_was(ports, text):
    without = only(ports.consolidate().merges)
    ports.register_scribes(merge=Writer(text))
    merge = only(ports.consolidate().merges)
    assert (merge.id, merge.text) == (without.id, None)
    assert merge.scribe_note


class Judge:
    def judge(self, referent, memories):
        from memtui.cognition.scribes import Judgement

        names = tuple(key.name for key, _ in memories)
        return Judgement(names, "one says yes and one says no") if len(names) > 1 else None


def test_a_scribe_may_call_what_is_undecided_a_contradiction_and_settles_nothing(memory):
    memory.remember("The press should run at night", name="night", area="Feature/press")
    memory.remember("It is loud after ten", name="loud", area="Feature/press")
    assert [p.kind for p in memory.consolidate().proposals] == ["undecided"]
    memory.register_scribes(contradiction=Judge())
    proposal = only(memory.consolidate().proposals)
    assert (proposal.kind, proposal.decided_by) == ("contradiction", "scribe")
    assert states(memory, "night", "loud") == ["in_force", "in_force"]
    plan = memory.consolidate()
    memory.apply(plan, {proposal.id: Accept(keep="night")})
    assert states(memory, "night", "loud") == ["in_force", "superseded"]


def test_of_a_large_contradiction_nobody_goes_who_agrees_with_another_survivor(memory):
    for number in range(20):
        memory.remember(f"{number} says so", name=f"m{number:02d}", area="Feature/f", claims=[f"port={number % 4}"])
    plan = memory.consolidate()
    proposal = only(plan.contradictions)
    assert len(proposal.conflicts) == 100
    memory.apply(plan, {proposal.id: Accept(keep="m00")})
    agreeing = [f"m{number:02d}" for number in range(0, 20, 4)]
    assert states(memory, *agreeing) == ["in_force"] * 5
    # Whoever is left is proposed again, until all fits together.
    for _ in range(20):
        plan = memory.consolidate()
        if not plan.contradictions:
            break
        memory.apply(plan, {only(plan.contradictions).id: Accept(keep="m00")})
    assert plan.contradictions == ()
    assert states(memory, *agreeing) == ["in_force"] * 5


class Fickle:
    """Writes another text each time it is asked, and counts."""

    def __init__(self):
        self.asked = 0

    def merge(self, memories):
        self.asked += 1
        return f"The ledger is backed up nightly, says number {self.asked}"


def test_what_was_rejected_stays_so_whatever_a_scribe_writes_next(ports):
    scribe = Fickle()
    ports.register_scribes(merge=scribe)
    plan = ports.consolidate()
    ports.apply(plan, {only(plan.merges).id: Reject()})
    later = ports.consolidate()
    assert not later.merges
    assert only(later.suppressed).proposal.id == only(plan.merges).id
    assert scribe.asked == 1


def test_a_text_that_no_memory_can_hold_is_not_proposed(ports):
    ports.register_scribes(merge=Writer("x" * 300))
    merge = only(ports.consolidate().merges)
    assert merge.text is None
    assert merge.scribe_note == "the scribe wrote 300 characters, and a memory has 280 at most"


def test_a_new_text_takes_over_what_the_others_rest_on(memory):
    shared = {"area": "Ledger/backup", "claims": ["hour=2"]}
    memory.remember("Backups of the ledger run every night at two", name="a", tags=["ops"], owner="ada", **shared)
    memory.remember(
        "Backups of the ledger run every night at two o'clock", name="b", tags=["night"], pinned=True,
        source_refs=["file:cron"], **shared,
    )  # fmt: skip
    plan = memory.consolidate()
    done = memory.apply(plan, {only(plan.merges).id: Accept(text="The ledger is backed up at two")})
    content = memory.show(only(done.review.decisions).keep).content
    assert set(content.tags) == {"ops", "night"}
    assert content.source_refs == ("file:cron",)
    assert [str(claim) for claim in content.claims] == ["hour=2"]
    assert content.pinned
    assert content.area == "Ledger/backup"


def test_a_new_text_cannot_stand_for_others_before_it_was_written(ports):
    plan = ports.consolidate()
    done = ports.apply(plan, {only(plan.merges).id: Accept(text="The ledger is backed up", at_survivor=True)})
    assert "is written now" in only(done.refused).reason


@pytest.mark.slow
def test_a_pass_leaves_the_store_to_others(vault, clock):
    """A scribe may think as long as it likes: meanwhile an agent remembers."""
    memory = open_memory(vault, create=True, clock=clock, resident=False)
    memory.remember("Backups of the ledger run every night at two", name="backups")
    memory.remember("Backups of the ledger run every night at two o'clock", name="backups-again")

    class Thinking:
        def merge(self, memories):
            command = [sys.executable, "-m", "memtui", "--vault", str(vault), "remember", "Meanwhile it rained"]
            subprocess.run(command, check=True, capture_output=True)

    memory.register_scribes(merge=Thinking())
    assert only(memory.consolidate().merges).scribe_note is None
    assert any(record.content.summary == "Meanwhile it rained" for record in memory.list())


@pytest.mark.usefixtures("filed")
def test_what_is_called_otherwise_since_is_named_and_left_as_it_is(memory):
    plan = memory.consolidate()
    (found,) = (found for found in plan.contradictions if found.predicate == "port")
    memory.apply(plan, {found.id: Accept(keep="port-b")})
    folder = memory.vault / "engrams"
    (folder / "port-a.md").rename(folder / "first-port.md")
    memory.sync()
    with pytest.raises(Refused, match="it is called first-port now") as error:
        memory.undo_review()
    assert "`memtui revive first-port`" in error.value.hint
    assert memory.show("port-a", belief=None).state != "in_force"
    memory.revive("first-port")
    assert memory.show("first-port").state == "in_force"


# What was taken back is as if it had never been


def test_an_end_that_was_taken_back_does_not_keep_a_memory_from_ending_earlier(memory, clock):
    memory.remember("k is one", name="a", claims=["Place/x::k=1"], valid_from="2024-01-01")
    memory.remember("k is two", name="b", claims=["Place/x::k=2"], valid_from="2025-03-01")
    plan = memory.consolidate()
    id_ = only(plan.contradictions).id
    memory.apply(plan, {id_: Accept(keep="b")})
    memory.undo_review()
    clock.forward(DAY)
    again = memory.consolidate()
    assert only(again.contradictions).id == id_
    memory.apply(again, {id_: Accept(keep="b", at_survivor=True)})
    assert memory.show("a").content.valid_to == memory.show("b").content.valid_from
    assert memory.show("a", valid_at="2025-06-01").state == "superseded"
    assert memory.show("a", valid_at="2025-02-01").state == "in_force"
    memory.undo_review()
    assert memory.show("a", valid_at="2025-06-01").state == "in_force"
    memory.forget("a", at="2024-06-01")
    assert memory.show("a", valid_at="2024-07-01").state == "forgotten"


def test_an_id_means_the_same_survivor_after_an_undo(ports):
    plan = ports.consolidate()
    before = only(plan.merges)
    ports.apply(plan, {before.id: Accept()})
    ports.undo_review()
    after = only(ports.consolidate().merges)
    assert (after.id, after.keep, after.supersede) == (before.id, before.keep, before.supersede)


def test_what_may_have_several_values_is_not_merged_into_one(memory):
    for value in ("Portuguese", "Danish"):
        memory.remember(f"Tom speaks {value} well", name=f"tom-{value.lower()}", claims=[f"Person/tom::speaks={value}"])
    plan = memory.consolidate()
    memory.apply(plan, {only(plan.contradictions).id: Many()})
    assert not memory.consolidate().proposals


@pytest.mark.parametrize(
    ("text", "body", "turned"),
    [
        ("Backups of the ledger run every night at three", None, True),
        ("Backups of the ledger do not run every night at two", None, True),
        ("Backups of the ledger run every night at two on Mondays", None, True),
        ("Backups of the ledger run every night at two", "word " * 30 + "at three", True),
        ("Backups of the whole ledger run every night at two", None, False),
    ],
)
def test_a_merge_says_whether_a_figure_a_day_or_a_denial_turns_its_texts_round(memory, text, body, turned):
    memory.remember("Backups of the ledger run every night at two", name="a", body=body and "word " * 30 + "at two")
    memory.remember(text, name="b", body=body)
    assert only(memory.consolidate().merges).turned is turned
