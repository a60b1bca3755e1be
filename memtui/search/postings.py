"""Postings held in memory: lookup by term and by prefix over one or more segments."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from memtui.search.spelling import Spellings
from memtui.store.postings import Occurrences, PostingBlock

LAST_CHARACTER = "\U0010ffff"


@dataclass(frozen=True, slots=True)
class TermPostings:
    """Where one term occurs: index rows and occurrences, plain and field-weighted. Shapes: (p,)."""

    text_id: NDArray[np.int32]
    count: Occurrences
    weighted: Occurrences


@dataclass(frozen=True, slots=True)
class GatheredPostings:
    """Where several terms occur, all at once: `term` is the place in what was asked for. Shapes: (p,)."""

    term: NDArray[np.int64]
    text_id: NDArray[np.int64]
    weighted: Occurrences


_NOWHERE = TermPostings(np.zeros(0, np.int32), np.zeros(0, np.uint16), np.zeros(0, np.uint16))


class Segment:
    """One block of postings with its dictionary; never changed once made."""

    def __init__(self, block: PostingBlock) -> None:
        self.block = block

    @cached_property
    def spellings(self) -> Spellings:
        """The words of the dictionary by their spelling, made when one is first missed."""
        return Spellings(self.block.terms)

    def place_of(self, term: str) -> int | None:
        """The dictionary place of a term, or None."""
        terms = self.block.terms
        place = bisect_left(terms, term)
        return place if place < len(terms) and terms[place] == term else None

    def find(self, term: str) -> TermPostings | None:
        """The postings of a term, or None."""
        place = self.place_of(term)
        if place is None:
            return None
        return self._slice(int(self.block.offsets[place]), int(self.block.offsets[place + 1]))

    def gather(self, terms: Sequence[str]) -> GatheredPostings:
        """The postings of several terms, term by term; of those it does not hold there are none."""
        block = self.block
        held = [(i, place) for i, term in enumerate(terms) if (place := self.place_of(term)) is not None]
        asked, places = np.array(held, dtype=np.int64).reshape(-1, 2).T
        starts, ends = block.offsets[places], block.offsets[places + 1]
        spans = [slice(start, end) for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
        return GatheredPostings(
            np.repeat(asked, ends - starts),
            np.concatenate([block.text_id[span] for span in spans] or [block.text_id[:0]]).astype(np.int64),
            np.concatenate([block.weighted[span] for span in spans] or [block.weighted[:0]]),
        )

    def range_of(self, prefix: str) -> tuple[int, int]:
        """The dictionary places `[low, high)` of the terms that begin with a prefix."""
        terms = self.block.terms
        low = bisect_left(terms, prefix)
        return low, bisect_left(terms, prefix + LAST_CHARACTER, low)

    def visible_counts(self, low: int, high: int, visible: NDArray[np.bool_]) -> NDArray[np.int64]:
        """In how many visible rows each of the terms at places `[low, high)` occurs."""
        offsets = self.block.offsets
        start = int(offsets[low])
        seen = visible[self.block.text_id[start : int(offsets[high])]].astype(np.int64)
        return np.add.reduceat(seen, offsets[low:high] - start)

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

    def need(self, terms: Iterable[str]) -> None:
        """Be ready to find terms that the query itself does not name. Here they all are."""

    def near(self, spelling: str, most: int) -> dict[str, int]:
        """Term → distance of the dictionary's words at most `most` steps from a spelling, visible or not."""
        return dict(pair for segment in self.segments for pair in segment.spellings.near(spelling, most))

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

    def gather(self, terms: Sequence[str]) -> GatheredPostings:
        """The postings of several terms over all segments."""
        first, *others = (segment.gather(terms) for segment in self.segments)
        if not others:
            return first
        parts = (first, *others)
        return GatheredPostings(
            np.concatenate([part.term for part in parts]),
            np.concatenate([part.text_id for part in parts]),
            np.concatenate([part.weighted for part in parts]),
        )
