"""Reading: a tab of the preview beside the list, or over the full screen."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from textual import on
from textual.widget import Widget

from memtui.tui.actions import BY_ID, Pane
from memtui.tui.messages import Told
from memtui.tui.screens.vault_screen import VaultScreen
from memtui.tui.state import TAB_LABELS, TABS, Tab, applies
from memtui.tui.widgets.lane_list import LaneList
from memtui.tui.widgets.pane_rule import PaneRule
from memtui.tui.widgets.preview import PreviewText
from memtui.tui.widgets.proposal_list import ProposalList
from memtui.tui.widgets.result_list import ResultList
from memtui.tui.widgets.time_slider import TimeSlider
from memtui.tui.widgets.vault_list import VaultList

if TYPE_CHECKING:
    from memtui.clock import Clock
    from memtui.memory.memory import Memory
    from memtui.tui.keeping import Keeping


class ReadingScreen(VaultScreen, inherit_bindings=False):
    """What is selected in any mode can be read over the full screen, and left as it was."""

    def __init__(self, memory: Memory, *, clock: Clock, keeping: Keeping, sync_on_start: bool) -> None:
        super().__init__(memory, keeping=keeping, sync_on_start=sync_on_start)
        self.clock = clock
        self._focus_before: Widget | None = None

    @property
    def pane(self) -> Pane:
        """The pane that has the focus."""
        if isinstance(self.focused, ResultList | LaneList):
            return "list"
        if isinstance(self.focused, ProposalList):
            return "review"
        if isinstance(self.focused, VaultList):
            return "vault"
        if isinstance(self.focused, TimeSlider):
            return "slider"
        return "preview" if isinstance(self.focused, PreviewText) else "input"

    def action_open(self) -> None:
        """Read the whole text of the selected memory; from there, go back to the section."""
        if self.state.reading:
            self.close_reading()
        else:
            self.with_the_answer(self._open_reading)

    def _open_reading(self) -> None:
        if self.in_vault:
            if applies(BY_ID["vault.edit"], self.state):
                self.action_edit_problem()
            elif self.state.inspected is not None:
                self._fill_with("details")
            return
        if self.in_review and self.has_class("-narrow") and self.has_class("-low") and self.entry is not None:
            self._fill_with("proposal")  # what is decided about is seen nowhere else
            return
        if self.in_review and self.state.selected is not None:
            # Judging whether a memory may go is no recall: it would keep what is about to be let go.
            self._fill_with("text")
            return
        if self.row is None:
            return
        self._fill_with("text")
        if self.state.belief.is_present:
            self.worker.note_opened(self.row.key, self.state.query)
            self.keep(self.keeping.kept.having_opened(self.row.key, self.clock()))

    def _fill_with(self, tab: Tab) -> None:
        """Let a tab of the preview fill the screen."""
        if not self.state.reading:
            self._focus_before = self.focused
        self.state = replace(self.state, reading=True, reading_tab=tab)
        self.set_class(True, "-reading")
        self.preview.document.focus()
        self.call_after_refresh(self.ask_preview)

    def close_reading(self, *, back: bool = True) -> None:
        """Show list and preview again; with `back` the focus goes to where it was."""
        if not self.state.reading:
            return
        self.state = replace(self.state, reading=False)
        self.set_class(False, "-reading")
        before = self._focus_before
        if back and self.pane == "preview" and before is not None and before is not self.preview.document:
            # The box is seen all along, and a letter may follow at once; what was hidden takes its room only now.
            self.set_focus(before) if before is self.query_input else before.focus()
        self.call_after_refresh(self.ask_preview)

    def action_show_tab(self, tab: Tab) -> None:
        """Show a tab of the preview, if need be in the mode that has it; but nothing leads out of a review unasked."""
        if tab not in TABS[self.state.mode] and self.grouped_list is not None:
            names = ", ".join(TAB_LABELS[each] for each in TABS[self.state.mode])
            self.post_message(Told(f"Here are only these tabs: {names}.", "warning"))
            return
        before, self.state = self.state.mode, self.state.showing_tab(tab)
        if self.has_class("-narrow", "-low"):
            self._fill_with(tab)  # there is no other room for it
        elif self.state.reading and tab != "text":
            self.close_reading()
        if self.state.mode != before:
            self.show_mode_anew()
        self.ask_preview()

    def action_to_contradiction(self) -> None:
        """In the Review that is where one came from."""
        if self.in_review:
            self.action_show_tab("proposal")
        else:
            super().action_to_contradiction()

    def action_step_tab(self, step: int) -> None:
        """Show the tab beside."""
        self.action_show_tab(self.state.stepped_tab(step).tab)

    @on(PaneRule.LabelClicked, "#preview-rule")
    def _tab_clicked(self, event: PaneRule.LabelClicked) -> None:
        self.action_show_tab(TABS[self.state.mode][event.index])
