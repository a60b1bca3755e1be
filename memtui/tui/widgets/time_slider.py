"""A time slider: one clock as a track with the density of its events, dates below, and a handle to move through it.

It stands by itself: give it a `TimeAxis`, listen to `Moved`. It takes three lines (name and exact instant, track,
dates), or two where there is little room (the dates go), and is moved by keys, drag, click and wheel.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from memtui.model.instants import SECOND, Instant
from memtui.text.moments import age, local
from memtui.tui.actions import bindings_of
from memtui.tui.display import cut, width_of
from memtui.tui.time_axis import Place, TimeAxis, Unit
from memtui.tui.time_track import TimeTrack

_HEIGHTS = "▂▃▄▅▆▇█"
_EMPTY = "▁"
_HANDLE = "┃"
_ZOOM = 0.5


class TimeSlider(Widget, can_focus=True, inherit_bindings=False):
    """One clock. `place` is where it stands: an instant, or None for the present, which moves on by itself."""

    ALLOW_SELECT = False
    DEFAULT_CSS = "TimeSlider { height: 3; }"
    BINDINGS = bindings_of("slider")
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "time-slider--name", "time-slider--instant", "time-slider--past", "time-slider--note", "time-slider--before",
        "time-slider--after", "time-slider--rail", "time-slider--handle", "time-slider--date",
    }  # fmt: skip

    axis: reactive[TimeAxis] = reactive(TimeAxis())
    place: reactive[Place] = reactive(None)
    note: reactive[str] = reactive("")
    """What stands at the right end of the first line."""
    mark: reactive[Instant | None] = reactive(None)
    """A moment with a sign of its own on the track."""

    @dataclass
    class Moved(Message):
        """A person moved the handle."""

        slider: TimeSlider
        place: Place

        @property
        def control(self) -> TimeSlider:
            """The slider that was moved."""
            return self.slider

        def can_replace(self, message: Message) -> bool:
            """While it is dragged only where it is now matters."""
            return isinstance(message, TimeSlider.Moved) and message.slider is self.slider

    @dataclass
    class Zoomed(Message):
        """Another stretch of time is drawn."""

        slider: TimeSlider

        @property
        def control(self) -> TimeSlider:
            """The slider."""
            return self.slider

    def __init__(self, name_shown: str, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._label = name_shown
        self._zoomed: TimeTrack | None = None
        self._dragging = False

    # Where it stands

    @property
    def track(self) -> TimeTrack:
        """The stretch of time that is drawn: the whole, or the part of it that was zoomed into."""
        cells = max(self.size.width - 2, 1)
        here = self.axis.settled(self.place)
        if self._zoomed is None:
            whole = self.axis.whole(cells)
            return whole if whole.holds(here) else self.axis.everything(cells, here)
        zoomed = TimeTrack(self._zoomed.start, self._zoomed.end, cells)
        return zoomed.showing(here, self.axis.everything(cells, here))

    def move(self, place: Place) -> None:
        """Move the handle as a person does, and tell."""
        if place != self.place:
            self.place = place
            self.post_message(self.Moved(self, place))

    def action_step(self, steps: int, unit: Unit = "event") -> None:
        """Move by events, days or months."""
        self.move(self.axis.stepped(self.place, steps, unit))

    def action_first(self) -> None:
        """Go to the first event."""
        self.move(self.axis.first)

    def action_present(self) -> None:
        """Go to the present."""
        self.move(None)

    def action_zoom(self, steps: int) -> None:
        """Show half as long a stretch around the handle, or twice as long a one."""
        cells = max(self.size.width - 2, 1)
        whole, before = self.axis.whole(cells), self.track
        here = self.axis.settled(self.place)
        zoomed = before.zoomed(_ZOOM**steps, here, self.axis.everything(cells, here))
        # On the way out the usual stretch is a stop.
        self._zoomed = None if before.length < whole.length <= zoomed.length else zoomed
        self.refresh()
        self.post_message(self.Zoomed(self))

    # The mouse

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Take hold of the handle, wherever the track is pressed."""
        if event.button == 1 and event.y >= 1:
            self._dragging = True
            self.capture_mouse()
            self._move_to(event.x)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Drag it."""
        if self._dragging and not event.button:
            self.let_go()  # the button was released where nobody saw it
        elif self._dragging:
            self._move_to(event.x)

    def on_mouse_up(self) -> None:
        """Let go."""
        self.let_go()

    def on_blur(self) -> None:
        """Something else has the focus, such as what lies over the screen now."""
        self.let_go()

    def let_go(self) -> None:
        """End a drag."""
        if self._dragging:
            self._dragging = False
            self.release_mouse()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """One event later; with ctrl or shift a shorter stretch is shown."""
        self._wheeled(event, 1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """One event earlier; with ctrl or shift a longer stretch is shown."""
        self._wheeled(event, -1)

    def _wheeled(self, event: events.MouseEvent, step: int) -> None:
        event.stop()
        event.prevent_default()
        if event.ctrl or event.shift:
            self.action_zoom(step)
        else:
            self.action_step(step)

    def _move_to(self, x: int) -> None:
        track = self.track
        self.move(self.axis.snapped(track, min(max(x - 1, 0), track.cells - 1)))

    # Drawing

    def render_line(self, y: int) -> Strip:
        """Name and instant, track, dates."""
        match y:
            case 0:
                return self._first_line()
            case 1:
                return self._track_line()
            case 2:
                return self._dates_line()
            case _:
                return Strip.blank(self.size.width, self.rich_style)

    def _style(self, part: str) -> Style:
        return self.get_component_rich_style(f"time-slider--{part}")

    def _first_line(self) -> Strip:
        width = self.size.width
        at_present = self.place is None
        instant = self.axis.settled(self.place)
        said = "now" if at_present else exactly(instant, self.axis)
        ago = "" if at_present else f" · {_distance(instant, self.axis.now)}"
        name = f" {self._label}  "
        room = max(width - width_of(name), 0)
        said = cut(said, room)
        ago = ago if width_of(said) + width_of(ago) <= room else ""
        note = self.note if width_of(said) + width_of(ago) + width_of(self.note) + 3 <= room else ""
        gap = max(room - width_of(said) - width_of(ago) - width_of(note) - (1 if note else 0), 0)
        segments = [
            Segment(name, self._style("name")),
            Segment(said, self._style("instant" if at_present else "past")),
            Segment(ago, self._style("note")),
            Segment(" " * gap, self._style("note")),
            Segment(f"{note} " if note else "", self._style("note")),
        ]
        return Strip([segment for segment in segments if segment.text]).adjust_cell_length(width, self.rich_style)

    def _track_line(self) -> Strip:
        track, instant = self.track, self.axis.settled(self.place)
        counts = track.density(self.axis.events).tolist()
        most = math.log1p(max(counts, default=0)) or 1.0
        handle = track.cell_of(instant)
        mark = None if self.mark is None or not track.holds(self.mark) else track.cell_of(self.mark)
        rail, before, after = self._style("rail"), self._style("before"), self._style("after")
        cells: list[Segment] = []
        for cell, count in enumerate(counts):
            if cell == handle:
                cells.append(Segment(_HANDLE, self._style("handle")))
            elif cell == mark:
                cells.append(Segment("A", self._style("past")))
            elif count:
                # Logarithmic: one event shows beside a sync of thousands.
                height = _HEIGHTS[min(int(math.log1p(count) / most * len(_HEIGHTS)), len(_HEIGHTS) - 1)]
                cells.append(Segment(height, before if cell < handle else after))
            else:
                cells.append(Segment(_EMPTY, rail))
        events = self.axis.events
        earlier = len(events) and int(events[0]) < track.start
        later = len(events) and int(events[-1]) > track.end
        ends = ("‹" if earlier else " ", "›" if later else " ")
        return Strip([Segment(ends[0], rail), *cells, Segment(ends[1], rail)]).simplify()

    def _dates_line(self) -> Strip:
        text = ""
        for cell, label in self.track.ticks(self.axis.zone):
            text = text.ljust(cell + 1) + label
        return Strip([Segment(text, self._style("date"))]).adjust_cell_length(self.size.width, self.rich_style)


def exactly(instant: Instant, axis: TimeAxis) -> str:
    """An instant to the second, or as finely as it was stamped."""
    part = f"{instant % SECOND:06d}".rstrip("0")
    return local(instant, axis.zone, time="%H:%M:%S" + (f".{part}" if part else ""))


def _distance(instant: Instant, now: Instant) -> str:
    told = age(instant, now)
    return told if told == "now" or told.startswith("in ") else f"{told} ago"
