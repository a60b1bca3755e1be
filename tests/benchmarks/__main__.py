"""`python -m tests.benchmarks`: measure, print a table, write JSON. Figures are ratios on a noisy machine."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from memtui.memory.opening import open_memory
from tests.benchmarks.vaults import CACHE, build

QUERIES = (
    "the",
    "weigh",
    "TKT-17",
    "olive mill",
    "src/m33.py",
    "which display colours",
    "tare thresho",
    "kış bakımı",
    "a",
    "scale clock drift mill hub",
)


def timed(work: Callable[[], object]) -> float:
    """Milliseconds of one call."""
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1_000


def spread(samples: list[float]) -> tuple[float, float]:
    """Median and 95th percentile."""
    ordered = sorted(samples)
    return statistics.median(ordered), ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]


def keystrokes(query: str) -> Iterator[str]:
    """The query as it grows under the fingers."""
    for end in range(1, len(query) + 1):
        yield query[:end]


def search_in_process(folder: Path, rounds: int) -> dict[str, float]:
    """Keystroke → lexical hits of a resident memory: the whole of `search`, rows included."""
    memory = open_memory(folder)
    loading = timed(memory.load)
    for query in QUERIES:
        memory.search(query, k=20, follow=False)
    samples = [
        timed(lambda text=text: memory.search(text, k=20, follow=False))
        for _ in range(rounds)
        for query in QUERIES
        for text in keystrokes(query)
    ]
    median, p95 = spread(samples)
    return {"keystroke median ms": median, "keystroke p95 ms": p95, "load ms": loading}


def recall_in_process(folder: Path, rounds: int) -> dict[str, float]:
    """A recall of a resident memory whose engrams were recalled 5,000 times, without noting it."""
    import shutil

    with tempfile.TemporaryDirectory() as scratch:
        shutil.copytree(folder / ".memtui", Path(scratch) / ".memtui")
        memory = open_memory(scratch)
        engrams = [record.key for record in memory.list(kinds="engram")]
        with memory.ledger.writing() as unit:
            for cue in range(5_000 // max(1, len(engrams)) + 1):
                unit.recall(engrams[:5_000], reader="workspace", cue=f"cue {cue}", actor="bench")
        memory.recall(QUERIES[0], reconsolidate=False)
        samples = [timed(lambda q=q: memory.recall(q, reconsolidate=False)) for _ in range(rounds) for q in QUERIES]
    median, p95 = spread(samples)
    return {"recall in process median ms": median, "recall in process p95 ms": p95}


def whole_process(folder: Path, rounds: int) -> dict[str, float]:
    """`memtui recall` as a person runs it, with byte code."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", "memtui", "recall", "--json", "--vault", str(folder), "olive mill"]

    def run() -> None:
        subprocess.run(command, check=True, capture_output=True, env=environment)

    run()
    median, p95 = spread([timed(run) for _ in range(rounds)])
    return {"recall process median ms": median, "recall process p95 ms": p95}


def sync_unchanged(folder: Path, rounds: int) -> dict[str, float]:
    """A second sync of a vault in which nothing changed."""
    memory = open_memory(folder, resident=False)
    memory.sync()
    return {"unchanged sync ms": statistics.median([timed(memory.sync) for _ in range(rounds)])}


def remember(folder: Path, rounds: int) -> dict[str, float]:
    """remember, whole transaction with its index rows, in a copy of the store."""
    import shutil

    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch) / ".memtui"
        shutil.copytree(folder / ".memtui", home)
        memory = open_memory(scratch, resident=False)
        samples = [timed(lambda i=i: memory.remember(f"The mill number {i} was weighed twice")) for i in range(rounds)]
    return {"remember median ms": statistics.median(samples)}


def first_paint(folder: Path, rounds: int) -> dict[str, float]:
    """Start of the process → the input painted: headless, as the real program starts."""
    script = (
        "import asyncio, sys, time\n"
        "from memtui.memory.opening import open_memory\n"
        "from memtui.tui.app import MemtuiApp\n"
        "app = MemtuiApp(open_memory(sys.argv[1]), sync_on_start=False)\n"
        "async def main():\n"
        "    async with app.run_test(size=(120, 40)) as pilot:\n"
        "        print('painted', flush=True)\n"
        "asyncio.run(main())\n"
    )
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}

    def run() -> float:
        started = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-c", script, str(folder)], stdout=subprocess.PIPE, text=True, env=environment
        )
        assert process.stdout is not None
        process.stdout.readline()
        taken = (time.perf_counter() - started) * 1_000
        process.communicate(timeout=60)
        return taken

    run()
    return {"first paint median ms": statistics.median([run() for _ in range(rounds)])}


def main() -> None:
    """Measure the sizes asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="1000,10000")
    parser.add_argument("--smoke", action="store_true", help="a tiny vault and few rounds: does it still run?")
    parser.add_argument("--json", type=Path, default=CACHE / "latest.json")
    arguments = parser.parse_args()
    sizes = [50] if arguments.smoke else [int(size) for size in arguments.sizes.split(",")]
    rounds = 2 if arguments.smoke else 9
    table: dict[str, dict[str, float]] = {}
    for size in sizes:
        folder = build(size)
        figures: dict[str, float] = {}
        for measure in (search_in_process, recall_in_process, whole_process, sync_unchanged, remember, first_paint):
            figures.update(measure(folder, rounds))
        table[str(size)] = figures
    labels = list(next(iter(table.values())))
    print(f"{'':28}" + "".join(f"{size:>12}" for size in table))
    for label in labels:
        print(f"{label:28}" + "".join(f"{figures[label]:12.2f}" for figures in table.values()))
    arguments.json.parent.mkdir(parents=True, exist_ok=True)
    arguments.json.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
