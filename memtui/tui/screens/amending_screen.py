"""Amending what is proposed, in the person's own editor: the text of a merge, and the claims that would decide."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual import on

from memtui.errors import InvalidInput
from memtui.model.proposals import Merge, Undecided
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
        """Texts that could not be taken, by the id of their proposal."""

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
            draft = self._drafts.pop(event.id, None) or claims_text(entry.about, event.memories)
            self.post_message(TextWanted(draft, ".txt", partial(self._claims_written, event.id, event.memories)))

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
        draft = self._drafts.pop(entry.id, None) or "\n".join((*head, written or merge.text or "", ""))
        self.post_message(TextWanted(draft, ".txt", partial(self._text_written, entry.id)))

    def _text_written(self, id_: str, draft: str) -> None:
        said = " ".join(" ".join(line for line in draft.splitlines() if not line.startswith(_NOTE)).split())
        decision = self.state.board.decisions.get(id_)
        if not said and isinstance(decision, Accept) and decision.text is not None:
            self.decide([id_], None)
            self.post_message(Told("The text is taken back, and with it the decision."))
        elif not said:
            self.post_message(Told("Nothing was written, so nothing is decided."))
        elif len(said) > LONGEST_SUMMARY:
            self._drafts[id_] = draft
            told = f"It has {len(said):,} characters, {LONGEST_SUMMARY} are allowed. e goes on with what you wrote."
            self.post_message(Told(told, "warning"))
        elif id_ not in self.state.board.proposals:
            self.post_message(Told(f"{review_notes.OTHERWISE[0].upper()}{review_notes.OTHERWISE[1:]}.", "warning"))
        else:
            self.decide([id_], Accept(text=said))

    # Claims that decide

    def _claims_written(self, id_: str, memories: tuple[Claiming, ...], draft: str) -> None:
        try:
            changed = read_claims(draft, memories)
        except InvalidInput as error:
            self._drafts[id_] = draft
            self.post_message(Told(f"{trouble(error)} e goes on with what you wrote.", "warning"))
            return
        if changed:
            self.worker.declare(changed)
        else:
            self.post_message(Told("No claim was changed."))

    @on(ClaimsDeclared)
    def _claims_declared(self, event: ClaimsDeclared) -> None:
        self.post_message(Told(review_notes.declared(event.names)))
        self.look_soon()
        self.worker.tell_status()
