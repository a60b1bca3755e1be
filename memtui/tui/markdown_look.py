"""Markdown as a reader sees it in a good editor: every letter stays, structure shows by its look.

Nothing is removed or replaced, so brackets, stars and links of a memory are shown letter for letter,
and a copy of the screen is a copy of the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from memtui.tui.display import width_of
from memtui.tui.marking import Marker
from memtui.tui.styled_lines import LONGEST_LINE, Look, LookSpan, StyledLine

_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"\s{0,3}(#{1,6})(?:\s|$)")
_RULE = re.compile(r"\s{0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$")
_QUOTE = re.compile(r"\s{0,3}(?:>\s?)+")
_ITEM = re.compile(r"(\s*)([-*+]|\d{1,9}[.)])(\s+)(\[[ xX]\]\s+)?")
_TABLE_EDGE = re.compile(r"\|")
_INLINE = re.compile(
    r"(?P<code>`[^`]{1,400}`)"
    r"|(?P<wiki>!?\[\[[^\[\]]{1,300}\]\])"
    r"|(?P<link>!?\[(?P<label>[^\[\]]{0,300})\]\([^()\s]{1,600}\))"
    r"|(?P<strong>\*\*(?=\S)[^*]{1,600}(?<=\S)\*\*|(?<!\w)__(?=\S)[^_]{1,600}(?<=\S)__(?!\w))"
    r"|(?P<emphasis>(?<![\w*])\*(?=[^\s*])[^*]{1,400}(?<=[^\s*])\*(?![\w*])|(?<!\w)_(?=[^\s_])[^_]{1,400}(?<=[^\s_])_(?!\w))"
    r"|(?P<url>https?://[^\s<>()\[\]]{1,600})"
)
_WRAPPED_AT_LEAST = 60
"""A shorter line ended because its author ended it."""
_TABLE_HANG = 4
_MARKER_LENGTHS = {"strong": 2, "emphasis": 1, "code": 1, "wiki": 2}


def text_lines(text: str) -> list[str]:
    """The lines of a text, without their ends."""
    lines = text.replace("\r\n", "\n").split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return lines


@dataclass(frozen=True, slots=True)
class Styled:
    """Styled lines, and for each the source line (from 0) it begins with."""

    lines: tuple[StyledLine, ...]
    origins: tuple[int, ...]

    def line_of(self, source: int) -> int:
        """The styled line that holds a source line."""
        return max(bisect_right(self.origins, source) - 1, 0)


def styled(lines: Sequence[str], marker: Marker, *, fenced: bool = False) -> Styled:
    """Lines of markdown with their looks and the matched words on top.

    `fenced` says that the lines begin inside a code block. Prose that its author wrapped at some
    column is put together again, so that it wraps at the reader's width; short lines stay lines.
    """
    fence = "```" if fenced else ""
    result: list[StyledLine] = []
    origins: list[int] = []
    for origin, whole, is_code in _paragraphs(lines, fence):
        for line in _pieces(whole):
            shown = _code(line) if is_code else _block(line)
            result.append(shown.marked(marker.spans(line)))
            origins.append(origin)
    return Styled(tuple(result), tuple(origins))


class _Paragraph(NamedTuple):
    origin: int
    text: str
    is_code: bool


def _paragraphs(lines: Sequence[str], fence: str) -> Iterator[_Paragraph]:
    open_one: _Paragraph | None = None
    for index, line in enumerate(lines):
        opening = _FENCE.match(line)
        is_fence = opening is not None and (not fence or _closes(line, fence))
        if open_one and not open_one.is_code and not is_fence and _goes_on(open_one.text, lines[index - 1], line):
            open_one = open_one._replace(text=f"{open_one.text.rstrip()} {line.strip()}")
            continue
        if open_one:
            yield open_one
        open_one = _Paragraph(index, line, is_fence or bool(fence))
        if is_fence and opening:
            fence = "" if fence else opening.group(1)
    if open_one:
        yield open_one


def _goes_on(text: str, before: str, line: str) -> bool:
    """Whether a line continues the paragraph above it: prose wrapped at a column, not a line of its own."""
    if len(before.rstrip()) < _WRAPPED_AT_LEAST or before.endswith(("  ", "\\")) or not line.strip():
        return False
    if any(pattern.match(line) for pattern in (_HEADING, _RULE, _QUOTE, _ITEM)) or line.lstrip().startswith("|"):
        return False
    return not (_HEADING.match(text) or text.lstrip().startswith(("|", "<")))


def _code(line: str) -> StyledLine:
    if _FENCE.match(line):
        return StyledLine(line, "code", (LookSpan(0, len(line), "syntax"),))
    return StyledLine(line, "code", hang=2)


def is_fenced(lines: Sequence[str], line: int) -> bool:
    """Whether the line with that index (from 0) stands inside a code block."""
    fence = ""
    for text in lines[:line]:
        opening = _FENCE.match(text)
        if opening and (not fence or _closes(text, fence)):
            fence = "" if fence else opening.group(1)
    return bool(fence)


def _closes(line: str, fence: str) -> bool:
    stripped = line.strip()
    return stripped.startswith(fence[:3]) and len(stripped) >= len(fence) and not stripped.strip(fence[0])


def _pieces(line: str) -> Iterable[str]:
    if len(line) <= LONGEST_LINE:
        yield line
        return
    for start in range(0, len(line), LONGEST_LINE):
        yield line[start : start + LONGEST_LINE]


def _block(line: str) -> StyledLine:
    heading = _HEADING.match(line)
    if heading:
        return StyledLine(line, "heading", (LookSpan(0, heading.end(1), "syntax"), *_inline(line, heading.end(1))))
    if _RULE.match(line):
        return StyledLine(line, "syntax")
    quote = _QUOTE.match(line)
    if quote:
        spans = (LookSpan(0, quote.end(), "syntax"), *_inline(line, quote.end()))
        return StyledLine(line, "quote", spans, width_of(line[: quote.end()]))
    item = _ITEM.match(line)
    if item:
        spans = (LookSpan(item.start(2), item.end(), "accent"), *_inline(line, item.end()))
        return StyledLine(line, "text", spans, width_of(line[: item.end(3)]))
    if line.lstrip().startswith("|"):
        edges = [LookSpan(m.start(), m.end(), "syntax") for m in _TABLE_EDGE.finditer(line)]
        return StyledLine(line, "text", (*edges, *_inline(line, 0)), _TABLE_HANG)
    indent = len(line) - len(line.lstrip(" "))
    return StyledLine(line, "text", tuple(_inline(line, 0)), min(indent, 12))


def _inline(line: str, start: int) -> list[LookSpan]:
    spans: list[LookSpan] = []
    for match in _INLINE.finditer(line, start):
        kind = match.lastgroup if match.lastgroup != "label" else "link"
        begin, end = match.span()
        if kind == "url":
            spans.append(LookSpan(begin, end, "link"))
        elif match.group("link") is not None:
            spans.append(LookSpan(begin, end, "syntax"))
            spans.append(LookSpan(*match.span("label"), "link"))
        elif kind is not None:
            spans += _delimited(kind, begin, end)
    return spans


def _delimited(kind: str, begin: int, end: int) -> list[LookSpan]:
    looks: dict[str, Look] = {"strong": "strong", "emphasis": "emphasis", "code": "inline-code", "wiki": "link"}
    mark = _MARKER_LENGTHS[kind]
    return [LookSpan(begin, end, "syntax"), LookSpan(begin + mark, end - mark, looks[kind])]
