"""What the result list shows: records with or without a score, and the answer they came in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from memtui.model.records import RecordKey
from memtui.model.results import Found, Hit, Listing, RecordView, Snippet
from memtui.tui.marking import Marker


@dataclass(frozen=True, slots=True)
class Row:
    """One entry of the list; `hit` is None where the list is not a search (recently recorded, closest names)."""

    record: RecordView
    hit: Hit | None = None

    @property
    def key(self) -> RecordKey:
        """The record's key."""
        return self.record.key

    def passage(self) -> Snippet | None:
        """The matching passage; costs the snippet when first asked, so only workers ask."""
        return None if self.hit is None else self.hit.passage


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
    ignored: tuple[str, ...] = ()
    passages: dict[int, Snippet] = field(default_factory=dict[int, Snippet])
    """Snippets of the rows that will be seen first, by row."""

    @classmethod
    def of_found(cls, found: Found, closest: Sequence[RecordView] = ()) -> Answer:
        """The answer to a search; without hits its rows are the closest records."""
        rows = [Row(hit.record, hit) for hit in found.hits] or [Row(record) for record in closest]
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
            ignored=found.ignored_filters,
        )

    @classmethod
    def of_listing(cls, listing: Listing) -> Answer:
        """The answer to an empty query: what was recorded recently."""
        return cls(query="", rows=[Row(record) for record in listing.records], total=listing.total)

    def marker(self, index: int) -> Marker:
        """What to highlight in the title and text of a row."""
        if not self.query or self.suggested:
            return Marker()
        return Marker.of(self.query, self.passages.get(index))
