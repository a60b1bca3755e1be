"""The README's tour is true, line by line: each `$` line is run, each line below it must appear in order."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def steps():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    tour = text.split("## A five-minute tour")[1].split("\n## ")[0]
    for block in re.findall(r"```console\n(.*?)```", tour, re.S):
        command, expected = None, []
        for line in block.splitlines():
            if line.startswith("$ "):
                if command:
                    yield command, expected
                command, expected = line[2:], []
            else:
                expected.append(line)
        yield command, expected


@pytest.mark.slow
def test_the_tour_is_true(tmp_path, monkeypatch):
    monkeypatch.delenv("MEMTUI_EMBEDDER")
    shutil.copytree(ROOT / "sample_vault", tmp_path / "delice")
    ran = 0
    for command, expected in steps():
        if command.startswith("cp "):
            continue
        assert command.startswith("memtui ")
        line = command.replace("memtui", f"{sys.executable} -m memtui", 1)
        done = subprocess.run(line, shell=True, cwd=tmp_path / "delice", capture_output=True, text=True)
        assert done.returncode == 0, f"{command}: {done.stderr}"
        pattern = ""
        for wanted in expected:
            # A line of only … stands for any lines, … inside a line for any text.
            pattern += r"(?:.*\n)*?" if wanted == "…" else ".*".join(map(re.escape, wanted.split("…"))) + r"\n"
        assert re.fullmatch(pattern, done.stdout), f"$ {command}\n{done.stdout}\nexpected:\n" + "\n".join(expected)
        ran += 1
    assert ran >= 12
