"""The search screen: its frame, and what a person can do in it: move, read, forget, revive, copy.

How questions are asked and answered is in `AskingScreen`, how they are completed in `CompletingScreen`, how one
reads in `ReadingScreen`, what blocks runs in `VaultWorker`, what is drawn is in the widgets.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.widgets import Static

from memtui.tui import notes
from memtui.tui.actions import BY_ID, Action, footer_of, renamed, screen_bindings
from memtui.tui.messages import (
    CopyWanted,
    HelpWanted,
    MemoryWritten,
    Told,
    WriteFailed,
)
from memtui.tui.preview_lines import text_of
from memtui.tui.screens.asking_screen import filters_in
from memtui.tui.screens.reading_screen import ReadingScreen
from memtui.tui.state import Done, Mode, applies, lane_order_after, order_after, refusal
from memtui.tui.widgets.completion_menu import CompletionMenu
from memtui.tui.widgets.counts_line import CountsLine
from memtui.tui.widgets.footer_line import FooterLine
from memtui.tui.widgets.grouped_list import GroupedList
from memtui.tui.widgets.header_line import HeaderLine
from memtui.tui.widgets.lane_list import LaneList
from memtui.tui.widgets.mode_tabs import ModeTabs
from memtui.tui.widgets.pane_rule import PaneRule
from memtui.tui.widgets.preview import Preview
from memtui.tui.widgets.proposal_list import ProposalList
from memtui.tui.widgets.query_input import QueryInput
from memtui.tui.widgets.result_list import ROW_HEIGHT, ResultList
from memtui.tui.widgets.size_notice import LEAST_HEIGHT, LEAST_WIDTH, SizeNotice
from memtui.tui.widgets.time_slider import TimeSlider
from memtui.tui.widgets.vault_list import VaultList

if TYPE_CHECKING:
    from memtui.model.results import Order


_ROOM_FOR_MODES = 104
"""Columns from which every mode is named, and the invitation in the search box stands whole beside them."""


class SearchScreen(ReadingScreen, inherit_bindings=False):
    """Input on top, results left, preview right (below under 100 columns)."""

    AUTO_FOCUS = "#query"
    BINDINGS = screen_bindings()
    # Textual declares these as unions with a ClassVar inside, which pyright reads as instance variables.
    HORIZONTAL_BREAKPOINTS: ClassVar[list[tuple[int, str]] | None] = [  # pyright: ignore[reportIncompatibleVariableOverride]
        (0, "-narrow"),
        (100, "-wide"),
        (160, "-huge"),
    ]
    VERTICAL_BREAKPOINTS: ClassVar[list[tuple[int, str]] | None] = [  # pyright: ignore[reportIncompatibleVariableOverride]
        (0, "-low"),
        (20, "-medium"),
        (30, "-tall"),
    ]

    def compose(self) -> ComposeResult:
        """The frame."""
        yield HeaderLine(id="header")
        with Horizontal(id="query-row"):
            yield Static("❯", id="prompt")
            yield QueryInput("Search memories and notes, ctrl+space for filters", id="query")
            yield ModeTabs(id="modes")
        yield CountsLine(BY_ID["list.sort"].tooltip, id="counts")
        yield TimeSlider("known at", id="known-at")
        yield TimeSlider("true at", id="true-at")
        with Container(id="body"):
            with Vertical(id="results-pane"):
                yield PaneRule(["Results"], id="results-rule")
                yield ResultList(self.clock, id="results")
                yield PaneRule(["Memories"], id="lanes-rule")
                yield LaneList(id="lanes")
                yield PaneRule(["Proposals"], id="proposals-rule")
                yield ProposalList(id="proposals")
                yield PaneRule(["Vault"], id="vault-rule")
                yield VaultList(id="vault-list")
            yield Preview(id="preview")
        yield FooterLine(id="footer")
        yield CompletionMenu(id="completion-menu")
        yield SizeNotice(id="size-notice")

    def on_mount(self) -> None:
        """Show the frame with the cursor in the search box."""
        self.watch(self, "focused", self._focus_moved)
        self.results.show(self.results.answer, None, ["", "Opening the vault…"])

    def selection_changed(self) -> None:
        """The footer shows what can be done with it."""
        self._show_footer()

    def menu_changed(self) -> None:
        """The footer shows its keys while it is open."""
        self._show_footer()

    def query_edited(self) -> None:
        """Whoever types wants to see results."""
        self.close_reading()

    def action_show_mode(self, mode: Mode) -> None:
        """Show a mode, with its list."""
        if mode != self.state.mode:
            self.close_reading(back=False)
        super().action_show_mode(mode)

    def mode_changed(self) -> None:
        """The focus goes to what the mode is about."""
        super().mode_changed()
        if self.state.reading:
            pass  # what fills the screen has it
        elif self.in_timeline and not self.query_input.has_focus:
            self.call_after_refresh(self.lanes.focus)
        elif self.grouped_list is not None:
            self.call_after_refresh(self.grouped_list.focus)
        elif isinstance(self.focused, LaneList | TimeSlider | GroupedList):
            self.call_after_refresh(self.set_focus, self.query_input)
        self._share_room()
        self._show_footer()

    @on(ResultList.RowOpened)
    @on(LaneList.LaneOpened)
    @on(GroupedList.EntryOpened)
    def _row_opened(self) -> None:
        self.action_open()

    # Writing

    def _write(self, action: Action, done: Done | None, undoes: Done | None = None) -> None:
        reason = refusal(action, self.state)
        if reason is not None:
            self.post_message(Told(reason, "warning"))
        elif done is not None:
            self.worker.write(done, undoes)
        elif self.in_review:
            self.post_message(Told("Here memories change by what you decide: a, x, d, then c. F2 finds each one."))

    def action_forget(self) -> None:
        """Forget the selected memory, at once; undo takes it back."""
        row = self.row
        self._write(BY_ID["memory.forget"], row and Done("forget", row.key))

    def action_revive(self) -> None:
        """Revive the selected memory."""
        row = self.row
        self._write(BY_ID["memory.revive"], row and Done("revive", row.key))

    def action_undo(self) -> None:
        """Take back the last write that is not yet taken back."""
        last = self.state.done[-1] if self.state.done else None
        self._write(BY_ID["memory.undo"], last and Done(last.opposite, last.key), last)
        # Off the stack at once, so that pressing the key twice undoes two writes.
        self.state = self.state.undoing()

    @on(MemoryWritten)
    def _memory_written(self, event: MemoryWritten) -> None:
        if event.undoes is None and event.written.outcome in ("forgotten", "revived"):
            self.state = self.state.did(event.done)
        if event.undoes is not None and event.written.outcome == "revived":
            self.state = self.state.brought_back(event.written.key)
        self.post_message(Told(notes.written(event)))
        self.worker.tell_status()

    @on(WriteFailed)
    def _write_failed(self, event: WriteFailed) -> None:
        if event.undoes is not None:
            self.state = self.state.did(event.undoes)
        self.post_message(Told(event.sentence, "error"))

    # Moving about

    def action_move(self, step: int) -> None:
        """Select another row."""

        def move() -> None:
            grouped = self.grouped_list
            if grouped is not None:
                grouped.select_place((grouped.place or 0) + step, by_person=True)
                return
            listed = self.listed
            if listed.selected is not None:
                listed.select(listed.selected + step, by_person=True)

        self.with_the_answer(move)

    def action_move_page(self, pages: float) -> None:
        """Go by pages of the list."""
        page = (self.grouped_list or self.listed).page
        self.action_move(int(page * pages) or (1 if pages > 0 else -1))

    def action_move_to(self, place: str) -> None:
        """Go to the first or the last row."""
        grouped = self.grouped_list
        if grouped is not None:
            grouped.select_place(0 if place == "first" else grouped.count - 1, by_person=True)
            return
        self.with_the_answer(
            lambda: self.listed.select(0 if place == "first" else self.listed.count - 1, by_person=True)
        )

    @property
    def listed(self) -> ResultList | LaneList:
        """The list that is shown."""
        return self.lanes if self.in_timeline else self.results

    def action_step_back(self) -> None:
        """Close the reading view, else put the focus into the search box; from there, take the filters out."""
        if self.state.reading:
            self.close_reading()
        elif self.in_timeline and self.state.mark is not None and self.pane != "input":
            self.set_mark(None)
        elif self.pane == "input":
            self.take_out(filters_in(self.query_input.value))
        else:
            self.set_focus(self.query_input)

    def action_focus_input(self) -> None:
        """Go to the search box."""
        self.close_reading(back=False)
        self.set_focus(self.query_input)

    def action_clear_query(self) -> None:
        """Empty the search box."""
        self.query_input.value = ""

    def action_toggle_forgotten(self) -> None:
        """Show or hide what is out of force."""
        if self.in_timeline:
            self.state = replace(self.state, hide_gone=not self.state.hide_gone)
        else:
            self.state = replace(self.state, show_forgotten=not self.state.show_forgotten)
        self.ask("changed")

    def action_sort(self, order: Order) -> None:
        """Sort by something, and see it."""
        self.close_reading()
        self.sort_by(order)

    def action_sort_next(self) -> None:
        """Sort by the next thing there is."""
        if self.in_timeline and not self.searched.strip():
            self.action_sort_lanes(lane_order_after(self.state.lane_order))
            return
        self.action_sort(order_after(self.state.order))

    def action_help(self) -> None:
        """Explain the pane that has the focus."""
        self.post_message(HelpWanted(self.pane, self.standing.told().whole))

    # Copying

    def action_copy_text_of_memory(self) -> None:
        """Copy the text of the selected memory; in the Review what the panel tells."""
        if self.in_review and self.entry is not None:
            self.post_message(CopyWanted(self.preview.document.shown.plain, "what is shown"))
        if self.row is not None:
            self.post_message(CopyWanted(text_of(self.row.record.content), "the text", self.row.key.name))

    def action_copy_name(self) -> None:
        """Copy the name of the selected memory."""
        key = self.state.selected
        if key is not None:
            self.post_message(CopyWanted(key.name, "the name", key.name))

    # The frame

    def on_resize(self) -> None:
        """Cover the screen while the terminal is too small; let the list above a preview end with a whole row."""
        size = self.size
        self.set_class(size.width < LEAST_WIDTH or size.height < LEAST_HEIGHT, "-too-small")
        self.modes.brief = size.width < _ROOM_FOR_MODES
        self._share_room()
        self.call_after_refresh(self.place_menu)
        self.call_after_refresh(self.tell_above_lanes)

    def _share_room(self) -> None:
        """How high the list is where the preview stands below it."""
        size = self.size
        stacked = size.width < 100 and size.height >= 20
        if self.in_timeline:
            sliders = 6 if size.height >= 30 else 4
            height = round((size.height - 4 - sliders) * 0.6)
        else:
            height = max(round((size.height - 4) * 0.56 / ROW_HEIGHT), 3) * ROW_HEIGHT + 1
        self.query_one("#results-pane").styles.height = height if stacked else "1fr"

    def _focus_moved(self) -> None:
        pane = self.pane
        if pane != "input":
            self.close_menu()
        self.query_one("#query-row").set_class(pane == "input", "-focused")
        self.results_rule.set_class(pane == "list", "-focused")
        self.proposals_rule.set_class(pane == "review", "-focused")
        self.vault_rule.set_class(pane == "vault", "-focused")
        self.lanes_rule.set_class(pane == "list", "-focused")
        self.query_one("#preview-rule").set_class(pane == "preview", "-focused")
        self._show_footer()

    def _show_footer(self) -> None:
        pane = "menu" if self.completing.is_open else self.pane
        state = self.state
        actions = [
            action
            for action in footer_of(pane)
            if applies(action, state) and not (action.writes and refusal(action, state))
        ]
        self.query_one(FooterLine).actions = tuple(self._labelled(action) for action in actions)

    def _labelled(self, action: Action) -> Action:
        if action.id == "view.forgotten":
            hidden = self.state.hide_gone if self.in_timeline else not self.state.show_forgotten
            return renamed(action, "Show forgotten" if hidden else "Hide forgotten")
        if action.id == "clock.link":
            return renamed(action, "Unlink" if self.state.clocks.linked else "Link")
        if action.id == "vault.open" and applies(BY_ID["vault.edit"], self.state):
            return renamed(action, "Edit file")
        if action.id == "view.whole" and self.state.reading:
            return renamed(action, "Section")
        return action

    @on(FooterLine.ActionClicked)
    async def _footer_clicked(self, event: FooterLine.ActionClicked) -> None:
        await self.run_action(event.action.command)
