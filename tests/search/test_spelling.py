"""Words spelt nearly alike: what the arithmetic rules out is never near, and nothing near is ruled out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from memtui.search.spelling import Spellings, steps_allowed
from memtui.text.folding import fold_accents

LETTERS = "abcçiıößzéж~"
WORDS = st.text(LETTERS, max_size=10)


def near(terms, spelling, most):
    return set(Spellings(terms).near(spelling, most))


@given(st.lists(WORDS, max_size=20), st.text("abcioz", min_size=1, max_size=9), st.booleans(), st.integers(0, 2))
def test_the_nearest_are_those_a_plain_comparison_finds(terms, letters, marked, most):
    spelling = "~" * marked + letters
    expected = {
        (term, OSA.distance(spelling, fold_accents(term)))
        for term in terms
        if term.removeprefix("~").isalpha()
        and term.startswith("~") == marked
        and len(fold_accents(term)) == len(term)
        and OSA.distance(spelling, fold_accents(term)) <= most
    }
    spellings = Spellings(terms)
    assert set(spellings.near(spelling, most)) == expected
    assert set(spellings.near(spelling, most)) == expected  # also when it is remembered


@pytest.mark.parametrize("typed", ["schmea", "scema", "schemas", "schama"])
def test_one_step_is_a_letter_less_more_other_or_changed_about(typed):
    assert near(["schema", "scheme", "~schema"], typed, 1) == {("schema", 1)}


def test_stems_are_near_stems_and_forms_near_forms():
    assert near(["çağrı", "~cagr"], "cagi", 1) == {("çağrı", 1)}
    assert near(["çağrı", "~cagr"], "~cgar", 1) == {("~cagr", 1)}


@pytest.mark.parametrize(
    ("spelling", "steps"),
    [("map", 0), ("~map", 0), ("mill", 1), ("~mill", 1), ("harbour", 1), ("harbours", 2), ("pg16x", 0), ("a-bcd", 0)],
)
def test_how_far_a_word_may_be_mistyped_follows_its_length(spelling, steps):
    assert steps_allowed(spelling) == steps
