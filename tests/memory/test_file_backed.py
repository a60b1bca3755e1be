"""Memories that are kept in files: a verb changes the ledger and then the file, and neither is ever half done."""

from __future__ import annotations

import hashlib
import os

import pytest

from memtui.errors import Refused
from memtui.model.instants import DAY
from memtui.text.naming import unnamed_engram
from memtui.vault.replacing import Prepared
from tests.memory.stores import everything

pytestmark = pytest.mark.slow

TEXT = """---
name: port
tags: [net]  # kept
area: Service/db
odd: [1, 2]
---

The port is 5433.

Since the move.
"""


@pytest.fixture(params=["one-shot", "twin"])
def store(request):
    return request.param


@pytest.fixture
def file(memory, write):
    """The file of one memory, synced."""
    path = write("engrams/net/port.md", TEXT)
    assert memory.sync().added == 1
    return path


@pytest.fixture
def agree(memory, file):
    """See that file and ledger say the same, so that a sync finds nothing to do."""

    def check():
        assert not list(file.parent.glob(".*"))
        report = memory.sync()
        assert (report.wrote, report.problems) == (False, ())
        assert memory.stale() == 0

    return check


VERBS = {
    "update": lambda m: m.update("port", summary="The port is 5434.", tags=["net", "db"]),
    "update the body": lambda m: m.update("port", body="Since the second move."),
    "remember": lambda m: m.remember("The port is 5433", name="port", confidence="firm"),
    "forget": lambda m: m.forget("port", reason="moved"),
    "forget at": lambda m: m.forget("port", at="2026-01-01T00:00:00Z"),
    "supersede": lambda m: m.supersede("port", "The port is 5434", name="next"),
}


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_rewrites_the_file_it_is_about(memory, file, agree, clock, verb):
    clock.forward(DAY)
    before = file.read_text(encoding="utf-8")
    VERBS[verb](memory)
    after = file.read_text(encoding="utf-8")
    assert after != before
    assert "  # kept" in after or "tags" in verb or verb == "update"
    assert "odd: [1, 2]" in after
    assert memory.show("port").content.path == "engrams/net/port.md"
    agree()
    if verb in ("forget", "supersede"):
        clock.forward(DAY)
        memory.revive("port")
        agree()
        assert memory.show("port").state == "in_force"


def test_what_changes_nothing_touches_no_file(memory, file):
    status = os.stat(file)
    held = everything(memory)
    assert memory.update("port", tags=["net"]).outcome == "unchanged"
    assert memory.revive("port").outcome == "already_in_force"
    memory.recall("port")
    assert os.stat(file) == status
    assert everything(memory)[0] == held[0]


@pytest.mark.parametrize("verb", VERBS)
def test_a_file_that_changed_since_its_last_sync_stands_in_the_way(memory, file, verb):
    file.write_text(TEXT.replace("5433", "5435"), encoding="utf-8")
    held = everything(memory)
    with pytest.raises(Refused, match="changed since its last sync") as refusal:
        VERBS[verb](memory)
    assert "memtui sync" in refusal.value.hint
    assert everything(memory) == held
    assert "5435" in file.read_text(encoding="utf-8")
    assert not list(file.parent.glob(".*"))
    memory.sync()
    assert memory.show("port").content.summary == "The port is 5435."
    assert memory.update("port", tags=["db"]).outcome == "updated"


@pytest.mark.parametrize("verb", ["update", "forget", "supersede"])
def test_a_file_that_is_gone_or_cannot_be_written_stands_in_the_way(memory, file, monkeypatch, verb):
    held = everything(memory)
    allowed = os.access
    monkeypatch.setattr(os, "access", lambda path, mode, **more: mode != os.W_OK and allowed(path, mode, **more))
    with pytest.raises(Refused, match="read-only"):
        VERBS[verb](memory)
    monkeypatch.undo()
    assert everything(memory) == held
    file.unlink()
    if verb == "update":
        with pytest.raises(Refused, match="gone"):
            VERBS[verb](memory)
        assert everything(memory) == held
    else:  # what goes with its file needs no file to say so
        VERBS[verb](memory)
        assert memory.show("port").state != "in_force"


