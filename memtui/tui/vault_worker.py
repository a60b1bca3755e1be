"""Everything that asks the core, in one place for a screen: in threads, a message per answer, no widget touched."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textual.widget import Widget

from memtui.clock import monotonic_ms
from memtui.lasting import no_longer
from memtui.model.belief import BeliefState
from memtui.model.instants import Instant
from memtui.model.records import Claim, RecordKey
from memtui.tui.state import Done
from memtui.tui.workers.background import Background
from memtui.tui.workers.embedding import Embedding
from memtui.tui.workers.files import FileReading
from memtui.tui.workers.following import StoreFollowing
from memtui.tui.workers.passages import Passages
from memtui.tui.workers.previewing import PassageWish, Previewing, PreviewWish
from memtui.tui.workers.reviewing import Reviewing
from memtui.tui.workers.searching import Question, Searching
from memtui.tui.workers.surveying import Surveying
from memtui.tui.workers.timelining import TimelineWish, Timelining
from memtui.tui.workers.vocabularies import Vocabularies
from memtui.tui.workers.writing import Writing

if TYPE_CHECKING:
    from memtui.memory.memory import Memory
    from memtui.model.proposals import Plan
    from memtui.model.reviews import Decision
    from memtui.model.status import Status
    from memtui.tui.keeping import Keeping

_LONGEST_CLOSING_MS = 2_000.0
"""Milliseconds that closing waits at most for those who waited for the model."""
_LATECOMERS_AFTER_MS = 500.0
"""Milliseconds after which whoever still waits must have asked for a model in the very moment it was ended."""
_BETWEEN_LOOKS = 0.02
"""Seconds."""


class VaultWorker:
    """Runs the core's verbs for a screen.

    What a person types or moves to is asked newest-only; loading, syncing, embedding, writing and looking for
    changes run beside it.
    """

    def __init__(self, host: Widget, memory: Memory, *, follows_files: bool) -> None:
        self._background = Background(host)
        self._memory = memory
        passages = Passages()
        self._following = StoreFollowing(self._background, memory)
        self.files = FileReading(self._background, memory, self._following, follows_files=follows_files)
        self._searching = Searching(self._background, memory, self._following, passages)
        self._previewing = Previewing(self._background, memory, passages)
        self._timelining = Timelining(self._background, memory)
        self._vocabularies = Vocabularies(self._background, memory)
        self._writing = Writing(self._background, memory, self._following, self.files)
        self._embedding = Embedding(self._background, memory, self._following)
        self._reviewing = Reviewing(self._background, memory, self._following, self.files)
        self._surveying = Surveying(self._background, memory)

    def search(self, question: Question) -> None:
        """Answer by words with SearchAnswered."""
        self._searching.by_words(question)

    def search_by_meaning(self, question: Question) -> None:
        """Answer by words and meaning with SearchAnswered."""
        self._searching.by_meaning(question)

    def passages(self, wish: PassageWish) -> None:
        """Answer with PassagesReady."""
        self._previewing.passages(wish)

    def preview(self, wish: PreviewWish) -> None:
        """Answer with PreviewReady."""
        self._previewing.preview(wish)

    def present(self) -> Instant | None:
        """The present of both clocks, from what is held; None before the vault is open. Never waits."""
        return self._memory.present() if self._memory.holds else None

    def timeline(self, wish: TimelineWish) -> None:
        """Answer with TimelineReady."""
        self._timelining.make(wish)

    def look_at_time(self, since: Instant) -> None:
        """Answer with VaultChanged if something began or ended to be true by itself since a moment."""
        self._timelining.look(since, self._following.tell_status)

    def when_learned(self, key: RecordKey) -> None:
        """Answer with WhenLearned."""
        self._timelining.find(key)

    def vocabulary(self, belief: BeliefState, *, with_forgotten: bool) -> None:
        """Answer with VocabularyRead."""
        self._vocabularies.read(belief, with_forgotten=with_forgotten)

    def load(self) -> None:
        """Answer with VaultLoaded or VaultFailed."""
        self._following.load()

    def look_for_changes(self) -> None:
        """Answer with VaultChanged or OrderChanged if the store holds something new; otherwise with nothing."""
        self._following.look()

    def tell_status(self) -> None:
        """Answer with VaultChanged after a change of our own."""
        self._following.tell_status()

    def sync(self) -> None:
        """Tell SyncAdvanced meanwhile and SyncEnded at the end."""
        self.files.sync()

    def look_at_files(self) -> None:
        """Answer with SyncEnded if files changed and were read; otherwise with nothing."""
        self.files.look()

    def attend_to_meaning(self, status: Status, *, may_write: bool) -> None:
        """Wake the model where it can be of use, and with `may_write` embed what waits; tell MeaningStands."""
        self._embedding.attend(status, may_write=may_write)

    @property
    def has_search_engine(self) -> bool:
        """Whether a search engine of the user's own is asked before the model is."""
        return self._memory.has_search_provider

    def try_meaning_again(self) -> None:
        """Let the next change wake a model that had failed."""
        self._embedding.forgive()

    def write(self, done: Done, undoes: Done | None = None) -> None:
        """Carry out a verb; answer with MemoryWritten or WriteFailed."""
        self._writing.write(done, undoes)

    def look_for_proposals(self) -> int:
        """Tell ProposalsFound and PassAdvanced meanwhile and PassEnded at the end, each with the number given back."""
        return self._reviewing.look()

    def end_look(self) -> None:
        """End the look that is under way."""
        self._reviewing.cancel()

    def confirm(self, plan: Plan, decisions: Mapping[str, Decision]) -> None:
        """Carry decisions out; answer with Confirmed or ReviewFailed."""
        self._reviewing.confirm(plan, decisions)

    def take_back(self, id_: str) -> None:
        """Take a review back; answer with ReviewTakenBack or ReviewFailed."""
        self._reviewing.take_back(id_)

    def file_of(self, path: str) -> Path:
        """A file of the vault by its path there."""
        return self._memory.vault / path

    def survey(self, belief: BeliefState) -> None:
        """Look how the vault stands; answer with VaultSurveyed or SurveyFailed."""
        self._surveying.survey(belief)

    def read_members(self, id_: str, keys: Sequence[RecordKey]) -> None:
        """Read what the memories of a proposal say and claim; answer with MembersRead or ReviewFailed."""
        self._reviewing.read_members(id_, keys)

    def declare(self, id_: str, claims: Mapping[RecordKey, tuple[Claim, ...]]) -> None:
        """Let memories of a proposal claim something else; answer with ClaimsDeclared, ReviewFailed or both."""
        self._reviewing.declare(id_, claims)

    def note_opened(self, key: RecordKey, cue: str) -> None:
        """Record that a person opened a memory to read it: that recalls it."""
        self._writing.note_opened(key, cue)

    def keep(self, keeping: Keeping) -> None:
        """Write down what returns on the next start."""
        self._background.start("keeping", keeping.save)

    async def close(self) -> None:
        """Ask what still runs to end soon, and let go who waits for the model; takes two seconds at most."""
        if self._background.closing:
            return
        self._background.close()
        no_longer()
        # In a thread of its own, which nothing joins: those that run the work may all be waiting for the model.
        ending = threading.Thread(target=self._end_model, name="memtui-ending", daemon=True)
        ending.start()
        until = monotonic_ms() + _LONGEST_CLOSING_MS
        while (ending.is_alive() or self._waits_for_the_model) and monotonic_ms() < until:
            await asyncio.sleep(_BETWEEN_LOOKS)

    @property
    def _waits_for_the_model(self) -> bool:
        return self._searching.waits_for_the_model or self._embedding.running

    def _end_model(self) -> None:
        self._embedding.end_model()
        until = monotonic_ms() + _LATECOMERS_AFTER_MS
        while self._waits_for_the_model:
            if monotonic_ms() >= until:
                self._embedding.end_model()
                return
            time.sleep(_BETWEEN_LOOKS)


__all__ = ["PassageWish", "PreviewWish", "Question", "TimelineWish", "VaultWorker"]
