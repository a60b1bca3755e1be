"""One record in full: what it says, and how it stands in memory."""

from __future__ import annotations

from dataclasses import dataclass

from memtui.model.documents import content_as_json
from memtui.model.instants import Instant, iso
from memtui.model.recalls import Recall
from memtui.model.results import RecordView

_LISTS = frozenset(
    {"claims", "links", "homophonic_links", "revivals", "source_refs", "aliases", "findings", "supports", "refutes"}
)


@dataclass(frozen=True, slots=True)
class Strength:
    """How a memory stands: what is left of it, how slowly it fades, and what its recalls did."""

    retention: float
    """In [0, 1]."""
    stability: float
    """Days."""
    reinforced_at: Instant
    counted: int
    """Recalls that counted; those close together count once."""
    confidence: float
    """The authored confidence and what the counted recalls added, at most 10."""

    def as_dict(self) -> dict[str, object]:
        """The shape `show` gives."""
        return {
            "retention": self.retention,
            "stability_days": self.stability,
            "reinforced_at": iso(self.reinforced_at),
            "recalls_counted": self.counted,
            "derived_confidence": self.confidence,
        }


@dataclass(frozen=True, slots=True)
class RecordDetails:
    """One record as it stands in a belief state, with its recalls up to then, oldest first."""

    record: RecordView
    versions: int
    recalls: tuple[Recall, ...]
    strength: Strength | None
    """None for what does not fade."""

    def as_dict(self) -> dict[str, object]:
        """The `show` shape of page 6."""
        whole = content_as_json(self.record.content)
        rest = ("body", "claims", "links", "homophonic_links", "revivals", "encoding_context", "memory_type", "owner")
        more = ("affect", "affect_reason", "confidence", "stability_days", "source_refs", "aliases")
        kinds = ("findings", "rating", "supports", "refutes", "status", "priority", "doc_type", "supersedes")
        shape = self.record.as_list_item()
        shape.update({part: whole.get(part, [] if part in _LISTS else None) for part in (*rest, *more, *kinds)})
        shape["retention"] = None if self.strength is None else self.strength.as_dict()
        shape["cues"] = [{"at": iso(r.recorded_at), "cue": r.cue, "actor": r.actor} for r in self.recalls]
        shape["extra"] = whole.get("extra", {})
        shape["versions"] = self.versions
        return shape
