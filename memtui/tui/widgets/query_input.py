"""The search box: every printable key types, and what is pasted becomes one harmless line."""

from __future__ import annotations

from typing import cast

from textual import events
from textual.app import App
from textual.widgets import Input

from memtui.tui.actions import bindings_of
from memtui.tui.display import typed

LONGEST_QUERY = 2_000
"""Characters a query may hold; what is pasted beyond them is left out."""


class QueryInput(Input, inherit_bindings=False):
    """The query, with the keys of the one action table."""

    BINDINGS = bindings_of("input")

    def __init__(self, placeholder: str, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(placeholder=placeholder, id=id, select_on_focus=False, max_length=LONGEST_QUERY, compact=True)

    def _on_paste(self, event: events.Paste) -> None:
        """Textual would keep the first line as it is; ours joins the lines and drops control characters."""
        event.stop()
        event.prevent_default()
        self._insert(event.text)

    def action_paste(self) -> None:
        """Paste what was copied inside the program, with the same care."""
        self._insert(self._app().clipboard)

    def _app(self) -> App[object]:
        return cast("App[object]", self.app)  # pyright: ignore[reportUnknownMemberType] - Textual leaves it open

    def _insert(self, text: str) -> None:
        start, end = sorted(self.selection)
        room = LONGEST_QUERY - len(self.value) + (end - start)
        self.replace(typed(text[: LONGEST_QUERY * 4])[:room], start, end)
