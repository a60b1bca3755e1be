"""The completion menu: a few rows under the word that is being typed, over whatever lies there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Offset
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from memtui.tui.completing import Completing
from memtui.tui.display import fit, width_of

MOST_ROWS = 8
_WIDEST = 88
_BESIDE = 6
"""Cells of a row that are neither its text nor what it is: edge, blanks and the sign that there are more."""
_FRAME = 2
"""Cells the frame takes of each dimension."""
_EDGE = "▌"
_BEFORE_TEXT = 3
"""Cells from the left of the frame to the texts, which stand right under the word they complete."""
_MORE_ABOVE, _MORE_BELOW = "↑", "↓"


class CompletionMenu(Widget):
    """Shows a `Completing`; what it offers was written by others and is shown letter for letter."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "completion-menu--text",
        "completion-menu--what",
        "completion-menu--edge",
        "completion-menu--chosen",
    }

    @dataclass
    class ChoiceClicked(Message):
        """A choice was clicked, counted from 0."""

        index: int

    @dataclass
    class Wheeled(Message):
        """The wheel was turned over the menu, by one choice up (-1) or down (1)."""

        step: int

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._shown = Completing()
        self._first = 0
        self._text_width = 0

    def show(self, completing: Completing, at: Offset, within: int) -> None:
        """Show the choices with their texts beginning at a place of the screen, `within` so many columns."""
        if completing.choices != self._shown.choices:
            self._first = 0
        self._shown = completing
        self.display = completing.is_open
        if not completing.is_open:
            return
        texts = max(width_of(choice.text.strip()) for choice in completing.choices)
        whats = max(width_of(choice.what) for choice in completing.choices)
        width = min(texts + whats + _BESIDE, _WIDEST, within - _FRAME)
        self._text_width = min(texts, max(width - whats - _BESIDE, (width - _BESIDE) // 2))
        self.styles.width = width + _FRAME
        self.styles.height = self._rows + _FRAME
        self.styles.offset = (max(min(at.x - _BEFORE_TEXT, within - width - _FRAME), 0), at.y)
        self._first = min(self._first, completing.chosen)
        self._first = max(self._first, completing.chosen - self._rows + 1)
        self.refresh()

    @property
    def _rows(self) -> int:
        return min(len(self._shown.choices), MOST_ROWS)

    def render_line(self, y: int) -> Strip:
        """One choice: its text, and what it is."""
        width = self.content_size.width
        index = self._first + y
        if index >= len(self._shown.choices):
            return Strip.blank(width, self.rich_style)
        choice, chosen = self._shown.choices[index], index == self._shown.chosen
        text = fit(choice.text.strip(), self._text_width)
        what = fit(choice.what, max(width - self._text_width - _BESIDE, 0))
        more = " "
        if y == 0 and self._first:
            more = _MORE_ABOVE
        elif y == self._rows - 1 and index < len(self._shown.choices) - 1:
            more = _MORE_BELOW
        fill = max(width - self._text_width - _BESIDE - what.width, 0)
        segments = [
            Segment(f"{_EDGE if chosen else ' '} ", self._style("edge")),
            Segment(text.plain + " " * (self._text_width - text.width + 2), self._style("text")),
            Segment(what.plain + " " * fill, self._style("what")),
            Segment(f"{more} ", self._style("what")),
        ]
        if chosen:
            ground = Style(bgcolor=self._style("chosen").bgcolor, bold=True)
            segments = [Segment(s.text, (s.style or Style()) + ground) for s in segments]
        return Strip(segments).adjust_cell_length(width, self.rich_style)

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(f"completion-menu--{name}")

    def on_click(self, event: events.Click) -> None:
        """Take the choice under the pointer."""
        place = event.get_content_offset(self)
        if place is not None and self._first + place.y < len(self._shown.choices):
            self.post_message(self.ChoiceClicked(self._first + place.y))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Choose the next one."""
        event.stop()
        self.post_message(self.Wheeled(1))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Choose the one before."""
        event.stop()
        self.post_message(self.Wheeled(-1))
