"""Completion of names: what a vault, or a person, holds; and nothing that a shell would take for something else."""

from __future__ import annotations

import pytest


@pytest.fixture
def complete(memtui, monkeypatch, capsys):
    """What completion offers for a line, whose last word is being typed."""

    def call(*words):
        monkeypatch.setenv("_MEMTUI_COMPLETE", "bash_complete")
        monkeypatch.setenv("COMP_WORDS", " ".join(["memtui", *words]))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        answer = memtui()
        monkeypatch.delenv("_MEMTUI_COMPLETE")
        assert answer.err == ""
        return [row.partition(",")[2] for row in answer.out.splitlines() if row]

    return call


@pytest.fixture
def filled(memtui, prepared, write):
    """A vault of many names, some of which a shell would read as commands."""

    def build():
        write("knowledge/port-plan.md", "# Plan\n")
        memtui("sync")
        for name in ("port", "port-old", "tea", "$(touch pwned)", "two words", "naïve", "a`b`", "; rm x"):
            memtui("remember", f"about {name}", "--name", name)
        memtui("forget", "port-old")
        memtui("note", "an entry")

    prepared("filled", build)
    return memtui


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("show", "po"), ["port", "port-old", "port-plan"]),
        (("history", "po"), ["port", "port-old", "port-plan"]),
        (("update", "po"), ["port", "port-plan"]),
        (("forget", "po"), ["port"]),
        (("supersede", "po"), ["port"]),
        (("revive", ""), ["port-old"]),
        (("delete", "po"), ["port-plan"]),
        (("forget", "tea", "--superseded-by", "po"), ["port"]),
        (("show", "engram/"), ["engram/naïve", "engram/port", "engram/port-old", "engram/tea"]),
        (("show", "--as-of", "2020-01-01", ""), []),
        (("show", "--as-of", "nonsense", ""), []),
        (("remember", "x", "--kind", "e"), ["engram", "evidence"]),
        (("remember", "x", "--affect", "s"), ["surprise"]),
        (("remember", "x", "--confidence", "f"), ["faint", "firm"]),
        (("export", "--format", ""), ["jsonl"]),
    ],
)
def test_offers(filled, complete, words, offered):
    assert complete(*words) == offered


def test_entries_of_the_change_log(filled, complete):
    (entry,) = complete("note", "x", "--supersedes", "")
    assert filled("show", entry, "--json").json["kind"] == "changelog"


def test_quietly_nothing(door, vault, monkeypatch, capsys):
    monkeypatch.setenv("_MEMTUI_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_CWORD", "2")
    for line in ("memtui show x", "memtui --personal show x", "memtui --vault /nowhere show x"):
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(line.split()) - 1))
        answer = door()
        assert (answer.out.strip(), answer.err) == ("", "")
    assert list(vault.iterdir()) == []
    (vault / ".memtui").mkdir()
    (vault / ".memtui" / "memory.duckdb").write_bytes(b"not a store")
    monkeypatch.setenv("COMP_WORDS", "memtui show x")
    monkeypatch.setenv("COMP_CWORD", "2")
    answer = door()
    assert (answer.out.strip(), answer.err) == ("", "")


def test_completing_writes_nothing(filled, complete, write):
    before = filled("export").out
    write("new-port.md", "# New\n")
    assert complete("show", "new") == []
    assert filled("export").out == before


def test_nobody_is_offered_another_persons_names(filled, complete, monkeypatch):
    monkeypatch.setenv("MEMTUI_PERSONAL_ID", "ada@example.org")
    filled("--personal", "remember", "mine", "--name", "port-mine")
    assert complete("--personal", "show", "po") == ["port-mine"]
    assert complete("show", "--personal", "po") == ["port-mine"]
    assert complete("show", "po") == ["port", "port-old", "port-plan"]
    monkeypatch.setenv("MEMTUI_PERSONAL_ID", "bo@example.org")
    assert complete("--personal", "show", "po") == []
    monkeypatch.delenv("MEMTUI_PERSONAL_ID")
    assert complete("--personal", "show", "po") == []
