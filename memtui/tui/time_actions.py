"""What a person can do with a time slider."""

from __future__ import annotations

from typing import Final

from memtui.tui.action import SLIDER, Action


def _move(name: str, keys: str, command: str, label: str, tooltip: str, *, footer: bool = False) -> Action:
    return Action(f"time.{name}", keys, command, label, tooltip, SLIDER, footer=SLIDER if footer else frozenset())


SLIDER_ACTIONS: Final[tuple[Action, ...]] = (
    _move("earlier", "left,h", "step(-1)", "Earlier", "Go to the event before.", footer=True),
    _move("later", "right,l", "step(1)", "Later", "Go to the next event.", footer=True),
    _move("day-earlier", "shift+left", "step(-1,'day')", "Day earlier", "Go a day back."),
    _move("day-later", "shift+right", "step(1,'day')", "Day later", "Go a day on.", footer=True),
    _move("month-earlier", "ctrl+left", "step(-1,'month')", "Month earlier", "Go a month back."),
    _move("month-later", "ctrl+right", "step(1,'month')", "Month later", "Go a month on."),
    _move("first", "home", "first", "First", "Go to the first event.", footer=True),
    _move("present", "end", "present", "Now", "Go to the present.", footer=True),
    _move("nearer", "plus,equals_sign", "zoom(1)", "Nearer", "Show a shorter stretch of time around the handle."),
    _move("further", "minus", "zoom(-1)", "Further", "Show a longer stretch of time."),
)
