"""Which records a query's own filters let pass: by columns and postings first, by their fields only where it must be.

Of one field several kinds, areas or ratings are choices, and so are `is:forgotten is:superseded`, which no record is
both; all else holds together. What is excluded may not hold at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from memtui.model.instants import Instant
from memtui.model.records import KINDS, STATES
from memtui.search.conditions import Condition, Group, Phrase, word_of
from memtui.search.lexical import LexicalMatch
from memtui.search.mask import BeliefMask
from memtui.search.postings import Postings
from memtui.search.priors import Priors
from memtui.store.columns import CAPTURED, KIND_CODE, PINNED, UNKNOWN, VersionColumns
from memtui.text.analysis import QueryTerm, query_terms
from memtui.text.phrases import spelled
from memtui.text.query_filters import Filter, MomentFilter
from memtui.text.query_language import Query

STALE_BELOW = 0.15
"""Retention below which a memory is stale (spec page 5)."""

_OUT_OF_FORCE = ("forgotten", "superseded")
_CHOICES = ("kind", "area", "rating")

Rows: TypeAlias = NDArray[np.int64]
Passing: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where records are looked at from: the versions, the moment of world time, and how present they are in mind."""

    columns: VersionColumns
    true_at: Instant
    now: Instant
    """The present from which `yesterday` counts: that of recency and fading."""
    priors: Callable[[Rows], Priors]
    contradicted: Callable[[Rows], Passing]


class RecordFilters:
    """The filters, phrases and exclusions of one query. Immutable; worked out once for all records."""

    def __init__(self, query: Query) -> None:
        self.query = query
        applied = query.filters
        self._on_columns = _grouped(asked for asked in applied if _is_on_columns(asked))
        self.conditions: tuple[Condition, ...] = (
            *_grouped(asked for asked in applied if not _is_on_columns(asked)),
            *(Phrase(spelled(phrase)) for phrase in query.phrases),
            *(Phrase(spelled(phrase), excludes=True) for phrase in query.excluded_phrases),
        )
        """What records must be read to tell."""
        wanted = [asked for asked in applied if not asked.excludes]
        self.out_of_force = any(asked.field == "is" and word_of(asked) in _OUT_OF_FORCE for asked in wanted)
        """Whether records that are not in force are asked for by name."""
        self.lists = query.everything or bool(applied)
        """Whether it asks for records also where no words do."""

    @classmethod
    def of(cls, query: Query) -> RecordFilters | None:
        """The filters of a query; None where it is nothing but words."""
        return None if query.plain and not query.ignored and not query.unread else cls(query)

    def kinds_within(self, kinds: tuple[str, ...]) -> tuple[str, ...]:
        """Those of the kinds (none: all) that can pass; as given where that says nothing."""
        groups = [group for group in self._on_columns if group.field == "kind"]
        passing = tuple(kind for kind in kinds or KINDS if all(group.holds(kind) for group in groups))
        return passing if groups and passing else kinds

    def texts(self, texts: Postings, names: Postings, size: int) -> Passing:
        """The index rows whose words can pass: they hold the words of every phrase, and none that is excluded."""
        passing = self.without_excluded(texts, size)
        terms = [term for phrase in self.query.phrases for term in query_terms(phrase).terms]
        tokens = {token for term in terms for token in _needed(term)}
        texts.need(tokens)
        names.need(tokens)
        for token in tokens:
            held = np.zeros(size, dtype=np.bool_)
            held[texts.find(token).text_id] = True
            held[names.find(token).text_id] = True
            passing &= held
        return passing

    def without_excluded(self, texts: Postings, size: int) -> Passing:
        """The index rows that hold no word that is excluded."""
        excluded = [query_terms(word).terms for word in self.query.excluded]
        texts.need({term.score_tokens[0] for terms in excluded for term in terms})
        passing = np.ones(size, dtype=np.bool_)
        for terms in excluded:
            if terms:
                passing &= ~_holding_all(texts, terms, size)
        return passing

    def passing(self, rows: Rows, standing: Standing) -> Passing:
        """Which version rows pass as far as columns tell. Shape: (len(rows),)."""
        passing = np.ones(len(rows), dtype=np.bool_)
        for group in self._on_columns:
            held = np.zeros(len(rows), dtype=np.bool_)
            for asked in group.filters:
                held |= _on_columns(asked, rows, standing)
            passing &= ~held if group.excludes else held
        return passing

    @cached_property
    def topics(self) -> tuple[str, ...]:
        """The tags asked for: topics of the cue."""
        return tuple(word_of(asked) for asked in self.query.filters if asked.field == "tag" and not asked.excludes)


