"""Undecided: who speaks of the same thing and cannot be compared, with the reason that is true."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.cognition.claims import declared, referents_in, same, stated, subject_of
from memtui.cognition.undecided import NO_CLAIMS, REASONS, UNANCHORED, UNANCHORED_MANY, _comparable, undecided
from memtui.model.proposals import MOST_SHOWN, is_about_the_same
from memtui.text.claims import parse_claim
from tests.cognition.memories import NOBODY, found, member, memberships, names, work


def told(members, in_conflict=NOBODY):
    return [(group.referent, names(group.keys), group.reason) for group in undecided(members, in_conflict)]


def reason(*members, in_conflict=NOBODY):
    ((_, _, why),) = told(members, in_conflict)
    return why


def at(claim, **window):
    return replace(parse_claim(claim), **window)


# --- The true reason (fault 16) ------------------------------------------------------------------


def test_nobody_declares_a_claim():
    assert told([member("a"), member("b")]) == [("Feature/x", ["a", "b"], NO_CLAIMS)]


def test_some_declare_no_claim():
    claiming = [member("b", "port=1"), member("c", "port=1")]
    assert told([member("a"), *claiming]) == [
        ("Feature/x", ["a"], "1 of 3 declares no claim: whether it agrees with the others is only in prose")
    ]
    assert told([member("a"), member("d"), *claiming]) == [
        ("Feature/x", ["a", "d"], "2 of 4 declare no claim: whether they agree with the others is only in prose")
    ]


def test_claims_of_different_predicates_or_subjects_have_nothing_in_common():
    alone = "they declare claims, but of no subject and predicate that another claims too"
    assert reason(member("a", "port=1"), member("b", "host=h")) == alone
    assert reason(member("a", "Epic/e::port=1"), member("b", "port=1")) == alone


def test_one_predicate_in_windows_apart_is_said_to_be_so():
    apart = "they each claim the same predicate as another, but for times that share no instant"
    assert reason(member("a", "port=1", until=5), member("b", "Port=2", since=5)) == apart
    assert reason(member("a", at("port=1", valid_to=5)), member("b", at("port=2", valid_from=8))) == apart


def test_a_claim_for_no_instant_is_still_a_claim():
    never = member("a", at("port=1", valid_from=9), until=9)
    assert told([never, member("b", "port=2"), member("c", "port=2")]) == [
        ("Feature/x", ["a"], f"it {REASONS['apart'][0]}")
    ]
    assert reason(replace(never, content=replace(never.content, area="general")), member("b", "port=2")).startswith(
        "its claim names no subject"
    )


def test_existence_and_value_are_not_compared_and_that_is_said():
    unlike = (
        "they each claim the same predicate as another, "
        "but one says only whether there is one and the other which it is"
    )
    assert reason(member("a", "!port"), member("b", "port=1")) == unlike
    assert reason(member("a", "port"), member("b", "port=!1")) == unlike
    assert told([member("a", "port"), member("b", "port")]) == []


def test_each_reason_is_told_where_there_are_several():
    among = [
        member("a"),
        member("b", "host=h"),
        member("c", "port=1", until=3),
        member("d", "port=1", since=3),
        member("e", "!name"),
        member("f", "name=n"),
    ]
    assert reason(*among) == (
        "1 of 6 declares no claim: whether it agrees with the others is only in prose; "
        "2 of 6 each claim the same predicate as another, but for times that share no instant; "
        "2 of 6 each claim the same predicate as another, "
        "but one says only whether there is one and the other which it is; "
        "1 of 6 declares claims, but of no subject and predicate that another claims too"
    )


def test_a_claim_without_a_subject_where_nothing_gives_one_is_unanchored():
    loose = member("a", "Port=1", "host=h", area="general", refs=["file:x/y"])
    assert told([loose]) == [("· host", ["a"], UNANCHORED), ("· port", ["a"], UNANCHORED)]
    other = member("b", "port=2", area=None)
    assert told([loose, other])[1] == ("· port", ["a", "b"], UNANCHORED_MANY)
    assert told([member("a", "Epic/e::port=1", area="general")]) == []


def test_an_unanchored_claim_is_told_beside_anchored_ones_unless_its_memory_is_told_elsewhere():
    mixed = member("a", "Epic/e::port=1", "host=h", area="general")
    assert told([mixed]) == [("· host", ["a"], UNANCHORED)]
    assert told([mixed], {mixed.key}) == []


# --- Who is listed -------------------------------------------------------------------------------


def test_whoever_can_be_compared_with_another_is_not_listed_whatever_comes_of_it():
    for claim in ("port=1", "port=!2", "port+=2"):
        assert told([member("a", "port=1"), member("b", claim)]) == []
    assert told([member("a", "uses+=tea"), member("b", "uses+=milk"), member("c", "uses+=tea")]) == []


def test_a_thing_is_shared_through_area_sources_or_subject_however_it_is_spelled():
    assert told([member("a", area="feature/X "), member("b", area="general", refs=["Feature/x"])]) == [
        ("Feature/x", ["a", "b"], NO_CLAIMS)
    ]
    assert [(where, who) for where, who, _ in told([member("a", "Epic/e::p=1"), member("b", area="epic/E")])] == [
        ("Epic/e", ["a", "b"])
    ]
    assert told([member("a"), member("b", area="Feature/y")]) == []
    assert told([member("a", area="general"), member("b", area="general")]) == []
    assert told([member("a", area="x", refs=["commit:a/b"]), member("b", area="x", refs=["commit:a/b"])]) == []


def test_who_contradicts_another_or_is_out_of_force_is_not_listed():
    a, b, c = member("a", "port=1"), member("b", "port=2"), member("c")
    assert [who for _, who, _ in told([a, b, c], {a.key, b.key})] == [["c"]]
    assert told([a, b], {a.key, b.key}) == []
    assert told([replace(c, in_force=False), member("d")]) == []
    # The group is still of three: the others are told as a contradiction.
    assert reason(a, b, c, in_conflict={a.key, b.key}).startswith("1 of 3 declares no claim")


def test_a_claim_changed_is_another_proposal_about_the_same():
    (before,) = undecided([member("a"), member("b", "host=h")], NOBODY)
    (same_claims,) = undecided([member("a", tags=("t",), confidence=9.0), member("b", "host=h")], NOBODY)
    (after,) = undecided([member("a", "port=1"), member("b", "host=h")], NOBODY)
    assert before.id == same_claims.id
    assert before.id != after.id
    assert is_about_the_same(before.id, after.id)
    silent, said = before.facts
    assert silent.value.startswith("no claim: a (")
    assert said.value.startswith("host=h from ")
    one, other = (
        list(undecided([member("a"), member("b", *claims)], NOBODY)) for claims in (["p=1", "q"], ["q", "p=1"])
    )
    assert one == other


# --- Laws ----------------------------------------------------------------------------------------


def by_the_letter(claims):
    """Who has a claim that is compared with one of another memory, told by looking at each with each."""
    return {
        a.key
        for a in claims
        for b in claims
        if a.key != b.key
        and (same(a.subject), same(a.claim.predicate)) == (same(b.subject), same(b.claim.predicate))
        and (a.claim.object is None) == (b.claim.object is None)
        and any(a.window.contains(t) and b.window.contains(t) for t in range(12))
    }


@settings(max_examples=60)
@given(memberships(most=8))
def test_who_can_be_compared_is_as_looking_at_each_with_each(members):
    claims = [claim for each in members for claim in declared(each.key, each.content)]
    assert _comparable(claims) == by_the_letter(claims)


WINDOWS = st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 9), st.none() | st.integers(1, 11)), max_size=9)


@settings(max_examples=150)
@given(WINDOWS)
def test_windows_of_one_topic_are_met_as_by_looking_at_each_with_each(rows):
    claims = [
        claim
        for name, start, end in rows
        for claim in declared(member(name).key, member(name, at("p=1", valid_from=start, valid_to=end)).content)
    ]
    assert _comparable(claims) == by_the_letter(claims)


def things(each):
    """What a memory speaks of, folded."""
    subjects = (subject_of(claim, each.content) for claim in each.content.claims)
    return {same(name) for name in (*subjects, *referents_in(each.content)) if name is not None}


@settings(max_examples=60)
@given(memberships(), st.sampled_from([frozenset(), frozenset({"p"})]))
def test_those_are_listed_who_share_a_thing_and_are_neither_compared_nor_told_elsewhere(members, many):
    in_conflict = {key for proposal in found(members, many=many) for key in proposal.keys}
    expected = {}
    for thing in {thing for each in members for thing in things(each)}:
        group = [each for each in members if thing in things(each)]
        compared = by_the_letter([claim for each in group for claim in stated(each.key, each.content)])
        left = {each.key for each in group if each.key not in in_conflict | compared}
        if left and len(group) > 1:
            expected[thing] = left
    for each in members:
        for claim in each.content.claims:
            if subject_of(claim, each.content) is None and each.key not in in_conflict:
                expected.setdefault(f"· {same(claim.predicate)}", set()).add(each.key)
    groups = list(undecided(members, in_conflict))
    assert {same(group.referent): set(group.keys) for group in groups} == expected
    assert len(groups) == len(expected)
    for group in groups:
        assert not in_conflict & set(group.keys)
        assert names(group.keys) == sorted(names(group.keys))
        assert group.total == len(group.keys) == len(group.facts)


@settings(max_examples=60)
@given(memberships())
def test_no_reason_is_untrue(members):
    by_key = {each.key: each for each in members}
    for group in undecided(members, NOBODY):
        own = [by_key[key] for key in group.keys]
        if group.referent.startswith("·"):
            assert group.reason in (UNANCHORED, UNANCHORED_MANY)
            continue
        among = [each for each in members if same(group.referent) in things(each)]
        silent = [each for each in own if not each.content.claims]
        assert (group.reason == NO_CLAIMS) == (len(silent) == len(among))
        assert ("no claim" in group.reason) == (0 < len(silent) < len(among))
        topics = {
            each.key: {(same(claim.subject), same(claim.claim.predicate)) for claim in declared(each.key, each.content)}
            for each in among
        }
        shared = any(topics[each.key] & topics[other.key] for each in own for other in among if each is not other)
        assert ("the same predicate as another" in group.reason) == shared


# --- Many ----------------------------------------------------------------------------------------


def silent(count):
    return [member(f"m{place}") for place in range(count)], NOBODY


def alone(count):
    return [member(f"m{place}", f"p{place}=1") for place in range(count)], NOBODY


def successive(count):
    return [member(f"m{place}", "p=1", since=place, until=place + 1) for place in range(count)], NOBODY


def unlike(count):
    return [member("e", "!p"), *(member(f"m{n}", "p=1", since=n, until=n + 1) for n in range(count))], NOBODY


def unlike_each_other(count):
    return [
        member(f"m{place}", *(("p",) if place % 2 else ("p=1",)), since=place, until=place + 1)
        for place in range(count)
    ], NOBODY


def unanchored(count):
    return [member(f"m{place}", "p=1", area="general") for place in range(count)], NOBODY


def pairs(count):
    return [member(f"m{place}", area=f"Feature/f{place // 2}") for place in range(count)], NOBODY


@pytest.mark.parametrize(
    "among",
    [silent, alone, successive, unlike, unlike_each_other, unanchored, pairs],
)
def test_twice_as_many_memories_are_about_twice_the_work(among):
    fewer, more = among(120), among(240)
    assert list(undecided(*fewer))
    assert work(lambda: list(undecided(*more))) < 2.5 * work(lambda: list(undecided(*fewer)))


class OnlyAsked(Set):
    """Those who are told elsewhere may be very many: going through them for each group would never end."""

    def __init__(self, keys):
        self._keys = frozenset(keys)

    def __contains__(self, key):
        return key in self._keys

    def __iter__(self):
        raise AssertionError("gone through")

    def __len__(self):
        return len(self._keys)


def test_who_is_told_elsewhere_is_asked_about_and_never_gone_through():
    elsewhere = OnlyAsked([member("a").key])
    assert [who for _, who, _ in told([member("a"), member("b"), member("c", "port=1")], elsewhere)] == [["b", "c"]]


@pytest.mark.parametrize("among", [silent, successive])
def test_of_twenty_thousand_a_bounded_sample_is_told(among):
    (group,) = undecided(*among(20_000))
    assert group.total == 20_000
    assert len(group.keys) == len(group.facts) == MOST_SHOWN
    assert len(group.id) == 10
