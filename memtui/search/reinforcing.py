"""Reinforcement: what recalls have made of memories, worked out once for each and kept until one is recalled again."""

from __future__ import annotations

import threading
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memtui.cognition.decay import Reinforcement, reinforced
from memtui.cognition.policy import MemoryPolicy
from memtui.model.instants import Instant
from memtui.search.lexical import Scores
from memtui.store.columns import RecallColumns, VersionColumns

_KEPT_STATES = 4
"""States of the event log kept per corpus: the present, and where a slider stands."""


@dataclass(frozen=True, slots=True)
class _State:
    """What the first events of the log made of each version. Shapes: (versions,); rows count where `done`."""

    stability: Scores
    last: NDArray[np.int64]
    done: NDArray[np.bool_]


class Reinforcements:
    """How versions stand after the recalls of their records. Thread-safe.

    `stability` is the authored one of every version. Most memories were never recalled: they cost nothing.
    """

    def __init__(
        self, columns: VersionColumns, stability: Scores, recalls: RecallColumns, policy: MemoryPolicy
    ) -> None:
        self._columns, self._stability, self._recalls, self._policy = columns, stability, recalls, policy
        here = np.flatnonzero(recalls.record < columns.records)  # others were recalled of what is not read here
        order = here[np.argsort(recalls.record[here], kind="stable")]
        self._times = recalls.recorded_at[order]
        self._bounds = np.searchsorted(recalls.record[order], np.arange(columns.records + 1))
        self._recalled = (self._bounds[1:] > self._bounds[:-1])[columns.record]
        self._lock = threading.Lock()
        self._states: dict[int, _State] = {}

    def followed_by(self, recalls: RecallColumns) -> Reinforcements:
        """The same versions after more recalls: only what was recalled since is worked out anew."""
        later = Reinforcements(self._columns, self._stability, recalls, self._policy)
        before = len(self._recalls)
        known = self._states.get(before)
        same = np.array_equal(recalls.record[:before], self._recalls.record)
        if known is not None and same and np.array_equal(recalls.recorded_at[:before], self._recalls.recorded_at):
            untouched = ~np.isin(self._columns.record, recalls.record[before:])
            state = later._begin()
            kept = np.flatnonzero(known.done & untouched)
            state.stability[kept], state.last[kept], state.done[kept] = known.stability[kept], known.last[kept], True
            later._states[len(recalls)] = state
        return later

    def of_rows(self, rows: NDArray[np.int64], known_at: Instant) -> tuple[Scores, NDArray[np.int64]]:
        """Stability in days, and when each version was last reinforced, after the recalls up to `known_at`."""
        state = self._state(int(np.searchsorted(self._recalls.recorded_at, known_at, side="right")))
        for row in rows[self._recalled[rows] & ~state.done[rows]].tolist():
            after = self.of(row, known_at)
            state.stability[row], state.last[row] = after.stability, after.last
            state.done[row] = True  # last: another thread may be reading
        return state.stability[rows], state.last[rows]

    def of_each(self, rows: NDArray[np.int64], known_at: Instant) -> list[Reinforcement]:
        """How versions stand after the recalls of their records up to `known_at`, in the order asked."""
        recalled: list[bool] = self._recalled[rows].tolist()
        plain = zip(self._stability[rows].tolist(), self._columns.reinforced_at[rows].tolist(), strict=True)
        return [
            self.of(row, known_at) if was else Reinforcement(max(self._policy.shortest_stability, lasting), since, 0)
            for row, was, (lasting, since) in zip(rows.tolist(), recalled, plain, strict=True)
        ]

    def of(self, row: int, known_at: Instant) -> Reinforcement:
        """How one version stands after the recalls of its record up to `known_at`."""
        record = int(self._columns.record[row])
        times = self._times[self._bounds[record] : self._bounds[record + 1]]
        counted = times[: int(np.searchsorted(times, known_at, side="right"))].tolist()
        since = int(self._columns.reinforced_at[row])
        return reinforced(float(self._stability[row]), since, counted, self._policy)

    def _state(self, events: int) -> _State:
        state = self._states.get(events)
        if state is None:
            state = self._begin()
            with self._lock:
                if len(self._states) >= _KEPT_STATES:
                    del self._states[next(iter(self._states))]
                state = self._states.setdefault(events, state)
        return state

    def _begin(self) -> _State:
        since = self._columns.reinforced_at
        return _State(self._stability.copy(), since.copy(), np.zeros(len(since), dtype=np.bool_))
