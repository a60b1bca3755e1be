"""Who is alike by words: which of many word sets share enough with one, without comparing each with each.

Two sets whose Jaccard index reaches t share at least c·(|A| + |B|) words, c = t / (1 + t). So with words in one order,
rarest first, they must share one so early in both that enough may still come: prefix, size and position filters
(Chaudhuri, Ganti and Kaushik 2006; Bayardo, Ma and Srikant 2007; Xiao, Wang, Lin and Yu 2008). What passes is compared
word by word. Sets that are equal are one set here, so copies cost nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, count

import numpy as np
from numpy.typing import NDArray

VISITED_PER_MEMORY = 8_000
"""Entries that may be visited for each memory on average."""
_VISITED_ANYWAY = 200_000_000
"""Entries that may be visited however few memories there are: two seconds or so."""
_LAST_RESORT = 1_000
"""Entries that each memory may still visit when the others have used up everything."""
_SHORT = 64
"""Entries of a list that are rather all looked at than searched for where to end."""

_ROUNDING = 1e-9
"""What floating point may be off by; filters let that much more through."""

Numbers = NDArray[np.int64]
Shares = NDArray[np.float64]
_NONE: Numbers = np.zeros(0, dtype=np.int64)
_NO_SHARES: Shares = np.zeros(0, dtype=np.float64)


@dataclass(slots=True)
class Work:
    """How much was looked at, and whether that was all there was to look at.

    One unit is about one number read from an array; what takes longer counts as several.
    """

    visited: int = 0
    cut: bool = False
    most: int | None = None
    """How much may be visited before each memory has to make do with a small share; set with the number of memories."""

    def begin(self, memories: int) -> None:
        """Allow what so many memories may take, unless it is set already."""
        if self.most is None:
            self.most = max(VISITED_PER_MEMORY * memories, _VISITED_ANYWAY)

    def allowed(self, share: int = _LAST_RESORT) -> int:
        """How much one memory may visit now: all there is left, at least its share."""
        return max((self.most or 0) - self.visited, share)


class WordIndex:
    """Word sets of some groups, each set numbered by its place; only sets of one group are alike.

    Places are numbered in the order in which they are taken: where something is left out for want of time, it depends
    on nothing else. Raises ValueError unless 0 < threshold <= 1.
    """

    def __init__(self, sets: Sequence[frozenset[str]], groups: Sequence[int], *, threshold: float, work: Work) -> None:
        if not 0 < threshold <= 1:
            raise ValueError(f"a Jaccard index to reach lies in (0, 1]: {threshold}")
        self._threshold, self._work = threshold, work
        self._least = threshold / (1 + threshold)
        distinct: dict[tuple[int, frozenset[str]], int] = {}
        own = [distinct.setdefault(both, len(distinct)) for both in zip(groups, sets, strict=True)]
        self._set_of = np.array(own, dtype=np.int64)
        self.taken = np.zeros(len(sets), dtype=np.bool_)
        """Which places are alike to nobody any more."""
        self._copies = np.argsort(self._set_of, kind="stable")
        self._left = np.bincount(self._set_of, minlength=len(distinct))
        self._copies_from, self._copied = _starts(self._left)[:-1], self._left.copy()

        self._sizes = np.array([len(words) for _, words in distinct], dtype=np.int64)
        self._from = _starts(self._sizes)
        self._words, self._held = _numbered(list(distinct), self._sizes)
        self._marks = np.zeros(len(self._held), dtype=np.bool_)
        self._last = np.zeros(len(self._sizes), dtype=np.int64)
        fewest = np.ceil(threshold * self._sizes - _ROUNDING).astype(np.int64)
        # How many of its words, from the rarest on, one must be that a set shares with whom it is alike to.
        self._prefixes = np.minimum(self._sizes - fewest + 1, self._sizes)
        self._index()

    def _index(self) -> None:
        """For each word the sets that have it early enough, those with most to come first."""
        positions = np.arange(len(self._words)) - np.repeat(self._from[:-1], self._sizes)
        owners = np.repeat(np.arange(len(self._sizes)), self._sizes)
        # A word that one set has alone brings nobody together.
        early = (positions < self._prefixes[owners]) & (self._held[self._words] > 1)
        words, owners, positions = self._words[early], owners[early], positions[early]
        sizes = self._sizes[owners]
        # Negative, and so rising, is what a set can share from here on beyond its own part in what must be shared.
        lack = self._least * sizes - (sizes - positions)
        order = np.lexsort((lack, words))
        self._owners, self._lack = owners[order], lack[order]
        lengths = np.bincount(words, minlength=len(self._held))
        self._begins = _starts(lengths)[:-1]
        self._ends = self._begins + lengths
        self._gone = np.zeros(len(self._held), dtype=np.int64)

    def take(self, place: int) -> None:
        """From now on this one, not taken before, is alike to nobody."""
        self.taken[place] = True
        own = self._set_of[place]
        self._left[own] -= 1
        if not self._left[own]:
            start = self._from[own]
            self._gone[self._words[start : start + self._prefixes[own]]] += 1

    def alike(self, place: int) -> tuple[Numbers, Shares]:
        """The places not taken, rising, whose sets reach the threshold with that of a place, and their Jaccard indices.

        A place is alike to itself until it is taken; one without words is alike to nobody.
        """
        own = int(self._set_of[place])
        size = int(self._sizes[own])
        if not size:
            return _NONE, _NO_SHARES
        sets = self._candidates(own, size)
        shares = _NO_SHARES
        if len(sets):
            sets, shares = self._reaching(own, size, sets)
        if self._left[own]:
            sets, shares = np.append(sets, own), np.append(shares, 1.0)
        if not len(sets):
            return _NONE, _NO_SHARES
        places, found = self._places_of(sets)
        if len(sets) == 1:
            return places, shares[found]
        order = places.argsort()
        return places[order], shares[found[order]]

    def _places_of(self, sets: Numbers) -> tuple[Numbers, Numbers]:
        """The places of some sets that are not taken, as many as may be looked at; and of which of the sets each is."""
        for own in sets[2 * self._left[sets] < self._copied[sets]].tolist():
            begin = int(self._copies_from[own])
            copies = self._copies[begin : begin + int(self._copied[own])]
            copies[: int(self._left[own])] = copies[~self.taken[copies]]
            self._copied[own] = self._left[own]
        counts = self._copied[sets]
        over = counts.cumsum() - self._work.allowed()
        if over[-1] > 0:
            self._work.cut = True
            counts = np.maximum(counts - np.maximum(over, 0), 0)
        places = self._copies[_stretches(self._copies_from[sets], counts)]
        self._work.visited += len(places)
        free = ~self.taken[places]
        return places[free], np.repeat(np.arange(len(sets)), counts)[free]

    def _candidates(self, own: int, size: int) -> Numbers:
        """Other sets with places left that may share enough with one; as many as may be compared."""
        start = self._from[own]
        words = self._words[start : start + self._prefixes[own]]
        self._drop_gone(words)
        begins, ends = self._begins[words], self._ends[words]
        listed = (ends > begins).nonzero()[0]
        left = self._work.allowed()
        lists: list[Numbers] = []
        positions: list[int] = []
        for position in listed.tolist():
            reaching = self._with_room(int(begins[position]), int(ends[position]), size)
            if len(reaching) > left:
                self._work.cut = True
                break
            left -= len(reaching)
            lists.append(reaching)
            positions.append(position)
        if not lists:
            return _NONE
        owners = np.concatenate(lists)
        self._work.visited += len(owners)
        # Who has more words than this could not share enough of them from here on.
        most = (size - np.array(positions)) / self._least - size + _ROUNDING
        close = self._sizes[owners] <= most.repeat([len(reaching) for reaching in lists])
        close &= (self._left[owners] > 0) & (owners != own)
        return self._comparable(self._once(owners[close]), left)

    def _with_room(self, begin: int, end: int, size: int) -> Numbers:
        """Of the sets listed for a word those with enough to come to share enough with one of so many words."""
        if end - begin > _SHORT:
            end = begin + int(self._lack[begin:end].searchsorted(_ROUNDING - self._least * size, side="right"))
        return self._owners[begin:end]

    def _once(self, sets: Numbers) -> Numbers:
        """Each of some sets once: where it was listed last."""
        at = np.arange(len(sets))
        self._last[sets] = at
        return sets[self._last[sets] == at]

    def _comparable(self, sets: Numbers, left: int) -> Numbers:
        """As many of some sets as may be compared word by word."""
        until = int(self._sizes[sets].cumsum().searchsorted(left, side="right"))
        if until < len(sets):
            self._work.cut = True
        return sets[:until]

    def _reaching(self, own: int, size: int, candidates: Numbers) -> tuple[Numbers, Shares]:
        """Those of some sets that share enough words with one, and their Jaccard indices."""
        words = self._words[self._from[own] : self._from[own + 1]]
        sizes = self._sizes[candidates]
        self._marks[words] = True
        marked = self._marks[self._words[_stretches(self._from[candidates], sizes)]]
        self._marks[words] = False
        self._work.visited += len(marked)
        shared = np.add.reduceat(marked, sizes.cumsum() - sizes, dtype=np.int64)
        jaccard = shared / (size + sizes - shared)
        reached = jaccard >= self._threshold
        return candidates[reached], jaccard[reached]

    def _drop_gone(self, words: Numbers) -> None:
        """Leave those that are taken out of the lists of which they are the half or more."""
        lengths = self._ends[words] - self._begins[words]
        for word in words[(2 * self._gone[words] >= lengths) & (lengths > 0)].tolist():
            begin, end = int(self._begins[word]), int(self._ends[word])
            free = self._left[self._owners[begin:end]] > 0
            kept = begin + int(np.count_nonzero(free))
            self._owners[begin:kept] = self._owners[begin:end][free]
            self._lack[begin:kept] = self._lack[begin:end][free]
            self._ends[word], self._gone[word] = kept, 0


def _starts(lengths: Numbers) -> Numbers:
    """Where each of some stretches begins, and after them where all end."""
    return np.concatenate([[0], np.cumsum(lengths)])


def _stretches(starts: Numbers, lengths: Numbers) -> Numbers:
    """The numbers from each start on, as many as its length, one stretch after the other; one at least."""
    ends = lengths.cumsum()
    return np.arange(int(ends[-1])) + np.repeat(starts - (ends - lengths), lengths)


def _numbered(sets: Sequence[tuple[int, frozenset[str]]], sizes: Numbers) -> tuple[Numbers, Numbers]:
    """All words of all sets as numbers, set after set, each with the rarest first; and how many sets have each.

    A word of another group is another word. Words equally rare go by the alphabet.
    """
    following = count()
    numbers: defaultdict[int, defaultdict[str, int]] = defaultdict(lambda: defaultdict(following.__next__))
    total = int(sizes.sum())
    flat = np.fromiter(
        chain.from_iterable(map(numbers[group].__getitem__, own) for group, own in sets), np.int64, total
    )
    held = np.bincount(flat)
    # What one set has alone comes first, in whatever order: it is never compared.
    several = sorted(
        (int(held[number]), word, group)
        for group, words in numbers.items()
        for word, number in words.items()
        if held[number] > 1
    )
    order = np.concatenate(
        [np.flatnonzero(held == 1), np.array([numbers[group][word] for _, word, group in several], dtype=np.int64)]
    )
    rank = np.empty(len(held), dtype=np.int64)
    rank[order] = np.arange(len(held))
    ranked = rank[flat]
    return ranked[np.lexsort((ranked, np.repeat(np.arange(len(sizes)), sizes)))], held[order]
