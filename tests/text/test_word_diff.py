"""Word diffs: both texts can be read off one, and what stays is not told as changed."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.text.word_diff import MOST_PIECES, word_diff

texts = st.text(alphabet="ab cé,\n小", max_size=40) | st.text(max_size=30)


def read(parts, kinds):
    return "".join(part.text for part in parts if part.change in kinds)


@settings(max_examples=200)
@given(texts, texts)
def test_both_texts_are_in_it_letter_for_letter(before, after):
    parts = word_diff(before, after)
    assert read(parts, ("same", "gone")) == before
    assert read(parts, ("same", "added")) == after


@given(texts)
def test_a_text_does_not_differ_from_itself(text):
    assert all(part.change == "same" for part in word_diff(text, text))


def test_a_changed_word_is_told_and_nothing_beside_it():
    parts = word_diff("The mill grinds at six every day", "The mill grinds at seven every day")
    assert [(part.text, part.change) for part in parts] == [
        ("The mill grinds at ", "same"), ("six", "gone"), ("seven", "added"), (" every day", "same"),
    ]  # fmt: skip


def test_a_blank_between_two_changed_words_does_not_part_them():
    parts = word_diff("it is cold here", "it gets warm here")
    assert [(part.text, part.change) for part in parts if part.change != "same"] == [
        ("is cold", "gone"), ("gets warm", "added"),
    ]  # fmt: skip


def test_very_long_texts_are_told_by_what_they_begin_and_end_with():
    head, tail = "one two " * MOST_PIECES, " three four" * MOST_PIECES
    parts = word_diff(f"{head}old{tail}", f"{head}new{tail}")
    assert read(parts, ("same", "gone")) == f"{head}old{tail}"
    assert [part.text for part in parts if part.change != "same"] == ["old", "new"]
