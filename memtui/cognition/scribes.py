"""Scribes: judges from outside, such as a language model, that may propose and never decide. None is bundled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from memtui.model.records import Content, RecordKey

Told = tuple[RecordKey, Content]
"""A memory as a scribe is told of it."""


class MergeScribe(Protocol):
    """Writes one text for memories that say the same."""

    def merge(self, memories: Sequence[Told]) -> str | None:
        """A summary that could stand for all, the suggested survivor being the first; None to leave it as it is.

        Whatever it raises is told beside the proposal, which then stands as it was.
        """
        ...


@dataclass(frozen=True, slots=True)
class Judgement:
    """That some memories disagree, though nothing they declare says so."""

    names: tuple[str, ...]
    """Two at least, of those that were asked about."""
    reason: str
    """What they disagree in, as a sentence."""


class ContradictionScribe(Protocol):
    """Reads what is undecided."""

    def judge(self, referent: str, memories: Sequence[Told]) -> Judgement | None:
        """Whether memories about one thing disagree; None where they do not or it cannot tell.

        A group it promotes becomes a contradiction to be confirmed by a person. Whatever it raises is told beside the
        group, which then stays undecided.
        """
        ...
