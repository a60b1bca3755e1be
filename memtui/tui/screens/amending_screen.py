"""Amending what is proposed, in the person's own editor: the text of a merge, and the claims that would decide."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual import on

from memtui.errors import InvalidInput
from memtui.model.proposals import Merge, Undecided, topic_digits
from memtui.model.records import LONGEST_SUMMARY
from memtui.model.reviews import Accept
from memtui.text.visible import one_line
from memtui.tui import review_notes
from memtui.tui.actions import BY_ID
from memtui.tui.board import Entry
from memtui.tui.claims_text import Claiming, claims_text, read_claims
from memtui.tui.messages import ClaimsDeclared, MembersRead, TextWanted, Told
from memtui.tui.notes import trouble
from memtui.tui.screens.deciding_screen import DecidingScreen
from memtui.tui.state import refusal

if TYPE_CHECKING:
    from memtui.memory.memory import Memory
    from memtui.tui.keeping import Keeping

_NOTE = "#"
_MOST_READ = 40
"""Memories of a large group that are shown in the editor."""


class AmendingScreen(DecidingScreen, inherit_bindings=False):
    """A Review in which a person can write what no proposal says. A text that cannot be taken is offered again."""

    def __init__(self, memory: Memory, *, keeping: Keeping, sync_on_start: bool) -> None:
        super().__init__(memory, keeping=keeping, sync_on_start=sync_on_start)
        self._drafts: dict[str, str] = {}
        """Texts that could not be taken yet, by what their proposal is about: it may change meanwhile."""

    def action_amend(self) -> None:
        """Write one text for all of a merge, or the claims that decide what is undecided."""
        entry = self.entry
        if entry is None or entry.suppressed is not None:
            self.post_message(Told(review_notes.not_open(entry), "warning"))
        elif not isinstance(entry.proposal, Merge | Undecided):
            told = "A text can be written for memories that say the same, and claims for what is undecided."
            self.post_message(Told(told, "warning"))
        elif (reason := refusal(BY_ID["review.amend"], self.state)) is not None:
            self.post_message(Told(reason, "warning"))
        else:
            self.worker.read_members(entry.id, entry.proposal.keys[:_MOST_READ])

    @on(MembersRead)
    def _members_read(self, event: MembersRead) -> None:
        entry = self.state.board.find(event.id)
        if entry is not None and isinstance(entry.proposal, Merge):
            self._write_for_all(entry, entry.proposal, event.memories)
        elif entry is not None:
            fresh = claims_text(entry.about, event.memories)
            self._let_write(event.id, fresh, partial(self._claims_written, event.id, event.memories))

    def _let_write(self, id_: str, fresh: str, then: Callable[[str], None]) -> None:
        """Open the editor on what was written before and could not be taken, else on a fresh text."""
        draft = self._drafts.get(topic_digits(id_), fresh)
        self.post_message(TextWanted(draft, ".txt", then, partial(self._keep, id_)))

    def _keep(self, id_: str, draft: str) -> None:
        self._drafts[topic_digits(id_)] = draft

    def _drop(self, id_: str) -> None:
        self._drafts.pop(topic_digits(id_), None)

    # A text for all

    def _write_for_all(self, entry: Entry, merge: Merge, memories: Sequence[Claiming]) -> None:
        decision = self.state.board.decisions.get(entry.id)
        written = decision.text if isinstance(decision, Accept) else None
        said = (f"{_NOTE} {one_line(memory.key.name)}: {one_line(memory.said)}" for memory in memories)
        head = (
            f"{_NOTE} One sentence of at most {LONGEST_SUMMARY} characters that stands for all of these:",
            *said,
            f"{_NOTE} Lines that begin with {_NOTE} are notes. Save it empty, and nothing is decided.",
        )
        fresh = "\n".join((*head, written or merge.text or "", ""))
        self._let_write(entry.id, fresh, partial(self._text_written, entry.id))

    def _text_written(self, id_: str, draft: str) -> None:
        said = " ".join(" ".join(line for line in draft.splitlines() if not line.startswith(_NOTE)).split())
        decision = self.state.board.decisions.get(id_)
        self._keep(id_, draft)
        if len(said) > LONGEST_SUMMARY:
            told = f"It has {len(said):,} characters, {LONGEST_SUMMARY} are allowed. e goes on with what you wrote."
            self.post_message(Told(told, "warning"))
        elif said and id_ not in self.state.board.proposals:
            self.post_message(Told(review_notes.CHANGED_MEANWHILE, "warning"))
        elif said:
            self._drop(id_)
            self.decide([id_], Accept(text=said))
        elif isinstance(decision, Accept) and decision.text is not None:
            self._drop(id_)
            self.decide([id_], None)
            self.post_message(Told("The text is taken back, and with it the decision."))
        else:
            self._drop(id_)
            self.post_message(Told("Nothing was written, so nothing is decided."))

    # Claims that decide

    def _claims_written(self, id_: str, memories: tuple[Claiming, ...], draft: str) -> None:
        self._keep(id_, draft)  # until it is recorded
        try:
            changed = read_claims(draft, memories)
        except InvalidInput as error:
            self.post_message(Told(f"{trouble(error)} e goes on with what you wrote.", "warning"))
            return
        if changed:
            self.worker.declare(id_, changed)
        else:
            self._drop(id_)
            self.post_message(Told("No claim was changed."))

    @on(ClaimsDeclared)
    def _claims_declared(self, event: ClaimsDeclared) -> None:
        if event.whole:
            self._drop(event.id)
        self.post_message(Told(review_notes.declared(event.names)))
        self.look_soon()
        self.worker.tell_status()
