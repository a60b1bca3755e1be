"""Postings held in memory: lookup by term and by prefix over one or more segments."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memtui.store.postings import PostingBlock

LAST_CHARACTER = "\U0010ffff"


@dataclass(frozen=True, slots=True)
class TermPostings:
    """Where one term occurs: index rows and occurrences, plain and field-weighted. Shapes: (p,)."""

    text_id: NDArray[np.int64]
    count: NDArray[np.float32]
    weighted: NDArray[np.float32]


_NOWHERE = TermPostings(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32), np.zeros(0, dtype=np.float32))


class Segment:
    """One block of postings with its dictionary; never changed once made."""

    def __init__(self, block: PostingBlock) -> None:
        self.block = block
        self._place = {term: i for i, term in enumerate(block.terms)}

    def find(self, term: str) -> TermPostings | None:
        """The postings of a term, or None."""
        place = self._place.get(term)
        if place is None:
            return None
        return self._slice(int(self.block.offsets[place]), int(self.block.offsets[place + 1]))

    def range_of(self, prefix: str) -> tuple[int, int]:
        """The dictionary places `[low, high)` of the terms that begin with a prefix."""
        terms = self.block.terms
        low = bisect_left(terms, prefix)
        return low, bisect_left(terms, prefix + LAST_CHARACTER, low)

    def _slice(self, start: int, end: int) -> TermPostings:
        block = self.block
        return TermPostings(block.text_id[start:end], block.count[start:end], block.weighted[start:end])


class Postings:
    """The postings of an index: a large segment, and small ones for what came later."""

    def __init__(self, blocks: Sequence[PostingBlock]) -> None:
        self.segments = tuple(Segment(block) for block in blocks)

    def followed_by(self, block: PostingBlock) -> Postings:
        """The same postings and those of later index rows."""
        grown = Postings(())
        grown.segments = (*self.segments, Segment(block))
        return grown

    def find(self, term: str) -> TermPostings:
        """The postings of a term over all segments; empty if it occurs nowhere."""
        found = [postings for segment in self.segments if (postings := segment.find(term)) is not None]
        if not found:
            return _NOWHERE
        if len(found) == 1:
            return found[0]
        return TermPostings(
            np.concatenate([postings.text_id for postings in found]),
            np.concatenate([postings.count for postings in found]),
            np.concatenate([postings.weighted for postings in found]),
        )

    def completions(self, prefixes: Sequence[str], visible: NDArray[np.bool_], limit: int) -> list[tuple[str, int]]:
        """The most frequent terms under the mask that begin with a prefix: (term, visible df)."""
        frequency: dict[str, int] = {}
        for segment in self.segments:
            offsets = segment.block.offsets
            for prefix in prefixes:
                low, high = segment.range_of(prefix)
                if low == high:
                    continue
                start = int(offsets[low])
                seen = visible[segment.block.text_id[start : int(offsets[high])]].astype(np.int64)
                counts = np.add.reduceat(seen, offsets[low:high] - start)
                for place in np.flatnonzero(counts):
                    term = segment.block.terms[low + int(place)]
                    frequency[term] = frequency.get(term, 0) + int(counts[place])
        return sorted(frequency.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]
