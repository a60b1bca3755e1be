"""A vault's files and its ledger, when either runs ahead: cut-short writes, reverts, replays, lost folders."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.memory.opening import open_memory
from memtui.model.instants import DAY, HOUR
from memtui.vault.layout import DEFAULT_LAYOUT
from memtui.vault.replacing import Prepared, prepare
from memtui.vault.scanning import TEMPORARY
from memtui.vault.shelf import Shelf

pytestmark = pytest.mark.slow

PORT = "---\nsummary: The port is 5433\n---\n"


def cut_short(monkeypatch):
    """From now on every writing ends between the ledger's commit and the file's replacement."""

    def refused(self):
        raise Refused(f"{self.target} is held by another program")

    monkeypatch.setattr(Prepared, "commit", refused)


def temporaries(vault):
    return [path for path in vault.rglob("*") if path.name.endswith(TEMPORARY)]


@pytest.mark.parametrize("synced", [True, False])
def test_a_revert_by_a_person_is_an_edit_like_any_other(memory, write, clock, synced):
    file = write("engrams/port.md", PORT)
    memory.sync()
    memory.update("port", summary="The port is 6000")
    if synced:
        memory.sync()
    time.sleep(0.01)
    file.write_text(PORT)
    report = memory.sync()
    assert (report.changed, report.problems) == (1, ())
    assert file.read_text() == PORT
    assert memory.show("port").content.summary == "The port is 5433"
    assert [v.operation for v in memory.history("port")] == ["sync", "update", "sync"]


def test_a_revert_with_its_old_time_is_an_edit_once_a_sync_saw_the_new_text(memory, write, vault):
    file = write("engrams/port.md", PORT)
    kept = shutil.copy2(file, vault / "kept")
    memory.sync()
    memory.update("port", summary="The port is 6000")
    memory.sync()
    before = memory.ledger.fingerprint()
    memory.sync()
    assert memory.ledger.fingerprint() == before
    shutil.copy2(kept, file)
    memory.sync()
    assert (file.read_text(), memory.show("port").content.summary) == (PORT, "The port is 5433")


@pytest.mark.parametrize("left", ["as it was", "touched", "without what was prepared"])
def test_a_writing_that_was_cut_short_is_finished(memory, write, vault, monkeypatch, left):
    file = write("engrams/port.md", PORT)
    memory.sync()
    with monkeypatch.context() as patched:
        cut_short(patched)
        written = memory.update("port", summary="The port is 6000")
    assert "held by another program" in (written.note or "")
    assert file.read_text() == PORT
    (temporary,) = temporaries(vault)
    if left == "touched":
        os.utime(file)
    elif left != "as it was":
        temporary.unlink()
    assert memory.sync().problems == ()
    assert "6000" in file.read_text()
    assert temporaries(vault) == []
    assert len(memory.history("port")) == 2
    assert memory.stale() == 0


def never_written(memory, monkeypatch, **fields):
    """An update that is acknowledged and whose file a killed process left as it was."""
    with monkeypatch.context() as patched:
        cut_short(patched)
        memory.update("port", **fields)


def told(report):
    return [(p.path, p.field, p.value) for p in report.problems]


def test_an_edit_of_a_file_that_a_cut_short_writing_never_reached_counts_and_tells_what_it_undoes(
    memory, write, vault, monkeypatch
):
    write("engrams/port.md", "---\nsummary: The port is 5433\ntags: [old]\n---\n")
    memory.sync()
    never_written(memory, monkeypatch, summary="The port is 6000", tags=["db"], area="Service/db", owner="ada")
    write("engrams/port.md", "---\nsummary: The port is 5433\nowner: ada\n---\n\nA word more.\n")
    with pytest.raises(Refused, match="6000"):
        memory.sync(strict=True)
    report = memory.sync()
    assert told(report) == [
        ("engrams/port.md", "area", "Service/db"),
        ("engrams/port.md", "summary", "The port is 6000"),
        ("engrams/port.md", "tags", "db"),
    ]
    assert all("`memtui history port`" in p.reason and "`memtui update port`" in p.reason for p in report.problems)
    content = memory.show("port").content
    assert (content.summary, content.body, content.tags) == ("The port is 5433", "\nA word more.\n", ())
    assert [(v.operation, v.content.summary) for v in memory.history("port")][1] == ("update", "The port is 6000")
    assert told(memory.sync()) == told(report)
    memory.update("port", summary="The port is 6000", tags=["db"], area="Service/db")
    assert memory.sync().problems == ()
    assert "A word more." in (vault / "engrams/port.md").read_text()


def test_an_edit_of_a_file_that_said_what_was_recorded_undoes_it_on_purpose(memory, write, monkeypatch):
    file = write("engrams/port.md", PORT)
    memory.sync()
    memory.update("port", summary="The port is 6000", tags=["db"])
    file.write_text(file.read_text().replace("6000", "7000"))
    report = memory.sync()
    assert (report.changed, report.problems) == (1, ())
    assert memory.show("port").content.tags == ("db",)
    never_written(memory, monkeypatch, summary="The port is 8000")
    file.write_text(file.read_text().replace("7000", "8000") + "And more.\n")
    assert memory.sync().problems == (), "the edit says the very same"


def test_an_edit_in_the_very_moment_of_a_writing_is_told_like_one_after_it(memory, write, monkeypatch):
    file = write("engrams/port.md", PORT)
    memory.sync()
    commit = Prepared.commit

    def overtaken(self):
        file.write_text(PORT + "A word more.\n")
        return commit(self)

    with monkeypatch.context() as patched:
        patched.setattr(Prepared, "commit", overtaken)
        written = memory.update("port", summary="The port is 6000")
    assert "changed meanwhile" in (written.note or "")
    assert told(memory.sync()) == [("engrams/port.md", "summary", "The port is 6000")]
    assert memory.show("port").content.body == "A word more.\n"


def test_what_was_taken_away_and_a_file_that_moved_are_told_too(memory, write, vault, monkeypatch):
    write("engrams/port.md", "---\nsummary: The port is 5433\nowner: ada\n---\n")
    memory.sync()
    never_written(memory, monkeypatch, owner="", tags=["db"])
    (vault / "engrams/port.md").rename(vault / "engrams/gate.md")
    report = memory.sync()
    assert told(report) == [("engrams/gate.md", "owner", None), ("engrams/gate.md", "tags", "db")]
    assert "was taken away by `update` (version 2)" in report.problems[0].reason


def test_a_file_that_cannot_be_taken_in_between_hides_nothing(memory, write, vault, monkeypatch):
    file = write("engrams/port.md", PORT)
    memory.sync()
    never_written(memory, monkeypatch, summary="The port is 6000")
    file.write_text("---\nsummary: [\n---\n")
    (temporary,) = temporaries(vault)
    os.utime(temporary, ns=(1, 1))
    assert {p.path for p in memory.sync().problems} == {"engrams/port.md"}
    before = memory.ledger.fingerprint()
    assert {p.path for p in memory.sync().problems} == {"engrams/port.md"}
    assert memory.ledger.fingerprint() == before
    assert memory.show("port").content.summary == "The port is 6000"
    file.write_text(PORT + "A word more.\n")
    assert told(memory.sync()) == [("engrams/port.md", "summary", "The port is 6000")]


def test_a_writing_is_finished_though_its_file_could_not_be_read_meanwhile(memory, write, monkeypatch):
    file = write("engrams/port.md", PORT)
    status = file.stat()
    memory.sync()
    never_written(memory, monkeypatch, summary="The port is 6000")
    file.write_bytes(b"\x89PNG")
    assert {p.path for p in memory.sync().problems} == {"engrams/port.md"}
    file.write_text(PORT)
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert memory.sync().problems == ()
    assert ("6000" in file.read_text(), memory.show("port").content.summary) == (True, "The port is 6000")


def test_what_cannot_be_finished_is_told_and_holds_nothing_up(memory, write, vault, monkeypatch):
    file = write("engrams/port.md", PORT)
    memory.sync()
    cut_short(monkeypatch)
    memory.update("port", summary="The port is 6000")
    write("other.md", "also new")
    report = memory.sync()
    assert report.added == 1
    assert [p.path for p in report.problems] == ["engrams/port.md"]
    assert "held by another program" in report.problems[0].reason
    monkeypatch.undo()
    assert memory.sync().problems == ()
    assert "6000" in file.read_text()


def test_a_finishing_without_effect_is_tried_once(memory, write, monkeypatch):
    from memtui.vault.following_up import FileFollowUp

    write("engrams/port.md", PORT)
    memory.sync()
    with monkeypatch.context() as patched:
        cut_short(patched)
        memory.update("port", summary="The port is 6000")
    monkeypatch.setattr(FileFollowUp, "finish", lambda *_: None)
    report = memory.sync()
    assert [(p.path, "brought up to the ledger" in p.reason) for p in report.problems] == [("engrams/port.md", True)]


def test_leftovers_of_a_crash_are_swept_when_nobody_can_still_be_writing_them(memory, write, vault):
    file = write("a.md", "text")
    old = prepare(file, b"old", expected=b"text")
    young = prepare(file, b"young", expected=b"text")
    hour = 3_600 * 1_000_000_000
    os.utime(old.temporary, ns=(1, time.time_ns() - hour - hour // 60))
    os.utime(young.temporary, ns=(1, time.time_ns() - hour + hour // 60))
    foreign = vault / f".mine{TEMPORARY}"
    foreign.touch()
    os.utime(foreign, ns=(1, 1))
    memory.sync()
    assert set(temporaries(vault)) == {foreign, young.temporary}


def test_what_was_forgotten_before_its_time_has_an_empty_window_also_in_its_file(memory, write, clock):
    file = write("engrams/move.md", "---\nsummary: We move\nvalid_from: 2099-01-01\n---\n")
    memory.sync()
    assert memory.forget("move").outcome == "forgotten"
    assert "valid_to: 2099-01-01" in file.read_text()
    report = memory.sync()
    assert (report.changed, report.problems) == (0, ())
    assert memory.show("move").state == "forgotten"
    clock.forward(DAY)
    assert memory.revive("move").outcome == "revived"
    assert memory.sync().problems == ()
    assert memory.forget("move").outcome == "forgotten"
    assert (memory.sync().problems, memory.show("move").state) == ((), "forgotten")


def test_an_end_before_the_beginning_is_refused(memory, write):
    write("engrams/move.md", "---\nsummary: We move\nvalid_from: 2020-01-02\nvalid_to: 2020-01-01\n---\n")
    assert [p.field for p in memory.sync().problems][:1] == ["valid_to"]


@pytest.mark.parametrize("synced_before", [False, True])
def test_replayed_files_that_are_not_here_vanish_with_the_first_sync(memory, write, tmp_path, clock, synced_before):
    write("knowledge/here.md", "# Here\n\nstays\n")
    write("knowledge/gone.md", "# Gone\n\nis not copied\n")
    write("memory.md", "# M\n\n## One\n\n1\n\n## Two\n\n2\n")
    write("engrams/port.md", PORT)
    memory.sync()
    memory.remember("Tea is at four", name="tea")
    memory.export(tmp_path / "ledger.jsonl")
    folder = tmp_path / "other"
    (folder / "knowledge").mkdir(parents=True)
    other = open_memory(folder, create=True, clock=clock)
    if synced_before:
        other.sync()
    other.import_(tmp_path / "ledger.jsonl")
    shutil.copy(memory.vault / "knowledge/here.md", folder / "knowledge/here.md")
    (folder / "memory.md").write_text("# M\n\n## One\n\n1\n")
    clock.forward(DAY)
    report = other.sync()
    assert (report.vanished, report.problems) == (3, ())
    states = {record.key.name: record.state for record in other.list(all=True)}
    assert states == {
        "here": "in_force", "tea": "in_force", "one": "in_force",
        "gone": "forgotten", "port": "forgotten", "two": "forgotten",
    }  # fmt: skip
    assert other.history("port")[-1].reason == "file removed"
    assert not other.sync().wrote


def test_a_base_folder_taken_off_the_shelf_is_gone(tmp_path, clock):
    from memtui.store.duckdb.ledger import DuckDBLedger
    from memtui.text.dates import local_zone
    from memtui.vault.syncing import VaultSync

    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        folder.mkdir()
        (folder / f"of {folder.name}.md").write_text(f"text {folder.name}")
    ledger = DuckDBLedger(tmp_path / "memory.duckdb", clock)

    def sync(*folders):
        shelf = Shelf.of_base(folders, DEFAULT_LAYOUT)
        return VaultSync(shelf, ledger, partition="base", actor="tester", zone=local_zone()).run()

    assert sync(one, two).added == 2
    report = sync(one)
    assert (report.vanished, report.unchanged, report.problems) == (1, 1, ())
    assert sync().vanished == 1
    with pytest.raises(Refused, match="no folder that is configured"):
        Shelf.of_base((one,), DEFAULT_LAYOUT).absolute("two/a.md")
    assert Shelf.of_base((one,), DEFAULT_LAYOUT).name_by_place("two/a.md") == "two/a.md"


def test_an_odd_zone_is_the_same_zone_in_every_process():
    code = (
        "from memtui.text.dates import local_zone; from memtui.vault.surveying import settings_of;"
        "from memtui.vault.shelf import Shelf; "
        "noise = [object() for _ in range({})]; print(settings_of(Shelf(()), local_zone()))"
    )
    environment = {k: v for k, v in os.environ.items() if k != "MEMTUI_TZ"}

    def settings(zone, noise):
        run = subprocess.run(
            [sys.executable, "-c", code.format(noise)],
            env={**environment, "TZ": zone}, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2],
        )  # fmt: skip
        return run.stdout

    assert settings("EST5EDT,M3.2.0,M11.1.0", 1) == settings("EST5EDT,M3.2.0,M11.1.0", 5000)
    assert settings("EST5EDT,M3.2.0,M11.1.0", 1) != settings("XYZ-3", 1)


def test_lines_of_words_that_are_almost_blank_part_a_paragraph_in_one_way():
    """What a reader takes for the body is where a writer puts another one."""
    from memtui.text.dates import local_zone
    from memtui.vault.engram_files import read_engram_file
    from memtui.vault.engram_writing import engram_file_text

    text = "# T\n\nfirst\n \t\n\n\n  body\n"
    zone = local_zone()
    said = read_engram_file("engrams/a.md", "a", text, zone).records[0].content
    assert said.body == "  body\n"
    from dataclasses import replace

    wanted = replace(said, valid_from=HOUR, body="new\n")
    assert engram_file_text("engrams/a.md", "a", text, replace(said, valid_from=HOUR), wanted, zone) == (
        "# T\n\nfirst\n \t\n\n\nnew\n"
    )
