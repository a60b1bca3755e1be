"""Sentences that the Timeline says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import tzinfo

from memtui.model.belief import BeliefState
from memtui.model.instants import Instant
from memtui.model.results import Order
from memtui.model.versions import Version
from memtui.search.lanes import LaneOrder
from memtui.text.moments import local
from memtui.tui.clocks import Clocks
from memtui.tui.display import width_of


def belief(state: BeliefState, zone: tzinfo | None) -> str:
    """A belief state in words: `now`, or where both clocks stand."""
    if state.is_present:
        return "now"
    if state.true_at is None and state.known_at is not None:
        return f"known and true at {local(state.known_at, zone)}"
    known = "now" if state.known_at is None else local(state.known_at, zone)
    true = "now" if state.true_at is None else local(state.true_at, zone)
    return f"known at {known} · true at {true}"


def link(clocks: Clocks) -> str:
    """Whether the clocks stand together."""
    if not clocks.linked:
        return "l links"
    return "linked" if clocks.true is None else "linked · ahead of what is known"


def marked(mark: Instant, zone: tzinfo | None) -> str:
    """That a moment was marked, and what for."""
    return f"A is {local(mark, zone)}. Move on: the Diff tab (5) tells what changed between."


SIGNS: Mapping[str, tuple[str, str]] = {
    "in_force": ("━", "true"),
    "contradicted": ("≠", "contradicted"),
    "not_yet": ("╍", "not yet true"),
    "forgotten": ("✕", "forgotten"),
    "superseded": ("→", "superseded"),
    "unknown": ("·", "not yet known"),
    "blind": ("░", "unseen, perhaps there"),
}


def legend(counted: Counter[str], room: int) -> str:
    """How many lanes stand how, each with its sign: a count and a legend at once; in little room without words."""
    found = [(sign, counted[name], said) for name, (sign, said) in SIGNS.items() if counted[name]]
    told = " · ".join(f"{sign} {count:,} {said}" for sign, count, said in found)
    if width_of(told) <= room:
        return told
    short = [f"{sign} {count:,}" for sign, count, _ in found]
    while short and width_of("  ".join(short)) > room:
        short.pop()
    return "  ".join(short)


ORDERS: Mapping[LaneOrder, str] = {
    "first-known": "by first known",
    "area": "by area",
    "retention": "by retention",
    "name": "by name",
}


def heading(order: LaneOrder, hits: Order, query: str, best: int | None) -> str:
    """What the lanes are, and how they are sorted; `best` says how many where there may be more hits."""
    if not query.strip():
        return f"Memories {ORDERS[order]}"
    return f"{'Hits' if best is None else f'Best {best}'} by {hits.replace('-', ' ')}"


def no_lanes(query: str) -> tuple[str, ...]:
    """What is said where there is no lane."""
    if query.strip():
        return ("", "Nothing that was known then matches.")
    return ("", "Nothing has been recorded yet.")


_MOST_NAMED = 2


def recorded(versions: Sequence[Version]) -> str:
    """What one transaction recorded, in a line."""
    named = [f"{version.operation} {version.key.name}" for version in versions[:_MOST_NAMED]]
    more = len(versions) - len(named)
    return " · ".join([*named, *([f"{more:,} more"] if more else [])])
