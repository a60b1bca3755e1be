"""Recall events: that a memory was recalled, kept in a log of their own and never as versions."""

from __future__ import annotations

from dataclasses import dataclass

from memtui.model.instants import Instant
from memtui.model.records import RecordKey


@dataclass(frozen=True, slots=True)
class Recall:
    """One memory, surfaced once.

    `reader` is the partition of who recalled: a shared memory may be recalled privately, and only those
    who may read that partition count the event. `seq` counts within the reader's partition from 1.
    """

    key: RecordKey
    reader: str
    seq: int
    recorded_at: Instant
    cue: str
    actor: str
