"""Batches of texts: like lengths together, each text once, and no more than memory is for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memtui.embedding.batching import batches


def test_batches_hold_like_lengths_and_bounded_memory():
    texts = ["x" * (i * 37 % 4_000) for i in range(300)]
    made = list(batches(texts, 32, 16_000))
    assert sorted(i for batch in made for i in batch) == list(range(300))
    assert all(len(batch) == 1 or len(batch) * max(len(texts[i]) for i in batch) <= 16_000 for batch in made)
    assert max(map(len, made)) == 32
    longest = [max(len(texts[i]) for i in batch) for batch in made]
    assert longest == sorted(longest)


@given(lengths=st.lists(st.integers(0, 50), max_size=40), most=st.integers(1, 9))
def test_without_a_bound_all_but_the_last_are_full_and_lengths_never_fall(lengths, most):
    texts = ["x" * length for length in lengths]
    made = list(batches(texts, most))
    assert [len(texts[i]) for batch in made for i in batch] == sorted(lengths)
    assert all(len(batch) == most for batch in made[:-1])
    assert list(batches([], most)) == []
