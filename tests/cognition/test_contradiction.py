"""Contradictions: which claims cannot all be so, and whom to believe."""

from __future__ import annotations

from dataclasses import replace
from datetime import timezone

import pytest

from memtui.cognition import contradiction
from memtui.cognition.claims import declared, referents_in, stated, subject_of
from memtui.cognition.deciding import superseded
from memtui.cognition.facts import changes, facts_now
from memtui.model.instants import iso
from memtui.model.proposals import MOST_CONFLICTS, MOST_SHOWN, is_about_the_same
from memtui.model.records import Content, Revival
from memtui.text.claims import parse_claim
from memtui.text.dates import parse_instant
from tests.cognition.memories import found, member, names, work

NOW = parse_instant("2026-07-10", timezone.utc)


def kinds(members, **options):
    return [(pair.kind, pair.relation) for each in found(members, **options) for pair in each.conflicts]


def only(members, **options):
    (proposal,) = found(members, **options)
    return proposal


# --- What contradicts ----------------------------------------------------------------------------


def test_two_values_of_one_predicate_at_one_time_contradict():
    proposal = only([member("a", "port=1", recorded_at=1), member("b", "port=2", recorded_at=2)])
    assert proposal.about == "Feature/x · port"
    assert (proposal.keep.name, names(proposal.supersede)) == ("b", ["a"])
    assert [pair.kind for pair in proposal.conflicts] == ["object"]
    assert (proposal.basis, proposal.decided_by, proposal.total) == ("recorded_at", "rule", 2)
    assert proposal.reason == (f"b says port=2, a says port=1, at the same time; b was learned last, at {iso(2)}")


def test_asserting_and_denying_the_same_contradicts_and_denying_another_does_not():
    assert kinds([member("a", "port=1"), member("b", "port=!1")]) == [("polarity", "equals")]
    assert kinds([member("a", "port=1"), member("b", "port=!2")]) == []
    assert kinds([member("a", "port=!1"), member("b", "port=!2")]) == []
    assert kinds([member("a", "port=1"), member("b", "port=1")]) == []


def test_existence_is_compared_with_existence_alone():
    assert kinds([member("a", "port"), member("b", "!port")]) == [("polarity", "equals")]
    assert kinds([member("a", "port"), member("b", "port")]) == []
    for existence in ("port", "!port"):
        for value in ("port=1", "port=!1", "port+=1"):
            assert kinds([member("a", existence), member("b", value)]) == []


def test_what_accumulates_has_many_values_and_is_still_denied():
    assert kinds([member("a", "uses+=tea"), member("b", "uses=milk")]) == []
    assert kinds([member("a", "Uses=tea"), member("b", "uses=milk")], many={"uses"}) == []
    assert kinds([member("a", "uses=tea"), member("b", "uses=milk")], many={"other"}) == [("object", "equals")]
    assert kinds([member("a", "uses+=tea"), member("b", "uses=!tea")]) == [("polarity", "equals")]
    assert kinds([member("a", "uses=tea"), member("b", "uses=!tea")], many={"uses"}) == [("polarity", "equals")]


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
    wide = replace(parse_claim("port=1"), valid_from=1, valid_to=9)
    (claim,) = stated(member("a").key, member("a", wide, since=4, until=6).content)
    assert (claim.window.start, claim.window.end) == (1, 9)


def test_a_claim_whose_window_holds_no_instant_says_nothing():
    never = member("a", replace(parse_claim("port=1"), valid_from=9), until=9)
    assert stated(never.key, never.content) == []
    (claim,) = declared(never.key, never.content)
    assert claim.window.is_empty
    assert found([never, member("b", "port=2")]) == []


def test_a_revived_memory_claims_for_its_current_window():
    revived = member("a", "port=1", revivals=(Revival(3, 8),))
    (claim,) = stated(revived.key, revived.content)
    assert (claim.window.start, claim.window.end) == (8, None)
    assert kinds([revived, member("b", "port=2", until=8)]) == []
    assert kinds([revived, member("b", "port=2", until=9)]) != []


def test_what_was_never_true_claims_nothing():
    unknown = member("a", "port=1")
    assert stated(unknown.key, Content(claims=unknown.content.claims, area="Feature/x")) == []


def test_spelling_does_not_matter():
    assert kinds([member("a", "feature/X::Port =1"), member("b", "Feature/x::port=2")]) == [("object", "equals")]
    assert kinds([member("a", "Feature/x::port=Tea"), member("b", "Feature/x::port= tea ")]) == []
    assert kinds([member("a", "café=1"), member("b", "CAFE\u0301=2")]) == [("object", "equals")]


