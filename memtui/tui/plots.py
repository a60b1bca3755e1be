"""Plots of characters: columns that rise from a line, and bars that go to the right."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo

from memtui.tui.time_track import TimeTrack

_RISING = " ▁▂▃▄▅▆▇█"
_GOING = " ▏▎▍▌▋▊▉█"


def column_sign(level: float, row: int, height: int) -> str:
    """What a column of a level in [0, 1] shows in a row of a plot, counted from the lowest, 0."""
    return _RISING[round(min(max(level * height - row, 0.0), 1.0) * 8)]


def column_rows(levels: Sequence[float], height: int) -> list[str]:
    """Columns of levels in [0, 1], as rows from the highest to the lowest. What is not nothing is seen."""
    seen = [max(level, 1 / (8 * height)) if level > 0 else 0.0 for level in levels]
    return ["".join(column_sign(level, row, height) for level in seen) for row in range(height - 1, -1, -1)]


def bar(share: float, width: int) -> str:
    """A bar of a share in [0, 1] of so many cells. What is not nothing is seen."""
    eighths = round(min(max(share, 0.0), 1.0) * width * 8)
    eighths = max(eighths, 1) if share > 0 else 0
    whole, rest = divmod(eighths, 8)
    return "█" * whole + (_GOING[rest] if rest else "")


def dates_below(track: TimeTrack, zone: tzinfo) -> str:
    """The dates that stand below a plot over a stretch of time."""
    text = ""
    for cell, label in track.ticks(zone):
        text = text.ljust(cell) + label
    return text
