from __future__ import annotations

import numpy as np
import pytest

from memtui.embedding.checking import check_width, checked
from memtui.errors import EmbedderUnavailable
from memtui.model.embeddings import WIDTHS

UNIT = np.eye(4)[:3]


def test_vectors_come_back_as_float32_of_exactly_unit_length():
    slightly_off = UNIT * 1.0009
    vectors = checked(slightly_off, 3, 4)
    assert vectors.dtype == np.float32
    assert np.array_equal(vectors, UNIT)


def test_to_be_checked_again_changes_nothing():
    random = np.random.default_rng(5).normal(size=(200, 384))
    random /= np.linalg.norm(random, axis=1, keepdims=True)
    once = checked(random * 1.0005, 200, 384)
    assert np.array_equal(checked(once, 200, 384), once)
    assert np.abs(np.linalg.norm(once.astype(float), axis=1) - 1).max() < 1e-6


def test_no_texts_are_no_vectors():
    assert checked(np.empty((0, 4)), 0, 4).shape == (0, 4)


def with_row(row):
    return np.vstack([UNIT[:2], row])


@pytest.mark.parametrize(
    ("vectors", "said"),
    [
        (UNIT[:2], r"shape \(2, 4\) where \(3, 4\)"),
        (UNIT[:, :3], r"shape \(3, 3\)"),
        (UNIT.ravel(), r"shape \(12,\)"),
        (with_row([np.nan, 0, 0, 0]), r"not finite \(text 2\)"),
        (with_row([np.inf, 0, 0, 0]), r"not finite"),
        (with_row([0, 0, 0, 0]), r"of zeros \(text 2\)"),
        (with_row([1.002, 0, 0, 0]), r"length 1.002 instead of 1 \(text 2\)"),
        (UNIT.astype(complex), "no array of numbers"),
        ([["a"] * 4] * 3, "no array of numbers"),
        ([[1.0], [1.0, 2.0]], "no array of numbers"),
        (None, "no array of numbers"),
    ],
)
def test_what_is_wrong_with_vectors_is_said(vectors, said):
    with pytest.raises(EmbedderUnavailable, match=said) as caught:
        checked(vectors, 3, 4)
    assert caught.value.code == "embedder_unavailable"
    assert caught.value.hint


@pytest.mark.parametrize("dims", WIDTHS)
def test_widths_with_tables_pass(dims):
    assert check_width(dims) == dims


@pytest.mark.parametrize("dims", [0, 256, 383, 4096])
def test_any_other_width_names_the_migration_to_write(dims):
    with pytest.raises(EmbedderUnavailable, match=f"{dims} wide") as caught:
        check_width(dims)
    assert f"vector_{dims}" in caught.value.hint
    assert caught.value.choices == tuple(str(width) for width in WIDTHS)
