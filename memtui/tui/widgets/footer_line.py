"""The footer: the keys of the pane that has the focus, from the action table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from memtui.tui.actions import Action, key_name
from memtui.tui.display import width_of

_GAP = "   "
MOST_KEYS = 8


class FooterLine(Widget):
    """As many keys as fit, at most eight; a click runs the action."""

    ALLOW_SELECT = False
    DEFAULT_CSS = "FooterLine { height: 1; }"
    COMPONENT_CLASSES: ClassVar[set[str]] = {"footer-line--key", "footer-line--label"}

    actions: reactive[tuple[Action, ...]] = reactive(())

    @dataclass
    class ActionClicked(Message):
        """A key of the footer was clicked."""

        action: Action

    def render(self) -> Content:
        """The keys in order, each with its label."""
        key_style = self.get_visual_style("footer-line--key")
        label_style = self.get_visual_style("footer-line--label")
        parts: list[Content] = []
        for action, _start, _end in self._placed():
            key = key_name(action.key_list[0], short=True)
            gap = _GAP if parts else ""
            parts.append(Content.assemble(gap, (key, key_style), " ", (action.label, label_style)))
        return Content("").join(parts)

    def _placed(self) -> Sequence[tuple[Action, int, int]]:
        placed: list[tuple[Action, int, int]] = []
        start = 0
        for action in self.actions[:MOST_KEYS]:
            length = width_of(key_name(action.key_list[0], short=True)) + 1 + width_of(action.label)
            if start + length > self.content_size.width:
                break
            placed.append((action, start, start + length))
            start += length + len(_GAP)
        return placed

    def _action_at(self, x: int) -> Action | None:
        x -= self.gutter.left
        return next((action for action, start, end in self._placed() if start <= x < end), None)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Explain the key under the pointer."""
        action = self._action_at(event.x)
        self.tooltip = None if action is None else Content(action.tooltip)

    def on_click(self, event: events.Click) -> None:
        """Run the action under the pointer."""
        action = self._action_at(event.x)
        if action is not None:
            self.post_message(self.ActionClicked(action))
