"""Completing the query: what the menu under the search box offers, and the keys that are its while it is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import getters, on
from textual.geometry import Offset
from textual.widgets import Input

from memtui.model.belief import BeliefState
from memtui.text.query_completing import Vocabulary
from memtui.tui.completing import Completing
from memtui.tui.display import width_of
from memtui.tui.messages import VocabularyRead
from memtui.tui.screens.asking_screen import AskingScreen
from memtui.tui.widgets.completion_menu import CompletionMenu

if TYPE_CHECKING:
    from memtui.memory.memory import Memory
    from memtui.tui.keeping import Keeping


class CompletingScreen(AskingScreen, inherit_bindings=False):
    """A query that can be completed with what the vault holds."""

    menu = getters.query_one(CompletionMenu)

    def __init__(self, memory: Memory, *, keeping: Keeping, sync_on_start: bool) -> None:
        super().__init__(memory, keeping=keeping, sync_on_start=sync_on_start)
        self.completing = Completing()
        self._vocabulary = Vocabulary()
        self._vocabulary_is_of: tuple[BeliefState, bool] | None = None
        """What was in sight when the vocabulary was read; None when the vault has changed since."""
        self._followed = ""
        """The text whose completion was last thought about."""

    def on_mount(self) -> None:
        """Follow the cursor of the search box: it moves with each letter, before the next key comes."""
        self.watch(self.query_input, "selection", self._follow, init=False)

    @property
    def searched(self) -> str:
        """The query, without the filter whose value is still being chosen from the menu."""
        query = self.state.query
        return self.completing.without_begun(query) if self._followed == query else query

    # For the screen at hand to say what it does then.

    def menu_changed(self) -> None:
        """The menu opened or closed."""

    # The vocabulary

    def vault_opened(self) -> None:
        """Read what queries may be completed with, once the search is under way."""
        super().vault_opened()
        self._read_vocabulary()

    def vault_changed(self) -> None:
        """The vocabulary is read again as soon as it is wanted: a change may be followed by a hundred more."""
        super().vault_changed()
        self._vocabulary_is_of = None

    def _read_vocabulary(self) -> None:
        wanted = self.state.belief, self.state.show_forgotten
        if self.ready and wanted != self._vocabulary_is_of:
            self._vocabulary_is_of = wanted
            self.worker.vocabulary(self.state.belief, with_forgotten=self.state.show_forgotten)

    @on(VocabularyRead)
    def _vocabulary_read(self, event: VocabularyRead) -> None:
        self._vocabulary = event.vocabulary
        query = self.query_input
        at_work = query.has_focus and query.cursor_position == len(query.value)
        self._show(self._followed_by(edited=at_work))

    # The menu

    @on(Input.Changed, "#query")
    def _text_changed(self) -> None:
        self._follow()

    def _follow(self) -> None:
        query = self.query_input
        edited, self._followed = query.value != self._followed, query.value
        if edited and ":" in query.value:
            self._read_vocabulary()
        self._show(self._followed_by(edited=edited) if query.has_focus else Completing())

    def _followed_by(self, *, edited: bool) -> Completing:
        query = self.query_input
        if not query.selection.is_empty:
            return Completing(closed_at=self.completing.closed_at)
        return self.completing.followed(query.value, query.cursor_position, self._vocabulary, edited=edited)

    def _show(self, completing: Completing) -> None:
        if completing is self.completing:
            return
        was_open, self.completing = self.completing.is_open, completing
        self.place_menu()
        if completing.is_open != was_open:
            self.menu_changed()

    def place_menu(self) -> None:
        """Draw the menu under the word it completes."""
        completing, query = self.completing, self.query_input
        x = query.content_region.x - query.scroll_offset.x
        if completing.choices:
            x += width_of(query.value[: completing.choices[0].start])
        self.menu.show(completing, Offset(x, query.region.bottom), self.size.width)

    def close_menu(self) -> None:
        """Put the menu away, as the person went elsewhere."""
        self._put_away(Completing())

    def _put_away(self, completing: Completing) -> None:
        """Close the menu: what is typed is meant as it stands."""
        searched = self.searched
        self._show(completing)
        if self.searched != searched:
            self.ask("typed")

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The keys of the menu are its own only while it is open."""
        if not action.startswith("complete_"):
            return super().check_action(action, parameters)
        query = self.query_input
        at_the_end = query.selection.is_empty and query.cursor_position == len(query.value)
        key = parameters[0] if action == "complete_accept" else ""
        return query.has_focus and self.completing.takes(str(key), at_the_end=at_the_end)

    def action_offer_completions(self) -> None:
        """Open the menu, with the names of filters too."""
        self._read_vocabulary()
        query = self.query_input
        self.set_focus(query)
        self._show(self.completing.opened(query.value, query.cursor_position, self._vocabulary))

    def action_complete_move(self, step: int) -> None:
        """Choose another completion."""
        self._show(self.completing.stepped(step))

    def action_complete_close(self) -> None:
        """Put the menu away; it does not come back for this word by itself."""
        self._put_away(self.completing.closed())

    def action_complete_accept(self, key: str) -> None:
        """Put the chosen completion into the query."""
        del key
        self._accept(self.completing.chosen)

    @on(CompletionMenu.ChoiceClicked)
    def _choice_clicked(self, event: CompletionMenu.ChoiceClicked) -> None:
        if event.index < len(self.completing.choices):
            self._accept(event.index)

    @on(CompletionMenu.Wheeled)
    def _wheeled(self, event: CompletionMenu.Wheeled) -> None:
        if self.completing.is_open:
            self._show(self.completing.stepped(event.step))

    def _accept(self, index: int) -> None:
        query = self.query_input
        choice, completing = self.completing.accepted(index)
        self._show(completing)
        # A blank behind a whole filter: the next letter begins a word of its own.
        blank = " " if choice.whole and choice.end == len(query.value) else ""
        query.replace(choice.text + blank, choice.start, choice.end)
