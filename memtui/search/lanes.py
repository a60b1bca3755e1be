"""Lanes: how records stand in one belief state, in an order. Values only: reading them needs nothing that searches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from memtui.model.instants import Instant
from memtui.model.records import STATES

LaneOrder = Literal["first-known", "area", "retention", "name"]
LANE_ORDERS: Final[tuple[LaneOrder, ...]] = get_args(LaneOrder)

NOT_YET_KNOWN: Final = len(STATES)
"""The place behind `STATES` of a record that nobody had recorded by then."""


@dataclass(frozen=True, slots=True)
class Lanes:
    """The records of a chronicle in an order, as they stand in one belief state. Shapes: (lanes,).

    `row` is the version that is believed, of what is not known yet its first one; `state` a place in `STATES`, or
    `NOT_YET_KNOWN`; `blind` tells of what is not known yet that it may have existed all the same.
    """

    known_at: Instant
    true_at: Instant
    record: NDArray[np.int64]
    row: NDArray[np.int64]
    state: NDArray[np.int8]
    blind: NDArray[np.bool_]
    contradicted: NDArray[np.bool_]
    """Whether another memory in force claims what cannot be so beside it."""

    def __len__(self) -> int:
        return len(self.record)

    def place_of(self, record: int) -> int | None:
        """Where a record, by number, stands among the lanes."""
        places = np.flatnonzero(self.record == record)
        return int(places[0]) if len(places) else None
