"""What an action is: a row of the table that feeds key bindings, footer, help and command palette."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from textual.binding import Binding

Pane = Literal["input", "menu", "list", "preview", "slider", "review", "help"]
"""Where keys work; `menu` is the search box while what is typed into it can be completed."""
Needs = Literal[
    "nothing",
    "selection",
    "live",
    "gone",
    "undo",
    "store",
    "timeline",
    "past",
    "contradicted",
    "proposal",
    "decided",
    "review-undo",
]
"""What must be there for an action to make sense: `live` and `gone` speak of the selected memory, `timeline` of the
screen that is shown, `past` of where its clocks stand, `proposal`, `decided` and `review-undo` of the Review mode."""

EVERYWHERE: Final[frozenset[Pane]] = frozenset(("input", "list", "preview", "slider", "review", "help"))
PANES: Final[frozenset[Pane]] = frozenset(("input", "list", "preview", "slider", "review"))
BESIDE: Final[frozenset[Pane]] = frozenset(("list", "preview", "slider"))
"""Everywhere where memories are shown and no text is typed."""
COMMANDS: Final[frozenset[Pane]] = frozenset(("list", "preview", "slider", "review"))
"""Everywhere but where text is typed."""
REVIEW: Final[frozenset[Pane]] = frozenset(("review",))
ROWS: Final[frozenset[Pane]] = frozenset(("list", "preview"))
INPUT: Final[frozenset[Pane]] = frozenset(("input",))
MENU: Final[frozenset[Pane]] = frozenset(("menu",))
LIST: Final[frozenset[Pane]] = frozenset(("list",))
PREVIEW: Final[frozenset[Pane]] = frozenset(("preview",))
SLIDER: Final[frozenset[Pane]] = frozenset(("slider",))
HELP: Final[frozenset[Pane]] = frozenset(("help",))
NOWHERE: Final[frozenset[Pane]] = frozenset()


@dataclass(frozen=True, slots=True)
class Action:
    """One thing a person can do."""

    id: str
    keys: str
    """Textual key names, comma-separated; the first one is shown in the footer."""
    command: str
    """The Textual action: `screen.…` and `app.…` run there, a bare name runs on the focused widget."""
    label: str
    tooltip: str
    panes: frozenset[Pane]
    """Where the keys work."""
    footer: frozenset[Pane] = NOWHERE
    needs: Needs = "nothing"
    writes: bool = False
    palette: bool = False
    priority: bool = False
    """Whether the program handles the key before the focused widget sees it. Keys that move the focus
    must be handled so: a letter that follows at once would otherwise still go to the old pane."""

    @property
    def area(self) -> str:
        """The part before the dot: the heading in help, the prefix in the palette."""
        return self.id.partition(".")[0]

    @property
    def key_list(self) -> tuple[str, ...]:
        """The keys one by one."""
        return tuple(key.strip() for key in self.keys.split(",") if key.strip())

    def binding(self) -> Binding:
        """The Textual binding of this action."""
        return Binding(
            self.keys,
            self.command,
            self.label,
            show=bool(self.footer),
            tooltip=self.tooltip,
            id=self.id,
            priority=self.priority,
        )
