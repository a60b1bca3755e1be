"""Facts: what a proposal rests on, member by member, so that anyone can tell later whether it still stands."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from memtui.cognition.claims import Topic, same, topic_of
from memtui.cognition.members import Member, by_name
from memtui.model.instants import iso
from memtui.model.intervals import Interval
from memtui.model.proposals import Contradiction, Expiry, Fact, Merge, Proposal, Stated, told_names
from memtui.model.records import RecordKey

_DIGITS = 8


def told_window(window: Interval) -> str:
    """A window as facts and reasons tell it."""
    return f"from {iso(window.start)}" + ("" if window.end is None else f" to {iso(window.end)}")


def told_claim(claim: Stated) -> str:
    """A claim without its subject, which whoever is told knows."""
    return str(replace(claim.claim, subject=None, many=False))


def contradiction_fact(member: Member, topic: Topic) -> str:
    """What a memory claims on a topic, and for when."""
    claims = [claim for claim in member.stated() if topic_of(claim) == topic]
    said = sorted({f"{replace(claim.claim, subject=None)} {told_window(claim.window)}" for claim in claims})
    return "; ".join(said) or "claims nothing of it"


def merge_fact(member: Member) -> str:
    """What a memory says, and when that is true."""
    content = member.content
    said = json.dumps([content.area, content.title, content.summary, content.body], ensure_ascii=True)
    return f"{content.summary or content.title or ''} ({_digest(said)}) {_validity(member)}"


def undecided_fact(member: Member) -> str:
    """What a memory claims, as it is written, and when it is true; of one that claims nothing, what it says."""
    claims = "; ".join(sorted(str(claim) for claim in member.content.claims))
    return f"{claims} {_validity(member)}" if claims else f"no claim: {merge_fact(member)}"


def expiry_facts(member: Member) -> tuple[Fact, ...]:
    """How a memory has faded: when it was last reinforced, how long it lasts, and when it is true."""
    reinforced = member.reinforcement
    if reinforced is None:
        return ()
    return (
        Fact("last reinforced", iso(reinforced.last)),
        Fact("stability", f"{reinforced.stability:.4f} days"),
        Fact("true", _validity(member)),
    )


def facts_of(said: Mapping[RecordKey, str]) -> tuple[Fact, ...]:
    """One fact of each member, under its name."""
    keys = sorted(said, key=by_name)
    return tuple(Fact(name, said[key]) for key, name in zip(keys, told_names(keys), strict=True))


def facts_now(proposal: Proposal, members: Mapping[RecordKey, Member]) -> tuple[Fact, ...]:
    """The facts of a proposal as its members stand now; who is not among them any more has none."""
    here = [members[key] for key in proposal.keys if key in members]
    if isinstance(proposal, Expiry):
        return expiry_facts(here[0]) if here else ()
    if isinstance(proposal, Contradiction):
        topic = Topic(same(proposal.subject), same(proposal.predicate))
        return facts_of(
            {
                member.key: contradiction_fact(member, topic) if topic.predicate else merge_fact(member)
                for member in here
            }
        )
    if isinstance(proposal, Merge):
        return facts_of({member.key: merge_fact(member) for member in here})
    return facts_of({member.key: undecided_fact(member) for member in here})


def changes(before: Iterable[Fact], after: Iterable[Fact]) -> tuple[str, ...]:
    """What differs between the facts of then and now, as clauses."""
    old, new = dict(before), dict(after)
    told = [
        f"{label}: {_short(old[label])} is now {_short(new[label])}"
        for label in old
        if new.get(label, old[label]) != old[label]
    ]
    told += [f"{label} is part of it now: {_short(new[label])}" for label in new if label not in old]
    told += [f"{label} is no part of it any more" for label in old if label not in new]
    return tuple(told)


def _short(value: str, begin: int = 80, end: int = 80) -> str:
    # Of a memory's text the end tells the digest and the window, in which two long ones may differ.
    return value if len(value) <= begin + end else f"{value[: begin - 1]}…{value[-end:]}"


def _validity(member: Member) -> str:
    told: Sequence[str] = [told_window(interval) for interval in member.content.validity()]
    return ", ".join(told) or "never true"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:_DIGITS]
