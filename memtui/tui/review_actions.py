"""What a person can do with proposals: in the list of the Review mode."""

from __future__ import annotations

from typing import Final

from memtui.tui.action import NOWHERE, REVIEW, Action, moving


def _decide(name: str, keys: str, command: str, label: str, tooltip: str, *, footer: bool = True) -> Action:
    return Action(
        f"review.{name}", keys, f"screen.{command}", label, tooltip, REVIEW,
        footer=REVIEW if footer else NOWHERE, needs="proposal", palette=bool(keys) and len(keys) == 1,
    )  # fmt: skip


REVIEW_ACTIONS: Final[tuple[Action, ...]] = (
    _decide("accept", "a", "decide('accept')", "Accept", "Do as proposed. Nothing is changed before you confirm."),
    _decide("reject", "x", "decide('reject')", "Reject", "It is not so: not shown again until a fact of it changes."),
    _decide("defer", "d", "decide('defer')", "Defer", "Not now: it comes back."),
    Action(
        "review.confirm", "c", "screen.confirm_review", "Confirm",
        "Carry out all decisions in one transaction; what does not fit together is shown first.", REVIEW,
        footer=REVIEW, needs="decided", writes=True, palette=True,
    ),
    Action(
        "review.undo", "u", "screen.undo_decision", "Undo",
        "Take the last decision back; where nothing is decided any more, the last confirmation.", REVIEW,
        footer=REVIEW, palette=True, needs="review-undo",
    ),
    _decide(
        "many", "v", "decide('many')", "Many values",
        "Both may be so: the predicate has several values. Marks the claims of these memories.", footer=False,
    ),
    _decide(
        "when", "w", "toggle_when", "When",
        "The others end now, or when the one that stays began to be true.", footer=False,
    ),
    _decide("accept-group", "A", "decide_group('accept')", "Accept group", "Accept the whole group.", footer=False),
    _decide("reject-group", "X", "decide_group('reject')", "Reject group", "Reject the whole group.", footer=False),
    _decide("mark", "space", "mark_proposal", "Mark", "Mark it: a, x and d then act on all marked.", footer=False),
    *(
        _decide(
            f"survivor-{number}", str(number), f"keep({number})", f"Keep {number}",
            f"Accept, and let the memory with number {number} be the one that stays.", footer=False,
        )
        for number in range(1, 10)
    ),
    *moving("review", REVIEW, "proposal"),
    Action(
        "review.open", "enter", "screen.open", "Open", "Read the memory that stays, over the full screen.", REVIEW,
        footer=REVIEW, needs="proposal",
    ),
    Action(
        "review.amend", "e", "screen.amend", "Write",
        "In your editor: one text for all of a merge; or claims for what is undecided, recorded when you save them.",
        REVIEW, needs="proposal", writes=True, palette=True,
    ),
    Action(
        "review.group", "o", "screen.next_group", "One group", "Show one group alone, the next, then all.", REVIEW),
    Action(
        "review.look-again", "R", "screen.look_again", "Look again",
        "Look for proposals anew, or end the look that is under way.", REVIEW, needs="store", palette=True,
    ),
)  # fmt: skip
