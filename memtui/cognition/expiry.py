"""Expiries: which memories have faded so far that they may be let go, and what keeps the others.

Only what fades can expire: engrams. Retention alone decides nothing: a memory also stays while it is pinned, says how
to do something, claims something, or is named by what is in force (spec page 3, decay).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from memtui.cognition.claims import stated
from memtui.cognition.facts import expiry_facts
from memtui.cognition.members import Member
from memtui.cognition.policy import MemoryPolicy
from memtui.model.instants import DAY, Instant, iso
from memtui.model.proposals import Expiry, ExpiryAction, proposal_id
from memtui.model.records import Content, RecordKey

_PROCEDURAL = "procedural"


def names_used(key: RecordKey, content: Content) -> Iterator[str]:
    """The names by which a record in force may mean others: its sources, links, and what it supports or gives way to.

    As they are written and, of those with a prefix or a kind (`engram:x`, `Engram/x`), what follows it.
    """
    named: Iterable[str | None] = (
        *content.source_refs,
        *content.links,
        *content.supports,
        *content.refutes,
        *(link.target_name for link in content.homophonic_links),
        *(ref for finding in content.findings for ref in finding.source_refs),
        content.superseded_by,
        content.supersedes,
    )
    for name in named:
        if name and name != key.name:
            yield name
            for sign in ":/":
                _, found, rest = name.partition(sign)
                if found:
                    yield rest


def expiry(member: Member, *, now: Instant, true_at: Instant, named: Set[str], policy: MemoryPolicy) -> Expiry | None:
    """What becomes of a memory that fades; None for one that does not.

    `now` is the present that fading is counted to, `true_at` the moment at which claims count, `named` every name that
    something else in force uses.
    """
    reinforced = member.reinforcement
    if reinforced is None:
        return None
    retention = reinforced.retention_at(now, policy)
    days = max(0.0, (now - reinforced.last) / DAY)
    action, reason = _judged(member, retention, days, true_at, named, policy)
    facts = expiry_facts(member)
    return Expiry(
        id=proposal_id("expiry", [member.key], "", facts),
        key=member.key,
        action=action,
        retention=retention,
        days=days,
        stability=reinforced.stability,
        reason=reason,
        facts=facts,
    )


def _judged(
    member: Member, retention: float, days: float, true_at: Instant, named: Set[str], policy: MemoryPolicy
) -> tuple[ExpiryAction, str]:
    content = member.content
    if not member.in_force:
        if content.valid_to is None or content.valid_to > true_at:
            return "retain", "its time has not come"
        return "already_expired", f"it is out of force since {iso(content.valid_to)}"
    if retention >= policy.expire_below:
        return "retain", f"retention {retention:.2f} is not below {policy.expire_below:g}"
    if days < policy.expire_min_idle_days:
        return "retain", f"it was reinforced {days:.0f} days ago, which is less than {policy.expire_min_idle_days:g}"
    kept = _kept_by(member, true_at, named)
    if kept is not None:
        return "retain", kept
    return "expire", f"retention {retention:.3f}; nothing reinforced it for {days:,.0f} days"


def _kept_by(member: Member, true_at: Instant, named: Set[str]) -> str | None:
    """What speaks for a faded memory; None for nothing."""
    content = member.content
    if content.pinned:
        return "it is pinned"
    if (content.memory_type or "").casefold() == _PROCEDURAL:
        return "it says how to do something"
    if _claims_something(member, true_at):
        return "it claims something"
    if member.key.name in named or any(alias in named for alias in content.aliases):
        return "something in force names it"
    return None


def _claims_something(member: Member, true_at: Instant) -> bool:
    """Whether a claim is in force, anchored or not."""
    content = member.content
    anchored = [claim.window for claim in stated(member.key, content)]
    if any(window.contains(true_at) for window in anchored):
        return True
    return any(
        claim.subject is None
        and (claim.valid_from is None or claim.valid_from <= true_at)
        and (claim.valid_to is None or true_at < claim.valid_to)
        for claim in content.claims
    )
