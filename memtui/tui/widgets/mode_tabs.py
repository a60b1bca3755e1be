"""The modes of the program as tabs beside the search box, each with its key; a click chooses one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from memtui.tui.actions import BY_ID, key_name
from memtui.tui.display import width_of
from memtui.tui.state import MODES, Mode

_LABELS: Mapping[Mode, str] = {mode: BY_ID[f"mode.{mode}"].label for mode in MODES}
_KEYS: Mapping[Mode, str] = {mode: key_name(BY_ID[f"mode.{mode}"].key_list[0]) for mode in MODES}


class ModeTabs(Widget):
    """One line; the mode that is shown stands out."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {"mode-tabs--key", "mode-tabs--label", "mode-tabs--chosen"}

    mode: reactive[Mode] = reactive("search", layout=True)
    brief: reactive[bool] = reactive(False, layout=True)
    """Whether only the mode that is shown is named, the others by their key alone: where there is little room."""
    badge: reactive[int] = reactive(0, layout=True)
    """How many proposals wait for a decision."""

    @dataclass
    class ModeClicked(Message):
        """A mode was chosen with the mouse."""

        mode: Mode

    @property
    def width_wanted(self) -> int:
        """Cells that all tabs take."""
        return max(end for _, _, end in self._placed())

    def _placed(self) -> Iterable[tuple[Mode, int, int]]:
        start = 0
        for mode in MODES:
            label = self._label(mode)
            end = start + width_of(_KEYS[mode]) + (1 + width_of(label) if label else 0)
            yield mode, start, end
            start = end + len(self._between)

    @property
    def _between(self) -> str:
        return " " if self.brief else "  "

    def _label(self, mode: Mode) -> str:
        badge = f"{self.badge:,}" if mode == "review" and self.badge else ""
        name = "" if self.brief and mode != self.mode else _LABELS[mode]
        return " ".join(filter(None, (name, badge)))

    def get_content_width(self, container: object, viewport: object) -> int:
        """As wide as the tabs."""
        del container, viewport
        return self.width_wanted

    def render(self) -> Content:
        """The tabs in order."""
        key = self.get_visual_style("mode-tabs--key")
        looks = {True: self.get_visual_style("mode-tabs--chosen"), False: self.get_visual_style("mode-tabs--label")}
        tabs = [
            Content.assemble((_KEYS[mode], key), " " if label else "", (label, looks[mode == self.mode]))
            for mode in MODES
            for label in [self._label(mode)]
        ]
        return Content(self._between).join(tabs)

    def on_click(self, event: events.Click) -> None:
        """Choose the mode under the pointer."""
        for mode, start, end in self._placed():
            if start <= event.x - self.gutter.left < end:
                self.post_message(self.ModeClicked(mode))
