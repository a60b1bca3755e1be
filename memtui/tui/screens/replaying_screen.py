"""Replay: *known at* goes forward by itself, event by event, and a line says what each brought."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.timer import Timer

from memtui.tui import time_notes
from memtui.tui.messages import Told
from memtui.tui.screens.timeline_screen import TimelineScreen
from memtui.tui.state import Mode

if TYPE_CHECKING:
    from memtui.memory.memory import Memory
    from memtui.tui.keeping import Keeping

SPEEDS: tuple[int, ...] = (1, 4, 16)
"""Events a second of a replay."""


class ReplayingScreen(TimelineScreen, inherit_bindings=False):
    """A Timeline that can be played."""

    def __init__(self, memory: Memory, *, keeping: Keeping, sync_on_start: bool) -> None:
        super().__init__(memory, keeping=keeping, sync_on_start=sync_on_start)
        self._replay: Timer | None = None
        self._speed = SPEEDS[1]

    def action_show_mode(self, mode: Mode) -> None:
        """Show a mode; a replay is of the one that is left."""
        self.stop_replay()
        super().action_show_mode(mode)

    def action_clock_replay(self) -> None:
        """Play *known at* forward; from the beginning where it stands at the present."""
        axis = self.known_slider.axis
        if not len(axis.events):
            self.post_message(Told("Nothing was recorded yet, so there is nothing to replay.", "warning"))
            return
        self.stop_replay()
        if self.state.clocks.known is None:
            self.known_slider.move(axis.first)
        self._replay = self.set_interval(1 / self._speed, self._play_on)
        self._tell_replay()

    def action_clock_speed(self) -> None:
        """Choose the speed of the next replay."""
        self._speed = SPEEDS[(SPEEDS.index(self._speed) + 1) % len(SPEEDS)]
        self.post_message(Told(f"Replay goes by {self._speed} a second."))

    def on_any_key(self) -> bool:
        """A key was pressed; whether it only stopped the replay, and means nothing else."""
        replaying = self._replay is not None
        self.stop_replay()
        return replaying

    def stop_replay(self) -> None:
        """Stand still where the replay has come to."""
        if self._replay is not None:
            self._replay.stop()
            self._replay = None
            self.known_slider.note = ""

    def _play_on(self) -> None:
        if not self.lanes_follow:
            return  # what is shown comes first: a replay never outruns the eye
        self.known_slider.action_step(1)
        if self.known_slider.place is None:
            self.stop_replay()
        else:
            self._tell_replay()

    def _tell_replay(self) -> None:
        chronicle, known = self.lanes.timeline.chronicle, self.known_slider.place
        if chronicle is not None and known is not None:
            self.known_slider.note = time_notes.recorded(chronicle.recorded_in(known))
