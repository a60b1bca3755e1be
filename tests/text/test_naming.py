"""Names: one sentence, one name; what cannot be a name is refused with a reason."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.errors import InvalidInput
from memtui.text.naming import (
    check_name,
    clean_text,
    is_blank,
    normalise_summary,
    slug,
    unnamed_engram,
)

ANY_TEXT = st.text(st.characters(exclude_categories=()))


@pytest.mark.parametrize(
    "other",
    [
        "İstanbul ofisi  taşındı",
        "istanbul ofisi taşındı",
        "  İSTANBUL\tofisi\ntaşındı. ",
        unicodedata.normalize("NFD", "İstanbul ofisi taşındı."),
        "ｉstanbul ofisi taşındı.",
    ],
)
def test_the_same_sentence_gets_the_same_name(other):
    assert unnamed_engram(other) == unnamed_engram("İstanbul ofisi taşındı.")


def test_an_unnamed_engram_is_named_by_its_hash():
    assert unnamed_engram("The kettle is on.") == unnamed_engram("the  kettle is ON")
    assert re.fullmatch("rem-[0-9a-f]{10}", unnamed_engram(""))
    assert unnamed_engram("The kettle is on") != unnamed_engram("The kettle is off")
    assert normalise_summary("Straße  50%. ") == "strasse 50%"
    assert normalise_summary("Wait...") == "wait.."


@given(ANY_TEXT)
def test_normalising_is_blind_to_composition_and_never_raises(text):
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    assert normalise_summary(composed) == normalise_summary(decomposed)
    assert len(unnamed_engram(text)) == 14


@pytest.mark.parametrize("name", ["a", "decisions/db-choice", "Über Größe", "...", "a b", "会议", "👍🏽", "x" * 200])
def test_names_that_are_kept(name):
    assert check_name(name) == name


def test_a_name_is_stored_composed():
    assert check_name("cafe\u0301") == "café"
    assert len(check_name("e\u0301" * 200)) == 200


@pytest.mark.parametrize("name", ["", "  ", "\u200b", ".", "..", "a\nb", "a\x00", "\x7f", "\x85", "\ud800", "x" * 201])
def test_names_that_are_refused(name):
    with pytest.raises(InvalidInput) as refused:
        check_name(name)
    assert refused.value.field == "name"
    assert refused.value.hint


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("Tech Stack & Tools", "tech-stack-tools"),
        ("  İşe Alım: 2024 ", "işe-alım-2024"),
        ("ISI", "isi"),
        ("foo_bar – baz", "foo_bar-baz"),
        ("हिन्दी में", "हिन्दी-में"),
        ("cafe\u0301", "café"),
        ("???", ""),
    ],
)
def test_slugs(heading, expected):
    assert slug(heading) == expected


@pytest.mark.parametrize(
    "text", ["", " \t\n", "\u200b\u200d", "\ufeff", "\u2060\xad", "\u3164", "\u2800", "\x00\x07", "\ufe0f", "\u202e"]
)
def test_what_shows_nothing_is_blank(text):
    assert is_blank(text)


@pytest.mark.parametrize("text", ["a", ".", "\u200bx", "\u0301", "👍", "\ud800"])
def test_what_shows_something_is_not(text):
    assert not is_blank(text)


def test_halves_of_a_character_are_replaced_and_told():
    assert clean_text("a\ud800b") == ("a\ufffdb", True)
    assert clean_text("a👍\x00") == ("a👍\x00", False)
