"""Merge candidates: groups of memories that say the same, each around the one that could stand for all.

Memories are gone through in the order in which they may survive; each that is not yet taken takes all that are alike to
it. That is the same as taking the connected groups of what is alike, keeping of each its best member and those that
reach the threshold with it, and beginning again with the others, without ever comparing each with each.

Who is alike by words is found by prefix and position filters (Chaudhuri, Ganti, Kaushik 2006; Xiao et al., PPJoin,
2008): with words in one order, rarest first, two sets that share enough must share a word early on in both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from memtui.model.instants import Instant
from memtui.model.intervals import ValiditySet
from memtui.model.records import RecordKey

MOST_TERMS = 12
"""Shared words that are told."""
VISITED_PER_MEMORY = 8_000
"""Index entries that may be visited on average; beyond, each memory looks only at its rarest words."""
_LAST_RESORT = 200
"""Index entries that each memory may still visit then."""
_TELL_EVERY = 256
"""Memories after which it is told how far the search is."""

_ROUNDING = 1e-9
"""What floating point may be off by."""

Places = NDArray[np.int64]
_NONE: Places = np.zeros(0, dtype=np.int64)


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


@dataclass(slots=True)
class Work:
    """How much was looked at, and whether that was all there was to look at."""

    visited: int = 0
    cut: bool = False


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
    each other), and whose words have a Jaccard index of at least `threshold`, in (0, 1], or that are near by meaning.
    The survivor has the highest confidence, then was recorded last, then is the first by name. `advanced` is told how
    many of how many memories were looked at; where it answers False the search ends.
    """
    work = Work() if work is None else work
    index = _WordIndex([memory.words for memory in memories], threshold, work)
    total = len(memories)
    order = sorted(range(total), key=lambda place: _rank(memories[place]))
    for done, place in enumerate(order):
        if done % _TELL_EVERY == 0 and not advanced(done, total):
            return
        if index.is_taken(place):
            continue
        index.take(place)
        words = index.alike(place)
        meanings = {} if nearness is None else dict(nearness.near(place))
        own = memories[place]
        found: list[int] = []
        for other in sorted(words.keys() | meanings.keys()):
            work.visited += 1
            if not index.is_taken(other) and _may_merge(own, memories[other]) and not apart(place, other):
                found.append(other)
        if not found:
            continue
        for other in found:
            index.take(other)
        found.sort(key=lambda other: (memories[other].key.name, memories[other].key.kind))
        yield Group(
            place,
            tuple(found),
            tuple(words.get(other, _jaccard(own.words, memories[other].words)) for other in found),
            tuple(meanings.get(other) for other in found),
        )
    advanced(total, total)


def shared_terms(words: Sequence[frozenset[str]]) -> tuple[str, ...]:
    """The words that all have, by the alphabet, at most `MOST_TERMS`."""
    shared: frozenset[str] = words[0] if words else frozenset()
    for own in words[1:]:
        shared &= own
    return tuple(sorted(shared)[:MOST_TERMS])


def _rank(memory: Mergeable) -> tuple[float, Instant, str, str]:
    return -memory.confidence, -memory.recorded_at, memory.key.name, memory.key.kind


def _may_merge(a: Mergeable, b: Mergeable) -> bool:
    return a.key[:2] == b.key[:2] and a.validity.overlaps(b.validity)


def _jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    shared = len(a & b)
    return shared / (len(a) + len(b) - shared) if shared else 0.0


