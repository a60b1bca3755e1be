"""What the steps of one search hand on: what is asked of which state, and what may answer it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import tzinfo
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from memtui.model.instants import Instant
from memtui.search.association import Association
from memtui.search.dense import DensePlane
from memtui.search.filters import Standing
from memtui.search.lexical import LexicalMatch
from memtui.search.mask import BeliefMask
from memtui.search.provided import ProvidedPlane
from memtui.search.request import SearchRequest
from memtui.search.verdicts import Admission

Places: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Asked:
    """A request before one belief state: what its words match there, under what its own filters leave visible."""

    request: SearchRequest
    mask: BeliefMask
    match: LexicalMatch
    matching: int
    """How many match the words, whatever filters leave out."""
    admission: Admission
    standing: Standing
    known_at: Instant
    zone: tzinfo
    """The reader's."""
    has_words: bool
    lists: bool
    """Whether it asks for what passes, without any words to rank it."""

    @property
    def now(self) -> Instant:
        """The present of recency and fading."""
        return self.standing.now


@dataclass(frozen=True, slots=True)
class Candidates:
    """What may be a hit, and what has a say in its rank beside the words. Shapes: (n,)."""

    text_ids: Places
    rows: Places
    """The version row of each."""
    associated: Mapping[int, Association]
    dense: DensePlane | None
    provided: ProvidedPlane | None
    near: Places
    """What meaning brings, whatever words do."""

    def only(self, places: Places | NDArray[np.bool_]) -> Candidates:
        """Those in some places."""
        return replace(self, text_ids=self.text_ids[places], rows=self.rows[places])

    def by_meaning_alone(self, match: LexicalMatch) -> bool:
        """Whether meaning brought some of them, and no word any."""
        return self.provided is None and len(self.near) > 0 and not _meet(match.candidates, self.text_ids)


def with_brought(candidates: Places, *brought: Places) -> Places:
    """The candidates by words, and those that only an association or their meaning brings."""
    # Not by `np.unique`, which loads all of masked arrays when it is first asked.
    others = np.sort(np.concatenate(brought))
    others = others[np.diff(others, prepend=-1) > 0]
    return np.concatenate([candidates, others[~np.isin(others, candidates)]]) if len(others) else candidates


def _meet(some: Places, others: Places) -> bool:
    """Whether two sets of small numbers share one."""
    if not len(some) or not len(others):
        return False
    held = np.zeros(max(int(some.max()), int(others.max())) + 1, dtype=np.bool_)
    held[some] = True
    return bool(held[others].any())
