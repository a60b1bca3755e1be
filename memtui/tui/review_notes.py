"""Sentences of the Review: headings, how far a look is, and what decisions came to."""

from __future__ import annotations

from collections.abc import Sequence

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


OTHERWISE = "what it is about is otherwise now"
CHANGED_MEANWHILE = "What it is about changed while you wrote. e on what is proposed now goes on with what you wrote."


def fallen(count: int, again: int) -> str:
    """That decisions fell away, as what they were about is not proposed any more."""
    told = "1 decision fell away" if count == 1 else f"{count:,} decisions fell away"
    if not again:
        return f"{told}: it is not proposed any more." if count == 1 else f"{told}: they are not proposed any more."
    if again == count:
        shown = "it changed, and is shown again" if count == 1 else "they changed, and are shown again"
        return f"{told}: {shown}."
    return f"{told}: {again:,} changed and are shown again, the others are not proposed any more."


def not_named(name: str) -> str:
    """Why the contradiction of a memory is not among the proposals."""
    return f"No contradiction shown names {name}: it is just being decided, or one of too many to be told one by one."


def declared(names: Sequence[str]) -> str:
    """That memories claim something else by now."""
    shown = ", ".join(names[:3]) + (f" and {len(names) - 3:,} more" if len(names) > 3 else "")
    return f"{shown} {'claims' if len(names) == 1 else 'claim'} what you wrote; the look begins anew."


def misfit(found: Sequence[Misfit]) -> str:
    """What does not fit together."""
    ids = {id_ for each in found for id_ in each.ids}
    more = f" {len(ids):,} decisions are marked with !, each says why." if len(ids) > 2 else ""
    return f"Not confirmed, for it does not fit together: {found[0].reason}.{more}"


def confirmed(confirmation: Confirmation) -> str:
    """What a confirmation came to."""
    done = tally([applied.verb for applied in confirmation.applied])
    parts = [f"{done}; u takes it back." if done else "Nothing was changed."]
    decided = [lost for lost in confirmation.refused if lost.decided]
    again = [lost for lost in confirmation.refused if not lost.decided]
    if again:
        why = again[0].changed[0] if again[0].changed else again[0].reason
        parts.append(f"{len(again):,} not applied and shown again: {why}.")
    if decided:
        parts.append(f"{len(decided):,} not applied, as it was decided elsewhere: {decided[0].reason}.")
    return " ".join([*parts, *(f"{note}." for note in confirmation.notes)])


def taken_back(id_: str, undone: Undone) -> str:
    """What taking a review back came to."""
    count = len(undone.restored)
    told = (
        f"{count:,} {'memory is' if count == 1 else 'memories are'} as before"
        if count
        else "what it decided is open again"
    )
    parts = [f"{id_} is taken back: {told}."]
    for key, reason in undone.skipped[:2]:
        parts.append(f"{key.name} stays as it is: {reason}.")
    if len(undone.skipped) > 2:
        parts.append(f"And {len(undone.skipped) - 2} more.")
    return " ".join(parts)
