"""What a consolidation pass proposes: expiries, merges, contradictions, and what it cannot decide.

A proposal is known by an id made of what it is about and of the facts it rests on: when a fact changes it is another
proposal. Values only; `memtui.cognition.consolidation` makes them.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, get_args

from memtui.model.instants import Instant
from memtui.model.intervals import Allen, Interval
from memtui.model.records import Claim, RecordKey

ProposalKind = Literal["contradiction", "merge", "expiry", "undecided"]
PROPOSAL_KINDS: tuple[ProposalKind, ...] = get_args(ProposalKind)
PROPOSAL_SIGNS: Mapping[ProposalKind, str] = {"contradiction": "≠", "merge": "≈", "expiry": "◌", "undecided": "?"}
"""The sign by which each sort is told wherever there is little room."""
ExpiryAction = Literal["expire", "retain", "already_expired"]
ConflictKind = Literal["object", "polarity"]
Basis = Literal["recorded_at", "authored"]
DecidedBy = Literal["rule", "scribe"]

ID_DIGITS = 10
"""Hex digits of a proposal's id."""
MOST_SHOWN = 200
"""Members of the largest group that is told in full; of a larger one a sample is."""
MOST_CONFLICTS = 100
"""Pairs of one contradiction that are told."""


class Cancelled(Exception):
    """A pass was ended before it was through, because whoever wanted it said so."""


class Fact(NamedTuple):
    """One thing a proposal rests on: whose and what, and how it is."""

    label: str
    value: str


def proposal_id(kind: ProposalKind, keys: Iterable[RecordKey], about: str, facts: Iterable[Fact]) -> str:
    """The id of a proposal: half of its digits from a hash of what it is about, half from one of its facts.

    What it is about is the topic, else its first member by name. So an id whose facts changed can be told from one
    that never was (`is_about_the_same`).
    """
    named = sorted((key.kind, key.name) for key in keys)
    topic = [kind, about] if about else [kind, *named[0]]
    return _hash(topic) + _hash([named, sorted(facts)])


