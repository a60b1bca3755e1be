"""Passages: what of a hit is shown as its answer to the query, and where in its text that stands.

The words choose the passage. Where a hit holds next to nothing of the query, what it says nearest to its meaning is
shown: the words that are there are marked within that, and without any it is shown from its first line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property, partial

import numpy as np

from memtui.model.records import MEMORY_KINDS, Content
from memtui.model.results import RecordView, Snippet
from memtui.search.dense import DenseIndex, Meaning
from memtui.search.lexical import LexicalMatch
from memtui.text.chunking import Chunk, chunks_of
from memtui.text.searchable import searchable
from memtui.text.snippets import make_snippet

SLIGHT = 0.25
"""Share of the query's idf mass below which what a hit holds of its words does not choose the passage."""


class Passages:
    """The passages of one search's hits, each made when it is first read.

    It holds arrays and no store: a passage can be read long after the search.
    """

    def __init__(self, match: LexicalMatch, meaning: Meaning | None = None, index: DenseIndex | None = None) -> None:
        self._match, self._meaning, self._index = match, meaning, index

    @cached_property
    def _weights(self) -> Mapping[str, float]:
        return self._match.weights()

    def of(self, text_id: int) -> Callable[[RecordView], Snippet]:
        """What makes the passage of one index row."""
        return partial(self._passage, text_id=text_id)

    def by_words(self, record: RecordView) -> Snippet:
        """The passage that holds most of the query's words; without any, the beginning."""
        content = record.content
        snippet = make_snippet(_passage_text(content.summary, content.body) or content.title or "", self._weights)
        return _within_body(snippet, content) if content.body else snippet

    def _passage(self, record: RecordView, *, text_id: int) -> Snippet:
        if self._index is None or self._meaning is None:
            return self.by_words(record)
        if self._match.understood(text_id) >= SLIGHT and (snippet := self.by_words(record)).spans:
            return snippet
        place, chunks = self._nearest(record, text_id, self._index, self._meaning)
        nearest = None if place is None else self._from_chunk(record.content, place, chunks[place])
        return self.by_words(record) if nearest is None else nearest

    def _nearest(
        self, record: RecordView, text_id: int, index: DenseIndex, meaning: Meaning
    ) -> tuple[int | None, tuple[Chunk, ...]]:
        """Which of a text's passages is nearest to the query; None where it has but one, or was cut otherwise."""
        vectors = index.vectors_of(text_id)
        if len(vectors) < 2:
            return None, ()
        key = record.key
        chunks = chunks_of(searchable(key, key.name, record.content), whole=key.kind in MEMORY_KINDS)
        place = int(np.argmax(vectors @ meaning.vector)) if len(chunks) == len(vectors) else None
        return place, chunks

    def _from_chunk(self, content: Content, place: int, chunk: Chunk) -> Snippet | None:
        """The passage within one chunk; None for one that holds nothing of the body, but what stands beside it."""
        body = content.body or ""
        if not body[chunk.start : chunk.end].strip():
            return None
        if place == 0:  # the summary belongs to the first of them
            return _within_body(make_snippet(_passage_text(content.summary, body[: chunk.end]), self._weights), content)
        snippet = make_snippet(body[chunk.start : chunk.end], self._weights)
        above = body.count("\n", 0, chunk.start)
        return snippet if snippet.line is None else replace(snippet, line=snippet.line + above)


def _passage_text(summary: str | None, body: str | None) -> str:
    """The text passages are cut from: the summary or description, then the body."""
    return "\n".join(part for part in (summary, body) if part)


def _within_body(snippet: Snippet, content: Content) -> Snippet:
    """The snippet of summary and body with its line told within the body, where a reader will look for it."""
    if snippet.line is None or not content.summary:
        return snippet
    return replace(snippet, line=max(1, snippet.line - content.summary.count("\n") - 1))
