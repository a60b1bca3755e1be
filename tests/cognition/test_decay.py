"""Forgetting and spacing: known values, and the laws that recalling never harms a memory."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.cognition.decay import (
    LABEL_CODES,
    derived_confidence,
    reinforced,
    retention,
    retentions,
    spaced,
    stabilities,
    stability,
)
from memtui.cognition.policy import DEFAULT_MEMORY_POLICY, MemoryPolicy
from memtui.model.instants import DAY, HOUR
from tests.twins.ledger import confidence_code

KNOWN = json.loads((Path(__file__).parent / "known_values.json").read_text(encoding="utf-8"))

DAYS = st.floats(0, 400)
STABILITY = st.floats(0.01, 500)
SINCE = st.integers(0, 300 * DAY)
RECALLS = st.lists(st.integers(0, 400 * DAY), max_size=12).map(sorted)
CLOSE_RECALLS = st.lists(st.integers(0, 3 * HOUR), max_size=12).map(sorted)
NUMBERS = st.floats(0, 20) | st.sampled_from([1.0, 1.15, 5.0, 10.0])
LABELS = st.sampled_from(["faint", "firm", "burning", "Faint", "BURNING", "odd", ""])


@pytest.mark.parametrize("row", KNOWN["stability"])
def test_stability_agrees_with_known_values(row):
    assert stability(row["confidence"], row["stability_days"]) == pytest.approx(row["expected"], abs=1e-9)


@pytest.mark.parametrize("row", KNOWN["retention"])
def test_retention_agrees_with_known_values(row):
    assert retention(row["days"], row["stability"]) == pytest.approx(row["expected"], abs=1e-9)


@pytest.mark.parametrize("row", KNOWN["spaced"])
def test_spacing_agrees_with_known_values(row):
    assert spaced(row["stability"], row["days"]) == pytest.approx(row["expected"], abs=1e-9)


@pytest.mark.parametrize(
    ("confidence", "stability_days", "days"),
    [
        ("FIRM", None, 15.0),
        ("Burning", None, 45.0),
        ("somewhat", None, 15.0),
        (math.nan, None, 15.0),
        (2, None, 7.5),
        (None, 0.01, 0.1),
        ("faint", 90, 90.0),
        (8, math.inf, 33.0),
        (8, math.nan, 33.0),
    ],
)
def test_stability_of_labels_numbers_and_nonsense(confidence, stability_days, days):
    assert stability(confidence, stability_days) == pytest.approx(days)


@given(
    rows=st.lists(
        st.tuples(st.none() | NUMBERS | LABELS, st.none() | st.floats(-3, 200) | st.sampled_from([math.inf, math.nan])),
        max_size=8,
    )
)
def test_both_forms_of_stability_agree(rows):
    confidence = np.array([confidence_code(given) for given, _ in rows], dtype=np.float64)
    days = np.array([math.nan if given is None else given for _, given in rows], dtype=np.float64)
    assert stabilities(confidence, days).tolist() == [stability(*row) for row in rows]


def test_labels_have_codes_that_no_number_has():
    assert LABEL_CODES == {"faint": -1.0, "firm": -2.0, "burning": -3.0}
    assert all(confidence_code(label) == code for label, code in LABEL_CODES.items())


@given(rows=st.lists(st.tuples(st.none() | st.floats(-5, 400), STABILITY), max_size=8))
def test_both_forms_of_retention_agree(rows):
    days = np.array([math.nan if given is None else given for given, _ in rows], dtype=np.float64)
    stability = np.array([given for _, given in rows], dtype=np.float64)
    assert retentions(days, stability).tolist() == pytest.approx([retention(*row) for row in rows], rel=1e-12)


@given(earlier=DAYS, later=DAYS, stability=st.floats(0.6, 500), longer=st.floats(0, 500))
def test_retention_falls_with_time_and_rises_with_stability(earlier, later, stability, longer):
    earlier, later = sorted((earlier, later))
    assert 0 < retention(later, stability) <= retention(earlier, stability) <= 1
    assert retention(later, stability) <= retention(later, stability + longer)


def test_after_one_stability_a_memory_has_fallen_to_one_over_e():
    assert retention(15.0, 15.0) == pytest.approx(math.exp(-1))
    assert retention(None, 0.1) == 1.0


@given(stability=STABILITY, days=st.none() | DAYS)
def test_spacing_never_shortens_and_ends_at_sixty_days_or_where_it_was(stability, days):
    floored = max(0.1, stability)
    assert floored <= spaced(stability, days) <= max(60.0, floored)


def test_a_recall_is_measured_from_the_last_reinforcement():
    once = reinforced(15.0, 0, [15 * DAY])
    assert once.stability == pytest.approx(15 * (1 + 0.5 * math.exp(-1)))
    assert (once.last, once.counted) == (15 * DAY, 1)
    twice = reinforced(15.0, 0, [15 * DAY, 17 * DAY])
    assert twice.stability == pytest.approx(once.stability * (1 + 0.5 * math.exp(-2 / once.stability)))
    revived_between = reinforced(15.0, 16 * DAY, [15 * DAY, 17 * DAY])
    assert revived_between.stability == pytest.approx(15 * 1.5 * (1 + 0.5 * math.exp(-1 / 22.5)))


def test_recalls_before_the_last_change_count_for_spacing_only():
    changed = reinforced(10.0, 50 * DAY, [DAY])
    assert changed.stability == pytest.approx(15.0)
    assert (changed.last, changed.counted) == (50 * DAY, 1)
    assert changed.retention_at(65 * DAY) == pytest.approx(math.exp(-1))


def test_recalls_within_an_hour_count_once_but_all_reinforce():
    burst = reinforced(15.0, 0, [DAY, DAY + HOUR // 2, DAY + HOUR])
    assert burst.counted == 1
    assert burst.stability == reinforced(15.0, 0, [DAY]).stability
    assert burst.last == DAY + HOUR
    assert reinforced(15.0, 0, [DAY, DAY + HOUR // 2, DAY + HOUR + 1]).counted == 2


def test_without_recalls_a_memory_is_as_its_author_left_it():
    alone = reinforced(15.0, 7 * DAY, [])
    assert (alone.stability, alone.last, alone.counted) == (15.0, 7 * DAY, 0)


@given(stability=STABILITY, since=SINCE, recalls=RECALLS | CLOSE_RECALLS, after=st.data())
def test_one_more_recall_never_lowers_retention_at_any_later_time(stability, since, recalls, after):
    one_more = after.draw(st.integers(recalls[-1] if recalls else 0, 500 * DAY))
    now = after.draw(st.integers(max(one_more, since), 1000 * DAY))
    less, more = reinforced(stability, since, recalls), reinforced(stability, since, [*recalls, one_more])
    assert more.stability >= less.stability
    assert more.last >= less.last
    assert more.counted - less.counted in (0, 1)
    assert more.retention_at(now) >= less.retention_at(now)


@given(stability=STABILITY, since=SINCE, recalls=RECALLS | CLOSE_RECALLS)
def test_stability_never_falls_below_the_authored_one(stability, since, recalls):
    authored = max(0.1, stability)
    assert authored <= reinforced(stability, since, recalls).stability <= max(60.0, authored)


@pytest.mark.parametrize(
    ("confidence", "counted", "derived"),
    [
        (None, 0, 3.0),
        (None, 4, 3.2),
        ("faint", 0, 1.0),
        ("Firm", 1, 3.05),
        ("burning", 2, 5.1),
        ("odd", 0, 3.0),
        (math.nan, 0, 3.0),
        (9.9, 100, 10.0),
        (7, 0, 7.0),
    ],
)
def test_derived_confidence(confidence, counted, derived):
    assert derived_confidence(confidence, counted) == pytest.approx(derived)


def test_a_policy_of_ones_own_is_obeyed_everywhere():
    own = MemoryPolicy(stability_firm=30.0, spacing_gain=1.0, longest_spaced=40.0, shortest_stability=1.0)
    assert stability("firm", None, own) == stability(5, None, own) == 30.0
    assert stabilities(np.array([LABEL_CODES["firm"]]), np.array([math.nan]), own).tolist() == [30.0]
    assert stability(None, 0.5, own) == 1.0
    assert reinforced(30.0, 0, [0], own).stability == 40.0
    assert DEFAULT_MEMORY_POLICY.stability_firm == 15.0
