"""The preview: tabs over one document, and the right to fill the screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from textual import getters
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message

from memtui.model.records import RecordKey
from memtui.model.reviews import Decision
from memtui.tui.actions import bindings_of
from memtui.tui.board import Entry
from memtui.tui.messages import PreviewReady
from memtui.tui.rows import Row
from memtui.tui.state import TAB_LABELS, TABS, Tab
from memtui.tui.styled_lines import Layout
from memtui.tui.vault_board import VaultEntry
from memtui.tui.vault_worker import PreviewWish
from memtui.tui.widgets.document import Document
from memtui.tui.widgets.pane_rule import PaneRule
from memtui.tui.widgets.query_input import QueryInput

_ROOM_FOR_FACTS = 16
"""Rows a preview must have for the facts of a memory to stand one below the other."""
_LEAST_WIDTH = 4


class PreviewText(Document, inherit_bindings=False):
    """The text of the preview, with the keys of the preview pane."""

    BINDINGS = bindings_of("preview")

    def focus_on_click(self) -> bool:
        """Who types into the search box goes on typing: letters must not become commands by a click."""
        return not isinstance(self.screen.focused, QueryInput)


class Preview(Vertical):
    """The selected memory: its text, why it ranks here, its history.

    It says what it wants to show; a worker makes the lines, and only the newest wish is shown.
    """

    @dataclass
    class Wanted(Message):
        """Lines should be made."""

        wish: PreviewWish

    rule = getters.query_one(PaneRule)
    document = getters.query_one(PreviewText)

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._asked = 0
        self._wish: PreviewWish | None = None
        self._wanted: tuple[object, ...] = ()
        """What tells the text of one wish from that of another."""
        self._shown: tuple[object, ...] = ()

    def compose(self) -> ComposeResult:
        """A rule with the tabs, and the document below it."""
        yield PaneRule([TAB_LABELS[tab] for tab in TABS["search"]], id="preview-rule")
        yield PreviewText(id="preview-text")

    def present(
        self, row: Row | None, query: str, tab: Tab, tabs: Sequence[Tab], *, whole: bool, afresh: bool = True
    ) -> None:
        """Ask for a row's lines under one of the tabs; show nothing where there is no row, and the tab needs one.

        Without `afresh` nothing is asked where the lines would be the same: why a row ranks where it does is
        another matter after each answer, its text is not.
        """
        wanted = (row and (row.key, row.record.seq, row.record.state, row.hit is None), query, tab, whole)
        wish = PreviewWish(0, row, query, tab, whole=whole) if row is not None or tab == "diff" else None
        self._want(wanted, wish, tab, tabs, afresh=afresh or tab == "why")

    def present_proposal(
        self,
        entry: Entry | None,
        decision: Decision | None,
        key: RecordKey | None,
        tab: Tab,
        tabs: Sequence[Tab],
        *,
        whole: bool,
        afresh: bool = True,
    ) -> None:
        """Ask for the panel of a proposal, or for a memory of it under one of the other tabs."""
        wish = PreviewWish(0, None, "", tab, whole=whole, entry=entry, decision=decision, key=key)
        wanted = (entry, decision, key, tab, whole)
        self._want(wanted, None if entry is None else wish, tab, tabs, afresh=afresh)

    def present_details(self, inspected: VaultEntry | None, answering: str, *, afresh: bool = True) -> None:
        """Ask for what an entry of the Vault is about."""
        wish = PreviewWish(0, None, "", "details", whole=True, inspected=inspected, answering=answering)
        wanted = (inspected, answering)
        self._want(wanted, None if inspected is None else wish, "details", TABS["vault"], afresh=afresh)

    def _want(
        self, wanted: tuple[object, ...], wish: PreviewWish | None, tab: Tab, tabs: Sequence[Tab], *, afresh: bool
    ) -> None:
        """Ask for lines, or (None) show nothing; without `afresh` only if others than the last time are wanted."""
        if not afresh and wanted == self._wanted:
            return
        self._asked += 1
        self._wanted = wanted
        self.rule.labels = tuple(TAB_LABELS[each] for each in tabs)
        self.rule.chosen = tabs.index(tab)
        if wish is None:
            self._show_nothing()
        elif self.document.size.width >= _LEAST_WIDTH:
            brief = self.document.size.height < _ROOM_FOR_FACTS
            self._wish = replace(wish, sequence=self._asked, brief=brief, width=self.document.text_width)
            self.post_message(self.Wanted(self._wish))

    @property
    def shown_proposal(self) -> str | None:
        """The id of the proposal whose lines are shown."""
        wish = self._wish
        return None if wish is None or wish.entry is None or not self._shown else str(self._shown[-2])

    def _show_nothing(self) -> None:
        self._wish, self._shown = None, ()
        self.rule.note = ""
        self.document.show_layout(Layout())

    def take(self, ready: PreviewReady) -> None:
        """Show the lines that were made, if nothing else was wanted meanwhile."""
        wish = self._wish
        if wish is None or ready.sequence != self._asked:
            return
        subject = (
            wish.row and wish.row.key,
            wish.inspected and wish.inspected.id,
            wish.entry and wish.entry.id,
            wish.key,
        )
        identity = (wish.query, wish.tab, wish.whole, *subject)
        # The crosshair of a map is what moves: it is to be seen.
        keep_place, self._shown = identity == self._shown and wish.tab != "map", identity
        self.rule.note = ready.note
        self.document.show_layout(ready.layout, ready.focus_line, keep_place=keep_place)
