"""Token sets: known values, other scripts, and Jaccard's laws."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.cognition.overlap import jaccard, merge_tokens, words
from memtui.model.records import Content

KNOWN = json.loads((Path(__file__).parent / "known_values.json").read_text(encoding="utf-8"))
SETS = st.frozensets(st.sampled_from("abcdefgh"))


@pytest.mark.parametrize("row", KNOWN["merge_tokens"])
def test_agrees_with_known_values(row):
    content = Content(**{**row["content"], "tags": tuple(row["content"].get("tags", ()))})
    assert merge_tokens(content) == set(row["expected"])


def test_area_title_summary_and_body_are_read_tags_are_not():
    content = Content(area="Plan/north", title="Gate", summary="Opens Monday", body="by rail", tags=("hidden",))
    assert merge_tokens(content) == {"plan", "north", "gate", "opens", "monday", "rail"}
    assert merge_tokens(Content()) == set()


def test_particles_make_no_two_memories_alike():
    content = Content(summary="The lid is not for you", body="Çok eski bir kapak için DEĞİL, kapı gibi")
    assert merge_tokens(content) == {"lid", "eski", "kapak", "kapi"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("İstanbul ISTANBUL ıstanbul istanbul", {"istanbul"}),
        ("src/app_main.ts don’t", {"src", "app", "main", "ts", "don", "t"}),
        ("हिन्दी में।", {"हिन्दी", "में"}),
        ("ｆｕｌｌ Straße", {"full", "strasse"}),
        ("café cafe\u0301", {"café"}),
        ("مرحبا، عالم؟", {"مرحبا", "عالم"}),
        ("«так» — да…", {"так", "да"}),
        ("? ! → _", set()),
        ("", set()),
        (None, set()),
    ],
)
def test_words_of_many_scripts(text, expected):
    assert words(text) == expected


@given(text=st.text())
def test_words_hold_no_blank_and_are_their_own_words(text):
    for word in words(text):
        assert word == word.strip() != ""
        assert not any(sign in word for sign in " -_/.,:")


@given(a=SETS, b=SETS)
def test_jaccard_is_symmetric_and_one_only_for_equals(a, b):
    assert 0 <= jaccard(a, b) == jaccard(b, a) <= 1
    assert (jaccard(a, b) == 1) == (a == b and bool(a))
    assert (jaccard(a, b) == 0) == a.isdisjoint(b)


def test_jaccard_counts_shared_over_all():
    assert jaccard({"a", "b", "c"}, {"b", "c", "d"}) == 0.5
    assert jaccard(frozenset(), frozenset()) == 0
