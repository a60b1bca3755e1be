"""Carrying out what a person does to a memory: forgetting, reviving, opening it to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.errors import Refused
from memtui.model.outcomes import Written
from memtui.model.records import RecordKey
from memtui.tui.messages import MemoryWritten, WriteFailed
from memtui.tui.state import Done
from memtui.tui.workers.background import Background
from memtui.tui.workers.files import FileReading
from memtui.tui.workers.following import StoreFollowing

if TYPE_CHECKING:
    from memtui.memory.memory import Memory


class Writing:
    """Runs the verbs."""

    def __init__(self, background: Background, memory: Memory, following: StoreFollowing, files: FileReading) -> None:
        self._background = background
        self._memory = memory
        self._following = following
        self._files = files

    def write(self, done: Done, undoes: Done | None = None) -> None:
        """Carry out a verb; answer with MemoryWritten or WriteFailed."""
        self._background.start("write", lambda: self._write(done, undoes))

    def note_opened(self, key: RecordKey, cue: str) -> None:
        """Record that a person opened a memory to read it: that recalls it."""
        # Our own event is no change by others.
        self._background.start("recall", lambda: self._following.quietly(lambda: self._recall(key, cue)))

    def _recall(self, key: RecordKey, cue: str) -> int:
        return self._memory.note_recalled([key], cue)

    def _write(self, done: Done, undoes: Done | None) -> None:
        def work() -> None:
            with self._following.writing():
                written = self._written(done)
            self._background.tell(MemoryWritten(written, done, undoes))

        trouble = self._background.trouble_of(work, done.verb)
        if trouble is not None:
            self._background.tell(WriteFailed(trouble, undoes))

    def _written(self, done: Done) -> Written:
        verb = self._memory.forget if done.verb == "forget" else self._memory.revive
        try:
            return verb(done.key)
        except Refused:
            # Most likely the file changed a moment ago and the watcher has not come round to it.
            if not self._files.read_if_changed():
                raise
        return verb(done.key)
