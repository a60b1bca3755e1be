"""The fetched corpus: for one-shot commands, which read only what one query needs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from memtui.model.instants import Instant
from memtui.model.records import RecordKey
from memtui.model.versions import Version
from memtui.search.dense import DenseIndex
from memtui.search.fetched_postings import FetchedPostings
from memtui.search.postings import Postings
from memtui.store.columns import RecallColumns, VersionColumns
from memtui.store.postings import TextLengths
from memtui.store.vectors import Space
from memtui.text.analysis import QueryTerms
from memtui.text.synonyms import SHIPPED

if TYPE_CHECKING:
    from memtui.search.scanned import IndexRows
    from memtui.store.port import IndexedReadUnit


class FetchedCorpus:
    """A corpus over an open read unit: every part is read when it is first asked for."""

    def __init__(self, unit: IndexedReadUnit, partitions: Sequence[str]) -> None:
        self._unit = unit
        self.partitions = tuple(partitions)
        self._dense: dict[Space, DenseIndex] = {}
        self._versions: dict[int, Version] = {}

    @property
    def columns(self) -> VersionColumns:
        """One row per version."""
        return self._columns

    @property
    def lengths(self) -> TextLengths:
        """One row per index row."""
        return self._lengths

    @property
    def trouble(self) -> str | None:
        """Why the index cannot be used, so that everything is scanned."""
        return self._trouble

    @property
    def last_stamp(self) -> Instant | None:
        """The latest transaction time of anything recorded, recalls included."""
        return self._last_stamp

    @cached_property
    def _columns(self) -> VersionColumns:
        return self._unit.columns(self.partitions)

    @cached_property
    def _lengths(self) -> TextLengths:
        return self._unit.text_lengths() if self.trouble is None else self._scanned.lengths

    @cached_property
    def _trouble(self) -> str | None:
        return self._unit.index_trouble()

    @cached_property
    def _scanned(self) -> IndexRows:
        from memtui.search.scanned import scanned  # hardly ever needed

        return scanned(self._unit.tail({}), str(self.trouble))

    @cached_property
    def _last_stamp(self) -> Instant | None:
        return self._unit.last_stamp()

    @cached_property
    def _recalls(self) -> RecallColumns:
        return self._unit.recall_columns(self.partitions)

    def recalls(self) -> RecallColumns:
        """The recall events of these readers."""
        return self._recalls

    def postings(self, query: QueryTerms) -> tuple[Postings, Postings]:
        """Only the postings of the query's tokens and of the word being typed.

        Those of shipped synonyms come along, which saves most queries a second look at the file. Where the index
        cannot be used, all postings.
        """
        if self.trouble is not None:
            return Postings([self._scanned.texts]), Postings([self._scanned.names])
        tokens: set[str] = set()
        for term in query.terms:
            tokens.update(term.score_tokens)
            tokens.add(term.exact)
            tokens.update(token for synonym in SHIPPED.of(term.score_tokens[0]) for token in synonym.tokens)
        prefixes: list[str] = [query.last, "~" + query.last] if query.last else []
        unit = self._unit
        texts = FetchedPostings(tokens, prefixes, fetch=unit.postings_of, words=unit.words)
        names = FetchedPostings(
            tokens, prefixes, fetch=lambda t, p: unit.identity_postings(t, prefixes=p), words=unit.words
        )
        return texts, names

    def dense(self, space: Space) -> DenseIndex | None:
        """The vectors of one space, read when they are first asked for."""
        if space not in self._dense:
            self._dense[space] = DenseIndex.load(self._unit, space)
        return self._dense[space]

    def embedded(self, space: Space) -> int:
        """How many texts are embedded in a space; their vectors are not read for that."""
        return self._unit.embedded(space)[0]

    def versions(self, rows: Sequence[int]) -> Sequence[Version]:
        """The versions in these rows: what was compared with a cue is often shown too, and read once."""
        columns = self.columns
        missing = [row for row in rows if row not in self._versions]
        places = [(columns.partitions[int(columns.partition[row])], int(columns.seq[row])) for row in missing]
        if missing:
            self._versions.update(zip(missing, self._unit.at_rows(places), strict=True))
        return [self._versions[row] for row in rows]

    def names(self) -> Sequence[tuple[int, RecordKey, tuple[str, ...]]]:
        """(record number, key, latest aliases) of every record."""
        return self._unit.names(self.partitions)

    def find(self, names: Sequence[str]) -> Sequence[tuple[int, RecordKey, tuple[str, ...]]]:
        """The records that have one of these as their name or among their latest aliases."""
        return self._unit.find(names, self.partitions)

    def name_order(self) -> NDArray[np.int64]:
        """Each record's place in the order of name, then kind."""
        return self._unit.name_order()
