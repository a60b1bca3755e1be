"""Merge candidates: groups of memories that say the same, each around the one that could stand for all.

Memories are gone through in the order in which they may survive; each that is not yet taken takes all that are alike to
it. That is the same as taking the connected groups of what is alike, keeping of each its best member and those that
reach the threshold with it, and beginning again with the others. Who is alike by words, `likeness` finds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from memtui.cognition.likeness import WordIndex, Work
from memtui.cognition.overlap import jaccard
from memtui.model.instants import Instant
from memtui.model.intervals import Interval, ValiditySet
from memtui.model.records import RecordKey

__all__ = ["Group", "Mergeable", "Nearness", "Work", "merge_groups", "shared_terms"]

MOST_TERMS = 12
"""Shared words that are told."""
_TELL_EVERY = 256
"""Memories after which it is told how far the search is."""
_ASKING = 400
"""What asking whether two memories contradict each other counts in units of work: it takes about as long."""
_ASKED_AT_LEAST = 10
"""Whom each memory may still ask about when all work is used up."""
_NEAR_PER_MEMORY = 20
"""Answers by meaning that are listened to, for each memory on average: twice as many as it has neighbours."""
_NEAR_ANYWAY = 200_000
"""Answers by meaning that are listened to however few memories there are."""
_NEVER = Interval(1, 0)

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Mergeable:
    """A memory in force as it is compared."""

    key: RecordKey
    words: frozenset[str]
    validity: ValiditySet
    confidence: float
    recorded_at: Instant


class Nearness(Protocol):
    """Who says the same by meaning."""

    def near(self, place: int) -> Sequence[tuple[int, float]]:
        """(place, cosine) of those that are near enough to the memory at a place."""
        ...


@dataclass(frozen=True, slots=True)
class Group:
    """Places of memories that say the same: `words` and `meanings` are of each other with the survivor."""

    survivor: int
    others: tuple[int, ...]
    """By name."""
    words: tuple[float, ...]
    meanings: tuple[float | None, ...]


def merge_groups(
    memories: Sequence[Mergeable],
    *,
    threshold: float,
    apart: Callable[[int, int], bool],
    nearness: Nearness | None = None,
    advanced: Callable[[int, int], bool] = lambda done, total: True,
    work: Work | None = None,
) -> Iterator[Group]:
    """The groups of memories that say the same, as they are found; no memory is in two.

    Alike are memories of one partition and kind whose validity shares an instant, which are not `apart` (contradict
    each other), and whose words have a Jaccard index of at least `threshold`, or that are near by meaning. The survivor
    has the highest confidence, then was recorded last, then is the first by name. `advanced` is told how many of how
    many memories were looked at; where it answers False the search ends. `work` tells afterwards how much was compared,
    and whether something had to be left out. Raises ValueError unless 0 < threshold <= 1.
    """
    total = len(memories)
    if not advanced(0, total):
        return
    grouping = _Grouping(memories, threshold, apart, nearness, Work() if work is None else work)
    for number in range(total):
        if number and number % _TELL_EVERY == 0 and not advanced(number, total):
            return
        group = grouping.around(number)
        if group is not None:
            yield group
    advanced(total, total)


def shared_terms(words: Sequence[frozenset[str]]) -> tuple[str, ...]:
    """The words that all have, by the alphabet, at most `MOST_TERMS`."""
    shared: frozenset[str] = words[0] if words else frozenset()
    for own in words[1:]:
        shared &= own
    return tuple(sorted(shared)[:MOST_TERMS])


class _Grouping:
    """Memories numbered in the order in which they may survive, and which of them are taken."""

    def __init__(
        self,
        memories: Sequence[Mergeable],
        threshold: float,
        apart: Callable[[int, int], bool],
        nearness: Nearness | None,
        work: Work,
    ) -> None:
        self._places = sorted(range(len(memories)), key=lambda place: _rank(memories[place]))
        self._numbers = {place: number for number, place in enumerate(self._places)}
        self._memories = [memories[place] for place in self._places]
        self._apart, self._nearness, self._work = apart, nearness, work
        self._near_left = max(_NEAR_PER_MEMORY * len(memories), _NEAR_ANYWAY)
        work.begin(len(memories))
        codes: dict[tuple[str, str], int] = {}
        self._kinds = [codes.setdefault(memory.key[:2], len(codes)) for memory in self._memories]
        words = [memory.words for memory in self._memories]
        self._index = WordIndex(words, self._kinds, threshold=threshold, work=work)
        lasting = [memory.validity.intervals or (_NEVER,) for memory in self._memories]
        self._starts = np.array([intervals[0].start for intervals in lasting], dtype=np.int64)
        self._bounds = np.array([intervals[-1].bound for intervals in lasting], dtype=np.int64)

    def around(self, own: int) -> Group | None:
        """The group of which a memory is the survivor; None where it is taken, or nobody is alike to it."""
        if self._index.taken[own]:
            return None
        self._index.take(own)
        numbers, shares = self._index.alike(own)
        words: dict[int, float] = {}
        if len(numbers):
            lasting = self._may_share_an_instant(own, numbers)
            words = dict(zip(numbers[lasting].tolist(), shares[lasting].tolist(), strict=True))
        meanings = {} if self._nearness is None else self._near(own, self._nearness)
        if not words and not meanings:
            return None
        found = self._standing(own, sorted(words.keys() | meanings.keys()) if meanings else list(words))
        if not found:
            return None
        for other in found:
            self._index.take(other)
        found.sort(key=lambda other: self._memories[other].key.name)
        mine = self._memories[own].words
        return Group(
            self._places[own],
            tuple(self._places[other] for other in found),
            tuple(words[other] if other in words else jaccard(mine, self._memories[other].words) for other in found),
            tuple(meanings.get(other) for other in found),
        )

    def _near(self, own: int, nearness: Nearness) -> dict[int, float]:
        """Who is not taken, of the same kind, and near by meaning, each with its cosine."""
        if self._near_left <= 0:
            self._work.cut = True
            return {}
        answered = nearness.near(self._places[own])
        self._near_left -= len(answered)
        self._work.visited += len(answered)
        found: dict[int, float] = {}
        for place, cosine in answered:
            other = self._numbers[place]
            if not self._index.taken[other] and self._kinds[own] == self._kinds[other]:
                found[other] = cosine
        return found

    def _may_share_an_instant(self, own: int, others: Numbers) -> NDArray[np.bool_]:
        """Whom a memory overlaps between its first and its last instant, gaps left aside."""
        latest = np.maximum(self._starts[own], self._starts[others])
        return latest < np.minimum(self._bounds[own], self._bounds[others])

    def _standing(self, own: int, others: list[int]) -> list[int]:
        """Who of some shares an instant with a memory and does not contradict it; as many as may be asked about."""
        asked = others[: self._work.allowed(_ASKING * _ASKED_AT_LEAST) // _ASKING]
        if len(asked) < len(others):
            self._work.cut = True
        self._work.visited += _ASKING * len(asked)
        place, validity = self._places[own], self._memories[own].validity
        return [
            other
            for other in asked
            if validity.overlaps(self._memories[other].validity) and not self._apart(place, self._places[other])
        ]


def _rank(memory: Mergeable) -> tuple[float, Instant, str, str, str]:
    """Who survives before whom; kind and partition only make the order complete."""
    return -memory.confidence, -memory.recorded_at, memory.key.name, memory.key.kind, memory.key.partition
