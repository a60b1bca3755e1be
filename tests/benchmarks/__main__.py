"""`python -m tests.benchmarks`: measure vaults of known size, print a table, write JSON.

Whoever uses the machine meanwhile is in the figures. Each measure runs in a process of its own, on a copy of the vault.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.benchmarks import processes, screen, searching
from tests.benchmarks.table import ROWS, as_json, as_text
from tests.benchmarks.timing import Figures, timed
from tests.benchmarks.vaults import CACHE, build, lent

MEASURES: tuple[Callable[[Path, int], Figures], ...] = (
    searching.search_by_words,
    searching.search_by_meaning,
    screen.painted_list,
    processes.recall_commands,
    *((processes.memory_of_the_program,) if sys.platform == "linux" else ()),
    searching.sync_unchanged,
    processes.first_paint,
    # These two write more than a person's recalls into their copy.
    searching.remember,
    searching.recall_in_process,
)


def main() -> None:
    """Measure the sizes asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--sizes", default="1000,10000", help="numbers of records (default: %(default)s)")
    parser.add_argument("--smoke", action="store_true", help="a tiny vault and few rounds: does it still run?")
    parser.add_argument("--rounds", type=int, default=9, help="how often each thing is done (default: %(default)s)")
    parser.add_argument("--only", default="", help="only measures with this in their name")
    parser.add_argument("--json", type=Path, default=CACHE / "latest.json", help="default: %(default)s")
    arguments = parser.parse_args()
    sizes = [50] if arguments.smoke else [int(size) for size in arguments.sizes.split(",")]
    wanted = [measure for measure in MEASURES if arguments.only in measure.__name__]
    load = os.getloadavg()[0]
    measured = {size: _measured(size, wanted, rounds=2 if arguments.smoke else arguments.rounds) for size in sizes}
    print(as_text(measured))
    machine = {
        "python": platform.python_version(),
        "system": platform.platform(),
        "cores": os.cpu_count(),
        "load_before": round(load, 2),
    }
    arguments.json.parent.mkdir(parents=True, exist_ok=True)
    told = {"machine": machine, "sizes": as_json(measured)}
    arguments.json.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _measured(size: int, measures: list[Callable[[Path, int], Figures]], *, rounds: int) -> Figures:
    CACHE.mkdir(exist_ok=True)
    print(f"{size:,} records: building took {timed(lambda: build(size)) / 1_000:.0f} s", file=sys.stderr, flush=True)
    figures: Figures = {}
    with lent(build(size)) as folder:
        for measure in measures:
            print(f"{size:,} records: {measure.__name__}", file=sys.stderr, flush=True)
            with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as alone:
                figures.update(alone.submit(measure, folder, rounds).result())
    unknown = figures.keys() - {row.key for row in ROWS}
    if unknown:
        raise RuntimeError(f"the table has no row for {', '.join(sorted(unknown))}")
    return figures


if __name__ == "__main__":
    main()
