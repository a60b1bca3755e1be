"""What the Timeline shows in one belief state: the lanes and both clocks' axes, made by a worker and only read then."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from memtui.model.instants import Instant
from memtui.model.records import STATES, RecordKey, State
from memtui.model.results import RecordView
from memtui.model.versions import Version
from memtui.search.lanes import NOT_YET_KNOWN, Lanes
from memtui.tui.time_axis import TimeAxis

if TYPE_CHECKING:
    from memtui.search.chronicle import Chronicle


def _no_lanes() -> Lanes:
    nothing = np.zeros(0, dtype=np.int64)
    none = np.zeros(0, dtype=np.bool_)
    return Lanes(0, 0, nothing, nothing, np.zeros(0, dtype=np.int8), none, none)


@dataclass(frozen=True, slots=True)
class Timeline:
    """Lanes with what is needed to draw one: each by its place."""

    chronicle: Chronicle | None = None
    lanes: Lanes = field(default_factory=_no_lanes)
    known_axis: TimeAxis = field(default_factory=TimeAxis)
    true_axis: TimeAxis = field(default_factory=TimeAxis)
    in_force: int = 0
    """How many records the belief state holds true, whatever the lanes are."""

    def version(self, index: int) -> Version:
        """The version that is believed, of what is not known yet the first one."""
        return self._held.version(int(self.lanes.row[index]))

    @property
    def _held(self) -> Chronicle:
        if self.chronicle is None:
            raise LookupError("there is no lane without a history")
        return self.chronicle

    def key(self, index: int) -> RecordKey:
        """The record of a lane."""
        return self.version(index).key

    def is_known(self, index: int) -> bool:
        """Whether anybody had recorded it by then."""
        return int(self.lanes.state[index]) != NOT_YET_KNOWN

    def is_blind(self, index: int) -> bool:
        """Whether it may have been there before anybody recorded it."""
        return bool(self.lanes.blind[index])

    def is_contradicted(self, index: int) -> bool:
        """Whether another memory in force claims what cannot be so beside it."""
        return bool(self.lanes.contradicted[index])

    def state(self, index: int) -> State:
        """How it stands; of what is not known yet, how it would."""
        state = int(self.lanes.state[index])
        return STATES[state] if state != NOT_YET_KNOWN else self.record(index).state

    def record(self, index: int) -> RecordView:
        """A lane's record as it stands in the belief state."""
        row, contradicted = int(self.lanes.row[index]), self.is_contradicted(index)
        return self._held.record(row, self.lanes.true_at, contradicted=contradicted)

    def place_of(self, key: RecordKey | None) -> int | None:
        """The lane of a record."""
        number = None if key is None or self.chronicle is None else self.chronicle.numbers.get(key)
        return None if number is None else self.lanes.place_of(number)

    def first_known(self, key: RecordKey) -> Instant | None:
        """When a record was first recorded."""
        number = None if self.chronicle is None else self.chronicle.numbers.get(key)
        return None if number is None or self.chronicle is None else int(self.chronicle.first_known[number])

    def counted(self) -> Counter[str]:
        """How many lanes stand how: the states, `contradicted`, `unknown` and `blind`."""
        found: Counter[str] = Counter()
        for code, count in enumerate(np.bincount(self.lanes.state).tolist()):
            found["unknown" if code == NOT_YET_KNOWN else STATES[code]] = count
        contradicted = int(np.count_nonzero(self.lanes.contradicted))
        if contradicted:
            found["contradicted"] = contradicted
            found["in_force"] -= contradicted
        blind = int(np.count_nonzero(self.lanes.blind))
        if blind:
            found["blind"] = blind
            found["unknown"] -= blind
        return +found
