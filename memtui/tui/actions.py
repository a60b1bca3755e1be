"""The one table of actions: what feeds key bindings, footer, help and command palette.

A row says what an action is called, which keys run it, where it works and what it needs. Nothing
else in the interface names a key. `docs` and the user's key map go by the id.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from textual.binding import BindingType

from memtui.model.results import Order
from memtui.tui.action import (
    BESIDE,
    COMMANDS,
    EVERYWHERE,
    HELP,
    INPUT,
    LIST,
    MENU,
    NOWHERE,
    PANES,
    PREVIEW,
    REVIEW,
    ROWS,
    VAULT,
    Action,
    Pane,
    moving,
)
from memtui.tui.review_actions import REVIEW_ACTIONS
from memtui.tui.time_actions import CLOCK_ACTIONS, LANE_ACTIONS, MODE_ACTIONS, NOW_ACTION, SLIDER_ACTIONS
from memtui.tui.vault_actions import VAULT_ACTIONS


def _edit(name: str, keys: str, command: str, tooltip: str) -> Action:
    return Action(f"input.{name}", keys, command, name.replace("-", " ").capitalize(), tooltip, INPUT)


def _complete(name: str, keys: str, command: str, label: str, tooltip: str, *, footer: bool = True) -> Action:
    # Before the box and before what lies around it, whose keys these are while there is no menu.
    shown = MENU if footer else NOWHERE
    return Action(f"complete.{name}", keys, f"screen.{command}", label, tooltip, MENU, footer=shown, priority=True)


SORTING: Final[Mapping[Order, str]] = {
    "relevance": "The best answer first; where nothing is asked for by words, what was recorded last.",
    "recorded": "What was recorded last first.",
    "true-since": "What became true last first.",
    "retention": "What is most present in mind first; what does not fade comes last.",
}
"""What each order puts first."""

ACTIONS: Final[tuple[Action, ...]] = (
    # The completion menu, while it is open.
    _complete("accept", "tab", "complete_accept('tab')", "Complete", "Put the chosen completion into the query."),
    _complete(
        "accept-at-end", "right", "complete_accept('right')", "Complete",
        "The same, with the cursor at the end.", footer=False,
    ),
    _complete(
        "accept-moved", "enter", "complete_accept('enter')", "Complete",
        "The same, if it was chosen with the arrow keys; else read the selected memory.", footer=False,
    ),
    _complete("next", "down", "complete_move(1)", "Next", "Choose the next completion."),
    _complete("previous", "up", "complete_move(-1)", "Previous", "Choose the completion before."),
    _complete("close", "escape", "complete_close", "Close", "Close the menu, and leave the query as it is."),
    NOW_ACTION,
    *SLIDER_ACTIONS,
    # Results, from wherever the focus is.
    Action(
        "results.next", "down", "screen.move(1)", "Choose", "Select the next result.", INPUT,
        footer=INPUT,
    ),
    Action("results.previous", "up", "screen.move(-1)", "Previous", "Select the previous result.", INPUT),
    Action("results.page-down", "pagedown", "screen.move_page(1)", "Page down", "Go one page down.", INPUT),
    Action("results.page-up", "pageup", "screen.move_page(-1)", "Page up", "Go one page up.", INPUT),
    *moving("list", LIST, "memory"),
    Action(
        "list.sort", "o", "screen.sort_next", "Sort",
        "Sort by relevance, recorded, true since or retention, one after the other: all hits, not only those shown. "
        "The lanes of all memories: by first known, area, retention or name.",
        ROWS,
    ),
    # The selected memory.
    Action(
        "memory.open", "enter", "screen.open", "Open",
        "Read the whole text of the selected memory.", frozenset(("input", "list")),
        footer=frozenset(("input", "list")), needs="selection", palette=True,
    ),
    Action(
        "memory.forget", "f", "screen.forget", "Forget",
        "Take the selected memory out of force. Nothing is deleted, and u undoes it.", ROWS,
        footer=ROWS, needs="live", writes=True, palette=True,
    ),
    Action(
        "memory.revive", "r", "screen.revive", "Revive",
        "Bring the selected forgotten memory back into force; u undoes it.", ROWS,
        footer=ROWS, needs="gone", writes=True, palette=True,
    ),
    Action(
        "memory.undo", "u", "screen.undo", "Undo",
        "Undo the last forget or revive of this session; press again for the one before.", ROWS,
        footer=LIST, needs="undo", writes=True, palette=True,
    ),
    Action(
        "memory.contradiction", "c", "screen.to_contradiction", "Contradiction",
        "Go to the contradiction that the selected memory is part of.", ROWS,
        footer=LIST, needs="contradicted", palette=True,
    ),
    Action(
        "memory.copy-text", "y", "screen.copy_text_of_memory", "Copy text",
        "Copy the whole text of the selected memory.", ROWS,
        footer=ROWS, needs="selection", palette=True,
    ),
    Action(
        "memory.copy-name", "Y", "screen.copy_name", "Copy name",
        "Copy the name of the selected memory.", ROWS, needs="selection", palette=True,
    ),
    # What is shown.
    Action(
        "view.forgotten", "x", "screen.toggle_forgotten", "Forgotten",
        "Show or hide memories that are out of force.", ROWS, footer=LIST, palette=True,
    ),
    Action(
        "view.text", "1", "screen.show_tab('text')", "Text tab",
        "Show the text in the preview.", BESIDE, needs="memory", palette=True,
    ),
    Action(
        "view.why", "2", "screen.show_tab('why')", "Why tab",
        "Show why the selected memory ranks where it does.", BESIDE, footer=PREVIEW, needs="ranked", palette=True,
    ),
    Action(
        "view.map", "4", "screen.show_tab('map')", "Map tab",
        "Show when the selected memory was true, as it was known at each time.", BESIDE, needs="timeline", palette=True,
    ),
    Action(
        "view.version-before", "less_than_sign", "screen.compare(-1)", "Version before",
        "Compare the believed version with an earlier one.", BESIDE, needs="timeline",
    ),
    Action(
        "view.version-after", "greater_than_sign", "screen.compare(1)", "Version after",
        "Compare the believed version with a later one.", BESIDE, needs="timeline",
    ),
    Action(
        "view.diff", "5", "screen.show_tab('diff')", "Diff tab",
        "Show what was learned, forgotten, changed and revived since mark A.", BESIDE, needs="timeline", palette=True,
    ),
    Action(
        "view.proposal", "6", "screen.show_tab('proposal')", "Proposal tab",
        "Show what is proposed about these memories.", PREVIEW, footer=PREVIEW, needs="proposal",
    ),
    Action(
        "view.history", "3", "screen.show_tab('history')", "History tab",
        "Show every version of the selected memory.", BESIDE, footer=PREVIEW, needs="memory", palette=True,
    ),
    Action("view.next-tab", "right", "screen.step_tab(1)", "Next tab", "Show the next tab.", PREVIEW),
    Action("view.previous-tab", "left", "screen.step_tab(-1)", "Previous tab", "Show the tab before.", PREVIEW),
    Action(
        "view.whole", "enter", "screen.open", "Whole text",
        "Read the whole text, or go back to the matching section.", PREVIEW,
        footer=PREVIEW, needs="selection",
    ),
    *(
        Action(
            f"list.sort-{order}", "", f"screen.sort('{order}')", f"Sort by {order.replace('-', ' ')}",
            told, NOWHERE, palette=True,
        )
        for order, told in SORTING.items()
    ),
    *CLOCK_ACTIONS,
    *LANE_ACTIONS,
    *MODE_ACTIONS,
    *REVIEW_ACTIONS,
    *VAULT_ACTIONS,
    # Reading.
    Action("reading.down", "j,down", "scroll_down", "Down", "Scroll one line down.", PREVIEW | HELP),
    Action("reading.up", "k,up", "scroll_up", "Up", "Scroll one line up.", PREVIEW | HELP),
    Action("reading.page-down", "pagedown,space", "page_down", "Page down", "Scroll one page down.", PREVIEW | HELP),
    Action("reading.page-up", "pageup,b", "page_up", "Page up", "Scroll one page up.", PREVIEW | HELP),
    Action("reading.half-down", "ctrl+d", "half_down", "Half page down", "Scroll half a page down.", PREVIEW | HELP),
    Action("reading.half-up", "ctrl+u", "half_up", "Half page up", "Scroll half a page up.", PREVIEW | HELP),
    Action("reading.top", "g,home", "scroll_home", "Top", "Go to the beginning.", PREVIEW | HELP),
    Action("reading.bottom", "G,end", "scroll_end", "Bottom", "Go to the end.", PREVIEW | HELP),
    # Getting about.
    Action(
        "search.focus", "slash", "screen.focus_input", "Search",
        "Go back to the search box.", COMMANDS, footer=ROWS, palette=True, priority=True,
    ),
    Action(
        "search.clear", "ctrl+u", "screen.clear_query", "Clear",
        "Empty the search box.", INPUT, footer=INPUT | MENU, palette=True,
    ),
    Action(
        "pane.next", "tab", "app.focus_next", "Next pane", "Go to the next pane.", PANES,
        footer=INPUT, priority=True,
    ),
    Action(
        "pane.previous", "shift+tab", "app.focus_previous", "Pane before", "Go to the pane before.", PANES,
        priority=True,
    ),
    Action(
        "pane.back", "escape", "screen.step_back", "Back",
        "Close what lies on top, else go back to the search box; there, take the filters out. The words stay.", PANES,
        footer=PREVIEW, priority=True,
    ),
    Action("help.close", "escape,q,question_mark,f1", "screen.dismiss", "Close", "Close the help.", HELP),
    Action(
        "help.keys", "question_mark", "screen.help", "Help",
        "Show every key of the pane that has the focus.", COMMANDS, footer=ROWS | REVIEW | VAULT,
    ),
    Action(
        "help.open", "f1", "screen.help", "Help",
        "Show every key of the pane that has the focus.", PANES, footer=INPUT | MENU, palette=True,
    ),
    Action(
        "vault.sync", "ctrl+r", "screen.sync", "Sync",
        "Read the vault's files again.", PANES, needs="store", palette=True,
    ),
    Action(
        "app.commands", "ctrl+p", "app.command_palette", "Commands",
        "Search every command that applies now, and the themes.", PANES, footer=PANES,
    ),
    Action(
        "app.copy", "ctrl+c,super+c", "screen.copy_text", "Copy selection",
        "Copy the text selected with the mouse.", PANES | HELP,
    ),
    Action(
        "app.quit", "ctrl+q", "app.quit", "Quit",
        "Leave memtui.", EVERYWHERE, footer=INPUT, palette=True, priority=True,
    ),
    # A terminal that knows no more than the control characters sends ctrl+space as ctrl+@.
    Action(
        "search.filters", "ctrl+space,ctrl+@", "screen.offer_completions", "Filters",
        "Offer the filters that can be put into the query, or the values of the one at the cursor.", INPUT,
        footer=INPUT, palette=True,
    ),
    Action(
        "app.how-to-quit", "ctrl+c", "app.tell_how_to_quit", "How to quit",
        "Say how to leave, since ctrl+c copies here.", NOWHERE,
    ),
    # Editing the query, as every text field of a terminal does it.
    _edit("left", "left", "cursor_left", "Move one character left."),
    _edit("right", "right", "cursor_right", "Move one character right."),
    _edit("select-left", "shift+left", "cursor_left(True)", "Select one character to the left."),
    _edit("select-right", "shift+right", "cursor_right(True)", "Select one character to the right."),
    _edit("word-left", "ctrl+left", "cursor_left_word", "Move one word left."),
    _edit("word-right", "ctrl+right", "cursor_right_word", "Move one word right."),
    _edit("select-word-left", "ctrl+shift+left", "cursor_left_word(True)", "Select one word to the left."),
    _edit("select-word-right", "ctrl+shift+right", "cursor_right_word(True)", "Select one word to the right."),
    _edit("start", "home,ctrl+a", "home", "Go to the beginning."),
    _edit("end", "end,ctrl+e", "end", "Go to the end."),
    _edit("select-to-start", "shift+home", "home(True)", "Select to the beginning."),
    _edit("select-to-end", "shift+end", "end(True)", "Select to the end."),
    _edit("select-all", "ctrl+shift+a", "select_all", "Select the whole query."),
    _edit("delete-left", "backspace", "delete_left", "Delete the character to the left."),
    _edit("delete-right", "delete,ctrl+d", "delete_right", "Delete the character to the right."),
    _edit(
        "delete-word-left", "ctrl+w,alt+backspace,ctrl+backspace", "delete_left_word",
        "Delete to the beginning of the word.",
    ),
    _edit("delete-word-right", "ctrl+delete,alt+d", "delete_right_word", "Delete to the next word."),
    _edit("delete-to-end", "ctrl+k", "delete_right_all", "Delete to the end."),
    _edit("cut", "ctrl+x", "cut", "Cut the selected text."),
    _edit("copy", "ctrl+c,super+c", "copy", "Copy the selected text."),
    _edit("paste", "ctrl+v", "paste", "Paste what was last copied here."),
)  # fmt: skip

BY_ID: Final[dict[str, Action]] = {action.id: action for action in ACTIONS}
_ON_APP: Final = frozenset(("app.commands", "app.quit", "app.how-to-quit"))


def bindings_of(pane: Pane) -> list[BindingType]:
    """The bindings a pane declares itself."""
    return [a.binding() for a in ACTIONS if pane in a.panes and not _on_screen(a) and a.id not in _ON_APP]


def screen_bindings() -> list[BindingType]:
    """The bindings that hold in every pane of the search screen, before them those of the completion menu."""
    menu = keys_of("menu")
    return [a.binding() for a in (*menu, *(a for a in ACTIONS if _on_screen(a) and a.id not in _ON_APP))]


def _on_screen(action: Action) -> bool:
    """Whether the screen holds the binding, and says itself when it works (`check_action`)."""
    return action.panes >= PANES or action in (NOW_ACTION, *CLOCK_ACTIONS)


def help_bindings() -> list[BindingType]:
    """The bindings of the help screen."""
    return [a.binding() for a in ACTIONS if "help" in a.panes and a.id not in _ON_APP]


def app_bindings() -> list[BindingType]:
    """The bindings that hold wherever the focus is."""
    return [a.binding() for a in ACTIONS if a.id in _ON_APP]


def footer_of(pane: Pane) -> tuple[Action, ...]:
    """The actions a pane's footer may show, in order."""
    return tuple(action for action in ACTIONS if pane in action.footer)


