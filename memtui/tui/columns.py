"""Texts side by side: styled lines laid out in columns of a fixed width, whatever their characters take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from unicodedata import category

from memtui.tui.display import width_of
from memtui.tui.styled_lines import LookSpan, StyledLine, VisualRow, lay_out

GAP = 3
"""Cells between two columns."""


def side_by_side(columns: Sequence[Sequence[StyledLine]], width: int) -> list[StyledLine]:
    """The columns beside each other, each in an equal share of `width` cells; what is wider is wrapped within it."""
    each = max((width - GAP * (len(columns) - 1)) // len(columns), 1)
    wrapped = [list(_rows(lines, each)) for lines in columns]
    return [_joined(row, each) for row in zip_longest(*wrapped)]


def _rows(lines: Sequence[StyledLine], width: int) -> Iterator[StyledLine]:
    for row in lay_out(lines, width).rows:
        yield _row(lines[row.line], row)


def _row(line: StyledLine, row: VisualRow) -> StyledLine:
    """One visual row as a line of its own."""
    # Blanks at the end may hang over the column's edge, and would push the next column.
    text = _without_blank_end(" " * row.indent + line.text[row.start : row.end])
    moved = row.indent - row.start
    spans = [
        LookSpan(max(span.start, row.start) + moved, min(span.end + moved, row.end + moved, len(text)), span.look)
        for span in line.spans
        if span.start < row.end and span.end > row.start
    ]
    return StyledLine(text, line.base, tuple(spans))


def _without_blank_end(text: str) -> str:
    """Without the blanks at its end, also those behind which only signs stand that nobody sees."""
    end = len(text)
    while end and (text[end - 1].isspace() or (category(text[end - 1]) == "Cf" and not width_of(text[end - 1]))):
        end -= 1
    return text[:end]


def _joined(row: Sequence[StyledLine | None], width: int) -> StyledLine:
    text, spans = "", list[LookSpan]()
    for place, line in enumerate(row):
        if place:
            text += " " * GAP
        if line is not None:
            at = len(text)
            text += line.text
            if line.base != "text":
                spans.append(LookSpan(at, len(text), line.base))
            spans += [LookSpan(span.start + at, span.end + at, span.look) for span in line.spans]
            if place < len(row) - 1:
                text += " " * max(width - width_of(line.text), 0)
        elif place < len(row) - 1:
            text += " " * width
    return StyledLine(text, spans=tuple(spans))
