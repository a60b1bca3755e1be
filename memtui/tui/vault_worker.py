"""Everything that asks the core: in threads, one message per answer, no widget touched.

What a person types or moves to is asked newest-only; loading, syncing, writing and looking for
changes run beside it. A failure becomes a message and a line in the log, never the program's end.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from textual.message import Message
from textual.widget import Widget

from memtui.clock import monotonic_ms
from memtui.errors import MemtuiError, Refused, StoreBusy
from memtui.model.belief import NOW, BeliefState
from memtui.model.outcomes import Written
from memtui.model.problems import Problem
from memtui.model.records import RecordKey
from memtui.model.results import RecordView, Snippet
from memtui.tui import notes
from memtui.tui.marking import Marker
from memtui.tui.messages import (
    FollowingChanged,
    MemoryWritten,
    PassagesReady,
    PreviewReady,
    SearchAnswered,
    SyncAdvanced,
    SyncEnded,
    Troubled,
    VaultChanged,
    VaultFailed,
    VaultLoaded,
    WriteFailed,
)
from memtui.tui.newest_only import NewestOnly
from memtui.tui.preview_lines import Prepared, history_tab, text_tab, why_tab
from memtui.tui.rows import Answer, Row
from memtui.tui.state import Cause, Done, Tab
from memtui.tui.styled_lines import lay_out

if TYPE_CHECKING:
    from memtui.memory.memory import Memory

log = logging.getLogger(__name__)

MOST_HITS = 50
MOST_RECENT = 500
MOST_CLOSEST = 5
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


@dataclass(frozen=True, slots=True)
class Question:
    """One search to be run."""

    sequence: int
    query: str
    cause: Cause
    belief: BeliefState
    with_forgotten: bool
    page: int
    """How many rows will be seen at once, whose snippets are made along with the answer."""


@dataclass(frozen=True, slots=True)
class PassageWish:
    """Rows whose snippets will be seen."""

    sequence: int
    rows: Mapping[int, Row]


@dataclass(frozen=True, slots=True)
class PreviewWish:
    """One preview to be made."""

    sequence: int
    row: Row
    query: str
    tab: Tab
    whole: bool
    brief: bool
    width: int
    belief: BeliefState = NOW


class VaultWorker:
    """Runs the core's verbs for a screen."""

    def __init__(self, host: Widget, memory: Memory, *, follows_files: bool) -> None:
        self._host = host
        self._memory = memory
        self._follows_files = follows_files
        """Whether changed files are read unasked."""
        self._zone = memory.zone
        self._closing = threading.Event()
        self._looking = threading.Lock()
        """Held while the store is being followed, so that looks do not pile up."""
        self._syncing = threading.Event()
        self._follow_trouble: str | None = None
        self._watching = threading.Lock()
        """Held while the files are looked at, so that looks do not pile up."""
        self._look_again_ms = 0.0
        self._look_ms = 0.0
        """What a look takes when nothing else keeps the machine busy; 0 before the first."""
        self._unread = 0
        """How many changed files the last sync left: reading them again would not help."""
        self._problems: frozenset[Problem] = frozenset()
        """What the last sync could not read as it should."""
        self._search = NewestOnly[Question](host, "search", self._answer)
        self._passages = NewestOnly[PassageWish](host, "passages", self._make_passages)
        self._preview = NewestOnly[PreviewWish](host, "preview", self._make_preview)

    # What may be asked

    def search(self, question: Question) -> None:
        """Answer with SearchAnswered."""
        self._search.ask(question)

    def passages(self, wish: PassageWish) -> None:
        """Answer with PassagesReady."""
        self._passages.ask(wish)

    def preview(self, wish: PreviewWish) -> None:
        """Answer with PreviewReady."""
        self._preview.ask(wish)

    def load(self) -> None:
        """Answer with VaultLoaded or VaultFailed."""
        self._start("load", self._load)

    def sync(self) -> None:
        """Tell SyncAdvanced meanwhile and SyncEnded at the end."""
        self._start("sync", self._sync)

    def look_at_files(self) -> None:
        """Answer with SyncEnded if files changed and were read; otherwise with nothing."""
        if not self._syncing.is_set() and not self._watching.locked() and monotonic_ms() >= self._look_again_ms:
            self._start("watch", self._look_at_files)

    def write(self, done: Done, undoes: Done | None = None) -> None:
        """Carry out a verb; answer with MemoryWritten or WriteFailed."""
        self._start("write", lambda: self._write(done, undoes))

    def note_opened(self, key: RecordKey, cue: str) -> None:
        """Record that a person opened a memory to read it: that recalls it."""
        self._start("recall", lambda: self._note_opened(key, cue))

    def look_for_changes(self) -> None:
        """Answer with VaultChanged if another process wrote; otherwise with nothing."""
        if not self._looking.locked():
            self._start("changes", self._look_for_changes)

    def tell_status(self) -> None:
        """Answer with VaultChanged after a change of our own."""
        self._start("status", lambda: self._tell(VaultChanged(self._memory.status(), by_others=False)))

    def close(self) -> None:
        """Ask what still runs to end soon."""
        self._closing.set()

    # In threads

    def _start(self, name: str, work: Callable[[], None]) -> None:
        def run() -> None:
            trouble = self._trouble_of(work, name)
            if trouble is not None:
                self._tell(Troubled(trouble))

        self._host.run_worker(run, name=name, group=name, description=name, thread=True, exit_on_error=False)

    def _tell(self, message: Message) -> None:
        if not self._closing.is_set():
            self._host.post_message(message)

    def _trouble_of(self, work: Callable[[], None], name: str) -> str | None:
        """Do some work: None, or the sentences that say why it failed."""
        try:
            work()
        except MemtuiError as error:
            return notes.trouble(error)
        except Exception as error:
            log.exception("%s failed", name)
            return f"The {name} failed: {error or type(error).__name__}"
        return None

    def _load(self) -> None:
        def work() -> None:
            with self._looking:
                self._memory.load()
            self._tell(VaultLoaded(self._memory.status()))

        trouble = self._trouble_of(work, "opening of the vault")
        if trouble is not None:
            self._tell(VaultFailed(trouble))

    def _sync(self) -> None:
        told_at = 0.0

        def progress(done: int, total: int, _path: str) -> None:
            nonlocal told_at
            if done == total or monotonic_ms() - told_at >= _PROGRESS_EVERY_MS:
                told_at = monotonic_ms()
                self._tell(SyncAdvanced(done, total))

        def work() -> None:
            report = self._memory.sync(progress, self._closing.is_set)
            self._problems = frozenset(report.problems)
            self._tell(SyncEnded(report))

        self._syncing.set()
        trouble = self._trouble_of(work, "sync")
        self._syncing.clear()
        if trouble is not None:
            self._tell(SyncEnded(trouble=trouble))

    def _look_at_files(self) -> None:
        """Read the files once some have changed and no more do for a moment."""
        if not self._watching.acquire(blocking=False):
            return
        try:
            stale = self._count_stale()
            for _ in range(_MOST_SETTLING):
                if stale in (0, self._unread) or self._closing.wait(_SETTLE_SECONDS):
                    break
                before, stale = stale, self._count_stale()
                if stale == before:
                    self._read_changed_files()
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

    def _read_changed_files(self) -> None:
        """Sync unasked, and tell of that quietly. Only while the files are being watched."""
        self._syncing.set()
        try:
            report = self._memory.sync(None, self._closing.is_set)
        finally:
            self._syncing.clear()
        news = [problem for problem in report.problems if problem not in self._problems]
        self._problems = frozenset(report.problems)
        self._tell(SyncEnded(replace(report, problems=tuple(news)), unasked=True))
        self._unread = self._memory.stale()

    def _look_for_changes(self) -> None:
        changed = False

        def work() -> None:
            nonlocal changed
            try:
                changed = self._memory.refresh()
            except StoreBusy as busy:
                # Usual and short: another process writes.
                raise StoreBusy("the store is busy") from busy

        if not self._looking.acquire(blocking=False):
            return
        try:
            trouble = self._trouble_of(work, "look for changes")
        finally:
            self._looking.release()
        if trouble != self._follow_trouble:
            # Told when it begins and ends, not at each look.
            self._follow_trouble = trouble
            self._tell(FollowingChanged(trouble))
        if changed:
            # While our own sync writes, what is new is most likely ours.
            self._tell(VaultChanged(self._memory.status(), by_others=not self._syncing.is_set()))

    def _note_opened(self, key: RecordKey, cue: str) -> None:
        with self._looking:
            if self._memory.note_recalled([key], cue):
                self._memory.refresh()  # our own event is no change by others

    def _write(self, done: Done, undoes: Done | None) -> None:
        def work() -> None:
            self._tell(MemoryWritten(self._written(done), done, undoes))

        trouble = self._trouble_of(work, done.verb)
        if trouble is not None:
            self._tell(WriteFailed(trouble, undoes))

    def _written(self, done: Done) -> Written:
        verb = self._memory.forget if done.verb == "forget" else self._memory.revive
        try:
            return verb(done.key)
        except Refused:
            if not self._follows_files or self._memory.stale() == 0:
                raise
        # Most likely the file changed a moment ago and the watcher has not come round to it.
        with self._watching:
            self._read_changed_files()
        return verb(done.key)

    def _answer(self, question: Question) -> None:
        answer = Answer(question.query, (), 0)

        def work() -> None:
            nonlocal answer
            answer = self._asked(question)
            passages: dict[int, Snippet] = {}
            for index, row in enumerate(answer.rows[: question.page]):
                if self._search.superseded:
                    return
                passage = row.passage()
                if passage is not None:
                    passages[index] = passage
            answer = replace(answer, passages=passages)

        trouble = self._trouble_of(work, "search")
        if trouble is not None:
            answer = replace(answer, trouble=trouble)
        self._tell(SearchAnswered(question.sequence, question.cause, answer))

    def _asked(self, question: Question) -> Answer:
        everything = question.with_forgotten
        if not question.query.strip():
            return Answer.of_listing(self._memory.recent(MOST_RECENT, belief=question.belief, all=everything))
        found = self._memory.search(question.query, k=MOST_HITS, belief=question.belief, all=everything, follow=False)
        closest = [] if found.hits else self._closest(found.closest, question.belief)
        return replace(Answer.of_found(found, closest), query=question.query)

    def _closest(self, names: tuple[str, ...], belief: BeliefState) -> list[RecordView]:
        records: list[RecordView] = []
        for name in names[:MOST_CLOSEST]:
            try:
                records.append(self._memory.show(name, belief=belief))
            except MemtuiError as error:
                # A name that several records share cannot be shown as one row.
                log.info("closest name %r left out: %s", name, error.message)
        return records

    def _make_passages(self, wish: PassageWish) -> None:
        passages: dict[int, Snippet] = {}

        def work() -> None:
            passages.update({i: p for i, row in wish.rows.items() if (p := row.passage())})

        trouble = self._trouble_of(work, "snippet")
        self._tell(PassagesReady(wish.sequence, passages) if trouble is None else Troubled(trouble))

    def _make_preview(self, wish: PreviewWish) -> None:
        def work() -> None:
            prepared = self._prepared(wish)
            layout = lay_out(prepared.lines, wish.width)
            self._tell(PreviewReady(wish.sequence, layout, prepared.note, prepared.focus_line))

        trouble = self._trouble_of(work, "preview")
        if trouble is not None:
            self._tell(Troubled(trouble))

    def _prepared(self, wish: PreviewWish) -> Prepared:
        row = wish.row
        match wish.tab:
            case "text":
                passage = row.passage()
                marker = Marker() if row.hit is None else Marker.of(wish.query, passage)
                strength = self._memory.strength(row.record, belief=wish.belief)
                return text_tab(
                    row.record,
                    passage,
                    marker,
                    whole=wish.whole,
                    brief=wish.brief,
                    zone=self._zone,
                    strength=strength,
                )
            case "why":
                return why_tab(None if row.hit is None else row.hit.explanation, wish.width)
            case "history":
                return history_tab(self._memory.history(row.key), self._zone)
