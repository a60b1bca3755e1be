"""What was believed before: past texts, and what changed between two moments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from memtui.model.instants import Instant, iso, iso_or_none
from memtui.model.records import RecordKey
from memtui.model.results import RecordView, Snippet


@dataclass(frozen=True, slots=True)
class PastText:
    """One text that was believed of a record from `known_from` until `known_to` (None: it still is)."""

    key: RecordKey
    seq: int
    text: Snippet
    known_from: Instant
    known_to: Instant | None


@dataclass(frozen=True, slots=True)
class PastTexts:
    """Texts that were ever believed, found by their words."""

    query: str
    texts: tuple[PastText, ...]

    def __iter__(self) -> Iterator[PastText]:
        return iter(self.texts)

    def __len__(self) -> int:
        return len(self.texts)

    def as_dict(self) -> dict[str, object]:
        """The `history --search` shape of page 6."""
        return {
            "query": self.query,
            "versions": [
                {
                    "kind": past.key.kind,
                    "name": past.key.name,
                    "seq": past.seq,
                    "text": past.text.text,
                    "known_from": iso(past.known_from),
                    "known_to": iso_or_none(past.known_to),
                }
                for past in self.texts
            ],
        }


@dataclass(frozen=True, slots=True)
class ChangedRecord:
    """A record that was believed at both ends of a diff, and what about it changed."""

    record: RecordView
    changes: Mapping[str, tuple[object, object]]
    """Field → (before, after), as JSON values with instants as ISO text."""


@dataclass(frozen=True, slots=True)
class BeliefDiff:
    """What changed in what was believed between two moments of transaction time.

    `learned` was not known at the first; `forgotten` was in force at the first and is not at the second;
    `revived` the other way round; `began` was known at the first already and came into force only then;
    `changed` was known at both and says something else.
    """

    earlier: Instant
    later: Instant
    learned: tuple[RecordView, ...]
    forgotten: tuple[RecordView, ...]
    changed: tuple[ChangedRecord, ...]
    revived: tuple[RecordView, ...]
    began: tuple[RecordView, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing changed."""
        return not (self.learned or self.forgotten or self.changed or self.revived or self.began)

    def as_dict(self) -> dict[str, object]:
        """The `diff` shape of page 6."""
        return {
            "from": iso(self.earlier),
            "to": iso(self.later),
            "learned": [record.as_list_item() for record in self.learned],
            "forgotten": [record.as_list_item() for record in self.forgotten],
            "changed": [
                {"kind": c.record.key.kind, "name": c.record.key.name, "diff": changes_as_dict(c.changes)}
                for c in self.changed
            ],
            "revived": [record.as_list_item() for record in self.revived],
            "began": [record.as_list_item() for record in self.began],
        }


def changes_as_dict(changes: Mapping[str, tuple[object, object]]) -> dict[str, object]:
    """The `diff` shape: field → {from, to}."""
    return {field: {"from": before, "to": after} for field, (before, after) in changes.items()}
