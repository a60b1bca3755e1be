"""What a verb that was killed leaves beside its file: finished, told of, or removed by the next sync."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from memtui.doors.cli.vaults import summary_lines
from memtui.vault.replacing import prepare
from memtui.vault.scanning import TEMPORARY
from tests.vault.test_following_files import PORT, cut_short, temporaries

pytestmark = pytest.mark.slow

KILLED = """
import os, sys
from pathlib import Path
from memtui.memory.opening import open_memory
from memtui.vault import following_up, replacing

def dies(*_, **__):
    os._exit(9)

if sys.argv[2] == "before the ledger commits":
    prepare = following_up.prepare
    following_up.prepare = lambda *a, **k: (prepare(*a, **k), dies())
else:
    replacing.Prepared.commit = dies
open_memory(Path(sys.argv[1]), actor="ada").update("port", summary=sys.argv[3])
"""


def killed(vault, when, summary):
    """An update by another process that is killed at a moment."""
    run = subprocess.run(
        [sys.executable, "-c", KILLED, str(vault), when, summary], check=False, cwd=Path(__file__).parents[2]
    )
    assert run.returncode == 9


@pytest.fixture
def port(memory, write):
    file = write("engrams/port.md", PORT)
    memory.sync()
    return file


def test_what_the_ledger_never_heard_of_is_removed_and_not_told(memory, port, vault):
    for number in range(3):
        killed(vault, "before the ledger commits", f"The port is {number}")
    assert len(temporaries(vault)) == 3
    report = memory.sync()
    assert (report.finished, report.problems, report.skipped, report.wrote) == ((), (), 0, False)
    assert temporaries(vault) == []
    assert port.read_text() == PORT


def test_what_was_recorded_is_finished_and_said(memory, port, vault):
    killed(vault, "before the ledger commits", "The port is 1")
    killed(vault, "before the file is replaced", "The port is 6000")
    assert len(temporaries(vault)) == 2
    report = memory.sync()
    assert "6000" in port.read_text()
    assert temporaries(vault) == []
    ((path, says),) = report.finished
    assert path == "engrams/port.md"
    assert "`update` of engram/port (version 2)" in says
    assert report.as_dict()["finished"] == [{"path": path, "says": says}]
    said = ["".join(text for text, _ in line) for line in summary_lines(report)]
    assert any("finished engrams/port.md" in line for line in said)
    assert memory.sync().finished == ()


def test_what_could_not_be_finished_stays_for_the_sync_that_can(memory, port, vault, monkeypatch):
    killed(vault, "before the file is replaced", "The port is 6000")
    with monkeypatch.context() as patched:
        cut_short(patched)
        report = memory.sync()
    assert (report.finished, len(report.problems), len(temporaries(vault))) == ((), 1, 1)
    assert [path for path, _ in memory.sync().finished] == ["engrams/port.md"]
    assert temporaries(vault) == []


def test_what_tells_that_an_edit_undoes_a_writing_is_removed_once_that_is_told(memory, port, vault):
    killed(vault, "before the file is replaced", "The port is 6000")
    port.write_text("---\nsummary: [\n---\n")
    memory.sync()
    assert len(temporaries(vault)) == 1, "what the file is to become is not known yet"
    port.write_text(PORT + "A word more.\n")
    assert [problem.value for problem in memory.sync().problems] == ["The port is 6000"]
    assert temporaries(vault) == []


def test_what_a_running_process_prepared_and_what_is_not_ours_are_left_alone(memory, port, vault):
    mine = prepare(port, b"new", expected=PORT.encode())
    foreign = vault / "engrams" / f".mine{TEMPORARY}"
    foreign.touch()
    os.utime(foreign, ns=(1, 1))
    report = memory.sync()
    assert set(temporaries(vault)) == {mine.temporary, foreign}
    assert [path for path, _ in report.skipped_paths] == [f"engrams/.mine{TEMPORARY}"]
