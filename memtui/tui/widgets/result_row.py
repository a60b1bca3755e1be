"""How one result looks: two lines of strips, made of plain segments and never of markup.

Line 1: kind glyph, title with the matched words, badges, age. Line 2: the best line of the snippet
with the matched words, area and name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from memtui.model.instants import Instant
from memtui.model.records import State
from memtui.model.results import Snippet
from memtui.text.moments import age
from memtui.tui.display import Fitted, Span, fit, harmless, start_to_show, width_of
from memtui.tui.marking import Marker
from memtui.tui.rows import Row

KIND_GLYPHS: Mapping[str, str] = {
    "engram": "●",
    "research": "◎",
    "evidence": "◈",
    "knowledge": "◆",
    "feature": "▲",
    "task": "■",
    "memory": "◐",
    "changelog": "△",
    "note": "○",
}
STATE_BADGES: Mapping[State, str] = {"forgotten": "forgotten", "superseded": "superseded", "not_yet": "not yet true"}
_INDENT = 4
_AGE_WIDTH = 4
_BAR_WIDTH = 3
_LEAST_WIDTH_FOR_BAR = 48
_LINE_START = re.compile(r"\s*(?:#{1,6}\s|[-*+]\s|\d{1,3}[.)]\s|>|\||```|~~~)")
_LINE_LEAD = re.compile(r"\s*(?:(?:#{1,6}|[-*+]|\d{1,3}[.)]|>|\|)\s+)*")
"""What markdown puts before a line's words: no use in a list."""
_LONGEST_REST = 400
_SELECTION_EDGE = "▌"


@dataclass(frozen=True, slots=True)
class RowLook:
    """The styles of a row, resolved from the theme once."""

    title: Style
    muted: Style
    match: Style
    badge: Style
    pinned: Style
    edge: Style
    present: Style
    """What a memory has kept of its presence in mind; the rest of the bar is muted."""
    selected: Style
    """The ground of the selected row, laid over the other styles."""
    kinds: Mapping[str, Style]


def paint_row(
    row: Row, passage: Snippet | None, marker: Marker, look: RowLook, width: int, now: Instant, *, selected: bool
) -> tuple[Strip, Strip]:
    """Both lines of a row, exactly `width` cells wide."""
    first, shown_to = _first_line(row, marker, look, width, now, selected)
    second = _second_line(row, passage, marker, look, width, shown_to)
    edge = Segment(_SELECTION_EDGE if selected else " ", look.edge)
    lines = ([edge, *first], [edge, *second])
    if selected:
        lines = tuple([Segment(s.text, (s.style or Style()) + look.selected) for s in line] for line in lines)
    return Strip(lines[0], width), Strip(lines[1], width)


def _first_line(
    row: Row, marker: Marker, look: RowLook, width: int, now: Instant, selected: bool
) -> tuple[list[Segment], int]:
    """The segments, and up to which code point the title is on them."""
    record = row.record
    title = record.title
    right = _badges(row, look)
    if width >= _LEAST_WIDTH_FOR_BAR:
        right += _retention(row.retention, look)
    aged = harmless(age(row.since, now)).rjust(_AGE_WIDTH)
    right.append(Segment(f"  {aged} ", look.muted))
    room = width - _INDENT - sum(width_of(s.text) for s in right)
    fitted = fit(title, room, marker.spans(title[: room * 4]), at_words=True)
    style = look.muted if record.state in ("forgotten", "superseded") else look.title
    if selected:
        style += Style(bold=True)
    glyph = KIND_GLYPHS.get(row.key.kind, "·")
    segments = [Segment(f" {glyph} ", look.kinds.get(row.key.kind, look.muted))]
    segments += _segments(fitted, style, look.match)
    segments.append(Segment(" " * (room - fitted.width), look.title))
    return segments + right, fitted.shown_to