def keys_of(pane: Pane) -> tuple[Action, ...]:
    """Every action whose key works in a pane."""
    return tuple(action for action in ACTIONS if pane in action.panes)


_NAMES: Final = {
    "up": "↑", "down": "↓", "left": "←", "right": "→", "enter": "enter", "escape": "esc", "slash": "/",
    "question_mark": "?", "plus": "+", "equals_sign": "=", "minus": "-",
    "left_curly_bracket": "{", "right_curly_bracket": "}", "left_square_bracket": "[", "right_square_bracket": "]",
    "less_than_sign": "<", "greater_than_sign": ">", "f2": "F2", "f3": "F3", "f4": "F4", "f5": "F5",
    "pagedown": "pgdn", "pageup": "pgup", "space": "space", "f1": "F1",
}  # fmt: skip


def key_name(key: str, *, short: bool = False) -> str:
    """A key as people write it; `short` says `^p` for `ctrl+p`."""
    *modifiers, letter = key.split("+")
    shown = _NAMES.get(letter, letter)
    if short and modifiers == ["ctrl"]:
        return f"^{shown}"
    return "+".join([*modifiers, shown])


def keys_shown(action: Action) -> tuple[str, ...]:
    """All keys of an action as help writes them; not those that are another one's in other terminals."""
    return tuple(key_name(key) for key in action.key_list if not key.startswith("super+") and key != "ctrl+@")


def grouped(actions: Iterable[Action]) -> dict[str, list[Action]]:
    """Actions by area, in table order."""
    groups: dict[str, list[Action]] = {}
    for action in actions:
        groups.setdefault(action.area, []).append(action)
    return groups


def renamed(action: Action, label: str) -> Action:
    """The action under another label, where the label depends on what is shown."""
    return replace(action, label=label)
