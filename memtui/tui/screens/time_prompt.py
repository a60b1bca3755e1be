"""Typing a time: what it means is said with each key, and enter goes there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from memtui.errors import InvalidInput
from memtui.model.instants import Instant
from memtui.text.moments import age, local
from memtui.text.spoken_dates import Spoken, read_when
from memtui.tui.display import harmless
from memtui.tui.time_axis import Place, TimeAxis
from memtui.tui.widgets.pane_rule import PaneRule

_LONGEST = 60
"""Characters: no way to say a time takes more."""
_EXAMPLES = "2026-08-01 · 2026-08-01 14:30 · yesterday · 3 weeks ago · last month · 6w · now"


def meant(text: str, axis: TimeAxis) -> Instant:
    """The moment that is meant. Raises InvalidInput that says what may be written."""
    when = read_when(text, axis.zone)
    return when.at(axis.now) if isinstance(when, Spoken) else when


@dataclass
class TimeWanted(Message):
    """A time should be typed; `then` is told the place, or None where it was given up."""

    prompt: TimePrompt
    then: Callable[[tuple[Place] | None], None]


class TimePrompt(ModalScreen["tuple[Place] | None"], inherit_bindings=False):
    """Asks for a time of one clock. Dismissed with the place, or with None where it was given up."""

    BINDINGS = [  # noqa: RUF012 - Textual reads it off the class
        Binding("escape", "give_up", "Close", id="prompt.close", tooltip="Stay where you are."),
        Binding("ctrl+q", "app.quit", "Quit", id="prompt.quit", tooltip="Leave memtui."),
    ]

    def __init__(self, name_shown: str, axis: TimeAxis, place: Place) -> None:
        super().__init__()
        self._label, self._axis, self._place = name_shown, axis, place

    def compose(self) -> ComposeResult:
        """A line to type into, and what it means below."""
        with Vertical(id="time-prompt"):
            rule = PaneRule([self._label.capitalize()], id="time-rule")
            rule.note = "enter goes there, esc stays"
            rule.add_class("-focused")
            yield rule
            yield Input(placeholder="a date or how long ago", id="time-typed", max_length=_LONGEST)
            yield Static(Content(_EXAMPLES), id="time-meant")

    def on_mount(self) -> None:
        """Type at once."""
        self.query_one(Input).focus()

    @on(Input.Changed)
    def _tell(self, event: Input.Changed) -> None:
        said = self._told(event.value)
        self.query_one("#time-meant", Static).update(Content(harmless(said)))

    def _told(self, text: str) -> str:
        if not text.strip():
            return _EXAMPLES
        try:
            instant = meant(text, self._axis)
        except InvalidInput as error:
            return f"{error.message} {error.hint or ''}"
        if self._is_ahead(instant):
            return f"{self._exactly(instant)}: nobody knows yet what will be known then."
        return self._exactly(instant)

    def _exactly(self, instant: Instant) -> str:
        if instant == self._axis.now:
            return "now"
        ago = age(instant, self._axis.now)
        ago = "just now" if ago == "now" else ago if ago.startswith("in ") else f"{ago} ago"
        return f"{local(instant, self._axis.zone, time='%H:%M:%S')}  ·  {ago}"

    def _is_ahead(self, instant: Instant) -> bool:
        return instant > self._axis.now and not self._axis.ahead

    @on(Input.Submitted)
    def _go(self, event: Input.Submitted) -> None:
        if not event.value.strip():
            self.dismiss(None)
            return
        try:
            instant = meant(event.value, self._axis)
        except InvalidInput:
            return  # why is said below what was typed
        if not self._is_ahead(instant):
            self.dismiss((self._axis.place_of(instant),))

    def action_give_up(self) -> None:
        """Stay where the clock is."""
        self.dismiss(None)
