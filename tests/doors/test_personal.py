"""Personal memories through the command line: whose they are, where they lie, and that nothing betrays them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from memtui.doors.cli.main import _COMMANDS

ADA, BO = "ada@example.org", "bo@example.org"
SECRET = "xylophone"


@pytest.fixture
def person(memtui, monkeypatch):
    """Run a command as someone, about their own memories."""

    def call(who, *words, **options):
        monkeypatch.setenv("MEMTUI_PERSONAL_ID", who)
        answer = memtui("--personal", *words, **options)
        monkeypatch.delenv("MEMTUI_PERSONAL_ID")
        return answer

    return call


VERBS = [
    ("remember", "x"),
    ("update", "x", "--tag", "y"),
    ("supersede", "x", "y"),
    ("forget", "x"),
    ("revive", "x"),
    ("delete", "x", "--force"),
    ("recall", "x"),
    ("search", "x"),
    ("list",),
    ("show", "x"),
    ("history", "x"),
    ("history", "--search", "x"),
    ("diff", "--from", "2020-01-01", "--to", "2021-01-01"),
    ("status",),
    ("dedup", "items.jsonl"),
    ("embed", "status"),
    ("embed", "refresh"),
    ("sync",),
    ("export", "--out", "out.jsonl"),
    ("import", "items.jsonl"),
    ("consolidate",),
    ("review", "log"),
    ("review", "undo"),
]


@pytest.mark.parametrize("identity", [None, "", "  ", "a\x1bb"])
def test_without_an_identity_everything_fails_closed(memtui, write, monkeypatch, identity):
    write("items.jsonl", '{"kind": "engram", "summary": "x"}\n')
    memtui("remember", "x", "--name", "x")
    before = memtui("export").out
    if identity is not None:
        monkeypatch.setenv("MEMTUI_PERSONAL_ID", identity)
    for words in VERBS:
        refused = memtui(*words, "--personal", "--json")
        assert (refused.status, refused.out, refused.error["code"]) == (1, "", "refused"), words
        assert "MEMTUI_PERSONAL_ID" in refused.error["message"]
    assert not Path(os.environ["MEMTUI_PERSONAL_DIR"]).exists()
    assert memtui("export").out == before


def test_every_command_is_covered_above_or_has_no_personal_side(memtui, monkeypatch):
    alone = {"init", "note", "where", "demo", "hook"}
    assert {words[0] for words in VERBS} | alone == set(_COMMANDS)
    monkeypatch.setenv("MEMTUI_PERSONAL_ID", ADA)
    for words in (("init",), ("note", "x"), (".",)):
        refused = memtui(*words, "--personal", "--json")
        assert (refused.status, refused.error["field"]) == (2, "--personal"), words
    assert memtui("status", "--json").json["records"] == 0


def test_no_vault_is_needed(door, monkeypatch, vault):
    monkeypatch.setenv("MEMTUI_PERSONAL_ID", ADA)
    assert door("remember", "--personal", "I take tea", "--name", "tea", "--json").json["scope"] == f"personal:{ADA}"
    assert door("--personal", "list", "--names").out == "tea\n"
    assert door("--personal", "status", "--json").json["partition"] == f"personal:{ADA}"
    assert list(vault.iterdir()) == []
    folder = Path(os.environ["MEMTUI_PERSONAL_DIR"])
    (store,) = folder.glob("*.duckdb")
    assert (folder.stat().st_mode & 0o777, store.stat().st_mode & 0o777) == (0o700, 0o600)
    assert "ada" not in store.name
    assert door("list").status == 1
    assert door("--personal", "--vault", str(vault / "nowhere"), "list").status == 1


def test_they_follow_the_person_and_stay_out_of_the_vault(person, memtui, vault):
    person(ADA, "remember", f"I play the {SECRET}", "--name", "music")
    assert [h["name"] for h in person(ADA, "recall", SECRET, "--json").json["hits"]] == ["music"]
    assert memtui("export").out.count("\n") == 1
    assert SECRET.encode() not in b"".join(p.read_bytes() for p in vault.rglob("*") if p.is_file())
    memtui("remember", "The vault's own", "--name", "own")
    assert person(ADA, "list", "--names").out == "music\n"
    assert person(ADA, "recall", "vault own", "--json").json["hits"] == []
    assert person(ADA, "show", "own").status == 1


def test_nothing_betrays_another_persons_memories(person, memtui, monkeypatch):
    person(ADA, "remember", f"I play the {SECRET}", "--name", f"{SECRET}-lessons", "--tag", SECRET)
    person(ADA, "remember", "Gone", "--name", f"{SECRET}-gone")
    person(ADA, "forget", f"{SECRET}-gone")
    stamp = person(ADA, "status", "--json").json["records"]
    assert stamp == 1

    def everyone_else(*words):
        monkeypatch.delenv("MEMTUI_PERSONAL_ID", raising=False)
        return [person(BO, *words), memtui(*words)]

    for words in (
        ("list", "--all"),
        ("recall", SECRET, "--all"),
        ("recall", SECRET[:5], "--all"),
        ("recall", "xylophnoe", "--explain"),
        ("search", SECRET, "--json"),
        ("recall", SECRET, "--as-of", "2020-01-01"),
        ("status",),
        ("history", "--search", "play"),
        ("diff", "--from", "2020-01-01", "--to", "2020-01-02"),
        ("export",),
        ("show", f"{SECRET}-lesson"),
        ("show", "xylo"),
        ("forget", f"{SECRET}-lessons"),
        ("revive", f"{SECRET}-gone"),
        ("update", f"{SECRET}-lessons", "--tag", "x"),
        ("supersede", f"{SECRET}-lessons", "x"),
        ("history", f"{SECRET}-lessons"),
    ):
        for answer in everyone_else(*words):
            said = (answer.out + answer.err).replace(f"{SECRET}-lessons", "").replace(f"{SECRET}-lesson", "")
            said = said.replace(f"'{SECRET}-gone'", "").replace(f"'{SECRET}'", "").replace(f'"{SECRET}"', "")
            assert SECRET not in said, words
            assert "play" not in said or "'play'" in said, words
            assert ADA not in said, words
    for words in (("recall", "xylophnoe", "--json"), ("show", "xylophone-lessns", "--json")):
        for answer in everyone_else(*words):
            assert "choices" not in (json.loads(answer.err)["error"] if answer.err else {})
            assert not answer.out or json.loads(answer.out)["hits"] == []
    near = [
        person(BO, "remember", f"I play the {SECRET}", "--if-new", "--json").json["near"],
        memtui("remember", f"I play the {SECRET}", "--json").json["near"],
    ]
    assert near == [[], []]
    assert len(person(ADA, "history", f"{SECRET}-lessons", "--json").json["versions"]) == 1


def test_each_has_names_of_their_own(person, memtui):
    for who in (ADA, BO):
        assert person(who, "remember", f"of {who}", "--name", "same", "--json").json["seq"] == 1
    memtui("remember", "of the vault", "--name", "same")
    person(ADA, "forget", "same")
    assert person(BO, "show", "same", "--json").json["summary"] == f"of {BO}"
    assert memtui("show", "same", "--json").json["state"] == "in_force"
    assert person(ADA, "show", "same", "--json").json["state"] == "forgotten"
    assert person(ADA, "revive", "same", "--json").json["scope"] == f"personal:{ADA}"


def test_the_whole_life_of_a_personal_memory(person):
    stamps = [
        person(ADA, *words, "--json").json["recorded_at"]
        for words in (
            ("remember", "I take tea", "--name", "tea"),
            ("update", "tea", "--summary", "I take black tea"),
            ("supersede", "tea", "I take coffee", "--name", "coffee"),
        )
    ]
    assert person(ADA, "recall", "take", "--as-of", stamps[0], "--json").json["hits"][0]["title"] == "I take tea"
    person(ADA, "recall", "coffee")
    assert [c["cue"] for c in person(ADA, "show", "coffee", "--json").json["cues"]] == ["coffee"]
    assert [v["operation"] for v in person(ADA, "history", "tea", "--json").json["versions"]] == [
        "remember",
        "update",
        "supersede",
    ]
    assert len(person(ADA, "history", "--search", "tea", "--json").json["versions"]) == 2
    told = person(ADA, "diff", "--from", stamps[1], "--to", stamps[2], "--json").json
    assert [r["name"] for r in told["learned"]] == ["coffee"]
    refused = person(ADA, "--read-only", "forget", "coffee")
    assert (refused.status, "read-only" in refused.err) == (1, True)


def test_advice_is_about_the_same_memories(person):
    person(ADA, "remember", "I take tea", "--name", "tea")
    other = person(ADA, "remember", "I take coffee", "--name", "tea")
    assert "`memtui --personal update tea --summary …`" in other.err
    assert "`memtui --personal supersede tea …`" in other.err
    assert "`memtui --personal list --names`" in person(ADA, "show", "zebra").err
    person(ADA, "forget", "tea")
    assert "`memtui --personal revive tea`" in person(ADA, "remember", "I take tea", "--name", "tea", "--json").err
    assert "`memtui --personal forget tea`" in person(ADA, "delete", "tea", "--force").err


def test_the_base_is_shared_read_only_and_filled_by_a_personal_sync(person, memtui, tmp_path, monkeypatch):
    shared = tmp_path / "shared"
    (shared / "knowledge").mkdir(parents=True)
    (shared / "knowledge" / "house.md").write_text("# House rules\n\nShoes off.\n")
    config = tmp_path / "memtui.toml"
    config.write_text(f"base = [{json.dumps(str(shared))}]\n")
    monkeypatch.setenv("MEMTUI_CONFIG", str(config))
    assert person(ADA, "sync", "--json").json["added"] == 1
    (hit,) = person(ADA, "recall", "shoes", "--json").json["hits"]
    assert (hit["scope"], hit["kind"]) == ("base", "knowledge")
    refused = person(ADA, "delete", hit["name"], "--force")
    assert (refused.status, (shared / "knowledge" / "house.md").exists()) == (1, True)
    assert memtui("recall", "shoes", "--json").json["hits"] == []
