"""The search screen: type, see, read, forget, revive.

It owns the state and decides what each message means; what blocks runs in `VaultWorker`, what is
drawn is in the widgets.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual import getters, on
from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.widgets import Input, Static

from memtui.clock import Clock
from memtui.tui import notes
from memtui.tui.actions import BY_ID, Action, Pane, footer_of, renamed, screen_bindings
from memtui.tui.messages import (
    CopyWanted,
    HelpWanted,
    MemoryWritten,
    PassagesReady,
    PreviewReady,
    SearchAnswered,
    Told,
    WriteFailed,
)
from memtui.tui.preview_lines import text_of
from memtui.tui.rows import Row
from memtui.tui.screens.vault_screen import VaultScreen
from memtui.tui.state import TABS, Cause, Done, SearchState, Tab, applies, place_selection, refusal
from memtui.tui.vault_worker import PassageWish, Question
from memtui.tui.widgets.document import Document
from memtui.tui.widgets.footer_line import FooterLine
from memtui.tui.widgets.header_line import HeaderLine
from memtui.tui.widgets.pane_rule import PaneRule
from memtui.tui.widgets.preview import Preview, PreviewText
from memtui.tui.widgets.query_input import QueryInput
from memtui.tui.widgets.result_list import ROW_HEIGHT, ResultList
from memtui.tui.widgets.size_notice import LEAST_HEIGHT, LEAST_WIDTH, SizeNotice

if TYPE_CHECKING:
    from memtui.memory.memory import Memory


class SearchScreen(VaultScreen, inherit_bindings=False):
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

    query_input = getters.query_one(QueryInput)
    results = getters.query_one(ResultList)
    results_rule = getters.query_one("#results-rule", PaneRule)
    preview = getters.query_one(Preview)

    def __init__(self, memory: Memory, *, clock: Clock, sync_on_start: bool) -> None:
        super().__init__(memory, sync_on_start=sync_on_start)
        self._clock = clock
        self.state = SearchState(read_only=memory.read_only)
        self._asked = 0
        self._answered = 0
        self._awaiting_answer: list[Callable[[], None]] = []
        """What the person did after typing, for the results that are still to come."""
        self._focus_before: Pane = "input"

    def compose(self) -> ComposeResult:
        """The frame."""
        yield HeaderLine(id="header")
        with Horizontal(id="query-row"):
            yield Static("❯", id="prompt")
            yield QueryInput("Search memories and notes", id="query")
        with Container(id="body"):
            with Vertical(id="results-pane"):
                yield PaneRule(["Results"], id="results-rule")
                yield ResultList(self._clock, id="results")
            yield Preview(id="preview")
        yield FooterLine(id="footer")
        yield SizeNotice(id="size-notice")

    def on_mount(self) -> None:
        """Show the frame with the cursor in the search box."""
        self.watch(self, "focused", self._focus_moved)
        self.results.show(self.results.answer, None, ["", "Opening the vault…"])

    @property
    def row(self) -> Row | None:
        """The selected row."""
        index = self.results.selected
        return None if index is None or index >= len(self.results.rows) else self.results.rows[index]

    @property
    def pane(self) -> Pane:
        """The pane that has the focus."""
        if isinstance(self.focused, ResultList):
            return "list"
        return "preview" if isinstance(self.focused, PreviewText) else "input"

    # Asking and answering

    def _ask(self, cause: Cause) -> None:
        if not self.ready:
            return
        self._asked += 1
        state = self.state
        page = self.results.page + 1
        self.worker.search(Question(self._asked, state.query, cause, state.belief, state.show_forgotten, page))

    @on(Input.Changed, "#query")
    def _query_changed(self, event: Input.Changed) -> None:
        self._close_reading()
        self.state = self.state.typed(event.value)
        self._awaiting_answer.clear()
        self._ask("typed")

    @on(SearchAnswered)
    def _show_answer(self, event: SearchAnswered) -> None:
        if event.sequence != self._asked:
            return
        self._answered = event.sequence
        answer = event.answer
        keys = [row.key for row in answer.rows]
        before = self.results.selected or 0
        index = place_selection(self.state, keys, before, event.cause)
        keep = event.cause != "typed" and (self.state.moved or self.results.scroll_offset.y > 0)
        facts = self.header.facts
        shown = notes.above_rows(answer, facts.records, busy=bool(facts.activity), all_shown=self.state.show_forgotten)
        self.results.show(answer, index, shown, keep_place=keep)
        self.results_rule.labels = (notes.heading(answer),)
        self.results_rule.note = notes.count(answer, with_forgotten=self.state.show_forgotten)
        if answer.plane:
            self.header.tell(plane=answer.plane, degraded=answer.degraded)
        row = self.row
        self.state = self.state.chose(row and row.key, row and row.record.state, by_person=False)
        self._ask_preview()
        self._show_footer()
        waiting, self._awaiting_answer = self._awaiting_answer, []
        for act in waiting:
            act()

    def _with_the_answer(self, act: Callable[[], None]) -> None:
        """Act on the results of what is typed: now if they are there, else when they come."""
        if self.ready and self._answered == self._asked:
            act()
        else:
            self._awaiting_answer.append(act)

    @on(ResultList.RowsInView)
    def _make_passages(self, event: ResultList.RowsInView) -> None:
        answer, known = self.results.answer, self.results.passages
        ahead = min(event.last + self.results.page, len(answer.rows) - 1)
        rows = {i: answer.rows[i] for i in range(event.first, ahead + 1) if i not in known and answer.rows[i].hit}
        if rows:
            self.worker.passages(PassageWish(self._answered, rows))

    @on(PassagesReady)
    def _show_passages(self, event: PassagesReady) -> None:
        if event.sequence == self._answered:
            self.results.add_passages(event.passages)

    @on(ResultList.RowSelected)
    def _row_selected(self, event: ResultList.RowSelected) -> None:
        self.state = self.state.chose(event.row.key, event.row.record.state, by_person=event.by_person)
        self._ask_preview()
        self._show_footer()

    @on(ResultList.RowOpened)
    def _row_opened(self) -> None:
        self.action_open()

    @on(Document.WidthChanged)
    def _ask_preview(self) -> None:
        self.preview.present(self.row, self.results.answer.query, self.state.tab, whole=self.state.reading)

    @on(Preview.Wanted)
    def _make_preview(self, event: Preview.Wanted) -> None:
        self.worker.preview(replace(event.wish, belief=self.state.belief))

    @on(PreviewReady)
    def _show_preview(self, event: PreviewReady) -> None:
        self.preview.take(event)

    # The vault

    def vault_opened(self) -> None:
        """Search what has been typed meanwhile."""
        self.state = replace(self.state, ready=True)
        self._ask("typed")

    def vault_failed(self, sentence: str) -> None:
        """Say it where the results would stand."""
        self.results.show(self.results.answer, None, ["", sentence, "ctrl+r tries again."])

    def vault_changed(self) -> None:
        """Ask again; the selection stays with its record."""
        self._ask("changed")

    # Writing

    def _write(self, action: Action, done: Done | None, undoes: Done | None = None) -> None:
        reason = refusal(action, self.state)
        if reason is not None:
            self.post_message(Told(reason, "warning"))
        elif done is not None:
            self.worker.write(done, undoes)

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
            if self.results.selected is not None:
                self.results.select(self.results.selected + step, by_person=True)

        self._with_the_answer(move)

    def action_move_page(self, pages: float) -> None:
        """Go by pages of the list."""
        self.action_move(int(self.results.page * pages) or (1 if pages > 0 else -1))

    def action_move_to(self, place: str) -> None:
        """Go to the first or the last row."""
        self._with_the_answer(
            lambda: self.results.select(0 if place == "first" else len(self.results.rows) - 1, by_person=True)
        )

    def action_open(self) -> None:
        """Read the whole text of the selected memory; from there, go back to the section."""
        if self.state.reading:
            self._close_reading()
        else:
            self._with_the_answer(self._open_reading)

    def _open_reading(self) -> None:
        if self.row is None:
            return
        self._focus_before = self.pane
        self.state = replace(self.state, reading=True, tab="text")
        self.set_class(True, "-reading")
        self.preview.document.focus()
        self.call_after_refresh(self._ask_preview)
        if self.state.belief.is_present:
            self.worker.note_opened(self.row.key, self.state.query)

    def _close_reading(self) -> None:
        if not self.state.reading:
            return
        self.state = replace(self.state, reading=False)
        self.set_class(False, "-reading")
        if self.pane == "preview" and self._focus_before != "preview":
            if self._focus_before == "list":
                self.results.focus()
            else:
                self.set_focus(self.query_input)
        self.call_after_refresh(self._ask_preview)

    def action_step_back(self) -> None:
        """Close the reading view, else put the focus into the search box."""
        if self.state.reading:
            self._close_reading()
        else:
            self.set_focus(self.query_input)

    def action_focus_input(self) -> None:
        """Go to the search box."""
        self._close_reading()
        self.set_focus(self.query_input)

    def action_clear_query(self) -> None:
        """Empty the search box."""
        self.query_input.value = ""

    def action_show_tab(self, tab: Tab) -> None:
        """Show a tab of the preview."""
        self.state = replace(self.state, tab=tab)
        self._ask_preview()

    def action_step_tab(self, step: int) -> None:
        """Show the tab beside."""
        self.action_show_tab(self.state.stepped_tab(step).tab)

    @on(PaneRule.LabelClicked, "#preview-rule")
    def _tab_clicked(self, event: PaneRule.LabelClicked) -> None:
        self.action_show_tab(TABS[event.index])

    def action_toggle_forgotten(self) -> None:
        """Show or hide what is out of force."""
        self.state = replace(self.state, show_forgotten=not self.state.show_forgotten)
        self._ask("changed")

    def action_help(self) -> None:
        """Explain the pane that has the focus."""
        self.post_message(HelpWanted(self.pane))

    # Copying

    def action_copy_text_of_memory(self) -> None:
        """Copy the text of the selected memory."""
        if self.row is not None:
            self.post_message(CopyWanted(text_of(self.row.record.content), "the text", self.row.key.name))

    def action_copy_name(self) -> None:
        """Copy the name of the selected memory."""
        if self.row is not None:
            self.post_message(CopyWanted(self.row.key.name, "the name", self.row.key.name))

    # The frame

    def on_resize(self) -> None:
        """Cover the screen while the terminal is too small; let the list above a preview end with a whole row."""
        size = self.size
        self.set_class(size.width < LEAST_WIDTH or size.height < LEAST_HEIGHT, "-too-small")
        rows = max(round((size.height - 3) * 0.56 / ROW_HEIGHT), 3)
        stacked = size.width < 100 and size.height >= 20
        self.query_one("#results-pane").styles.height = rows * ROW_HEIGHT + 1 if stacked else "1fr"

    def _focus_moved(self) -> None:
        pane = self.pane
        self.query_one("#query-row").set_class(pane == "input", "-focused")
        self.results_rule.set_class(pane == "list", "-focused")
        self.query_one("#preview-rule").set_class(pane == "preview", "-focused")
        self._show_footer()

    def _show_footer(self) -> None:
        actions = [action for action in footer_of(self.pane) if applies(action, self.state)]
        self.query_one(FooterLine).actions = tuple(self._labelled(action) for action in actions)

    def _labelled(self, action: Action) -> Action:
        if action.id == "view.forgotten":
            return renamed(action, "Hide forgotten" if self.state.show_forgotten else "Show forgotten")
        if action.id == "view.whole" and self.state.reading:
            return renamed(action, "Section")
        return action

    @on(FooterLine.ActionClicked)
    async def _footer_clicked(self, event: FooterLine.ActionClicked) -> None:
        await self.run_action(event.action.command)
