"""Lines of text with looks, and how they wrap: what the preview and the help are made of.

A look is a name, never markup; the widget that paints a line turns looks into theme colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from memtui.tui.display import Cluster, clusters, is_simple

Look = Literal[
    "text", "strong", "emphasis", "muted", "syntax", "heading", "code", "inline-code", "link", "quote", "accent",
    "bar", "added", "gone", "mark",
]  # fmt: skip
LOOKS: tuple[Look, ...] = (
    "text", "strong", "emphasis", "muted", "syntax", "heading", "code", "inline-code", "link", "quote", "accent",
    "bar", "added", "gone", "mark",
)  # fmt: skip
LONGEST_LINE = 4_000
"""A longer line is cut into pieces, so that no single line costs more than others."""


class LookSpan(NamedTuple):
    """`[start, end)` of a line in another look; of overlapping spans the later one shows."""

    start: int
    end: int
    look: Look


@dataclass(frozen=True, slots=True)
class StyledLine:
    """One logical line."""

    text: str
    base: Look = "text"
    spans: tuple[LookSpan, ...] = ()
    hang: int = 0
    """Cells by which its continuation is indented when it wraps."""

    def marked(self, spans: Iterable[tuple[int, int]]) -> StyledLine:
        """The line with matched words highlighted on top of everything else."""
        marks = tuple(LookSpan(start, end, "mark") for start, end in spans)
        return replace(self, spans=self.spans + marks) if marks else self


class VisualRow(NamedTuple):
    """One row on the screen: a stretch of a logical line and its indentation in cells."""

    line: int
    start: int
    end: int
    indent: int


@dataclass(frozen=True, slots=True)
class Layout:
    """Lines wrapped to a width."""

    lines: tuple[StyledLine, ...] = ()
    rows: tuple[VisualRow, ...] = ()
    width: int = 0

    def row_of(self, line: int) -> int:
        """The first row of a logical line."""
        for index, row in enumerate(self.rows):
            if row.line >= line:
                return index
        return max(len(self.rows) - 1, 0)

    @property
    def plain(self) -> str:
        """The logical lines as text."""
        return "\n".join(line.text for line in self.lines)


def assemble(*parts: str | tuple[str, Look], base: Look = "text", hang: int = 0) -> StyledLine:
    """A line from pieces, each with a look or in the line's own."""
    text = ""
    spans: list[LookSpan] = []
    for part in parts:
        piece, look = (part, base) if isinstance(part, str) else part
        if look != base and piece:
            spans.append(LookSpan(len(text), len(text) + len(piece), look))
        text += piece
    return StyledLine(text, base, tuple(spans), hang)


def lay_out(lines: Sequence[StyledLine], width: int) -> Layout:
    """The lines wrapped to a width: between words where it can be, within them where it must."""
    width = max(width, 1)
    rows: list[VisualRow] = []
    for index, line in enumerate(lines):
        text = line.text
        if len(text) <= width and is_simple(text):
            rows.append(VisualRow(index, 0, len(text), 0))
            continue
        hang = line.hang if line.hang < width // 2 else 0
        rows.extend(VisualRow(index, *row) for row in _wrapped(clusters(text), len(text), width, hang))
    return Layout(tuple(lines), tuple(rows), width)


def _wrapped(parts: Sequence[Cluster], length: int, width: int, hang: int) -> Iterable[tuple[int, int, int]]:
    first = 0
    indent = 0
    used = 0
    breakable = -1
    at = 0
    while at < len(parts):
        part = parts[at]
        if used + part.width > width - indent and at > first and part.shown != " ":
            following = breakable if breakable > first else at
            yield parts[first].start, parts[following - 1].end, indent
            first = at = following
            # What is as wide as the whole row, such as a tab, takes all of it.
            indent, used, breakable = hang if parts[first].width <= width - hang else 0, 0, -1
            continue
        used += part.width
        at += 1
        if part.shown == " " or part.width == 2 or part.shown == "-":
            breakable = at
    yield (parts[first].start if first < len(parts) else 0), length, indent
