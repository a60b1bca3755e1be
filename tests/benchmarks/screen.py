"""Keystroke → painted list, over the floor: the real screen, the same screen with fixed rows, key by key in turn.

The app is run as on a terminal: everything is drawn and turned into the characters a terminal gets, which end here. A
key counts as answered when such characters leave that were made after the result list drew the answer to exactly
what stands in the search box. The floor has its answer at once and always the same rows: what remains between the two
is asking, searching by words and cutting the passages; what meaning changes comes later and is not waited for. Both
have the wait for the next frame in them, up to a sixtieth of a second.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from textual.drivers.headless_driver import HeadlessDriver
from textual.geometry import Region
from textual.pilot import Pilot
from textual.strip import Strip
from textual.widget import Widget

from memtui.memory.opening import open_memory
from memtui.tui.app import MemtuiApp
from memtui.tui.messages import SearchAnswered
from memtui.tui.screens.search import SearchScreen
from memtui.tui.widgets.query_input import QueryInput
from tests.benchmarks.processes import SCREEN_SIZE, quiet
from tests.benchmarks.timing import QUERIES, Figures, median, p95

_LONGEST_WAIT = 30.0
"""Seconds after which a key is not answered any more."""
_FEW = 3
"""Queries typed where few rounds are wanted."""
_FIXED = "olive mill"
"""The query whose rows are the floor's."""


def painted_list(folder: Path, rounds: int) -> Figures:
    """The p95 of both, and their difference."""
    os.environ.update(TERM="xterm-256color", COLORTERM="truecolor")
    queries = QUERIES if rounds > _FEW else QUERIES[-_FEW:]
    real, floor = asyncio.run(_typed(folder, queries))
    return {
        "painted_over_floor_p95_ms": p95(real) - p95(floor),
        "painted_over_floor_median_ms": median(real) - median(floor),
        "painted_p95_ms": p95(real),
        "floor_p95_ms": p95(floor),
    }


async def _typed(folder: Path, queries: tuple[str, ...]) -> tuple[list[float], list[float]]:
    """Milliseconds of each key, of the real screen and of the floor."""
    real: list[float] = []
    floor: list[float] = []

    async def drive(pilot: Pilot[Any], app: MemtuiApp, screen: SearchScreen, watch: Watch) -> None:
        watch.observe(screen.results, lambda: screen.results.answer.query)
        typist = _Typist(pilot, app, watch)
        await typist.type(_FIXED)
        await quiet(app)
        fixed = screen.results.answer

        def answer_at_once(question: Any) -> None:
            answer = replace(fixed, query=question.query)
            screen.post_message(SearchAnswered(question.sequence, question.cause, answer))

        no_search: dict[str, Callable[[Any], None]] = {
            "search": answer_at_once,
            "search_by_meaning": lambda question: None,
        }
        for query in queries:
            await typist.clear()
            real.extend(await typist.type(query))
            await typist.clear()
            vars(screen.worker).update(no_search)  # before its methods of these names
            floor.extend(await typist.type(query))
            for name in no_search:
                del vars(screen.worker)[name]

    await driven(folder, drive)
    return real, floor


async def driven(folder: Path, drive: Callable[[Pilot[Any], MemtuiApp, SearchScreen, Watch], Awaitable[None]]) -> None:
    """Run the program on a vault as on a terminal, and drive it once it is quiet."""
    watch = Watch()
    app = MemtuiApp(open_memory(folder), sync_on_start=False)
    app.driver_class = _terminal(watch.characters_left)
    measured = False

    async def begin(pilot: Pilot[Any]) -> None:
        nonlocal measured
        await quiet(app)
        screen = app.screen
        assert isinstance(screen, SearchScreen)
        await drive(pilot, app, screen, watch)
        measured = True
        await app.action_quit()

    await app.run_async(size=SCREEN_SIZE, auto_pilot=begin)
    if not measured:
        raise RuntimeError("the screen ended before it was measured")


class Watch:
    """Knows when the answer to a query was painted."""

    def __init__(self) -> None:
        self._wanted: object = None
        self._drawn: object = None
        self._painted = asyncio.Event()
        self._painted_at = 0.0

    def observe(self, widget: Widget, shown: Callable[[], object]) -> None:
        """From now on note what is `shown` whenever a widget draws."""
        draw = widget.render_lines

        def drawing(crop: Region) -> list[Strip]:
            self._drawn = shown()
            return draw(crop)

        widget.render_lines = drawing

    def expect(self, wanted: object) -> None:
        """What is to be painted next; not None."""
        self._wanted, self._drawn = wanted, None
        self._painted.clear()

    def characters_left(self) -> None:
        """What was drawn until now is on its way to the terminal."""
        if self._wanted is not None and self._drawn == self._wanted and not self._painted.is_set():
            self._painted_at = time.perf_counter()
            self._painted.set()

    async def painted(self) -> float:
        """When it was painted, in seconds; waits until it is."""
        await asyncio.wait_for(self._painted.wait(), _LONGEST_WAIT)
        return self._painted_at


class _Typist:
    """Types, one key after the other, each once the screen is quiet."""

    def __init__(self, pilot: Pilot[Any], app: MemtuiApp, watch: Watch) -> None:
        self._pilot, self._app, self._watch = pilot, app, watch

    async def clear(self) -> None:
        """Empty the search box."""
        self._app.screen.query_one(QueryInput).value = ""
        await quiet(self._app)

    async def type(self, query: str) -> list[float]:
        """Milliseconds from each key until the answer was painted."""
        samples: list[float] = []
        for end, letter in enumerate(query, start=1):
            self._watch.expect(query[:end])
            pressed = time.perf_counter()
            await self._pilot.press("space" if letter == " " else letter)
            samples.append((await self._watch.painted() - pressed) * 1_000)
            await quiet(self._app)
        return samples


def _terminal(wrote: Callable[[], None]) -> type[HeadlessDriver]:
    """A terminal that nobody sees, and for which everything is done all the same."""

    class Terminal(HeadlessDriver):
        @property
        def is_headless(self) -> bool:
            return False

        def write(self, data: str) -> None:
            del data
            wrote()

    return Terminal
