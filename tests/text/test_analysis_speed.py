"""What the analyser may cost: any text in time that grows with its length, not with its square."""

import random
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.text.analysis import index_text, query_terms
from memtui.text.folding import canonical

pytestmark = pytest.mark.slow

MARKS = "\u0301\u0316\u0344\u3099\u0327"


@given(st.text(st.sampled_from("aöß가가ﬁ\u1fb7" + MARKS), max_size=40))
def test_a_long_text_is_brought_to_the_same_canonical_form_as_a_short_one(text):
    repeated = text * (300 // max(len(text), 1) + 1)
    assert canonical(repeated) == unicodedata.normalize("NFKC", repeated)


MANY_CHARACTERS = "".join(random.Random(1).choices([chr(c) for c in range(0x4E00, 0x9FFF)], k=1_000))
UNBROKEN = [
    "A",
    "a",
    "A-1",
    "日",
    "aB",
    "-",
    "'",
    "🙂",
    "ğ",
    "İ",
    "#a",
    "+",
    "a\u0301\u0316",
    "e\u200d",
    "AAa",
    "㍿",
    "ler",
]


@pytest.mark.parametrize("pattern", [*UNBROKEN, "aB-日ğ🙂'A1", MANY_CHARACTERS, "a" + MARKS * 2_000])
def test_one_unbroken_word_costs_what_its_length_says(pattern):
    """A generous bound for slow machines: what grows with the square of the length takes minutes."""
    text = (pattern * (250_000 // len(pattern) + 1))[:250_000]
    began = time.process_time()
    index_text(text)
    indexed = time.process_time()
    query_terms(text[:100_000])
    asked = time.process_time()
    assert indexed - began < 5
    assert asked - indexed < 3


def test_a_query_of_many_different_characters_costs_what_its_length_says():
    text = "".join(random.Random(2).choices([chr(c) for c in range(0x4E00, 0x9FFF)], k=100_000))
    began = time.process_time()
    assert len(query_terms(text).terms) > 90_000
    assert time.process_time() - began < 3
