"""Review: what a look over all memories proposes, decided one by one, and confirmed all at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from textual import getters, on

from memtui.clock import monotonic_ms
from memtui.cognition.facts import changes
from memtui.model.proposals import Plan, topic_digits
from memtui.model.records import RecordKey
from memtui.tui import review_notes
from memtui.tui.board import GROUPS, Board, Entry, GroupName, Heading, stays
from memtui.tui.messages import (
    PassAdvanced,
    PassEnded,
    ProposalsFound,
    Told,
)
from memtui.tui.rows import Row
from memtui.tui.screens.replaying_screen import ReplayingScreen
from memtui.tui.state import TABS, Cause, after
from memtui.tui.widgets.grouped_list import GroupedList
from memtui.tui.widgets.pane_rule import PaneRule
from memtui.tui.widgets.proposal_list import ProposalList

if TYPE_CHECKING:
    from memtui.memory.memory import Memory
    from memtui.tui.keeping import Keeping

_LOOKED_AT_UNASKED = 20_000
"""Records up to which a vault is looked over unasked, so that the badge can tell."""
_QUICK_MS = 500.0
"""A look that takes no longer needs no rest after it."""
_REST_TIMES = 4.0
"""How much longer than a look the rest after it is, before changes by others begin another one."""


class ReviewScreen(ReplayingScreen, inherit_bindings=False):
    """A third mode of the one screen: the list shows proposals, the preview the selected one."""

    proposals = getters.query_one(ProposalList)
    proposals_rule = getters.query_one("#proposals-rule", PaneRule)

    def __init__(self, memory: Memory, *, keeping: Keeping, sync_on_start: bool) -> None:
        super().__init__(memory, keeping=keeping, sync_on_start=sync_on_start)
        self.state = replace(self.state, board=Board(decisions=keeping.kept.decisions))
        self.plan: Plan | None = None
        """The plan of the last look that came to its end."""
        self._look = 0
        """The number of the look that is under way, or was the last."""
        self._looking = False
        self.stale = True
        """Whether the store has changed since the last look began."""
        self._look_began_ms = 0.0
        self._rests_until_ms = 0.0
        """Until when changes begin no look: while an agent writes each second, looks would follow one another."""
        self.changed: dict[str, tuple[str, ...]] = {}
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
        self._look_if_needed()

    def vault_changed(self) -> None:
        """What was proposed may not stand any more."""
        super().vault_changed()
        self.stale = True
        self._look_if_needed()

    def look_for_changes(self) -> None:
        """Each second: see whether a look that had to wait can begin."""
        super().look_for_changes()
        self._look_if_needed()

    def _look_if_needed(self) -> None:
        unasked = (self.records or 0) <= _LOOKED_AT_UNASKED
        rested = monotonic_ms() >= self._rests_until_ms
        if self.ready and self.stale and not self._looking and rested and (self.in_review or unasked):
            self._begin_look()

    def _begin_look(self) -> None:
        self.stale, self._looking = False, True
        self._look_began_ms = monotonic_ms()
        self._look = self.worker.look_for_proposals()
        self.tell_above_proposals()

    def look_soon(self) -> None:
        """The person changed what is proposed: look anew as soon as it is told, whatever rest there should be."""
        self.stale, self._rests_until_ms = True, 0.0

    def action_look_again(self) -> None:
        """Look anew, or end the look that is under way."""
        if self._looking:
            self.worker.end_look()
        else:
            self._begin_look()

    @on(ProposalsFound)
    def _proposals_found(self, event: ProposalsFound) -> None:
        # While there is an older plan its proposals stay until the new one is whole.
        if event.sequence == self._look and self.plan is None:
            self.show_board(self.state.board.with_found(event.proposals))

    @on(PassAdvanced)
    def _pass_advanced(self, event: PassAdvanced) -> None:
        if event.sequence == self._look and self._looking:
            self.tell_above_proposals(event.done, event.total)

    @on(PassEnded)
    def _pass_ended(self, event: PassEnded) -> None:
        if event.sequence != self._look:
            return
        self._looking = False
        took = monotonic_ms() - self._look_began_ms
        self._rests_until_ms = 0.0 if took < _QUICK_MS else monotonic_ms() + _REST_TIMES * took
        if event.trouble is not None:
            self.post_message(Told(event.trouble, "error"))
        if event.plan is not None:
            self._take(event.plan)
        self.tell_above_proposals()
        if self._wanted is not None:
            self._show_wanted()

    def _take(self, plan: Plan) -> None:
        """Show another plan; what was decided about a proposal that it has no more is told."""
        board, self.plan = self.state.board, plan
        now = {topic_digits(proposal.id): proposal for proposal in plan.proposals}
        fallen = [id_ for id_ in board.decisions if plan.find(id_) is None]
        for id_ in fallen:
            before, after = board.find(id_), now.get(topic_digits(id_))
            if after is not None:
                differs = () if before is None else changes(before.proposal.facts, after.facts)
                self.changed[id_] = differs or (review_notes.OTHERWISE,)
        changed = {now[topic].id: change for old, change in self.changed.items() if (topic := topic_digits(old)) in now}
        self.show_board(board.renewed(plan, changed))
        self.keep_decisions()
        if fallen:
            again = sum(topic_digits(id_) in now for id_ in fallen)
            self.post_message(Told(review_notes.fallen(len(fallen), again), "warning"))

    # What is shown

    def mode_changed(self) -> None:
        """The list of the mode takes its place."""
        self.set_class(self.in_review, "-review")
        self._rests_until_ms = 0.0
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
        self.show_board(replace(self.state.board, query=self.searched))
        self.act_on_answer()

    def with_the_answer(self, act: Callable[[], None]) -> None:
        """What is proposed is there at once."""
        if self.in_review:
            act()
        else:
            super().with_the_answer(act)

    def show_board(self, board: Board) -> None:
        """Show another board everywhere: list, counts, badge and, in the Review, the panel."""
        before = self.proposals.selected
        self.state = replace(self.state, board=board)
        self.modes.badge = board.open
        said = review_notes.nothing_shown(board, looking=self._looking)
        self.proposals.show(board, said, unseen=not self.in_review)
        self.tell_above_proposals()
        if self.in_review:
            self._choose_key()
            self.ask_preview(afresh=before != self.proposals.selected)
            self.selection_changed()

    def tell_above_proposals(self, done: int = 0, total: int = 0) -> None:
        """How far the look is, and what the decisions come to."""
        rule, board = self.proposals_rule, self.state.board
        rule.labels = (review_notes.heading(board),)
        told = review_notes.note(board, self.plan, looking=self._looking, done=done, total=total)
        # The header may show another time; what can be decided is always of now.
        rule.note = told if self.state.belief.is_present or not told else f"of now · {told}"

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

    @on(GroupedList.EntrySelected, "#proposals")
    def _proposal_selected(self) -> None:
        self._choose_key()
        self.ask_preview()
        self.selection_changed()

    @on(GroupedList.HeadingClicked, "#proposals")
    def _group_clicked(self, event: GroupedList.HeadingClicked) -> None:
        if isinstance(event.line, Heading):
            self.show_only(None if self.state.board.only == event.line.group else event.line.group)

    def action_next_group(self) -> None:
        """Show one group alone, then the next, then all."""
        held: list[GroupName | None] = [group for group in GROUPS if self.state.board.counts[group]]
        self.show_only(after([None, *held], self.state.board.only))

    def show_only(self, group: GroupName | None) -> None:
        """Show one group alone, or (None) all."""
        self.show_board(replace(self.state.board, only=group))

    def keep_decisions(self) -> None:
        """Decisions that are not confirmed return on the next start."""
        decisions = dict(self.state.board.decisions)
        if decisions != self.keeping.kept.decisions:
            self.keep(replace(self.keeping.kept, decisions=decisions))

    # From a memory to its contradiction

    def action_to_contradiction(self) -> None:
        """Show the contradiction that the selected memory is part of."""
        if self.state.selected is None or self.in_review:
            return
        if not self.state.selected_contradicted:
            self.post_message(Told("Nothing that is claimed elsewhere contradicts it."))
            return
        self._wanted = self.state.selected
        self.state = self.state.typed("")  # at once: that the box is empty is told only later
        self.show_board(replace(self.state.board, only=None, query=""))
        self.query_input.value = ""
        self.action_show_mode("review")
        self._show_wanted()

    def _show_wanted(self) -> None:
        wanted = self._wanted
        entry = None if wanted is None else self.state.board.contradiction_of(wanted)
        if entry is not None:
            self._wanted = None
            self.proposals.select(entry.id, by_person=True)
        elif not self._looking and wanted is not None:
            self._wanted = None
            self.post_message(Told(review_notes.not_named(wanted.name), "warning"))
