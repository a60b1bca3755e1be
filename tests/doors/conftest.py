"""The command line as a program of its own, and as a call where streams, bytes and signals do not matter."""

from __future__ import annotations

import io
import json
import os
import shlex
import shutil
import subprocess
import sys
from typing import NamedTuple

import pytest

from memtui.doors.cli.main import run


@pytest.fixture(autouse=True)
def no_one_in_particular(monkeypatch, tmp_path_factory):
    """Personal stores lie in a folder of this test, and nobody is anybody until the test says so."""
    monkeypatch.setenv("MEMTUI_PERSONAL_DIR", str(tmp_path_factory.mktemp("personal") / "stores"))
    monkeypatch.delenv("MEMTUI_PERSONAL_ID", raising=False)


class Answer(NamedTuple):
    """What a command gave back."""

    status: int
    out: str
    err: str

    @property
    def json(self):
        """Standard output as the one JSON document it promises to be."""
        assert self.status == 0, self.err
        return json.loads(self.out, parse_constant=pytest.fail)

    @property
    def error(self):
        """The error on standard error, where JSON was asked for."""
        assert (self.status, self.out) != (0, ""), self.out
        return json.loads(self.err)["error"]

    @property
    def rows(self):
        """The cells of plain output."""
        assert self.status == 0, self.err
        return [line.split("\t") for line in self.out.splitlines()]


@pytest.fixture
def door(capsys, vault, monkeypatch):
    """Run a command in a folder that is no vault yet."""
    monkeypatch.chdir(vault)

    def call(*arguments, stdin=None):
        if stdin is not None:
            data = stdin if isinstance(stdin, bytes) else stdin.encode()
            monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        status = run(list(arguments))
        return Answer(status, *capsys.readouterr())

    return call


@pytest.fixture(scope="session")
def stencils():
    """What vaults looked like when they were first prepared, by name."""
    return {}


@pytest.fixture
def prepared(stencils, vault, tmp_path_factory):
    """Prepare the vault by commands the first time; a copy of what they left does ever after. Gives what they gave."""

    def prepare(name, build):
        if name not in stencils:
            given = build()
            folder = tmp_path_factory.mktemp("stencil")
            shutil.copytree(vault, folder, dirs_exist_ok=True)
            stencils[name] = folder, given
        folder, given = stencils[name]
        shutil.copytree(folder, vault, dirs_exist_ok=True)
        return given

    return prepare


@pytest.fixture
def memtui(door, prepared):
    """Run a command in a vault."""
    assert prepared("empty", lambda: door("init")).status == 0
    return door


@pytest.fixture
def shell(vault, tmp_path, prepared):
    """Run a line of bash in a vault, where `memtui` is the program; (status, output, errors) as bytes."""

    program = tmp_path / "bin" / "memtui"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m memtui "$@"\n')
    program.chmod(0o755)
    path = f"{program.parent}:{os.environ['PATH']}"

    def call(line, **environment):
        done = subprocess.run(
            ["bash", "-c", line],
            cwd=vault,
            env={**os.environ, "PATH": path, **environment},
            capture_output=True,
            timeout=60,
        )
        return done.returncode, done.stdout, done.stderr

    def build():
        assert call("memtui init")[0] == 0
        assert call("memtui remember 'Der Löwe schläft, aslan uyuyor: şöyle' --name lion")[0] == 0

    prepared("lion", build)
    return call
