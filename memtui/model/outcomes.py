"""What import and export did."""

from __future__ import annotations

from dataclasses import dataclass

from memtui.model.problems import Problem


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import took: versions replayed as they were, or items as new versions."""

    replayed: int = 0
    recalls: int = 0
    """Recall events replayed with them."""
    added: int = 0
    updated: int = 0
    unchanged: int = 0
    problems: tuple[Problem, ...] = ()

    def as_dict(self) -> dict[str, object]:
        """The `import` shape of page 6."""
        return {
            "replayed": self.replayed,
            "recalls": self.recalls,
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

    def as_dict(self) -> dict[str, object]:
        """The shape doors print."""
        return {"path": self.path, "versions": self.versions, "recalls": self.recalls}
