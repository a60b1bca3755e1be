"""A census: how many records a belief state knows, of what, since when, and how present the fading ones are in mind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memtui.model.instants import Instant
from memtui.model.records import KINDS, STATES
from memtui.search.searcher import Searcher

_IN_FORCE = STATES.index("in_force")


@dataclass(frozen=True, slots=True, eq=False)  # arrays are not compared
class Census:
    """The records of one belief state, counted."""

    known_at: Instant
    true_at: Instant
    kinds: Mapping[str, Mapping[str, int]]
    """By partition, then by kind: how many are in force. What there is none of is left out."""
    states: Mapping[str, int]
    """How many are believed, by how they stand."""
    first_known: NDArray[np.int64]
    """When each record that is believed was first recorded, rising."""
    retention: NDArray[np.float64]
    """How present each memory in force that fades is in mind, in (0, 1]."""

    @property
    def in_force(self) -> int:
        """How many records hold."""
        return sum(sum(counts.values()) for counts in self.kinds.values())


def census_of(searcher: Searcher, known_at: Instant, true_at: Instant) -> Census:
    """Count what a searcher holds as it was believed at `known_at` of the world at `true_at`.

    Retention is as of `known_at`.
    """
    columns = searcher.corpus.columns
    believed = columns.rows_at(known_at)
    states = columns.states(believed, true_at)
    rows = believed[states == _IN_FORCE]
    kinds: dict[str, dict[str, int]] = {}
    for code, partition in enumerate(columns.partitions):
        counts = np.bincount(columns.kind[rows[columns.partition[rows] == code]], minlength=len(KINDS)).tolist()
        if any(counts):
            kinds[partition] = {kind: counts[place] for place, kind in enumerate(KINDS) if counts[place]}
    told = np.bincount(states, minlength=len(STATES)).tolist()
    _, retention = searcher.presence(rows, known_at)
    first_known = columns.recorded_at[searcher.first_rows[columns.record[believed]]]
    return Census(
        known_at,
        true_at,
        kinds,
        {state: told[place] for place, state in enumerate(STATES) if told[place]},
        np.sort(first_known),
        retention,
    )
