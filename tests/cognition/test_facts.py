"""Facts: what a proposal rests on stays while nothing changes, and whatever changes of it is told."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.cognition.consolidation import Consolidating
from memtui.cognition.decay import Reinforcement
from memtui.cognition.facts import changes, facts_now
from memtui.model.instants import DAY, iso
from memtui.model.proposals import Fact, told_names
from memtui.model.records import RecordKey
from tests.cognition.memories import member, memberships

NOW = 1_000 * DAY
SENTENCES = ("the bees fly over the old bridge at noon", "the bees fly over the old bridge at dusk", "")


def plan(members, **options):
    by_key = {each.key: each for each in members}
    return list(
        Consolidating(
            members=members,
            now=NOW,
            true_at=6,
            learned=lambda claims: lambda claim: (by_key[claim.key].recorded_at, False),
            everything=True,
            **options,
        ).proposals()
    )


@st.composite
def of_every_kind(draw):
    """Memories among which there is something of every kind to propose."""
    return [
        replace(
            each,
            content=replace(each.content, body=draw(st.sampled_from(SENTENCES))),
            reinforcement=Reinforcement(15.0, NOW - draw(st.integers(0, 400)) * DAY, 0),
        )
        for each in draw(memberships())
    ]


class Writer:
    def merge(self, memories):
        return "bees fly over the bridge"


@settings(max_examples=50)
@given(of_every_kind(), st.sampled_from([None, Writer()]))
def test_facts_are_the_same_while_nothing_changes(members, scribe):
    by_key = {each.key: each for each in members}
    told = plan(members, merge_scribe=scribe)
    for proposal in told:
        assert proposal.facts == facts_now(proposal, by_key)
        assert changes(proposal.facts, facts_now(proposal, by_key)) == ()
        assert proposal.facts
    assert plan(members, merge_scribe=scribe) == told
    assert len({proposal.id for proposal in told}) == len(told)


def changed(draw, each):
    content = each.content
    return draw(
        st.sampled_from(
            [
                each,
                replace(each, content=replace(content, tags=("t",), owner="o", confidence=9.0)),
                replace(each, recorded_at=7, confidence=9.0),
                replace(each, content=replace(content, claims=content.claims[1:])),
                replace(each, content=replace(content, claims=tuple(replace(c, many=True) for c in content.claims))),
                replace(each, content=replace(content, claims=tuple(replace(c, object="9") for c in content.claims))),
                replace(each, content=replace(content, valid_to=9)),
                replace(each, content=replace(content, body=SENTENCES[0] + " again")),
                replace(each, reinforcement=Reinforcement(15.0, NOW - 7 * DAY, 1)),
            ]
        )
    )


@settings(max_examples=60)
@given(of_every_kind(), st.data())
def test_an_id_is_another_where_members_or_facts_are_and_only_there(members, data):
    after = list(members)
    if after:
        place = data.draw(st.integers(0, len(after) - 1))
        after[place] = changed(data.draw, after[place])
    known = {proposal.id: proposal for proposal in plan(members)}
    for proposal in plan(after):
        rests_on = (proposal.kind, proposal.about.lower().strip(), set(proposal.keys), set(proposal.facts))
        alike = [
            other.id
            for other in known.values()
            if (other.kind, other.about.lower().strip(), set(other.keys), set(other.facts)) == rests_on
        ]
        assert (proposal.id in known) == (proposal.id in alike)
        assert alike in ([], [proposal.id])


@settings(max_examples=50)
@given(of_every_kind(), st.data())
def test_what_changed_is_told_of_the_member_that_changed(members, data):
    place = data.draw(st.integers(0, len(members) - 1))
    after = {each.key: each for each in members}
    after[members[place].key] = changed(data.draw, members[place])
    for proposal in plan(members):
        now = facts_now(proposal, after)
        told = changes(proposal.facts, now)
        assert bool(told) == (now != proposal.facts)
        assert len(told) <= 1 or proposal.kind == "expiry"
        if told and proposal.kind != "expiry":
            assert told[0].startswith(f"{members[place].key.name}: ")


def test_what_a_merge_rests_on_is_text_and_validity():
    words = {"title": "t", "body": "b"}

    def fact(**fields):
        first, second = (member(name, **{"area": "x", **words, **fields}) for name in "ab")
        first, second = (replace(m, content=replace(m.content, summary="the bees fly by")) for m in (first, second))
        (merge,) = (each for each in plan([first, second]) if each.kind == "merge")
        return dict(merge.facts)["a"]

    assert fact().startswith("the bees fly by (")
    assert fact(until=9).endswith(f"from {iso(0)} to {iso(9)}")
    assert fact(tags=("t",), recorded_at=4, confidence=9.0) == fact()
    for fields in ({"title": "u"}, {"body": "c"}, {"area": "y"}, {"until": 9}, {"since": 1}):
        assert fact(**fields) != fact()


def test_changes_are_told_as_clauses():
    before = [Fact("a", "port=1"), Fact("b", "port=2"), Fact("c", "port=3")]
    after = [Fact("a", "port=1"), Fact("b", "port=9"), Fact("d", "port=4")]
    assert changes(before, after) == (
        "b: port=2 is now port=9",
        "d is part of it now: port=4",
        "c is no part of it any more",
    )
    assert changes(before, before) == changes([], []) == ()


def test_two_long_facts_that_differ_only_at_their_end_are_told_apart():
    text = "the bees fly over the bridge " * 12
    (told,) = changes([Fact("a", f"{text}(1) from 1")], [Fact("a", f"{text}(2) from 1")])
    then, now = told.removeprefix("a: ").split(" is now ")
    assert then != now
    assert len(told) < 400


def test_a_member_that_is_gone_has_no_fact_any_more():
    a, b = member("a", "port=1"), member("b", "port=2")
    (proposal,) = (each for each in plan([a, b]) if each.kind == "contradiction")
    assert changes(proposal.facts, facts_now(proposal, {a.key: a})) == ("b is no part of it any more",)
    assert facts_now(proposal, {}) == ()


def test_names_are_told_with_their_kind_where_two_kinds_share_one():
    keys = [RecordKey("w", "engram", "x"), RecordKey("w", "note", "x"), RecordKey("w", "engram", "y")]
    assert told_names(keys) == ("engram/x", "note/x", "y")
