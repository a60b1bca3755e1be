"""Where only some of a vault is embedded: what waits is worth what its words are, and no less."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.model.explaining import reason
from tests.search.test_meaning import asked, names, remembered

SUMMARIES = (
    "The red kettle whistles",
    "A red lamp beside a long white wall of the kitchen",
    "The kettle is red, the red kettle",
    "Nothing is left of the old kettle but its handle",
)
OTHER = ("password", "How a forgotten login is renewed", 20)
ANGLES = st.lists(st.integers(0, 180), min_size=len(SUMMARIES), max_size=len(SUMMARIES))


def kettles(angles):
    return remembered(OTHER, *((f"n{i}", text, angle) for i, (text, angle) in enumerate(zip(SUMMARIES, angles))))  # noqa: B905


def of_kettles(result):
    return [name for name in names(result) if name != "password"]


def test_where_nothing_that_the_words_find_is_embedded_their_order_and_ratios_stay():
    ledger = kettles([None] * len(SUMMARIES))
    by_words = {hit.name: hit.rank_score for hit in asked(ledger, "red kettle", meaning=None).hits}
    found = asked(ledger, "red kettle")
    assert found.fused
    fused = {hit.name: hit.rank_score for hit in found.hits if hit.name != "password"}
    assert list(fused) == list(by_words)
    assert fused == pytest.approx(by_words)


@given(angles=ANGLES, waits=st.integers(0, len(SUMMARIES) - 1))
@settings(max_examples=60, deadline=None)
def test_what_waits_stays_before_whoever_is_less_by_words_and_no_nearer_than_that(angles, waits):
    ledger = kettles([None if i == waits else angle for i, angle in enumerate(angles)])
    hits = {hit.name: hit for hit in asked(ledger, "red kettle").hits}
    own = hits[f"n{waits}"]
    for hit in hits.values():
        by_words, by_meaning = shares(hit)
        if hit is not own and by_words <= shares(own)[0] and by_meaning <= by_words:
            assert hit.rank_score <= own.rank_score + 1e-9


def shares(hit):
    """What a hit is worth by words and by meaning, as its explanation tells it."""
    nodes = [node for _, node in hit.explanation.walk()]
    planes = [next(n for n in nodes if n.label == label) for label in ("by words", "by meaning")]
    return tuple(plane.children[1].value for plane in planes)


def test_its_explanation_says_that_it_waits():
    hits = {hit.name: hit for hit in asked(kettles([None, 10, 20, 170]), "red kettle").hits}
    assert shares(hits["n0"])[0] == shares(hits["n0"])[1] > 0
    assert "it is not embedded yet, so that alone counts." in reason(hits["n0"].explanation)
    assert "not embedded" not in reason(hits["n3"].explanation)
    for hit in hits.values():
        assert hit.explanation.evaluate() == pytest.approx(hit.rank_score, abs=1e-9)


def test_what_is_far_among_very_many_that_are_near_is_no_unknown():
    """Beyond the best fifty nothing is told apart: that is known, and counts for nothing."""
    crowd = [(f"near{i}", f"thing {i}", 10 + i % 20, {"tags": ("x",)}) for i in range(80)]
    ledger = remembered(*crowd, ("far", "The red kettle", 85, {"tags": ("x",)}))
    hit = next(hit for hit in asked(ledger, "red kettle door", tags=("x",), limit=100).hits if hit.name == "far")
    assert shares(hit)[1] == 0.0
    assert hit.explanation.evaluate() == pytest.approx(hit.rank_score, abs=1e-9)
