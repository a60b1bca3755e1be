"""A text to read: styled lines of any number, wrapped, of which only the visible rows are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip

from memtui.tui.display import clusters
from memtui.tui.styled_lines import LOOKS, Layout, Look, StyledLine, VisualRow, lay_out


class Document(ScrollView, can_focus=True, inherit_bindings=False):
    """Shows a layout. Text selected with the mouse is the text itself, without wraps."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"document--{look}" for look in LOOKS} | {"document--selection"}

    @dataclass
    class WidthChanged(Message):
        """The document is another number of cells wide."""

        document: Document
        width: int

        @property
        def control(self) -> Document:
            """The document itself."""
            return self.document

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._layout_shown = Layout()
        self._styles: dict[tuple[Look, bool], Style] = {}
        self._drawn: dict[int, Strip] = {}

    @property
    def allow_select(self) -> bool:
        """Text can be selected although the widget scrolls by itself."""
        return True

    @property
    def text_width(self) -> int:
        """Cells a line may take, with room left for the scroll bar whether it shows or not."""
        return max(self.container_size.width - self.styles.scrollbar_size_vertical - 1, 1)

    @property
    def shown(self) -> Layout:
        """What is shown."""
        return self._layout_shown

    def show_lines(self, lines: Sequence[StyledLine]) -> None:
        """Wrap some lines here and show them from the top."""
        self.show_layout(lay_out(lines, self.text_width))

    def show_layout(self, layout: Layout, line: int | None = None, *, keep_place: bool = False) -> None:
        """Show a layout from its top or, where it would not be seen, from a logical line; or where the old one was."""
        first = self.first_line if keep_place and self.scroll_offset.y else None
        self._layout_shown = layout
        self._drawn.clear()
        self.virtual_size = Size(self.text_width, len(layout.rows))
        if keep_place:
            y = 0 if first is None else layout.row_of(first)
        else:
            row = 0 if line is None else layout.row_of(line)
            y = 0 if row < self.size.height - 1 else row - self.size.height // 3
        self.scroll_to(y=y, animate=False)
        self.refresh()

    def on_resize(self) -> None:
        """Another width: what is shown must be wrapped anew by whoever made it."""
        if self.text_width != self._layout_shown.width:
            self.post_message(self.WidthChanged(self, self.text_width))

    @property
    def first_line(self) -> int:
        """The logical line at the top."""
        rows = self._layout_shown.rows
        return rows[min(self.scroll_offset.y, len(rows) - 1)].line if rows else 0

    def action_half_down(self) -> None:
        """Scroll half a page down."""
        self.scroll_relative(y=max(self.size.height // 2, 1), animate=False)

    def action_half_up(self) -> None:
        """Scroll half a page up."""
        self.scroll_relative(y=-max(self.size.height // 2, 1), animate=False)

    # Drawing

    def notify_style_update(self) -> None:
        """Another theme: resolve the styles anew."""
        super().notify_style_update()
        self._styles.clear()
        self._drawn.clear()

    def selection_updated(self, selection: Selection | None) -> None:
        """The person selects text with the mouse."""
        self._drawn.clear()
        self.refresh()

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The selected text as it stands in the logical lines."""
        return selection.extract(self._layout_shown.plain), "\n"

    def render_line(self, y: int) -> Strip:
        """One row of the visible part."""
        width = self.scrollable_content_region.width
        index = self.scroll_offset.y + y
        rows = self._layout_shown.rows
        if index >= len(rows):
            return Strip.blank(width, self.rich_style)
        strip = self._drawn.get(index)
        if strip is None:
            if len(self._drawn) > 2_000:
                self._drawn.clear()
            strip = self._drawn[index] = self._draw(rows[index])
        return strip.crop_extend(0, width, self._row_ground(rows[index]))

    def _row_ground(self, row: VisualRow) -> Style:
        return self._style(self._layout_shown.lines[row.line].base)

    def _draw(self, row: VisualRow) -> Strip:
        line = self._layout_shown.lines[row.line]
        looks = self._looks(line, row)
        ground = self._style(line.base)
        segments = [Segment(" " * row.indent, ground + _offset(row.start, row.line))] if row.indent else []
        selected = self._selected_span(row.line, len(line.text))
        run: list[str] = []
        run_key: tuple[Look, bool] | None = None
        run_start = row.start
        for cluster in clusters(line.text[row.start : row.end]):
            at = row.start + cluster.start
            key = (looks[cluster.start], bool(selected and selected[0] <= at < selected[1]))
            if key != run_key:
                if run_key:
                    segments.append(self._segment(run, ground, run_key, run_start, row.line))
                run, run_key, run_start = [], key, at
            run.append(cluster.shown)
        if run_key:
            segments.append(self._segment(run, ground, run_key, run_start, row.line))
        return Strip(segments)

    def _segment(self, run: list[str], ground: Style, key: tuple[Look, bool], start: int, line: int) -> Segment:
        look, selected = key
        style = ground + self._style(look, partial=True)
        if selected:
            style += self.screen.get_component_rich_style("screen--selection", partial=True)
        return Segment("".join(run), style + _offset(start, line))

    def _looks(self, line: StyledLine, row: VisualRow) -> list[Look]:
        looks: list[Look] = [line.base] * (row.end - row.start)
        for span in line.spans:
            start, end = max(span.start, row.start) - row.start, min(span.end, row.end) - row.start
            for index in range(start, end):
                looks[index] = span.look
        return looks

    def _selected_span(self, line: int, length: int) -> tuple[int, int] | None:
        selection = self.text_selection
        span = None if selection is None else selection.get_span(line)
        if span is None:
            return None
        start, end = span
        return start, length if end == -1 else end

    def _style(self, look: Look, *, partial: bool = False) -> Style:
        style = self._styles.get((look, partial))
        if style is None:
            style = self.get_component_rich_style(f"document--{look}", partial=partial)
            self._styles[look, partial] = style
        return style


def _offset(x: int, y: int) -> Style:
    # Textual reads where the mouse points to from this.
    return Style.from_meta({"offset": (x, y)})
