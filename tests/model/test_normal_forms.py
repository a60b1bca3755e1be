"""Normal forms are Unicode's own, and cost what a text's length says."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.cognition.overlap import words
from memtui.model.normal_forms import nfc, nfkc
from memtui.text.naming import normalise_summary
from memtui.vault.links import Linkable, LinkResolver

MARKS = "\u0301\u0316\u0344\u3099\u0327\uff9e\u0345"


@given(st.text(st.sampled_from("aöß가가ﬁ\u1fb7 ─\u2126\n" + MARKS), max_size=12), st.text(MARKS, max_size=6))
def test_they_are_unicodes_own(text, marks):
    for long in (text + marks * 30, text * 30 + marks, (text + marks * 30) * 3 + text):
        assert nfc(long) == unicodedata.normalize("NFC", long)
        assert nfkc(long) == unicodedata.normalize("NFKC", long)


@pytest.mark.slow
@pytest.mark.parametrize("marks", ["\u0301\u0323", "\u0301\uff9e", "\u0344\u0327"])
@pytest.mark.parametrize(
    "read",
    [nfc, nfkc, normalise_summary, words, LinkResolver([Linkable("note", "a", "a.md")]).resolve],
    ids=["nfc", "nfkc", "summary", "words", "link"],
)
def test_a_letter_under_many_marks_costs_what_its_length_says(read, marks):
    """Half a minute and more where the marks are ordered by insertion."""
    began = time.process_time()
    read("a" + marks * 100_000)
    assert time.process_time() - began < 5
