"""What is confirmed is what still stands: memories change, time goes on, and others decide, after a plan was made."""

from __future__ import annotations

import pytest

from memtui.errors import InvalidInput
from memtui.model.instants import DAY, HOUR, iso
from memtui.model.proposals import Plan
from memtui.model.reviews import Accept, Defer, Reject

FADED = 400 * DAY


def only(proposals):
    (proposal,) = proposals
    return proposal


@pytest.fixture
def faded(memory, clock):
    """One memory that has faded so far that it may go."""
    memory.remember("The lamp in the hall flickers", name="lamp", memory_type="semantic")
    clock.forward(FADED)
    memory.remember("Staging is slow on Mondays", name="slow")
    return memory


def refused(memory, plan, decisions):
    """Why the one decision was not carried out; nothing was written."""
    before = memory.reviews()
    done = memory.apply(plan, decisions)
    assert memory.reviews() == before
    return only(done.refused)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda memory: memory.update("lamp", pinned=True), "it is pinned"),
        (lambda memory: memory.update("lamp", claims=["Hall/one::lamp=old"]), "it claims something"),
        (lambda memory: memory.update("lamp", memory_type="procedural"), "it says how to do something"),
        (
            lambda memory: memory.remember("The hall is dark", name="dark", source_refs=["engram:lamp"]),
            "something in force names it",
        ),
    ],
)
def test_what_is_kept_by_now_is_not_let_go(faded, change, why):
    plan = faded.consolidate()
    change(faded)
    lost = refused(faded, plan, {only(plan.expiries).id: Accept()})
    assert any(why in changed for changed in lost.changed)
    assert faded.show("lamp").state == "in_force"


def test_who_names_it_in_a_time_to_come_does_not_keep_it_yet(faded, clock):
    tomorrow = iso(clock.now + DAY)
    faded.remember("The hall will be dark", name="dark", source_refs=["engram:lamp"], valid_from=tomorrow)
    plan = faded.consolidate()
    assert only(plan.expiries).key.name == "lamp"
    clock.forward(2 * DAY)
    faded.remember("A memory of something else altogether", name="else")
    lost = refused(faded, plan, {only(plan.expiries).id: Accept()})
    assert "lamp: something in force names it" in lost.changed


def test_members_that_contradict_each_other_by_now_are_not_merged(memory):
    memory.remember("Backups of the ledger run every night at two", name="backups")
    memory.remember("Backups of the ledger run every night at two o'clock", name="again")
    plan = memory.consolidate()
    memory.update("backups", claims=["Ledger/x::backup=2"])
    memory.update("again", claims=["Ledger/x::backup=3"])
    lost = refused(memory, plan, {only(plan.merges).id: Accept()})
    assert lost.changed == ("backups claims something else than again",)


@pytest.mark.parametrize("ending", ["old-port", "new-port"])
def test_time_alone_ends_what_is_compared(memory, clock, ending):
    until = {"valid_to": iso(clock.now + 2 * HOUR)}
    for name, port in (("old-port", 8080), ("new-port", 8087)):
        memory.remember(
            f"Staging listens on {port}", name=name, area="Feature/staging", claims=[f"port={port}"],
            **(until if name == ending else {}),
        )  # fmt: skip
    plan = memory.consolidate()
    clock.forward(5 * HOUR)
    lost = refused(memory, plan, {only(plan.contradictions).id: Accept()})
    assert lost.changed == (f"{ending} is out of force",)
    other = {"old-port": "new-port", "new-port": "old-port"}[ending]
    assert memory.show(other).state == "in_force"


def test_who_put_it_off_did_not_decide(memory):
    memory.remember("Backups of the ledger run every night at two", name="backups")
    memory.remember("Backups of the ledger run every night at two o'clock", name="again")
    plan = memory.consolidate()
    id_ = only(plan.merges).id
    memory.apply(plan, {id_: Defer()})
    assert [each.id for each in memory.apply(plan, {id_: Accept()}).applied] == [id_]


