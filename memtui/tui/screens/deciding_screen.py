"""Deciding: what a person wishes about proposals, confirmed all at once, and taken back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from textual import on

from memtui.model.proposals import Contradiction, Merge, told_names
from memtui.model.reviews import Accept, Decision, Defer, Many, Reject, Verb
from memtui.tui import review_notes
from memtui.tui.actions import BY_ID
from memtui.tui.board import Entry
from memtui.tui.messages import Confirmed, ReviewFailed, ReviewTakenBack, Told
from memtui.tui.screens.review_screen import ReviewScreen
from memtui.tui.state import refusal

_DECISIONS: Mapping[Verb, Callable[[], Decision]] = {
    "accept": Accept,
    "reject": Reject,
    "defer": Defer,
    "many": Many,
}


class DecidingScreen(ReviewScreen, inherit_bindings=False):
    """A Review in which decisions are made. Nothing is applied before it is confirmed."""

    # Deciding

    def _ids(self) -> list[str]:
        """The proposals that a decision is about: those that are marked and shown, else the selected one."""
        board = self.state.board
        marked = [line.id for line in board.lines if isinstance(line, Entry) and line.id in board.marked]
        if marked:
            return marked
        entry = self.entry
        return [] if entry is None else [entry.id]

    def action_decide(self, verb: Verb) -> None:
        """Decide about the selected proposal, or all that are marked; the same decision again takes it back."""
        ids = [id_ for id_ in self._ids() if id_ in self.state.board.proposals]
        if not ids:
            self.post_message(Told(review_notes.not_open(self.entry), "warning"))
            return
        decided = [self.state.board.decisions.get(id_) for id_ in ids]
        decision = _DECISIONS[verb]()
        if decided == [decision] * len(ids):
            self.decide(ids, None)
        elif len(ids) == 1 and isinstance(decided[0], Accept) and verb == "accept":
            self._move_on()  # accepted with another survivor or end already: that stays
        else:
            self.decide(ids, decision, move_on=True)

    def action_decide_group(self, verb: Verb) -> None:
        """Decide about all that are shown of the selected proposal's group."""
        entry, board = self.entry, self.state.board
        if entry is None or entry.suppressed is not None:
            self.post_message(Told(review_notes.not_open(entry), "warning"))
            return
        ids = [line.id for line in board.lines if isinstance(line, Entry) and line.group == entry.group]
        self.decide(ids, _DECISIONS[verb](), move_on=False)

    def decide(self, ids: list[str], decision: Decision | None, *, move_on: bool = False) -> None:
        """Decide about some proposals, or (None) take their decisions back; with `move_on` the next one is selected."""
        board = self.state.board
        after = board.decide(ids, decision)
        if after is board:
            reason = board.unfit(ids[0], decision) if decision is not None and ids[0] in board.proposals else None
            if reason is not None:
                self.post_message(Told(f"{reason[0].upper()}{reason[1:]}.", "warning"))
            return
        self.show_board(after)
        if move_on and len(ids) == 1:
            self._move_on()
        else:
            self.ask_preview()
        self.keep_decisions()

    def _move_on(self) -> None:
        """Select the next proposal."""
        place = self.proposals.place
        if place is not None:
            self.proposals.select_place(place + 1, by_person=True)

    def action_keep(self, number: int) -> None:
        """Accept, with another survivor."""
        entry = self.entry
        if entry is None or entry.suppressed is not None:
            self.post_message(Told(review_notes.not_open(entry), "warning"))
            return
        if not isinstance(entry.proposal, Contradiction | Merge):
            self.post_message(Told("Only where memories are compared one of them can be chosen to stay.", "warning"))
            return
        names = told_names(entry.proposal.keys)
        if number > len(names):
            self.post_message(Told(f"There are only {len(names)} memories here.", "warning"))
            return
        current = self.state.board.decisions.get(entry.id)
        late = isinstance(current, Accept) and current.at_survivor
        self.decide([entry.id], Accept(keep=names[number - 1], at_survivor=late), move_on=False)

    def action_toggle_when(self) -> None:
        """Let the others end now, or when the one that stays began to be true."""
        entry = self.entry
        if entry is None or entry.suppressed is not None:
            self.post_message(Told(review_notes.not_open(entry), "warning"))
            return
        current = self.state.board.decisions.get(entry.id)
        if not isinstance(entry.proposal, Contradiction | Merge) or not isinstance(current, Accept | None):
            self.post_message(Told("Only of what is accepted it can be said when the others end.", "warning"))
            return
        accept = current or Accept()
        self.decide([entry.id], replace(accept, at_survivor=not accept.at_survivor), move_on=False)

    def action_mark_proposal(self) -> None:
        """Mark the selected proposal, and go to the next."""
        entry, place = self.entry, self.proposals.place
        if entry is not None and place is not None:
            self.show_board(self.state.board.with_mark(entry.id))
            self.proposals.select_place(place + 1, by_person=True)

    # Confirming

    def action_confirm_review(self) -> None:
        """Carry out all decisions; where some do not fit together, say so first and show the first of them."""
        board = self.state.board
        reason = refusal(BY_ID["review.confirm"], self.state)
        if reason is None and not board.decisions:
            reason = "Nothing is decided yet: a accepts, x rejects, d defers."
        if reason is None and self.plan is None:
            reason = "The look is not through yet; confirm when it is."
        if reason is not None:
            self.post_message(Told(reason, "warning"))
            return
        if board.misfits:
            self._show_misfit()
            return
        assert self.plan is not None, "seen to above"  # noqa: S101
        self.worker.confirm(self.plan, board.decisions)

    def _show_misfit(self) -> None:
        found = self.state.board.misfits
        self.show_board(replace(self.state.board.with_misfits(), only=None))
        self.post_message(Told(review_notes.misfit(found), "warning"))
        self.proposals.select(found[0].ids[0], by_person=True)
        self.ask_preview()

    @on(Confirmed)
    def _confirmed(self, event: Confirmed) -> None:
        confirmation, board = event.confirmation, self.state.board
        done = {applied.id for applied in confirmation.applied}
        lost = {each.id: each for each in confirmation.refused}
        self.changed = {id_: each.changed or (each.reason,) for id_, each in lost.items() if not each.decided}
        left = {id_: each for id_, each in board.decisions.items() if id_ not in done and id_ not in lost}
        reviewed = self.state.reviewed
        if confirmation.review is not None:
            reviewed = (*reviewed, confirmation.review.id)
        self.state = replace(self.state, reviewed=reviewed)
        self.show_board(replace(board, decisions=left, past=()))
        self.keep_decisions()
        severity = "warning" if confirmation.refused else "information"
        self.post_message(Told(review_notes.confirmed(confirmation), severity))
        self.look_soon()
        self.worker.tell_status()

    @on(ReviewFailed)
    def _review_failed(self, event: ReviewFailed) -> None:
        self.post_message(Told(event.sentence, "error"))

    # Undoing

    def action_undo_decision(self) -> None:
        """Take the last decision back; where nothing is decided any more, the last confirmation of this session."""
        board, reviewed = self.state.board, self.state.reviewed
        if board.past:
            self.show_board(board.undone())
            self.ask_preview()
            self.keep_decisions()
        elif board.decisions:
            # Made before this start, or before so many others: a confirmation is not what a person means to undo.
            told = "What is left was decided before this start. On its line, the same key (a, x, d or v) takes it back."
            self.post_message(Told(told, "warning"))
        elif not reviewed:
            self.post_message(
                Told(
                    "There is nothing to undo in this session. F5 lists every review, and u there takes it back.",
                    "warning",
                )
            )
        elif (reason := refusal(BY_ID["review.confirm"], self.state)) is not None:
            self.post_message(Told(reason, "warning"))
        else:
            # Off the list at once, so that pressing the key twice takes two back.
            self.state = replace(self.state, reviewed=reviewed[:-1])
            self.worker.take_back(reviewed[-1])

    @on(ReviewTakenBack)
    def _taken_back(self, event: ReviewTakenBack) -> None:
        skipped = event.undone.skipped
        self.post_message(
            Told(review_notes.taken_back(event.id, event.undone), "warning" if skipped else "information")
        )
        self.look_soon()
        self.worker.tell_status()
