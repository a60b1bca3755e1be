"""Where the two clocks of the interface stand: one value from which the belief state of the whole program follows."""

from __future__ import annotations

from dataclasses import dataclass, replace

from memtui.model.belief import BeliefState
from memtui.model.instants import Instant
from memtui.tui.time_axis import Place


@dataclass(frozen=True, slots=True)
class Clocks:
    """*Known at* and *true at*; None is the present. Linked clocks stand together as far as that makes sense.

    A `true` of None goes with *known at*: what was believed then is asked about that very moment.
    """

    known: Place = None
    true: Place = None
    linked: bool = True

    @property
    def belief(self) -> BeliefState:
        """What they mean for every read."""
        return BeliefState(self.known, self.true)

    @property
    def is_present(self) -> bool:
        """Whether both stand at the present."""
        return self.belief.is_present

    @property
    def true_place(self) -> Place:
        """Where *true at* stands."""
        return self.known if self.true is None else self.true

    def moved_known(self, place: Place, now: Instant) -> Clocks:
        """*Known at* was moved; `now` is the present that a *true at* left behind stays at."""
        if self.linked:
            return replace(self, known=place, true=None)
        left_behind = now if self.true_place is None else self.true_place
        return replace(self, known=place, true=None if place == left_behind else left_behind)

    def moved_true(self, place: Place, now: Instant) -> Clocks:
        """*True at* was moved. What will be true nobody can have known before now: there linked clocks part."""
        if not self.linked:
            aimed = now if place is None else place
            return replace(self, true=None if place == self.known else aimed)
        if place is not None and place > now:
            return replace(self, known=None, true=place)
        return replace(self, known=place, true=None)

    def with_link(self, *, linked: bool) -> Clocks:
        """Linked or not; a link takes *true at* to where *known at* stands."""
        return replace(self, linked=linked, true=None if linked else self.true)

    def at_present(self) -> Clocks:
        """Both back to now."""
        return replace(self, known=None, true=None)