def narrowed(
    filters: RecordFilters,
    mask: BeliefMask,
    match: LexicalMatch,
    postings: tuple[Postings, Postings],
    standing: Standing,
    *,
    lists: bool,
) -> tuple[BeliefMask, LexicalMatch]:
    """The mask and the match of a search without what the filters leave out, as far as words and columns tell.

    With `lists` all that passes is a candidate, whatever was matched. The statistics of the mask stay.
    """
    passing = filters.texts(*postings, len(mask.visible))
    shown = np.flatnonzero(mask.visible & passing)
    shown = shown[filters.passing(mask.row_of_text[shown], standing)]
    visible = np.zeros_like(mask.visible)
    visible[shown] = True
    hidden = np.flatnonzero(mask.hidden_row_of_text >= 0) if lists else match.hidden
    hidden = hidden[passing[hidden]]
    hidden = hidden[filters.passing(mask.hidden_row_of_text[hidden], standing)]
    candidates = shown if lists else match.candidates[visible[match.candidates]]
    return replace(mask, visible=visible), replace(match, candidates=candidates, hidden=hidden)


def _grouped(filters: Iterable[Filter]) -> list[Group]:
    groups: dict[tuple[object, ...], list[Filter]] = {}
    for place, asked in enumerate(filters):
        state = asked.field == "is" and word_of(asked) in _OUT_OF_FORCE
        choice = asked.excludes or state or asked.field in _CHOICES
        groups.setdefault((asked.field, asked.excludes, state, None if choice else place), []).append(asked)
    return [Group(members[0].field, members[0].excludes, tuple(members)) for members in groups.values()]


def _is_on_columns(asked: Filter) -> bool:
    return isinstance(asked, MomentFilter) or asked.field in ("kind", "is")


# --- By columns ----------------------------------------------------------------------------------


def _on_columns(asked: Filter, rows: Rows, standing: Standing) -> Passing:
    """Which rows a filter that columns can answer holds for."""
    columns = standing.columns
    if isinstance(asked, MomentFilter):
        recorded = asked.field in ("recorded-before", "recorded-after")
        moments = (columns.recorded_at if recorded else columns.valid_from)[rows]
        earlier = asked.field in ("before", "recorded-before")
        moment = asked.at(standing.now)
        return (moments < moment if earlier else moments >= moment) & (moments != UNKNOWN)
    word = word_of(asked)
    if asked.field == "kind":
        return columns.kind[rows] == KIND_CODE[word]
    match word:
        case "pinned":
            return (columns.flags[rows] & PINNED) != 0
        case "capture":
            return (columns.flags[rows] & CAPTURED) != 0
        case "contradicted":
            return standing.contradicted(rows)
        case "stale":
            priors = standing.priors(rows)
            stale = np.zeros(len(rows), dtype=np.bool_)
            stale[priors.fading] = priors.retention < STALE_BELOW
            return stale
        case _:
            state = next(place for place, state in enumerate(STATES) if state == word)
            return columns.states(rows, standing.true_at) == state


# --- By postings ---------------------------------------------------------------------------------


def _needed(term: QueryTerm) -> Sequence[str]:
    """What a text that holds a term must hold: of a compound, which may stand inside a longer one, its parts."""
    return [own[0] for own in term.parts] or [term.score_tokens[0]]


def _holding_all(texts: Postings, terms: Sequence[QueryTerm], size: int) -> Passing:
    held = np.ones(size, dtype=np.bool_)
    for term in terms:
        own = np.zeros(size, dtype=np.bool_)
        own[texts.find(term.score_tokens[0]).text_id] = True
        held &= own
    return held
