"""The bitemporal map of one memory: world time across, transaction time down, a rectangle for each version.

Both ways the scale is one of order: each step is as wide as the next, so a correction made a second later is seen as
well as one made years later. The crosshair stands where the two clocks do.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import tzinfo

from memtui.model.instants import Instant
from memtui.model.versions import Version
from memtui.text.moments import local, told_apart
from memtui.tui.diff_lines import version_diff
from memtui.tui.display import cut, width_of
from memtui.tui.preview_lines import Prepared
from memtui.tui.styled_lines import Look, StyledLine, assemble

_LEAST_LABEL = 20
_LEAST_CELLS = 12
_HERE = "▸"
_TALL = 6
"""Up to so many versions each gets two rows."""
_BLANK = StyledLine("")


@dataclass(frozen=True, slots=True)
class Crosshair:
    """Where the two clocks stand."""

    known_at: Instant
    true_at: Instant


def believed_at(versions: Sequence[Version], known_at: Instant) -> int | None:
    """The place of the version that was believed at a moment; None before the first."""
    place = sum(version.recorded_at <= known_at for version in versions) - 1
    return place if place >= 0 else None


def map_tab(versions: Sequence[Version], at: Crosshair, against: int, width: int, zone: tzinfo | None) -> Prepared:
    """The map, and below it how the believed version differs from the one so many steps (`against`) from it."""
    believed = believed_at(versions, at.known_at)
    plane = _Plane(versions, at, width, zone)
    drawn = [*plane.drawn(believed)]
    lines = [*drawn, _BLANK, *_compared(versions, believed, against, zone)]
    number = "not yet known" if believed is None else f"version {believed + 1} of {len(versions)}"
    here = next(place for place, line in enumerate(drawn) if line.text.startswith(_HERE))
    return Prepared(tuple(lines), note=number, focus_line=here)


class _Plane:
    """The rectangles, with the stamps of the versions before them, on so many cells."""

    def __init__(self, versions: Sequence[Version], at: Crosshair, width: int, zone: tzinfo | None) -> None:
        self._versions, self._at, self._zone = versions, at, zone
        ends = {
            bound
            for version in versions
            for interval in version.content.validity()
            for bound in (interval.start, interval.end)
            if bound is not None
        }
        self._bounds = sorted(ends | {at.true_at})
        stamps = [version.recorded_at for version in versions]
        *self._stamps, self._here = told_apart(*stamps, at.known_at, zone=zone, named=False)
        # Stamps that only fractions of a second tell apart take more room.
        longest = max(map(width_of, self._stamps)) + 1
        self._label = max(min(longest, width // 2), _LEAST_LABEL)
        self._cells = max(width - self._label - 1, _LEAST_CELLS)

    def _cell(self, bound: Instant) -> int:
        return (bisect_left(self._bounds, bound) + 1) * self._cells // (len(self._bounds) + 1)

    def drawn(self, believed: int | None) -> Iterable[StyledLine]:
        """Row by row, the crosshair's between them."""
        yield assemble(("known since".ljust(self._label), "muted"), ("true →", "muted"))
        if not self._versions[0].origin_known:
            told = cut(" may have been there before ", self._cells)
            hatched = f"░░{told}" + "░" * max(self._cells - width_of(told) - 2, 0)
            yield assemble(("unseen".ljust(self._label), "muted"), (hatched, "syntax"))
        if believed is None:
            yield self._across()
        tall = len(self._versions) <= _TALL
        for place, version in enumerate(self._versions):
            known = believed is not None and place <= believed
            look: Look = "bar" if place == believed else "muted" if known else "syntax"
            fill = "▓" if place == believed else "▒" if known else "░"
            yield self._row(self._stamps[place], version, fill, look)
            if tall:
                yield self._row(f"  {version.operation}", version, fill, look)
            if place == believed:
                yield self._across()
        yield from self._dates()

    def _row(self, label: str, version: Version, fill: str, look: Look) -> StyledLine:
        cells = [" "] * self._cells
        for interval in version.content.validity():
            start = self._cell(interval.start)
            end = self._cells if interval.end is None else self._cell(interval.end)
            end = max(end, start + 1)
            cells[start:end] = [fill] * (end - start)
        column = min(self._cell(self._at.true_at), self._cells - 1)
        inside = cells[column] != " "
        cells[column] = "┃" if inside else "│"
        return assemble(
            (cut(label, self._label - 1).ljust(self._label), "text" if look == "bar" else "muted"),
            ("".join(cells[:column]), look), (cells[column], "accent"), ("".join(cells[column + 1 :]), look),
        )  # fmt: skip

    def _across(self) -> StyledLine:
        """The crosshair's row: where *known at* stands."""
        column = min(self._cell(self._at.true_at), self._cells - 1)
        label = cut(f"{_HERE}{self._here}", self._label)
        return assemble(
            (label.ljust(self._label, "─"), "accent"), ("─" * column + "┼" + "─" * (self._cells - column - 1), "accent")
        )

    def _dates(self) -> Iterable[StyledLine]:
        """The bounds below their cells, on as few lines as keep them apart; what three cannot hold is left out."""
        column = min(self._cell(self._at.true_at), self._cells - 1)
        labels = told_apart(*self._bounds, zone=self._zone, named=False)
        lines: list[str] = []
        for bound, label in zip(self._bounds, labels, strict=True):
            at = min(self._cell(bound), max(self._cells - width_of(label), 0))
            place = next((i for i, line in enumerate(lines) if len(line) < at), None)
            if place is None:
                if len(lines) == 3:
                    continue
                lines.append("")
                place = len(lines) - 1
            lines[place] = lines[place].ljust(at) + label
        yield assemble(" " * self._label, (" " * column + "▴", "accent"))
        for line in lines:
            yield assemble(" " * self._label, (line, "muted"))


def _compared(
    versions: Sequence[Version], believed: int | None, against: int, zone: tzinfo | None
) -> Iterable[StyledLine]:
    """The believed version beside another one."""
    if believed is None:
        first = local(versions[0].recorded_at, zone)
        yield StyledLine(f"Nobody knew of it then: it was first recorded {first}.", "emphasis")
        return
    version = versions[believed]
    by = (f"  {version.actor}  #{version.seq}", "muted")
    yield assemble((version.operation, "strong"), f"  {local(version.recorded_at, zone)}", by)
    if version.reason:
        yield StyledLine(f"  {version.reason}", "emphasis", hang=2)
    other = min(max(believed + against, 0), len(versions) - 1)
    if other == believed:
        if len(versions) > 1:
            yield StyledLine("< and > compare it with another version.", "muted")
        else:
            yield StyledLine("It never said anything else.", "muted")
        return
    when = local(versions[other].recorded_at, zone)
    yield StyledLine(f"against version {other + 1}, {when}  (< and > choose another)", "muted")
    old, new = sorted((other, believed))
    told = [*version_diff(versions[old].content, versions[new].content, zone)]
    yield from told or [StyledLine("  no difference", "muted")]
