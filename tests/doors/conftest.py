"""The command line as a program of its own: where streams, bytes and signals matter."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys

import pytest


@pytest.fixture
def shell(vault, tmp_path):
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

    assert call("memtui init")[0] == 0
    assert call("memtui remember 'Der Löwe schläft, aslan uyuyor: şöyle' --name lion")[0] == 0
    return call