def test_nobody_contradicts_himself_or_what_is_out_of_force():
    assert kinds([member("a", "port=1", "port=2")]) == []
    assert kinds([member("a", "port=1", "port=2"), member("b", "host=h")]) == []
    assert kinds([member("a", "port=1"), replace(member("b", "port=2"), in_force=False)]) == []


def test_another_subject_or_predicate_is_another_matter():
    assert kinds([member("a", "port=1"), member("b", "port=2", area="Feature/y")]) == []
    assert kinds([member("a", "port=1"), member("b", "host=2")]) == []
    assert kinds([member("a", "port=1", area="general"), member("b", "port=2", area="general")]) == []


def test_topics_are_told_by_subject_then_predicate():
    among = [member("a", "b=1", "a=1", "Epic/e::z=1"), member("b", "b=2", "a=2", "Epic/e::z=2")]
    assert [each.about for each in found(among)] == ["Epic/e · z", "Feature/x · a", "Feature/x · b"]


def test_a_claim_without_a_subject_is_about_the_area_else_the_first_referent_of_its_sources():
    claim = parse_claim("port=1")
    assert subject_of(claim, member("a", area=" Feature/x ", refs=["Epic/e"]).content) == "Feature/x"
    assert subject_of(claim, member("a", area="general", refs=["Story/b", "Epic/e"]).content) == "Epic/e"
    assert subject_of(claim, member("a", area=None, refs=["Story/b"]).content) == "Story/b"
    assert subject_of(claim, member("a", area="general", refs=["file:src/a.py", "url:https://x/y"]).content) is None
    assert subject_of(parse_claim(" Story/s ::port=1"), member("a").content) == "Story/s"


def test_an_area_is_a_referent_by_its_shape_and_a_source_only_without_a_prefix():
    assert list(referents_in(member("a", area="file:src/a.py", refs=["File:src/b.py", "Epic/e", "x"]).content)) == [
        "file:src/a.py",
        "Epic/e",
    ]


# --- Whom to believe -----------------------------------------------------------------------------


def nobody_knows(claim):
    return None, False


def test_whoever_agrees_with_the_survivor_stays():
    among = [member("a", "port=1", recorded_at=1), member("b", "port=2", recorded_at=2), member("c", "port=2")]
    proposal = only(among)
    assert (proposal.keep.name, names(proposal.supersede)) == ("b", ["a"])
    assert names(proposal.keys) == ["a", "b", "c"]


def test_an_upper_bound_may_lose_an_election_and_never_win_it():
    among = [member("a", "port=1", since=7), member("b", "port=2", since=5)]
    stamps = {"a": (1, False), "b": (2, True)}
    proposal = only(among, learned=lambda claim: stamps[claim.key.name])
    assert (proposal.keep.name, proposal.basis) == ("a", "authored")
    assert names(proposal.approximate) == ["b"]
    stamps = {"a": (1, True), "b": (2, False)}
    proposal = only(among, learned=lambda claim: stamps[claim.key.name])
    assert (proposal.keep.name, proposal.basis) == ("b", "recorded_at")
    assert names(proposal.approximate) == ["a"]
    stamps = {"a": (2, True), "b": (2, False)}  # whoever was known by then may have been known before
    proposal = only(among, learned=lambda claim: stamps[claim.key.name])
    assert (proposal.keep.name, proposal.basis) == ("b", "recorded_at")


def test_a_memory_is_as_new_as_the_latest_of_its_claims_that_contradict():
    among = [member("a", "port=1", "port=3", "host=h"), member("b", "port=2"), member("c", "host=i")]
    stamps = {"port=1": 1, "port=2": 2, "port=3": 3, "host=h": 9, "host=i": 4}
    host, port = found(among, learned=lambda claim: (stamps[str(claim.claim)], False))
    assert (port.about, port.keep.name) == ("Feature/x · port", "a")
    stamps["port=3"] = 1
    host, port = found(among, learned=lambda claim: (stamps[str(claim.claim)], False))
    assert (host.keep.name, port.keep.name) == ("a", "b")


def test_where_a_stamp_is_missing_the_authored_clock_then_confidence_then_the_name_decide():
    def kept(*among):
        proposal = only(list(among), learned=nobody_knows)
        assert proposal.basis == "authored"
        return proposal.keep.name

    assert kept(member("a", "port=1", since=9), member("b", "port=2", since=1, confidence=9.0)) == "a"
    assert kept(member("a", "port=1"), member("b", "port=2", confidence=5.0)) == "b"
    assert kept(member("b", "port=1"), member("a", "port=2")) == "a"


