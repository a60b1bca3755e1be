"""Help for the pane that has the focus: what it is for, and every key that works in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen

from memtui.text.query_filters import FIELDS
from memtui.tui import time_notes
from memtui.tui.actions import Pane, grouped, help_bindings, keys_of, keys_shown
from memtui.tui.display import width_of
from memtui.tui.styled_lines import StyledLine, assemble
from memtui.tui.widgets.document import Document
from memtui.tui.widgets.pane_rule import PaneRule
from memtui.tui.widgets.result_row import KIND_GLYPHS

_KEY_WIDTH = 18
_BLANK = StyledLine("")

TITLES: Mapping[Pane, str] = {
    "input": "Search box",
    "menu": "Completing",
    "list": "Results",
    "preview": "Preview",
    "slider": "Time slider",
    "review": "Proposals",
    "vault": "Vault",
    "help": "Help",
}
PROSE: Mapping[Pane, str] = {
    "input": (
        "Type, and the results follow each key. A word still being typed matches by its beginning. Arrow keys and "
        "enter act on the results without leaving the box; tab goes into the list, where single letters are commands. "
        "The values of a filter are offered as soon as it is begun, the filters themselves on ctrl+space."
    ),
    "menu": "What the word at the cursor may become.",
    "list": (
        "One memory in two lines: its kind, title and age, and below them the line that matched, with area and name. "
        "Forgetting takes a memory out of force; nothing is ever deleted, and u takes it back. "
        "The line under the search box counts the rows by kind, area and tag, and says how they are sorted: a click "
        "on a count lets only these through, and o sorts by something else. "
        "In the Timeline a lane per memory shows when it was true, as it was known at the moment the clocks stand at; "
        "t goes to the moment the selected memory was learned."
    ),
    "preview": (
        "The section that matched, why the memory ranks where it does, and its history. Enter shows the whole text "
        "over the full screen, and escape goes back. Text selected with the mouse is copied with ctrl+c."
    ),
    "slider": (
        "One of the two clocks. The bars show how much happened when, the line where you stand: what is shown is as it "
        "was known, or true, then. Drag the line, click, or turn the wheel; it stops where something happened."
    ),
    "review": (
        "What a look over all memories proposes: claims that cannot both be so, memories that say the same, memories "
        "that have faded, and what cannot be told. Decide with a, x and d; numbers choose who stays. Nothing is "
        "changed before c confirms all decisions in one transaction, and u takes that back too. What you did not "
        "confirm is there again on the next start. What you type into the search box narrows the list."
    ),
    "vault": (
        "How the vault stands: what it holds and how it grew, its store and index, the files that could not be read "
        "as they should, and the journal of reviews, newest first. Enter on a problem opens its file in an editor; "
        "u takes the selected review back, whenever it was confirmed. What you type into the search box narrows "
        "problems and reviews."
    ),
    "help": "This page.",
}
HEADINGS: Mapping[str, str] = {
    "results": "Results",
    "complete": "While completions are shown",
    "list": "Moving",
    "memory": "The selected memory",
    "view": "What is shown",
    "reading": "Reading",
    "time": "Moving through time",
    "clock": "The two clocks",
    "lanes": "Lanes",
    "mode": "Modes",
    "review": "Proposals",
    "search": "Searching",
    "pane": "Panes",
    "help": "Help",
    "vault": "Vault",
    "app": "Program",
    "input": "Editing the query",
}


def help_lines(pane: Pane, answering: str = "") -> Iterable[StyledLine]:
    """The help of a pane as lines, made from the action table; `answering` is what answers searches just now."""
    yield StyledLine(PROSE[pane])
    if answering:
        yield _BLANK
        yield StyledLine(answering, "emphasis")
    keys = keys_of(pane) + (keys_of("menu") if pane == "input" else ())
    for area, actions in grouped(keys).items():
        yield _BLANK
        yield StyledLine(HEADINGS.get(area, area), "heading")
        for action in actions:
            first, *others = _in_column(keys_shown(action))
            yield assemble((first, "accent"), " " * (_KEY_WIDTH - width_of(first)), action.tooltip, hang=_KEY_WIDTH)
            yield from (StyledLine(other, "accent") for other in others)
    if pane == "input":
        yield _BLANK
        yield StyledLine("Filters", "heading")
        for field, what in FIELDS.items():
            yield assemble((f"{field}:".ljust(_KEY_WIDTH), "accent"), f"{what}.", hang=_KEY_WIDTH)
    if pane == "list":
        yield _BLANK
        yield StyledLine("Lanes of the Timeline", "heading")
        others = (("┄", "a gap"), ("▸", "goes on"), ("│", "where true at stands"))
        for sign, said in (*time_notes.SIGNS.values(), *others):
            yield assemble((sign.ljust(_KEY_WIDTH), "accent"), said)
        yield _BLANK
        yield StyledLine("Kinds", "heading")
        for kind, glyph in KIND_GLYPHS.items():
            yield assemble((glyph.ljust(_KEY_WIDTH), "accent"), kind)


def _in_column(keys: Iterable[str]) -> list[str]:
    """Keys in as many lines as their column takes."""
    lines = [""]
    for key in keys:
        longer = f"{lines[-1]}  {key}" if lines[-1] else key
        if width_of(longer) < _KEY_WIDTH:
            lines[-1] = longer
        else:
            lines.append(key)
    return lines


class HelpText(Document, inherit_bindings=False):
    """The scrolling part of the help; it has the focus and all the keys."""

    BINDINGS = help_bindings()


class HelpScreen(ModalScreen[None], inherit_bindings=False):
    """Lies over the screen it explains; escape, q, ? or F1 closes it."""

    AUTO_FOCUS = "HelpText"

    def __init__(self, pane: Pane, answering: str = "") -> None:
        super().__init__()
        self._pane: Pane = pane
        self._answering = answering

    def compose(self) -> ComposeResult:
        """A framed page."""
        with Vertical(id="help-page"):
            rule = PaneRule([f"Help: {TITLES[self._pane]}"], id="help-rule")
            rule.note = "esc closes"
            rule.add_class("-focused")
            yield rule
            yield HelpText(id="help-text")

    def on_document_width_changed(self, event: Document.WidthChanged) -> None:
        """Wrap the page to its width."""
        event.document.show_lines(list(help_lines(self._pane, self._answering)))
