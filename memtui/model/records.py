"""Records: their identity, and everything one version of a record says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, NamedTuple, get_args

from memtui.model.instants import Instant
from memtui.model.intervals import Interval, ValiditySet

Kind = Literal["engram", "research", "evidence", "knowledge", "feature", "task", "memory", "changelog", "note"]
KINDS: tuple[Kind, ...] = get_args(Kind)
MEMORY_KINDS: frozenset[str] = frozenset({"engram", "research", "evidence"})
"""Kinds that live by the verbs; the others are documents of a vault's files."""

State = Literal["in_force", "not_yet", "forgotten", "superseded"]
STATES: tuple[State, ...] = get_args(State)
Polarity = Literal["asserts", "denies"]

LONGEST_SUMMARY = 280
"""Characters of the longest summary, after trimming."""
LONGEST_TEXT = 500_000
"""Characters of the longest body or other text of a memory; a longer one belongs into a file."""
SHORTEST_AFFECT_REASON = 20
"""Characters of the shortest reason for an affect."""
RATINGS = ("strong", "moderate", "weak", "unrated", "1", "2", "3", "4", "5")
"""How well a finding or a piece of evidence stands."""
RATED_AS = {"weak": 1.0, "moderate": 3.0, "strong": 5.0}
"""Where the words stand on the scale of the numbers, its ends and its middle; `unrated` stands nowhere on it."""
CONFIDENCE_LABELS = ("faint", "firm", "burning")
"""Words that may stand for a confidence, in any case; kept as their author wrote them."""

DRAWING_FILE = ".excalidraw.md"
"""How the name of a drawing's file ends, in lower case: of its text only what is drawn is read."""

WORKSPACE = "workspace"
"""The one partition of a vault's own store."""
BASE = "base"
"""The read-only partition a personal read shares: filled by sync from the folders a person named for it."""
PERSONAL_PREFIX = "personal:"
"""How the partitions of persons begin; nothing else may be called so."""


class RecordKey(NamedTuple):
    """What makes a record that record: partition, kind and name, compared exactly after NFC."""

    partition: str
    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class Claim:
    """One structured assertion: subject · predicate = object, asserted or denied, in a window of its own."""

    predicate: str
    object: str | None = None
    subject: str | None = None
    polarity: Polarity = "asserts"
    many: bool = False
    valid_from: Instant | None = None
    valid_to: Instant | None = None

    def __str__(self) -> str:
        subject = f"{self.subject}::" if self.subject else ""
        if self.object is None:
            return f"{subject}{'!' if self.polarity == 'denies' else ''}{self.predicate}"
        sign = "+=" if self.many else "="
        denial = "!" if self.polarity == "denies" else ""
        return f"{subject}{self.predicate}{sign}{denial}{self.object}"


@dataclass(frozen=True, slots=True)
class Revival:
    """A closed gap: the memory was out of force from `valid_to` until `revived_at`."""

    valid_to: Instant
    revived_at: Instant
    superseded_by: str | None = None
    revived_by: str | None = None

    @property
    def is_empty(self) -> bool:
        """Whether no instant lies in it: an end that was taken back as if it had never been."""
        return self.revived_at <= self.valid_to


@dataclass(frozen=True, slots=True)
class HomophonicLink:
    """An associative link to another memory; `resonance_score` in [0, 1]."""

    target_name: str
    resonance_score: float = 0.5
    basis: str | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding of a research record, with its sources and a rating as the author wrote it."""

    text: str
    rating: str = "unrated"
    source_refs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EncodingContext:
    """The circumstances of a memory's first recording: stamped once, never overwritten."""

    area: str | None = None
    co_topics: tuple[str, ...] = ()
    source_refs: tuple[str, ...] = ()
    affect: str | None = None
    time_of_day: str | None = None
    created_at: Instant | None = None