def topic_digits(id: str) -> str:  # noqa: A002 - the word of every door
    """Of an id what tells what the proposal is about, whatever its facts."""
    return id[: ID_DIGITS // 2]


def is_about_the_same(a: str, b: str) -> bool:
    """Whether two ids are, in all likelihood (one in a million), of proposals about the same with other facts."""
    return topic_digits(a) == topic_digits(b)


def _hash(said: object) -> str:
    text = json.dumps(said, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[: ID_DIGITS // 2]


def told_names(keys: Sequence[RecordKey]) -> tuple[str, ...]:
    """The names of some records: with the kind where two kinds share one."""
    held = Counter(key.name for key in keys)
    return tuple(key.name if held[key.name] == 1 else f"{key.kind}/{key.name}" for key in keys)


@dataclass(frozen=True, slots=True, kw_only=True)
class Expiry:
    """That a memory has faded so far that it may go; or, as `retain` and `already_expired`, that it stays or is gone.

    `days` are those since it was last reinforced and `stability` is in days: retention = exp(-days / stability).
    """

    id: str
    key: RecordKey
    action: ExpiryAction
    retention: float
    days: float
    stability: float
    floor: float
    """The retention below which a memory may go, as the pass was asked."""
    reason: str
    facts: tuple[Fact, ...] = ()
    returned: tuple[str, ...] = ()
    """What changed since this was rejected, where it was."""

    kind: ProposalKind = "expiry"
    about: str = ""

    @property
    def keys(self) -> tuple[RecordKey, ...]:
        """The memory."""
        return (self.key,)


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike a member of a merge and its survivor are."""

    key: RecordKey
    words: float
    """Jaccard of their words, in [0, 1]."""
    meaning: float | None = None
    """Cosine, where it was compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """That some memories say the same, and one of them could stand for all."""

    id: str
    keys: tuple[RecordKey, ...]
    """The survivor and whom it would supersede, by name; a sample where there are more than `MOST_SHOWN`."""
    total: int
    """How many there are."""
    keep: RecordKey
    supersede: tuple[RecordKey, ...]
    likenesses: tuple[Likeness, ...]
    """Of each of `supersede` to the survivor, in their order."""
    terms: tuple[str, ...]
    """Words that all share, at most twelve."""
    turned: bool = False
    """Whether they differ in a figure, a day or a denial, for all that they share: then it is to be looked at twice."""
    reason: str
    facts: tuple[Fact, ...] = ()
    text: str | None = None
    """What a scribe would say instead of all of them: accepting records it and supersedes every member."""
    scribe_note: str | None = None
    """Why a scribe that was asked has no say."""
    returned: tuple[str, ...] = ()

    kind: ProposalKind = "merge"
    about: str = ""

    @property
    def similarity(self) -> float:
        """The least likeness of a member to the survivor: the greater of words and meaning."""
        return min((max(like.words, like.meaning or 0.0) for like in self.likenesses), default=1.0)


@dataclass(frozen=True, slots=True)
class Stated:
    """A claim as it was compared: with its subject, and the window that it and its memory give it."""

    key: RecordKey
    claim: Claim
    subject: str
    window: Interval
    learned: Instant | None = None
    """When the memory began to carry this claim (transaction time); None where that is not known."""
    approximate: bool = False
    """Whether `learned` is only an upper bound, because the record may be older than the ledger's knowledge of it."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two claims that cannot both be so, and how their windows lie to one another."""

    a: Stated
    b: Stated
    kind: ConflictKind
    relation: Allen


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """That memories in force make claims which cannot all be so."""

    id: str
    subject: str
    predicate: str
    keys: tuple[RecordKey, ...]
    """Those who contradict another, by name; a sample where there are more than `MOST_SHOWN`."""
    total: int
    conflicts: tuple[Conflict, ...]
    """Those of the suggested survivor first; not all where there are many."""
    keep: RecordKey
    supersede: tuple[RecordKey, ...]
    """Those that contradict the suggested survivor."""
    basis: Basis
    approximate: tuple[RecordKey, ...]
    """Memories of which it is only known that they carried their claim by then."""
    decided_by: DecidedBy
    reason: str
    facts: tuple[Fact, ...] = ()
    returned: tuple[str, ...] = ()

    kind: ProposalKind = "contradiction"

    @property
    def about(self) -> str:
        """Subject · predicate."""
        return f"{self.subject} · {self.predicate}" if self.predicate else self.subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Undecided:
    """That memories speak of the same thing and nothing they declare can be compared."""

    id: str
    referent: str
    keys: tuple[RecordKey, ...]
    total: int
    reason: str
    facts: tuple[Fact, ...] = ()
    scribe_note: str | None = None
    returned: tuple[str, ...] = ()

    kind: ProposalKind = "undecided"

    @property
    def about(self) -> str:
        """The referent."""
        return self.referent


Proposal = Contradiction | Merge | Expiry | Undecided


@dataclass(frozen=True, slots=True)
class Suppressed:
    """A proposal that someone rejected and whose facts are still the same."""

    proposal: Proposal
    rejected_at: Instant
    by: str


@dataclass(frozen=True)
class Plan:
    """What consolidating one partition at one belief state would come to. Nothing of it is applied."""

    partition: str
    known_at: Instant
    true_at: Instant
    contradictions: tuple[Contradiction, ...] = ()
    merges: tuple[Merge, ...] = ()
    expiries: tuple[Expiry, ...] = ()
    """Those that may go."""
    undecided: tuple[Undecided, ...] = ()
    suppressed: tuple[Suppressed, ...] = ()
    retained: tuple[Expiry, ...] = ()
    """Engrams that stay, and those out of force already: each with its numbers."""
    notes: tuple[str, ...] = ()
    """What a person must know of how it came about: what was not compared, and why."""
    is_present: bool = True
    """Whether it was made at the present of both clocks: only then it can be decided."""
    stamp: Instant | None = None
    """The last transaction of the store it was made from."""

    @cached_property
    def proposals(self) -> tuple[Proposal, ...]:
        """Everything that is open, contradictions first."""
        return (*self.contradictions, *self.merges, *self.expiries, *self.undecided)

    def find(self, id: str) -> Proposal | None:  # noqa: A002 - the word of every door
        """The open proposal of that id."""
        return self._by_id.get(id)

    @cached_property
    def _by_id(self) -> Mapping[str, Proposal]:
        return {proposal.id: proposal for proposal in reversed(self.proposals)}
