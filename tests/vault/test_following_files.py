"""A vault's files and its ledger, when either runs ahead: cut-short writes, reverts, renames, replays, lost folders."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memtui.errors import InvalidInput, Refused, StoreBusy
from memtui.memory.opening import open_memory
from memtui.model.instants import DAY, HOUR
from memtui.model.records import RecordKey
from memtui.vault.layout import DEFAULT_LAYOUT
from memtui.vault.replacing import Prepared, prepare
from memtui.vault.scanning import TEMPORARY
from memtui.vault.shelf import Shelf

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


def test_a_rename_carries_recalls_and_fading_on(memory, write, vault, clock):
    file = write("engrams/a.md", "---\nsummary: The tide table hangs in the hall\n---\n")
    other = write("engrams/still.md", "---\nsummary: The key lies under the mat\n---\n")
    memory.sync()
    clock.forward(10 * DAY)
    memory.recall("tide table")
    clock.forward(DAY)
    memory.recall("hall")
    clock.forward(20 * DAY)
    before, untouched = memory.details("a"), memory.details("still")
    file.rename(vault / "engrams" / "b.md")
    other.rename(vault / "engrams" / "moved.md")
    memory.sync()
    after, moved = memory.details("b"), memory.details("moved")
    assert [(r.cue, r.key.name) for r in after.recalls] == [("tide table", "a"), ("hall", "a")]
    assert after.strength.counted == before.strength.counted == 2
    assert after.strength.reinforced_at == before.strength.reinforced_at
    assert moved.strength.reinforced_at == untouched.strength.reinforced_at
    assert moved.strength.retention == pytest.approx(untouched.strength.retention, rel=1e-6)
    clock.forward(DAY)
    memory.recall("tide")
    (vault / "engrams" / "b.md").rename(vault / "engrams" / "c.md")
    memory.sync()
    assert [r.key.name for r in memory.details("c").recalls] == ["a", "a", "b"]
    assert memory.details("c").strength.counted == 3


def test_a_name_that_was_given_up_keeps_what_came_after_to_itself(memory, write, vault, clock):
    file = write("engrams/a.md", "---\nsummary: The tide table hangs in the hall\n---\n")
    memory.sync()
    memory.recall("tide")
    clock.forward(DAY)
    file.rename(vault / "engrams" / "b.md")
    memory.sync()
    write("engrams/a.md", "---\nsummary: Another thing about sheep\n---\n")
    memory.sync()
    memory.revive("a")
    clock.forward(DAY)
    memory.recall("sheep")
    assert [r.cue for r in memory.details("b").recalls] == ["tide"]
    assert memory.details("b").strength.counted == 1
    assert [r.cue for r in memory.details("a").recalls] == ["tide", "sheep"]


def test_a_rename_with_other_claims_is_news(memory, write, vault, clock):
    write("engrams/a.md", "---\nsummary: The tide table\n---\n")
    memory.sync()
    clock.forward(10 * DAY)
    (vault / "engrams" / "a.md").unlink()
    write("engrams/b.md", "---\nsummary: The tide table\nclaims: [Hall/one::wall=north]\n---\n")
    memory.sync()
    assert len(memory.history("b")) == 3
    assert memory.details("b").strength.reinforced_at == memory.history("b")[-1].recorded_at


@pytest.mark.parametrize("embedded", [True, False])
def test_every_store_follows_a_rename(vault, write, tmp_path, clock, embedded):
    from memtui.store.duckdb.ledger import DuckDBLedger
    from memtui.text.dates import local_zone
    from memtui.vault.syncing import VaultSync
    from tests.twins.ledger import TwinLedger

    ledger = DuckDBLedger(tmp_path / "memory.duckdb", clock) if embedded else TwinLedger(clock)
    sync = VaultSync(Shelf.of_vault(vault, DEFAULT_LAYOUT), ledger, partition="workspace", actor="x", zone=local_zone())
    write("engrams/a.md", "---\nsummary: The tide table\n---\n")
    write("engrams/other.md", "---\nsummary: Sheep\n---\n")
    sync.run()
    stamps = []
    for old, new in (("a", "b"), ("b", "c")):
        with ledger.writing() as unit:
            unit.recall([RecordKey("workspace", "engram", old)], reader="workspace", cue="tide", actor="x")
            stamps.append(unit.stamp)
        (vault / f"engrams/{old}.md").rename(vault / f"engrams/{new}.md")
        sync.run()
    with ledger.reading() as unit:
        numbers = {key.name: number for number, key, _ in unit.names(["workspace"])}
        recalls, columns = unit.recall_columns(["workspace"]), unit.columns(["workspace"])
    counted = {name: recalls.recorded_at[recalls.record == number].tolist() for name, number in numbers.items()}
    assert counted == {"a": stamps[:1], "b": stamps, "c": stamps, "other": []}
    assert recalls.recorded_at.tolist() == sorted(recalls.recorded_at.tolist())
    assert len(set(columns.reinforced_at.tolist())) == 1


def test_a_replayed_rename_fades_as_the_first_did(memory, write, vault, tmp_path, clock):
    file = write("engrams/a.md", "---\nsummary: The tide table\n---\n")
    memory.sync()
    memory.recall("tide")
    clock.forward(10 * DAY)
    file.rename(vault / "engrams" / "b.md")
    memory.sync()
    memory.export(tmp_path / "ledger.jsonl")
    (tmp_path / "other").mkdir()
    other = open_memory(tmp_path / "other", create=True, clock=clock)
    other.import_(tmp_path / "ledger.jsonl")
    one, two = memory.details("b").strength, other.details("b").strength
    assert (two.counted, two.reinforced_at) == (one.counted, one.reinforced_at) == (1, one.reinforced_at)


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


def test_the_same_note_twice_within_a_second_is_two_entries(memory, clock):
    first, second = memory.note("The kettle sings"), memory.note("The kettle sings")
    assert first.key != second.key
    assert len(first.key.name) == len(second.key.name) == 12
    assert memory.show(second.key).content.body == "The kettle sings"
    assert memory.list(kinds=["changelog"]).total == 2
    assert memory.sync().problems == ()
    assert second.key == memory.history(second.key)[0].key


@pytest.mark.parametrize("text", ["", "  \n", "\u200b"])
def test_a_blank_note_leaves_no_change_log(memory, vault, text):
    with pytest.raises(InvalidInput):
        memory.note(text)
    assert not (vault / "CHANGELOG.json").exists()


@pytest.mark.parametrize(
    ("verb", "path"),
    [
        (lambda m: m.update("db", append="x"), "knowledge/db.md"),
        (lambda m: m.note("The kettle sings"), "CHANGELOG.json"),
        (lambda m: m.delete("db", force=True), "knowledge/db.md"),
    ],
)
def test_a_busy_ledger_does_not_hide_that_a_file_was_changed(memory, write, vault, monkeypatch, verb, path):
    write("knowledge/db.md", "It runs.\n")
    memory.sync()
    before = {p: p.read_bytes() for p in vault.rglob("*.[mj]*") if ".memtui" not in p.parts}

    def busy(**_):
        raise StoreBusy("the store is busy", hint="nothing was recorded")

    with monkeypatch.context() as patched:
        patched.setattr(memory.ledger, "writing", busy)
        with pytest.raises(StoreBusy) as told:
            verb(memory)
    assert path in told.value.message
    assert "nothing was" not in f"{told.value.message} {told.value.hint}"
    assert "memtui sync" in (told.value.hint or "")
    assert {p: p.read_bytes() for p in vault.rglob("*.[mj]*") if ".memtui" not in p.parts} != before
    assert memory.sync().wrote


def test_one_text_of_tags_is_parted_by_commas(memory, write):
    write("knowledge/db.md", "It runs.\n")
    memory.sync()
    memory.update("db", tags="ops")
    assert memory.show("db").content.tags == ("ops",)
    memory.update("db", tags="ops, #db")
    assert memory.show("db").content.tags == ("ops", "db")


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


def test_an_older_store_learns_what_was_news(memory, write, vault, clock):
    """The step to a schema with news in it finds, in old versions, what is told of new ones as they are written."""
    import duckdb

    from memtui.store.duckdb.migrating import shipped_migrations

    write("engrams/a.md", "---\nsummary: The tide table\n---\n")
    write("engrams/p.md", "---\nsummary: The port\nclaims: [Port/one::number=1]\n---\n")
    write("note.md", "a note")
    memory.sync()
    clock.forward(DAY)
    memory.forget("a")
    memory.revive("a")
    memory.update("p", tags=["ops"])
    for old, new in (("engrams/a.md", "engrams/b.md"), ("note.md", "moved.md")):
        (vault / old).rename(vault / new)
    (vault / "engrams/p.md").unlink()
    write("engrams/q.md", "---\nsummary: The port\nclaims: [Port/one::number=2]\n---\n")
    memory.sync()
    (vault / "engrams/b.md").rename(vault / "engrams/c.md")
    memory.sync()
    store = duckdb.connect(str(vault / ".memtui" / "memory.duckdb"))
    select = "SELECT seq, flags, reason FROM version ORDER BY seq"
    before = store.execute(select).fetchall()
    store.execute("UPDATE version SET flags = flags & ~64")
    (sql,) = (step.sql for step in shipped_migrations() if step.name == "recalls")
    plain = "\n".join(line for line in sql.splitlines() if not line.startswith("--"))
    for statement in plain.split(";\n"):
        if statement.strip().startswith("UPDATE version"):
            store.execute(statement)
    assert store.execute(select).fetchall() == before
    news = {reason: bool(flags & 64) for _, flags, reason in before if (reason or "").startswith("renamed from")}
    assert news == {
        "renamed from engram/a": False, "renamed from engram/b": False, "renamed from engram/p": True,
        "renamed from note/note": True,  # a note without a title is called by its name
    }  # fmt: skip
    store.close()
