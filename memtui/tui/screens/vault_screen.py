"""What every screen on a vault does: open it without blocking, follow it, say in the header how it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import getters, on
from textual.screen import Screen

from memtui.tui import notes
from memtui.tui.messages import (
    FollowingChanged,
    SyncAdvanced,
    SyncEnded,
    Told,
    Troubled,
    VaultChanged,
    VaultFailed,
    VaultLoaded,
)
from memtui.tui.vault_worker import VaultWorker
from memtui.tui.widgets.header_line import HeaderFacts, HeaderLine

if TYPE_CHECKING:
    from memtui.memory.memory import Memory
    from memtui.model.status import Status

_POLL_SECONDS = 1.0
_WATCH_SECONDS = 0.25
"""How often it is asked whether the worker has rested enough to look at the files again."""


class VaultScreen(Screen[None], inherit_bindings=False):
    """Holds the worker of one vault and turns its news into header, toasts and three hooks."""

    header = getters.query_one(HeaderLine)

    def __init__(self, memory: Memory, *, sync_on_start: bool) -> None:
        super().__init__()
        self._sync_on_start = self._follows_files = sync_on_start and not memory.read_only
        self.worker = VaultWorker(self, memory, follows_files=self._follows_files)
        self.ready = False
        """Whether the store is loaded; before that nothing is asked."""
        self._facts = HeaderFacts(memory.vault_name, read_only=memory.read_only)

    def on_mount(self) -> None:
        """Paint first, then open the vault."""
        self.header.facts = self._facts
        self.call_after_refresh(self.worker.load)
        self.set_interval(_POLL_SECONDS, self.look_for_changes)
        if self._follows_files:
            self.set_interval(_WATCH_SECONDS, self.look_at_files)

    # For the screen at hand to say what it does then.

    def vault_opened(self) -> None:
        """The store is loaded."""

    def vault_failed(self, sentence: str) -> None:
        """The store could not be opened."""

    def vault_changed(self) -> None:
        """The store holds something else than before."""

    # News

    def look_for_changes(self) -> None:
        """See whether another process wrote."""
        if self.ready:
            self.worker.look_for_changes()

    def look_at_files(self) -> None:
        """See whether files changed, and read them."""
        if self.ready:
            self.worker.look_at_files()

    def action_sync(self) -> None:
        """Read the files again, or try again to open the vault."""
        if self.ready:
            self.worker.sync()
        else:
            self.worker.load()

    @on(VaultLoaded)
    def _vault_loaded(self, event: VaultLoaded) -> None:
        self.ready = True
        status = event.status
        self.header.tell(plane="lexical", degraded=False, partition=status.partition)
        self._tell_counts(status)
        if self._sync_on_start:
            self._sync_on_start = False
            self.header.tell(activity="reading files")
            self.worker.sync()
        self.vault_opened()

    @on(VaultFailed)
    def _vault_failed(self, event: VaultFailed) -> None:
        self.header.tell(plane="not open", degraded=True)
        self.vault_failed(event.sentence)

    @on(VaultChanged)
    def _vault_changed(self, event: VaultChanged) -> None:
        before = self.header.facts.records
        self._tell_counts(event.status)
        if event.by_others:
            self.header.notice(notes.change(before, event.status.records))
        self.vault_changed()

    def _tell_counts(self, status: Status) -> None:
        self.header.tell(records=status.records, problems=len(status.problems))

    @on(FollowingChanged)
    def _following_changed(self, event: FollowingChanged) -> None:
        self.header.tell(activity=f"not up to date: {event.trouble}" if event.trouble else "")

    @on(SyncAdvanced)
    def _sync_advanced(self, event: SyncAdvanced) -> None:
        self.header.tell(activity=f"reading files {event.done:,}/{event.total:,}")

    @on(SyncEnded)
    def _sync_ended(self, event: SyncEnded) -> None:
        self.header.tell(activity="")
        if event.trouble is not None:
            self.post_message(Told(f"The files were not read. {event.trouble}", "warning"))
        report = event.report
        if report is None:
            return
        summary = notes.sync_summary(report)
        if summary and event.unasked and not report.problems:
            self.header.notice(summary)
        elif summary:
            self.post_message(Told(summary, "warning" if report.problems else "information"))
        if report.wrote:
            self.vault_changed()  # the counts take longer
        self.worker.tell_status()

    @on(Troubled)
    def _troubled(self, event: Troubled) -> None:
        self.post_message(Told(event.sentence, "error"))
