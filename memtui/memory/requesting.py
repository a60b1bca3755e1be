"""What a caller of search or recall asks, made one request: the query read as its language, the options checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import tzinfo

from memtui.memory.asking import Moment, clamp_limit, instant, kinds_of, order_of
from memtui.model.belief import BeliefState
from memtui.model.results import Order
from memtui.search.filters import RecordFilters
from memtui.search.request import SearchRequest
from memtui.text.query_language import Query, parse

LONGEST_QUERY = 4_000
"""Characters of a query that are read: more words than that say nothing more."""


def search_request(
    query: str,
    belief: BeliefState,
    zone: tzinfo,
    *,
    k: int,
    kinds: Sequence[str] | str | None = None,
    area: str | None = None,
    tags: Sequence[str] | None = None,
    now: Moment | None = None,
    order: Order = "relevance",
    everything: bool,
) -> SearchRequest:
    """The request: what the query asks and what the options ask must both hold.

    No query makes it fail. Raises InvalidInput for an unknown kind among `kinds`, a `now` that is no moment, and an
    order there is not.
    """
    query, asked = _read(query, zone)
    filters = RecordFilters.of(asked)
    wanted = kinds_of(kinds)
    return SearchRequest(
        query=query,
        limit=clamp_limit(k),
        belief=belief,
        kinds=wanted if filters is None else filters.kinds_within(wanted),
        area=area,
        tags=tuple(tags or ()),
        everything=everything,
        scoring_now=instant(now, zone, "now"),
        order=order_of(order),
        filters=filters,
    )


def _read(query: str, zone: tzinfo) -> tuple[str, Query]:
    """What of a query is read, up to a blank where it is too long, and what it asks."""
    read = query[:LONGEST_QUERY]
    if len(query) > len(read):
        # No word is cut in two, unless that would leave too much unread.
        blank = max(read.rfind(" "), read.rfind("\n"))
        read = read[:blank] if blank > LONGEST_QUERY // 2 else read
    asked = parse(read, zone)
    return read, replace(asked, unread=len(query) - len(read)) if len(query) > len(read) else asked
