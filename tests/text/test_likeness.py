"""Values that are the same to a filter, and those that were meant by one that is not there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.text.likeness import compared, holding, nearest

TAGS = ("performance", "edremit", "credit", "Güvenlik", "ops", "olive press")


@pytest.mark.parametrize(
    ("value", "near"),
    [
        ("perf", ["performance"]),
        ("edrmit", ["edremit"]),
        ("guvenlk", ["Güvenlik"]),
        ("press", ["olive press"]),
        ("edit", ["credit", "edremit"]),
        ("nothing", []),
        ("", []),
        (" ", []),
    ],
)
def test_the_nearest_are_what_a_value_is_part_of_or_is_spelt_like(value, near):
    assert nearest(value, TAGS, 3) == near


@given(st.text(), st.lists(st.text()), st.integers(1, 3))
def test_any_text_has_at_most_so_many_near_ones_of_those_there_are(value, choices, limit):
    near = nearest(value, choices, limit)
    assert len(near) <= limit
    assert set(near) <= set(choices)
    assert near[:1] == holding(value, choices)[:1] or not compared(value) or not holding(value, choices)


@given(st.text())
def test_values_are_compared_in_one_form(value):
    assert compared(f" {value} ") == compared(value)
