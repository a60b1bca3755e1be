"""Laws of contradictions: as comparing each with each by the letter of the rule, in whatever order."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.cognition import contradiction
from memtui.cognition.claims import stated
from memtui.cognition.members import Member
from memtui.cognition.undecided import undecided
from tests.cognition.memories import found, memberships, names

MANY = st.sampled_from([frozenset(), frozenset({"p"})])
LINE = range(12)
"""Every instant that matters: bounds lie between 0 and 7, and what is open goes on."""


def instants(claim, content):
    """The instants of a claim: its own bounds, those that are missing from its memory."""
    start = content.valid_from if claim.valid_from is None else claim.valid_from
    end = content.valid_to if claim.valid_to is None else claim.valid_to
    return {t for t in LINE if start <= t and (end is None or t < end)}


def subject(claim, content):
    if claim.subject is not None:
        return claim.subject
    named = [content.area, *sorted(content.source_refs)]
    return next((each for each in named if each is not None and "/" in each), None)


def plain(text):
    return None if text is None else text.strip().lower()


def contradict(a, mine, b, other, many):
    """How claims of two memories contradict each other, told from the rule of page 3 alone."""
    if subject(a, mine) is None or plain(subject(a, mine)) != plain(subject(b, other)):
        return None
    if plain(a.predicate) != plain(b.predicate) or not instants(a, mine) & instants(b, other):
        return None
    if (a.object is None) != (b.object is None):
        return None
    if plain(a.object) == plain(b.object):
        return "polarity" if a.polarity != b.polarity else None
    single = not (a.many or b.many or plain(a.predicate) in many)
    return "object" if single and a.polarity == b.polarity == "asserts" else None


def by_the_letter(members, many):
    """Every (memory, place of the claim) that contradicts one of another memory, by what it is about."""
    told = {}
    for x in members:
        for i, a in enumerate(x.content.claims):
            for y in members:
                for b in y.content.claims:
                    if x is not y and contradict(a, x.content, b, y.content, many) is not None:
                        topic = plain(subject(a, x.content)), plain(a.predicate)
                        told.setdefault(topic, set()).add((x.key, i))
    return told


def counted(members, many):
    told = {}
    for topic, claims in contradiction.contradicting(contradiction.claims_by_topic(members), many):
        for claim in claims:
            content = next(each.content for each in members if each.key == claim.key)
            places = {i for i, own in enumerate(content.claims) if own == claim.claim}
            told.setdefault(tuple(topic), set()).update((claim.key, i) for i in places)
    return told


def check_who_contradicts(members, many):
    assert counted(members, many) == by_the_letter(members, many)


def check_pairs(members, many):
    contents = {each.key: each.content for each in members}
    for proposal in found(members, many=many):
        for pair in proposal.conflicts:
            a, b = pair.a, pair.b
            assert pair.kind == contradict(a.claim, contents[a.key], b.claim, contents[b.key], many)
            assert pair.relation == a.window.relation(b.window)
        pairs = {frozenset((pair.a.key, pair.b.key)) for pair in proposal.conflicts}
        about = plain(proposal.subject), plain(proposal.predicate)
        assert pairs == {
            frozenset((x.key, y.key))
            for x in members
            for y in members
            for a in x.content.claims
            for b in y.content.claims
            if x is not y
            and contradict(a, x.content, b, y.content, many) is not None
            and (plain(subject(a, x.content)), plain(a.predicate)) == about
        }
        with_survivor = {key for pair in pairs if proposal.keep in pair for key in pair}
        assert with_survivor == {proposal.keep, *proposal.supersede}
        assert proposal.supersede


@settings(max_examples=100)
@given(memberships(), MANY)
def test_who_contradicts_another_is_as_comparing_each_with_each(members, many):
    check_who_contradicts(members, many)


@settings(max_examples=100)
@given(memberships(), MANY)
def test_the_pairs_that_are_told_are_all_there_are_and_the_survivors_are_whom_it_supersedes(members, many):
    check_pairs(members, many)


@pytest.mark.slow
@settings(max_examples=2_000)
@given(memberships(most=12), MANY)
def test_many_memories_contradict_each_other_as_comparing_each_with_each(members, many):
    check_who_contradicts(members, many)
    check_pairs(members, many)


def everything(members, many):
    told = found(members, many=many)
    return told, list(undecided(members, {key for each in told for key in each.keys}))


@settings(max_examples=100)
@given(memberships(), MANY, st.randoms(use_true_random=False))
def test_the_order_in_which_memories_come_does_not_matter(members, many, random):
    shuffled = list(members)
    random.shuffle(shuffled)
    assert everything(shuffled, many) == everything(members, many)


STAMPS = st.tuples(st.none() | st.integers(0, 3), st.booleans())


@given(memberships(), st.lists(STAMPS, min_size=8, max_size=8), st.randoms(use_true_random=False))
def test_no_order_of_memories_or_claims_decides_an_election(members, stamps, random):
    def learned(claim):
        # Told by what is claimed, so that the claims of one memory have stamps of their own.
        return stamps[(len(claim.key.name) + sum(map(ord, f"{claim.key.name}{claim.claim.object}"))) % 8]

    shuffled = [
        replace(each, content=replace(each.content, claims=tuple(random.sample(each.content.claims, k=n))))
        for each in members
        for n in [len(each.content.claims)]
    ]
    random.shuffle(shuffled)

    def told(among):
        return [
            (p.id, p.keep, p.basis, p.supersede, p.approximate, p.reason.rpartition("same time; ")[2])
            for p in found(among, learned=learned)
        ]

    assert told(shuffled) == told(members)


@given(memberships(), st.lists(STAMPS, min_size=6, max_size=6))
def test_the_survivor_is_the_last_learned_unless_that_is_uncertain(members, stamps):
    """The election, told from page 3: one stamp a memory here."""
    by_name = dict(zip((f"m{place}" for place in range(6)), stamps, strict=True))
    by_key = {each.key: each for each in members}
    for proposal in found(members, learned=lambda claim: by_name[claim.key.name]):
        keys = proposal.keys
        own = [by_name[key.name] for key in keys]
        certain = all(stamp is not None for stamp, _ in own)
        if certain:
            latest = max(stamp for stamp, _ in own)
            certain = (latest, False) in own
        if certain:
            keys = [key for key in keys if by_name[key.name] == (latest, False)]
        assert proposal.basis == ("recorded_at" if certain else "authored")
        assert proposal.keep == min(
            keys, key=lambda key: (-by_key[key].content.valid_from, -by_key[key].confidence, key.name)
        )
        assert names(proposal.approximate) == [key.name for key in proposal.keys if by_name[key.name][1]]


def respelled(text, upper, before, after):
    return None if text is None else " " * before + (text.upper() if upper else text.lower()) + " " * after


@given(memberships(), MANY, st.data())
def test_case_and_blanks_around_subject_predicate_and_object_do_not_matter(members, many, data):
    spelling = st.tuples(st.booleans(), st.integers(0, 2), st.integers(0, 2))

    def otherwise(member: Member) -> Member:
        content = member.content
        claims = tuple(
            replace(
                claim,
                **{
                    part: respelled(getattr(claim, part), *data.draw(spelling))
                    for part in ("subject", "predicate", "object")
                },
            )
            for claim in content.claims
        )
        return replace(member, content=replace(content, claims=claims))

    def told(among):
        return [
            (plain(p.about), p.keys, p.keep, p.supersede, [(x.a.key, x.b.key, x.kind, x.relation) for x in p.conflicts])
            for p in found(among, many=many)
        ]

    assert told([otherwise(member) for member in members]) == told(members)


@given(memberships())
def test_what_only_meets_is_no_contradiction(members):
    for proposal in found(members):
        for pair in proposal.conflicts:
            assert pair.relation not in {"before", "after", "meets", "met by"}
            assert not pair.a.window.meets(pair.b.window)


@given(memberships())
def test_whoever_is_out_of_force_has_no_say(members):
    assert found([replace(each, in_force=False) for each in members]) == []
    for gone in members:
        among = [replace(each, in_force=each is not gone) for each in members]
        assert found(among) == found([each for each in members if each is not gone])


@given(memberships())
def test_a_memory_claims_nothing_for_an_instant_at_which_it_says_itself_that_it_does_not(members):
    for each in members:
        for claim in stated(each.key, each.content):
            window = {t for t in LINE if claim.window.contains(t)}
            assert window
            assert window == instants(claim.claim, each.content)
