"""Snippets that were made once: the second look at a query, and its answer after a change, need no new ones."""

from __future__ import annotations

import threading

from memtui.model.belief import BeliefState
from memtui.model.records import RecordKey
from memtui.model.results import Snippet
from memtui.tui.rows import Row

_QUERIES_KEPT = 2


class Passages:
    """Keeps the snippets of the queries asked last. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[tuple[str, BeliefState], dict[tuple[RecordKey, int], Snippet]] = {}

    def of(self, query: str, belief: BeliefState, row: Row) -> Snippet | None:
        """The snippet of a row, made if it has not been; None for a row that is no hit."""
        known = self.known(query, belief, row)
        if known is not None:
            return known
        made = row.passage()
        if made is not None:
            with self._lock:
                self._of_query(query, belief)[row.key, row.record.seq] = made
        return made

    def known(self, query: str, belief: BeliefState, row: Row) -> Snippet | None:
        """The snippet of a row, if it has been made."""
        if row.hit is None:
            return None
        with self._lock:
            return self._of_query(query, belief).get((row.key, row.record.seq))

    def _of_query(self, query: str, belief: BeliefState) -> dict[tuple[RecordKey, int], Snippet]:
        asked = query, belief
        if asked not in self._kept:
            while len(self._kept) >= _QUERIES_KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[asked] = {}
        return self._kept[asked]
