"""Contradictions: which claims cannot all be so, and whom to believe."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.cognition import contradiction
from memtui.cognition.claims import conflict_of, same, stated, subject_of, topic_of
from memtui.cognition.decay import confidence_number
from memtui.cognition.facts import changes, facts_now
from memtui.cognition.members import Member
from memtui.cognition.undecided import undecided
from memtui.errors import InvalidInput
from memtui.model.instants import MIN_INSTANT, iso
from memtui.model.proposals import MOST_SHOWN
from memtui.model.records import Claim, Content, RecordKey
from memtui.text.claims import parse_claim, read_claim
from memtui.text.dates import parse_instant

VALUES = json.loads((Path(__file__).parent / "contradiction_values.json").read_text(encoding="utf-8"))
NOW = parse_instant("2026-07-10", timezone.utc)


def member(name, *claims, area="Feature/x", since=0, until=None, recorded_at=0, confidence=3.0, refs=()):
    content = Content(
        summary=name,
        area=area,
        source_refs=tuple(refs),
        claims=tuple(parse_claim(claim) if isinstance(claim, str) else claim for claim in claims),
        valid_from=since,
        valid_to=until,
    )
    return Member(RecordKey("workspace", "engram", name), content, recorded_at, True, confidence)


def found(members, *, many=frozenset(), learned=None):
    """What is proposed; who was learned when defaults to when it was recorded."""
    by_key = {each.key: each for each in members}
    when = learned or (lambda claim: (by_key[claim.key].recorded_at, False))
    topics = contradiction.contradicting(contradiction.claims_by_topic(members), many)
    return [contradiction.contradiction(topic, claims, by_key, when, many) for topic, claims in topics]


def kinds(members, **options):
    return [(pair.kind, pair.relation) for each in found(members, **options) for pair in each.conflicts]


# --- What contradicts ----------------------------------------------------------------------------


def test_two_values_of_one_predicate_at_one_time_contradict():
    (proposal,) = found([member("a", "port=1", recorded_at=1), member("b", "port=2", recorded_at=2)])
    assert proposal.about == "Feature/x · port"
    assert (proposal.keep.name, [key.name for key in proposal.supersede]) == ("b", ["a"])
    assert [pair.kind for pair in proposal.conflicts] == ["object"]
    assert proposal.basis == "recorded_at"
    assert "b says port=2, a says port=1" in proposal.reason


def test_asserting_and_denying_the_same_contradicts_and_denying_another_does_not():
    assert kinds([member("a", "port=1"), member("b", "port=!1")]) == [("polarity", "equals")]
    assert kinds([member("a", "port=1"), member("b", "port=!2")]) == []
    assert kinds([member("a", "port=!1"), member("b", "port=!2")]) == []


def test_existence_is_compared_with_existence_alone():
    assert kinds([member("a", "port"), member("b", "!port")]) == [("polarity", "equals")]
    assert kinds([member("a", "port"), member("b", "port=1")]) == []
    assert kinds([member("a", "!port"), member("b", "port=1")]) == []


def test_what_accumulates_has_many_values_and_is_still_denied():
    assert kinds([member("a", "uses+=tea"), member("b", "uses=milk")]) == []
    assert kinds([member("a", "uses=tea"), member("b", "uses=milk")], many={"uses"}) == []
    assert kinds([member("a", "uses+=tea"), member("b", "uses=!tea")]) == [("polarity", "equals")]


def test_a_clean_succession_is_no_contradiction():
    assert kinds([member("a", "port=1", until=5), member("b", "port=2", since=5)]) == []
    assert kinds([member("a", "port=1", until=6), member("b", "port=2", since=5, recorded_at=1)]) == [
        ("object", "overlapped by")
    ]


def test_a_claim_has_a_window_of_its_own_and_takes_what_is_missing_from_its_memory():
    own = replace(parse_claim("port=1"), valid_to=5)
    (claim,) = stated(member("a", own, since=2).key, member("a", own, since=2).content)
    assert (claim.window.start, claim.window.end) == (2, 5)
    assert kinds([member("a", own), member("b", "port=2", since=5)]) == []
    never = replace(parse_claim("port=1"), valid_from=9)
    assert stated(member("a").key, member("a", never, until=9).content) == []


def test_spelling_does_not_matter():
    assert kinds([member("a", "feature/X::Port =1"), member("b", "Feature/x::port=2")]) == [("object", "equals")]
    assert kinds([member("a", "Feature/x::port=Tea"), member("b", "Feature/x::port= tea ")]) == []


def test_nobody_contradicts_himself_or_what_is_out_of_force():
    assert kinds([member("a", "port=1", "port=2")]) == []
    assert kinds([member("a", "port=1"), replace(member("b", "port=2"), in_force=False)]) == []


def test_a_claim_without_a_subject_is_about_the_area_else_the_first_referent_of_its_sources():
    claim = parse_claim("port=1")
    assert subject_of(claim, member("a", area="Feature/x", refs=["Epic/e"]).content) == "Feature/x"
    assert subject_of(claim, member("a", area="general", refs=["Story/b", "Epic/e"]).content) == "Epic/e"
    assert subject_of(claim, member("a", area="general", refs=["file:src/a.py", "url:https://x/y"]).content) is None
    assert subject_of(parse_claim(" Story/s ::port=1"), member("a").content) == "Story/s"


# --- Whom to believe -----------------------------------------------------------------------------


def test_whoever_agrees_with_the_survivor_stays():
    among = [member("a", "port=1", recorded_at=1), member("b", "port=2", recorded_at=2), member("c", "port=2")]
    (proposal,) = found(among)
    assert (proposal.keep.name, [key.name for key in proposal.supersede]) == ("b", ["a"])
    assert [key.name for key in proposal.keys] == ["a", "b", "c"]


def test_an_upper_bound_may_lose_an_election_and_never_win_it():
    among = [member("a", "port=1", since=7), member("b", "port=2", since=5)]
    stamps = {"a": (1, False), "b": (2, True)}
    (proposal,) = found(among, learned=lambda claim: stamps[claim.key.name])
    assert (proposal.keep.name, proposal.basis) == ("a", "authored")
    assert [key.name for key in proposal.approximate] == ["b"]
    stamps = {"a": (1, True), "b": (2, False)}
    (proposal,) = found(among, learned=lambda claim: stamps[claim.key.name])
    assert (proposal.keep.name, proposal.basis) == ("b", "recorded_at")
    assert [key.name for key in proposal.approximate] == ["a"]


def test_where_a_stamp_is_missing_the_authored_clock_then_confidence_then_the_name_decide():
    def nobody_knows(claim):
        return None, False

    def kept(*among):
        (proposal,) = found(list(among), learned=nobody_knows)
        assert proposal.basis == "authored"
        return proposal.keep.name

    assert kept(member("a", "port=1", since=9), member("b", "port=2", since=1)) == "a"
    assert kept(member("a", "port=1"), member("b", "port=2", confidence=5.0)) == "b"
    assert kept(member("b", "port=1"), member("a", "port=2")) == "a"


# --- Ids and facts -------------------------------------------------------------------------------


def test_a_changed_fact_is_another_proposal_and_says_what_changed():
    a, b = member("a", "port=1"), member("b", "port=2", recorded_at=1)
    (before,) = found([a, b])
    (tagged,) = found([replace(a, content=replace(a.content, tags=("t",))), b])
    assert tagged.id == before.id
    (after,) = found([a, member("b", "port=3", recorded_at=1)])
    assert after.id != before.id
    assert after.id[:5] == before.id[:5]  # of the same topic
    (change,) = changes(before.facts, after.facts)
    assert change.startswith("b: port=2 from ")
    assert "is now port=3" in change


@given(st.permutations(range(4)))
def test_the_order_in_which_memories_come_does_not_matter(order):
    among = [member(name, f"port={place}", "host=h") for place, name in enumerate("abcd")]
    assert found([among[place] for place in order]) == found(among)


# --- Laws ----------------------------------------------------------------------------------------

CLAIMS = st.builds(
    Claim,
    predicate=st.sampled_from(["p", "P", "q"]),
    object=st.sampled_from([None, "1", "2"]),
    subject=st.sampled_from(["S/s", "s/S "]),
    polarity=st.sampled_from(["asserts", "denies"]),
    many=st.booleans(),
    valid_from=st.one_of(st.none(), st.integers(0, 6)),
    valid_to=st.one_of(st.none(), st.integers(0, 6)),
)
MEMBERS = st.lists(st.tuples(st.lists(CLAIMS, max_size=3), st.integers(0, 5)), max_size=6).map(
    lambda rows: [member(f"m{n}", *claims, since=since) for n, (claims, since) in enumerate(rows)]
)


@given(MEMBERS, st.sampled_from([frozenset(), frozenset({"p"})]))
def test_who_contradicts_another_is_as_comparing_each_with_each(members, many):
    claims = [claim for each in members for claim in stated(each.key, each.content)]
    expected = {(topic_of(a), a.key) for a in claims for b in claims if conflict_of(a, b, many) is not None}
    told = contradiction.contradicting(contradiction.claims_by_topic(members), many)
    assert {(topic, claim.key) for topic, own in told for claim in own} == expected


@given(MEMBERS)
def test_the_survivor_contradicts_all_it_supersedes_and_facts_stand_while_nothing_changes(members):
    by_key = {each.key: each for each in members}
    for proposal in found(members):
        assert proposal.supersede
        told = {
            key
            for pair in proposal.conflicts
            for key in (pair.a.key, pair.b.key)
            if proposal.keep in (pair.a.key, pair.b.key)
        }
        assert told == {proposal.keep, *proposal.supersede}
        assert facts_now(proposal, by_key) == proposal.facts
        assert changes(proposal.facts, facts_now(proposal, by_key)) == ()


@given(MEMBERS)
def test_nobody_is_listed_both_as_contradicting_and_as_undecided(members):
    conflicting = {key for proposal in found(members) for key in proposal.keys}
    for group in undecided(members, conflicting):
        assert not conflicting & set(group.keys)


def test_thousands_of_claims_on_one_topic_are_compared_by_counting(monkeypatch):
    calls = []
    real = contradiction.conflict
    monkeypatch.setattr(contradiction, "conflict", lambda *args: calls.append(1) or real(*args))

    def compared(count):
        calls.clear()
        (proposal,) = found([member(f"m{n:05d}", f"port={n}", recorded_at=n) for n in range(count)])
        assert (proposal.total, len(proposal.keys)) == (count, MOST_SHOWN)
        assert len(proposal.facts) == MOST_SHOWN
        return len(calls)

    assert compared(4_000) < 2.5 * compared(2_000)


# --- Known values --------------------------------------------------------------------------------


def instant(text):
    """A stamp of the known values; what is no stamp is none, and one without a zone is UTC."""
    try:
        return None if text is None else parse_instant(text, timezone.utc)
    except InvalidInput:
        return None


def known(name, spec, *, since=MIN_INSTANT):
    """A member of the known values.

    They take as subject the smallest name of area and sources together; ours is the area first (page 2), so claims
    are given theirs. A memory without a beginning was always so there.
    """
    names = [named for named in (spec.get("area"), *spec.get("refs", ())) if named and "/" in named]
    claims = []
    for parts in spec.get("claims", ()):
        own = {**parts, "subject": parts.get("subject") or min(names, default=None)}
        start, end = instant(own.pop("valid_from", None)), instant(own.pop("valid_to", None))
        claims.append(replace(read_claim(own, timezone.utc), valid_from=start, valid_to=end))
    content = Content(
        summary=name, area=spec.get("area"), claims=tuple(claims), valid_from=instant(spec.get("from")) or since
    )
    confidence = confidence_number(spec.get("confidence"))
    return Member(RecordKey("workspace", "engram", name), content, 0, True, confidence)


@pytest.mark.parametrize("row", VALUES["pairs"])
def test_pairs_of_claims_agree(row):
    x, y = known("x", row["x"]), known("y", row["y"])
    for i, j, kind in row["kinds"]:
        first, second = (
            stated(each.key, replace(each.content, claims=(each.content.claims[place],)))
            for each, place in ((x, i), (y, j))
        )
        told = conflict_of(first[0], second[0], frozenset()) if first and second else None
        assert told == kind, (i, j)


OTHERWISE = {
    # A memory that agrees with the survivor is not superseded along with the one that both contradict.
    ("m05", "m02", "m03"): ("m05", "m02"),
    # Page 3 falls back to the latest beginning first, and there an absent confidence counts 3.
    ("m06", "m01", "m04"): ("m04", "m01", "m06"),
}


@pytest.mark.parametrize("row", VALUES["reports"])
def test_reports_agree(row):
    members = [known(name, spec) for name, spec in row["members"].items()]
    # The election there goes by when a memory was created, ours by since when it is true.
    authored = {
        each.key: replace(
            each, content=replace(each.content, valid_from=instant(row["members"][each.key.name]["created"]))
        )
        for each in members
    }
    bounds = row["approximate"] or ()

    def learned(claim):
        return instant((row["learned"] or {}).get(claim.key.name)), claim.key.name in bounds

    topics = contradiction.contradicting(contradiction.claims_by_topic(members), frozenset())
    told = [contradiction.contradiction(topic, claims, authored, learned, frozenset()) for topic, claims in topics]
    expected = []
    for subject, predicate, names, keep, gone, basis in row["found"]:
        kept, *lost = OTHERWISE.get((keep, *gone), (keep, *gone))
        expected.append((same(subject), same(predicate), names, kept, lost, {"spec": "authored"}.get(basis, basis)))
    assert [
        (
            same(p.subject),
            same(p.predicate),
            [k.name for k in p.keys],
            p.keep.name,
            [k.name for k in p.supersede],
            p.basis,
        )
        for p in told
    ] == expected


def test_a_window_is_told_in_utc():
    (proposal,) = found([member("a", "port=1", since=NOW), member("b", "port=2", since=NOW, recorded_at=1)])
    assert iso(NOW) in dict(proposal.facts)["a"]
