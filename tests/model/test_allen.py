"""Allen's relations of two intervals: exactly one of thirteen, with its inverse."""

from __future__ import annotations

from itertools import product
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from memtui.model.instants import MAX_INSTANT, MIN_INSTANT
from memtui.model.intervals import Allen, Interval

INVERSE = {
    "before": "after",
    "meets": "met by",
    "overlaps": "overlapped by",
    "starts": "started by",
    "during": "contains",
    "finishes": "finished by",
    "equals": "equals",
}
INVERSE |= {there: back for back, there in INVERSE.items()}
APART = {"before", "meets", "met by", "after"}

SIGNS = {
    # How start and start, start and end, end and start, end and end compare: Allen's table of 1983.
    "before": (-1, -1, -1, -1),
    "meets": (-1, -1, 0, -1),
    "overlaps": (-1, -1, 1, -1),
    "starts": (0, -1, 1, -1),
    "during": (1, -1, 1, -1),
    "finishes": (1, -1, 1, 0),
    "equals": (0, -1, 1, 0),
    "finished by": (-1, -1, 1, 0),
    "contains": (-1, -1, 1, 1),
    "started by": (0, -1, 1, 1),
    "overlapped by": (1, -1, 1, 1),
    "met by": (1, 0, 1, 1),
    "after": (1, 1, 1, 1),
}


def sign(a, b):
    return (a > b) - (a < b)


def signs(a, b):
    return sign(a.start, b.start), sign(a.start, b.bound), sign(a.bound, b.start), sign(a.bound, b.bound)


def check(a, b):
    relation = a.relation(b)
    assert SIGNS[relation] == signs(a, b)
    assert b.relation(a) == INVERSE[relation]
    assert a.overlaps(b) == (relation not in APART)
    assert a.meets(b) == (relation in {"meets", "met by"})


SMALL = [Interval(start, end) for start in range(5) for end in (*range(start + 1, 6), None)]


def test_all_small_intervals_lie_in_one_of_thirteen_ways():
    for a, b in product(SMALL, SMALL):
        check(a, b)
    assert {a.relation(b) for a, b in product(SMALL, SMALL)} == set(SIGNS) == set(INVERSE) == set(get_args(Allen))


INSTANTS = st.integers(MIN_INSTANT, MAX_INSTANT)
INTERVALS = st.builds(Interval, INSTANTS, st.none() | INSTANTS).filter(lambda interval: not interval.is_empty)


@given(INTERVALS, INTERVALS)
def test_intervals_of_all_of_time_lie_in_one_of_thirteen_ways(a, b):
    check(a, b)
