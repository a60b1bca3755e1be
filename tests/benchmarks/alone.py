"""`python -m tests.benchmarks.alone NAME FOLDER ROUNDS`: one measure, in a process that has done nothing before."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from memtui.doors.starting import spare_threads

spare_threads()  # as the program does, before anything imports numpy

from tests.benchmarks import processes, reviewing, screen, searching, sliding  # noqa: E402
from tests.benchmarks.timing import Figures  # noqa: E402

MEASURES = {
    measure.__name__: measure
    for measure in (
        searching.search_by_words,
        searching.search_by_meaning,
        screen.painted_list,
        sliding.moved_slider,
        reviewing.review,
        processes.recall_commands,
        *((processes.memory_of_the_program,) if sys.platform == "linux" else ()),
        searching.sync_unchanged,
        processes.first_paint,
        # These two write more than a person's recalls into the vault.
        searching.remember,
        searching.recall_in_process,
    )
}


def measured(name: str, folder: Path, rounds: int) -> Figures:
    """The figures of one measure on a vault."""
    command = [sys.executable, "-m", __name__, name, str(folder), str(rounds)]
    told = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    return {str(row): float(figure) for row, figure in json.loads(told).items()}


if __name__ == "__main__":
    print(json.dumps(MEASURES[sys.argv[1]](Path(sys.argv[2]), int(sys.argv[3]))))
