"""Vaults to measure on, built once and cached by size and recipe.

Every size is made as a person's vault is: markdown files, read by `sync`. Loading the records past the files would save
little (of one sync of 100,000 files, writing and reading them is 40 s, recording and indexing what they say 125 s) and
would leave the one-shot commands without the files whose freshness they look at. The vault grows in ten periods, each
synced under a clock of its own: so it has a past, and no transaction is larger than a tenth of it (100,000 new files in
one hold 11 GB at their height). Vectors come by formula.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
from collections.abc import Generator
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

from memtui.memory.opening import open_memory
from memtui.model.instants import Instant
from tests.benchmarks.texts import BEGAN, PERIOD_DAYS, PERIODS, Author
from tests.benchmarks.vectors import embed_by_formula

RECIPE = "2"
CACHE = Path(".benchmarks")


def build(records: int) -> Path:
    """The folder of a synced and embedded vault with this many files, one record each; made on first use."""
    token = hashlib.sha256(f"{RECIPE}:{records}".encode()).hexdigest()[:10]
    CACHE.mkdir(exist_ok=True)
    folder = CACHE / f"vault-{records}-{token}"
    if not folder.exists():
        unfinished = folder.with_suffix(".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        _grow(unfinished, records)
        unfinished.rename(folder)
    memory = open_memory(folder, resident=False)
    memory.sync()  # what an older program made: its store and its index are brought up to date
    embed_by_formula(memory)
    return folder


def _grow(folder: Path, records: int) -> None:
    author = Author(records)
    for period in range(PERIODS):
        for number in range(records):
            age = period - author.period(number)
            if age == 0 or (age in (1, 2) and author.is_corrected(number)):
                file = folder / author.path(number)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(author.text(number, corrections=age), encoding="utf-8")
        ended = _end_of(period)
        open_memory(folder, create=True, resident=False, clock=lambda ended=ended: ended).sync()


def _end_of(period: int) -> Instant:
    moment = datetime.combine(BEGAN + timedelta(days=(period + 1) * PERIOD_DAYS), time(), UTC)
    return int(moment.timestamp()) * 1_000_000


@contextlib.contextmanager
def lent(folder: Path) -> Generator[Path]:
    """A copy of a vault to measure on, so that what is recalled and remembered there leaves no trace.

    The files are the same ones by another name: nothing measured writes into them.
    """
    with tempfile.TemporaryDirectory(dir=CACHE, prefix="lent-") as scratch:
        copy = Path(scratch) / "vault"
        shutil.copytree(folder, copy, copy_function=os.link, ignore=shutil.ignore_patterns(".memtui"))
        shutil.copytree(folder / ".memtui", copy / ".memtui")
        yield copy
