"""The dense plane: exact cosines of best chunks, followed as texts are embedded, under the mask."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.search.dense import BEST, MOST_BLOCKS, DenseIndex, plane_of
from memtui.store.vectors import Space, VectorBlock

SPACE = Space("model-a", 4, "chunks-1")


def block(rows, seed, last, texts=None):
    """Chunks of the given texts, in this order."""
    made = np.random.default_rng(seed).normal(size=(len(rows), 4)).astype(np.float32)
    made /= np.linalg.norm(made, axis=1, keepdims=True) if len(rows) else 1
    return VectorBlock(np.array(rows, dtype=np.int64), made, len(set(rows)) if texts is None else texts, last)


class Store:
    """What was embedded in turn, and what of it is beyond a number."""

    def __init__(self, blocks):
        self.blocks = blocks

    def vectors(self, space, after=-1):
        later = [b for b in self.blocks if b.last > after]
        text_id = np.concatenate([b.text_id for b in later]) if later else np.zeros(0, dtype=np.int64)
        order = np.argsort(text_id, kind="stable")
        vectors = np.concatenate([b.vectors for b in later])[order] if later else np.zeros((0, 4), dtype=np.float32)
        last = max((b.last for b in later), default=after)
        return VectorBlock(text_id[order], vectors, sum(b.texts for b in later), last)

    def embedded(self, space):
        return sum(b.texts for b in self.blocks), sum(len(b.text_id) for b in self.blocks)


QUERY = np.array([0.5, 0.5, 0.5, 0.5], dtype=np.float32)


def best_of(blocks, texts):
    found = np.full(texts, np.nan)
    for one in blocks:
        for text_id, vector in zip(one.text_id, one.vectors, strict=True):
            found[text_id] = np.nanmax([found[text_id], float(vector @ QUERY)])
    return found


@given(sizes=st.lists(st.integers(0, 3), min_size=1, max_size=30), cuts=st.lists(st.integers(0, 30), max_size=14))
def test_following_is_as_good_as_reading_anew(sizes, cuts):
    """Whatever is embedded in whatever portions."""
    bounds = sorted({0, *(min(cut, len(sizes)) for cut in cuts), len(sizes)})
    blocks = [
        block([t for t in range(start, end) for _ in range(sizes[t])], start, last, texts=end - start)
        for last, (start, end) in enumerate(pairwise(bounds))
    ]
    index = DenseIndex.load(Store(blocks[:1]), SPACE)
    for seen in range(1, len(blocks)):
        index = index.followed(Store(blocks[: seen + 1]))
    fresh = DenseIndex.load(Store(blocks), SPACE)
    assert (index.texts, index.chunks) == (fresh.texts, fresh.chunks) == (len(sizes), sum(sizes))
    expected = best_of(blocks, len(sizes))
    for one in (index, fresh):
        np.testing.assert_allclose(one.similarity(QUERY, len(sizes)), expected, atol=1e-6)


def test_an_index_is_itself_where_nothing_came_and_few_blocks_stay_few():
    blocks = [block([number], number, number) for number in range(3 * MOST_BLOCKS)]
    index = DenseIndex.load(Store(blocks[:1]), SPACE)
    assert index.followed(Store(blocks[:1])) is index
    for seen in range(2, len(blocks) + 1):
        index = index.followed(Store(blocks[:seen]))
        assert len(index._blocks) <= MOST_BLOCKS
    np.testing.assert_allclose(index.similarity(QUERY, len(blocks)), best_of(blocks, len(blocks)), atol=1e-6)


def test_texts_beyond_those_asked_for_are_not_answered():
    index = DenseIndex.load(Store([block([0, 1, 2], 1, 0)]), SPACE)
    assert index.similarity(QUERY, 2).shape == (2,)


def test_the_best_are_told_apart_and_what_is_far_counts_for_nothing():
    near = np.linspace(0.0, 1.0, 2 * BEST, dtype=np.float32)
    plane = plane_of(near, np.ones(2 * BEST), background=0.1, floor=0.2)
    shares = plane.share(np.arange(2 * BEST))
    assert shares[-1] == 1.0
    assert (shares > 0).sum() == BEST - 1  # the last of the best is where counting begins
    few = plane_of(np.array([0.05, 0.1, 0.55, 1.0], dtype=np.float32), np.ones(4), background=0.1, floor=0.2)
    assert few.share(np.arange(4)).tolist() == pytest.approx([0, 0, 0.5, 1.0], abs=1e-6)


@pytest.mark.parametrize(
    ("near", "distinct"),
    [([0.9, 0.1, 0.1, 0.1], 1.0), ([0.9, 0.9, 0.9, 0.1], 0.0), ([0.9, 0.8, 0.5, 0.1], 0.5), ([0.9, 0.5], 1.0)],
)
def test_how_clearly_the_nearest_stand_out(near, distinct):
    plane = plane_of(np.array(near, dtype=np.float32), np.ones(len(near)), background=0.1, floor=0.2)
    assert plane.distinct == pytest.approx(distinct, abs=1e-6)


def test_factors_act_on_meaning_and_who_is_not_visible_has_none():
    near = np.array([0.9, 0.8, 0.95], dtype=np.float32)
    plane = plane_of(near, np.array([0.5, 1.0, np.nan]), background=0.1, floor=0.2)
    assert plane.share(np.arange(3)).tolist() == pytest.approx([(0.45 - 0.1) / 0.7, 1.0, 0.0])
    assert np.isnan(plane.worth[2])


def test_where_nothing_is_near_or_embedded_nothing_counts():
    far = plane_of(np.array([0.05, 0.02], dtype=np.float32), np.ones(2), background=0.1, floor=0.2)
    none = plane_of(np.full(2, np.nan, dtype=np.float32), np.ones(2), background=0.1, floor=0.2)
    assert far.share(np.arange(2)).tolist() == none.share(np.arange(2)).tolist() == [0.0, 0.0]


def test_a_space_that_nobody_measured_is_measured_by_its_own_texts():
    rng = np.random.default_rng(3)
    similarity = np.concatenate([rng.normal(0.7, 0.02, 500), [0.9, 0.88]]).astype(np.float32)
    plane = plane_of(similarity, np.ones(502))
    assert set(plane.near().tolist()) >= {500, 501}
    assert len(plane.near()) < 30
    few = plane_of(np.array([0.9, 0.7, 0.71], dtype=np.float32), np.ones(3))
    assert few.near().tolist() == [0]
