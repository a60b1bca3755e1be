"""Vault: how it stands, which files could not be read as they should, and the journal of reviews."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from textual import getters, on

from memtui.model.problems import Problem
from memtui.model.records import RecordKey
from memtui.model.reviews import Review
from memtui.tui.actions import BY_ID
from memtui.tui.display import several
from memtui.tui.messages import EditWanted, ReviewTakenBack, SurveyFailed, Told, VaultSurveyed
from memtui.tui.rows import Row
from memtui.tui.screens.amending_screen import AmendingScreen
from memtui.tui.state import Cause, after, applies, refusal
from memtui.tui.vault_board import VaultBoard, VaultGroup, VaultHeading
from memtui.tui.widgets.grouped_list import GroupedList
from memtui.tui.widgets.pane_rule import PaneRule
from memtui.tui.widgets.vault_list import VaultList

if TYPE_CHECKING:
    from memtui.memory.memory import Memory
    from memtui.tui.keeping import Keeping


class VaultScreen(AmendingScreen, inherit_bindings=False):
    """A fourth mode of the one screen: the list shows what there is to tell, the preview the selected one."""

    vault_list = getters.query_one(VaultList)
    vault_rule = getters.query_one("#vault-rule", PaneRule)

    def __init__(self, memory: Memory, *, keeping: Keeping, sync_on_start: bool) -> None:
        super().__init__(memory, keeping=keeping, sync_on_start=sync_on_start)
        self.state = replace(self.state, overview=VaultBoard(name=memory.vault_name))
        self._chosen_before: RecordKey | None = None
        """The memory that was selected when the Vault was opened."""

    @property
    def in_vault(self) -> bool:
        """Whether the Vault is shown."""
        return self.state.mode == "vault"

    @property
    def grouped_list(self) -> GroupedList | None:
        """The list in groups that is shown, if one is."""
        return self.vault_list if self.in_vault else self.proposals if self.in_review else None

    # Looking

    def ask(self, cause: Cause) -> None:
        """In the Vault the query narrows problems and reviews; what else changes asks for another survey."""
        if not self.in_vault:
            super().ask(cause)
            return
        if not self.ready:
            return
        self.forget_question()
        if cause != "typed" or self.state.overview.survey is None:
            self.worker.survey(self.state.belief)
        self._show_overview(replace(self.state.overview, query=self.searched))
        self.act_on_answer()

    def with_the_answer(self, act: Callable[[], None]) -> None:
        """What is listed is there at once."""
        if self.in_vault:
            act()
        else:
            super().with_the_answer(act)

    @on(VaultSurveyed)
    def _vault_surveyed(self, event: VaultSurveyed) -> None:
        self._show_overview(replace(self.state.overview, survey=event.survey), afresh=True)

    @on(SurveyFailed)
    def _survey_failed(self, event: SurveyFailed) -> None:
        self.vault_list.show(self.state.overview, ("", event.sentence))  # where nothing was seen before
        self.post_message(Told(event.sentence, "error"))

    # What is shown

    def mode_changed(self) -> None:
        """The list of the mode takes its place."""
        self.set_class(self.in_vault, "-vault")
        if self.in_vault:
            self._chosen_before = self.state.selected or self._chosen_before
            self.state = self.state.chose(None, None, by_person=False)
        elif self._chosen_before is not None:
            self.state = replace(self.state, selected=self._chosen_before)
            self._chosen_before = None
        super().mode_changed()

    def _show_overview(self, board: VaultBoard, *, afresh: bool = False) -> None:
        before = self.vault_list.selected
        self.state = replace(self.state, overview=board)
        looked = board.survey is not None
        nothing = "Neither a problem nor a review matches the query." if looked else "Looking at the vault…"
        self.vault_list.show(board, ("", nothing))
        self.vault_rule.note = _note(board)
        if self.in_vault:
            self._inspect(afresh=afresh or before != self.vault_list.selected)

    def _inspect(self, *, afresh: bool = True) -> None:
        self.state = replace(self.state, inspected=self.state.overview.find(self.vault_list.selected))
        self.ask_preview(afresh=afresh)
        self.selection_changed()

    def ask_preview(self, *, afresh: bool = True) -> None:
        """In the Vault what the selected entry is about."""
        if self.in_vault:
            self.preview.present_details(self.state.inspected, self.standing.told().whole, afresh=afresh)
        else:
            super().ask_preview(afresh=afresh)

    @property
    def row(self) -> Row | None:
        """No row is selected in the Vault."""
        return None if self.in_vault else super().row

    @on(GroupedList.EntrySelected, "#vault-list")
    def _entry_selected(self) -> None:
        self._inspect()

    @on(GroupedList.HeadingClicked, "#vault-list")
    def _heading_clicked(self, event: GroupedList.HeadingClicked) -> None:
        if isinstance(event.line, VaultHeading):
            self._show_only(None if self.state.overview.only == event.line.group else event.line.group)

    def action_next_group(self) -> None:
        """Show one group alone, then the next, then all."""
        if not self.in_vault:
            super().action_next_group()
            return
        held: list[VaultGroup | None] = [*self.state.overview.groups]
        self._show_only(after([None, *held], self.state.overview.only))

    def _show_only(self, group: VaultGroup | None) -> None:
        self._show_overview(replace(self.state.overview, only=group))

    # The journal

    def action_undo_review(self) -> None:
        """Take the selected review back."""
        action = BY_ID["vault.undo-review"]
        reason = refusal(action, self.state)
        entry = self.state.inspected
        review = entry.subject if entry is not None else None
        if reason is None and not applies(action, self.state):
            reason = _not_standing(review) if isinstance(review, Review) else "Only a review can be taken back here."
        if reason is not None:
            self.post_message(Told(reason, "warning"))
        elif isinstance(review, Review):
            # Of this session's own it is not the next one to be undone any more.
            left = tuple(id_ for id_ in self.state.reviewed if id_ != review.id)
            self.state = replace(self.state, reviewed=left)
            self.worker.take_back(review.id)

    @on(ReviewTakenBack)
    def _journal_changed(self) -> None:
        if self.in_vault:
            self.worker.survey(self.state.belief)

    # Problems

    def action_edit_problem(self) -> None:
        """Open the file of the selected problem in the person's editor."""
        entry = self.state.inspected
        problem = entry.subject if entry is not None else None
        if not self.in_vault or not isinstance(problem, Problem):
            return
        self.post_message(EditWanted(self.worker.file_of(problem.path), problem.line))


def _note(board: VaultBoard) -> str:
    """What the rule above the list tells."""
    survey = board.survey
    if survey is None:
        return ""
    counts = ((len(survey.status.problems), "problem"), (len(survey.reviews), "review"))
    return " · ".join(several(count, thing) for count, thing in counts if count)


def _not_standing(review: Review) -> str:
    if review.undoes is not None:
        return f"{review.id} took another one back; that is decided anew in the Review (F4)."
    return f"{review.id} was taken back already."
