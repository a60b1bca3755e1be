"""`python -m tests.picture`: draw the README's pictures of the screens from the sample vault.

The same pictures on every machine: with a clock and a zone of its own, and an embedder of the tests instead of a model.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from memtui.memory.opening import open_memory
from memtui.tui.app import MemtuiApp
from tests.clocks import SteppingClock, at
from tests.tui.driving import pressed, settled, typed
from tests.tui.topics import TopicEmbedder

ROOT = Path(__file__).resolve().parents[1]
PICTURES = {
    ROOT / ".github" / "search.svg": ("type:tare gua", "down"),
    ROOT / ".github" / "timeline.svg": ("f3", "tab", "T", "type:2026-02-20", "enter", "tab", "tab", "g", *"jjjjjj"),
    ROOT / ".github" / "review.svg": ("f4", "j", "j", "a", "j", "x", "k", "k"),
    ROOT / ".github" / "vault.svg": ("f4", "a", "j", "x", "c", "f5"),
}
"""The keys that lead to each."""


async def draw(vault: Path, keys: Sequence[str]) -> str:
    """The screen after some keys, as SVG without any address in it."""
    clock = SteppingClock(at("2026-11-20T09:00:00Z"))
    memory = open_memory(vault, clock=clock)
    memory.register_embedder(TopicEmbedder())
    memory.embed()
    app = MemtuiApp(memory, sync_on_start=False, clock=clock)
    async with app.run_test(size=(120, 34)) as pilot:
        await settled(pilot)
        for key in keys:
            await (typed(pilot, key.removeprefix("type:")) if key.startswith("type:") else pressed(pilot, key))
        svg = app.export_screenshot(title="memtui")
    return re.sub(r"@font-face\s*\{.*?\}", "", svg, flags=re.S)


def main() -> None:
    """Draw them over copies, so that the sample vault stays as it is."""
    os.environ["MEMTUI_TZ"] = "UTC"
    for picture, keys in PICTURES.items():
        with tempfile.TemporaryDirectory() as scratch:
            vault = Path(scratch) / "delice"
            shutil.copytree(ROOT / "sample_vault", vault)
            memory = open_memory(vault, create=True, clock=SteppingClock(at("2026-11-19T21:00:00Z")))
            memory.import_(vault / "history.jsonl")
            memory.sync()
            picture.write_text(asyncio.run(draw(vault, keys)), encoding="utf-8")


if __name__ == "__main__":
    main()
