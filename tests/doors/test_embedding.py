"""embed, and what recall says of meaning, through the command line."""

from __future__ import annotations

import pytest


@pytest.fixture
def hashing(memtui, monkeypatch):
    """A vault of two memories whose embedder is quick, and says itself that it is not semantic."""
    monkeypatch.setenv("MEMTUI_EMBEDDER", "hash-v1")
    memtui("remember", "The kettle is on the second shelf", "--name", "kettle")
    memtui("remember", "The mill presses olives", "--name", "mill")
    return memtui


def test_what_waits_is_embedded_once(hashing):
    assert hashing("embed", "status", "--json").json == {
        "model_id": "hash-v1", "dims": 384, "chunks": 0, "embedded": 0, "texts": 2,
    }  # fmt: skip
    assert hashing("embed", "refresh", "--json").json == {"texts": 2, "chunks": 2, "waiting": 0}
    assert hashing("embed", "refresh", "--json").json == {"texts": 0, "chunks": 0, "waiting": 0}
    assert hashing("embed", "refresh", "--force").out == "2 texts embedded in 2 new chunks\n"
    assert hashing("status", "--json").json["embedding"] == {
        "model_id": "hash-v1", "dims": 384, "chunks": 2, "embedded": 2,
    }  # fmt: skip
    assert hashing("embed", "status").out == "hash-v1  384 wide\n2 of 2 texts embedded in 2 chunks\n"


def test_an_answer_says_what_ran(hashing):
    found = hashing("search", "shelf of the kettles", "--semantic", "--json").json
    assert (found["plane"], found["degraded"]) == ("lexical", True)
    assert "memtui embed refresh" in found["reason"]
    hashing("embed", "refresh")
    found = hashing("recall", "shelf of the kettles", "--semantic", "--fusion", "rrf", "--json").json
    assert (found["plane"], found["semantic"], found["degraded"], found["fusion"]) == ("hybrid", False, True, "rrf")
    assert found["reason"] == "hash-v1 is not semantic"
    assert found["hits"][0]["name"] == "kettle"
    assert "hybrid (hash-v1 is not semantic)" in hashing("recall", "shelf", "--semantic").out
    plain = hashing("recall", "shelf", "--semantic", "--plain")
    assert ("hash-v1" in plain.out, plain.err) == (False, "memtui: hybrid (hash-v1 is not semantic)\n")
    decided = hashing("recall", "second shelf kettle", "--json").json
    assert (decided["plane"], decided["degraded"], decided["reason"]) == ("lexical", False, "decided by words")
    assert "lexical (decided by words)" in hashing("recall", "second shelf kettle").out
    words = hashing("recall", "second shelf", "--no-semantic", "--json").json
    assert (words["plane"], words["degraded"], words["reason"], words["fusion"]) == ("lexical", False, None, None)


@pytest.mark.parametrize("words", [("refresh", "x"), ("pull",), ("status", "x")])
def test_a_model_is_named_only_to_pull_it(memtui, words):
    answer = memtui("embed", *words, "--json")
    assert (answer.status, answer.error["field"]) == (2, "MODEL")


def test_what_is_here_needs_no_pulling(memtui):
    assert memtui("embed", "pull", "hash-v1").out == "hash-v1 is here  384 wide\n"


def test_an_unknown_embedder_is_named_with_the_choices(memtui, monkeypatch):
    monkeypatch.setenv("MEMTUI_EMBEDDER", "magic")
    memtui("remember", "The kettle")
    answer = memtui("embed", "refresh", "--json")
    assert (answer.status, answer.error["field"], answer.error["value"]) == (2, "embedder", "magic")
    assert "use-multilingual" in answer.error["choices"]
    found = memtui("recall", "kettle", "--json").json  # words always answer
    assert (len(found["hits"]), found["degraded"]) == (1, True)
    assert "magic" in found["reason"]
    assert any("magic" in sentence for sentence in memtui("status", "--json").json["warnings"])


def test_none_goes_by_words(memtui, monkeypatch):
    monkeypatch.setenv("MEMTUI_EMBEDDER", "none")
    memtui("remember", "The kettle", "--name", "kettle")
    assert memtui("embed", "status").out == "no embedder is set: searches go by words\n"
    assert memtui("embed", "refresh").status == 1
    assert memtui("recall", "kettle", "--json").json["degraded"] is False


def test_a_sync_says_what_waits_to_be_embedded(hashing, write):
    write("notes/a.md", "# One\n")
    synced = hashing("sync")
    assert "3 texts wait to be embedded: `memtui embed refresh` does it" in synced.out
    hashing("embed", "refresh")
    assert "embedded" not in hashing("sync").out
