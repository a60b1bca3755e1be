"""Bars of lanes: as many cells as the track has, whatever the validity; and what each sign tells."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.model.instants import MAX_INSTANT, MIN_INSTANT
from memtui.model.intervals import Interval
from memtui.tui.display import width_of
from memtui.tui.lane_bars import Bar, painted
from memtui.tui.time_track import TimeTrack

TRACK = TimeTrack(0, 1_000, 20)
instants = st.integers(MIN_INSTANT, MAX_INSTANT) | st.integers(-100, 1_200)


@st.composite
def validity(draw):
    bounds = sorted(draw(st.lists(instants, min_size=0, max_size=10, unique=True)))
    ends = bounds[1::2] + ([None] if len(bounds) % 2 else [])
    return [Interval(start, end) for start, end in zip(bounds[::2], ends, strict=True)]


def text(bar, track=TRACK, cursor=-1):
    return "".join(run.text for run in painted(bar, track, cursor))


@given(
    validity(),
    st.sampled_from(["true", "later", "gone", "unknown", "blind"]),
    st.sampled_from(["", "✕", "→ next", "→ 小豆島の秤 👩‍🌾"]),
    st.integers(1, 200),
    instants,
)
def test_a_bar_is_exactly_as_wide_as_its_track(intervals, look, note, cells, cursor):
    track = TimeTrack(-50, 1_000, cells)
    assert width_of(text(Bar(intervals, look, note), track, cursor)) == cells


@given(st.integers(0, 999), st.integers(1, 1_000))
def test_the_shortest_interval_is_seen(start, length):
    assert text(Bar([Interval(start, start + length)], "true")).strip()


@pytest.mark.parametrize(
    ("intervals", "drawn"),
    [
        ([Interval(0, 1_000)], "━" * 20),
        ([Interval(0, None)], "━" * 19 + "▸"),
        ([Interval(100, 200)], "  ━━" + " " * 16),
        ([Interval(125, 225)], "  ╺━╸" + " " * 15),
        ([Interval(0, 100), Interval(300, 400)], "━━┄┄┄┄━━" + " " * 12),
        ([Interval(-500, -400)], "◂" + " " * 19),
        ([Interval(-500, 50)], "━" + " " * 19),
        ([Interval(2_000, None)], " " * 19 + "▸"),
        ([], " " * 20),
    ],
)
def test_what_is_drawn(intervals, drawn):
    assert text(Bar(intervals, "true")) == drawn


def test_the_cursor_crosses_the_bar_and_stands_alone_beside_it():
    assert text(Bar([Interval(0, 500)], "true"), cursor=120) == "━━┿━━━━━━━" + " " * 10
    assert text(Bar([Interval(0, 500)], "gone"), cursor=120) == "──┼───────" + " " * 10
    assert text(Bar([Interval(0, 500)], "true"), cursor=720) == "━" * 10 + " " * 4 + "│" + " " * 5


def test_what_comes_after_is_told_where_there_is_room():
    assert text(Bar([Interval(0, 500)], "gone", "→ dock")) == "─" * 10 + "→ dock" + " " * 4
    assert text(Bar([Interval(0, 900)], "gone", "→ dock")) == "─" * 18 + "→…"
    assert text(Bar([Interval(0, 999)], "gone", "→ dock")) == "─" * 19 + "→"
    assert text(Bar([Interval(0, 999)], "gone", "✕"), cursor=999) == "─" * 19 + "✕"
