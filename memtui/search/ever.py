"""Searching what was ever believed: texts of the past, whatever has become of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from memtui.model.instants import Instant
from memtui.model.results import RecordView, Snippet
from memtui.model.versions import Version
from memtui.search.lexical import LexicalPlane
from memtui.search.mask import ever_believed
from memtui.search.passages import Passages
from memtui.search.ranking import best_first, words_worth
from memtui.search.request import SearchRequest
from memtui.search.searcher import Searcher
from memtui.text.analysis import query_terms


def search_ever(
    searcher: Searcher, request: SearchRequest, present: Instant
) -> Iterator[tuple[int, Version, Callable[[RecordView], Snippet]]]:
    """Texts that were ever believed up to the request's `known_at`, best first.

    Where the request names a `true_at`, only those that some version held true at that moment.
    Each as its index row, the version that brought it, and a maker of snippets.
    """
    corpus, policy = searcher.corpus, searcher.policy
    query = query_terms(request.query)
    known_at, _ = request.belief.settle(present)
    mask = ever_believed(corpus.columns, corpus.lengths, known_at=known_at, true_at=request.belief.true_at)
    texts, names = corpus.postings(query)
    match = LexicalPlane(texts, names, mask, policy).match(query)
    rows = mask.row_of_text[match.candidates]
    order = best_first(
        words_worth(match, match.candidates, policy),
        corpus.columns.recorded_at[rows],
        lambda: corpus.name_order()[corpus.columns.record[rows]],
        request.limit,
    )
    snip = Passages(match).by_words
    versions = corpus.versions([int(rows[place]) for place in order])
    for place, version in zip(order.tolist(), versions, strict=True):
        yield int(match.candidates[place]), version, snip
