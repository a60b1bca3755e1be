"""What a person can do with time: with a slider, and wherever the Timeline is shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from memtui.search.lanes import LaneOrder
from memtui.tui.action import BESIDE, COMMANDS, LIST, NOWHERE, PANES, ROWS, SLIDER, Action, Needs, Pane

LANE_SORTING: Final[Mapping[LaneOrder, str]] = {
    "first-known": "what was recorded first comes first",
    "area": "by what they are about",
    "retention": "what is most present in mind first",
    "name": "by the alphabet",
}


def _move(name: str, keys: str, command: str, label: str, tooltip: str, *, footer: bool = False) -> Action:
    return Action(f"time.{name}", keys, command, label, tooltip, SLIDER, footer=SLIDER if footer else NOWHERE)


SLIDER_ACTIONS: Final[tuple[Action, ...]] = (
    _move("earlier", "left", "step(-1)", "Earlier", "Go to the event before.", footer=True),
    _move("later", "right", "step(1)", "Later", "Go to the next event.", footer=True),
    _move("day-earlier", "shift+left", "step(-1,'day')", "Day earlier", "Go a day back."),
    _move("day-later", "shift+right", "step(1,'day')", "Day later", "Go a day on.", footer=True),
    _move("month-earlier", "ctrl+left", "step(-1,'month')", "Month earlier", "Go a month back."),
    _move("month-later", "ctrl+right", "step(1,'month')", "Month later", "Go a month on."),
    _move("first", "home", "first", "First", "Go to the first event.", footer=True),
    _move("present", "end", "present", "Now", "Go to the present.", footer=True),
    _move("nearer", "plus,equals_sign", "zoom(1)", "Nearer", "Show a shorter stretch of time around the handle."),
    _move("further", "minus", "zoom(-1)", "Further", "Show a longer stretch of time."),
)


def _clock(
    name: str,
    keys: str,
    command: str,
    label: str,
    tooltip: str,
    *,
    footer: frozenset[Pane] = NOWHERE,
    needs: Needs = "timeline",
    palette: bool = True,
    panes: frozenset[Pane] = BESIDE,
) -> Action:
    # Before the pane that has the focus, where the same letter may mean something in another mode.
    return Action(
        f"clock.{name}", keys, f"screen.clock_{command}", label, tooltip, panes,
        footer=footer, needs=needs, palette=palette, priority=True,
    )  # fmt: skip


CLOCK_ACTIONS: Final[tuple[Action, ...]] = (
    _clock(
        "known-earlier", "left_curly_bracket", "step('known', -1)", "Known earlier",
        "Go back to the last thing that was recorded.", footer=LIST, palette=False,
    ),
    _clock(
        "known-later", "right_curly_bracket", "step('known', 1)", "Known later",
        "Go on to the next thing that was recorded.", footer=LIST, palette=False,
    ),
    _clock(
        "true-earlier", "left_square_bracket", "step('true', -1)", "True earlier",
        "Go back to where something began or ended to be true.", palette=False,
    ),
    _clock(
        "true-later", "right_square_bracket", "step('true', 1)", "True later",
        "Go on to where something begins or ends to be true.", palette=False,
    ),
    _clock(
        "type", "T", "type", "Type a time",
        "Type a time: 2026-08-01, yesterday, 3 weeks ago; what it means is shown as you type.", footer=BESIDE,
    ),
    _clock("link", "l", "link", "Link", "Let the two clocks stand together, or each by itself.", footer=LIST | SLIDER),
    _clock(
        "mark", "m", "mark", "Mark A",
        "Mark this moment: the Diff tab compares it with where you go from here.", footer=LIST,
    ),
    _clock(
        "replay", "P", "replay", "Replay",
        "Play what was recorded forward, event by event, and say what changes; any key stops it.", footer=LIST | SLIDER,
    ),
    _clock("speed", "S", "speed", "Speed", "Replay at another speed."),
)  # fmt: skip

NOW_ACTION: Final = _clock(
    "now",
    "0",
    "now",
    "Back to now",
    "Take both clocks back to the present.",
    footer=COMMANDS,
    needs="past",
    panes=COMMANDS,
)
"""The way back comes first wherever there is one."""

LANE_ACTIONS: Final[tuple[Action, ...]] = tuple(
    Action(
        f"lanes.sort-{order}", "", f"screen.sort_lanes('{order}')", f"Sort by {order.replace('-', ' ')}",
        f"Sort the lanes: {told}.", NOWHERE, needs="timeline", palette=True,
    )
    for order, told in LANE_SORTING.items()
)  # fmt: skip

MODE_ACTIONS: Final[tuple[Action, ...]] = (
    Action(
        "mode.search", "f2", "screen.show_mode('search')", "Search", "Show the hits of the query.", PANES,
        palette=True, priority=True,
    ),
    Action(
        "mode.timeline", "f3", "screen.show_mode('timeline')", "Timeline",
        "Move through time: when things were learned, and when they were true.", PANES, palette=True, priority=True,
    ),
    Action(
        "mode.review", "f4", "screen.show_mode('review')", "Review",
        "Decide about what a look over all memories proposes.", PANES, palette=True, priority=True,
    ),
    Action(
        "mode.vault", "f5", "screen.show_mode('vault')", "Vault",
        "See how the vault stands: counts, health, problems of files, and the journal of reviews.", PANES,
        palette=True, priority=True,
    ),
    Action(
        "memory.to-timeline", "t", "screen.to_timeline", "When learned",
        "Show the Timeline at the moment the selected memory was learned.", ROWS,
        needs="selection", palette=True,
    ),
)  # fmt: skip
