"""The Review on as many engrams as the vault has records, three hundred of which are proposed for something.

Looking: a key → the first proposals painted, and the whole look. Moving: a key → list and panel painted, over a floor
whose panel is made already. Confirming: a key → three hundred decisions recorded and told.
"""

from __future__ import annotations

import asyncio
import os
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from memtui.clock import system_clock
from memtui.memory.opening import open_memory
from memtui.model.instants import DAY
from memtui.model.records import Claim, Content, RecordKey
from memtui.model.reviews import Accept
from memtui.model.versions import Draft
from memtui.store.duckdb.ledger import DuckDBLedger
from memtui.tui.app import MemtuiApp
from memtui.tui.board import Board
from memtui.tui.messages import PreviewReady
from memtui.tui.screens.search import SearchScreen
from tests.benchmarks.processes import quiet
from tests.benchmarks.screen import Watch, driven
from tests.benchmarks.timing import Figures, median, p95

_OF_EACH = 100
_WORDS = 20_000


def review(folder: Path, rounds: int) -> Figures:
    """The figures of the Review; the engrams lie in a vault of their own."""
    os.environ.update(TERM="xterm-256color", COLORTERM="truecolor", MEMTUI_EMBEDDER="none")
    engrams = open_memory(folder, resident=False).status().records
    with tempfile.TemporaryDirectory(prefix="memtui-review-") as scratch:
        vault = Path(scratch) / "engrams"
        _remember(vault, max(engrams, 5 * _OF_EACH))
        return asyncio.run(_reviewed(vault, moves=8 * rounds))


def _remember(vault: Path, count: int) -> None:
    """Pairs that contradict each other, near copies, memories that have faded, and others."""
    draw = random.Random(1)
    weights = [1 / (place + 1) for place in range(_WORDS)]
    words = [f"w{place}" for place in range(_WORDS)]

    def said(length: int) -> str:
        return " ".join(draw.choices(words, weights, k=length))

    def faded() -> Iterator[tuple[str, Content]]:
        for place in range(_OF_EACH):
            yield f"faded-{place:04d}", Content(summary=said(14))
            claim = Claim("port", str(place), f"Feature/f{place}")
            yield f"port-{place:04d}", Content(summary=said(14), claims=(claim,))

    def fresh() -> Iterator[tuple[str, Content]]:
        for place in range(_OF_EACH):
            claim = Claim("port", "other", f"Feature/f{place}")
            yield f"port-{place:04d}-b", Content(summary=said(14), claims=(claim,))
            text = said(16)
            yield f"copy-{place:04d}", Content(summary=text)
            yield f"copy-{place:04d}-b", Content(summary=f"{text} again")
        for place in range(count - 5 * _OF_EACH):
            yield f"other-{place:06d}", Content(summary=said(16))

    now = system_clock()
    for age, contents in ((400, faded()), (20, fresh())):
        memory = open_memory(vault, create=True, resident=False)
        memory.make_store()
        with DuckDBLedger(Path(memory.ledger.location), lambda age=age: now - age * DAY).writing() as unit:
            for name, content in contents:
                key = RecordKey("workspace", "engram", name)
                known = Content(summary=content.summary, claims=content.claims, valid_from=unit.stamp, owner="b")
                unit.append(Draft(key, "remember", known, "benchmark"))


async def _reviewed(vault: Path, moves: int) -> Figures:
    figures: Figures = {}

    async def drive(pilot: Pilot[Any], app: MemtuiApp, screen: SearchScreen, watch: Watch) -> None:
        await pilot.press("f4")
        await quiet(app)
        figures.update(await _looked(pilot, app, screen, watch))
        watch.observe(screen.preview.document, lambda: screen.preview.shown_proposal)
        real, floor = [], []
        for _ in range(4):
            real.extend(await _moved(pilot, app, screen, watch, moves // 4))
            layout = screen.preview.document.shown

            def at_once(wish: Any, layout: Any = layout) -> None:
                screen.post_message(PreviewReady(wish.sequence, layout, ""))

            vars(screen.worker)["preview"] = at_once
            floor.extend(await _moved(pilot, app, screen, watch, moves // 4))
            del vars(screen.worker)["preview"]
        figures["review_move_over_floor_p95_ms"] = p95(real) - p95(floor)
        figures["review_move_over_floor_median_ms"] = median(real) - median(floor)
        figures["review_move_p95_ms"] = p95(real)
        figures["review_confirm_ms"] = await _confirmed(pilot, app, screen)

    await driven(vault, drive)
    return figures


async def _looked(pilot: Pilot[Any], app: MemtuiApp, screen: SearchScreen, watch: Watch) -> Figures:
    """Look from nothing."""
    screen.plan = None
    screen.show_board(Board())
    watch.observe(screen.proposals, lambda: bool(screen.state.board.entries))
    watch.expect(True)
    began = time.perf_counter()
    await pilot.press("R")
    first = await watch.painted() - began
    while screen.plan is None:
        await asyncio.sleep(0.002)
    whole = time.perf_counter() - began
    await quiet(app)
    return {"review_first_ms": first * 1_000, "review_look_ms": whole * 1_000}


async def _moved(pilot: Pilot[Any], app: MemtuiApp, screen: SearchScreen, watch: Watch, moves: int) -> list[float]:
    """Milliseconds from each key until list and panel were painted."""
    samples: list[float] = []
    proposals = [entry.id for entry in screen.state.board.entries]
    for _ in range(moves):
        place = screen.proposals.place or 0
        watch.expect(proposals[place + 1])
        pressed = time.perf_counter()
        await pilot.press("j")
        samples.append((await watch.painted() - pressed) * 1_000)
        await quiet(app)
    return samples


async def _confirmed(pilot: Pilot[Any], app: MemtuiApp, screen: SearchScreen) -> float:
    """Milliseconds from the key until all decisions were carried out and told."""
    board = screen.state.board
    screen.show_board(board.decide(list(board.proposals)[: 3 * _OF_EACH], Accept()))
    await quiet(app)
    began = time.perf_counter()
    # Pressing ends when all is quiet again, and then the next look has begun: it is not waited for.
    pressing = asyncio.create_task(pilot.press("c"))
    while not screen.state.reviewed:
        await asyncio.sleep(0.002)
    took = (time.perf_counter() - began) * 1_000
    await pressing
    return took
