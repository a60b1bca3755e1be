"""Contradictions: which memories in force make claims that cannot all be so, and whom to believe.

Two claims contradict each other when they are of different memories, agree in subject and predicate, share an instant,
and assert different objects of a predicate that has one at a time, or assert and deny the same. Work grows with the
number of claims times its logarithm, however many there are on one topic: who is in a conflict is counted, and only
the pairs that are shown are made.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace

from memtui.cognition.claims import Topic, conflict, object_of, same, stated, topic_of
from memtui.cognition.facts import contradiction_fact, facts_of, merge_fact, told_claim
from memtui.cognition.members import Learned, Member, by_name
from memtui.model.instants import Instant, iso
from memtui.model.intervals import Interval
from memtui.model.proposals import (
    MOST_CONFLICTS,
    MOST_SHOWN,
    Basis,
    Conflict,
    Contradiction,
    Stated,
    proposal_id,
    told_names,
)
from memtui.model.records import RecordKey

Claims = Mapping[Topic, Sequence[Stated]]


def claims_by_topic(members: Iterable[Member]) -> Claims:
    """The comparable claims of memories in force, by what they are about."""
    topics: dict[Topic, list[Stated]] = defaultdict(list)
    for member in members:
        if member.in_force:
            for claim in stated(member.key, member.content):
                topics[topic_of(claim)].append(claim)
    return topics


def contradicting(claims: Claims, many: Set[str]) -> Iterator[tuple[Topic, list[Stated]]]:
    """The topics on which memories contradict each other, by subject and predicate; of each the claims that do."""
    for topic in sorted(claims):
        if len({claim.key for claim in claims[topic]}) > 1:
            found = _in_conflict(claims[topic], many)
            if found:
                yield topic, found


def contradiction(
    topic: Topic, found: Sequence[Stated], members: Mapping[RecordKey, Member], learned: Learned, many: Set[str]
) -> Contradiction:
    """What to propose about claims on one topic each of which contradicts another."""
    keys = sorted({claim.key for claim in found}, key=by_name)
    found = [replace(claim, learned=when, approximate=bound) for claim in found for when, bound in [learned(claim)]]
    keep, basis, why = _elect(found, members)
    conflicts, against = _conflicts(found, keep, many)
    shown = _sample(keys, keep)
    subject, predicate = _spelled(found, keep)
    facts = facts_of({key: contradiction_fact(members[key], topic) for key in shown})
    bounds = {claim.key for claim in found if claim.approximate}
    return Contradiction(
        id=proposal_id("contradiction", shown, f"{topic.subject} · {topic.predicate}", facts),
        subject=subject,
        predicate=predicate,
        keys=shown,
        total=len(keys),
        conflicts=tuple(conflicts),
        keep=keep,
        supersede=tuple(key for key in against if key in shown),
        basis=basis,
        approximate=tuple(key for key in shown if key in bounds),
        decided_by="rule",
        reason=_reason(conflicts[0], told_names([keep])[0], why),
        facts=facts,
    )


def _reason(first: Conflict, keep: str, why: str) -> str:
    a, b = told_names([first.a.key, first.b.key])
    return f"{a} says {told_claim(first.a)}, {b} says {told_claim(first.b)}, at the same time; {keep} {why}"


def _spelled(found: Sequence[Stated], keep: RecordKey) -> tuple[str, str]:
    """Subject and predicate as the suggested survivor writes them."""
    own = min((claim for claim in found if claim.key == keep), key=lambda claim: (claim.subject, claim.claim.predicate))
    return own.subject, own.claim.predicate.strip()


def _sample(keys: Sequence[RecordKey], keep: RecordKey) -> tuple[RecordKey, ...]:
    if len(keys) <= MOST_SHOWN:
        return tuple(keys)
    return tuple(sorted({keep, *keys[: MOST_SHOWN - 1]}, key=by_name))


# --- Who is in a conflict ------------------------------------------------------------------------


class _Windows:
    """Windows of claims, to count how many of them share an instant with another."""

    def __init__(self) -> None:
        self._starts: list[Instant] = []
        self._ends: list[Instant] = []

    def add(self, window: Interval) -> None:
        self._starts.append(window.start)
        self._ends.append(window.bound)

    def settled(self) -> _Windows:
        self._starts.sort()
        self._ends.sort()
        return self

    def overlapping(self, window: Interval) -> int:
        # Whoever ends before it begins has begun before it ends.
        return bisect_left(self._starts, window.bound) - bisect_right(self._ends, window.start)


_NONE = _Windows()


def _in_conflict(claims: Sequence[Stated], many: Set[str]) -> list[Stated]:
    """Those claims of one topic that contradict one of another memory."""
    asserted: dict[str | None, _Windows] = defaultdict(_Windows)
    single: dict[str | None, _Windows] = defaultdict(_Windows)
    denied: dict[str | None, _Windows] = defaultdict(_Windows)
    every = _Windows()
    own: dict[RecordKey, list[Stated]] = defaultdict(list)
    for claim in claims:
        own[claim.key].append(claim)
        said = object_of(claim.claim)
        if claim.claim.polarity == "denies":
            denied[said].add(claim.window)
            continue
        asserted[said].add(claim.window)
        if _has_one_value(claim, many):
            single[said].add(claim.window)
            every.add(claim.window)
    for windows in (*asserted.values(), *single.values(), *denied.values(), every):
        windows.settled()

    def against(claim: Stated) -> int:
        said = object_of(claim.claim)
        if claim.claim.polarity == "denies":
            count = asserted.get(said, _NONE).overlapping(claim.window)
        else:
            count = denied.get(said, _NONE).overlapping(claim.window)
            if _has_one_value(claim, many):
                count += every.overlapping(claim.window) - single.get(said, _NONE).overlapping(claim.window)
        # Who contradicts only itself is in no conflict with another memory.
        return count - sum(
            conflict(claim.claim, other.claim, many) is not None and claim.window.overlaps(other.window)
            for other in own[claim.key]
        )

    return [claim for claim in claims if against(claim) > 0]


def _has_one_value(claim: Stated, many: Set[str]) -> bool:
    return claim.claim.object is not None and not claim.claim.many and same(claim.claim.predicate) not in many


def _conflicts(found: Sequence[Stated], keep: RecordKey, many: Set[str]) -> tuple[list[Conflict], list[RecordKey]]:
    """Pairs that contradict each other, the survivor's first; and the memories that contradict the survivor."""
    told: list[Conflict] = []
    against: set[RecordKey] = set()
    kept = [claim for claim in found if claim.key == keep]
    others = sorted((claim for claim in found if claim.key != keep), key=lambda claim: by_name(claim.key))
    for claim in others:
        for own in kept:
            kind = conflict(own.claim, claim.claim, many) if own.window.overlaps(claim.window) else None
            if kind is not None:
                against.add(claim.key)
                if len(told) < MOST_CONFLICTS:
                    told.append(Conflict(own, claim, kind, own.window.relation(claim.window)))
    told.extend(_among(others, many, MOST_CONFLICTS - len(told)))
    return told, sorted(against, key=by_name)


