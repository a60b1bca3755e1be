"""What can happen in the story: one act of one person at one moment, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Verb = Literal["remember", "update", "forget", "revive", "supersede", "recall"]


@dataclass(frozen=True, slots=True)
class Step:
    """One act. `at` is ISO 8601 with the offset of whoever acts; `subject` a memory's name, or the cue of a recall."""

    at: str
    by: str
    verb: Verb
    subject: str
    said: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What the verb is given besides, by its own names."""


def remember(at: str, by: str, name: str, summary: str, **fields: Any) -> Step:
    """Something is learned."""
    return Step(at, by, "remember", name, {"summary": summary, **fields})


def update(at: str, by: str, name: str, **fields: Any) -> Step:
    """A slip of the pen is corrected."""
    return Step(at, by, "update", name, fields)


def forget(
    at: str, by: str, name: str, reason: str, *, ended: str | None = None, superseded_by: str | None = None
) -> Step:
    """Something is no longer so, since `ended` if that is known to be earlier."""
    return Step(at, by, "forget", name, {"reason": reason, "at": ended, "superseded_by": superseded_by})


def revive(at: str, by: str, name: str) -> Step:
    """Something is so again."""
    return Step(at, by, "revive", name)


def supersede(at: str, by: str, old: str, new: str, summary: str, **fields: Any) -> Step:
    """Something else is so from now on."""
    return Step(at, by, "supersede", old, {"summary": summary, "name": new, **fields})


def recall(at: str, by: str, cue: str) -> Step:
    """Somebody asks; what comes back is held better from then on."""
    return Step(at, by, "recall", cue)
