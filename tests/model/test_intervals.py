"""Interval laws, checked against brute force on every instant of a small line."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memtui.model.intervals import Interval, ValiditySet
from memtui.model.records import Content, Revival

LINE = range(-2, 14)
INTERVAL = st.builds(Interval, st.integers(0, 10), st.none() | st.integers(0, 12))


def inside(interval):
    return {t for t in LINE if t >= interval.start and (interval.end is None or t < interval.end)}


@given(INTERVAL, INTERVAL)
def test_overlap_is_a_shared_instant(a, b):
    assert a.overlaps(b) == bool(inside(a) & inside(b))
    assert a.is_empty == (not inside(a))
    assert {t for t in LINE if a.contains(t)} == inside(a)


@given(INTERVAL, INTERVAL)
def test_intervals_that_meet_share_nothing(a, b):
    if a.meets(b) and not a.is_empty and not b.is_empty:
        assert not a.overlaps(b)


@given(st.lists(INTERVAL, max_size=5), st.lists(INTERVAL, max_size=5))
def test_a_validity_set_is_the_union(first, second):
    a, b = ValiditySet.of(first), ValiditySet.of(second)
    union = set().union(*(inside(i) for i in first))
    assert {t for t in LINE if a.contains(t)} == union
    assert all(x.bound < y.start for x, y in zip(a.intervals, a.intervals[1:], strict=False))
    assert not any(i.is_empty for i in a)
    assert a.overlaps(b) == bool(union & set().union(*(inside(i) for i in second)))


@given(st.lists(st.integers(0, 12), min_size=1, max_size=7), st.booleans())
def test_validity_of_a_revived_memory(moments, superseded):
    start, *rest = sorted(moments)
    gaps = [Revival(a, b) for a, b in zip(rest[::2], rest[1::2], strict=False)]
    end = rest[-1] if len(rest) % 2 else None
    content = Content(
        valid_from=start, valid_to=end, revivals=tuple(gaps), superseded_by="next" if superseded and end else None
    )
    for t in LINE:
        true = t >= start and not any(g.valid_to <= t < g.revived_at for g in gaps) and (end is None or t < end)
        assert content.validity().contains(t) == true
        state = content.state_at(t)
        assert (state == "in_force") == true
        if state == "superseded":
            assert superseded
        if state == "not_yet":
            assert t < content.validity().intervals[0].start
