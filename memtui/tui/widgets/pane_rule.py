"""The rule on top of a pane: its name or its tabs and chips on the left, a note on the right.

It takes one row and no columns, and its colour says which pane has the focus.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from memtui.tui.display import cut, width_of

_LEAD = "── "
_BETWEEN = "  "
_CHIP_ENDS = 2
"""Cells that a chip takes beside its text."""
_LONGEST_CHIP = 28
_AROUND_NOTE = 6
"""Cells kept free between the note and what stands before it, and behind it."""
_MORE_WIDTH = 6
"""Cells kept for the chip that counts those that do not fit."""


class PaneRule(Widget):
    """One line drawn through, with labels; a click on a label chooses it."""

    ALLOW_SELECT = False
    DEFAULT_CSS = "PaneRule { height: 1; }"
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "pane-rule--line",
        "pane-rule--label",
        "pane-rule--chosen",
        "pane-rule--chip",
        "pane-rule--note",
    }

    labels: reactive[tuple[str, ...]] = reactive(())
    chosen: reactive[int] = reactive(0)
    note: reactive[str] = reactive("")
    chips: reactive[tuple[str, ...]] = reactive(())
    """What narrows the pane down, as far as there is room beside the note; a click takes one away."""

    @dataclass
    class LabelClicked(Message):
        """A label was clicked, counted from 0."""

        rule: PaneRule
        index: int

        @property
        def control(self) -> PaneRule:
            """The rule the label stands on."""
            return self.rule

    @dataclass
    class ChipClicked(Message):
        """A chip was clicked."""

        rule: PaneRule
        chip: str

        @property
        def control(self) -> PaneRule:
            """The rule the chip stands on."""
            return self.rule

    @dataclass
    class MoreClicked(Message):
        """The chip was clicked that counts those without room."""

        rule: PaneRule
        chips: tuple[str, ...]

        @property
        def control(self) -> PaneRule:
            """The rule the chip stands on."""
            return self.rule

    def __init__(self, labels: Sequence[str], id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.set_reactive(PaneRule.labels, tuple(labels))

    def render(self) -> Content:
        """The whole line."""
        line = self.get_visual_style("pane-rule--line")
        parts: list[Content] = [Content.styled(_LEAD, line)]
        used = len(_LEAD)
        for index, label in enumerate(self.labels):
            name = "pane-rule--chosen" if index == self.chosen else "pane-rule--label"
            between = _BETWEEN if index else ""
            parts.append(Content.assemble(between, (label, self.get_visual_style(name))))
            used += len(between) + width_of(label)
        for _start, end, text in self._placed_chips():
            parts.append(Content.assemble(" ", (f" {text} ", self.get_visual_style("pane-rule--chip"))))
            used = end
        note = cut(self.note, max(self.size.width - used - _AROUND_NOTE, 0))
        tail = f" {note} " if note else ""
        fill = max(self.size.width - used - 1 - width_of(tail), 0)
        parts.append(Content.styled(" " + "─" * fill, line))
        parts.append(Content.styled(tail, self.get_visual_style("pane-rule--note")))
        return Content("").join(parts)

    def _labels_end(self) -> int:
        return len(_LEAD) + sum(width_of(label) for label in self.labels) + len(_BETWEEN) * max(len(self.labels) - 1, 0)

    def _placed_chips(self) -> Iterable[tuple[int, int, str]]:
        """(start, end, text) of each chip that fits, in cells of the line; the last may stand for all that do not."""
        at = self._labels_end()
        most = self.size.width - width_of(self.note) - _AROUND_NOTE
        for index, chip in enumerate(self.chips):
            left = len(self.chips) - index
            text = cut(chip, _LONGEST_CHIP)
            start, end = at + 1, at + 1 + width_of(text) + _CHIP_ENDS
            if end + (_MORE_WIDTH if left > 1 else 0) > most:
                text = f"+{left}"
                end = start + width_of(text) + _CHIP_ENDS
                if end <= most:
                    yield start, end, text
                return
            yield start, end, text
            at = end

    def on_click(self, event: events.Click) -> None:
        """Choose the label under the pointer."""
        start = len(_LEAD) + self.gutter.left
        for index, label in enumerate(self.labels):
            if start <= event.x < start + width_of(label):
                self.post_message(self.LabelClicked(self, index))
                return
            start += width_of(label) + len(_BETWEEN)
        for index, (begin, end, text) in enumerate(self._placed_chips()):
            if begin <= event.x - self.gutter.left < end:
                chip = self.chips[index]
                whole = text == cut(chip, _LONGEST_CHIP)
                self.post_message(self.ChipClicked(self, chip) if whole else self.MoreClicked(self, self.chips[index:]))
                return
