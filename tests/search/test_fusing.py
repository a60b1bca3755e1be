"""Fusion of two planes: what words decide stays decided, and places count as they are defined."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.search.fusion import adaptive, dense_weight, reciprocal_rank_fusion, rrf, seed

SHARE = st.floats(0, 1)
PLANES = st.lists(st.tuples(SHARE, SHARE), min_size=1, max_size=20).map(lambda rows: np.array(rows).T)


@pytest.mark.parametrize(
    ("understood", "distinct", "weight"), [(0.0, 0.0, 0.58), (0.5, 0.0, 0.38), (1.0, 0.0, 0.18), (0.0, 1.0, 0.78)]
)
def test_meaning_weighs_less_the_more_the_words_hold_and_the_more_texts_are_as_near(understood, distinct, weight):
    assert dense_weight(understood, distinct) == pytest.approx(weight)


@given(planes=PLANES, understood=SHARE, distinct=SHARE)
def test_what_is_best_by_both_stays_best_and_nothing_leaves_the_unit(planes, understood, distinct):
    words, meaning = planes
    fused = adaptive(words, meaning, dense_weight(understood, distinct))
    assert ((fused >= 0) & (fused <= 1 + 1e-12)).all()
    for one in range(len(words)):
        behind = (words <= words[one]) & (meaning <= meaning[one])
        assert (fused[behind] <= fused[one] + 1e-12).all()


def test_reciprocal_ranks_count_places_alone():
    words, meaning = np.array([1.0, 0.9, 0.0]), np.array([0.1, 1.0, 0.9])
    assert rrf(words, meaning, 50).tolist() == pytest.approx([1 / 61 + 1 / 63, 1 / 62 + 1 / 61, 1 / 62])
    assert rrf(words, meaning, 1).tolist() == pytest.approx([1 / 61, 1 / 61, 0])


@given(planes=PLANES)
def test_reciprocal_ranks_are_those_of_the_shared_function(planes):
    words, meaning = planes
    lists = [[int(i) for i in np.argsort(-plane, kind="stable") if plane[i] > 0] for plane in planes]
    expected = dict(reciprocal_rank_fusion(lists))
    assert rrf(words, meaning, 50).tolist() == [expected.get(i, 0.0) for i in range(len(words))]


def test_the_seed_adds_numbers_only_where_words_are_decisive():
    words, meaning = np.array([1.0, 0.2]), np.array([0.0, 1.0])
    assert seed(words, meaning, 50, best_score=18.0).tolist() == pytest.approx([0.7, 0.7 * 0.2 + 0.3])
    assert seed(words, meaning, 50, best_score=17.9).tolist() == pytest.approx([0.7 / 61, 0.7 / 62 + 0.3 / 61])


def test_weights_weigh_whole_lists():
    assert reciprocal_rank_fusion([["a"], ["b"]], weights=[1.0, 2.0]) == [("b", 2 / 61), ("a", 1 / 61)]
