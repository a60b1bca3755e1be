"""The part of a text around a line, counted in lines."""

from __future__ import annotations

from memtui.text.markdown import section_at


def section_around(text: str, line: int) -> tuple[int, int]:
    """First and one-past-last line (from 0) of the markdown section that holds the line with that index."""
    start, end = section_at(text, line + 1)
    first = text.count("\n", 0, start)
    return first, first + text.count("\n", start, end) + (not text[start:end].endswith("\n"))
