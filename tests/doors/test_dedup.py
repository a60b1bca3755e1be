"""dedup through the command line: a file or standard input, the shape, and what is said beside the verdict."""

from __future__ import annotations

import pytest


@pytest.fixture
def known(memtui, monkeypatch):
    """A vault of two memories, of which nothing is embedded."""
    monkeypatch.setenv("MEMTUI_EMBEDDER", "use-multilingual")
    memtui("remember", "The staging gate listens on port 5433", "--name", "port")
    memtui("remember", "The mill presses olives", "--name", "mill")
    return memtui


def test_a_text_that_is_known_is_told_with_its_record(known, vault):
    (vault / "draft.txt").write_text("The staging gate listens on port 5433 now\n", encoding="utf-8")
    told = known("dedup", "draft.txt", "--json").json
    assert (told["verdict"], told["checked"], told["by"]) == ("MERGE", True, "words")
    assert "memtui embed refresh" in told["reason"]
    (near,) = told["nearest"]
    assert (near["kind"], near["name"], near["similarity"], near["margin"]) == ("engram", "port", 0.8333, 0.8333)
    answer = known("dedup", "draft.txt")
    assert answer.out.splitlines()[0] == "MERGE  port says the same: `memtui update port …` instead of keeping both"
    assert "0.83 by words" in answer.out
    assert "nothing is embedded yet" in answer.out


def test_standard_input_word_for_word_and_turned(known):
    answer = known("dedup", "-", stdin="the staging gate listens on port 5433.\n")
    assert answer.status == 0
    assert "MERGE   engram/port  word for word" in answer.out
    answer = known("dedup", "-", "--plain", stdin="The staging gate listens on port 5434")
    assert answer.rows == [
        ["REVIEW"],
        ["engram/port", "", "The staging gate listens on port 5433", "0.6667", "words", "REVIEW"],
    ]
    assert answer.err.startswith("memtui: compared by words: ")
    assert "may say the same" in known("dedup", "-", stdin="The staging gate listens on port 5434").out
    answer = known("dedup", "-", stdin="Nobody waters the roses")
    assert answer.out.startswith("CREATE  nothing is like it\n")


def test_by_meaning_or_not_at_all(known):
    answer = known("dedup", "-", "--if-present", "--json", stdin="The staging gate listens on port 5433")
    assert answer.json == {
        "verdict": "CREATE",
        "checked": False,
        "by": None,
        "reason": "not compared: nothing is embedded yet, `memtui embed refresh` does it",
        "stale": 0,
        "left_out": [],
        "nearest": [],
    }
    assert known("dedup", "-", "--if-present", stdin="x").out.startswith("CREATE  nothing was compared\n")


def test_a_page_of_the_vault_is_not_its_own_duplicate(known, write):
    write("notes/press.md", "# Press\n\nThe press is cleaned on Fridays\n")
    known("sync")
    told = known("dedup", "notes/press.md", "--json").json
    assert (told["verdict"], told["left_out"]) == ("CREATE", [{"kind": "note", "name": "notes/press"}])
    assert "its own record, note/notes/press, is left out\n" in known("dedup", "notes/press.md").out
    assert "memtui: its own record, note/notes/press, is left out\n" in known("dedup", "notes/press.md", "--plain").err
    assert "left out" not in known("dedup", "notes/press.md", "--types", "engram").out
    write("notes/late.md", "# Press\n\nThe press is cleaned on Fridays\n")
    answer = known("dedup", "notes/late.md")
    assert "left out" not in answer.out
    assert answer.out.startswith("MERGE  notes/press says the same")
    assert "1 file has changed since the last sync: `memtui sync` reads it" in answer.out
    write("memory.md", "## Press\n\nThe press is cleaned on Fridays\n\n## Mill\n\nThe mill is cleaned on Mondays\n")
    known("sync")
    assert "its own 2 records, memory/mill and so on, are left out" in known("dedup", "memory.md").out


def test_whose_and_which_records_are_compared(known, monkeypatch):
    text = "The staging gate listens on port 5433"
    assert known("dedup", "-", "--types", "task,note", "--json", stdin=text).json["nearest"] == []
    assert known("dedup", "-", "--types", "tsk", "--json", stdin=text).error["choices"]
    monkeypatch.setenv("MEMTUI_PERSONAL_ID", "ada")
    assert known("--personal", "remember", text).status == 0
    answer = known("--personal", "dedup", "-", stdin=text)
    assert "`memtui --personal update " in answer.out
    assert "`memtui --personal embed refresh`" in answer.out


@pytest.mark.parametrize("arguments", [("missing.md",), (".",), (), ("a", "b"), ("-", "-k", "0")])
def test_what_is_asked_wrongly(known, arguments):
    answer = known("dedup", *arguments, "--json", stdin="x")
    assert (answer.status, answer.out) == (2, "")


def test_nothing_is_written(known, vault):
    store = vault / ".memtui" / "memory.duckdb"
    before = store.read_bytes()
    known("dedup", "-", stdin="The staging gate listens on port 5433")
    known("dedup", "-", "--read-only", "--if-present", stdin="The staging gate")
    assert store.read_bytes() == before


@pytest.mark.slow
def test_the_default_model_tells_a_rewording_from_another_fact(known):
    """The whole way, with the model the program carries: about ten seconds."""
    known("remember", "Selin signs off every release before it goes out", "--name", "release")
    known("remember", "Users can export their data as a spreadsheet", "--name", "export")
    known("embed", "refresh")
    for text, verdict in (
        ("Users are able to export their data as a spreadsheet", "MERGE"),
        ("Users cannot export their data as a spreadsheet", "REVIEW"),
        ("Every release is signed off by Selin before anyone gets it", "REVIEW"),
        ("Users can delete their account in the settings", "CREATE"),
    ):
        told = known("dedup", "-", "--json", stdin=text).json
        assert (told["verdict"], told["by"], told["reason"]) == (verdict, "meaning", None), (text, told)
