"""Proposals: a line each, below the heading of their group, with what is decided about it so far."""

from __future__ import annotations

from collections.abc import Mapping

from rich.segment import Segment
from rich.style import Style

from memtui.model.proposals import PROPOSAL_SIGNS, Contradiction, Expiry, Merge, Proposal
from memtui.model.reviews import DECISION_SIGNS
from memtui.tui.actions import bindings_of
from memtui.tui.board import GROUP_LABELS, Board, Entry, GroupName, Heading
from memtui.tui.widgets.grouped_list import GroupedLine, GroupedList

_GLYPHS: Mapping[GroupName, str] = {**PROPOSAL_SIGNS, "suppressed": "⊘"}


class ProposalList(GroupedList, inherit_bindings=False):
    """The proposals of a board, one of them selected."""

    BINDINGS = bindings_of("review")

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.board = Board()

    def show(self, board: Board, said: tuple[str, ...] = (), *, unseen: bool = False) -> None:
        """Show a board, or what is said where it shows nothing; `unseen` as in `show_lines`."""
        self.board = board
        self.show_lines(board.lines, said, unseen=unseen)

    def heading_drawn(self, line: GroupedLine) -> list[Segment]:
        """How many there are of a group, and how many of them are decided."""
        assert isinstance(line, Heading), "a board has headings and entries"  # noqa: S101
        decided = f" · {line.decided:,} decided" if line.decided else ""
        return [
            Segment(f" {GROUP_LABELS[line.group]}", self.style("heading")),
            Segment(f"  {line.count:,}{decided}", self.style("count")),
        ]

    def drawn(self, line: GroupedLine, width: int, weight: Style) -> list[Segment]:
        """Whether it is marked, what is decided, of which group it is, what it is about and how much of it there is."""
        assert isinstance(line, Entry), "a board has headings and entries"  # noqa: S101
        decision = self.board.decisions.get(line.id)
        sign, look = (DECISION_SIGNS[decision.verb], decision.verb) if decision is not None else (" ", "muted")
        before = [
            Segment("●" if line.id in self.board.marked else " ", self.style("marked")),
            Segment("! ", self.style("changed")) if line.misfit else Segment(f"{sign} ", self.style(look)),
            Segment(f"{_GLYPHS[line.group]}  ", self.style("changed" if _is_news(line) else "glyph")),
        ]
        faded = decision is not None or line.suppressed is not None
        return self.titled(before, line.about, _told_short(line.proposal), width, weight, faded=faded)


def _is_news(entry: Entry) -> bool:
    """Whether something of it changed since a person last decided."""
    return bool(entry.changed or entry.proposal.returned)


def _told_short(proposal: Proposal) -> str:
    """What of a proposal fits at the end of its line."""
    match proposal:
        case Contradiction():
            return f"{proposal.total} memories"
        case Merge():
            return f"{proposal.total} · {proposal.similarity:.0%}"
        case Expiry():
            return f"{proposal.retention:.0%} left · {proposal.days:,.0f}d"
        case _:
            return f"{proposal.total} memories" if proposal.total != 1 else "1 memory"
