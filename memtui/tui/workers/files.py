"""Reading the vault's files: when asked, and unasked once some have changed and keep still."""

from __future__ import annotations

import logging
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from memtui.clock import monotonic_ms
from memtui.errors import MemtuiError
from memtui.model.problems import Problem
from memtui.tui.messages import SyncAdvanced, SyncEnded
from memtui.tui.workers.background import Background
from memtui.tui.workers.following import StoreFollowing

if TYPE_CHECKING:
    from memtui.memory.memory import Memory
    from memtui.model.outcomes import SyncReport

log = logging.getLogger(__name__)

_PROGRESS_EVERY_MS = 60.0
_QUICK_LOOK_MS = 50.0
_REST_MS = 900.0
"""The rest after a look at the files that is quick: with the looks, about one a second, two or three per cent."""
_REST_TIMES = 50.0
"""How much longer the rest is after a longer look, in times of what it took more: a large vault costs two per cent."""
_SETTLE_SECONDS = 0.3
"""How long what changed must keep still before it is read."""
_MOST_SETTLING = 10
"""How often in a row it is looked whether what changes keeps still."""


class FileReading:
    """Syncs the store with the files and watches these."""

    def __init__(
        self, background: Background, memory: Memory, following: StoreFollowing, *, follows_files: bool
    ) -> None:
        self._background = background
        self._memory = memory
        self._following = following
        self._follows_files = follows_files
        """Whether changed files are read unasked."""
        self._syncing = threading.Event()
        self._watching = threading.Lock()
        """Held while the files are looked at, so that looks do not pile up."""
        self._look_again_ms = 0.0
        self._look_ms = 0.0
        """What a look takes when nothing else keeps the machine busy; 0 before the first."""
        self._unread = 0
        """How many changed files the last sync left: reading them again would not help."""
        self._problems: frozenset[Problem] = frozenset()
        """What the last sync could not read as it should."""

    @property
    def busy(self) -> bool:
        """Whether files are being read."""
        return self._syncing.is_set()

    def sync(self) -> None:
        """Tell SyncAdvanced meanwhile and SyncEnded at the end."""
        self._background.start("sync", self._sync)

    def look(self) -> None:
        """Answer with SyncEnded if files changed and were read; otherwise with nothing."""
        if not self.busy and not self._watching.locked() and monotonic_ms() >= self._look_again_ms:
            self._background.start("watch", self._look)

    def read_if_changed(self) -> bool:
        """Read the files now if some have changed; whether they were read. Raises MemtuiError."""
        if not self._follows_files or self._memory.stale() == 0:
            return False
        with self._watching:
            self._read_changed()
        return True

    @contextmanager
    def _reading(self) -> Generator[None]:
        """While files are read; what that writes is ours."""
        self._syncing.set()
        try:
            with self._following.writing():
                yield
        finally:
            self._syncing.clear()

    def _sync(self) -> None:
        told_at = 0.0

        def progress(done: int, total: int, _path: str) -> None:
            nonlocal told_at
            if done == total or monotonic_ms() - told_at >= _PROGRESS_EVERY_MS:
                told_at = monotonic_ms()
                self._background.tell(SyncAdvanced(done, total))

        report: SyncReport | None = None
        made_anew = False

        def work() -> None:
            nonlocal report, made_anew
            with self._reading():
                made_anew = self._memory.is_store_gone()
                report = self._memory.sync(progress, self._background.is_closing)
                self._problems = frozenset(report.problems)

        trouble = self._background.trouble_of(work, "sync")
        # Only now that nothing is read any more: whoever hears it may write.
        self._background.tell(SyncEnded(report, trouble, made_anew=made_anew and trouble is None))

    def _look(self) -> None:
        """Read the files once some have changed and no more do for a moment."""
        if not self._watching.acquire(blocking=False):
            return
        try:
            stale = self._count_stale()
            for _ in range(_MOST_SETTLING):
                if stale in (0, self._unread) or self._background.rest(_SETTLE_SECONDS):
                    break
                before, stale = stale, self._count_stale()
                if stale == before:
                    self._read_changed()
                    break
        except MemtuiError as error:
            log.info("the files were not looked at: %s", error.message)  # whoever follows the store tells why
        finally:
            rest = _REST_MS + _REST_TIMES * max(self._look_ms - _QUICK_LOOK_MS, 0.0)
            self._look_again_ms = monotonic_ms() + rest
            self._watching.release()

    def _count_stale(self) -> int:
        began = monotonic_ms()
        stale = self._memory.stale()
        took = monotonic_ms() - began
        # The least counts, as others slow a look down; it grows slowly again, as vaults do.
        self._look_ms = min(took, self._look_ms * 1.02) or took
        self._unread = min(self._unread, stale)
        return stale

    def _read_changed(self) -> None:
        """Sync unasked, and tell of that quietly. Only while the files are being watched."""
        with self._reading():
            report = self._memory.sync(None, self._background.is_closing, unasked=True)
        news = [problem for problem in report.problems if problem not in self._problems]
        self._problems = frozenset(report.problems)
        self._background.tell(SyncEnded(replace(report, problems=tuple(news)), unasked=True))
        self._unread = self._memory.stale()
