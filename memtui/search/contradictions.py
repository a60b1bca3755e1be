"""Which memories contradict another in a belief state: what the badge, the filter and the lanes tell."""

from __future__ import annotations

import threading
from collections.abc import Set

import numpy as np
from numpy.typing import NDArray

from memtui.cognition.claims import stated, topic_of
from memtui.cognition.contradiction import contradicting
from memtui.model.instants import Instant
from memtui.model.proposals import Stated
from memtui.model.records import MEMORY_KINDS, RecordKey
from memtui.search.corpus import Corpus
from memtui.store.columns import CLAIMS, KIND_CODE, REVIVED

_KEPT = 8
"""Sets of claims in force whose contradictions are kept: the present, and where a slider goes back and forth."""
_NONE: frozenset[int] = frozenset()


class Contradictions:
    """The version rows that contradict another of their partition. Thread-safe.

    They depend on which claims are in force and on nothing else, so a clock that goes on costs nothing until one begins
    or ends.
    """

    def __init__(self, corpus: Corpus, many: Set[str]) -> None:
        self._corpus, self._many = corpus, many
        columns = corpus.columns
        memories = np.isin(columns.kind, [KIND_CODE[kind] for kind in MEMORY_KINDS])
        self._claiming = memories & ((columns.flags & CLAIMS) != 0)
        self._lock = threading.Lock()
        self._known: dict[bytes, frozenset[int]] = {}
        self._last: tuple[tuple[Instant, Instant], frozenset[int]] | None = None

    def rows(self, known_at: Instant, true_at: Instant) -> frozenset[int]:
        """The version rows of memories in force that contradict another at a belief state."""
        last = self._last  # read once: another thread may ask something else
        if last is not None and last[0] == (known_at, true_at):
            return last[1]
        found = self._found(known_at, true_at)
        self._last = (known_at, true_at), found
        return found

    def among(self, rows: NDArray[np.int64], known_at: Instant, true_at: Instant) -> NDArray[np.bool_]:
        """Which of some version rows do. Shape: (len(rows),)."""
        found = self.rows(known_at, true_at)
        return np.isin(rows, np.fromiter(found, np.int64, len(found)))

    def _found(self, known_at: Instant, true_at: Instant) -> frozenset[int]:
        if not self._claiming.any():
            return _NONE
        columns = self._corpus.columns
        rows = columns.rows_at(known_at)
        rows = rows[self._claiming[rows]]
        rows = rows[columns.in_force(rows, true_at)]
        if len(rows) < 2:  # nobody contradicts himself
            return _NONE
        place = rows.tobytes() + repr(self._stretches(rows, true_at)).encode()
        found = self._known.get(place)
        if found is None:
            found = self._worked_out(rows, true_at)
            with self._lock:
                if len(self._known) >= _KEPT:
                    del self._known[next(iter(self._known))]
                self._known[place] = found
        return found

    def _stretches(self, rows: NDArray[np.int64], true_at: Instant) -> list[int]:
        """Of the versions that are true in several stretches, in which one the moment lies."""
        columns = self._corpus.columns
        revived = rows[(columns.flags[rows] & REVIVED) != 0].tolist()
        return [sum(start <= true_at for start, _ in columns.gaps[row]) for row in revived]

    def _worked_out(self, rows: NDArray[np.int64], true_at: Instant) -> frozenset[int]:
        row_of: dict[RecordKey, int] = {}
        topics: dict[tuple[str, object], list[Stated]] = {}
        for row, version in zip(rows.tolist(), self._corpus.versions(rows.tolist()), strict=True):
            row_of[version.key] = row
            for claim in stated(version.key, version.content, true_at):
                topics.setdefault((version.key.partition, topic_of(claim)), []).append(claim)
        found: set[int] = set()
        for (_, topic), claims in topics.items():
            for _, own in contradicting({topic: claims}, self._many):  # type: ignore[dict-item]
                found.update(row_of[claim.key] for claim in own)
        return frozenset(found)
