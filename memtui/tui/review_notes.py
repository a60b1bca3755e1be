"""Sentences of the Review: headings, how far a look is, and what decisions came to."""

from __future__ import annotations

from memtui.cognition.deciding import Misfit
from memtui.model.proposals import Plan
from memtui.model.reviews import Confirmation, Undone, tally
from memtui.tui.board import GROUP_LABELS, Board, Entry


def heading(board: Board) -> str:
    """What the list shows."""
    return "Proposals" if board.only is None else GROUP_LABELS[board.only]


def note(board: Board, plan: Plan | None, *, looking: bool, done: int = 0, total: int = 0) -> str:
    """How far a look is; else what is decided so far, and how many wait."""
    if looking:
        share = f" {done:,} of {total:,}" if total else ""
        return f"looking{share} · {board.open:,} open"
    if plan is None:
        return ""
    if not board.decisions:
        return f"{board.open:,} open" if board.open else ""
    return f"{board.tally} · {board.open:,} open"


def nothing_shown(board: Board, *, looking: bool) -> tuple[str, ...]:
    """What stands where no proposal does."""
    if board.entries:
        return ("", "No proposal matches the query.")
    return ("", "Looking over all memories…") if looking else ("", "Nothing to review: everything fits together.")


def not_open(entry: Entry | None) -> str:
    """Why nothing can be decided here."""
    if entry is None:
        return "No proposal is selected."
    return "It was rejected. F5 lists that review, and u there takes it back."


def misfit(found: Misfit, count: int) -> str:
    """What does not fit together."""
    more = f" And {count - 1} more." if count > 1 else ""
    return f"Not confirmed, for it does not fit together: {found.reason}.{more}"


def confirmed(confirmation: Confirmation) -> str:
    """What a confirmation came to."""
    done = tally([applied.verb for applied in confirmation.applied])
    parts = [f"{done}; u takes it back." if done else "Nothing was changed."]
    if confirmation.refused:
        first = confirmation.refused[0]
        why = first.changed[0] if first.changed else first.reason
        parts.append(f"{len(confirmation.refused):,} not applied and shown again: {why}.")
    return " ".join([*parts, *(f"{note}." for note in confirmation.notes)])


def taken_back(id_: str, undone: Undone) -> str:
    """What taking a review back came to."""
    count = len(undone.restored)
    parts = [f"{id_} is taken back: {count:,} {'memory is' if count == 1 else 'memories are'} as before."]
    for key, reason in undone.skipped[:2]:
        parts.append(f"{key.name} stays as it is: {reason}.")
    if len(undone.skipped) > 2:
        parts.append(f"And {len(undone.skipped) - 2} more.")
    return " ".join(parts)
