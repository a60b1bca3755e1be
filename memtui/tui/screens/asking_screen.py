"""Asking and answering: each key is answered by words at once, then by words and meaning; list and preview follow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from textual import getters, on
from textual.widgets import Input

from memtui.text.query_language import Piece, parse
from memtui.tui import notes
from memtui.tui.messages import PassagesReady, PreviewReady, SearchAnswered, Told
from memtui.tui.rows import Answer, Row
from memtui.tui.screens.following_screen import FollowingScreen
from memtui.tui.spread import narrowed
from memtui.tui.state import TABS, Cause, SearchState, order_after, place_selection
from memtui.tui.vault_worker import PassageWish, Question
from memtui.tui.widgets.counts_line import CountsLine
from memtui.tui.widgets.document import Document
from memtui.tui.widgets.pane_rule import PaneRule
from memtui.tui.widgets.preview import Preview
from memtui.tui.widgets.query_input import QueryInput
from memtui.tui.widgets.result_list import ResultList

if TYPE_CHECKING:
    from memtui.memory.memory import Memory
    from memtui.model.results import Order
    from memtui.tui.keeping import Keeping, Kept


def filters_in(query: str) -> list[Piece]:
    """The filters of a query, in order."""
    return [piece for piece in parse(query).pieces if piece.filter is not None]


class AskingScreen(FollowingScreen, inherit_bindings=False):
    """A query, its results, and a preview of the selected one."""

    query_input = getters.query_one(QueryInput)
    results = getters.query_one(ResultList)
    counts = getters.query_one(CountsLine)
    results_rule = getters.query_one("#results-rule", PaneRule)
    preview = getters.query_one(Preview)

    def __init__(self, memory: Memory, *, keeping: Keeping, sync_on_start: bool) -> None:
        super().__init__(memory, sync_on_start=sync_on_start)
        self.keeping = keeping
        self.state = SearchState(read_only=memory.read_only, order=keeping.kept.order)
        self._question: Question | None = None
        """The newest question."""
        self._asked = 0
        self._answered = 0
        self._complete = False
        """Whether the answer shown is by meaning too."""
        self._awaiting_answer: list[Callable[[], None]] = []
        """What the person did after typing, for the results that are still to come."""

    @property
    def row(self) -> Row | None:
        """The selected row."""
        index = self.results.selected
        return None if index is None or index >= len(self.results.rows) else self.results.rows[index]

    @property
    def searched(self) -> str:
        """What of the query is searched."""
        return self.state.query

    # For the screen at hand to say what it does then.

    def selection_changed(self) -> None:
        """Another row is selected, or the same one stands otherwise."""

    def query_edited(self) -> None:
        """The person changed the query."""

    # Asking

    def ask(self, cause: Cause) -> None:
        """Ask what the state says; the newest question is the one that counts."""
        if not self.ready:
            return
        self._asked += 1
        state = self.state
        page = self.results.page + 1
        searched = self.searched
        opened = () if searched.strip() else self.keeping.kept.opened
        question = Question(
            self._asked,
            searched,
            cause,
            state.belief,
            state.sees_everything,
            page,
            state.order,
            opened,
        )
        answered_by_meaning = self._complete and self.results.answer.query == question.query
        self._question = question
        if cause != "typed" and answered_by_meaning and self._meaning_may_help(question):
            # A look by words in between would only make the rows jump forth and back.
            self.worker.search_by_meaning(question)
        else:
            self.worker.search(question)

    def _meaning_may_help(self, question: Question) -> bool:
        # Filters alone have no meaning to be compared.
        return self.standing.may_help and bool(parse(question.query).words.strip())

    def meaning_came(self) -> None:
        """Meaning can have a say from now on: let it, in the answer shown."""
        question = self._question
        if question is None or self._answered != question.sequence or self._complete:
            return  # it is asked for with the answer that is still to come, or has been
        if self._meaning_may_help(question):
            self._ask_for_meaning(question)

    def order_changed(self) -> None:
        """Ask again: as if meaning joined only now, so that a selection the person chose stays with its record."""
        if self.state.query.strip():
            self.ask("fused")

    def vault_opened(self) -> None:
        """Search what has been typed meanwhile."""
        self.state = replace(self.state, ready=True)
        self.ask("typed")

    def vault_failed(self, sentence: str) -> None:
        """Say it where the results would stand."""
        self.results.show(self.results.answer, None, ["", sentence, "ctrl+r tries again."])

    def vault_changed(self) -> None:
        """Ask again; the selection stays with its record."""
        self.ask("changed")

    @on(Input.Changed, "#query")
    def _query_changed(self, event: Input.Changed) -> None:
        self.query_edited()
        self.state = self.state.typed(event.value)
        self._awaiting_answer.clear()
        self.ask("typed")

    # Answering

    @on(SearchAnswered)
    def _show_answer(self, event: SearchAnswered) -> None:
        question, answer = self._question, event.answer
        if question is None or event.sequence != question.sequence:
            return
        if self._answered == event.sequence and not answer.by_meaning:
            return
        self._answered, self._complete = event.sequence, answer.by_meaning
        keys = [row.key for row in answer.rows]
        index = place_selection(self.state, keys, self.results.selected or 0, event.cause)
        keep = event.cause != "typed" and (self.state.moved or self.results.scroll_offset.y > 0)
        facts = self.header.facts
        shown = notes.above_rows(answer, facts.records, busy=bool(facts.activity), all_shown=self.state.show_forgotten)
        self.results.show(answer, index, shown, keep_place=keep)
        self._tell_above(answer, question.order)
        if answer.by_meaning or not self._meaning_may_help(question):
            self.answered(answer)
        self.answer_shown(event)
        if not answer.by_meaning and self._meaning_may_help(question):
            self._ask_for_meaning(question)

    def answer_shown(self, event: SearchAnswered) -> None:
        """The rows stand: selection and preview follow, and what the person did meanwhile."""
        row = self.row
        self.state = self.state.chose_row(row, by_person=False)
        self.ask_preview(afresh=event.cause != "fused")
        self.selection_changed()
        self.act_on_answer()

    def act_on_answer(self) -> None:
        """Do what the person did after typing, now that there are results for it."""
        waiting, self._awaiting_answer = self._awaiting_answer, []
        for act in waiting:
            act()

    def forget_question(self) -> None:
        """Nothing is asked any more: what is still answered is not shown."""
        self._asked += 1
        self._answered, self._question = self._asked, None

    def _tell_above(self, answer: Answer, order: Order) -> None:
        """What the lines above the list say of an answer."""
        rule = self.results_rule
        rule.labels = (notes.heading(answer, order, self.results.rows_in_view()[0]),)
        rule.chips = tuple(str(piece.filter) for piece in filters_in(answer.query))
        rule.note = notes.count(answer, order, with_forgotten=self.state.show_forgotten)
        self.counts.order = notes.order(answer, order)
        held = {chip.casefold() for chip in rule.chips}
        self.counts.shares = tuple(share for share in answer.spread if share.filter.casefold() not in held)

    def _ask_for_meaning(self, question: Question) -> None:
        # Words have answered, so meaning only joins them, whatever the question's own cause was.
        self.worker.search_by_meaning(replace(question, cause="fused"))

    def with_the_answer(self, act: Callable[[], None]) -> None:
        """Act on the results of what is typed: now if they are there, else when they come."""
        if self.ready and self._answered == self._asked:
            act()
        else:
            self.act_later(act)

    def act_later(self, act: Callable[[], None]) -> None:
        """Act when the results are there."""
        self._awaiting_answer.append(act)

    @on(ResultList.RowsInView)
    def _make_passages(self, event: ResultList.RowsInView) -> None:
        answer, known = self.results.answer, self.results.passages
        if answer.sections:
            self.results_rule.labels = (notes.heading(answer, self.state.order, event.first),)
        ahead = min(event.last + self.results.page, len(answer.rows) - 1)
        rows = {i: answer.rows[i] for i in range(event.first, ahead + 1) if i not in known and answer.rows[i].hit}
        if rows:
            self.worker.passages(PassageWish(self._answered, rows, answer.query, self.state.belief))

    @on(PassagesReady)
    def _show_passages(self, event: PassagesReady) -> None:
        if event.sequence == self._answered:
            self.results.add_passages(event.passages)

    @on(ResultList.RowSelected)
    def _row_selected(self, event: ResultList.RowSelected) -> None:
        self.state = self.state.chose_row(event.row, by_person=event.by_person)
        self.ask_preview()
        self.selection_changed()

    # Sorting

    def sort_by(self, order: Order) -> None:
        """Sort by something else, now and on the next start."""
        if order == self.state.order:
            return
        self.state = self.state.sorted_by(order)
        self.keep(replace(self.keeping.kept, order=order))
        self.ask("typed")

    def keep(self, kept: Kept) -> None:
        """Take something over into the next start."""
        self.keeping.kept = kept
        self.worker.keep(self.keeping)

    @on(CountsLine.OrderClicked)
    def _order_clicked(self) -> None:
        self.sort_by(order_after(self.state.order))

    # Filters

    @on(CountsLine.ShareClicked)
    def _share_clicked(self, event: CountsLine.ShareClicked) -> None:
        self.query_input.value = narrowed(self.query_input.value, event.share.filter)
        self.query_input.action_end()

    @on(PaneRule.ChipClicked, "#results-rule")
    def _chip_clicked(self, event: PaneRule.ChipClicked) -> None:
        # By what the chip says: the box may hold another query by now than the one the chips were made of.
        meant = [piece for piece in filters_in(self.query_input.value) if str(piece.filter) == event.chip]
        self.take_out(meant[:1])

    @on(PaneRule.MoreClicked, "#results-rule")
    def _more_clicked(self, event: PaneRule.MoreClicked) -> None:
        self.post_message(Told(f"More filters: {', '.join(event.chips)}. Escape in the search box takes all out."))

    def take_out(self, filters: Sequence[Piece]) -> None:
        """Take filters out of the query; the rest of the text stays."""
        self.query_input.value = parse(self.query_input.value).without(filters)
        self.query_input.action_end()

    # The preview

    @on(Document.WidthChanged)
    def _width_changed(self) -> None:
        self.ask_preview()

    def ask_preview(self, *, afresh: bool = True) -> None:
        """Let the preview show the selected row; without `afresh` only if it shows another text than that."""
        state, row = self.state, self.row
        query = self.results.answer.query if state.mode == "search" or (row and row.hit) else ""
        self.preview.present(row, query, state.tab, TABS[state.mode], whole=state.reading, afresh=afresh)

    @on(Preview.Wanted)
    def _make_preview(self, event: Preview.Wanted) -> None:
        state = self.state
        wish = replace(event.wish, belief=state.belief, mark=state.mark, against=state.against, searched=self.searched)
        self.worker.preview(wish)

    @on(PreviewReady)
    def _show_preview(self, event: PreviewReady) -> None:
        self.preview.take(event)
