"""What is embedded of a text: nothing of one that says next to nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.text.chunking import Chunk, chunks_of, embeddable, says_something
from memtui.text.searchable import SearchableText


@pytest.mark.parametrize(
    "text", ["", " \n", "x", "fix", "deploy", "x y", "a b c", "14.5 kg", "!!! ???", "🎉🎉", "会议", "olv-214"]
)
def test_what_says_next_to_nothing(text):
    assert not says_something(text)


@pytest.mark.parametrize(
    "text", ["ab cd", "İş bitti", "get_name", "下周一开会", "日本語のテスト", "Привет мир", "한국어 말", "วันจันทร์นี้"]
)
def test_what_says_something(text):
    assert says_something(text)


@given(st.text(), st.text(), st.text())
def test_what_says_something_still_does_in_a_longer_text(before, text, after):
    if says_something(text):
        assert says_something(f"{before}\n{text}\n{after}")


def test_of_a_text_all_chunks_are_embedded_or_none():
    small, large = Chunk(0, 1, "x"), Chunk(1, 9, "more of it")
    assert embeddable((small, large)) == (small, large)
    assert embeddable((small,)) == embeddable(()) == ()
    assert chunks_of(SearchableText("", "x", "", "", ""), whole=True)[0].text == "x"
