"""What a search runs over: the numbers of all versions, postings, and a way to the texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from memtui.model.instants import Instant
from memtui.model.records import RecordKey
from memtui.model.versions import Version
from memtui.search.dense import DenseIndex
from memtui.search.postings import Postings
from memtui.store.columns import RecallColumns, VersionColumns
from memtui.store.postings import TextLengths
from memtui.store.vectors import Space
from memtui.text.analysis import QueryTerms


class Corpus(Protocol):
    """One consistent state of a store, held in memory or fetched for one query."""

    @property
    def partitions(self) -> tuple[str, ...]:
        """What is read: a partition named earlier shadows the records of the same kind and name in later ones."""
        ...

    @property
    def columns(self) -> VersionColumns:
        """One row per version."""
        ...

    @property
    def lengths(self) -> TextLengths:
        """One row per index row, `text_id` dense from 0."""
        ...

    @property
    def trouble(self) -> str | None:
        """Why the index could not be used, so that everything was scanned, as a clause; None where it was."""
        ...

    @property
    def last_stamp(self) -> Instant | None:
        """The latest transaction time of anything recorded, recalls included."""
        ...

    def recalls(self) -> RecallColumns:
        """The recall events that the reader of these partitions may count."""
        ...

    def postings(self, query: QueryTerms) -> tuple[Postings, Postings]:
        """Postings (texts, names) that hold at least what this query needs."""
        ...

    def dense(self, space: Space) -> DenseIndex | None:
        """The vectors of one space; None where they are not at hand."""
        ...

    def embedded(self, space: Space) -> int:
        """How many texts are embedded in a space, as far as it is at hand."""
        ...

    def versions(self, rows: Sequence[int]) -> Sequence[Version]:
        """The versions in these rows of `columns`, in order."""
        ...

    def names(self) -> Sequence[tuple[int, RecordKey, tuple[str, ...]]]:
        """(record number, key, latest aliases) of every record."""
        ...

    def find(self, names: Sequence[str]) -> Sequence[tuple[int, RecordKey, tuple[str, ...]]]:
        """The entries of `names()` that have one of these as their name or among their latest aliases."""
        ...

    def name_order(self) -> NDArray[np.int64]:
        """Each record's place (by its number in `columns.record`) in the order of name, then kind."""
        ...
