"""The gate before remembering looks for the telling words of a text, however long it is."""

from __future__ import annotations

import pytest

from memtui.errors import Refused
from memtui.memory.opening import open_memory
from memtui.model.outcomes import Near
from memtui.search.searcher import Searcher

LONG = " ".join(f"{'abcdefghij'[n % 10]}word{n:03d}" for n in range(400))


@pytest.fixture
def memory(vault, clock):
    return open_memory(vault, create=True, clock=clock)


def test_a_near_record_is_a_value_with_a_shape(memory):
    memory.remember("The olive mill opens at seven every morning", name="mill")
    written = memory.remember("The olive mill opens at seven every morning now", name="again", gate="warn")
    # olive, mill, opens, seven, every, morning are in both, now only in one
    assert written.near == (Near("engram", "mill", 6 / 7, "MERGE"),)
    assert written.as_dict()["near"] == [
        {"kind": "engram", "name": "mill", "similarity": 0.8571, "verdict": "MERGE", "by": "words"},
    ]


def test_a_very_long_text_is_looked_for_by_few_words_and_still_found(memory, monkeypatch):
    memory.remember("A long one", body=LONG, name="long")
    asked = []
    search = Searcher.search

    def noted(self, request, *rest):
        asked.append(request.query.split())
        return search(self, request, *rest)

    monkeypatch.setattr(Searcher, "search", noted)
    with pytest.raises(Refused, match="nearly the same"):
        memory.remember("A long one", body=f"{LONG} tail", name="longer", gate="refuse")
    assert [len(words) for words in asked] == [30]


@pytest.mark.parametrize(
    "fields",
    [
        {"title": "Press cleaning", "body": "Long text here with two lines\nand many more words in the second"},
        {"area": "Machine/press", "tags": ["press", "friday"]},
    ],
)
def test_the_same_sentence_is_the_same_whatever_else_one_of_them_has(memory, fields):
    said = "The press at Edremit is cleaned on Fridays"
    memory.remember(said, name="press-clean", **fields)
    with pytest.raises(Refused, match="press-clean says nearly the same"):
        memory.remember(f"{said}!", name="again", gate="refuse")
    with pytest.raises(Refused, match="nearly the same"):
        memory.remember(said, name="again", body="another body of its own, about something", gate="refuse")


@pytest.mark.parametrize(
    ("said", "otherwise"),
    [
        ("Do restart the gate service after midnight", "Do not restart the gate service after midnight"),
        ("You can restart the gate service after midnight", "You can't restart the gate service after midnight"),
        ("Kapı servisi geceleri yeniden başlatılır", "Kapı servisi geceleri yeniden başlatılır değil"),
        ("The staging gate listens on port 5", "The staging gate listens on port 6"),
    ],
)
def test_what_turns_a_sentence_round_is_shown_to_a_person_and_not_taken_for_the_same(memory, said, otherwise):
    memory.remember(said, name="first")
    written = memory.remember(otherwise, name="second", gate="refuse")
    assert [(near.name, near.verdict) for near in written.near] == [("first", "REVIEW")]
