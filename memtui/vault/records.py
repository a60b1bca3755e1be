"""What reading a file gives: records without a partition, a validity or a history yet."""

from __future__ import annotations

from dataclasses import dataclass

from memtui.model.instants import Instant
from memtui.model.problems import Problem
from memtui.model.records import Content


@dataclass(frozen=True, slots=True)
class ReadRecord:
    """One record as its file states it."""

    kind: str
    name: str
    content: Content
    """For documents `valid_from` is None: sync sets it, from `reference` or from its first sight."""
    reference: Instant | None = None
    """The moment the file itself gives for its beginning: the earliest readable of `created` and
    `date` (or `reference_time`). Never a guess, never the present."""


@dataclass(frozen=True, slots=True)
class ReadFile:
    """All records of one file, in the order they stand there."""

    records: tuple[ReadRecord, ...] = ()
    problems: tuple[Problem, ...] = ()
    refused: bool = False
    """The file is there but what it holds could not be taken as records: those it gave before have
    not vanished and must be left as they were."""