def test_the_reason_names_what_decided():
    def why(*among, learned=nobody_knows):
        return only(list(among), learned=learned).reason.rpartition("; b ")[2].partition("; when")[0]

    other = member("a", "port=1", since=3)
    assert why(other, member("b", "port=2", since=4)) == f"is true since {iso(4)}, the latest beginning"
    assert why(other, member("b", "port=2", since=3, confidence=5.0)) == "is the surest"
    older = member("c", "port=3", since=1, confidence=9.0)
    assert why(other, older, member("b", "port=2", since=3, confidence=5.0)) == "is the surest of those that began last"
    assert why(member("c", "port=1"), member("b", "port=2")) == "comes first by name, for nothing else sets it apart"

    def together(claim):
        return 7, False

    assert why(other, member("b", "port=2", since=4), learned=together) == (
        f"was learned as late as any, at {iso(7)}, and is true since {iso(4)}, the latest beginning"
    )


def test_what_a_scribe_sees_is_proposed_as_its_own_with_the_last_recorded_as_survivor():
    among = [member("b", recorded_at=2), member("a", recorded_at=2), member("c", recorded_at=1)]
    proposal = contradiction.promoted("Feature/x", among, "they disagree")
    assert (proposal.keep.name, names(proposal.keys), names(proposal.supersede)) == ("a", ["a", "b", "c"], ["b", "c"])
    assert (proposal.decided_by, proposal.about, proposal.reason) == ("scribe", "Feature/x", "they disagree")
    assert contradiction.promoted("Feature/x", among[::-1], "they disagree") == proposal
    assert facts_now(proposal, {each.key: each for each in among}) == proposal.facts


# --- Ids and facts -------------------------------------------------------------------------------


def test_a_changed_fact_is_another_proposal_and_says_what_changed():
    a, b = member("a", "port=1"), member("b", "port=2", recorded_at=1)
    before = only([a, b])
    assert only([replace(a, content=replace(a.content, tags=("t",))), b]).id == before.id
    after = only([a, member("b", "port=3", recorded_at=1)])
    assert after.id != before.id
    assert is_about_the_same(after.id, before.id)
    (change,) = changes(before.facts, after.facts)
    assert change == f"b: port=2 from {iso(0)} is now port=3 from {iso(0)}"


@pytest.mark.parametrize(
    "changed",
    [
        member("b", "port=2", until=9),
        member("b", "port=2", since=1),
        member("b", replace(parse_claim("port=2"), valid_to=9)),
        member("b", "port=2", "port=!7"),
        member("b", "port+=2", "port=!1"),
        member("bb", "port=2", "port=!1"),
    ],
)
def test_claims_windows_and_names_are_facts(changed):
    first = member("b", "port=2", "port=!1") if "port=!1" in map(str, changed.content.claims) else member("b", "port=2")
    a = member("a", "port=1")
    assert only([a, changed]).id != only([a, first]).id


def test_who_would_survive_is_no_fact():
    a, b = member("a", "port=1", recorded_at=2), member("b", "port=2", recorded_at=1)
    later = replace(b, recorded_at=3, confidence=9.0)
    assert only([a, b]).keep != only([a, later]).keep
    assert only([a, b]).id == only([a, later]).id


def test_a_window_is_told_in_utc():
    proposal = only([member("a", "port=1", since=NOW), member("b", "port=2", since=NOW, recorded_at=1)])
    assert dict(proposal.facts)["a"] == "port=1 from 2026-07-10T00:00:00Z"


def test_two_kinds_of_one_name_are_told_apart():
    engram = member("a", "port=1")
    evidence = replace(member("a", "port=2"), key=engram.key._replace(kind="evidence"))
    proposal = only([engram, evidence])
    assert [label for label, _ in proposal.facts] == ["engram/a", "evidence/a"]
    assert "evidence/a says" in proposal.reason


# --- Many ----------------------------------------------------------------------------------------


def test_of_very_many_those_that_contradict_the_survivor_are_shown_first():
    agreeing = [member(f"a{place:03d}", "port=1", recorded_at=place) for place in range(400)]
    against = [member(f"b{place}", "port=2") for place in range(3)]
    proposal = only([*agreeing, *against])
    assert (proposal.keep.name, proposal.total) == ("a399", 403)
    assert names(proposal.supersede) == ["b0", "b1", "b2"]
    assert len(proposal.keys) == len(proposal.facts) == MOST_SHOWN
    assert {proposal.keep, *proposal.supersede} < set(proposal.keys)
    assert {key for pair in proposal.conflicts for key in (pair.a.key, pair.b.key)} <= set(proposal.keys)


