"""The command palette: every action of the table that applies now, named `area: action`, and the themes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.types import IgnoreReturnCallbackType

from memtui.tui.actions import ACTIONS, keys_shown
from memtui.tui.screens.search import SearchScreen
from memtui.tui.state import applies, refusal

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp


class Command(NamedTuple):
    """One entry of the palette."""

    name: str
    run: IgnoreReturnCallbackType
    explanation: str


class Commands(Provider):
    """Finds commands for what is typed into the palette."""

    def _commands(self) -> Iterable[Command]:
        screen = self.screen
        app = cast("MemtuiApp", self.app)
        if isinstance(screen, SearchScreen):
            for action in ACTIONS:
                if not action.palette or not applies(action, screen.state) or refusal(action, screen.state):
                    continue
                name = f"{action.area}: {action.label}"
                explanation = f"{action.tooltip}  {'  '.join(keys_shown(action))}".rstrip()
                yield Command(name, partial(screen.run_command, action.command), explanation)
        for theme in app.theme_names:
            yield Command(f"theme: {theme}", partial(app.choose_theme, theme), "Use this theme.")

    async def discover(self) -> Hits:
        """All of them, before anything is typed."""
        for command in self._commands():
            yield DiscoveryHit(Content(command.name), command.run, command.name, Content(command.explanation).plain)

    async def search(self, query: str) -> Hits:
        """Those whose name matches."""
        matcher = self.matcher(query)
        for command in self._commands():
            score = matcher.match(command.name)
            if score > 0:
                yield Hit(score, matcher.highlight(command.name), command.run, command.name, command.explanation)
