"""What the near-duplicate gate answers: is a text as good as known already, and by which records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from memtui.model.records import RecordKey

Advice = Literal["MERGE", "REVIEW", "CREATE"]
"""MERGE: a record says the same, change that one. REVIEW: a person should look. CREATE: it is new."""
Comparison = Literal["meaning", "words"]


@dataclass(frozen=True, slots=True)
class Nearest:
    """A record in force, and how near a candidate is to it by their best pair of passages."""

    key: RecordKey
    similarity: float
    """By meaning the cosine, in [-1, 1]; by words the share of common ones, in [0, 1]. Not to be compared."""
    margin: float
    """How far it is ahead of the next in similarity that was compared in the same way; of nothing: its similarity."""
    by: Comparison
    verdict: Advice
    verbatim: bool = False
    """It is the candidate's own text, word for word."""
    title: str | None = None
    path: str | None = None
    """The record's file, relative to the vault."""

    def as_dict(self) -> dict[str, object]:
        """The shape of page 6 for one near record."""
        return {
            "scope": self.key.partition,
            "kind": self.key.kind,
            "name": self.key.name,
            "similarity": round(self.similarity, 4),
            "margin": round(self.margin, 4),
            "by": self.by,
            "verdict": self.verdict,
            "verbatim": self.verbatim,
            "title": self.title,
            "path": self.path,
        }


@dataclass(frozen=True, slots=True)
class Dedup:
    """The gate's advice on a candidate, with the records that are nearest to it, the most telling first."""

    verdict: Advice
    checked: bool = True
    """False where nothing was compared, as who asked wanted it by meaning or not at all."""
    by: Comparison | None = None
    """How records were compared; those that are not embedded always by words."""
    reason: str | None = None
    """Why not by meaning, or not everything."""
    nearest: tuple[Nearest, ...] = ()
    left_out: tuple[RecordKey, ...] = ()
    """The records of the candidate's own file, which it was not compared with."""
    stale: int = 0
    """Files that changed since the last sync: what they say now was not compared."""

    def as_dict(self) -> dict[str, object]:
        """The `dedup` shape of page 6."""
        return {
            "verdict": self.verdict,
            "checked": self.checked,
            "by": self.by,
            "reason": self.reason,
            "stale": self.stale,
            "left_out": [{"kind": key.kind, "name": key.name} for key in self.left_out],
            "nearest": [near.as_dict() for near in self.nearest],
        }
