"""The law of windows: what the bounds and gaps of a memory must be to one another."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from memtui.model.instants import Instant, iso
from memtui.model.records import Content


class Flaw(NamedTuple):
    """What is wrong with a window: the field to change, its value, and a sentence."""

    field: str
    value: Instant
    reason: str


def window_start(content: Content) -> Instant | None:
    """Since when the current window runs: the last revival, else `valid_from`; None where neither is known."""
    return content.revivals[-1].revived_at if content.revivals else content.valid_from


def never_came_into_force(content: Content) -> bool:
    """Whether the current window is empty: it ends as it begins."""
    start = window_start(content)
    return content.valid_to is not None and start is not None and content.valid_to <= start


def window_flaw(content: Content, *, may_be_empty: bool = False) -> Flaw | None:
    """The first thing that cannot be about a content's validity, or None.

    Gaps follow one another and lie within it; the end is later than the beginning, or the very same moment where
    a memory may never have come into force.
    """
    begin = content.valid_from
    if content.revivals and begin is not None and content.revivals[0].valid_to < begin:
        return Flaw(
            "valid_from", begin, f"is later than the first gap, which began at {iso(content.revivals[0].valid_to)}"
        )
    for gap in content.revivals:
        if gap.revived_at < gap.valid_to:
            return Flaw("revivals", gap.revived_at, f"is before the gap it closes, which began at {iso(gap.valid_to)}")
    for before, gap in pairwise(content.revivals):
        if gap.valid_to < before.revived_at:
            return Flaw(
                "revivals", gap.valid_to, f"begins a gap before the last one closed, at {iso(before.revived_at)}"
            )
    start, end = window_start(content), content.valid_to
    if start is None or end is None or end > start or (end == start and may_be_empty):
        return None
    return Flaw("valid_to", end, f"lies before or as it begins ({iso(start)})")