def test_who_rejected_it_after_the_plan_did(memory):
    memory.remember("Backups of the ledger run every night at two", name="backups")
    memory.remember("Backups of the ledger run every night at two o'clock", name="again")
    plan, same = memory.consolidate(), memory.consolidate()
    id_ = only(plan.merges).id
    memory.apply(plan, {id_: Reject()})
    lost = refused(memory, same, {id_: Accept()})
    assert lost.decided
    assert "rejected it at" in lost.reason


def test_two_decisions_that_end_a_memory_at_different_times_do_not_fit(memory, clock):
    claims = {"hour": ["Clock/a::hour=1", "Clock/a::minute=1"], "minute": ["Clock/a::hour=2", "Clock/a::minute=2"]}
    for name, own in claims.items():
        memory.remember(f"The clock as {name}", name=name, claims=own)
        clock.forward(HOUR)
    plan = memory.consolidate()
    first, second = plan.contradictions
    done = memory.apply(plan, {first.id: Accept(), second.id: Accept(at_survivor=True)})
    assert not done.applied
    assert "hour would go twice" in done.refused[0].reason
    assert "when that began" in done.refused[0].reason


def test_a_rewritten_text_brings_an_undecided_group_back(memory):
    memory.remember("Deploys are made on Tuesdays", name="deploys", area="Feature/deploy")
    memory.remember("Deploys need two people", name="people", area="Feature/deploy")
    plan = memory.consolidate()
    memory.apply(plan, {only(plan.undecided).id: Reject()})
    assert not memory.consolidate().undecided
    memory.update("deploys", summary="Deploys must not be made on Tuesdays")
    back = only(memory.consolidate().undecided)
    assert any(change.startswith("deploys: no claim: Deploys are made on Tuesdays") for change in back.returned)


def test_what_holds_in_an_earlier_stretch_contradicts_there(memory, clock):
    for name, port in (("old-port", 8080), ("new-port", 8087)):
        memory.remember(
            f"Staging listens on {port}", name=name, area="Feature/staging", claims=[f"port={port}"],
            valid_from="2020-01-01",
        )  # fmt: skip
    memory.forget("old-port", at="2021-01-01")
    clock.forward(DAY)
    memory.revive("old-port")
    assert len(memory.consolidate().contradictions) == 1
    assert len(memory.consolidate(valid_at="2020-06-01").contradictions) == 1
    assert not memory.consolidate(valid_at="2021-06-01").contradictions
    assert memory.show("old-port", valid_at="2020-06-01").contradicted
    assert not memory.show("new-port", valid_at="2021-06-01").contradicted


def test_fading_counts_to_when_it_is_known_as_in_a_search(memory, clock):
    memory.remember("The lamp in the hall flickers", name="lamp")
    clock.forward(DAY)
    assert not memory.consolidate(valid_at="2035-01-01").expiries
    (kept,) = memory.consolidate(valid_at="2035-01-01", all=True).retained
    assert kept.days == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize(
    ("plan", "decisions", "field"),
    [(None, {}, "plan"), ("plan", {}, "plan"), (Plan("workspace", 0, 0), {"x": None}, "decisions"),
     (Plan("workspace", 0, 0), {"x": "accept"}, "decisions")],
)  # fmt: skip
def test_what_is_no_plan_or_decision_is_named(memory, plan, decisions, field):
    with pytest.raises(InvalidInput) as error:
        memory.apply(plan, decisions)
    assert error.value.field == field


def test_a_text_and_a_survivor_are_one_too_many(memory):
    memory.remember("Backups of the ledger run every night at two", name="backups")
    memory.remember("Backups of the ledger run every night at two o'clock", name="again")
    plan = memory.consolidate()
    lost = refused(memory, plan, {only(plan.merges).id: Accept(keep="again", text="The ledger is backed up")})
    assert "give a text or a survivor" in lost.reason


def test_blanks_do_not_make_two_claims_of_one(memory):
    memory.remember("The press is red", name="a", area="Mill/press", claims=["colour = dark  red"])
    memory.remember("The press is dark red", name="b", area="Mill/press", claims=["colour=Dark red"])
    assert not memory.consolidate().contradictions
