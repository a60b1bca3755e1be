"""Expiries: what has faded so far that it may go, and each thing that keeps a memory by itself."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.cognition.decay import Reinforcement, reinforced
from memtui.cognition.expiry import expiry, names_used
from memtui.cognition.facts import changes, expiry_facts
from memtui.cognition.policy import DEFAULT_MEMORY_POLICY
from memtui.model.instants import DAY, HOUR, iso
from memtui.model.proposals import is_about_the_same
from memtui.model.records import Content, Finding, HomophonicLink, RecordKey, Revival
from memtui.text.claims import parse_claim
from memtui.text.markdown import link_targets
from tests.cognition.memories import member

NOW = 1_000 * DAY
POLICY = DEFAULT_MEMORY_POLICY


def faded(name="a", *claims, days=400.0, stability=15.0, **more):
    """A memory that nothing reinforced for so long: by itself it may go."""
    told = member(name, *claims, **{"area": "general", "memory_type": "semantic", **more})
    return replace(told, reinforcement=Reinforcement(stability, NOW - round(days * DAY), 0))


def judged(memory, *, named=frozenset(), policy=POLICY, true_at=NOW):
    return expiry(memory, now=NOW, true_at=true_at, named=named, policy=policy)


def outcome(memory, **options):
    found = judged(memory, **options)
    return found.action, found.reason


# --- What may go ---------------------------------------------------------------------------------


def test_a_faded_memory_that_nothing_keeps_may_go_and_its_numbers_are_told():
    found = judged(faded(days=400.5, stability=30.0))
    assert (found.action, found.kind, found.keys) == ("expire", "expiry", (faded().key,))
    assert found.retention == pytest.approx(math.exp(-400.5 / 30))
    assert (found.days, found.stability) == (400.5, 30.0)
    assert found.reason == "retention 0.000; nothing reinforced it for 400 days"
    assert dict(found.facts) == {
        "last reinforced": iso(NOW - round(400.5 * DAY)),
        "stability": "30.0000 days",
        "true": f"from {iso(0)}",
    }


def test_what_does_not_fade_is_not_judged():
    assert judged(replace(faded(), reinforcement=None)) is None
    assert expiry_facts(member("a")) == ()


def test_what_is_retained_is_retained_long_enough():
    # R = exp(-t/S): 0.15 is reached after 1.897 S.
    assert outcome(faded(days=400, stability=200)) == ("expire", "retention 0.135; nothing reinforced it for 400 days")
    assert outcome(faded(days=400, stability=212)) == ("retain", "retention 0.15 is not below 0.15")
    assert outcome(faded(days=0, stability=5)) == ("retain", "retention 1.00 is not below 0.15")
    assert judged(faded(days=-3)).days == 0.0  # reinforced after the moment it is looked at


def test_nothing_reinforced_it_for_half_a_year():
    assert outcome(faded(days=179.9)) == ("retain", "it was reinforced 179 days ago, which is less than 180")
    assert outcome(faded(days=180))[0] == "expire"


def test_another_policy_has_another_floor_and_another_patience():
    patient = replace(POLICY, expire_min_idle_days=500.0)
    assert outcome(faded(), policy=patient) == ("retain", "it was reinforced 400 days ago, which is less than 500")
    assert outcome(faded(days=20, stability=5), policy=replace(POLICY, expire_min_idle_days=10.0))[0] == "expire"
    strict = replace(POLICY, expire_below=0.01)
    assert outcome(faded(days=300, stability=100), policy=strict) == ("retain", "retention 0.05 is not below 0.01")
    assert outcome(faded(days=200, stability=200), policy=replace(POLICY, expire_below=0.5))[0] == "expire"


# --- What keeps it, each by itself ---------------------------------------------------------------


def test_what_is_pinned_stays():
    assert outcome(faded(pinned=True)) == ("retain", "it is pinned")


@pytest.mark.parametrize("written", ["procedural", " Procedural "])
def test_what_says_how_to_do_something_stays(written):
    assert outcome(faded(memory_type=written)) == ("retain", "it says how to do something")
    assert outcome(faded(memory_type="procedure of 1931"))[0] == "expire"


@pytest.mark.parametrize("claim", ["port=1", "port=!1", "port", "Epic/e::port=1"])
def test_what_claims_something_now_stays(claim):
    kept = ("retain", "it claims something")
    assert outcome(faded("a", claim)) == kept
    assert outcome(faded("a", claim, area="Feature/x")) == kept
    assert outcome(faded("a", replace(parse_claim(claim), valid_from=NOW, valid_to=NOW + 1))) == kept
    assert outcome(faded("a", replace(parse_claim(claim), valid_to=NOW)))[0] == "expire"
    assert outcome(faded("a", replace(parse_claim(claim), valid_from=NOW + 1)))[0] == "expire"


def test_a_claim_counts_in_whichever_stretch_its_memory_is_true():
    revived = faded("a", "Epic/e::port=1", revivals=(Revival(NOW - 9, NOW - 5),))
    assert outcome(revived) == ("retain", "it claims something")
    assert outcome(revived, true_at=NOW - 20) == ("retain", "it claims something")


def used(**fields):
    return set(names_used(RecordKey("workspace", "note", "other"), Content(**fields)))


@pytest.mark.parametrize(
    "fields",
    [
        {"source_refs": ("a",)},
        {"source_refs": ("engram:a",)},
        {"source_refs": ("Engram/a",)},
        {"source_refs": ("knowledge:notes/a",)},
        {"links": link_targets("As [[a]] says.")},
        {"links": link_targets("As [[A#before|it]] says.")},
        {"links": link_targets("As [it](../engrams/a.md#before) says.")},
        {"homophonic_links": (HomophonicLink("a", 0.5),)},
        {"superseded_by": "a"},
        {"supersedes": "a"},
        {"supports": ("a",)},
        {"refutes": ("engram/a",)},
        {"findings": (Finding("It is so.", source_refs=("a",)),)},
    ],
)
def test_what_something_in_force_names_stays(fields):
    assert outcome(faded(), named=used(**fields)) == ("retain", "something in force names it")
    assert outcome(faded("b"), named=used(**fields))[0] == "expire"


@pytest.mark.parametrize(
    "fields", [{"aliases": ("The Other",)}, {"title": "The other"}, {"path": "engrams/deep/the other.md"}]
)
def test_a_memory_is_named_by_whatever_it_answers_to(fields):
    assert outcome(faded(**fields), named=used(links=("the other",))) == ("retain", "something in force names it")
    assert outcome(faded(), named=used(links=("the other",)))[0] == "expire"


def test_the_two_ways_of_writing_a_letter_are_one_name():
    assert outcome(faded("café"), named=used(links=("CAFE\u0301",)))[0] == "retain"


@pytest.mark.parametrize("own", ["a", "A", "engram:a", "Engram/a", "engrams/a.md", "alias", "title"])
def test_no_memory_keeps_itself(own):
    memory = faded(aliases=("alias",), title="Title", path="engrams/a.md", refs=(own,), links=(own,))
    assert set(names_used(memory.key, memory.content)).isdisjoint({"a", "alias", "title"})
    assert outcome(memory, named=set(names_used(memory.key, memory.content)))[0] == "expire"


def test_what_shares_a_name_and_supports_it_is_another():
    evidence = RecordKey("workspace", "evidence", "a")
    assert outcome(faded(), named=set(names_used(evidence, Content(supports=("a",)))))[0] == "retain"


def test_a_source_of_very_many_parts_is_little_work():
    assert sum(len(name) for name in used(source_refs=("/".join("x" * 50_000),))) < 1_000_000


# --- What is out of force ------------------------------------------------------------------------


def gone(**fields):
    return replace(faded(**fields), in_force=False)


def test_what_is_out_of_force_has_expired_already():
    assert outcome(gone(until=NOW - DAY)) == ("already_expired", f"it is out of force since {iso(NOW - DAY)}")
    assert outcome(gone(until=NOW, pinned=True))[0] == "already_expired"


def test_what_is_not_yet_true_stays():
    assert outcome(gone(since=NOW + 1)) == ("retain", "its time has not come")
    assert outcome(gone(since=NOW + 1, until=NOW + 5)) == ("retain", "its time has not come")


def test_what_never_came_into_force_is_gone_though_its_window_lies_ahead():
    assert outcome(gone(since=NOW + 5, until=NOW + 5)) == ("already_expired", "it never came into force")


def test_in_a_gap_it_is_out_of_force_since_the_gap_began():
    memory = gone(revivals=(Revival(NOW - 50, NOW - 10),))
    assert outcome(memory, true_at=NOW - 20) == ("already_expired", f"it is out of force since {iso(NOW - 50)}")


def test_what_stays_or_is_gone_tells_its_numbers_too():
    for memory in (faded(pinned=True), gone(until=NOW - DAY), gone(since=NOW + 1)):
        found = judged(memory)
        assert (found.days, found.stability) == (400.0, 15.0)
        assert found.retention == pytest.approx(math.exp(-400 / 15))


# --- The used and the unused (fault 5) -----------------------------------------------------------


def aged(created, recalls, stability=15.0):
    return replace(faded(), reinforcement=reinforced(stability, created, recalls))


def test_the_used_memory_outlives_its_unused_twin():
    created = NOW - 300 * DAY
    unused = aged(created, [])
    assert outcome(unused) == ("expire", "retention 0.000; nothing reinforced it for 300 days")
    assert outcome(aged(created, [NOW - 100 * DAY]))[0] == "retain"
    long_ago = aged(created, [created + HOUR])
    assert judged(long_ago).retention > judged(unused).retention


@given(
    st.integers(0, 900),
    st.lists(st.integers(0, 900 * 24), max_size=6),
    st.sampled_from([0.1, 5.0, 15.0, 45.0, 200.0]),
)
def test_no_recall_makes_a_memory_expire_sooner_than_its_unused_twin(age, hours_after, stability):
    created = NOW - age * DAY
    recalls = sorted(at for at in (created + hours * HOUR for hours in hours_after) if at <= NOW)
    unused, recalled = judged(aged(created, [], stability)), judged(aged(created, recalls, stability))
    assert recalled.retention >= unused.retention
    assert recalled.days <= unused.days
    assert (recalled.action, unused.action) != ("expire", "retain")


# --- Facts ---------------------------------------------------------------------------------------


def test_last_reinforcement_stability_and_window_are_facts_and_nothing_else_is():
    before = judged(faded())
    for same in (faded(pinned=True), faded(tags=("t",)), faded("a", "port=1"), faded(confidence=9.0)):
        assert judged(same).id == before.id
    for other in (faded(days=401), faded(stability=15.001), faded(since=1), faded(until=NOW + 9)):
        after = judged(other)
        assert after.id != before.id
        assert is_about_the_same(after.id, before.id)
        assert len(changes(before.facts, after.facts)) == 1
    assert not is_about_the_same(judged(faded("b")).id, before.id)


def test_the_present_is_no_fact_of_a_fading_memory():
    memory = faded()
    later = expiry(memory, now=NOW + DAY, true_at=NOW + DAY, named=frozenset(), policy=POLICY)
    assert later.id == judged(memory).id
    assert later.days == judged(memory).days + 1
