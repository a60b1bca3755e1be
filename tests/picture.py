"""`python -m tests.picture`: draw the README's picture of the search screen from the sample vault.

The same picture on every machine: with a clock and a zone of its own, and an embedder of the tests instead of a model.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import tempfile
from pathlib import Path

from memtui.memory.opening import open_memory
from memtui.tui.app import MemtuiApp
from tests.clocks import SteppingClock, at
from tests.tui.driving import pressed, settled, typed
from tests.tui.topics import TopicEmbedder

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / ".github" / "search.svg"


async def draw(vault: Path) -> str:
    """The search screen after a query was typed, as SVG without any address in it."""
    clock = SteppingClock(at("2026-11-20T09:00:00Z"))
    memory = open_memory(vault, clock=clock)
    memory.register_embedder(TopicEmbedder())
    memory.embed()
    app = MemtuiApp(memory, sync_on_start=False, clock=clock)
    async with app.run_test(size=(120, 34)) as pilot:
        await settled(pilot)
        await typed(pilot, "tare gua")
        await pressed(pilot, "down")
        svg = app.export_screenshot(title="memtui")
    return re.sub(r"@font-face\s*\{.*?\}", "", svg, flags=re.S)


def main() -> None:
    """Draw it over a copy, so that the sample vault stays as it is."""
    os.environ["MEMTUI_TZ"] = "UTC"
    with tempfile.TemporaryDirectory() as scratch:
        vault = Path(scratch) / "delice"
        shutil.copytree(ROOT / "sample_vault", vault)
        open_memory(vault, create=True, clock=SteppingClock(at("2026-11-19T21:00:00Z"))).sync()
        PICTURE.write_text(asyncio.run(draw(vault)), encoding="utf-8")


if __name__ == "__main__":
    main()
