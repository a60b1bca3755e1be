"""What the verbs did: the shapes every door renders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from memtui.model.duplicates import Comparison
from memtui.model.instants import Instant, iso
from memtui.model.problems import Problem
from memtui.model.records import RecordKey

Outcome = Literal[
    "remembered",
    "updated",
    "unchanged",
    "forgotten",
    "already_forgotten",
    "revived",
    "already_in_force",
    "superseded",
    "deleted",
]


Verdict = Literal["MERGE", "REVIEW"]


@dataclass(frozen=True, slots=True)
class Near:
    """A record in force that says much the same."""

    kind: str
    name: str
    similarity: float
    """By words the share of common ones, in [0, 1]; by meaning the cosine, in [-1, 1]. Not to be compared."""
    verdict: Verdict
    """MERGE: it says the same; REVIEW: a person should look."""
    by: Comparison = "words"

    def __str__(self) -> str:
        """How near it is, for a person."""
        return f"{self.similarity:.0%} of the words" if self.by == "words" else f"{self.similarity:.2f} by meaning"

    def as_dict(self) -> dict[str, object]:
        """The shape of page 6 for one near record."""
        return {
            "kind": self.kind,
            "name": self.name,
            "similarity": round(self.similarity, 4),
            "verdict": self.verdict,
            "by": self.by,
        }


@dataclass(frozen=True, slots=True)
class Written:
    """What a verb did to one record."""

    outcome: Outcome
    key: RecordKey
    seq: int
    recorded_at: Instant
    note: str | None = None
    """A sentence for a person: since when it was forgotten already, by what it was replaced."""
    near: tuple[Near, ...] = ()

    def as_dict(self) -> dict[str, object]:
        """The shape of page 6 for verbs."""
        return {
            "outcome": self.outcome,
            "scope": self.key.partition,
            "kind": self.key.kind,
            "name": self.key.name,
            "seq": self.seq,
            "recorded_at": iso(self.recorded_at),
            "note": self.note,
            "near": [near.as_dict() for near in self.near],
        }


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What a sync saw and did; counts are records, `skipped` counts files left out on purpose."""

    added: int = 0
    changed: int = 0
    vanished: int = 0
    unchanged: int = 0
    skipped: int = 0
    problems: tuple[Problem, ...] = ()
    took_ms: float = 0.0
    skipped_paths: tuple[tuple[str, str], ...] = ()
    """(path, reason) of each file or folder left out."""
    finished: tuple[tuple[str, str], ...] = ()
    """(path, what it says now) of each file that a change had not reached before its program was ended."""

    @property
    def wrote(self) -> bool:
        """Whether any version was recorded."""
        return bool(self.added or self.changed or self.vanished)

    def as_dict(self) -> dict[str, object]:
        """The `sync` shape of page 6."""
        return {
            "added": self.added,
            "changed": self.changed,
            "vanished": self.vanished,
            "unchanged": self.unchanged,
            "skipped": self.skipped,
            "problems": [problem.as_dict() for problem in self.problems],
            "finished": [{"path": path, "says": says} for path, says in self.finished],
            "took_ms": round(self.took_ms, 3),
        }


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import took: versions replayed as they were, or items as new versions."""

    replayed: int = 0
    recalls: int = 0
    """Recall events replayed with them."""
    reviews: int = 0
    """Reviews replayed with them."""
    added: int = 0
    updated: int = 0
    unchanged: int = 0
    problems: tuple[Problem, ...] = ()

    def as_dict(self) -> dict[str, object]:
        """The `import` shape of page 6."""
        return {
            "replayed": self.replayed,
            "recalls": self.recalls,
            "reviews": self.reviews,
            "added": self.added,
            "updated": self.updated,
            "unchanged": self.unchanged,
            "problems": [problem.as_dict() for problem in self.problems],
        }


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export wrote."""

    path: str
    versions: int
    recalls: int
    reviews: int = 0

    def as_dict(self) -> dict[str, object]:
        """The shape doors print."""
        return {
            "path": self.path,
            "versions": self.versions,
            "recalls": self.recalls,
            "reviews": self.reviews,
        }