def _retention(retention: float | None, look: RowLook) -> list[Segment]:
    """A bar of half cells: how present a memory is in mind; blank for what does not fade."""
    if retention is None:
        return [Segment(" " * (_BAR_WIDTH + 2), look.muted)]
    # Anything that is left shows, and only what is wholly kept is a whole bar.
    halves = min(max(round(retention * 2 * _BAR_WIDTH), 1), 2 * _BAR_WIDTH)
    kept = "━" * (halves // 2) + "╸" * (halves % 2)
    return [
        Segment("  ", look.muted),
        Segment(kept, look.muted + look.present),
        Segment("─" * (_BAR_WIDTH - len(kept)), look.muted),
    ]


def _badges(row: Row, look: RowLook) -> list[Segment]:
    segments: list[Segment] = []
    badge = STATE_BADGES.get(row.record.state)
    if badge:
        segments.append(Segment(f"  {badge}", look.badge))
    if row.record.overridden:
        segments.append(Segment("  overridden", look.badge))
    if row.record.contradicted:
        segments.append(Segment("  contradicted", look.badge))
    if row.record.content.pinned:
        segments.append(Segment("  pinned", look.pinned))
    return segments


def _second_line(
    row: Row, passage: Snippet | None, marker: Marker, look: RowLook, width: int, shown_to: int
) -> list[Segment]:
    record = row.record
    line, spans = _line_to_show(row, passage)
    if not line or _same(line, record.title):
        # The snippet is the title: what did not fit above goes on below.
        line = record.title[shown_to:].strip()[:_LONGEST_REST] or _first_words(row)
        spans = marker.spans(line)
    if not line:
        return _identity_alone(row, marker, look, width)
    name = _identity(row, with_area=width >= 96)
    named = fit("", 0) if record.title == record.key.name else _named(name, max(width * 3 // 10, 12))
    right = named.width + 3 if named.width else 1
    room = width - _INDENT - right
    fitted = fit(line, room, spans, start=start_to_show(line, spans, room))
    segments = [Segment("   ", look.title), *_segments(fitted, look.muted, look.match)]
    segments.append(Segment(" " * (room - fitted.width), look.muted))
    if named.width:
        segments += [Segment("  ", look.muted), *_segments(named, look.muted, look.match), Segment(" ", look.muted)]
    else:
        segments.append(Segment(" ", look.muted))
    return segments


def _named(name: str, width: int) -> Fitted:
    """A name in little room: the folders before it go first."""
    shown = name
    while width_of(shown) > width and "/" in shown.removeprefix("…/"):
        shown = "…/" + shown.removeprefix("…/").partition("/")[2]
    return fit(shown, width)


def _identity(row: Row, *, with_area: bool) -> str:
    area = row.record.content.area
    return f"{area} · {row.key.name}" if with_area and area else row.key.name


def _identity_alone(row: Row, marker: Marker, look: RowLook, width: int) -> list[Segment]:
    parts = [row.record.content.area, None if row.record.title == row.key.name else row.key.name]
    text = " · ".join(part for part in parts if part) or (row.record.content.path or row.key.kind)
    room = width - _INDENT - 1
    fitted = fit(text, room, marker.spans(text))
    return [
        Segment("   ", look.title),
        *_segments(fitted, look.muted, look.match),
        Segment(" " * (room - fitted.width + 1), look.muted),
    ]


def _first_words(row: Row) -> str:
    """What a record begins with beside its title: the summary, else the first line of its body."""
    content = row.record.content
    for line in ((content.summary or "")[:_LONGEST_REST], *(content.body or "")[: _LONGEST_REST * 4].split("\n")):
        lead = _LINE_LEAD.match(line)
        words = line[lead.end() if lead else 0 :].strip()
        if any(c.isalnum() for c in words) and not _same(words, row.record.title):
            return words
    return ""


def _line_to_show(row: Row, passage: Snippet | None) -> tuple[str, tuple[Span, ...]]:
    if passage is None:
        return _first_words(row), ()
    return best_line(passage, row.record.title)


def best_line(passage: Snippet, title: str = "") -> tuple[str, tuple[Span, ...]]:
    """The part of a snippet that says most beside the title, as one line, and the matched spans inside it.

    It begins with the line that has the most matches; a line that only repeats the title is taken when
    there is no other. Lines of the same paragraph follow, since its author may have wrapped it anywhere.
    """
    lines = passage.text.split("\n")
    best: tuple[int, int] | None = None
    best_rank = (False, -1)
    offset = 0
    for index, line in enumerate(lines):
        lead = _LINE_LEAD.match(line)
        start = offset + (lead.end() if lead else 0)
        end = offset + len(line)
        rank = (not _same(line[start - offset :], title), sum(a < end and b > start for a, b in passage.spans))
        if line[start - offset :].strip() and rank > best_rank:
            best, best_rank = (start, index), rank
        offset = end + 1
    if best is None:
        return "", ()
    start, index = best
    end = sum(len(line) + 1 for line in lines[: index + 1]) - 1
    for line in lines[index + 1 :]:
        if not line.strip() or _LINE_START.match(line):
            break
        end += 1 + len(line)
    text = passage.text[start:end].replace("\n", " ").rstrip()
    end = start + len(text)
    return text, tuple((max(a, start) - start, min(b, end) - start) for a, b in passage.spans if a < end and b > start)


def _same(line: str, title: str) -> bool:
    return line.strip().rstrip(".…").casefold() in " ".join(title.split()).casefold()


def _segments(fitted: Fitted, style: Style, match: Style) -> Iterable[Segment]:
    return [Segment(run.shown, style + match if run.marked else style) for run in fitted.runs]
