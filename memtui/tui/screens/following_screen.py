"""What every screen on a vault does: open it without blocking, follow it, say in the header how it stands."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from textual import getters, on
from textual.screen import Screen

from memtui.clock import monotonic_ms
from memtui.tui import notes
from memtui.tui.messages import (
    EmbeddingAdvanced,
    FollowingChanged,
    MeaningFailed,
    MeaningStands,
    OrderChanged,
    SyncAdvanced,
    SyncEnded,
    Told,
    Troubled,
    VaultChanged,
    VaultFailed,
    VaultLoaded,
)
from memtui.tui.rows import Answer
from memtui.tui.standing import Standing
from memtui.tui.vault_worker import VaultWorker
from memtui.tui.widgets.header_line import HeaderFacts, HeaderLine

if TYPE_CHECKING:
    from memtui.memory.memory import Memory
    from memtui.model.outcomes import SyncReport
    from memtui.model.status import Status

_POLL_SECONDS = 1.0
_WATCH_SECONDS = 0.25
"""How often it is asked whether the worker has rested enough to look at the files again."""
_REORDER_MS = 4_000.0
"""While texts are being embedded, answers are asked again this seldom."""


class FollowingScreen(Screen[None], inherit_bindings=False):
    """Holds the worker of one vault and turns its news into header, toasts and a few hooks."""

    header = getters.query_one(HeaderLine)

    def __init__(self, memory: Memory, *, sync_on_start: bool) -> None:
        super().__init__()
        self._sync_on_start = self._follows_files = sync_on_start and not memory.read_only
        self.worker = VaultWorker(self, memory, follows_files=self._follows_files)
        self.ready = False
        """Whether the store is loaded; before that nothing is asked."""
        self.records: int | None = None
        """How many records there are at present; None until they were counted."""
        self.standing = Standing()
        """How searching by meaning stands."""
        self._told_trouble = ""
        self._reordered_ms = 0.0
        self._facts = HeaderFacts(memory.vault_name, read_only=memory.read_only)

    def on_mount(self) -> None:
        """Paint first, then open the vault."""
        self.header.facts = self._facts
        self.call_after_refresh(self.worker.load)
        self.set_interval(_POLL_SECONDS, self.look_for_changes)
        if self._follows_files:
            self.set_interval(_WATCH_SECONDS, self.look_at_files)

    async def on_unmount(self) -> None:
        """Nobody waits for answers any more."""
        await self.worker.close()

    # For the screen at hand to say what it does then.

    def vault_opened(self) -> None:
        """The store is loaded."""

    def vault_failed(self, sentence: str) -> None:
        """The store could not be opened."""

    def vault_changed(self) -> None:
        """The store holds something else than before."""

    def order_changed(self) -> None:
        """The store holds other vectors or recalls than before."""

    def meaning_came(self) -> None:
        """From now on meaning can have a say in answers."""

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
        self.worker.try_meaning_again()
        self._told_trouble = ""
        if self.ready:
            self.worker.sync()
        else:
            self.worker.load()

    @on(VaultLoaded)
    def _vault_loaded(self, event: VaultLoaded) -> None:
        self.ready = True
        status = event.status
        self.header.tell(partition=status.partition)
        self.stand(Standing(texts=status.index_rows))
        self._tell_counts(status)
        # What the first sync brings is embedded along with the rest, when it is through.
        self.worker.attend_to_meaning(status, may_write=not self._sync_on_start)
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
        before = self.records
        self._tell_counts(event.status)
        if event.by_others:
            self.header.notice(notes.change(before, event.status.records))
        self.worker.attend_to_meaning(event.status, may_write=not self.worker.files.busy)
        self.vault_changed()

    @on(OrderChanged)
    def _order_changed(self) -> None:
        if not self.standing.embedding or monotonic_ms() - self._reordered_ms >= _REORDER_MS:
            self._reordered_ms = monotonic_ms()
            self.order_changed()

    def _tell_counts(self, status: Status) -> None:
        self.records = status.records
        self.tell_records()
        self.header.tell(problems=len(status.problems))

    def tell_records(self) -> None:
        """Say in the header how many records there are."""
        self.header.tell(records=self.records)

    @on(FollowingChanged)
    def _following_changed(self, event: FollowingChanged) -> None:
        was_gone = self.header.facts.store_gone
        trouble = event.trouble if not event.gone else None
        self.header.tell(store_gone=bool(event.gone), activity=f"not up to date: {trouble}" if trouble else "")
        if event.gone:
            told = notes.store_gone(event.gone, read_only=self.header.facts.read_only)
            self.post_message(Told(told, "error"))
        elif was_gone and trouble is None:
            self.header.notice("the store is there again")

    @on(SyncAdvanced)
    def _sync_advanced(self, event: SyncAdvanced) -> None:
        self.header.tell(activity=f"reading files {event.done:,}/{event.total:,}")

    @on(SyncEnded)
    def _sync_ended(self, event: SyncEnded) -> None:
        self.header.tell(activity="")
        if event.trouble is not None:
            self.post_message(Told(f"The files were not read. {event.trouble}", "warning"))
        report = event.report
        if event.made_anew:
            self.header.tell(store_gone=False)
            self.post_message(Told(notes.MADE_ANEW, "warning"))
        elif report is not None:
            self._tell_report(report, unasked=event.unasked)
        # Also where no file could be read: what is held already may wait to be embedded.
        self.worker.tell_status()

    def _tell_report(self, report: SyncReport, *, unasked: bool) -> None:
        summary = notes.sync_summary(report)
        if summary and unasked and not report.problems:
            self.header.notice(summary)
        elif summary:
            self.post_message(Told(summary, "warning" if report.problems else "information"))
        if report.wrote:
            self.vault_changed()  # the counts take longer

    # Meaning

    def stand(self, standing: Standing) -> None:
        """Say in the header what answers now."""
        standing = replace(standing, engine=self.worker.has_search_engine)
        could_help, self.standing = self.standing.may_help, standing
        told = standing.told()
        self.header.tell(plane=told.text, degraded=told.degraded, plane_in_full=told.whole)
        if standing.may_help and not could_help:
            self.meaning_came()

    def answered(self, answer: Answer) -> None:
        """An answer tells better than anything else what answers."""
        standing = self.standing
        if standing.model == "failed" and standing.trouble and not standing.engine:
            return  # why was told in full, with what to do about it
        # That nothing is embedded yet is told with the count of what is.
        degraded = answer.degraded and (standing.embedded > 0 or standing.engine or not answer.by_meaning)
        if answer.query.strip() and (degraded or answer.by_meaning):
            self.stand(replace(standing, trouble=answer.reason if degraded else "", answered_by=answer.plane))

    @on(MeaningStands)
    def _meaning_stands(self, event: MeaningStands) -> None:
        healed = event.embedding_ended or event.standing.model == "loading"
        trouble = "" if healed else self.standing.trouble
        self.stand(replace(event.standing, trouble=trouble, answered_by=self.standing.answered_by))
        if event.embedding_ended:
            self.order_changed()

    @on(EmbeddingAdvanced)
    def _embedding_advanced(self, event: EmbeddingAdvanced) -> None:
        self.stand(replace(self.standing, embedded=event.embedded, texts=event.texts, embedding=True))

    @on(MeaningFailed)
    def _meaning_failed(self, event: MeaningFailed) -> None:
        self.stand(replace(self.standing, trouble=event.reason, embedding=False))
        if event.reason != self._told_trouble:
            self._told_trouble = event.reason
            self.post_message(Told(f"Searches go by words: {event.reason}", "warning"))

    @on(Troubled)
    def _troubled(self, event: Troubled) -> None:
        self.post_message(Told(event.sentence, "error"))