def test_where_not_all_pairs_are_told_there_are_as_many_as_are_ever_told():
    proposal = only([member(f"m{place:03d}", f"port={place}", recorded_at=place) for place in range(40)])
    assert len(proposal.conflicts) == MOST_CONFLICTS
    assert [pair.a.key for pair in proposal.conflicts[:39]] == [proposal.keep] * 39


def test_whom_another_survivor_would_supersede_is_known_of_large_groups_too():
    agreeing = [member(f"a{place:03d}", "port=1") for place in range(60)]
    proposal = only([*agreeing, member("b", "port=2", recorded_at=9)])
    assert (proposal.keep.name, len(proposal.conflicts)) == ("b", 60)
    assert names(superseded(proposal, agreeing[0].key)) == ["b"]
    agreeing = [member(f"a{place:03d}", "port=1", recorded_at=place) for place in range(300)]
    proposal = only([*agreeing, member("b", "port=2"), member("c", "port=3")])
    (another, *_) = (key for key in proposal.keys if key.name[0] == "a" and key != proposal.keep)
    assert {"b", "c"} <= set(names(superseded(proposal, another)))


def different(count):
    return [member(f"m{place}", f"port={place}", recorded_at=place) for place in range(count)]


def two_camps(count):
    return [member(f"m{place}", f"port={place % 2}", recorded_at=place) for place in range(count)]


def successions(count):
    return [member(f"m{place}", f"port={place}", since=place, until=place + 2) for place in range(count)]


def denials(count):
    return [member(f"m{place}", f"port={'!' if place % 2 else ''}1") for place in range(count)]


def one_of_many_claims(count):
    claims = [f"port=!{place}" for place in range(count)]
    return [member("all", *claims, recorded_at=9), *(member(f"m{place}", f"port={place}") for place in range(count))]


def two_of_many_claims(count):
    windows = [{"valid_from": place, "valid_to": place + 1} for place in range(count)]
    one, two = ([replace(parse_claim(f"port={value}"), **window) for window in windows] for value in ("1", "2"))
    return [member("a", *one), member("b", *two)]


def self_contradicting(count):
    claims = [f"port={place}" for place in range(count)]
    return [member("all", *claims), member("b", "port=!1")]


def separate_topics(count):
    return [member(f"m{place}", f"port{place // 2}={place}") for place in range(count)]


@pytest.mark.parametrize(
    "among",
    [
        different,
        two_camps,
        successions,
        denials,
        one_of_many_claims,
        two_of_many_claims,
        self_contradicting,
        separate_topics,
    ],
)
def test_twice_as_many_claims_are_about_twice_the_work(among):
    fewer, more = among(120), among(240)
    assert found(fewer)
    assert work(lambda: found(more)) < 2.5 * work(lambda: found(fewer))


def two_of_whom_one_is_not_shown(count):
    windows = [{"valid_from": 9 + place, "valid_to": 10 + place} for place in range(3 * count)]
    shown, beyond = ([replace(parse_claim(f"port={n}"), **window) for window in windows] for n in "12")
    agreeing = [member(f"b{place:03d}", "port=1", until=1) for place in range(MOST_SHOWN)]
    against = member("c", "port=2", until=1)
    survivor = member("d", "port=1", until=1, recorded_at=9)
    return [member("a", *shown), *agreeing, against, survivor, member("z", *beyond)]


def test_claims_whose_conflicts_are_not_shown_are_not_paired():
    fewer, more = two_of_whom_one_is_not_shown(100), two_of_whom_one_is_not_shown(200)
    assert "z" not in names(only(fewer).keys)
    assert work(lambda: found(more)) < 1.6 * work(lambda: found(fewer))


def test_twenty_thousand_on_one_topic_are_compared_by_counting(monkeypatch):
    pairs = []
    real = contradiction.conflict
    monkeypatch.setattr(contradiction, "conflict", lambda *args: pairs.append(1) or real(*args))
    proposal = only(different(20_000))
    assert proposal.total == 20_000
    assert len(proposal.keys) == len(proposal.facts) == MOST_SHOWN
    assert len(proposal.supersede) == MOST_SHOWN - 1
    assert len(pairs) < 10 * MOST_CONFLICTS
