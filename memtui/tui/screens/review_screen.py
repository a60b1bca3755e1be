"""Review: what a look over all memories proposes, decided one by one, and confirmed all at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from textual import getters, on

from memtui.model.proposals import Contradiction, Merge, Plan, is_about_the_same
from memtui.model.records import RecordKey
from memtui.model.reviews import Accept, Decision, Defer, Many, Reject
from memtui.tui import review_notes
from memtui.tui.actions import BY_ID
from memtui.tui.board import GROUPS, Board, Entry, GroupName, stays
from memtui.tui.messages import (
    Confirmed,
    PassAdvanced,
    PassEnded,
    ProposalsFound,
    ReviewFailed,
    ReviewTakenBack,
    Told,
)
from memtui.tui.rows import Row
from memtui.tui.screens.replaying_screen import ReplayingScreen
from memtui.tui.state import TABS, Cause, refusal
from memtui.tui.widgets.pane_rule import PaneRule
from memtui.tui.widgets.proposal_list import ProposalList

if TYPE_CHECKING:
    from memtui.memory.memory import Memory
    from memtui.tui.keeping import Keeping

Verb = Literal["accept", "reject", "defer", "many"]
_DECISIONS: Mapping[Verb, Callable[[], Decision]] = {
    "accept": Accept,
    "reject": Reject,
    "defer": Defer,
    "many": Many,
}
_LOOKED_AT_UNASKED = 20_000
"""Records up to which a vault is looked over as soon as it is open, so that the badge can tell."""


class ReviewScreen(ReplayingScreen, inherit_bindings=False):
    """A third mode of the one screen: the list shows proposals, the preview the selected one."""

    proposals = getters.query_one(ProposalList)
    proposals_rule = getters.query_one("#proposals-rule", PaneRule)

    def __init__(self, memory: Memory, *, keeping: Keeping, sync_on_start: bool) -> None:
        super().__init__(memory, keeping=keeping, sync_on_start=sync_on_start)
        self.state = replace(self.state, board=Board(decisions=keeping.kept.decisions))
        self._plan: Plan | None = None
        """The plan of the last look that came to its end."""
        self._look = 0
        """The number of the look that is under way, or was the last."""
        self._looking = False
        self._stale = True
        """Whether the store has changed since the last look began."""
        self._changed: dict[str, tuple[str, ...]] = {}
        """What was not carried out because a fact had changed: by the old ids, what changed."""
        self._wanted: RecordKey | None = None
        """A memory whose contradiction is to be shown as soon as it is found."""

    @property
    def in_review(self) -> bool:
        """Whether the Review is shown."""
        return self.state.mode == "review"

    @property
    def entry(self) -> Entry | None:
        """The selected proposal."""
        return self.state.board.find(self.proposals.selected)

    # Looking

    def vault_opened(self) -> None:
        """Look over a vault of usual size at once: the badge tells what waits."""
        super().vault_opened()
        if self.in_review or (self.records or 0) <= _LOOKED_AT_UNASKED:
            self._look_if_needed()

    def vault_changed(self) -> None:
        """What was proposed may not stand any more."""
        super().vault_changed()
        self._stale = True
        if self.in_review or self._plan is not None:
            self._look_if_needed()

    def _look_if_needed(self) -> None:
        if self.ready and self._stale and not self._looking:
            self._begin_look()

    def _begin_look(self) -> None:
        self._stale, self._looking = False, True
        self._look = self.worker.look_for_proposals()
        self.tell_above_proposals()

    def action_look_again(self) -> None:
        """Look anew, or end the look that is under way."""
        if self._looking:
            self.worker.end_look()
        else:
            self._begin_look()

    @on(ProposalsFound)
    def _proposals_found(self, event: ProposalsFound) -> None:
        # While there is an older plan its proposals stay until the new one is whole.
        if event.sequence == self._look and self._plan is None:
            self._show_board(self.state.board.with_found(event.proposals))

    @on(PassAdvanced)
    def _pass_advanced(self, event: PassAdvanced) -> None:
        if event.sequence == self._look and self._looking:
            self.tell_above_proposals(event.done, event.total)

    @on(PassEnded)
    def _pass_ended(self, event: PassEnded) -> None:
        if event.sequence != self._look:
            return
        self._looking = False
        if event.trouble is not None:
            self.post_message(Told(event.trouble, "error"))
        if event.plan is not None:
            self._plan = event.plan
            board = self.state.board
            fresh = Board.of(event.plan, board.decisions, self._changes_of(event.plan))
            marked = board.marked & fresh.proposals.keys()
            self._show_board(replace(fresh, only=board.only, query=board.query, marked=marked))
            self._keep_decisions()
        self.tell_above_proposals()
        if self._wanted is not None:
            self._show_wanted()
        if self._stale and self.in_review:
            self._begin_look()

    def _changes_of(self, plan: Plan) -> dict[str, tuple[str, ...]]:
        """What changed of proposals that were decided and not carried out, by their new ids."""
        return {
            proposal.id: change
            for proposal in plan.proposals
            for old, change in self._changed.items()
            if is_about_the_same(proposal.id, old)
        }

    # What is shown

    def mode_changed(self) -> None:
        """The list of the mode takes its place."""
        self.set_class(self.in_review, "-review")
        super().mode_changed()

    def ask(self, cause: Cause) -> None:
        """In the Review the query narrows what is proposed."""
        if not self.in_review:
            super().ask(cause)
            return
        if not self.ready:
            return
        self.forget_question()
        self._look_if_needed()
        self._show_board(replace(self.state.board, query=self.searched))
        self.act_on_answer()

    def with_the_answer(self, act: Callable[[], None]) -> None:
        """What is proposed is there at once."""
        if self.in_review:
            act()
        else:
            super().with_the_answer(act)

    def _show_board(self, board: Board) -> None:
        before = self.proposals.selected
        self.state = replace(self.state, board=board)
        self.modes.badge = board.open
        self.proposals.show(board, review_notes.nothing_shown(board, looking=self._looking))
        self.tell_above_proposals()
        if self.in_review:
            self._choose_key()
            self.ask_preview(afresh=before != self.proposals.selected)
            self.selection_changed()

    def tell_above_proposals(self, done: int = 0, total: int = 0) -> None:
        """How far the look is, and what the decisions come to."""
        rule, board = self.proposals_rule, self.state.board
        rule.labels = (review_notes.heading(board),)
        rule.note = review_notes.note(board, self._plan, looking=self._looking, done=done, total=total)

    def ask_preview(self, *, afresh: bool = True) -> None:
        """In the Review the panel of the selected proposal, or the memory that stays."""
        if not self.in_review:
            super().ask_preview(afresh=afresh)
            return
        state, entry = self.state, self.entry
        decision = None if entry is None else state.board.decisions.get(entry.id)
        self.preview.present_proposal(
            entry, decision, self._shown_key, state.tab, TABS["review"], whole=state.reading, afresh=afresh
        )

    @property
    def _shown_key(self) -> RecordKey | None:
        """The memory that the Text and History tabs are about: the one that stays, else the first."""
        entry = self.entry
        if entry is None:
            return None
        return stays(entry.proposal, self.state.board.decisions.get(entry.id)) or entry.proposal.keys[0]

    @property
    def row(self) -> Row | None:
        """No row is selected among proposals."""
        return None if self.in_review else super().row

    def _choose_key(self) -> None:
        self.state = self.state.chose(self._shown_key, None, by_person=False)

    @on(ProposalList.ProposalSelected)
    def _proposal_selected(self) -> None:
        self._choose_key()
        self.ask_preview()
        self.selection_changed()

    @on(ProposalList.GroupClicked)
    def _group_clicked(self, event: ProposalList.GroupClicked) -> None:
        self._show_only(None if self.state.board.only == event.group else event.group)

    def action_next_group(self) -> None:
        """Show one group alone, then the next, then all."""
        held: list[GroupName | None] = [group for group in GROUPS if self.state.board.counts[group]]
        order: list[GroupName | None] = [None, *held]
        at = order.index(self.state.board.only) if self.state.board.only in order else 0
        self._show_only(order[(at + 1) % len(order)])

    def _show_only(self, group: GroupName | None) -> None:
        self._show_board(replace(self.state.board, only=group))

    # Deciding

    def _ids(self) -> list[str]:
        """The proposals that a decision is about: those marked, else the selected one."""
        board = self.state.board
        if board.marked:
            return [entry.id for entry in board.entries if entry.id in board.marked]
        entry = self.entry
        return [] if entry is None else [entry.id]

    def action_decide(self, verb: Verb) -> None:
        """Decide about the selected proposal, or all that are marked; the same decision again takes it back."""
        ids = [id_ for id_ in self._ids() if id_ in self.state.board.proposals]
        if not ids:
            self.post_message(Told(review_notes.not_open(self.entry), "warning"))
            return
        decided = [self.state.board.decisions.get(id_) for id_ in ids]
        taken_back = all(each is not None and each.verb == verb for each in decided)
        self._decide(ids, None if taken_back else _DECISIONS[verb](), move_on=not taken_back)

    def action_decide_group(self, verb: Verb) -> None:
        """Decide about all that are shown of the selected proposal's group."""
        entry, board = self.entry, self.state.board
        if entry is not None:
            ids = [line.id for line in board.lines if isinstance(line, Entry) and line.group == entry.group]
            self._decide(ids, _DECISIONS[verb](), move_on=False)

    def _decide(self, ids: list[str], decision: Decision | None, *, move_on: bool) -> None:
        board = self.state.board
        after = board.decide(ids, decision)
        if after is board:
            reason = board.unfit(ids[0], decision) if decision is not None and ids[0] in board.proposals else None
            if reason is not None:
                self.post_message(Told(f"{reason[0].upper()}{reason[1:]}.", "warning"))
            return
        place = self.proposals.place
        self._show_board(after)
        if move_on and len(ids) == 1 and place is not None:
            self.proposals.select_place(place + 1, by_person=True)
        else:
            self.ask_preview()
        self._keep_decisions()

    def action_keep(self, number: int) -> None:
        """Accept, with another survivor."""
        entry = self.entry
        if entry is None or not isinstance(entry.proposal, Contradiction | Merge):
            self.post_message(Told("Only where memories are compared one of them can be chosen to stay.", "warning"))
            return
        keys = entry.proposal.keys
        if number > len(keys):
            self.post_message(Told(f"There are only {len(keys)} memories here.", "warning"))
            return
        current = self.state.board.decisions.get(entry.id)
        late = isinstance(current, Accept) and current.at_survivor
        self._decide([entry.id], Accept(keep=keys[number - 1].name, at_survivor=late), move_on=False)

    def action_toggle_when(self) -> None:
        """Let the others end now, or when the one that stays began to be true."""
        entry = self.entry
        if entry is None or not isinstance(entry.proposal, Contradiction | Merge):
            return
        current = self.state.board.decisions.get(entry.id)
        accept = current if isinstance(current, Accept) else Accept()
        self._decide([entry.id], replace(accept, at_survivor=not accept.at_survivor), move_on=False)

    def action_mark_proposal(self) -> None:
        """Mark the selected proposal, and go to the next."""
        entry, place = self.entry, self.proposals.place
        if entry is not None and place is not None:
            self._show_board(self.state.board.with_mark(entry.id))
            self.proposals.select_place(place + 1, by_person=True)

    def _keep_decisions(self) -> None:
        """Decisions that are not confirmed return on the next start."""
        decisions = dict(self.state.board.decisions)
        if decisions != self.keeping.kept.decisions:
            self.keep(replace(self.keeping.kept, decisions=decisions))

    # Confirming

    def action_confirm_review(self) -> None:
        """Carry out all decisions; where some do not fit together, say so first and show the first of them."""
        board = self.state.board
        reason = refusal(BY_ID["review.confirm"], self.state)
        if reason is None and not board.decisions:
            reason = "Nothing is decided yet: a accepts, x rejects, d defers."
        if reason is None and self._plan is None:
            reason = "The look is not through yet; confirm when it is."
        if reason is not None:
            self.post_message(Told(reason, "warning"))
            return
        if board.misfits:
            self._show_misfit()
            return
        assert self._plan is not None, "seen to above"  # noqa: S101
        self.worker.confirm(self._plan, board.decisions)

    def _show_misfit(self) -> None:
        misfit = self.state.board.misfits[0]
        self.post_message(Told(review_notes.misfit(misfit, len(self.state.board.misfits)), "warning"))
        self._show_only(None)
        self.proposals.select(misfit.ids[0], by_person=True)

    @on(Confirmed)
    def _confirmed(self, event: Confirmed) -> None:
        confirmation, board = event.confirmation, self.state.board
        done = {applied.id for applied in confirmation.applied}
        lost = {each.id: each for each in confirmation.refused}
        self._changed = {id_: each.changed or (each.reason,) for id_, each in lost.items()}
        left = {id_: each for id_, each in board.decisions.items() if id_ not in done and id_ not in lost}
        reviewed = self.state.reviewed
        if confirmation.review is not None:
            reviewed = (*reviewed, confirmation.review.id)
        self.state = replace(self.state, reviewed=reviewed)
        self._show_board(replace(board, decisions=left, past=()))
        self._keep_decisions()
        severity = "warning" if confirmation.refused else "information"
        self.post_message(Told(review_notes.confirmed(confirmation), severity))
        self._stale = True
        self.worker.tell_status()

    @on(ReviewFailed)
    def _review_failed(self, event: ReviewFailed) -> None:
        self.post_message(Told(event.sentence, "error"))

    # Undoing

    def action_undo_decision(self) -> None:
        """Take the last decision back; where there is none any more, the last confirmation of this session."""
        board, reviewed = self.state.board, self.state.reviewed
        if board.past:
            self._show_board(board.undone())
            self.ask_preview()
            self._keep_decisions()
        elif not reviewed:
            self.post_message(Told("There is nothing to undo in this session.", "warning"))
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
        self._stale = True
        self.worker.tell_status()

    # From a memory to its contradiction

    def action_to_contradiction(self) -> None:
        """Show the contradiction that the selected memory is part of."""
        if self.state.selected is None or self.in_review:
            return
        if not self.state.selected_contradicted:
            self.post_message(Told("Nothing that is claimed elsewhere contradicts it."))
            return
        self._wanted = self.state.selected
        self._show_board(replace(self.state.board, only=None, query=""))
        self.query_input.value = ""
        self.action_show_mode("review")
        self._show_wanted()

    def _show_wanted(self) -> None:
        wanted = self._wanted
        entry = None if wanted is None else self.state.board.about(wanted)
        if entry is not None:
            self._wanted = None
            self.proposals.select(entry.id, by_person=True)
        elif not self._looking and wanted is not None:
            self._wanted = None
            self.post_message(Told(f"{wanted.name} is part of no open proposal any more."))
