"""What an action is: a row of the table that feeds key bindings, footer, help and command palette."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from textual.binding import Binding

Pane = Literal["input", "menu", "list", "preview", "slider", "review", "vault", "help"]
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
    "inspected",
    "problem",
    "standing-review",
    "ranked",
    "memory",
]
"""What must be there for an action to make sense: `live` and `gone` speak of the selected memory, `timeline` of the
screen that is shown, `past` of where its clocks stand, `proposal`, `decided` and `review-undo` of the Review mode,
`inspected`, `problem` and `standing-review` of what is selected in the Vault mode, `ranked` and `memory` of modes in
which memories are ranked, or shown at all."""

PANES: Final[frozenset[Pane]] = frozenset(("input", "list", "preview", "slider", "review", "vault"))
EVERYWHERE: Final[frozenset[Pane]] = PANES | frozenset[Pane](("help",))
BESIDE: Final[frozenset[Pane]] = frozenset(("list", "preview", "slider"))
"""Everywhere where memories are shown and no text is typed."""
COMMANDS: Final[frozenset[Pane]] = PANES - {"input"}
"""Everywhere but where text is typed."""
REVIEW: Final[frozenset[Pane]] = frozenset(("review",))
VAULT: Final[frozenset[Pane]] = frozenset(("vault",))
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


def moving(area: str, panes: frozenset[Pane], what: str) -> tuple[Action, ...]:
    """How one moves in a list of some things; keys and commands are the same in all of them."""

    def move(name: str, keys: str, command: str, label: str, tooltip: str) -> Action:
        return Action(f"{area}.{name}", keys, f"screen.{command}", label, tooltip, panes)

    return (
        move("next", "j,down", "move(1)", "Next", f"Select the next {what}."),
        move("previous", "k,up", "move(-1)", "Previous", f"Select the {what} before."),
        move("half-down", "ctrl+d", "move_page(0.5)", "Half page down", "Go half a page down."),
        move("half-up", "ctrl+u", "move_page(-0.5)", "Half page up", "Go half a page up."),
        move("page-down", "pagedown", "move_page(1)", "Page down", "Go one page down."),
        move("page-up", "pageup", "move_page(-1)", "Page up", "Go one page up."),
        move("first", "g,home", "move_to('first')", "First", f"Go to the first {what}."),
        move("last", "G,end", "move_to('last')", "Last", f"Go to the last {what}."),
    )
