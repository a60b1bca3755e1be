"""Waiting for what happens to processes."""

from __future__ import annotations

import os
import time
from pathlib import Path

SMALL = str(Path(__file__).with_name("small_worker.py"))


def until(condition, seconds=20.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


def gone(pid):
    """Whether a process has ended; one that nobody has waited for yet has."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return False
