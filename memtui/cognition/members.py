"""What consolidating looks at: memories as they are believed at one belief state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from memtui.cognition.claims import declared, stated
from memtui.cognition.decay import Reinforcement
from memtui.model.instants import Instant
from memtui.model.proposals import Stated
from memtui.model.records import Content, RecordKey


@dataclass(frozen=True, slots=True)
class Member:
    """One memory: what its current version says, and how it stands."""

    key: RecordKey
    content: Content
    recorded_at: Instant
    """When what it says was recorded: versions that only end it, or take an end back, say nothing new."""
    in_force: bool
    confidence: float
    """The authored confidence and what recalls added to it."""
    reinforcement: Reinforcement | None = None
    """How far it has faded; None for what does not fade."""
    true_at: Instant | None = None
    """The moment of world time at which it is looked at; None: its last stretch of validity counts."""

    @property
    def said(self) -> str:
        """All of its text."""
        content = self.content
        return "\n".join(part for part in (content.title, content.summary, content.body) if part)

    def stated(self) -> list[Stated]:
        """Its claims that can be compared."""
        return stated(self.key, self.content, self.true_at)

    def declared(self) -> list[Stated]:
        """Its claims that have a subject."""
        return declared(self.key, self.content, self.true_at)


Learned = Callable[[Stated], tuple[Instant | None, bool]]
"""When a memory began to carry a claim, and whether that is only an upper bound."""


def by_name(key: RecordKey) -> tuple[str, str, str]:
    """The order in which members of a group are told."""
    return key.name, key.kind, key.partition