@pytest.mark.parametrize("verb", VERBS)
def test_a_run_that_ends_between_commit_and_rename_is_finished_by_the_next_sync(
    memory, file, agree, monkeypatch, beside, verb, clock
):
    clock.forward(DAY)

    def killed(prepared):
        raise SystemExit(137)

    with monkeypatch.context() as patch:
        patch.setattr(Prepared, "commit", killed)
        with pytest.raises(SystemExit):
            VERBS[verb](memory)
    assert file.read_text(encoding="utf-8") == TEXT
    said = memory.show("port").content
    later = beside(memory)
    assert later.show("port").content == said  # acknowledged is committed
    held = everything(memory)
    report = later.sync()
    assert (report.wrote, report.problems) == (False, ())
    assert everything(memory) == held
    assert file.read_text(encoding="utf-8") != TEXT
    assert memory.show("port").content == said
    agree()


def test_a_run_that_ends_before_the_commit_changed_nothing(memory, file, agree, monkeypatch):
    from memtui.vault.following_up import FileFollowUp

    held = everything(memory)
    prepare = FileFollowUp.prepare

    def killed(self, unit, old, new):
        prepare(self, unit, old, new)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(FileFollowUp, "prepare", killed)
        with pytest.raises(KeyboardInterrupt):
            memory.update("port", summary="The port is 5434.")
    assert file.read_text(encoding="utf-8") == TEXT
    assert everything(memory) == held
    agree()


def test_a_file_edited_after_a_run_was_cut_short_is_read_and_not_overwritten(memory, file, monkeypatch):
    def killed(prepared):
        raise SystemExit(137)

    with monkeypatch.context() as patch:
        patch.setattr(Prepared, "commit", killed)
        with pytest.raises(SystemExit):
            memory.update("port", tags=["db"])
    edited = TEXT.replace("5433", "6000")
    file.write_text(edited, encoding="utf-8")
    memory.sync()
    assert file.read_text(encoding="utf-8") == edited
    assert memory.show("port").content.summary == "The port is 6000."
    assert [v.operation for v in memory.history("port")] == ["sync", "update", "sync"]


def test_a_name_written_another_way_and_none_at_all_reach_the_same_file(memory, write):
    cafe = write("engrams/cafe.md", "---\nname: caf\u00e9\n---\n\nCoffee is served at noon.\n")
    name = unnamed_engram("Tea is served at four.")
    tea = write(f"engrams/{name}.md", "Tea is served at four.\n")
    memory.sync()
    assert memory.remember("Coffee is served at noon.", name="cafe\u0301", tags=["drinks"]).outcome == "updated"
    assert "drinks" in cafe.read_text(encoding="utf-8")
    assert memory.remember("Tea is served at four", tags=["drinks"]).key.name == name
    assert "drinks" in tea.read_text(encoding="utf-8")
    assert not memory.sync().wrote


def test_two_files_in_one_transaction_follow_together(memory, write, clock):
    old = write("engrams/old.md", "The port is 5432.\n")
    new = write("engrams/new.md", "The port is 5433.\n")
    memory.sync()
    clock.forward(DAY)
    memory.forget("old", superseded_by="new")
    digest = hashlib.sha256(new.read_bytes()).hexdigest()
    assert "superseded_by: new" in old.read_text(encoding="utf-8")
    assert hashlib.sha256(new.read_bytes()).hexdigest() == digest
    assert not memory.sync().wrote


def test_a_file_never_revives_what_was_forgotten(memory, file, clock):
    clock.forward(DAY)
    memory.forget("port")
    file.write_text(TEXT.replace("[net]", "[net, db]"), encoding="utf-8")
    report = memory.sync()
    assert any("revive port" in problem.reason for problem in report.problems)
    assert memory.show("port").state == "forgotten"
    assert memory.show("port").content.tags == ("net", "db")
    memory.revive("port")
    assert memory.show("port").state == "in_force"
    assert memory.sync().problems == ()


def test_a_file_that_only_takes_the_end_out_is_told_of(memory, file, clock):
    clock.forward(DAY)
    memory.forget("port")
    assert "valid_to" in file.read_text(encoding="utf-8")
    file.write_text(TEXT, encoding="utf-8")
    report = memory.sync()
    assert memory.show("port").state == "forgotten"
    assert any("revive port" in problem.reason for problem in report.problems)
