"""What a caller asks, checked: instants, kinds, limits."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, tzinfo
from typing import overload

from memtui.errors import InvalidInput
from memtui.model.belief import NOW, BeliefState
from memtui.model.instants import MAX_INSTANT, MIN_INSTANT, Instant, iso
from memtui.model.records import KINDS
from memtui.model.results import ORDERS, Order
from memtui.text.dates import parse_instant

MOST_HITS = 50
Moment = Instant | str | datetime
"""An instant as callers give it: aware datetime, ISO text, or microseconds."""


@overload
def instant(value: Moment, zone: tzinfo, field: str) -> Instant: ...
@overload
def instant(value: None, zone: tzinfo, field: str) -> None: ...
@overload
def instant(value: Moment | None, zone: tzinfo, field: str) -> Instant | None: ...
def instant(value: Moment | None, zone: tzinfo, field: str) -> Instant | None:
    """A caller's moment as an instant. Raises InvalidInput quoting it."""
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        if MIN_INSTANT <= value <= MAX_INSTANT:
            return value
        raise InvalidInput(
            f"{field} {value} lies outside the years 1 to 9999 (a number counts microseconds since 1970)",
            field=field,
            value=value,
        )
    return parse_instant(value, zone, field=field)


def belief_state(
    belief: BeliefState | None,
    as_of: Moment | None,
    valid_at: Moment | None,
    zone: tzinfo,
    *,
    otherwise: BeliefState = NOW,
) -> BeliefState:
    """The belief state a read is asked at, given whole or by its clocks; a clock not given is `otherwise`'s."""
    if belief is not None:
        return belief
    if as_of is None and valid_at is None:
        return otherwise
    return BeliefState(
        otherwise.known_at if as_of is None else instant(as_of, zone, "as_of"),
        otherwise.true_at if valid_at is None else instant(valid_at, zone, "valid_at"),
    )


def check_not_future(belief: BeliefState, present: Instant, field: str = "as_of") -> None:
    """What will be believed cannot be read. Raises InvalidInput naming the field that asked for it."""
    if belief.known_at is not None and belief.known_at > present:
        raise InvalidInput(
            f"{field} {iso(belief.known_at)} lies in the future; the present is {iso(present)}",
            field=field,
            value=iso(belief.known_at),
            hint="ask what will be true with valid_at",
        )


def kinds_of(kinds: Iterable[str] | str | None) -> tuple[str, ...]:
    """Kinds as a tuple. Raises InvalidInput for an unknown one, with the choices."""
    if kinds is None:
        return ()
    asked = tuple(kinds.split(",")) if isinstance(kinds, str) else tuple(kinds)
    for kind in asked:
        if kind not in KINDS:
            raise InvalidInput(f"there is no kind {kind!r}", field="kinds", value=kind, choices=KINDS)
    return asked


def order_of(order: str) -> Order:
    """The order of that name. Raises InvalidInput for one there is not, with the choices."""
    for known in ORDERS:
        if known == order:
            return known
    raise InvalidInput(f"hits cannot be sorted by {order!r}", field="order", value=order, choices=ORDERS)


def clamp_limit(k: int) -> int:
    """The number of hits wanted, within 1 and 50."""
    return max(1, min(MOST_HITS, k))
