"""Spelling: the words of a dictionary that are spelt nearly like one that is not in it.

Near means by optimal string alignment: letters added, left out, replaced, or changed about with a neighbour.
Most of a dictionary is ruled out by arithmetic: one such step changes a word's length by at most one, brings at most
one letter that was not there and takes away at most one.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from memtui.text.folding import fold_accents

SHORTEST = 4
"""Letters a word must have to be a mistyped one (spec page 4)."""
_LONG = 8
"""Letters from which two steps are allowed."""
_MOST_REMEMBERED = 512
_BITS_SET = np.unpackbits(np.arange(1 << 16, dtype=np.uint16).view(np.uint8).reshape(-1, 2), axis=1).sum(1, np.uint8)


def steps_allowed(spelling: str) -> int:
    """How many steps a spelling (with or without the mark `~`) may be away from what it is taken for; 0: never."""
    letters = spelling.removeprefix("~")
    if len(letters) < SHORTEST or not letters.isalpha():
        return 0
    return 1 if len(letters) < _LONG else 2


def lengths_near(spelling: str, most: int) -> tuple[int, int]:
    """The shortest and the longest a term near a spelling can be, in code points."""
    return len(spelling) - most, len(spelling) + most


class Spellings:
    """The words of one dictionary, accents folded, by length. Thread-safe; never changed once made."""

    def __init__(self, terms: Iterable[str]) -> None:
        words = [term for term in terms if term.removeprefix("~").isalpha()]
        # A form that folding lengthens (ß) is left to its stem: a term's length tells where to look for it.
        words = [word for word in words if word.isascii() or len(fold_accents(word)) == len(word)]
        folded = [fold_accents(word) for word in words]
        lengths = np.array([len(word) for word in folded], dtype=np.int64)
        order: list[int] = np.argsort(lengths, kind="stable").tolist()
        self._terms = [words[place] for place in order]
        self._folded = [folded[place] for place in order]
        self._lengths = lengths[order]
        self._letters = _letters_of(self._folded, self._lengths)
        self._remembered: dict[tuple[str, int], tuple[tuple[str, int], ...]] = {}

    def near(self, spelling: str, most: int) -> tuple[tuple[str, int], ...]:
        """(term, distance) of the terms at most `most` steps away. Stems (`~`) are near stems, forms near forms."""
        known = self._remembered.get((spelling, most))
        if known is None:
            known = self._look_for(spelling, most)
            if len(self._remembered) >= _MOST_REMEMBERED:
                self._remembered.clear()
            self._remembered[spelling, most] = known
        return known

    def _look_for(self, spelling: str, most: int) -> tuple[tuple[str, int], ...]:
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        shortest, longest = lengths_near(spelling, most)
        low, high = np.searchsorted(self._lengths, [shortest, longest + 1]).tolist()
        there = self._letters[low:high]
        (asked,) = _letters_of([spelling], np.array([len(spelling)]))
        near = (_count(there & ~asked) <= most) & (_count(~there & asked) <= most)
        places: list[int] = (low + np.flatnonzero(near)).tolist()
        if not places:
            return ()
        choices = [self._folded[place] for place in places]
        (distances,) = process.cdist([spelling], choices, scorer=OSA.distance, score_cutoff=most, dtype=np.uint8)
        marked = spelling.startswith("~")
        return tuple(
            (self._terms[place], distance)
            for place, distance in zip(places, distances.tolist(), strict=True)
            if distance <= most and self._terms[place].startswith("~") == marked
        )


def _letters_of(words: list[str], lengths: NDArray[np.int64]) -> NDArray[np.uint32]:
    """Which letters each word holds, one bit each (letters 32 code points apart share one). Shape: (words,)."""
    if not words:
        return np.zeros(0, dtype=np.uint32)
    codes = np.frombuffer("".join(words).encode("utf-32-le"), dtype=np.uint32)
    starts = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)[:-1]])
    return np.bitwise_or.reduceat(np.uint32(1) << (codes & np.uint32(31)), starts)


def _count(letters: NDArray[np.uint32]) -> NDArray[np.uint8]:
    return _BITS_SET[letters & np.uint32(0xFFFF)] + _BITS_SET[letters >> np.uint32(16)]
