"""The retention curve of a memory as a plot of characters, from its beginning to where it reaches the floor."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import timezone, tzinfo

from memtui.cognition.decay import retention, spaced
from memtui.cognition.policy import DEFAULT_MEMORY_POLICY
from memtui.model.instants import DAY, Instant
from memtui.tui.plots import column_sign, dates_below
from memtui.tui.styled_lines import Look, LookSpan, StyledLine, assemble
from memtui.tui.time_track import TimeTrack

HEIGHT = 6
_LABEL = 6


def curve_lines(
    *,
    authored: float,
    since: Instant,
    recalls: Sequence[Instant],
    stability: float,
    last: Instant,
    now: Instant,
    floor: float,
    width: int,
    zone: tzinfo | None,
) -> list[StyledLine]:
    """The plot in rows of `width` cells: what was left at each time, the floor as a line, recalls and today below.

    `authored` and `stability` are in days, at first and after the last recall; `since` is when it was recorded or
    revived, `last` its last reinforcement.
    """
    cells = max(width - _LABEL, 8)
    reaches = last + int(-math.log(floor) * stability * DAY)
    start = min([since, *recalls, last])
    # What fades over centuries would leave its past a single cell: as much is shown of what is to come as of what was.
    end = max(now, min(reaches, now + max(now - start, DAY)), start + DAY)
    track = TimeTrack(start, end + (end - start) // 20 + 1, cells)
    at = _Curve(authored, since, recalls, last, stability)
    levels = [at.retention(track.instant_at(cell)) for cell in range(cells)]
    for moment in at.full:  # a peak is narrower than a cell
        levels[track.cell_of(moment)] = 1.0
    today = track.cell_of(now)
    floor_row = min(int(floor * HEIGHT), HEIGHT - 1)
    lines = [_row(row, levels, today, row == floor_row, floor) for row in range(HEIGHT - 1, -1, -1)]
    marks = [" "] * cells
    for recall in recalls:
        marks[track.cell_of(recall)] = "▴"
    marks[today] = "┴" if marks[today] == " " else marks[today]
    lines.append(assemble((" " * _LABEL, "muted"), ("".join(marks).rstrip(), "accent")))
    lines.append(assemble((" " * _LABEL + dates_below(track, zone or timezone.utc), "muted")))
    return lines


class _Curve:
    """What was left of a memory at any time."""

    def __init__(
        self, authored: float, since: Instant, recalls: Sequence[Instant], last: Instant, stability: float
    ) -> None:
        self._steps: list[tuple[Instant, float]] = []
        lasting, before, counted = authored, since, None
        recalled = set(recalls)
        for moment in sorted({since, *recalled}):
            if moment in recalled and (counted is None or moment - counted > DEFAULT_MEMORY_POLICY.recalled_together):
                lasting = spaced(lasting, (moment - before) / DAY if moment > before else None)
                counted = moment
            before = moment
            self._steps.append((moment, lasting))
        # What counts in the end is what the ledger says, which knows revivals and changes of the text too.
        self._steps = [step for step in self._steps if step[0] < last]
        self._steps.append((last, stability))

    @property
    def full(self) -> list[Instant]:
        """The moments at which all of it was there."""
        return [moment for moment, _ in self._steps]

    def retention(self, moment: Instant) -> float:
        began, lasting = self._steps[0]
        for step, own in self._steps:
            if step <= moment:
                began, lasting = step, own
        return 0.0 if moment < began else retention((moment - began) / DAY, lasting)


def _row(row: int, levels: Sequence[float], today: int, is_floor: bool, floor: float) -> StyledLine:
    label = "100% " if row == HEIGHT - 1 else f"{floor:4.0%} " if is_floor else "     "
    text, looks = "", list[tuple[int, Look]]()
    for cell, level in enumerate(levels):
        sign = column_sign(level, row, HEIGHT)
        look: Look = "bar" if cell <= today else "muted"
        if sign == " " and cell == today:
            sign, look = "│", "accent"
        elif sign == " " and is_floor:
            sign, look = "┄", "muted"
        text += sign
        looks.append((cell, look))
    start = len(label) + 1
    spans = [LookSpan(0, start, "muted"), *_runs(looks, start)]
    return StyledLine(label + " " + text, spans=tuple(spans))


def _runs(looks: Sequence[tuple[int, Look]], start: int) -> list[LookSpan]:
    runs: list[LookSpan] = []
    for cell, look in looks:
        if runs and runs[-1].look == look:
            runs[-1] = LookSpan(runs[-1].start, start + cell + 1, look)
        else:
            runs.append(LookSpan(start + cell, start + cell + 1, look))
    return runs
