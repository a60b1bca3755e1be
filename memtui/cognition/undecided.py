"""Undecided: memories that speak of the same thing, and nothing they declare tells whether they agree.

They are listed with the true reason, so that a person can look, or declare the claim that decides. Who is part of a
reported contradiction is told there and not here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field

from memtui.cognition.claims import Topic, referents_in, same, stated, topic_of
from memtui.cognition.facts import facts_of, undecided_fact
from memtui.cognition.members import Member, by_name
from memtui.model.proposals import MOST_SHOWN, Stated, Undecided, proposal_id
from memtui.model.records import RecordKey

NO_CLAIMS = "none of them declares a claim: whether they agree is only in prose"
SOME_CLAIMS = "{without:,} of {total:,} {declare} no claim: whether {they} with the others is only in prose"
NO_COMMON = "they declare claims, but no two of the same subject and predicate"
APART = "they claim the same predicate, but for times that share no instant"
UNANCHORED = "its claims name no subject, nor does its area or a source, so they can be compared with nothing"
UNANCHORED_MANY = "their claims name no subject, nor do area or sources, so they can be compared with nothing"


@dataclass(slots=True)
class _Group:
    referent: str
    members: list[Member] = field(default_factory=list["Member"])


def undecided(members: Iterable[Member], in_conflict: Set[RecordKey]) -> Iterator[Undecided]:
    """The groups of memories in force that share a referent and cannot be compared, by referent."""
    groups: dict[str, _Group] = {}
    loose: dict[str, list[Member]] = defaultdict(list)
    for member in members:
        if not member.in_force:
            continue
        claims = stated(member.key, member.content)
        named = (*(claim.subject for claim in claims), *referents_in(member.content))
        for folded, referent in {same(name): name for name in reversed(named)}.items():
            groups.setdefault(folded, _Group(referent)).members.append(member)
        if not named:
            for claim in member.content.claims:
                loose[same(claim.predicate)].append(member)
    for folded in sorted(groups):
        group = groups[folded]
        found = _incomparable(group.members, in_conflict)
        if found is not None:
            yield _told(group.referent, *found)
    for predicate in sorted(loose):
        # A memory with several such claims stands once under each predicate.
        unique = list({member.key: member for member in loose[predicate]}.values())
        yield _told(f"· {predicate}", unique, UNANCHORED if len(unique) == 1 else UNANCHORED_MANY)


def _incomparable(members: Sequence[Member], in_conflict: Set[RecordKey]) -> tuple[list[Member], str] | None:
    """Those of a group that can be compared with no other of it, and why; None where all can or there is but one."""
    if len(members) < 2:
        return None
    topics: dict[Topic, list[Stated]] = defaultdict(list)
    claims: dict[RecordKey, list[Stated]] = {}
    for member in members:
        claims[member.key] = stated(member.key, member.content)
        for claim in claims[member.key]:
            topics[topic_of(claim)].append(claim)
    told_elsewhere = _comparable(topics) | in_conflict
    left = [member for member in members if member.key not in told_elsewhere]
    return (left, _reason(left, claims, topics)) if left else None


def _comparable(topics: Mapping[Topic, Sequence[Stated]]) -> set[RecordKey]:
    """Memories with a claim whose window shares an instant with one of another memory on the same topic."""
    found: set[RecordKey] = set()
    for claims in topics.values():
        # In the order in which they begin, whoever reaches furthest so far meets all that follow within its reach.
        furthest: Stated | None = None
        second: Stated | None = None  # furthest of another memory than `furthest`
        for claim in sorted(claims, key=lambda claim: claim.window.start):
            for other in (furthest, second):
                if other is not None and other.key != claim.key and other.window.overlaps(claim.window):
                    found |= {other.key, claim.key}
            if furthest is None or claim.window.bound > furthest.window.bound:
                if furthest is not None and furthest.key != claim.key:
                    second = furthest
                furthest = claim
            elif claim.key != furthest.key and (second is None or claim.window.bound > second.window.bound):
                second = claim
    return found


def _reason(
    left: Sequence[Member], claims: Mapping[RecordKey, Sequence[Stated]], topics: Mapping[Topic, Sequence[Stated]]
) -> str:
    without = [member for member in left if not claims[member.key]]
    if len(without) == len(claims):
        return NO_CLAIMS
    if without:
        declare, they = ("declares", "it agrees") if len(without) == 1 else ("declare", "they agree")
        return SOME_CLAIMS.format(without=len(without), total=len(claims), declare=declare, they=they)
    shared = any(
        len({claim.key for claim in topics[topic_of(claim)]}) > 1 for member in left for claim in claims[member.key]
    )
    return APART if shared else NO_COMMON


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
