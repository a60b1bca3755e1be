"""Renames: a file that got another name goes on under it, and how the ledger says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memtui.model.instants import Instant
from memtui.model.records import RecordKey
from memtui.model.versions import Draft, Version

RENAMED_FROM = "renamed from "
"""How the first version of a renamed file's record names the one it goes on from, as kind/name."""


def renaming(origin: RecordKey) -> str:
    """The reason of the first version under a new name."""
    return f"{RENAMED_FROM}{origin.kind}/{origin.name}"


def renamed_from(step: Version | Draft) -> RecordKey | None:
    """The record that a version goes on from under another name; None where it is no rename.

    Only a sync renames: in the reason of any other operation the words are a person's own.
    """
    return origin_of(step.key.partition, step.reason) if step.operation == "sync" else None


def origin_of(partition: str, reason: str | None) -> RecordKey | None:
    """The record that the reason of a sync's version names as its origin."""
    if reason is None or not reason.startswith(RENAMED_FROM):
        return None
    kind, _, name = reason.removeprefix(RENAMED_FROM).partition("/")
    return RecordKey(partition, kind, name)


def names_held(
    key: RecordKey, history: Callable[[RecordKey], Sequence[Version]]
) -> tuple[tuple[RecordKey, Instant | None], ...]:
    """A record's own name, then those it had before, each with the stamp until which it was so called.

    A name that was given up may have been taken by another file since: what came later is not of this record.
    """
    names: dict[RecordKey, Instant | None] = {key: None}
    while True:
        first = next(iter(history(key)), None)
        origin = None if first is None else renamed_from(first)
        if first is None or origin is None or origin in names:
            return tuple(names.items())
        key = origin
        names[key] = first.recorded_at


__all__ = ["RENAMED_FROM", "names_held", "origin_of", "renamed_from", "renaming"]
