"""`python -m tests.benchmarks`: measure vaults of known size, print a table, write JSON.

Whoever uses the machine meanwhile is in the figures. Each measure runs in a process of its own, on a copy of the vault.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from pathlib import Path

from tests.benchmarks.alone import MEASURES, measured
from tests.benchmarks.table import ROWS, as_json, as_text
from tests.benchmarks.timing import Figures
from tests.benchmarks.vaults import CACHE, build, lent


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
    wanted = [name for name in MEASURES if arguments.only in name]
    load = os.getloadavg()[0]
    figures = {size: _figures(size, wanted, rounds=2 if arguments.smoke else arguments.rounds) for size in sizes}
    print(as_text(figures))
    machine = {
        "python": platform.python_version(),
        "system": platform.platform(),
        "cores": os.cpu_count(),
        "load_before": round(load, 2),
    }
    arguments.json.parent.mkdir(parents=True, exist_ok=True)
    told = {"machine": machine, "sizes": as_json(figures)}
    arguments.json.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _figures(size: int, measures: list[str], *, rounds: int) -> Figures:
    _tell(size, "a vault of them, built if need be")
    figures: Figures = {}
    with lent(build(size)) as folder:
        for name in measures:
            _tell(size, name)
            figures.update(measured(name, folder, rounds))
    unknown = figures.keys() - {row.key for row in ROWS}
    if unknown:
        raise RuntimeError(f"the table has no row for {', '.join(sorted(unknown))}")
    return figures


def _tell(size: int, what: str) -> None:
    print(f"{size:,} records: {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
