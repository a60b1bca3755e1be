"""What a search is asked, and what it gives back."""

from __future__ import annotations

from dataclasses import dataclass

from memtui.model.belief import NOW, BeliefState
from memtui.model.instants import Instant
from memtui.model.results import Fusion, Hit, Order, Understood
from memtui.model.versions import Version
from memtui.search.conditions import Condition, of_options
from memtui.search.dense import Meaning
from memtui.search.filters import RecordFilters
from memtui.search.provided import Provided
from memtui.text.analysis import query_terms
from memtui.text.query_language import in_words


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What is asked: the query, the belief state, the filters, and how many hits are wanted.

    The query is plain text; where it was read as the query language, `filters` holds what it says beyond words.
    """

    query: str
    limit: int = 5
    belief: BeliefState = NOW
    kinds: tuple[str, ...] = ()
    area: str | None = None
    tags: tuple[str, ...] = ()
    everything: bool = False
    """Also what is believed but not in force."""
    scoring_now: Instant | None = None
    """The present for recency and fading; moves neither clock."""
    ecphory: bool = False
    """Whether memories also answer by their circumstances and links; not while someone is typing."""
    counts_recalls: bool = False
    """Whether what was recalled before fades more slowly: so in a recall, not in a search."""
    meaning: Meaning | None = None
    """What the query means; None answers by words alone."""
    fusion: Fusion = "adaptive"
    order: Order = "relevance"
    """What the hits are sorted by, all of them, before the limit; those that no word ranks lie newest first."""
    provided: Provided | None = None
    """What a registered engine answered; it alone decides what is found then, and in which order."""
    filters: RecordFilters | None = None
    """The query's own filters; they and the others must all hold."""

    @property
    def positive(self) -> str:
        """What is looked for by words: the query with every other sign of its language blanked out."""
        return self.query if self.filters is None else self.filters.query.positive

    @property
    def words(self) -> str:
        """What is asked in words alone: the cue, and what an embedder is told. Empty where only filters ask."""
        return (in_words(self.query) if self.filters is None else self.filters.query.words).strip()

    @property
    def understood(self) -> Understood:
        """How the query was read, for who is answered."""
        return Understood(self.words) if self.filters is None else self.filters.query.understood()

    @property
    def asks_by_words(self) -> bool:
        """Whether there is anything to look for: not where only filters or signs ask."""
        return bool(self.words) and bool(query_terms(self.positive).terms)

    @property
    def topics(self) -> tuple[str, ...]:
        """The tags asked for."""
        return self.tags if self.filters is None else (*self.tags, *self.filters.topics)

    @property
    def looks_everywhere(self) -> bool:
        """Whether also records that are not in force are looked at."""
        return self.everything or (self.filters is not None and self.filters.out_of_force)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """What is asked of records' fields: records must be read to tell."""
        own = () if self.filters is None else self.filters.conditions
        return (*of_options(self.area, self.tags), *own)

    def admits(self, version: Version) -> bool:
        """Whether a record passes the filters that need its fields."""
        return all(condition.admits(version) for condition in self.conditions)

    @property
    def filters_fields(self) -> bool:
        """Whether any filter needs a record's fields."""
        return bool(self.conditions)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Ranked hits, and how many more match but are not in force."""

    hits: tuple[Hit, ...]
    hidden: int = 0
    filtered_out: int = 0
    """Where nothing passes: how many match the words and are left out by filters, phrases or exclusions."""
    fused: bool = False
    """Whether meaning had a say."""
    decided: bool = False
    """Whether words alone decide the first place, whatever meaning says."""
    by_meaning_alone: bool = False
    """Whether no word brought any of the hits, only their nearness in meaning."""
