"""Looking for proposals in the background, and carrying out what was decided about them."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memtui.clock import monotonic_ms
from memtui.model.proposals import Cancelled, Plan, Proposal
from memtui.model.records import Claim, RecordKey
from memtui.model.reviews import Decision
from memtui.tui.claims_text import Claiming
from memtui.tui.member_lines import whole_text
from memtui.tui.messages import (
    ClaimsDeclared,
    Confirmed,
    MembersRead,
    PassAdvanced,
    PassEnded,
    ProposalsFound,
    ReviewFailed,
    ReviewTakenBack,
)
from memtui.tui.workers.background import Background
from memtui.tui.workers.files import FileReading
from memtui.tui.workers.following import StoreFollowing

if TYPE_CHECKING:
    from memtui.memory.memory import Memory

_TELL_EVERY_MS = 120.0
"""Proposals are told in batches this far apart: a list that grew at each would be all that is painted."""
_BREATH = 0.002
"""Seconds of rest at each step of a look: whoever types meanwhile comes first."""


class Reviewing:
    """At most one look is under way; a newer one ends it."""

    def __init__(self, background: Background, memory: Memory, following: StoreFollowing, files: FileReading) -> None:
        self._background = background
        self._memory = memory
        self._following = following
        self._files = files
        self._lock = threading.Lock()
        self._sequence = 0

    def look(self) -> int:
        """Look for proposals: tell ProposalsFound and PassAdvanced meanwhile, PassEnded at the end. Its number."""
        with self._lock:
            self._sequence += 1
            sequence = self._sequence
        self._background.start("review", lambda: self._look(sequence))
        return sequence

    def cancel(self) -> None:
        """End the look that is under way; it answers with PassEnded without a plan."""
        with self._lock:
            self._sequence += 1

    def confirm(self, plan: Plan, decisions: Mapping[str, Decision]) -> None:
        """Carry decisions out; answer with Confirmed or ReviewFailed."""
        decided = dict(decisions)

        def work() -> None:
            # A memory whose file changed a moment ago would stop them all.
            self._files.read_if_changed()
            with self._following.writing():
                confirmation = self._memory.apply(plan, decided)
            self._background.tell(Confirmed(confirmation))

        self._run(work, "confirmation")

    def take_back(self, id_: str) -> None:
        """Take a review back; answer with ReviewTakenBack or ReviewFailed."""

        def work() -> None:
            with self._following.writing():
                undone = self._memory.undo_review(id_)
            self._background.tell(ReviewTakenBack(id_, undone))

        self._run(work, "undoing")

    def read_members(self, id_: str, keys: Sequence[RecordKey]) -> None:
        """Read what memories say and claim; answer with MembersRead or ReviewFailed."""

        def work() -> None:
            records = [self._memory.show(key) for key in keys]
            told = tuple(Claiming(each.key, whole_text(each.content), each.content.claims) for each in records)
            self._background.tell(MembersRead(id_, told))

        self._run(work, "reading")

    def declare(self, id_: str, claims: Mapping[RecordKey, tuple[Claim, ...]]) -> None:
        """Let memories claim something else, each by itself; answer with ClaimsDeclared, ReviewFailed or both."""
        done: list[str] = []

        def work() -> None:
            self._files.read_if_changed()
            try:
                for key, own in claims.items():
                    with self._following.writing():
                        self._memory.update(key, claims=list(own))
                    done.append(key.name)
            finally:
                if done:
                    self._background.tell(ClaimsDeclared(id_, tuple(done), whole=len(done) == len(claims)))

        self._run(work, "claiming")

    def _run(self, work: object, name: str) -> None:
        def run() -> None:
            trouble = self._background.trouble_of(work, name)  # type: ignore[arg-type]
            if trouble is not None:
                self._background.tell(ReviewFailed(trouble))

        self._background.start(name, run)

    def _look(self, sequence: int) -> None:
        found: list[Proposal] = []
        told = monotonic_ms()

        def tell() -> None:
            nonlocal told
            if found:
                self._background.tell(ProposalsFound(sequence, tuple(found)))
                found.clear()
            told = monotonic_ms()

        def take(proposal: Proposal) -> None:
            found.append(proposal)
            if monotonic_ms() - told >= _TELL_EVERY_MS:
                tell()

        def advanced(done: int, total: int) -> bool:
            self._background.tell(PassAdvanced(sequence, done, total))
            if found and (done == 0 or monotonic_ms() - told >= _TELL_EVERY_MS):
                tell()
            time.sleep(_BREATH)
            return sequence == self._sequence and not self._background.closing

        plan: Plan | None = None

        def work() -> None:
            nonlocal plan
            try:
                plan = self._memory.consolidate(found=take, advanced=advanced)
            except Cancelled:
                plan = None

        trouble = self._background.trouble_of(work, "look for proposals")
        self._background.tell(PassEnded(sequence, plan, trouble))
