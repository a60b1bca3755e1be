"""Which versions pass a condition on their fields: told once and kept, so that typing on reads nothing again."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from memtui.model.versions import Version
from memtui.search.conditions import Condition, Phrase, fields_of
from memtui.text.phrases import spelled

FAILS, UNKNOWN, PASSES = 0, 1, 2
"""Of several verdicts the least holds for all together."""

Told: TypeAlias = NDArray[np.int8]

_MOST_CONDITIONS = 32
_MOST_CHARACTERS = 16_000_000
"""Characters of spelled texts that are kept for the next phrase: some tens of MB at most."""


class Verdicts:
    """Of one corpus' versions: a verdict per condition and version row, filled in as versions are read.

    Thread-safe: a verdict is the same whoever works it out, only what is kept is counted under a lock.
    """

    def __init__(self, rows: int) -> None:
        self._rows = rows
        self._lock = threading.Lock()
        self._kept: dict[Condition, Told] = {}
        self._spelled: dict[int, tuple[str, ...]] = {}
        self._room = _MOST_CHARACTERS

    def on(self, conditions: Sequence[Condition]) -> Admission:
        """The verdicts of conditions that must all hold."""
        return Admission(self, tuple((condition, self._of(condition)) for condition in conditions))

    def _of(self, condition: Condition) -> Told:
        with self._lock:
            # Last in order is last used: what is typed now stays, what was typed on the way here goes.
            kept = self._kept.pop(condition, None)
            if kept is None:
                kept = np.full(self._rows, UNKNOWN, dtype=np.int8)
                if len(self._kept) >= _MOST_CONDITIONS:
                    del self._kept[next(iter(self._kept))]
            self._kept[condition] = kept
            return kept

    def judge(self, condition: Condition, row: int, version: Version) -> bool:
        """Whether the version in a row passes."""
        if not isinstance(condition, Phrase):
            return condition.admits(version)
        texts = self._spelled.get(row)
        if texts is None:
            written = fields_of(version)
            if not condition.may_stand_in(written):
                return condition.excludes
            texts = tuple([spelled(text) for text in written])
            self._keep(row, texts)
        return condition.stands_in(texts) != condition.excludes

    def _keep(self, row: int, texts: tuple[str, ...]) -> None:
        characters = sum(map(len, texts))
        with self._lock:
            if characters <= self._room and row not in self._spelled:
                self._room -= characters
                self._spelled[row] = texts


@dataclass(frozen=True, slots=True)
class Admission:
    """What is known of which versions pass all of some conditions, and a way to know the rest."""

    _verdicts: Verdicts
    _told: tuple[tuple[Condition, Told], ...]

    def told(self, rows: NDArray[np.int64]) -> Told:
        """What is known of version rows without reading any: PASSES, FAILS or UNKNOWN. Shape: (len(rows),)."""
        known = np.full(len(rows), PASSES, dtype=np.int8)
        for _, verdicts in self._told:
            np.minimum(known, verdicts[rows], out=known)
        return known

    def admits(self, row: int, version: Version) -> bool:
        """Whether the version in a row passes; known from now on."""
        for condition, verdicts in self._told:
            verdict = int(verdicts[row])
            if verdict == UNKNOWN:
                verdict = PASSES if self._verdicts.judge(condition, row, version) else FAILS
                verdicts[row] = verdict
            if verdict == FAILS:
                return False
        return True
