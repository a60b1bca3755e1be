"""Files through the command line: notes, documents edited and deleted, ledgers and items in and out."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys

import pytest


@pytest.fixture
def documents(memtui, prepared, write):
    """A vault with a document that has a file of its own, and one that shares its file."""

    def build():
        write("knowledge/db.md", "---\ntitle: Database # the old one\ntags: [ops]\n---\n# Database\n\nIt runs.\n")
        write("memory.md", "# Memory\n\n## Ports\n\n5433\n")
        memtui("sync")

    prepared("documents", build)
    return memtui


def test_update_edits_a_documents_file_and_nothing_else_of_it(documents, vault):
    file = vault / "knowledge" / "db.md"
    assert documents("update", "db", "--append", "And runs.", "--json").json["outcome"] == "updated"
    assert file.read_text() == (
        "---\ntitle: Database # the old one\ntags: [ops]\n---\n# Database\n\nIt runs.\n\nAnd runs.\n"
    )
    documents("update", "db", "--content", "-", stdin="# New\n\ntext\n")
    documents("update", "db", "--title", "Stores", "--description", "Where it is kept", "--tag", "a", "--tag", "b")
    shown = documents("show", "db", "--json").json
    assert (shown["title"], shown["summary"], shown["tags"]) == ("Stores", "Where it is kept", ["a", "b"])
    assert shown["body"].strip().endswith("text")
    assert documents("update", "db", "--tag", "a", "--tag", "b", "--json").json["outcome"] == "unchanged"
    assert documents("update", "db", "--pin").status == 0
    assert documents("show", "db", "--json").json["pinned"] is True
    assert "# New" in file.read_text()
    versions = documents("history", "db", "--json").json["versions"]
    assert versions[-1]["diff"] == {"pinned": {"from": None, "to": True}}


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (("update", "db"), 2, "nothing to update"),
        (("update", "db", "--claim", "a=b"), 2, "no field --claim to update"),
        (("update", "db", "--body", "x"), 2, "content"),
        (("update", "ports", "--append", "x"), 1, "memory.md"),
        (("delete", "ports", "--force"), 1, "memory.md"),
        (("delete", "db"), 1, "--force"),
        (("delete", "nobody"), 1, "nobody"),
    ],
)
def test_refusals_leave_the_files_alone(documents, vault, words, status, told):
    before = {path: path.read_bytes() for path in vault.rglob("*.md")}
    refused = documents(*words, stdin="")
    assert (refused.status, refused.out) == (status, "")
    assert told in refused.err
    assert {path: path.read_bytes() for path in vault.rglob("*.md")} == before


def test_a_file_that_changed_meanwhile_is_not_touched(documents, write, vault):
    write("knowledge/db.md", "someone else's words, longer than before\n")
    for words in (("update", "db", "--append", "x"), ("delete", "db", "--force")):
        refused = documents(*words)
        assert (refused.status, "`memtui sync`" in refused.err) == (1, True)
    assert (vault / "knowledge" / "db.md").read_text() == "someone else's words, longer than before\n"


def test_delete_removes_the_file_and_keeps_its_versions(documents, vault):
    assert documents("delete", "db", "--force", "--json").json["outcome"] == "deleted"
    assert not (vault / "knowledge" / "db.md").exists()
    assert documents("list", "--names", "--types", "knowledge").out == ""
    assert len(documents("history", "db", "--json").json["versions"]) == 2


@pytest.mark.parametrize("kind", ["engram", "research", "evidence"])
@pytest.mark.parametrize("flags", [(), ("--force",)])
def test_memories_are_never_deleted(memtui, kind, flags):
    more = {"evidence": ("--rating", "4", "--source-ref", "a")}.get(kind, ())
    memtui("remember", "x", "--name", "x", "--kind", kind, *more)
    refused = memtui("delete", "x", *flags, "--json")
    assert (refused.status, refused.error["code"]) == (1, "refused")
    assert "`memtui forget x`" in refused.error["hint"]
    assert len(memtui("history", "x", "--json").json["versions"]) == 1


@pytest.mark.parametrize(("typed", "status", "left"), [("y\n", 0, False), ("n\n", 1, True), ("\n", 1, True)])
def test_in_a_terminal_delete_asks(documents, vault, typed, status, left):
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "memtui", "delete", "db"], cwd=vault, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    seen = b""
    while b"[y/N]" not in seen:
        seen += os.read(ours, 4096)
    assert b"knowledge/db.md" in seen
    os.write(ours, typed.encode())
    assert process.wait(60) == status
    os.close(ours)
    assert (vault / "knowledge" / "db.md").exists() is left


def test_in_a_terminal_a_refusal_asks_nothing(documents, vault):
    documents("remember", "x", "--name", "x")
    ours, theirs = pty.openpty()
    for name in ("x", "ports"):
        process = subprocess.Popen(
            [sys.executable, "-m", "memtui", "delete", name], cwd=vault, stdin=theirs, stdout=theirs, stderr=theirs
        )
        assert process.wait(60) == 1
    os.close(theirs)
    assert b"[y/N]" not in os.read(ours, 65536)
    os.close(ours)


def test_notes_go_into_the_change_log(memtui, vault):
    first = memtui("note", "The kettle was replaced", "--json").json
    assert (first["outcome"], first["kind"]) == ("remembered", "changelog")
    memtui(
        "note", "-", "--type", "fix", "--scope", "kitchen", "--summary", "A new kettle", "--reference", "commit:abc",
        "--reference", "task:tea", "--supersedes", first["name"], stdin="The new one\nsings.\n",
    )  # fmt: skip
    entries = json.loads((vault / "CHANGELOG.json").read_text())
    entries = entries if isinstance(entries, list) else next(iter(entries.values()))
    plain, full = sorted(entries, key=lambda entry: entry["description"])
    assert (plain["type"], plain["scope"], plain["description"]) == ("note", "quick", "The kettle was replaced")
    assert {k: full[k] for k in ("type", "scope", "summary", "description", "references", "supersedes")} == {
        "type": "fix",
        "scope": "kitchen",
        "summary": "A new kettle",
        "description": "The new one\nsings.",
        "references": ["commit:abc", "task:tea"],
        "supersedes": first["name"],
    }
    assert [h["kind"] for h in memtui("recall", "sings", "--json").json["hits"]] == ["changelog"]
    (replaced,) = memtui("recall", "replaced", "--json").json["hits"]
    assert (replaced["name"], replaced["overridden"]) == (first["name"], True)
    assert "(overridden by a later entry)" in memtui("recall", "replaced").out
    assert memtui("recall", "replaced", "--plain").out.split("\t")[-1].strip() == "overridden"
    refused = memtui("note", "x", "--supersedes", "nothing", "--json")
    assert (refused.status, refused.error["field"]) == (1, "supersedes")


def test_a_ledger_comes_back_as_it_was(documents, tmp_path, capsys):
    documents("remember", "Tea is at four", "--name", "tea")
    documents("recall", "tea")
    documents("forget", "tea", "--reason", "coffee")
    out = tmp_path / "ledger.jsonl"
    told = documents("export", "--out", str(out), "--json").json
    assert told == {"path": str(out), "versions": 4, "recalls": 1, "reviews": 0}
    text = out.read_text()
    assert documents("export").out == text
    assert documents("export", "--format", "jsonl").out == text
    other = tmp_path / "other"
    other.mkdir()
    documents("init", str(other))
    dry = documents("--vault", str(other), "import", str(out), "--dry-run", "--json").json
    assert (dry["replayed"], dry["dry_run"]) == (4, True)
    assert documents("--vault", str(other), "export").out.count("\n") == 1
    told = documents("--vault", str(other), "import", str(out), "--json").json
    assert {k: told[k] for k in ("replayed", "added", "updated", "unchanged", "problems")} == {
        "replayed": 4,
        "added": 0,
        "updated": 0,
        "unchanged": 0,
        "problems": [],
    }
    assert documents("--vault", str(other), "export").out == text
    again = documents("--vault", str(other), "import", str(out), "--json").json
    assert (again["replayed"], again["added"]) == (0, 0)


def test_reviews_are_counted_where_there_are_any(memtui, tmp_path):
    for port in ("8080", "8087"):
        memtui(
            "remember", f"Staging listens on {port}", "--name", f"p{port}", "--area", "F/s", "--claim", f"port={port}"
        )
    assert "2 versions and 0 recalls exported" in memtui("export", "--out", str(tmp_path / "before.jsonl")).out
    (row,) = memtui("consolidate", "--plain").rows
    memtui("consolidate", "--reject", row[1])
    out = tmp_path / "ledger.jsonl"
    assert "2 versions, 0 recalls and 1 review exported" in memtui("export", "--out", str(out)).out
    other = tmp_path / "other"
    other.mkdir()
    memtui("init", str(other))
    assert "2 versions, 0 recalls and 1 review replayed" in memtui("--vault", str(other), "import", str(out)).out
    assert memtui("--vault", str(other), "export").out == out.read_text()


def test_an_export_of_the_past(memtui):
    stamp = memtui("remember", "Tea is at four", "--name", "tea", "--json").json["recorded_at"]
    before = memtui("export").out
    memtui("forget", "tea")
    assert memtui("export", "--as-of", stamp).out == before != memtui("export").out


def test_an_export_replaces_nothing_unasked(memtui, tmp_path):
    out = tmp_path / "ledger.jsonl"
    out.write_text("mine")
    refused = memtui("export", "--out", str(out))
    assert (refused.status, out.read_text(), "--force" in refused.err) == (1, "mine", True)
    assert memtui("export", "--out", str(out), "--force").status == 0
    assert out.read_text() == memtui("export").out


def test_items_come_in_one_by_one(memtui, write):
    write(
        "items.jsonl",
        '{"kind": "engram", "name": "tea", "summary": "Tea is at four", "colour": "green"}\n'
        '{"id": "gate", "text": "The gate jams"}\n'
        '{"kind": "engram", "summary": ""}\n'
        "not json\n"
        '{"kind": "nonsense", "summary": "x"}\n'
        '{"kind": "engram", "summary": "y", "valid_from": "2024-13-01"}\n',
    )
    strict = memtui("import", "items.jsonl", "--strict", "--json")
    assert (strict.status, strict.error["code"]) == (1, "refused")
    assert memtui("list", "--names", "--types", "engram").out == ""
    dry = memtui("import", "items.jsonl", "--dry-run")
    assert "2 added" in dry.out
    assert "nothing was recorded" in dry.out
    assert memtui("list", "--names", "--types", "engram").out == ""
    told = memtui("import", "items.jsonl", "--json").json
    assert (told["added"], told["replayed"], [p["line"] for p in told["problems"]]) == (2, 0, [3, 4, 5, 6])
    assert memtui("show", "tea", "--json").json["extra"] == {"colour": "green"}
    human = memtui("import", "items.jsonl").out
    assert "0 added, 0 updated, 2 unchanged" in human
    assert "4 problems:" in human
    assert "items.jsonl:6:" in human


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (("import",), 2, "PATH"),
        (("import", "nowhere.jsonl"), 2, "nowhere.jsonl"),
        (("import", "."), 2, "cannot be read"),
        (("import", "x.jsonl", "--format", "yaml"), 2, "jsonl"),
        (("export", "--format", "parquet"), 2, "jsonl"),
        (("export", "--json"), 2, "--out"),
        (("export", "--out", "nowhere/x.jsonl"), 1, "cannot be written"),
        (("export", "--as-of", "2999-01-01"), 2, "future"),
        (("export", "--valid-at", "2020-01-01"), 2, "--valid-at"),
    ],
)
def test_import_and_export_refuse_in_sentences(memtui, words, status, told):
    refused = memtui(*words)
    assert (refused.status, refused.out) == (status, "")
    assert told in refused.err
    assert "unexpected" not in refused.err


def test_a_ledger_that_was_tampered_with_is_refused_whole(memtui, vault, tmp_path):
    memtui("remember", "Tea is at four", "--name", "tea")
    memtui("remember", "The gate jams", "--name", "gate")
    other = tmp_path / "other"
    other.mkdir()
    memtui("init", str(other))
    bad = vault / "bad.jsonl"
    bad.write_text(memtui("export").out.replace("at four", "at nine"))
    refused = memtui("--vault", str(other), "import", str(bad))
    assert (refused.status, refused.out) == (2, "")
    assert "engram/tea" in refused.err
    assert memtui("--vault", str(other), "list", "--names", "--all").out == ""


def test_rows_of_another_person_are_refused_line_by_line(memtui, monkeypatch, tmp_path):
    monkeypatch.setenv("MEMTUI_PERSONAL_ID", "ada@example.org")
    memtui("--personal", "remember", "I take tea", "--name", "tea")
    out = tmp_path / "mine.jsonl"
    memtui("--personal", "export", "--out", str(out))
    assert len(memtui("import", str(out), "--json").json["problems"]) == 1
    monkeypatch.setenv("MEMTUI_PERSONAL_ID", "bo@example.org")
    told = memtui("--personal", "import", str(out), "--json").json
    assert (told["added"], len(told["problems"])) == (0, 1)
    assert memtui("--personal", "list", "--names").out == ""
    assert memtui("list", "--names", "--types", "engram").out == ""