@dataclass(frozen=True, slots=True)
class Content:
    """Everything one version of a record says; two equal contents are the same version.

    The same value serves all kinds; a kind leaves the fields it does not know at their defaults.
    `summary` is an engram's text, a document's description and a changelog entry's headline.
    """

    summary: str | None = None
    title: str | None = None
    body: str | None = None
    area: str | None = None
    tags: tuple[str, ...] = ()
    source_refs: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    """Other names the record answers to: searchable for identity, never part of `score`."""
    owner: str | None = None
    affect: str | None = None
    affect_reason: str | None = None
    confidence: float | str | None = None
    """A number from 1 to 10, or a label exactly as its author wrote it."""
    stability_days: float | None = None
    pinned: bool = False
    memory_type: str | None = None
    encoding_context: EncodingContext | None = None
    valid_from: Instant | None = None
    valid_to: Instant | None = None
    superseded_by: str | None = None
    revivals: tuple[Revival, ...] = ()
    claims: tuple[Claim, ...] = ()
    homophonic_links: tuple[HomophonicLink, ...] = ()
    findings: tuple[Finding, ...] = ()
    rating: str | None = None
    supports: tuple[str, ...] = ()
    refutes: tuple[str, ...] = ()
    path: str | None = None
    """A document's file, relative to the vault, with `/`."""
    line: int | None = field(default=None, compare=False)
    """First line of the record's text inside its file, counted from 1. Where a text lies is not what
    it says: the line is neither compared nor hashed, and follows the file at each sync."""
    status: str | None = None
    priority: str | None = None
    doc_type: str | None = None
    """Front matter `type`, or a changelog entry's type."""
    dated: Instant | None = None
    """The latest trustworthy date a document gives itself (`updated`, else `date`, else `created`)."""
    links: tuple[str, ...] = ()
    """Targets of the wiki and markdown links in the text, as written."""
    supersedes: str | None = None
    """A changelog entry's id that this entry replaces."""
    extra: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Unknown fields, kept verbatim."""

    def validity(self) -> ValiditySet:
        """The disjoint intervals of world time in which this was true (spec: World-time validity)."""
        start = self.valid_from
        if start is None:
            return ValiditySet(())
        intervals: list[Interval] = []
        for revival in self.revivals:
            intervals.append(Interval(start, revival.valid_to))
            start = revival.revived_at
        intervals.append(Interval(start, self.valid_to))
        return ValiditySet.of(intervals)

    def without_empty_gaps(self) -> Content:
        """The same, true at the same times, without the gaps in which no instant lies."""
        gaps = tuple(revival for revival in self.revivals if not revival.is_empty)
        return self if len(gaps) == len(self.revivals) else replace(self, revivals=gaps)

    def has_ended(self, now: Instant) -> bool:
        """Whether it is out of force for good unless revived: its end has passed, or its window is empty."""
        if self.valid_to is None:
            return False
        start = self.revivals[-1].revived_at if self.revivals else self.valid_from
        return self.valid_to <= now or (start is not None and self.valid_to <= start)

    def state_at(self, true_at: Instant) -> State:
        """How the record stands at a moment of world time."""
        if not self.revivals and self.valid_from is not None and self.valid_from <= true_at:
            # The ordinary case, without building a set: every row on a screen asks.
            if self.valid_to is None or true_at < self.valid_to:
                return "in_force"
            return "superseded" if self.superseded_by else "forgotten"
        validity = self.validity()
        if validity.contains(true_at):
            return "in_force"
        if validity and true_at < validity.intervals[0].start:
            return "not_yet"
        if self.valid_to is not None and true_at >= self.valid_to and self.superseded_by:
            return "superseded"
        return "forgotten"


GENERAL = "general"
"""The area of a memory that names none: about nothing in particular."""


def area_of(kind: str, content: Content) -> str | None:
    """What a record is about; a memory that does not say is about `general`."""
    return content.area or (GENERAL if kind in MEMORY_KINDS else None)


CONTENT_FIELDS: tuple[str, ...] = tuple(f.name for f in fields(Content))
