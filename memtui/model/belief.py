"""The belief state: the two clocks every read is asked at."""

from __future__ import annotations

from dataclasses import dataclass

from memtui.model.instants import Instant


@dataclass(frozen=True, slots=True)
class BeliefState:
    """What was believed at `known_at` (transaction time) about the world at `true_at` (valid time).

    None stands for the present of that clock. When only `known_at` is given, the world is asked
    at that same moment, because a reader then would have meant their own present.
    """

    known_at: Instant | None = None
    true_at: Instant | None = None

    @property
    def is_present(self) -> bool:
        """Whether both clocks stand at the present."""
        return self.known_at is None and self.true_at is None

    def settle(self, present: Instant) -> tuple[Instant, Instant]:
        """Both clocks as instants: (known at, true at), given the present of the store."""
        known = present if self.known_at is None else self.known_at
        true = known if self.true_at is None else self.true_at
        return known, true


NOW = BeliefState()
"""The present on both clocks."""
