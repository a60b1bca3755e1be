"""What the verbs and reads answer with: the shapes every door renders."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from memtui.model.explanation import Explanation
from memtui.model.instants import Instant, iso, iso_or_none
from memtui.model.problems import Problem
from memtui.model.records import Content, RecordKey, State

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
Plane = Literal["hybrid", "lexical", "scan"]
Span: TypeAlias = tuple[int, int]
"""`[start, end)` in code points of the text it belongs to."""


@dataclass(frozen=True, slots=True)
class Snippet:
    """The passage of a hit that answers the query: its text, the matched spans, its line in the body."""

    text: str
    spans: tuple[Span, ...] = ()
    line: int | None = None


@dataclass(frozen=True, slots=True)
class RecordView:
    """One record as it stands in a belief state: what lists, details and hits are drawn from."""

    key: RecordKey
    content: Content
    state: State
    recorded_at: Instant
    seq: int

    @property
    def title(self) -> str:
        """What a person reads first: the title, else the summary, else the name."""
        return self.content.title or self.content.summary or self.key.name

    def as_list_item(self) -> dict[str, object]:
        """The `list` shape of page 6."""
        content = self.content
        return {
            "scope": self.key.partition,
            "kind": self.key.kind,
            "name": self.key.name,
            "title": self.title,
            "summary": content.summary,
            "area": content.area,
            "tags": list(content.tags),
            "state": self.state,
            "valid_from": iso_or_none(content.valid_from),
            "valid_to": iso_or_none(content.valid_to),
            "recorded_at": iso(self.recorded_at),
            "superseded_by": content.superseded_by,
            "pinned": content.pinned,
            "path": content.path,
        }


class Hit:
    """One search hit: where it ranks and why.

    `score` is plain BM25 (thresholds read only this), `rank_score` the order, `coverage` the share
    of the query's idf mass found in the hit's own text. `snippet` and `explanation` are computed
    when first read, so that rows nobody sees cost nothing. `via` names the memory that brought this one
    along, where it shares no circumstance with the cue itself.
    """

    __slots__ = ("_explain", "_explanation", "_snip", "_snippet", "coverage", "rank_score", "record", "score", "via")

    def __init__(
        self,
        record: RecordView,
        *,
        score: float,
        rank_score: float,
        coverage: float,
        snip: Callable[[RecordView], Snippet],
        explain: Callable[[], Explanation],
        via: str | None = None,
    ) -> None:
        self.record = record
        self.via = via
        self.score = score
        self.rank_score = rank_score
        self.coverage = coverage
        self._snip = snip
        self._explain = explain
        self._snippet: Snippet | None = None
        self._explanation: Explanation | None = None

    @property
    def scope(self) -> str:
        """The partition the record lives in."""
        return self.record.key.partition

    @property
    def kind(self) -> str:
        """The record's kind."""
        return self.record.key.kind

    @property
    def name(self) -> str:
        """The record's name, unique in partition and kind."""
        return self.record.key.name

    @property
    def title(self) -> str:
        """The record's title, summary or name."""
        return self.record.title

    @property
    def path(self) -> str | None:
        """The document's file relative to the vault, if it has one."""
        return self.record.content.path

    @property
    def state(self) -> State:
        """How the record stands in the belief state that was asked."""
        return self.record.state

    @property
    def passage(self) -> Snippet:
        """The snippet with its spans and line, computed on first reading."""
        if self._snippet is None:
            self._snippet = self._snip(self.record)
        return self._snippet

    @property
    def snippet(self) -> str:
        """The text of the best passage."""
        return self.passage.text

    @property
    def spans(self) -> tuple[Span, ...]:
        """Matched spans inside `snippet`."""
        return self.passage.spans

    @property
    def line(self) -> int | None:
        """The line of the file where the snippet begins, where the record has a file."""
        first = self.record.content.line
        if self.kind == "changelog":
            return first  # a JSON string is one line, however many its text has
        return None if first is None or self.passage.line is None else first + self.passage.line - 1

    @property
    def explanation(self) -> Explanation:
        """The tree of named numbers that makes `rank_score`."""
        if self._explanation is None:
            self._explanation = self._explain()
        return self._explanation

    def as_dict(self, *, explain: bool = False) -> dict[str, object]:
        """The `hits` shape of page 6."""
        shape: dict[str, object] = {
            "scope": self.scope,
            "kind": self.kind,
            "name": self.name,
            "score": self.score,
            "rank_score": self.rank_score,
            "coverage": self.coverage,
            "title": self.title,
            "summary": self.record.content.summary,
            "snippet": self.snippet,
            "spans": [list(span) for span in self.spans],
            "path": self.path,
            "line": self.line,
            "state": self.state,
            "via": self.via,
        }
        if explain:
            shape["explain"] = self.explanation.as_dict()
        return shape


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to a recall or search, with an honest account of what ran."""

    query: str
    hits: tuple[Hit, ...]
    plane: Plane = "lexical"
    semantic: bool = False
    degraded: bool = False
    reason: str | None = None
    fusion: str | None = None
    as_of: Instant | None = None
    valid_at: Instant | None = None
    as_of_truncated: tuple[RecordKey, ...] = ()
    truncated_total: int = 0
    stale: int = 0
    took_ms: float = 0.0
    ignored_filters: tuple[str, ...] = ()
    hidden: int = 0
    """How many more records match but lie outside what was asked (forgotten ones)."""
    find_closest: Callable[[], tuple[str, ...]] = field(default=tuple, repr=False, compare=False)

    @property
    def closest(self) -> tuple[str, ...]:
        """When nothing was found: the closest names. Looked for when read, because few keystrokes need it."""
        return self.find_closest()

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def as_dict(self, *, explain: bool = False) -> dict[str, object]:
        """The `recall` shape of page 6."""
        return {
            "query": self.query,
            "plane": self.plane,
            "semantic": self.semantic,
            "degraded": self.degraded,
            "reason": self.reason,
            "fusion": self.fusion,
            "as_of": iso_or_none(self.as_of),
            "valid_at": iso_or_none(self.valid_at),
            "as_of_truncated": [{"kind": k.kind, "name": k.name} for k in self.as_of_truncated],
            "truncated_total": self.truncated_total,
            "stale": self.stale,
            "took_ms": round(self.took_ms, 3),
            "ignored_filters": list(self.ignored_filters),
            "hits": [hit.as_dict(explain=explain) for hit in self.hits],
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
    near: tuple[Mapping[str, object], ...] = ()

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
            "near": [dict(n) for n in self.near],
        }


@dataclass(frozen=True, slots=True)
class Listing:
    """Records without scores: the total that answers, and the page that was asked for."""

    total: int
    records: tuple[RecordView, ...]
    stale: int = 0
    """How many files changed since the last sync, as far as a one-shot read looked."""
    reason: str | None = None
    """Why there may be nothing: the store began later than what was asked."""

    def __iter__(self) -> Iterator[RecordView]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def as_dict(self) -> dict[str, object]:
        """The `list` shape of page 6."""
        return {
            "total": self.total,
            "stale": self.stale,
            "reason": self.reason,
            "records": [record.as_list_item() for record in self.records],
        }


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
    `revived` the other way round; `changed` was known at both and says something else.
    """

    earlier: Instant
    later: Instant
    learned: tuple[RecordView, ...]
    forgotten: tuple[RecordView, ...]
    changed: tuple[ChangedRecord, ...]
    revived: tuple[RecordView, ...]

    @property
    def is_empty(self) -> bool:
        """Whether nothing changed."""
        return not (self.learned or self.forgotten or self.changed or self.revived)

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
        }


def changes_as_dict(changes: Mapping[str, tuple[object, object]]) -> dict[str, object]:
    """The `diff` shape: field → {from, to}."""
    return {field: {"from": before, "to": after} for field, (before, after) in changes.items()}


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
            "took_ms": round(self.took_ms, 3),
        }


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
    """What a person must know about the store itself (a shortened log, another analyser)."""

    @property
    def forgotten(self) -> int:
        """How many records are believed to have ended, replaced ones included."""
        return self.states.get("forgotten", 0) + self.states.get("superseded", 0)

    @property
    def records(self) -> int:
        """All live records the caller may read."""
        return sum(self.counts.values())

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
