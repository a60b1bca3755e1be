"""What the result list shows: records with or without a score, and the answer they came in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from memtui.model.instants import Instant
from memtui.model.records import RecordKey
from memtui.model.results import Found, Hit, Listing, Order, RecordView, Snippet, Understood
from memtui.text.moments import known_since
from memtui.tui.marking import Marker
from memtui.tui.spread import Share, spread_of

OPENED = "Recently opened"
RECORDED = "Recently recorded"


@dataclass(frozen=True, slots=True)
class Row:
    """One entry of the list; `hit` is None where the list is not a search (recently recorded, closest names)."""

    record: RecordView
    hit: Hit | None = None
    order: Order = "relevance"
    """What the list is sorted by."""
    retention: float | None = None
    """How present it is in mind, in (0, 1]; None for what does not fade."""
    known_from: Instant | None = None
    """When it was first recorded, where that is later than what is shown: then nobody knew of it."""

    @property
    def key(self) -> RecordKey:
        """The record's key."""
        return self.record.key

    @property
    def since(self) -> Instant:
        """The moment its age counts from: the one the list is sorted by, if it is sorted by one."""
        record = self.record
        if self.order == "recorded":
            return record.recorded_at
        if self.order == "true-since" and record.content.valid_from is not None:
            return record.content.valid_from
        return known_since(record.content, record.recorded_at)

    def passage(self) -> Snippet | None:
        """The matching passage; costs the snippet when first asked, so only workers ask."""
        return None if self.hit is None else self.hit.passage


@dataclass(frozen=True, slots=True)
class Section:
    """Rows under a heading of their own: they begin at `start` and end where the next section does."""

    start: int
    heading: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What the core answered to one query, ready to be shown."""

    query: str
    rows: Sequence[Row]
    total: int
    """How many there are in all; the rows may be the first of them."""
    is_cut: bool = False
    """Whether only the best were asked for, and there may be more."""
    by_meaning: bool = False
    """Whether meaning was asked too: then there will be no other answer to this question."""
    plane: str = "lexical"
    degraded: bool = False
    reason: str = ""
    """Why it is degraded, or what else is to be known of how it was found."""
    hidden: int = 0
    filtered_out: int = 0
    """Where nothing matched: how many records would without the filters."""
    suggested: bool = False
    """Whether nothing matched and the rows are the closest names instead."""
    trouble: str = ""
    """Why there is no answer, where the search itself failed."""
    understood: Understood = field(default_factory=Understood)
    """How the query was read."""
    by_meaning_alone: bool = False
    """Whether no word of the query was found: the rows are only near to it in meaning."""
    blind_spots: int = 0
    """Of the past: how many records were first read later, and may have been there all the same."""
    sections: tuple[Section, ...] = ()
    """Where the rows are of more than one sort; the first begins at 0."""
    spread: tuple[Share, ...] = ()
    """How the rows spread over kinds, areas and tags; nothing where they are only suggested."""
    passages: dict[int, Snippet] = field(default_factory=dict[int, Snippet])
    """Snippets of the rows that will be seen first, by row."""

    @classmethod
    def of_found(cls, found: Found, closest: Sequence[RecordView] = ()) -> Answer:
        """The answer to a search; without hits its rows are the closest records."""
        rows = [Row(hit.record, hit, found.order) for hit in found.hits] or [Row(record) for record in closest]
        return cls(
            query=found.query,
            rows=rows,
            total=len(found.hits),
            plane=found.plane,
            degraded=found.degraded,
            reason=found.reason or found.plane,
            hidden=found.hidden,
            filtered_out=found.filtered_out,
            suggested=not found.hits,
            understood=found.understood,
            by_meaning_alone=found.by_meaning_alone,
            blind_spots=found.truncated_total,
            spread=spread_of(hit.record for hit in found.hits),
        )

    @classmethod
    def of_listing(cls, listing: Listing, opened: Sequence[RecordView] = (), order: Order = "relevance") -> Answer:
        """The answer to an empty query: what was opened last above the rest, and no record twice.

        `order` is the one that was asked for, if any.
        """
        above = {record.key for record in opened}
        records = [*opened, *(record for record in listing.records if record.key not in above)]
        sections = (Section(0, OPENED), Section(len(opened), RECORDED)) if 0 < len(opened) < len(records) else ()
        by: Order = "recorded" if order == "relevance" else order
        rows = [Row(record, order=by) for record in records]
        return cls(query="", rows=rows, total=listing.total, sections=sections, spread=spread_of(records))

    def heading_at(self, index: int) -> str | None:
        """The heading that a row stands under, where there are several."""
        return next((section.heading for section in reversed(self.sections) if section.start <= index), None)

    def marker(self, index: int) -> Marker:
        """What to highlight in the title and text of a row."""
        if not self.query or self.suggested:
            return Marker()
        return Marker.of(self.query, self.passages.get(index))
