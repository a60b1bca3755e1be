"""`python -m tests.picture`: draw the README's picture of the search screen from the sample vault."""

from __future__ import annotations

import asyncio
import re
import shutil
import tempfile
from pathlib import Path

from memtui.memory.opening import open_memory
from memtui.tui.app import MemtuiApp
from tests.clocks import SteppingClock, at

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / ".github" / "search.svg"


async def draw(vault: Path) -> str:
    """The search screen after a query was typed, as SVG without any address in it."""
    app = MemtuiApp(open_memory(vault, clock=SteppingClock(at("2026-11-02T09:00:00Z"))), sync_on_start=False)
    async with app.run_test(size=(120, 34)) as pilot:
        await pilot.pause(1.0)
        await pilot.press(*"tare", "space", *"gua")
        await pilot.pause(1.0)
        await pilot.press("down")
        await pilot.pause(1.0)
        svg = app.export_screenshot(title="memtui")
    return re.sub(r"@font-face\s*\{.*?\}", "", svg, flags=re.S)


def main() -> None:
    """Draw it over a copy, so that the sample vault stays as it is."""
    with tempfile.TemporaryDirectory() as scratch:
        vault = Path(scratch) / "delice"
        shutil.copytree(ROOT / "sample_vault", vault)
        open_memory(vault, create=True, clock=SteppingClock(at("2026-11-01T09:00:00Z"))).sync()
        PICTURE.write_text(asyncio.run(draw(vault)), encoding="utf-8")


if __name__ == "__main__":
    main()
