"""The result list: any number of two-line rows, of which only the visible ones are ever drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from memtui.clock import Clock, system_clock
from memtui.model.records import KINDS
from memtui.model.results import Snippet
from memtui.tui.actions import bindings_of
from memtui.tui.display import fit, harmless
from memtui.tui.rows import Answer, Row, Section
from memtui.tui.styled_lines import StyledLine, lay_out
from memtui.tui.widgets.query_input import QueryInput
from memtui.tui.widgets.result_row import RowLook, paint_row

ROW_HEIGHT = 2
_LEAD = "── "
_EMPTY = Answer(query="", rows=(), total=0)


def _told_apart(row: Row) -> tuple[object, ...]:
    return row.key, row.record.seq, row.record.state, row.order


class ResultList(ScrollView, can_focus=True, inherit_bindings=False):
    """Rows of an answer, one of them selected; drawn line by line, whatever their number."""

    BINDINGS = bindings_of("list")
    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "result-list--title", "result-list--muted", "result-list--match", "result-list--badge", "result-list--pinned",
        "result-list--edge", "result-list--selected", "result-list--present", "result-list--remark",
        "result-list--heading", "result-list--rule",
        *(f"result-list--{kind}" for kind in KINDS),
    }  # fmt: skip

    @dataclass
    class RowSelected(Message):
        """Another row became the selected one."""

        index: int
        row: Row
        by_person: bool

    @dataclass
    class RowOpened(Message):
        """A row was opened with a double click."""

        index: int
        row: Row

    @dataclass
    class RowsInView(Message):
        """Other rows came into view, `first` to `last` inclusive."""

        first: int
        last: int

        def can_replace(self, message: Message) -> bool:
            """Only where the list stands now matters."""
            return isinstance(message, ResultList.RowsInView)

    def __init__(self, clock: Clock = system_clock, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._clock = clock
        self._now = clock()
        self.answer = _EMPTY
        self.passages: dict[int, Snippet] = {}
        self.selected: int | None = None
        self._said: tuple[str, ...] = ()
        """What stands above the rows; `_notes` is the same in lines that fit."""
        self._notes: tuple[str, ...] = ()
        self._look: RowLook | None = None
        self._painted: dict[tuple[int, bool, int], tuple[Strip, Strip]] = {}
        self.rows_painted = 0
        """How many rows were ever drawn: the count a test holds against their number."""

    # What is shown

    @property
    def rows(self) -> Sequence[Row]:
        """The rows of the answer shown."""
        return self.answer.rows

    @property
    def count(self) -> int:
        """How many rows there are."""
        return len(self.rows)

    @property
    def page(self) -> int:
        """How many whole rows fit."""
        return max((self.size.height - len(self._notes)) // ROW_HEIGHT, 1)

    def show(
        self, answer: Answer, selected: int | None, notes: Sequence[str] = (), *, keep_place: bool = False
    ) -> None:
        """Show an answer. With `keep_place` the selected row stays where it is on the screen.

        An answer that looks like the one before is taken over, and nothing moves or is drawn again.
        """
        before = None if self.selected is None else self._top_of(self.selected)
        in_view = self._is_in_view(self.selected)
        same = self._looks_like(answer, selected, notes)
        self.answer = answer
        self.passages = self.passages | answer.passages if same else dict(answer.passages)
        if same and (keep_place or not self.scroll_offset.y):
            return
        self._said, self._notes = tuple(notes), self._wrapped(notes)
        self._now = self._clock()
        self._painted.clear()
        self.selected = selected
        self._take_room()
        if keep_place and before is not None and selected is not None:
            if self.scroll_offset.y:
                self.scroll_to(y=self.scroll_offset.y + self._top_of(selected) - before, animate=False)
        else:
            self.scroll_to(y=0, animate=False)
        if in_view or not keep_place:
            self._scroll_to_selected()
        if self.scroll_offset.y:
            self.post_message(self.RowsInView(*self.rows_in_view()))
        self.refresh()

    def _take_room(self) -> None:
        self.virtual_size = Size(self.size.width, self._top_of(len(self.rows)))

    @property
    def _headed(self) -> Sequence[Section]:
        """The sections with a heading in the list: that of the first stands above the list."""
        return self.answer.sections[1:]

    def _top_of(self, index: int) -> int:
        """The line on which a row begins, counted from the top of everything."""
        return len(self._notes) + index * ROW_HEIGHT + sum(section.start <= index for section in self._headed)

    def _at(self, line: int) -> tuple[int, int] | Section | None:
        """What stands on a line: (row, line of the row), the section it heads, or a note (None)."""
        if line < len(self._notes):
            return None
        headings = 0
        for section in self._headed:
            top = self._top_of(section.start) - 1
            if line == top:
                return section
            headings += line > top
        return divmod(line - len(self._notes) - headings, ROW_HEIGHT)

    def _row_on(self, line: int) -> int:
        """The row on a line, or the first one below it."""
        found = self._at(line)
        return 0 if found is None else found.start if isinstance(found, Section) else found[0]

    def _wrapped(self, notes: Sequence[str]) -> tuple[str, ...]:
        # The remedy stands at the end of a sentence, so that it must not be cut there.
        layout = lay_out([StyledLine(harmless(note)) for note in notes], max(self.size.width - 6, 20))
        return tuple(layout.lines[row.line].text[row.start : row.end].strip() for row in layout.rows)

    def _looks_like(self, answer: Answer, selected: int | None, notes: Sequence[str]) -> bool:
        """Whether an answer to the same query would be drawn as the one shown is."""
        shown = self.answer
        return (
            answer.query == shown.query != ""
            and (selected, tuple(notes), answer.suggested) == (self.selected, self._said, shown.suggested)
            and len(answer.rows) == len(shown.rows)
            and all(_told_apart(new) == _told_apart(old) for new, old in zip(answer.rows, shown.rows, strict=True))
            and all(self.passages.get(index) == passage for index, passage in answer.passages.items())
        )

    def add_passages(self, passages: Mapping[int, Snippet]) -> None:
        """Snippets came in for some rows."""
        self.passages.update(passages)
        self._forget_painted(passages)
        self.refresh()

    def rows_in_view(self) -> tuple[int, int]:
        """The first and the last visible row."""
        first = self._row_on(self.scroll_offset.y)
        last = self._row_on(self.scroll_offset.y + max(self.size.height, 1) - 1)
        return first, min(max(last, first), max(len(self.rows) - 1, 0))

    # Choosing

    def select(self, index: int, *, by_person: bool) -> None:
        """Select a row, as near to `index` as there is one."""
        if not self.rows:
            return
        index = max(0, min(index, len(self.rows) - 1))
        before, self.selected = self.selected, index
        self._scroll_to_selected()
        self.refresh()
        if index != before or by_person:
            self.post_message(self.RowSelected(index, self.rows[index], by_person))

    def _is_in_view(self, index: int | None) -> bool:
        if index is None:
            return True
        first, last = self.rows_in_view()
        return first <= index <= last

    def _scroll_to_selected(self) -> None:
        if self.selected is None or not self.size.height:
            return
        top = self._top_of(self.selected)
        height = self.size.height
        y = self.scroll_offset.y
        if self.selected == 0:
            y = 0
        elif top < y:
            y = top
        elif top + ROW_HEIGHT > y + height:
            y = top + ROW_HEIGHT - height
        if y != self.scroll_offset.y:
            self.scroll_to(y=y, animate=False)

    def _row_at(self, y: int) -> int | None:
        found = self._at(self.scroll_offset.y + y)
        return found[0] if isinstance(found, tuple) and found[0] < len(self.rows) else None

    def focus_on_click(self) -> bool:
        """Who types into the search box goes on typing: there a click only selects."""
        return not isinstance(self.screen.focused, QueryInput)

    def on_click(self, event: events.Click) -> None:
        """A click selects, a double click opens."""
        index = self._row_at(event.y)
        if index is None:
            return
        self.select(index, by_person=True)
        if event.chain == 2:
            self.post_message(self.RowOpened(index, self.rows[index]))

    # Drawing

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Tell which rows came into view."""
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self.post_message(self.RowsInView(*self.rows_in_view()))

    def on_resize(self) -> None:
        """Rows and what stands above them are drawn to the width of the list, so another width draws them anew."""
        self._painted.clear()
        self._notes = self._wrapped(self._said)
        self._take_room()
        self._scroll_to_selected()
        self.post_message(self.RowsInView(*self.rows_in_view()))

    def notify_style_update(self) -> None:
        """Another theme or focus: resolve the styles anew."""
        super().notify_style_update()
        self._look = None
        self._painted.clear()

    def render_line(self, y: int) -> Strip:
        """One line of the visible part."""
        width = self.scrollable_content_region.width
        line = self.scroll_offset.y + y
        found = self._at(line)
        if found is None:
            return self._note(self._notes[line], width)
        if isinstance(found, Section):
            return self._heading(found.heading, width)
        index, half = found
        if index >= len(self.rows):
            return Strip.blank(width, self.rich_style)
        selected = index == self.selected
        painted = self._painted.get((index, selected, width))
        if painted is None:
            painted = self._painted[index, selected, width] = self._paint(index, width, selected)
        return painted[half]

    def _paint(self, index: int, width: int, selected: bool) -> tuple[Strip, Strip]:
        if len(self._painted) > 1_000:
            self._painted.clear()
        self.rows_painted += 1
        look = self._look = self._look or self._resolve_look()
        passage = self.passages.get(index)
        marker = self.answer.marker(index)
        return paint_row(self.rows[index], passage, marker, look, width, self._now, selected=selected)

    def _note(self, text: str, width: int) -> Strip:
        fitted = fit(text, max(width - 5, 0))
        style = self.get_component_rich_style("result-list--remark")
        return Strip([Segment("    " + fitted.plain + " " * (width - 4 - fitted.width), style)], width)

    def _heading(self, text: str, width: int) -> Strip:
        """As the rule above the list is drawn, so that it reads as one of its kind."""
        fitted = fit(text, max(width - 6, 0))
        label, line = (self.get_component_rich_style(f"result-list--{name}") for name in ("heading", "rule"))
        rest = max(width - 1 - len(_LEAD) - fitted.width - 2, 0)
        return Strip(
            [Segment(f" {_LEAD}", line), Segment(fitted.plain, label), Segment(f" {'─' * rest} ", line)], width
        )

    def _forget_painted(self, indexes: Iterable[int]) -> None:
        gone = set(indexes)
        self._painted = {place: strips for place, strips in self._painted.items() if place[0] not in gone}

    def _resolve_look(self) -> RowLook:
        def style(name: str) -> Style:
            return self.get_component_rich_style(f"result-list--{name}")

        def only_colour(name: str) -> Style:
            resolved = style(name)
            return Style(color=resolved.color, bold=resolved.bold, underline=resolved.underline)

        return RowLook(
            title=style("title"),
            muted=style("muted"),
            match=only_colour("match"),
            badge=style("badge"),
            pinned=style("pinned"),
            edge=style("edge"),
            present=only_colour("present"),
            selected=Style(bgcolor=style("selected").bgcolor),
            kinds={kind: style(kind) for kind in KINDS},
        )
