"""Affect and the prior: they lean, they never decide."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.cognition.affect import PALETTE, affect_weight, prior, prior_factor

SHARE = st.floats(0, 1)
WEIGHT = st.floats(0, 5)


def test_the_palette_weighs_as_the_spec_says():
    assert PALETTE == {"triumph": 1.2, "regret": 1.3, "surprise": 1.5, "wistful": 1.0, "ominous": 1.4}


@pytest.mark.parametrize(
    ("affect", "weight"),
    [("triumph", 1.2), (" Ominous ", 1.4), ("SURPRISE", 1.5), ("relief", 1.0), ("", 1.0), (None, 1.0)],
)
def test_affects_weigh_by_the_palette_and_strange_ones_nothing(affect, weight):
    assert affect_weight(affect) == weight


def test_a_vaults_own_palette_wins_entry_by_entry():
    own = {"Regret": 1.1, "dread": 1.6}
    assert affect_weight("regret", own) == 1.1
    assert affect_weight("Dread", own) == 1.6
    assert affect_weight("triumph", own) == 1.2
    assert affect_weight("calm", own) == 1.0


@pytest.mark.parametrize(
    ("retention", "affect", "factor"),
    [
        (1.0, 1.0, 0.95),
        (1.0, 1.5, 1.0),
        (0.0, 1.0, 0.855),
        (0.05, 1.0, 0.855),
        (0.5, 1.2, 0.91),
    ],
)
def test_factor_of_retention_and_affect(retention, affect, factor):
    assert prior_factor(prior(retention, affect)) == pytest.approx(factor, abs=1e-12)


@given(rows=st.lists(st.tuples(SHARE, WEIGHT), max_size=8))
def test_one_and_many_agree(rows):
    retention = np.array([r for r, _ in rows], dtype=np.float64)
    weight = np.array([w for _, w in rows], dtype=np.float64)
    alone = [prior(r, w) for r, w in rows]
    assert all(type(p) is float and type(prior_factor(p)) is float for p in alone)
    assert prior(retention, weight).tolist() == alone
    assert prior_factor(prior(retention, weight)).tolist() == [prior_factor(p) for p in alone]


@given(a=SHARE, b=SHARE, weight=WEIGHT, heavier=st.floats(0, 5))
def test_the_factor_keeps_its_span_and_grows_with_both(a, b, weight, heavier):
    less, more = sorted((a, b))
    low, high = prior_factor(prior(less, weight)), prior_factor(prior(more, weight))
    assert 0.85 <= low <= high <= 1.0
    assert high <= prior_factor(prior(more, weight + heavier))


@given(retention=SHARE, affect=st.sampled_from(sorted(PALETTE)), other=SHARE)
def test_no_mood_and_no_age_lifts_a_match_over_one_more_than_a_fifth_better(retention, affect, other):
    weaker = 0.8 * prior_factor(prior(retention, affect_weight(affect)))
    assert weaker < 1.0 * prior_factor(prior(other, 1.0))
