"""The list of the Vault mode: its pages, problems and reviews, a line each."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style

from memtui.model.reviews import Review
from memtui.tui.actions import bindings_of
from memtui.tui.display import fit
from memtui.tui.vault_board import VaultBoard, VaultEntry, VaultHeading
from memtui.tui.widgets.grouped_list import GroupedLine, GroupedList


class VaultList(GroupedList, inherit_bindings=False):
    """The entries of a vault, one of them selected."""

    BINDINGS = bindings_of("vault")

    def show(self, board: VaultBoard, said: tuple[str, ...] = ()) -> None:
        """Show a board, or what is said where it shows nothing."""
        self.show_lines(board.lines, said)

    def heading_drawn(self, line: GroupedLine) -> list[Segment]:
        """What a group is, and how much there is of it."""
        assert isinstance(line, VaultHeading), "a board has headings and entries"  # noqa: S101
        count = "" if line.count is None else f"  {line.count:,}"
        label = fit(line.label, max(self.size.width - 2 - len(count), 4)).plain
        return [Segment(f" {label}", self.style("heading")), Segment(count, self.style("count"))]

    def drawn(self, line: GroupedLine, width: int, weight: Style) -> list[Segment]:
        """What it is, its title, and a note."""
        assert isinstance(line, VaultEntry), "a board has headings and entries"  # noqa: S101
        sign, look = self._sign(line)
        before = [Segment(f" {sign}  ", self.style(look))]
        if line.group != "problems":
            return self.titled(before, line.title, line.right, width, weight, faded=line.is_over)
        # What is wrong is a sentence: it begins where the place ends, and goes as far as there is room.
        place = fit(line.title, max(width - 6, 4))
        said = Segment(f"  {fit(line.right, max(width - place.width - 8, 0)).plain}", self.style("muted"))
        return [*before, Segment(place.plain, self.style("title") + weight), said]

    def _sign(self, entry: VaultEntry) -> tuple[str, str]:
        if entry.group == "problems":
            return "!", "changed"
        if isinstance(entry.subject, Review):
            if entry.subject.undoes is not None:
                return "↶", "muted"
            return ("✓", "accept") if not entry.is_over else ("✗", "muted")
        return "▪", "glyph"
