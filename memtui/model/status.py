"""How a vault, or a person's memory, stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memtui.model.instants import Instant, iso_or_none
from memtui.model.problems import Problem
from memtui.model.records import RecordKey, State


@dataclass(frozen=True, slots=True)
class Status:
    """How a vault stands: counts of live records, health, freshness."""

    vault: str
    workspace: str
    store: str
    counts: Mapping[str, int]
    states: Mapping[State, int]
    """How many records are believed, by how they stand."""
    problems: tuple[Problem, ...]
    stale: int
    last_sync: Instant | None
    analyser: str
    index_rows: int
    size_bytes: int
    partition: str = "workspace"
    embedding: Mapping[str, object] = field(
        default_factory=lambda: {"model_id": None, "dims": None, "chunks": 0, "embedded": 0}
    )
    as_of: Instant | None = None
    valid_at: Instant | None = None
    as_of_truncated: tuple[RecordKey, ...] = ()
    truncated_total: int = 0
    warnings: tuple[str, ...] = ()
    """What a person must know about the store itself (a shortened log, an index that cannot be used)."""

    @property
    def forgotten(self) -> int:
        """How many records are believed to have ended, replaced ones included."""
        return self.states.get("forgotten", 0) + self.states.get("superseded", 0)

    @property
    def records(self) -> int:
        """All live records the caller may read."""
        return sum(self.counts.values())

    @property
    def texts_waiting(self) -> int:
        """How many texts are not embedded yet; none where nothing is set to embed them."""
        if self.embedding["model_id"] is None:
            return 0
        return max(0, self.index_rows - int(str(self.embedding["embedded"])))

    def as_dict(self) -> dict[str, object]:
        """The `status` shape of page 6."""
        return {
            "vault": self.vault,
            "workspace": self.workspace,
            "partition": self.partition,
            "store": self.store,
            "records": self.records,
            "counts": {kind: count for kind, count in self.counts.items() if count},
            "forgotten": self.forgotten,
            "states": dict(self.states),
            "problems": [problem.as_dict() for problem in self.problems],
            "stale": self.stale,
            "last_sync": iso_or_none(self.last_sync),
            "embedding": dict(self.embedding),
            "index": {"analyser": self.analyser, "rows": self.index_rows},
            "size_bytes": self.size_bytes,
            "as_of": iso_or_none(self.as_of),
            "valid_at": iso_or_none(self.valid_at),
            "as_of_truncated": [{"kind": k.kind, "name": k.name} for k in self.as_of_truncated],
            "truncated_total": self.truncated_total,
            "warnings": list(self.warnings),
        }
