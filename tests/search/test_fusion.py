"""Reciprocal rank fusion: known values, and that it knows nothing but places."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.search.fusion import reciprocal_rank_fusion

# Known values of a reference implementation: rankings, k, fused.
KNOWN = [
    ([["a", "f", "e"]], 1, [("a", 0.5), ("f", 0.3333333333333333), ("e", 0.25)]),
    ([["a", "i", "i"]], 60, [("a", 0.01639344262295082), ("i", 0.016129032258064516)]),
    ([["i", "c", "h", "h", "i"]], 1, [("i", 0.5), ("c", 0.3333333333333333), ("h", 0.25)]),
    ([["j"], ["a", "i", "j"], ["f"]], 1, [("j", 0.75), ("a", 0.5), ("f", 0.5), ("i", 0.3333333333333333)]),
    ([["e", "c", "a", "h", "h", "h", "e", "h"]], 1, [("e", 0.5), ("c", 0.3333333333333333), ("a", 0.25), ("h", 0.2)]),
    (
        [["j"], ["a", "g"], ["a", "j", "g"]],
        60,
        [("a", 0.03278688524590164), ("j", 0.03252247488101534), ("g", 0.03200204813108039)],
    ),
    (
        [[], ["c", "d", "a", "b"]],
        60,
        [("c", 0.01639344262295082), ("d", 0.016129032258064516), ("a", 0.015873015873015872), ("b", 0.015625)],
    ),
    (
        [["b", "a"], ["d", "g"]],
        60,
        [
            ("b", 0.01639344262295082),
            ("d", 0.01639344262295082),
            ("a", 0.016129032258064516),
            ("g", 0.016129032258064516),
        ],
    ),
    (
        [["e", "h", "c"], ["c", "g", "d", "a", "d"]],
        1,
        [("c", 0.75), ("e", 0.5), ("g", 0.3333333333333333), ("h", 0.3333333333333333), ("d", 0.25), ("a", 0.2)],
    ),
    (
        [["i", "h", "i", "a", "f", "b", "e", "b"]],
        1,
        [
            ("i", 0.5),
            ("h", 0.3333333333333333),
            ("a", 0.2),
            ("f", 0.16666666666666666),
            ("b", 0.14285714285714285),
            ("e", 0.125),
        ],
    ),
    (
        [["c", "f", "h"], ["i", "h", "e"]],
        60,
        [
            ("h", 0.03200204813108039),
            ("c", 0.01639344262295082),
            ("i", 0.01639344262295082),
            ("f", 0.016129032258064516),
            ("e", 0.015873015873015872),
        ],
    ),
    (
        [["a", "g", "a", "j", "a"], ["f"], ["f", "b"], ["g", "j"]],
        10,
        [
            ("f", 0.18181818181818182),
            ("g", 0.17424242424242425),
            ("j", 0.15476190476190477),
            ("a", 0.09090909090909091),
            ("b", 0.08333333333333333),
        ],
    ),
    (
        [["b", "b", "j", "h", "j", "c"], ["b", "j", "j", "g", "a", "c", "c"], []],
        60,
        [
            ("b", 0.03278688524590164),
            ("j", 0.03200204813108039),
            ("c", 0.030303030303030304),
            ("g", 0.015625),
            ("h", 0.015625),
            ("a", 0.015384615384615385),
        ],
    ),
    (
        [["g", "d", "f", "i", "a", "c", "h", "h"]],
        60,
        [
            ("g", 0.01639344262295082),
            ("d", 0.016129032258064516),
            ("f", 0.015873015873015872),
            ("i", 0.015625),
            ("a", 0.015384615384615385),
            ("c", 0.015151515151515152),
            ("h", 0.014925373134328358),
        ],
    ),
    (
        [["a", "e", "j"], ["a", "a", "h", "a", "c", "d", "f", "a"], ["c", "d", "f", "g", "d", "d"], ["h"]],
        1,
        [
            ("a", 1.0),
            ("h", 0.75),
            ("c", 0.6666666666666666),
            ("d", 0.47619047619047616),
            ("f", 0.375),
            ("e", 0.3333333333333333),
            ("j", 0.25),
            ("g", 0.2),
        ],
    ),
    (
        [["d", "e", "b", "g"], ["f", "d", "d", "d", "h", "j", "d", "e"]],
        60,
        [
            ("d", 0.03252247488101534),
            ("e", 0.030834914611005692),
            ("f", 0.01639344262295082),
            ("b", 0.015873015873015872),
            ("g", 0.015625),
            ("h", 0.015384615384615385),
            ("j", 0.015151515151515152),
        ],
    ),
]
RANKINGS = st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=8), max_size=5)


@pytest.mark.parametrize(("lists", "k", "fused"), KNOWN)
def test_agrees_with_known_values(lists, k, fused):
    got = reciprocal_rank_fusion(lists, k)
    assert [name for name, _ in got] == [name for name, _ in fused]
    assert [score for _, score in got] == pytest.approx([score for _, score in fused], abs=1e-9)


def test_nothing_to_fuse():
    assert reciprocal_rank_fusion([]) == []
    assert reciprocal_rank_fusion([[], []]) == []


def test_a_repeated_name_counts_once_and_the_others_keep_their_places():
    assert reciprocal_rank_fusion([["a", "a", "b"]], 10) == [("a", 1 / 11), ("b", 1 / 13)]


@given(lists=RANKINGS, order=st.randoms())
def test_the_order_of_the_lists_is_of_no_account(lists, order):
    shuffled = list(lists)
    order.shuffle(shuffled)
    assert reciprocal_rank_fusion(shuffled) == reciprocal_rank_fusion(lists)


@given(lists=RANKINGS)
def test_every_name_once_best_first_then_by_name(lists):
    fused = reciprocal_rank_fusion(lists)
    assert sorted(name for name, _ in fused) == sorted({name for ranking in lists for name in ranking})
    assert fused == sorted(fused, key=lambda item: (-item[1], item[0]))
    assert all(0 < score <= len(lists) / 61 + 1e-12 for _, score in fused)


@given(lists=RANKINGS, name=st.sampled_from("abcdefgh"))
def test_one_more_first_place_never_lowers_a_name(lists, name):
    before = dict(reciprocal_rank_fusion(lists)).get(name, 0.0)
    assert dict(reciprocal_rank_fusion([*lists, [name]]))[name] > before
