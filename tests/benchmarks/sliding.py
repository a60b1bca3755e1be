"""Move a time slider → everything repainted, over the floor: the real screen, and the same one with a fixed answer.

*Known at* is stepped back and forth event by event, over all memories and over the hits of a query. A step counts as
answered when characters leave for the terminal that were made after the lanes drew the belief state stepped to. The
floor has its lanes and hits at once and always the same.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from memtui.tui.app import MemtuiApp
from memtui.tui.messages import SearchAnswered, TimelineReady
from memtui.tui.screens.search import SearchScreen
from tests.benchmarks.processes import quiet
from tests.benchmarks.screen import Watch, driven
from tests.benchmarks.timing import Figures, median, p95

_QUERY = "olive mill"
_AWAY = 40
"""Events from the present at which the stepping begins."""


def moved_slider(folder: Path, rounds: int) -> Figures:
    """The p95 of both, and their difference."""
    os.environ.update(TERM="xterm-256color", COLORTERM="truecolor")
    real, floor = asyncio.run(_stepped(folder, steps=6 * rounds))
    return {
        "slider_over_floor_p95_ms": p95(real) - p95(floor),
        "slider_over_floor_median_ms": median(real) - median(floor),
        "slider_p95_ms": p95(real),
    }


async def _stepped(folder: Path, steps: int) -> tuple[list[float], list[float]]:
    real: list[float] = []
    floor: list[float] = []

    async def drive(pilot: Pilot[Any], app: MemtuiApp, screen: SearchScreen, watch: Watch) -> None:
        lanes = screen.lanes
        watch.observe(lanes, lambda: screen.lanes_follow and screen.state.clocks.known)
        await pilot.press("f3")
        await quiet(app)
        axis = screen.known_slider.axis
        for query in ("", _QUERY):
            screen.query_input.value = query
            await quiet(app)
            screen.known_slider.focus()
            screen.known_slider.move(axis.stepped(None, -_AWAY, "event"))
            await quiet(app)
            answers = _answered_at_once(screen)
            for _ in range(4):
                real.extend(await _step(pilot, app, screen, watch, steps // 4))
                vars(screen.worker).update(answers)  # before its methods of these names
                floor.extend(await _step(pilot, app, screen, watch, steps // 4))
                for name in answers:
                    del vars(screen.worker)[name]

    await driven(folder, drive)
    return real, floor


def _answered_at_once(screen: SearchScreen) -> dict[str, Callable[[Any], None]]:
    """What is shown now, as the answer to everything."""
    timeline, answer = screen.lanes.timeline, screen.results.answer

    def search(question: Any) -> None:
        found = replace(answer, query=question.query)
        screen.post_message(SearchAnswered(question.sequence, question.cause, found))

    def lanes(wish: Any) -> None:
        screen.post_message(TimelineReady(wish.sequence, timeline))

    return {"search": search, "search_by_meaning": search, "timeline": lanes}


async def _step(pilot: Pilot[Any], app: MemtuiApp, screen: SearchScreen, watch: Watch, steps: int) -> list[float]:
    """Milliseconds from each key until everything was painted."""
    samples: list[float] = []
    for number in range(steps):
        direction, key = (-1, "left") if number % 2 else (1, "right")
        slider = screen.known_slider
        watch.expect(slider.axis.stepped(slider.place, direction, "event"))
        pressed = time.perf_counter()
        await pilot.press(key)
        samples.append((await watch.painted() - pressed) * 1_000)
        await quiet(app)
    return samples
