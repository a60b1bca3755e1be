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


@dataclass(frozen=True, slots=True)
class Head:
    """Where a partition's ledger stands: its last sequence number, stamp and running hash."""

    seq: int = 0
    recorded_at: Instant = 0
    chain: str = ""