class _WordIndex:
    """Word sets as numbers, rarest word first, and where each word stands early in a set."""

    def __init__(self, sets: Sequence[frozenset[str]], threshold: float, work: Work) -> None:
        self._threshold, self._work = threshold, work
        self._most = VISITED_PER_MEMORY * len(sets)
        self._sizes = np.array([len(own) for own in sets], dtype=np.int64)
        self._taken = np.zeros(len(sets), dtype=np.bool_)
        self._starts = np.concatenate([[0], np.cumsum(self._sizes)])
        self._words, vocabulary = _numbered(sets, self._sizes, self._starts)
        self._marks = np.zeros(vocabulary, dtype=np.bool_)
        self._postings = self._early(vocabulary)

    def _early(self, vocabulary: int) -> list[tuple[Places, Places] | None]:
        """For each word the sets that have it early enough, and at which position in each."""
        sizes = np.repeat(self._sizes, self._sizes)
        positions = np.arange(len(self._words)) - np.repeat(self._starts[:-1], self._sizes)
        owners = np.repeat(np.arange(len(self._sizes)), self._sizes)
        # Who shares enough with any set at all shares it from this position on, or earlier.
        early = positions <= sizes - np.ceil(self._threshold * sizes - _ROUNDING)
        words, owners, positions = self._words[early], owners[early], positions[early]
        order = np.argsort(words, kind="stable")
        words, owners, positions = words[order], owners[order], positions[order]
        bounds = np.searchsorted(words, np.arange(vocabulary + 1))
        return [
            (owners[start:end], positions[start:end]) if end > start else None
            for start, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
        ]

    def is_taken(self, place: int) -> bool:
        return bool(self._taken[place])

    def take(self, place: int) -> None:
        """From now on this one is alike to nobody."""
        self._taken[place] = True

    def alike(self, place: int) -> dict[int, float]:
        """The sets that are not taken and share enough words with one, each with its Jaccard index."""
        size = int(self._sizes[place])
        if not size:
            return {}
        words = self._words[self._starts[place] : self._starts[place + 1]]
        candidates = self._candidates(words, size)
        if not len(candidates):
            return {}
        self._marks[words] = True
        shared = self._shared(candidates)
        self._marks[words] = False
        jaccard = shared / (size + self._sizes[candidates] - shared)
        reached = jaccard >= self._threshold - _ROUNDING
        return dict(zip(candidates[reached].tolist(), jaccard[reached].tolist(), strict=True))

    def _candidates(self, words: Places, size: int) -> Places:
        """Sets that are not taken and may share enough: they have a word early on where there is enough to come."""
        last = size - int(np.ceil(self._threshold * size - _ROUNDING))
        early: list[tuple[int, int]] = []
        postings: list[tuple[Places, Places]] = []
        looked_at: list[int] = words[: last + 1].tolist()
        for at, word in enumerate(looked_at):
            posting = self._postings[word]
            if posting is not None:
                early.append((at, word))
                postings.append(posting)
        lengths = self._affordable([len(owners) for owners, _ in postings])
        if not lengths:
            return _NONE
        kept = len(lengths)
        owners = np.concatenate([owners for owners, _ in postings[:kept]])
        free = ~self._taken[owners]
        if 2 * int(np.count_nonzero(free)) < len(owners):
            self._drop_taken([word for _, word in early[:kept]])
        theirs = np.concatenate([positions for _, positions in postings[:kept]])[free]
        own = np.repeat([at for at, _ in early[:kept]], lengths)[free]
        owners = owners[free]
        sizes = self._sizes[owners]
        enough = np.ceil(self._threshold / (1 + self._threshold) * (size + sizes) - _ROUNDING)
        to_come = 1 + np.minimum(size - 1 - own, sizes - 1 - theirs)
        return self._comparable(np.unique(owners[to_come >= enough]))

    def _affordable(self, lengths: list[int]) -> list[int]:
        """The postings that may be visited, rarest words first: all, until there has been too much work."""
        if self._work.visited >= self._most:
            until = int(np.searchsorted(np.cumsum(lengths), _LAST_RESORT, side="right")) if lengths else 0
            self._work.cut |= until < len(lengths)
            lengths = lengths[:until]
        self._work.visited += sum(lengths)
        return lengths

    def _comparable(self, places: Places) -> Places:
        """The sets that may be compared word by word: all, until there has been too much work."""
        if self._work.visited >= self._most and len(places) > _LAST_RESORT:
            self._work.cut = True
            places = places[:_LAST_RESORT]
        return places

    def _drop_taken(self, words: Sequence[int]) -> None:
        """Leave those that are taken out of some postings: they are most of what is there."""
        for word in words:
            posting = self._postings[word]
            if posting is not None:
                free = ~self._taken[posting[0]]
                self._postings[word] = (posting[0][free], posting[1][free]) if free.any() else None

    def _shared(self, places: Places) -> NDArray[np.float64]:
        """How many marked words each of some sets has. All have one at least."""
        sizes = self._sizes[places]
        ends = np.cumsum(sizes)
        self._work.visited += int(ends[-1])
        at = np.arange(int(ends[-1])) + np.repeat(self._starts[places] - (ends - sizes), sizes)
        return np.add.reduceat(self._marks[self._words[at]].astype(np.float64), ends - sizes)


def _numbered(sets: Sequence[frozenset[str]], sizes: Places, starts: Places) -> tuple[Places, int]:
    """All words of all sets as numbers, set after set; in each the rarest word, of the lowest number, first."""
    numbers: dict[str, int] = {}
    flat = np.fromiter(
        (numbers.setdefault(word, len(numbers)) for own in sets for word in sorted(own)), np.int64, int(starts[-1])
    )
    names = list(numbers)
    counts = np.bincount(flat, minlength=len(names))
    by_rarity = sorted(range(len(names)), key=lambda number: (int(counts[number]), names[number]))
    rank = np.empty(len(names), dtype=np.int64)
    rank[by_rarity] = np.arange(len(names))
    ranked = rank[flat]
    owners = np.repeat(np.arange(len(sizes)), sizes)
    return ranked[np.lexsort((ranked, owners))], len(names)
