"""How a memory's validity looks as a bar on a stretch of world time. Pure: cells in, signs and their looks out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal, NamedTuple

from memtui.model.instants import Instant
from memtui.model.intervals import Interval
from memtui.tui.display import cut, width_of
from memtui.tui.time_track import TimeTrack

BarLook = Literal["true", "contradicted", "later", "gone", "unknown", "blind", "gap", "cursor", "said"]
BAR_LOOKS: Final[tuple[BarLook, ...]] = (
    "true", "contradicted", "later", "gone", "unknown", "blind", "gap", "cursor", "said",
)  # fmt: skip

_LINES: Final[dict[BarLook, tuple[str, str, str]]] = {
    "true": ("━", "╺", "╸"),
    "contradicted": ("━", "╺", "╸"),
    "later": ("╍", "╺", "╸"),
    "gone": ("─", "╶", "╴"),
    "unknown": ("·", "·", "·"),
    "blind": ("░", "░", "░"),
}
"""A whole cell, one whose right half is in force, and one whose left half is."""
_GAP: Final = "┄"
_GOES_ON: Final = "▸"
_CAME_BEFORE: Final = "◂"
_CURSOR: Final = "│"
_CROSSED: Final[dict[BarLook, str]] = {
    "true": "┿",
    "contradicted": "┿",
    "later": "┿",
    "gone": "┼",
    "gap": "┼",
    "unknown": "┊",
    "blind": "▒",
}
_LEAST_NOTE: Final = 2


class BarRun(NamedTuple):
    """Signs in one look, each one cell wide but those of what is `said`."""

    text: str
    look: BarLook | None


@dataclass(frozen=True, slots=True)
class Bar:
    """What is drawn in one lane."""

    intervals: Sequence[Interval]
    look: BarLook
    note: str = ""
    """What is said behind the end, such as the successor's name; of what was never in force, in its place."""


def painted(bar: Bar, track: TimeTrack, cursor: Instant) -> list[BarRun]:
    """A bar on a track with the cursor at a moment: exactly as many cells as the track has."""
    cells = track.cells
    halves = bytearray(2 * cells)
    spans = [span for interval in bar.intervals if (span := _halves(interval, track)) is not None]
    for start, end in spans:
        halves[start:end] = b"\1" * (end - start)
    whole, right, left = _LINES[bar.look]
    signs = {(1, 1): whole, (0, 1): right, (1, 0): left, (0, 0): " "}
    drawn = [signs[pair] for pair in zip(halves[::2], halves[1::2], strict=True)]
    looks: list[BarLook | None] = [None if sign == " " else bar.look for sign in drawn]
    for (_, end), (start, _) in pairwise(spans):
        for cell in range(-(-end // 2), start // 2):
            drawn[cell], looks[cell] = _GAP, "gap"
    if len(looks) > 1 and looks[-2] == looks[-1] == bar.look and bar.intervals[-1].end is None:
        drawn[-1] = _GOES_ON
    if bar.intervals and not spans:  # it lies where nothing is drawn: before the first cell, or behind the last
        cell, sign = (cells - 1, _GOES_ON) if bar.intervals[0].start > track.end else (0, _CAME_BEFORE)
        drawn[cell], looks[cell] = sign, bar.look
    at = track.cell_of(cursor)
    if cells and track.holds(cursor):
        look = looks[at]
        drawn[at] = _CURSOR if look is None else _CROSSED.get(look, _CURSOR)
        looks[at] = "cursor"
    runs = _runs(drawn, looks)
    if not bar.note or not (spans or not bar.intervals):
        return runs
    return _with_note(runs, bar.note, -(-spans[-1][1] // 2) if spans else 0, cells)


def _halves(interval: Interval, track: TimeTrack) -> tuple[int, int] | None:
    """The half cells `[start, end)` that an interval covers, at least one; None where it lies beyond the track."""
    begin, end = interval.start, track.end + 1 if interval.end is None else interval.end
    if begin > track.end or end <= track.start or end <= begin:
        return None
    most = 2 * track.cells
    first = min(max((begin - track.start) * most // track.length, 0), most - 1)
    last = min(-(-(end - track.start) * most // track.length), most)
    return first, max(last, first + 1)


def _runs(drawn: Sequence[str], looks: Sequence[BarLook | None]) -> list[BarRun]:
    runs: list[BarRun] = []
    start = 0
    for cell in range(1, len(drawn) + 1):
        if cell == len(drawn) or looks[cell] != looks[start]:
            runs.append(BarRun("".join(drawn[start:cell]), looks[start]))
            start = cell
    return runs


def _with_note(runs: list[BarRun], note: str, at: int, cells: int) -> list[BarRun]:
    """The runs with a note over what stands from a cell on; without room for it its first sign at the end."""
    if cells - at < _LEAST_NOTE:
        at, note = min(at, cells - 1), note[0]
    room = cells - at
    before: list[BarRun] = []
    left = at
    for run in runs:
        if left <= 0:
            break
        before.append(BarRun(run.text[:left], run.look))
        left -= len(run.text)
    said = cut(note, room)
    after = _from_cell(runs, at + width_of(said))
    return [*before, BarRun(said, "said"), *after]


def _from_cell(runs: Sequence[BarRun], cell: int) -> list[BarRun]:
    kept: list[BarRun] = []
    for run in runs:
        if cell < len(run.text):
            kept.append(BarRun(run.text[max(cell, 0) :], run.look))
        cell -= len(run.text)
    return kept
