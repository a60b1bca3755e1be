"""What an import pulls in, seen in a fresh interpreter: the static contracts cannot see deferred imports."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("duckdb", "_duckdb", "numpy", "textual", "rich", "yaml", "pathspec", "rapidfuzz", "platformdirs", "click")


def loaded_after(code, *arguments):
    probe = f"{code}\nimport sys\nprint(*(m for m in {HEAVY!r} if m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", probe, *arguments], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split()) if done.stdout.strip() else set()


def test_importing_memtui_pulls_in_nothing_heavy():
    assert loaded_after("import memtui") == set()


@pytest.mark.parametrize(
    "module", ["memtui.model.results", "memtui.model.canonical", "memtui.text.analysis", "memtui.errors"]
)
def test_lower_rooms_need_only_the_standard_library(module):
    assert loaded_after(f"import {module}") == set()


def test_the_command_line_imports_only_what_a_command_needs(vault):
    code = "from memtui.doors.cli.main import run\nimport sys\nassert run(sys.argv[1:]) == 0"
    assert loaded_after(code, "--help") == {"click"}
    assert loaded_after(code, "init", str(vault)) <= {"click", "_duckdb", "numpy"}
    assert loaded_after(code, "recall", "--vault", str(vault), "anything") <= {"click", "_duckdb", "numpy", "rapidfuzz"}


def test_the_version_needs_nothing_at_all():
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "memtui", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("memtui ")
    assert not any(name in done.stderr for name in ("duckdb", "textual", "click"))


@pytest.mark.skipif(sys.platform != "linux", reason="counts threads as Linux lists them")
def test_the_program_starts_no_threads_for_algebra_and_leaves_those_of_its_children_alone(monkeypatch):
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    code = (
        "from memtui.doors.starting import spare_threads\nspare_threads()\n"
        "import os, numpy\nnumpy.ones((300, 300)) @ numpy.ones((300, 300))\n"
        "print(len(os.listdir('/proc/self/task')), 'OPENBLAS_NUM_THREADS' in os.environ)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1", "False"]
