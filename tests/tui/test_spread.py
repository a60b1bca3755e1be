"""Counts by kind, area and tag: what is counted, what fits on one line, and how a count becomes a filter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.model.records import KINDS, WORKSPACE, Content, RecordKey
from memtui.model.results import RecordView
from memtui.text.query_language import parse
from memtui.tui.display import width_of
from memtui.tui.spread import AMONG, Share, narrowed, spread_of
from memtui.tui.widgets.counts_line import placed

SHARES = (
    Share("kind", "engram", 1_200),
    Share("kind", "note", 40),
    Share("kind", "feature", 3),
    Share("area", "Feature/weighing", 30),
    Share("area", "Incident/ghost kilos", 12),
    Share("tag", "scale", 17),
    Share("tag", "小豆島", 5),
)


def view(kind="engram", name="n", **content):
    return RecordView(RecordKey(WORKSPACE, kind, name), Content(summary="x", **content), "in_force", 1, 1)


def line(width, shares=SHARES):
    return "".join(p.lead + p.sign + p.word + p.number for p in placed(shares, width))


def test_each_record_counts_once_for_its_kind_area_and_tags():
    records = [
        view(area="Feature/x", tags=("Tea", "tea", "mill")),
        view(area="feature/x", tags=("tea",)),
        view(kind="note", tags=("tea",)),
        view(kind="note", area="Feature/y"),
        view(kind="note"),
    ]
    assert spread_of([view()]) == (Share("kind", "engram", 1),), "an area that no one gave is none to count"
    assert Share("area", "general", 1) in spread_of([view(area="general")])
    assert spread_of(records) == (
        Share("kind", "note", 3),
        Share("kind", "engram", 2),
        Share("area", "Feature/x", 2),
        Share("area", "Feature/y", 1),
        Share("tag", "tea", 3),
        Share("tag", "mill", 1),
    )
    assert spread_of([]) == ()
    many = [view(tags=tuple(f"t{number}" for number in range(99)))]
    assert len(spread_of(many)) <= 12


def test_a_narrow_line_holds_signs_and_the_most_frequent_area_and_tag():
    assert line(200) == (
        "● engram 1,200  ○ note 40  ▲ feature 3    area Feature/weighing 30  Incident/ghost kilos 12"
        "    tag scale 17  小豆島 5"
    )
    assert line(76) == "●1,200 ○40 ▲3   area weighing 30  ghost kilos 12   tag scale 17  小豆島 5"
    assert line(47) == "●1,200 ○40 ▲3   area weighing 30   tag scale 17"
    assert line(20) == "●1,200 ○40 ▲3"
    assert line(8) == "●1,200"
    assert line(80, SHARES[3:4]) == "area Feature/weighing 30"
    assert line(80, ()) == ""


@given(
    shares=st.lists(
        st.builds(
            Share, st.sampled_from(AMONG), st.one_of(st.sampled_from(KINDS), st.text(min_size=1)), st.integers(1)
        ),
        max_size=20,
    ),
    width=st.integers(0, 220),
)
def test_it_never_takes_more_than_the_line(shares, width):
    found = placed(shares, width)
    at = 0
    for place in found:
        assert place.start == at + width_of(place.lead)
        at = place.start + width_of(place.sign + place.word + place.number)
        assert place.end == at <= width


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", "kind:note "),
        ("scal", "kind:note scal"),
        ("area:x scal", "area:x kind:note scal"),
        ("area:x  -tag:y", "area:x  -tag:y kind:note "),
        ("scal area:x", "kind:note scal area:x"),
        ('a "open', 'kind:note a "open'),
        ("-not", "kind:note -not"),
    ],
)
def test_a_filter_is_added_before_the_word_being_typed(query, expected):
    assert narrowed(query, "kind:note") == expected
    assert "kind:note" in [str(piece.filter) for piece in parse(expected).pieces]


@given(query=st.text(alphabet='ab :"-*kind“”', max_size=20), value=st.text(min_size=1).filter(str.strip))
def test_whatever_is_typed_the_filter_holds_and_the_words_stay(query, value):
    share = Share("tag", value.strip(), 1)
    added = parse(narrowed(query, share.filter))
    assert share.filter in [str(piece.filter) for piece in added.pieces]
