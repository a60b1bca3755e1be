"""What a caller of search or recall asks, made one request: the query read as its language, the options checked."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo

from memtui.memory.asking import Moment, clamp_limit, instant, kinds_of, order_of
from memtui.model.belief import BeliefState
from memtui.model.results import Order
from memtui.search.filters import RecordFilters
from memtui.search.request import SearchRequest
from memtui.text.query_language import parse

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
    query = query[:LONGEST_QUERY]
    filters = RecordFilters.of(parse(query, zone))
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
