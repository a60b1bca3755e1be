"""What the reads answer with: the shapes every door renders."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from memtui.model.explanation import Explanation
from memtui.model.instants import Instant, iso, iso_or_none
from memtui.model.records import Content, RecordKey, State, area_of

Plane = Literal["hybrid", "lexical", "scan"]
Fusion = Literal["adaptive", "rrf", "seed"]
FUSIONS: tuple[Fusion, ...] = get_args(Fusion)
"""Rules by which the order by words and the order by meaning are made one."""
Order = Literal["relevance", "recorded", "true-since", "retention"]
ORDERS: tuple[Order, ...] = get_args(Order)
"""What hits may be sorted by: always all of them, before any limit."""
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
    overridden: bool = False
    """Whether a later entry of the change log says it replaces it, as far as that was looked for."""
    contradicted: bool = False
    """Whether another memory in force claims what cannot be so beside it, as far as that was looked for."""

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
            "area": area_of(self.key.kind, content),
            "tags": list(content.tags),
            "state": self.state,
            "overridden": self.overridden,
            "contradicted": self.contradicted,
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
    def overridden(self) -> bool:
        """Whether a later entry that is in force says it replaces this one."""
        return self.record.overridden

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
            "overridden": self.overridden,
            "contradicted": self.record.contradicted,
            "via": self.via,
        }
        if explain:
            shape["explain"] = self.explanation.as_dict()
        return shape


@dataclass(frozen=True, slots=True)
class Understood:
    """How a query was understood, told to a person."""

    words: str = ""
    """What is looked for, without any sign of the query language: the cue. Empty where only filters ask."""
    filters: tuple[str, ...] = ()
    """What its filters ask, each as a person would write it."""
    narrowed_by: Literal["phrase", "filters"] = "filters"
    """What a record must satisfy beyond the words, in a word."""
    reservations: tuple[str, ...] = ()
    """What could not be applied, and why, in sentences."""


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
    understood: Understood = Understood()
    """How the query was read."""
    hidden: int = 0
    """How many more records match but lie outside what was asked (forgotten ones)."""
    filtered_out: int = 0
    """When nothing was found: how many records match the words, but not the filters, phrases or exclusions."""
    order: Order = "relevance"
    """What the hits are sorted by."""
    by_meaning_alone: bool = False
    """Whether no word of the query was found: the hits are only near to it in meaning."""
    find_closest: Callable[[], tuple[str, ...]] = field(default=tuple, repr=False, compare=False)
    find_unheld: Callable[[], tuple[str, ...]] = field(default=tuple, repr=False, compare=False)

    @property
    def closest(self) -> tuple[str, ...]:
        """When nothing was found: the closest names. Looked for when read, because few keystrokes need it."""
        return self.find_closest()

    @property
    def unheld(self) -> tuple[str, ...]:
        """When nothing was found: in sentences, the values of filters that nothing has. Looked for when read."""
        return self.find_unheld()

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
            "reservations": [*self.understood.reservations, *self.unheld],
            "order": self.order,
            "by_meaning_alone": self.by_meaning_alone,
            "hits": [hit.as_dict(explain=explain) for hit in self.hits],
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
