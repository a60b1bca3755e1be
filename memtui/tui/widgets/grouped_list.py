"""Lines in groups, each group below its heading: one of the others is selected, and only those in view are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from memtui.tui.display import fit, width_of
from memtui.tui.widgets.query_input import QueryInput

_MOST_KEPT = 1_000
"""Drawn lines that are kept."""


class GroupedLine(Protocol):
    """A line of a list."""

    @property
    def id(self) -> str | None:
        """What it is known by while the list changes; None for a heading."""
        ...


class GroupedList(ScrollView, can_focus=True, inherit_bindings=False):
    """Lines of which one is selected. What a line looks like its subclasses say, in `drawn` and `heading_drawn`."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"grouped-list--{part}"
        for part in (
            *("title", "muted", "edge", "selected", "heading", "count", "remark", "glyph", "changed", "marked"),
            *("accept", "reject", "defer", "many"),
        )
    }

    @dataclass
    class EntrySelected(Message):
        """Another entry became the selected one."""

        listed: GroupedList
        id: str
        by_person: bool

        @property
        def control(self) -> GroupedList:
            """The list."""
            return self.listed

    @dataclass
    class EntryOpened(Message):
        """An entry was opened with a double click."""

        listed: GroupedList
        id: str

        @property
        def control(self) -> GroupedList:
            """The list."""
            return self.listed

    @dataclass
    class HeadingClicked(Message):
        """The heading of a group was clicked."""

        listed: GroupedList
        line: GroupedLine

        @property
        def control(self) -> GroupedList:
            """The list."""
            return self.listed

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.selected: str | None = None
        """The id of the selected entry."""
        self._touched = False
        """Whether a person has chosen an entry."""
        self._lines: Sequence[GroupedLine] = ()
        self._places: dict[str, int] = {}
        self._order: list[int] = []
        """Lines of the entries, in order."""
        self._said: tuple[str, ...] = ()
        self._painted: dict[tuple[int, bool], Strip] = {}
        self._styles: dict[str, Style] = {}
        self.lines_painted = 0
        """How many lines were ever drawn."""

    # What a line looks like

    def heading_drawn(self, line: GroupedLine) -> list[Segment]:
        """The heading of a group."""
        raise NotImplementedError

    def drawn(self, line: GroupedLine, width: int, weight: Style) -> list[Segment]:
        """An entry, from its second cell on: the first one tells whether it is selected, as the title's `weight`."""
        raise NotImplementedError

    def titled(
        self, before: Sequence[Segment], title: str, right: str, width: int, weight: Style, *, faded: bool = False
    ) -> list[Segment]:
        """An entry of marks, a title that is cut where it must be, and what stands at the end of the line."""
        room = max(width - 3 - sum(segment.cell_length for segment in before) - width_of(right), 4)
        fitting = fit(title, room)
        return [
            *before,
            Segment(fitting.plain + " " * (room - fitting.width), self.style("muted" if faded else "title") + weight),
            Segment(f"  {right}", self.style("muted")),
        ]

    def style(self, part: str) -> Style:
        """The style of a part of a line."""
        style = self._styles.get(part)
        if style is None:
            style = self._styles[part] = self.get_component_rich_style(f"grouped-list--{part}")
        return style

    # What is shown

    @property
    def count(self) -> int:
        """How many entries are shown."""
        return len(self._order)

    @property
    def page(self) -> int:
        """How many lines fit."""
        return max(self.size.height, 1)

    @property
    def place(self) -> int | None:
        """The place of the selected entry among those shown."""
        line = self._places.get(self.selected or "")
        return None if line is None else self._order.index(line)

    def show_lines(self, lines: Sequence[GroupedLine], said: tuple[str, ...] = (), *, unseen: bool = False) -> None:
        """Show other lines, or what is said where there are none.

        The selection stays with its entry, or goes to the one that took its place; while the list is `unseen`, and
        nobody has chosen anything, it is the first.
        """
        before, same = self._places.get(self.selected or ""), len(lines) == len(self._lines)
        self._lines, self._said = lines, said
        self._places = {line.id: at for at, line in enumerate(lines) if line.id is not None}
        self._order = list(self._places.values())
        self._painted.clear()
        self.virtual_size = Size(self.size.width, len(lines))
        if unseen and not self._touched:
            self._select_near(0)
        elif self.selected not in self._places:
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
            self.selected = self._lines[near].id
            self._show_line(near)

    # Choosing

    def select_place(self, place: int, *, by_person: bool) -> None:
        """Select an entry by its place, as near as there is one."""
        if not self._order:
            return
        id_ = self._lines[self._order[max(0, min(place, len(self._order) - 1))]].id
        assert id_ is not None, "headings are left out of the order"  # noqa: S101
        self.select(id_, by_person=by_person)

    def select(self, id_: str, *, by_person: bool) -> None:
        """Select an entry that is shown."""
        line = self._places.get(id_)
        if line is None:
            return
        self._touched = self._touched or by_person
        changed, self.selected = id_ != self.selected, id_
        self._show_line(line)
        self.refresh()
        if changed or by_person:
            self.post_message(self.EntrySelected(self, id_, by_person))

    def _show_line(self, line: int) -> None:
        if not self.size.height:
            return
        y, most = self.scroll_offset.y, self.page
        first = line - 1 if line and self._lines[line - 1].id is None else line
        if first < y:
            self.scroll_to(y=first, animate=False)
        elif line >= y + most:
            self.scroll_to(y=line - most + 1, animate=False)

    def focus_on_click(self) -> bool:
        """Who types into the search box goes on typing: letters must not become commands by a click."""
        return not isinstance(self.screen.focused, QueryInput)

    def on_click(self, event: events.Click) -> None:
        """A click selects, a double click opens; on a heading it is for the screen to say what it means."""
        at = self.scroll_offset.y + event.y
        if at >= len(self._lines):
            return
        line = self._lines[at]
        if line.id is None:
            self.post_message(self.HeadingClicked(self, line))
            return
        self.select(line.id, by_person=True)
        if event.chain == 2:
            self.post_message(self.EntryOpened(self, line.id))

    # Drawing

    def on_resize(self) -> None:
        """Another width: everything is drawn anew."""
        self._painted.clear()
        self.virtual_size = Size(self.size.width, len(self._lines))
        line = self._places.get(self.selected or "")
        if line is not None:
            self._show_line(line)

    def notify_style_update(self) -> None:
        """Another theme or focus: resolve the styles anew."""
        super().notify_style_update()
        self._styles.clear()
        self._painted.clear()

    def render_line(self, y: int) -> Strip:
        """One line of the visible part."""
        width = self.scrollable_content_region.width
        at = self.scroll_offset.y + y
        if at >= len(self._lines):
            return Strip.blank(width, self.rich_style) if self._lines else self._remark(y, width)
        line = self._lines[at]
        selected = line.id is not None and line.id == self.selected
        strip = self._painted.get((at, selected))
        if strip is None:
            self.lines_painted += 1
            if len(self._painted) > _MOST_KEPT:
                self._painted.clear()
            drawn = self.heading_drawn(line) if line.id is None else self._entry(line, width, selected)
            strip = self._painted[at, selected] = Strip(drawn).adjust_cell_length(width, self.rich_style)
        return strip

    def _remark(self, y: int, width: int) -> Strip:
        said = self._said[y] if y < len(self._said) else ""
        text = Segment(f"   {fit(said, max(width - 4, 0)).plain}", self.style("remark"))
        return Strip([text]).adjust_cell_length(width, self.rich_style)

    def _entry(self, line: GroupedLine, width: int, selected: bool) -> list[Segment]:
        edge = Segment("▌" if selected else " ", self.style("edge"))
        drawn = self.drawn(line, width, Style(bold=True) if selected else Style())
        strip = Strip([edge, *drawn]).adjust_cell_length(width)
        if not selected:
            return list(strip)
        ground = Style(bgcolor=self.style("selected").bgcolor)
        return [Segment(segment.text, (segment.style or Style()) + ground) for segment in strip]
