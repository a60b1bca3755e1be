"""Expiries: which memories have faded so far that they may be let go, and what keeps the others.

Only what fades can expire: engrams. Retention alone decides nothing: a memory also stays while it is pinned, says how
to do something, claims something, or is named by what is in force (spec page 3, decay).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from memtui.cognition.claims import same
from memtui.cognition.facts import expiry_facts
from memtui.cognition.members import Member
from memtui.cognition.policy import MemoryPolicy
from memtui.model.instants import DAY, Instant, iso
from memtui.model.proposals import Expiry, ExpiryAction, proposal_id
from memtui.model.records import Claim, Content, RecordKey

_PROCEDURAL = "procedural"


def names_used(key: RecordKey, content: Content) -> Iterator[str]:
    """The names, folded, by which a record in force may mean others: its sources, links, what it supports or replaces.

    As they are written and, of those with a prefix, a kind or a folder (`engram:x`, `Engram/x`, `notes/x.md`), what
    follows it. No memory that fades is named by itself.
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
    # Of a document or an evidence the same name may well mean the engram that is called so.
    own = frozenset(_answers_to(key, content) if key.kind == "engram" else ())
    for name in named:
        for meant in _tails(same(name or "").removesuffix(".md")):
            if meant and meant not in own:
                yield meant


def _tails(name: str) -> Iterator[str]:
    """A name, and what follows the first and the last of the signs that end a prefix, a kind or a folder."""
    yield name
    for sign in ":/":
        if sign in name:
            yield name.partition(sign)[2]
            yield name.rpartition(sign)[2]


def _answers_to(key: RecordKey, content: Content) -> Iterator[str]:
    """The names, folded, by which others may mean a memory; of one kept as a file also what the file is called."""
    yield from map(same, (key.name, *content.aliases))
    if content.title:
        yield same(content.title)
    if content.path:
        yield same(content.path.rpartition("/")[2]).removesuffix(".md")


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
        floor=policy.expire_below,
        reason=reason,
        facts=facts,
    )


def _judged(
    member: Member, retention: float, days: float, true_at: Instant, named: Set[str], policy: MemoryPolicy
) -> tuple[ExpiryAction, str]:
    if not member.in_force:
        return _out_of_force(member.content, true_at)
    if retention >= policy.expire_below:
        return "retain", f"retention {retention:.2f} is not below {policy.expire_below:g}"
    if days < policy.expire_min_idle_days:
        return "retain", f"it was reinforced {int(days):,} days ago, which is less than {policy.expire_min_idle_days:g}"
    kept = kept_by(member.key, member.content, true_at, named)
    if kept is not None:
        return "retain", kept
    return "expire", f"retention {retention:.3f}; nothing reinforced it for {int(days):,} days"


def _out_of_force(content: Content, true_at: Instant) -> tuple[ExpiryAction, str]:
    """What is to be said of a memory that is not true at a moment."""
    if content.state_at(true_at) == "not_yet":
        return "retain", "its time has not come"
    ended = [interval.end for interval in content.validity() if interval.end is not None and interval.end <= true_at]
    return "already_expired", f"it is out of force since {iso(max(ended))}" if ended else "it never came into force"


def kept_by(key: RecordKey, content: Content, true_at: Instant, named: Set[str]) -> str | None:
    """What speaks for a memory however far it has faded, as a clause; None for nothing."""
    if content.pinned:
        return "it is pinned"
    if same(content.memory_type or "") == _PROCEDURAL:
        return "it says how to do something"
    if any(_in_force(claim, true_at) for claim in content.claims):
        return "it claims something"
    if any(name in named for name in _answers_to(key, content)):
        return "something in force names it"
    return None


def _in_force(claim: Claim, true_at: Instant) -> bool:
    """Whether a claim of a memory in force is so too, anchored or not."""
    return (claim.valid_from is None or claim.valid_from <= true_at) and (
        claim.valid_to is None or true_at < claim.valid_to
    )
