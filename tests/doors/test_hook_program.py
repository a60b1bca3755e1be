"""The prompt hook as a program of its own: its streams, its end, and what it imports."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys

import pytest

from memtui.doors.hook.block import HEADLINE
from tests.test_isolation import loaded_after

pytestmark = pytest.mark.slow

HOOK = "memtui hook prompt < event.json"


@pytest.fixture
def event(vault):
    """An event about what the shell's vault knows, in a file."""
    file = vault / "event.json"
    file.write_text(json.dumps({"prompt": "aslan uyuyor mu, Löwe?", "cwd": str(vault)}))
    return file


def test_it_prints_utf8_whatever_the_locale(shell, event):
    for environment in ({}, {"PYTHONIOENCODING": "latin-1"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}):
        status, out, err = shell(HOOK, **environment)
        assert (status, err) == (0, b"")
        lines = out.decode().splitlines()
        assert lines[:2] == [HEADLINE, "1. engram/lion: Der Löwe schläft, aslan uyuyor: şöyle"]


@pytest.mark.parametrize("line", ["memtui hook prompt <&-", f"{HOOK} >&-", f"{HOOK} >/dev/full"])
def test_broken_streams_are_passed_over(shell, event, line):
    assert shell(line) == (0, b"", b"")


def test_a_reader_who_leaves_is_no_failure(shell, event):
    assert shell(f"{HOOK} | true; exit ${{PIPESTATUS[0]}}") == (0, b"", b"")


def test_the_agent_can_write_its_whole_event_whatever_becomes_of_it(shell, vault):
    (vault / "event.json").write_bytes(b"x" * 1_000_000)
    writer = "cat event.json | memtui hook prompt; echo ${PIPESTATUS[0]} ${PIPESTATUS[1]}"
    assert shell(writer, MEMTUI_HOOK="0") == (0, b"0 0\n", b"")
    assert shell(writer) == (0, b"0 0\n", b"")


def test_an_event_that_does_not_end_is_not_waited_for(vault):
    waiting = subprocess.Popen(
        [sys.executable, "-m", "memtui", "hook", "prompt"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with waiting:
        waiting.stdin.write(b'{"prompt": "')
        waiting.stdin.flush()
        assert waiting.wait(timeout=30) == 0
        assert (waiting.stdout.read(), waiting.stderr.read()) == (b"", b"")


def test_it_imports_only_what_it_needs(shell, event):
    code = (
        "import sys\nsys.stdin = open(sys.argv[1])\nfrom memtui.doors.cli.main import run\n"
        "assert run(['hook', 'prompt']) == 0"
    )
    assert loaded_after(code, str(event)) <= {"click", "_duckdb", "numpy", "rapidfuzz"}
    off = code.replace("import sys", "import os, sys\nos.environ['MEMTUI_HOOK'] = '0'", 1)
    assert loaded_after(off, str(event)) == {"click"}


USUAL = [
    "hook prompt",
    "hook prompt --vault {vault}",
    "--vault {vault} hook prompt",
    "--vault={vault} --actor someone hook prompt --read-only",
    "hook --vault {vault} prompt --found-empty hooks",
    "hook prompt --vault {vault} --found-empty=file --debug",
]
OTHERS = [
    "--vault {vault} hook prompt --plain",
    "--vault /no/such --vault {vault} hook prompt",
    "--vault /no/such hook prompt --vault {vault}",
    "hook prompt --vault=",
    "hook prompt --vault --debug",
    "--vault hook prompt",
    "hook prompt --vault",
    "hook prompt prompt",
    "hook prompt --vault /no/such",
    "hook prompt --nonsense",
    "hook prompt --personal --vault {vault}",
    "hook --found-empty hooks prompt --vault {vault}",
    "hook",
]
BY_THE_COMMAND_LINE = "import sys; from memtui.doors.cli.main import run; sys.exit(run(sys.argv[1:]))"


@pytest.mark.parametrize("call", [*USUAL, *OTHERS])
def test_however_it_is_called_it_answers_as_the_command_line_would(shell, event, vault, call):
    if "{vault}" in call:
        event.write_text(event.read_text().replace(str(vault), "/"))
    words = f"{call.format(vault=vault)} < event.json"
    program = shell(f"memtui {words}", MEMTUI_VAULT="/no/such")
    assert program == shell(
        f"{shlex.quote(sys.executable)} -c '{BY_THE_COMMAND_LINE}' {words}", MEMTUI_VAULT="/no/such"
    )
    if call in USUAL:
        assert program[1].startswith(HEADLINE.encode())


@pytest.mark.parametrize("call", USUAL)
def test_called_as_usual_it_goes_without_the_command_lines_machinery(shell, event, vault, call):
    code = (
        "import sys\nsys.stdin = open(sys.argv.pop(1))\nfrom memtui import __main__\nassert __main__._run() == 0\n"
        "assert 'memtui.search.searcher' in sys.modules"
    )
    assert loaded_after(code, str(event), *call.format(vault=vault).split()) <= {"_duckdb", "numpy", "rapidfuzz"}