def _among(claims: Sequence[Stated], many: Set[str], most: int) -> Iterator[Conflict]:
    """At most so many pairs among the claims, of at most as many claims as that takes: never all with all."""
    few = claims[: 2 * MOST_CONFLICTS]
    for place, a in enumerate(few):
        for b in few[place + 1 :]:
            if most <= 0:
                return
            kind = conflict(a.claim, b.claim, many) if a.key != b.key and a.window.overlaps(b.window) else None
            if kind is not None:
                most -= 1
                yield Conflict(a, b, kind, a.window.relation(b.window))


# --- Whom to believe -----------------------------------------------------------------------------


def _elect(found: Sequence[Stated], members: Mapping[RecordKey, Member]) -> tuple[RecordKey, Basis, str]:
    """Who is to survive, by which clock, and why.

    Whoever was learned last; where that is not certain, whoever says of itself that it has been true for the shortest
    time, then the surest, then the first by name.
    """
    latest: dict[RecordKey, Instant] = {}
    bounds: set[RecordKey] = set()
    missing = False
    for claim in found:
        if claim.learned is None:
            missing = True
        elif claim.learned >= latest.get(claim.key, claim.learned):
            latest[claim.key] = claim.learned
            bounds.discard(claim.key)
            if claim.approximate:
                bounds.add(claim.key)

    def authored(key: RecordKey) -> tuple[Instant, float]:
        content = members[key].content
        return content.valid_from or 0, members[key].confidence

    keys = sorted({claim.key for claim in found}, key=by_name)
    if not missing:
        winner = _best(keys, lambda key: (latest[key], *authored(key)))
        if winner not in bounds:
            return winner, "recorded_at", f"was learned last, at {iso(latest[winner])}"
    winner = _best(keys, authored)
    since = members[winner].content.valid_from
    said = "is the surest" if since is None else f"is true since {iso(since)}, the latest beginning"
    return winner, "authored", f"{said}; when each was learned is not certain"


def _best(keys: Sequence[RecordKey], worth: Callable[[RecordKey], tuple[float, ...]]) -> RecordKey:
    """The first by name of those worth most."""
    return max(keys, key=worth)  # max keeps the first of equals


def promoted(referent: str, members: Sequence[Member], reason: str) -> Contradiction:
    """A contradiction that a scribe sees among memories whose claims decide nothing.

    The survivor is whoever was recorded last, which is no more than a suggestion.
    """
    keys = [member.key for member in members]
    keep = max(members, key=lambda member: member.recorded_at).key
    facts = facts_of({member.key: merge_fact(member) for member in members})
    return Contradiction(
        id=proposal_id("contradiction", keys, same(referent), facts),
        subject=referent,
        predicate="",
        keys=tuple(keys),
        total=len(keys),
        conflicts=(),
        keep=keep,
        supersede=tuple(key for key in keys if key != keep),
        basis="recorded_at",
        approximate=(),
        decided_by="scribe",
        reason=reason,
        facts=facts,
    )
