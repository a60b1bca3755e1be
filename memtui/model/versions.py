"""Versions: the append-only steps of a record's history, and the drafts they are made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from memtui.model.instants import Instant
from memtui.model.records import Content, RecordKey

Operation = Literal["remember", "update", "forget", "revive", "supersede", "sync", "import", "review", "redact"]
OPERATIONS: tuple[Operation, ...] = get_args(Operation)


@dataclass(frozen=True, slots=True)
class Draft:
    """A change that someone wants recorded: the store adds stamp, sequence and chain."""

    key: RecordKey
    operation: Operation
    content: Content
    actor: str
    reason: str | None = None
    origin_known: bool = True
    """False when the record may have existed before memtui first saw it (a file's first sync)."""
    goes_on: Version | None = None
    """What a record that is new only by its name goes on from: being renamed is no news."""


@dataclass(frozen=True, slots=True)
class Version:
    """One recorded step of one record.

    `seq` counts within the partition from 1 without gaps; `recorded_at` is transaction time, shared
    by all versions of one transaction; `chain` is the running hash of the partition up to here.
    """

    key: RecordKey
    seq: int
    recorded_at: Instant
    operation: Operation
    actor: str
    reason: str | None
    content: Content
    content_hash: str
    origin_known: bool
    chain: str
    text_id: int = -1
    """The index row that holds this version's analysed text; -1 where the store keeps no index."""
    reinforces: bool = True
    """Whether it says something new or brings the memory back, and so starts its fading anew."""


def says_anew(before: Content | None, after: Content) -> bool:
    """Whether a version changes text or claims, or is a revival: what fading is counted from (spec page 3).

    Tags, dates and the like may change without anyone having thought of the memory again. Nor does who takes an end
    back as if it had never been: that closes a gap in which no instant lies.
    """
    if before is None or any(gap.revived_at > gap.valid_to for gap in after.revivals[len(before.revivals) :]):
        return True
    said = (after.title, after.summary, after.body, after.claims)
    return said != (before.title, before.summary, before.body, before.claims)


@dataclass(frozen=True, slots=True)
class Head:
    """Where a partition's ledger stands: its last sequence number, stamp and running hash."""

    seq: int = 0
    recorded_at: Instant = 0
    chain: str = ""
