"""What a person waits for who starts the program: whole commands, the first paint, and the room it takes."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, cast

from memtui.memory.opening import open_memory
from tests.benchmarks.timing import QUERIES, Figures, median, timed

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.tui.screens.following_screen import FollowingScreen

SCREEN_SIZE = (120, 40)
_PLAIN = "olive mill"
_DECIDED = "TKT-17"
_OPEN = "which display colours help a tired reader"
_COLD_ROUNDS = 5
"""Loading a model is slow enough to be measured by few runs."""


def recall_commands(folder: Path, rounds: int) -> Figures:
    """`memtui recall` as a person runs it: by words alone, decided by words, and with the model loaded for it."""
    figures: Figures = {}
    for row, query, options, ran, times in (
        ("recall_words_process_ms", _PLAIN, ["--no-semantic"], ("lexical", None), rounds),
        ("recall_decided_process_ms", _DECIDED, [], ("lexical", "decided by words"), rounds),
        ("recall_model_process_ms", _OPEN, [], ("hybrid", None), min(rounds, _COLD_ROUNDS)),
    ):
        arguments = ["recall", "--json", "--vault", str(folder), *options, query]
        told = json.loads(_memtui(arguments))  # also leaves byte code
        if (told["plane"], told["reason"]) != ran or told["stale"]:
            raise RuntimeError(f"{query!r} ran as {told['plane']} ({told['reason']}, stale: {told['stale']})")
        figures[row] = median([timed(lambda given=arguments: _memtui(given)) for _ in range(times)])
    return figures


def _memtui(arguments: list[str]) -> bytes:
    command = [sys.executable, "-m", "memtui", *arguments]
    return subprocess.run(command, check=True, capture_output=True, env=_with_byte_code()).stdout


def _with_byte_code() -> dict[str, str]:
    """An installed program has byte code."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


_PAINTS = """
import asyncio, sys
from memtui.doors.starting import spare_threads
from memtui.lasting import lasting
with lasting():
    spare_threads()
    from memtui.memory.opening import open_memory
    from memtui.tui.app import MemtuiApp
app = MemtuiApp(open_memory(sys.argv[1]), sync_on_start=False)
async def main():
    async with app.run_test(size=(120, 40)):
        print("painted", flush=True)
asyncio.run(main())
"""


def first_paint(folder: Path, rounds: int) -> Figures:
    """Start of the process → the input painted: headless, as the real program starts."""

    def run() -> float:
        started = time.perf_counter()
        command = [sys.executable, "-c", _PAINTS, str(folder)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=_with_byte_code()) as process:
            assert process.stdout is not None
            process.stdout.readline()
            taken = (time.perf_counter() - started) * 1_000
            process.communicate(timeout=120)
        if process.returncode:
            raise RuntimeError(f"the program ended with {process.returncode}")
        return taken

    run()
    return {"first_paint_ms": median([run() for _ in range(rounds)])}


def memory_of_the_program(folder: Path, rounds: int) -> Figures:
    """What the open program holds once it has loaded, looked at its files and searched by meaning, worker included."""
    del rounds
    return asyncio.run(_memory_of_the_program(folder))


async def _memory_of_the_program(folder: Path) -> Figures:
    from memtui.tui.app import MemtuiApp

    memory = open_memory(folder)
    app = MemtuiApp(memory)
    async with app.run_test(size=SCREEN_SIZE) as pilot:
        await quiet(app)
        for query in QUERIES:
            found = await asyncio.to_thread(memory.search, query, k=50)
            if found.plane != "hybrid":
                raise RuntimeError(f"{query!r} was not searched by meaning: {found.reason}")
        await pilot.press(*"olive")
        await quiet(app)
        processes = [os.getpid(), *_children(os.getpid())]
        held = [_memory_of(process) for process in processes]
        await app.action_quit()
    return {
        "memory_mb": sum(kilobytes["Pss"] for kilobytes in held) / 1_000,
        "memory_rss_mb": sum(kilobytes["Rss"] for kilobytes in held) / 1_000,
        "memory_worker_mb": sum(kilobytes["Pss"] for kilobytes in held[1:]) / 1_000,
    }


async def quiet(app: MemtuiApp) -> None:
    """Wait until the vault is open and no worker of the app runs."""
    still = 0
    while still < 3:
        await asyncio.sleep(0.02)
        running = [worker for worker in app.workers if worker.is_running]
        still = still + 1 if cast("FollowingScreen", app.screen).ready and not running else 0


def _children(process: int) -> list[int]:
    """The processes that a process started and that still run."""
    found: list[int] = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):  # it ended meanwhile
            continue
        if int(fields[1]) == process:
            found.append(int(stat.parent.name))
    return found


def _memory_of(process: int) -> dict[str, float]:
    """Rss and Pss in kilobytes (of 1,024 bytes, as Linux tells them, made such of 1,000)."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="utf-8").splitlines()[1:]
    told = dict(line.split(":", 1) for line in lines)
    return {name: int(told[name].split()[0]) * 1.024 for name in ("Pss", "Rss")}
