"""Undecided: memories that speak of the same thing, and nothing they declare tells whether they agree.

They are listed with the true reason, so that a person can look, or declare the claim that decides. Who is part of a
reported contradiction is told there and not here.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Literal, NamedTuple

from memtui.cognition.claims import Topic, referents_in, same, subject_of, topic_of
from memtui.cognition.facts import facts_of, undecided_fact
from memtui.cognition.members import Member, by_name
from memtui.model.proposals import MOST_SHOWN, Stated, Undecided, proposal_id
from memtui.model.records import RecordKey

NO_CLAIMS = "none of them declares a claim: whether they agree is only in prose"
UNANCHORED = "its claim names no subject, nor does its area or a source, so it can be compared with nothing"
UNANCHORED_MANY = "their claims name no subject, nor do area or sources, so they can be compared with nothing"

Why = Literal["silent", "apart", "unlike", "alone"]
"""Why a memory can be compared with no other that speaks of the same thing."""

REASONS: Mapping[Why, tuple[str, str]] = {
    "silent": (
        "declares no claim: whether it agrees with the others is only in prose",
        "declare no claim: whether they agree with the others is only in prose",
    ),
    "apart": (
        "claims the same predicate as another, but for a time that shares no instant with it",
        "each claim the same predicate as another, but for times that share no instant",
    ),
    "unlike": (
        "claims the same predicate as another, but one says only whether there is one and the other which it is",
        "each claim the same predicate as another, but one says only whether there is one and the other which it is",
    ),
    "alone": (
        "declares claims, but of no subject and predicate that another claims too",
        "declare claims, but of no subject and predicate that another claims too",
    ),
}
"""What is said of one memory, and of several."""


Said = dict[RecordKey, list[Stated]]
"""What each memory claims, of whatever window."""


class _Compared(NamedTuple):
    """What two claims must share to be compared: the topic, and whether they say what it is or only that it is."""

    topic: Topic
    is_value: bool


def undecided(members: Iterable[Member], in_conflict: Set[RecordKey]) -> Iterator[Undecided]:
    """The groups of memories in force that share a referent and cannot be compared, by referent."""
    groups: dict[str, list[Member]] = defaultdict(list)
    spelled: dict[str, str] = {}
    loose: dict[str, list[Member]] = defaultdict(list)
    said: Said = {}
    for member in members:
        if not member.in_force:
            continue
        content = member.content
        said[member.key] = member.declared()
        named = {*(claim.subject for claim in said[member.key]), *referents_in(content)}
        for referent in named:
            folded = same(referent)
            spelled[folded] = min(referent, spelled.get(folded, referent))
        for folded in {same(referent) for referent in named}:
            groups[folded].append(member)
        if member.key not in in_conflict:
            unanchored = (claim for claim in content.claims if subject_of(claim, content) is None)
            for predicate in {same(claim.predicate) for claim in unanchored}:
                loose[predicate].append(member)
    for folded in sorted(groups):
        found = _incomparable(groups[folded], said, in_conflict)
        if found is not None:
            yield _told(spelled[folded], *found)
    for predicate in sorted(loose):
        group = loose[predicate]
        yield _told(f"· {predicate}", group, UNANCHORED if len(group) == 1 else UNANCHORED_MANY)


def _incomparable(
    members: Sequence[Member], said: Said, in_conflict: Set[RecordKey]
) -> tuple[list[Member], str] | None:
    """Those of a group that can be compared with no other of it, and why; None where all can or there is but one."""
    if len(members) < 2:
        return None
    comparable = _comparable(claim for member in members for claim in said[member.key])
    left = [member for member in members if member.key not in comparable and member.key not in in_conflict]
    return (left, _reason(left, members, said)) if left else None


def _comparable(claims: Iterable[Stated]) -> set[RecordKey]:
    """Memories with a claim whose window shares an instant with one of another memory that it is compared with."""
    compared: dict[_Compared, list[Stated]] = defaultdict(list)
    for claim in claims:
        if not claim.window.is_empty:
            compared[_compared(claim)].append(claim)
    found: set[RecordKey] = set()
    for alike in compared.values():
        # In the order in which they begin, whoever reaches furthest so far meets all that begin within its reach. Who
        # meets another but not that one is of the same memory as it, or meets it too: both are found already.
        furthest: Stated | None = None
        for claim in sorted(alike, key=lambda claim: claim.window.start):
            if furthest is not None and furthest.key != claim.key and furthest.window.overlaps(claim.window):
                found |= {furthest.key, claim.key}
            if furthest is None or claim.window.bound > furthest.window.bound:
                furthest = claim
    return found


def _compared(claim: Stated) -> _Compared:
    return _Compared(topic_of(claim), claim.claim.object is not None)


def _reason(left: Sequence[Member], members: Sequence[Member], said: Said) -> str:
    """Why some members of a group can be compared with no other of it."""
    holders: dict[_Compared, set[RecordKey]] = defaultdict(set)
    for member in members:
        for claim in said[member.key]:
            holders[_compared(claim)].add(member.key)
    found: Counter[Why] = Counter(_why(member, said[member.key], holders) for member in left)
    if found["silent"] == len(members):
        return NO_CLAIMS
    if len(found) == 1 and not found["silent"]:
        ((why, count),) = found.items()
        return f"{'it' if count == 1 else 'they'} {REASONS[why][count > 1]}"
    clauses = (f"{found[why]:,} of {len(members):,} {REASONS[why][found[why] > 1]}" for why in REASONS if found[why])
    return "; ".join(clauses)


def _why(member: Member, claims: Iterable[Stated], holders: Mapping[_Compared, Set[RecordKey]]) -> Why:
    if not member.content.claims:
        return "silent"
    own = {_compared(claim) for claim in claims}
    if any(len(holders[compared]) > 1 for compared in own):
        return "apart"
    for compared in own:
        otherwise = holders.get(_Compared(compared.topic, not compared.is_value), frozenset())
        if len(otherwise) > (member.key in otherwise):
            return "unlike"
    return "alone"


def _told(referent: str, members: Sequence[Member], reason: str) -> Undecided:
    keys = sorted((member.key for member in members), key=by_name)
    shown = keys[:MOST_SHOWN]
    by_key = {member.key: member for member in members}
    facts = facts_of({key: undecided_fact(by_key[key]) for key in shown})
    return Undecided(
        id=proposal_id("undecided", shown, same(referent), facts),
        referent=referent,
        keys=tuple(shown),
        total=len(keys),
        reason=reason,
        facts=facts,
    )
