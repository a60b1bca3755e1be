"""Following the store: what it holds is read once, then looked at every second for what others wrote."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from memtui.errors import StoreBusy, StoreGone
from memtui.lasting import lasting
from memtui.model.records import RecordKey
from memtui.tui.messages import FollowingChanged, OrderChanged, VaultChanged, VaultFailed, VaultLoaded
from memtui.tui.workers.background import Background

if TYPE_CHECKING:
    from memtui.memory.memory import Memory


class StoreFollowing:
    """Loads the store and follows it."""

    def __init__(self, background: Background, memory: Memory) -> None:
        self._background = background
        self._memory = memory
        self._writing = 0
        """How many writes of this program are under way."""
        self._untold = False
        """Whether this program has written what it did not tell yet."""
        self._telling = threading.Lock()
        """Held while it is told what is new, and whose: between the two no write of ours may be told or begin."""
        self._looking = threading.Lock()
        """Held while the store is being followed, so that looks do not pile up."""
        self._trouble: str | None = None
        self._newest: tuple[RecordKey, int] | None = None
        """The version recorded last, as far as it was told."""
        self._unsure = False
        """Whether another thread may have followed the store, so that a look finds nothing new in it."""

    def load(self) -> None:
        """Answer with VaultLoaded or VaultFailed."""
        self._background.start("load", self._load)

    def look(self) -> None:
        """Answer with VaultChanged or OrderChanged if the store holds something new; otherwise with nothing."""
        if not self._looking.locked():
            self._background.start("changes", self._look)

    def tell_status(self) -> None:
        """Answer with VaultChanged after a change of our own."""
        self._background.start("status", self._tell_status)

    @contextmanager
    def writing(self) -> Generator[None]:
        """Around a write of this program: what is new from then on until `tell_status` is most likely ours.

        Where it raises, nothing was written.
        """
        with self._telling:
            self._writing += 1
        wrote = False
        try:
            yield
            wrote = True
        finally:
            with self._telling:
                self._writing -= 1
                self._untold = self._untold or wrote

    def doubt(self) -> None:
        """A search may have followed the store by itself: the next look compares what it holds with what was told."""
        self._unsure = True

    def quietly(self, write: Callable[[], object]) -> None:
        """Write something that nobody need be told of; `write` says whether it did."""
        with self._looking:
            if write() and self._memory.refresh():
                self._unsure = True  # it may have brought something of others too

    def _load(self) -> None:
        def work() -> None:
            with self._looking, lasting():
                self._memory.load()
            self._newest = self._newest_version()
            self._background.tell(VaultLoaded(self._memory.status()))

        trouble = self._background.trouble_of(work, "opening of the vault")
        if trouble is not None:
            self._background.tell(VaultFailed(trouble))

    def _tell_status(self) -> None:
        with self._telling:
            try:
                status = self._memory.status()
            except StoreGone:  # what is held stays, and the next look says so
                return
            self._newest = self._newest_version()
            self._untold = False
            self._background.tell(VaultChanged(status, by_others=False))

    def _newest_version(self) -> tuple[RecordKey, int] | None:
        listing = self._memory.recent(1, all=True)
        return next(((record.key, record.seq) for record in listing.records), None)

    def _look(self) -> None:
        changed, gone = False, ""

        def work() -> None:
            nonlocal changed, gone
            try:
                changed = self._memory.refresh()
            except StoreGone as error:
                gone = error.file or self._memory.vault_name
                raise
            except StoreBusy as busy:
                # Usual and short: another process writes.
                raise StoreBusy("the store is busy") from busy

        if not self._looking.acquire(blocking=False):
            return
        try:
            trouble = self._background.trouble_of(work, "look for changes")
        finally:
            self._looking.release()
        if trouble != self._trouble:
            # Told when it begins and ends, not at each look.
            self._trouble = trouble
            self._background.tell(FollowingChanged(trouble, gone=gone))
        if changed or self._unsure:
            self._unsure = False
            self._tell_change(followed=changed)

    def _tell_change(self, *, followed: bool) -> None:
        with self._telling:
            newest = self._newest_version()
            if newest != self._newest:
                self._newest = newest
                ours = self._untold or self._writing > 0
                self._background.tell(VaultChanged(self._memory.status(), by_others=not ours))
            elif followed:
                self._background.tell(OrderChanged())
