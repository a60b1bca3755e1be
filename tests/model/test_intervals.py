"""Interval laws, checked against brute force on every instant of a small line."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from memtui.model.instants import MAX_INSTANT, MIN_INSTANT
from memtui.model.intervals import OPEN_END, Interval, ValiditySet
from memtui.model.records import Content, Revival
from memtui.model.windows import window_flaw, window_start
from memtui.store.columns import gaps_of

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


INSTANTS = st.integers(MIN_INSTANT, MAX_INSTANT)
REAL = st.builds(Interval, INSTANTS, st.none() | INSTANTS)


def near(*intervals):
    """The instants at which anything could change, and those beside them."""
    edges = [edge for i in intervals for edge in (i.start, i.end) if edge is not None]
    beside = {edge + step for edge in edges for step in (-1, 0, 1)}
    return sorted(t for t in {MIN_INSTANT, MAX_INSTANT, *beside} if MIN_INSTANT <= t <= MAX_INSTANT)


def holds(interval, instant):
    return interval.start <= instant and (interval.end is None or instant < interval.end)


@given(REAL, REAL, INSTANTS)
@example(Interval(MIN_INSTANT), Interval(MAX_INSTANT), MAX_INSTANT)
def test_intervals_agree_with_their_instants_in_all_of_time(a, b, instant):
    assert a.contains(instant) == holds(a, instant)
    assert a.bound == (OPEN_END if a.end is None else a.end)
    assert a.is_empty == (not any(holds(a, t) for t in near(a)))
    shared = any(holds(a, t) and holds(b, t) for t in near(a, b))
    assert a.overlaps(b) == b.overlaps(a) == shared
    assert (
        a.meets(b) == b.meets(a) == (a.end == b.start or b.end == a.start or a.bound == b.start or b.bound == a.start)
    )


@given(st.lists(REAL, max_size=6), st.lists(REAL, max_size=4))
def test_validity_sets_agree_with_their_instants_in_all_of_time(first, second):
    a, b = ValiditySet.of(first), ValiditySet.of(second)
    instants = near(*first, *second)
    for t in instants:
        assert a.contains(t) == any(holds(i, t) for i in first)
    assert a.overlaps(b) == any(a.contains(t) and b.contains(t) for t in instants)
    assert bool(a) == any(not i.is_empty for i in first)
    assert ValiditySet.of(a) == a
    assert ValiditySet.of([*first, *first[::-1]]) == a
    assert list(a) == sorted(a, key=lambda i: i.start)


@given(st.lists(REAL, min_size=2, max_size=5))
def test_what_meets_is_one_interval_where_it_is_joined(intervals):
    for a in intervals:
        for b in intervals:
            if a.meets(b) and not a.is_empty and not b.is_empty:
                assert len(ValiditySet.of([a, b]).intervals) == 1


SMALL = st.integers(0, 12)


@given(SMALL, st.none() | SMALL, st.lists(st.tuples(SMALL, SMALL), max_size=3), st.booleans())
def test_a_window_is_flawed_where_its_parts_do_not_follow_one_another(start, end, gaps, empty):
    content = Content(valid_from=start, valid_to=end, revivals=tuple(Revival(*gap) for gap in gaps))
    moments = [start, *(edge for gap in gaps for edge in gap)]
    follows = moments == sorted(moments)
    begin = moments[-1]
    assert window_start(content) == begin
    lasts = end is None or end > begin or (empty and end == begin)
    assert (window_flaw(content, may_be_empty=empty) is None) == (follows and lasts)
    if follows and lasts:
        spans = zip([start, *(b for _, b in gaps)], [*(a for a, _ in gaps), end], strict=True)
        expected = {t for a, b in spans for t in LINE if a <= t and (b is None or t < b)}
        assert {t for t in LINE if content.validity().contains(t)} == expected
        pairs = gaps_of(content)
        assert {t for t in LINE if any(a <= t < b for a, b in pairs)} == expected
        for now in LINE:
            assert content.has_ended(now) == (end is not None and (end <= now or end == begin))
            assert (content.state_at(now) == "in_force") == (now in expected)
