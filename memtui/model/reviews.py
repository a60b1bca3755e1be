"""Decisions about proposals, and the records that are kept of them for ever."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from memtui.model.instants import Instant
from memtui.model.proposals import Fact, ProposalKind
from memtui.model.records import RecordKey

Verb = Literal["accept", "reject", "defer", "many"]
VERBS: tuple[Verb, ...] = get_args(Verb)
DECIDED: Mapping[Verb, str] = {
    "accept": "accepted",
    "reject": "rejected",
    "defer": "deferred",
    "many": "many-valued",
}
"""What was done with a proposal, in a word."""
DECISION_SIGNS: Mapping[Verb, str] = {"accept": "✓", "reject": "✗", "defer": "↷", "many": "∗"}
"""The same as a sign."""


def tally(verbs: Sequence[Verb]) -> str:
    """How many were accepted, rejected, deferred and marked as many-valued, in a few words."""
    return " · ".join(f"{verbs.count(verb):,} {said}" for verb, said in DECIDED.items() if verb in verbs)


@dataclass(frozen=True, slots=True)
class Accept:
    """Do as proposed: the survivor supersedes the others, or the memory is let go."""

    keep: str | None = None
    """Another survivor than the suggested one, by name."""
    at_survivor: bool = False
    """Close the others when the survivor began to be true, instead of now."""
    text: str | None = None
    """Another text than the one a scribe wrote."""

    verb: Verb = "accept"


@dataclass(frozen=True, slots=True)
class Reject:
    """It is not so: it is not proposed again until one of its facts changes."""

    verb: Verb = "reject"


@dataclass(frozen=True, slots=True)
class Defer:
    """Not now: it comes back."""

    verb: Verb = "defer"


@dataclass(frozen=True, slots=True)
class Many:
    """The predicate accumulates: both claims may be so. Marks the claims of these memories."""

    verb: Verb = "many"


Decision = Accept | Reject | Defer | Many
Decisions = Mapping[str, Decision]
"""By the id of the proposal."""


@dataclass(frozen=True, slots=True)
class Touched:
    """A version that a decision wrote: `before` is the number of the one it followed, None for a new record."""

    key: RecordKey
    seq: int
    before: int | None


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    """One decision as it is kept: about what, resting on which facts, and what it did."""

    proposal: str
    """The id."""
    kind: ProposalKind
    about: str
    keys: tuple[RecordKey, ...]
    verb: Verb
    facts: tuple[Fact, ...]
    effect: str
    """A sentence."""
    keep: RecordKey | None = None
    at_survivor: bool = False
    touched: tuple[Touched, ...] = ()


def decision_as_dict(decision: DecisionRecord) -> dict[str, object]:
    """A decision as a ledger keeps it and its file tells it; the partition is its review's."""
    return {
        "proposal": decision.proposal,
        "kind": decision.kind,
        "about": decision.about,
        "verb": decision.verb,
        "effect": decision.effect,
        "at_survivor": decision.at_survivor,
        "keep": None if decision.keep is None else _named(decision.keep),
        "members": [_named(key) for key in decision.keys],
        "facts": [{"label": fact.label, "value": fact.value} for fact in decision.facts],
        "touched": [{**_named(each.key), "seq": each.seq, "before": each.before} for each in decision.touched],
    }


def _named(key: RecordKey) -> dict[str, object]:
    return {"kind": key.kind, "name": key.name}


@dataclass(frozen=True, slots=True)
class Review:
    """One confirmation: a transaction of the ledger with all its decisions; or the undoing of one.

    `seq` counts within the partition from 1 without gaps. The id is `r` and this number.
    """

    partition: str
    seq: int
    decided_at: Instant
    actor: str
    decisions: tuple[DecisionRecord, ...] = ()
    undoes: int | None = None
    """The `seq` of the review that this one took back."""
    undone_by: int | None = None
    """The `seq` of the review that took this one back."""

    @property
    def id(self) -> str:
        """What a person calls it by."""
        return review_id(self.seq)


def review_id(seq: int) -> str:
    """The id of the review with that number."""
    return f"r{seq}"


@dataclass(frozen=True, slots=True)
class Applied:
    """A decision that was carried out."""

    id: str
    verb: Verb
    effect: str


@dataclass(frozen=True, slots=True)
class NotApplied:
    """A decision that was not carried out, and why."""

    id: str
    reason: str
    changed: tuple[str, ...] = ()
    """What is otherwise than when it was decided about."""
    decided: bool = False
    """Whether it is because someone decided already."""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What came of confirming decisions: all that is applied was one transaction, with one review."""

    applied: tuple[Applied, ...] = ()
    refused: tuple[NotApplied, ...] = ()
    review: Review | None = None
    """None where nothing was decided."""
    notes: tuple[str, ...] = ()
    """What is to be said of files that were to follow."""


@dataclass(frozen=True, slots=True)
class Undone:
    """What came of taking a review back."""

    review: Review
    """The record of doing so."""
    restored: tuple[RecordKey, ...] = ()
    skipped: tuple[tuple[RecordKey, str], ...] = ()
    """Records that someone changed since, each with why it stays as it is."""
    notes: tuple[str, ...] = ()
