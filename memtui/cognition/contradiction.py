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
from itertools import chain, islice

from memtui.cognition.claims import Topic, conflict, object_of, same, topic_of
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
            for claim in member.stated():
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
    against = _against(found, keep, many)
    shown = _sample(keys, keep, against)
    conflicts = _conflicts([claim for claim in found if claim.key in shown], keep, many)
    subject, predicate = _spelled(found, keep)
    facts = facts_of({key: contradiction_fact(members[key], topic) for key in shown})
    bounds = {claim.key for claim in found if claim.approximate}
    return Contradiction(
        id=proposal_id("contradiction", shown, f"{topic.subject} · {topic.predicate}", facts),
        subject=subject,
        predicate=predicate,
        keys=tuple(shown),
        total=len(keys),
        conflicts=conflicts,
        keep=keep,
        supersede=tuple(key for key in shown if key in against),
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


def _sample(keys: Sequence[RecordKey], keep: RecordKey, against: Set[RecordKey]) -> Mapping[RecordKey, None]:
    """Those that are shown, by name: the survivor and who contradicts it come before who agrees with it."""
    wanted = sorted(keys, key=lambda key: (key != keep, key not in against))[:MOST_SHOWN]
    return dict.fromkeys(sorted(wanted, key=by_name))


# --- Who is in a conflict ------------------------------------------------------------------------


class _Windows:
    """Windows of claims, to count how many of them share an instant with another."""

    def __init__(self) -> None:
        self._starts: list[Instant] = []
        self._ends: list[Instant] = []

    def add(self, window: Interval) -> None:
        self._starts.append(window.start)
        self._ends.append(window.bound)

    def settle(self) -> None:
        self._starts.sort()
        self._ends.sort()

    def overlapping(self, window: Interval) -> int:
        # Whoever ends before it begins has begun before it ends.
        return bisect_left(self._starts, window.bound) - bisect_right(self._ends, window.start)


_NONE = _Windows()


class _Said:
    """What some claims of one topic say, to count how many of them contradict another."""

    def __init__(self, claims: Iterable[Stated], many: Set[str]) -> None:
        self._many = many
        self._asserted: dict[str | None, _Windows] = defaultdict(_Windows)
        self._denied: dict[str | None, _Windows] = defaultdict(_Windows)
        self._single: dict[str | None, _Windows] = defaultdict(_Windows)
        """Those of `_asserted` whose predicate has one value at a time."""
        self._every = _Windows()
        """All of `_single`."""
        for claim in claims:
            said = object_of(claim.claim)
            if claim.claim.polarity == "denies":
                self._denied[said].add(claim.window)
                continue
            self._asserted[said].add(claim.window)
            if self._has_one_value(claim):
                self._single[said].add(claim.window)
                self._every.add(claim.window)
        for windows in (*self._asserted.values(), *self._denied.values(), *self._single.values(), self._every):
            windows.settle()

    def against(self, claim: Stated) -> int:
        """How many of them a claim contradicts, whoever makes them: `conflict` of each, without looking at each."""
        said = object_of(claim.claim)
        if claim.claim.polarity == "denies":
            return self._asserted.get(said, _NONE).overlapping(claim.window)
        count = self._denied.get(said, _NONE).overlapping(claim.window)
        if self._has_one_value(claim):
            count += self._every.overlapping(claim.window) - self._single.get(said, _NONE).overlapping(claim.window)
        return count

    def _has_one_value(self, claim: Stated) -> bool:
        own = claim.claim
        return own.object is not None and not own.many and same(own.predicate) not in self._many


def _in_conflict(claims: Sequence[Stated], many: Set[str]) -> list[Stated]:
    """Those claims of one topic that contradict one of another memory."""
    by_memory: dict[RecordKey, list[Stated]] = defaultdict(list)
    for claim in claims:
        by_memory[claim.key].append(claim)
    every = _Said(claims, many)
    # Who contradicts only itself is in no conflict with another memory.
    own = {key: _Said(said, many) for key, said in by_memory.items() if len(said) > 1}
    return [
        claim for claim in claims if every.against(claim) > (own[claim.key].against(claim) if claim.key in own else 0)
    ]


def _against(found: Sequence[Stated], keep: RecordKey, many: Set[str]) -> set[RecordKey]:
    """The memories that contradict the survivor."""
    kept = _Said([claim for claim in found if claim.key == keep], many)
    return {claim.key for claim in found if claim.key != keep and kept.against(claim)}


def _conflicts(claims: Sequence[Stated], keep: RecordKey, many: Set[str]) -> tuple[Conflict, ...]:
    """Pairs that contradict each other, the survivor's first: all of them, or as many as are told."""
    kept = [claim for claim in claims if claim.key == keep]
    others = sorted((claim for claim in claims if claim.key != keep), key=lambda claim: by_name(claim.key))
    # Only claims that have a conflict are paired, so that each that is looked at adds to those that are told.
    said = _Said(kept, many)
    lost = [claim for claim in others if said.against(claim)]
    among = _in_conflict(others, many)
    pairs = chain(
        ((own, claim) for claim in lost for own in kept),
        ((a, b) for place, a in enumerate(among) for b in islice(among, place + 1, None)),
    )
    return tuple(islice(_contradicting_each_other(pairs, many), MOST_CONFLICTS))


def _contradicting_each_other(pairs: Iterable[tuple[Stated, Stated]], many: Set[str]) -> Iterator[Conflict]:
    for a, b in pairs:
        kind = conflict(a.claim, b.claim, many) if a.key != b.key and a.window.overlaps(b.window) else None
        if kind is not None:
            yield Conflict(a, b, kind, a.window.relation(b.window))


# --- Whom to believe -----------------------------------------------------------------------------


def _elect(found: Sequence[Stated], members: Mapping[RecordKey, Member]) -> tuple[RecordKey, Basis, str]:
    """Who is to survive, by which clock, and why.

    Whoever was learned last; where that is not certain, whoever says of itself that it has been true for the shortest
    time, then the surest, then the first by name.
    """
    keys = sorted({claim.key for claim in found}, key=by_name)
    # Of equal stamps a certain one counts as the later: an upper bound may be earlier than it says.
    stamps: dict[RecordKey, tuple[Instant, bool]] = {}
    for claim in found:
        if claim.learned is None:
            break
        stamp = claim.learned, not claim.approximate
        stamps[claim.key] = max(stamp, stamps.get(claim.key, stamp))
    else:
        winner = _best(keys, lambda key: (*stamps[key], *_authored(members[key])))
        latest, certain = stamps[winner]
        if certain:
            equals = [key for key in keys if stamps[key] == (latest, True)]
            if len(equals) == 1:
                return winner, "recorded_at", f"was learned last, at {iso(latest)}"
            why = _why_authored(winner, equals, members)
            return winner, "recorded_at", f"was learned as late as any, at {iso(latest)}, and {why}"
    winner = _best(keys, lambda key: _authored(members[key]))
    return winner, "authored", f"{_why_authored(winner, keys, members)}; when each was learned is not certain"


def _authored(member: Member) -> tuple[Instant, float]:
    return member.content.valid_from or 0, member.confidence


def _why_authored(winner: RecordKey, keys: Sequence[RecordKey], members: Mapping[RecordKey, Member]) -> str:
    """What sets the winner apart from the others among whom it was elected."""
    since, confidence = _authored(members[winner])
    others = [_authored(members[key]) for key in keys if key != winner]
    if all(other < since for other, _ in others):
        return f"is true since {iso(since)}, the latest beginning"
    if (since, confidence) not in others:
        return (
            "is the surest of those that began last" if any(other < since for other, _ in others) else "is the surest"
        )
    return "comes first by name, for nothing else sets it apart"


def _best(keys: Sequence[RecordKey], worth: Callable[[RecordKey], tuple[float, ...]]) -> RecordKey:
    """The first by name of those worth most."""
    return max(keys, key=worth)  # max keeps the first of equals


def promoted(referent: str, members: Sequence[Member], reason: str) -> Contradiction:
    """A contradiction that a scribe sees among memories whose claims decide nothing.

    The survivor is whoever was recorded last, which is no more than a suggestion.
    """
    members = sorted(members, key=lambda member: by_name(member.key))
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
