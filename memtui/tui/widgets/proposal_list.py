"""Proposals: a line each, below the heading of their group; only those in view are ever drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from memtui.model.proposals import Contradiction, Expiry, Merge, Proposal
from memtui.tui.actions import bindings_of
from memtui.tui.board import GROUP_LABELS, Board, Entry, GroupName, Heading
from memtui.tui.display import fit, width_of
from memtui.tui.widgets.query_input import QueryInput

_MARKS: Mapping[str, tuple[str, str]] = {
    "accept": ("✓", "accept"),
    "reject": ("✗", "reject"),
    "defer": ("↷", "defer"),
    "many": ("∗", "many"),
}
"""How a decision is shown: a sign, and its look."""
_GLYPHS: Mapping[GroupName, str] = {
    "contradiction": "≠",
    "merge": "≈",
    "expiry": "◌",
    "undecided": "?",
    "suppressed": "⊘",
}
_BEFORE_TITLE = 7


class ProposalList(ScrollView, can_focus=True, inherit_bindings=False):
    """The proposals of a board, one of them selected."""

    BINDINGS = bindings_of("review")
    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"proposal-list--{part}"
        for part in (
            *("title", "muted", "edge", "selected", "heading", "count", "remark", "glyph", "changed", "marked"),
            *(look for _, look in _MARKS.values()),
        )
    }

    @dataclass
    class ProposalSelected(Message):
        """Another proposal became the selected one."""

        id: str
        by_person: bool

    @dataclass
    class ProposalOpened(Message):
        """A proposal was opened with a double click."""

        id: str

    @dataclass
    class GroupClicked(Message):
        """The heading of a group was clicked."""

        group: GroupName

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.board = Board()
        self.selected: str | None = None
        """The id of the selected proposal."""
        self._places: dict[str, int] = {}
        self._order: list[int] = []
        """Lines of the proposals, in order."""
        self._said: tuple[str, ...] = ()
        self._painted: dict[tuple[int, bool], Strip] = {}
        self._styles: dict[str, Style] = {}
        self.lines_painted = 0
        """How many lines were ever drawn."""

    @property
    def count(self) -> int:
        """How many proposals are shown."""
        return len(self._order)

    @property
    def page(self) -> int:
        """How many lines fit."""
        return max(self.size.height, 1)

    @property
    def place(self) -> int | None:
        """The place of the selected proposal among those shown."""
        line = self._places.get(self.selected or "")
        return None if line is None else self._order.index(line)

    def show(self, board: Board, said: tuple[str, ...] = ()) -> None:
        """Show a board; the selection stays with its proposal, or goes to the one that took its place."""
        before, lines_before = self._places.get(self.selected or ""), self.board.lines
        self._said = said
        if board.lines is not lines_before or board is not self.board:
            same = len(board.lines) == len(lines_before)
            self.board = board
            self._places = {line.id: at for at, line in enumerate(board.lines) if isinstance(line, Entry)}
            self._order = list(self._places.values())
            self._painted.clear()
            self.virtual_size = Size(self.size.width, len(board.lines))
            if self.selected not in self._places:
                self._select_near(before or 0)
            elif not same and before is not None:
                # What came in above moves what is looked at, not the eye.
                moved = self._places[self.selected] - before
                if moved:
                    self.scroll_to(y=self.scroll_offset.y + moved, animate=False)
        self.refresh()

    def _select_near(self, line: int) -> None:
        self.selected = None
        near = min(self._order, key=lambda at: (at < line, abs(at - line)), default=None)
        if near is not None:
            entry = self.board.lines[near]
            assert isinstance(entry, Entry), "headings are left out of the order"  # noqa: S101
            self.selected = entry.id
            self._show_line(near)

    # Choosing

    def select_place(self, place: int, *, by_person: bool) -> None:
        """Select a proposal by its place, as near as there is one."""
        if not self._order:
            return
        line = self._order[max(0, min(place, len(self._order) - 1))]
        entry = self.board.lines[line]
        assert isinstance(entry, Entry), "headings are left out of the order"  # noqa: S101
        self.select(entry.id, by_person=by_person)

    def select(self, id_: str, *, by_person: bool) -> None:
        """Select a proposal that is shown."""
        line = self._places.get(id_)
        if line is None:
            return
        changed, self.selected = id_ != self.selected, id_
        self._show_line(line)
        self.refresh()
        if changed or by_person:
            self.post_message(self.ProposalSelected(id_, by_person))

    def _show_line(self, line: int) -> None:
        if not self.size.height:
            return
        y, most = self.scroll_offset.y, self.page
        first = line - 1 if line and isinstance(self.board.lines[line - 1], Heading) else line
        if first < y:
            self.scroll_to(y=first, animate=False)
        elif line >= y + most:
            self.scroll_to(y=line - most + 1, animate=False)

    def focus_on_click(self) -> bool:
        """Who types into the search box goes on typing: letters must not become commands by a click."""
        return not isinstance(self.screen.focused, QueryInput)

    def on_click(self, event: events.Click) -> None:
        """A click selects, a double click opens; on a heading it shows that group alone, or all again."""
        at = self.scroll_offset.y + event.y
        if at >= len(self.board.lines):
            return
        line = self.board.lines[at]
        if isinstance(line, Heading):
            self.post_message(self.GroupClicked(line.group))
            return
        self.select(line.id, by_person=True)
        if event.chain == 2:
            self.post_message(self.ProposalOpened(line.id))

    # Drawing

    def on_resize(self) -> None:
        """Another width: everything is drawn anew."""
        self._painted.clear()
        self.virtual_size = Size(self.size.width, len(self.board.lines))
        line = self._places.get(self.selected or "")
        if line is not None:
            self._show_line(line)

    def notify_style_update(self) -> None:
        """Another theme or focus: resolve the styles anew."""
        super().notify_style_update()
        self._styles.clear()
        self._painted.clear()

    def _style(self, part: str) -> Style:
        style = self._styles.get(part)
        if style is None:
            style = self._styles[part] = self.get_component_rich_style(f"proposal-list--{part}")
        return style

    def render_line(self, y: int) -> Strip:
        """One line of the visible part."""
        width = self.scrollable_content_region.width
        at = self.scroll_offset.y + y
        lines = self.board.lines
        if at >= len(lines):
            return self._remark(y, width) if not lines else Strip.blank(width, self.rich_style)
        line = lines[at]
        selected = isinstance(line, Entry) and line.id == self.selected
        strip = self._painted.get((at, selected))
        if strip is None:
            self.lines_painted += 1
            if len(self._painted) > 1_000:
                self._painted.clear()
            drawn = self._heading(line) if isinstance(line, Heading) else self._entry(line, width, selected)
            strip = self._painted[at, selected] = Strip(drawn).adjust_cell_length(width, self.rich_style)
        return strip

    def _remark(self, y: int, width: int) -> Strip:
        said = self._said[y] if y < len(self._said) else ""
        text = Segment(f"   {fit(said, max(width - 4, 0)).plain}", self._style("remark"))
        return Strip([text]).adjust_cell_length(width, self.rich_style)

    def _heading(self, heading: Heading) -> list[Segment]:
        decided = f" · {heading.decided:,} decided" if heading.decided else ""
        return [
            Segment(f" {GROUP_LABELS[heading.group]}", self._style("heading")),
            Segment(f"  {heading.count:,}{decided}", self._style("count")),
        ]

    def _entry(self, entry: Entry, width: int, selected: bool) -> list[Segment]:
        decision = self.board.decisions.get(entry.id)
        sign, look = _MARKS[decision.verb] if decision is not None else (" ", "muted")
        mark = "●" if entry.id in self.board.marked else " "
        right = _told_short(entry.proposal)
        room = max(width - _BEFORE_TITLE - width_of(right) - 2, 4)
        title = fit(entry.about, room)
        ground = Style(bgcolor=self._style("selected").bgcolor) if selected else Style()
        weight = Style(bold=True) if selected else Style()
        faded = decision is not None or entry.suppressed is not None
        segments = [
            Segment("▌" if selected else " ", self._style("edge")),
            Segment(mark, self._style("marked")),
            Segment(f"{sign} ", self._style(look)),
            Segment(f"{_GLYPHS[entry.group]} ", self._style("changed" if _is_news(entry) else "glyph")),
            Segment(" ", self._style("muted")),
            Segment(title.plain + " " * (room - title.width), self._style("muted" if faded else "title") + weight),
            Segment(f"  {right}", self._style("muted")),
        ]
        return [Segment(s.text, (s.style or Style()) + ground) for s in Strip(segments).adjust_cell_length(width)]


def _is_news(entry: Entry) -> bool:
    """Whether something of it changed since a person last decided."""
    return bool(entry.changed or entry.proposal.returned)


def _told_short(proposal: Proposal) -> str:
    """What of a proposal fits at the end of its line."""
    match proposal:
        case Contradiction():
            return f"{proposal.total} memories"
        case Merge():
            return f"{proposal.total} · {proposal.similarity:.0%}"
        case Expiry():
            return f"{proposal.retention:.0%} left · {proposal.days:,.0f}d"
        case _:
            return f"{proposal.total} memories" if proposal.total != 1 else "1 memory"
