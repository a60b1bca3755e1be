"""Making timelines: how every record stands in a belief state, newest wish only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from memtui.model.belief import BeliefState
from memtui.model.instants import Instant
from memtui.model.records import RecordKey
from memtui.search.lanes import LaneOrder
from memtui.tui.messages import TimelineReady, Troubled, WhenLearned
from memtui.tui.newest_only import NewestOnly
from memtui.tui.time_axis import TimeAxis
from memtui.tui.timeline import Timeline
from memtui.tui.workers.background import Background

if TYPE_CHECKING:
    from memtui.memory.memory import Memory


@dataclass(frozen=True, slots=True)
class TimelineWish:
    """One timeline to be made."""

    sequence: int
    belief: BeliefState
    order: LaneOrder = "first-known"
    lasting: bool = False
    """Without what has been or is not known yet."""
    keys: Sequence[RecordKey] | None = None
    """The records that get a lane, in their order; None: all."""


class Timelining:
    """Answers wishes with TimelineReady."""

    def __init__(self, background: Background, memory: Memory) -> None:
        self._background = background
        self._memory = memory
        self._lane = NewestOnly[TimelineWish](background.host, "timeline", self._answer)

    def make(self, wish: TimelineWish) -> None:
        """Make a timeline, unless a newer one is wanted before."""
        self._lane.ask(wish)

    def find(self, key: RecordKey) -> None:
        """Say when a record was first recorded."""

        def work() -> None:
            self._background.tell(WhenLearned(key, Timeline(self._memory.chronicle()).first_known(key)))

        self._background.start("when-learned", work)

    def look(self, since: Instant, then: Callable[[], None]) -> None:
        """Do something if a moment has passed since at which something begins or ends to be true."""

        def work() -> None:
            turns = self._memory.chronicle().all_turns
            low, high = np.searchsorted(turns, [since, self._memory.present()], side="right").tolist()
            if high > low:
                then()

        self._background.start("time", work)

    def _answer(self, wish: TimelineWish) -> None:
        def work() -> None:
            made = self._made(wish)
            if not self._lane.superseded:
                self._background.tell(TimelineReady(wish.sequence, made))

        trouble = self._background.trouble_of(work, "timeline")
        if trouble is not None:
            self._background.tell(Troubled(trouble))

    def _made(self, wish: TimelineWish) -> Timeline:
        chronicle = self._memory.chronicle()
        present = self._memory.present()
        known_at, true_at = wish.belief.settle(present)
        numbers = chronicle.numbers
        records = None if wish.keys is None else [numbers[key] for key in wish.keys if key in numbers]
        lanes = chronicle.lanes(known_at, true_at, order=wish.order, records=records, lasting=wish.lasting)
        zone = self._memory.zone
        return Timeline(
            chronicle,
            lanes,
            TimeAxis(chronicle.transactions, present, zone=zone),
            TimeAxis(chronicle.turns(known_at), present, ahead=True, zone=zone, spanned=chronicle.all_turns),
            chronicle.in_force(known_at, true_at),
        )
