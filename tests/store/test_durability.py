"""Foreign and damaged files, busy stores, kills: acknowledged is committed, and every refusal is a sentence."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import duckdb
import pytest

from memtui.errors import Refused, StoreBusy, StoreUnreadable
from memtui.memory.opening import open_memory
from memtui.model.records import Content, RecordKey
from memtui.model.versions import Draft
from memtui.store.duckdb.ledger import DuckDBLedger
from memtui.store.duckdb.migrating import Migration, create, shipped_migrations, upgrade
from tests.clocks import START, SteppingClock


def write(ledger, name):
    with ledger.writing() as unit:
        unit.append(
            Draft(RecordKey("workspace", "engram", name), "remember", Content(summary=name, valid_from=START), "t")
        )


def names(ledger):
    with ledger.reading() as unit:
        return [version.key.name for version in unit.tail({})]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "memory.duckdb"


@pytest.fixture
def ledger(path):
    return DuckDBLedger(path, SteppingClock(step=1), wait=0.3)


@pytest.mark.parametrize("content", [b"this is not a database, it is a diary " * 300, b"", b"\x00" * 5000])
def test_a_file_that_is_no_database_is_left_alone(path, ledger, content):
    path.write_bytes(content)
    with pytest.raises(StoreUnreadable) as refusal, ledger.writing():
        pass
    assert str(path) in refusal.value.message
    assert refusal.value.hint
    assert path.read_bytes() == content


def test_a_foreign_database_is_left_alone(path, ledger):
    duckdb.connect(str(path)).execute("CREATE TABLE theirs (x INT)").close()
    with pytest.raises(StoreUnreadable, match="not a memtui store"), ledger.writing():
        pass
    assert duckdb.connect(str(path)).execute("SELECT count(*) FROM theirs").fetchone() == (0,)


@pytest.mark.parametrize("table", ["location", "recall", "record", "review", "source_file", "version"])
def test_a_store_that_lacks_a_table_is_told_to_be_damaged(tmp_path, table):
    memory = open_memory(tmp_path, create=True, resident=False)
    memory.remember("The press is red", name="press")
    store = tmp_path / ".memtui" / "memory.duckdb"
    with duckdb.connect(str(store)) as connection:
        connection.execute(f"DROP TABLE {table} CASCADE")
    with pytest.raises(StoreUnreadable, match=f"its table {table} is missing") as refusal:
        memory.recall("press")
    assert refusal.value.file == str(store)
    assert "restore a backup" in refusal.value.hint


def test_a_store_made_by_a_newer_memtui_is_refused(path, ledger):
    write(ledger, "a")
    with duckdb.connect(str(path)) as connection:
        connection.execute("UPDATE meta SET value = '999' WHERE key = 'schema'")
    with pytest.raises(StoreUnreadable, match="newer memtui"), DuckDBLedger(path, SteppingClock()).reading():
        pass


def test_a_busy_store_names_its_holder(path, ledger):
    write(ledger, "a")
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"import duckdb, time; c = duckdb.connect({str(path)!r}); print('held', flush=True); time.sleep(60)",
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(StoreBusy, match=str(holder.pid)):
            write(ledger, "b")
        with pytest.raises(StoreBusy):
            names(ledger)
    finally:
        holder.kill()
        holder.wait()
    write(ledger, "b")
    assert names(ledger) == ["a", "b"]


def test_read_only_says_why(path, ledger):
    write(ledger, "a")
    closed = DuckDBLedger(path, SteppingClock(), read_only=True)
    assert names(closed) == ["a"]
    with pytest.raises(Refused, match="read-only"):
        write(closed, "b")


def test_a_shortened_log_is_reported(path, ledger):
    for name in "abc":
        write(ledger, name)
    heads = path.with_name("heads.json")
    noted = json.loads(heads.read_text())
    noted["heads"]["workspace"]["seq"] += 2
    heads.write_text(json.dumps(noted))
    for _ in range(3):  # a write must not wipe out the evidence
        told = []
        later = DuckDBLedger(path, SteppingClock(step=1), warn=told.append)
        names(later)
        assert len(told) == 1
        assert "the last 2 are missing" in told[0]
        write(later, f"n{len(names(later))}")


def test_a_replaced_store_is_reported(path, ledger, tmp_path):
    write(ledger, "a")
    copy = path.read_bytes()
    for name in "bc":
        write(ledger, name)
    path.with_name("memory.duckdb.wal").unlink(missing_ok=True)
    path.write_bytes(copy)
    told = []
    other = DuckDBLedger(path, SteppingClock(step=1), warn=told.append)
    for name in "xyz":
        write(other, name)
    assert "are missing" in told[0]


def test_a_loss_is_told_no_more_once_the_store_is_put_back(path, ledger):
    def told():
        sentences = []
        names(DuckDBLedger(path, SteppingClock(step=1), warn=sentences.append))
        return sentences

    for name in "abc":
        write(ledger, name)
    away = path.with_name("away")
    away.mkdir()
    files = [file.name for file in path.parent.glob("memory.duckdb*")]
    for file in files:
        path.with_name(file).rename(away / file)
    write(DuckDBLedger(path, SteppingClock(START + 60_000_000, step=1)), "meanwhile")
    assert "3 versions were acknowledged, and when that was compared 0 were there" in told()[0]
    for file in path.parent.glob("memory.duckdb*"):
        file.unlink()
    for file in files:
        (away / file).rename(path.with_name(file))
    (sentence,) = told()
    assert "what was lost is there again" in sentence
    assert "up to version 1, is not in this store" in sentence
    back = DuckDBLedger(path, SteppingClock(step=1))
    write(back, "d")
    assert names(back) == ["a", "b", "c", "d"]
    assert told() == []


@pytest.mark.parametrize(
    "text", ["[]", '{"heads": 5}', '{"heads": {"workspace": {}}}', '{"heads": {"w": {"seq": "x"}}}', "{"]
)
def test_notes_that_are_not_ours_are_told(path, ledger, text):
    write(ledger, "a")
    path.with_name("heads.json").write_text(text)
    told = []
    assert names(DuckDBLedger(path, SteppingClock(), warn=told.append)) == ["a"]
    assert "would go unnoticed" in told[0]


def test_a_log_without_its_store_is_left_alone(path, ledger):
    path.with_name("memory.duckdb.wal").write_bytes(b"log")
    with pytest.raises(StoreUnreadable, match="not there"):
        write(ledger, "a")
    assert not path.exists()


def test_permissions_are_private(path, ledger):
    write(ledger, "a")
    assert oct(path.stat().st_mode & 0o777) == "0o600"


def test_a_migration_keeps_the_old_file_and_every_version(path, ledger):
    for name in "abc":
        write(ledger, name)
    before = names(ledger)
    later = (*shipped_migrations(), Migration(9000, "later", "CREATE TABLE added (x INTEGER);\n"))
    kept = upgrade(path, later)
    assert kept == path.with_name(f"memory.duckdb.v{shipped_migrations()[-1].number}")
    assert names(DuckDBLedger(kept, SteppingClock())) == before
    with duckdb.connect(str(path), read_only=True) as connection:
        assert connection.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone() == ("9000",)
        assert connection.execute("SELECT count(*) FROM version").fetchone() == (3,)
        assert connection.execute("SELECT count(*) FROM added").fetchone() == (0,)
    assert upgrade(path, later) is None


def test_a_failed_creation_leaves_nothing(path):
    with pytest.raises(duckdb.Error):
        create(path, analyser="1", migrations=(Migration(1, "bad", "CREATE NONSENSE;\n"),))
    assert list(path.parent.iterdir()) == []


WRITER = """
import sys
from pathlib import Path
from memtui.memory.opening import open_memory
memory = open_memory(sys.argv[1], create=True, resident=False)
for i in range(int(sys.argv[3])):
    written = memory.remember(f"memory {sys.argv[2]} {i}", name=f"{sys.argv[2]}-{i}")
    print(written.key.name, flush=True)
"""


def start_writer(folder, name, count):
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder), name, str(count)], stdout=subprocess.PIPE, text=True
    )


@pytest.mark.slow
def test_four_processes_all_land(tmp_path):
    writers = [start_writer(tmp_path, name, 20) for name in "abcd"]
    acknowledged = [line for writer in writers for line in writer.communicate(timeout=100)[0].split()]
    assert all(writer.returncode == 0 for writer in writers)
    stored = names(DuckDBLedger(tmp_path / ".memtui" / "memory.duckdb", SteppingClock()))
    assert sorted(stored) == sorted(acknowledged)
    assert len(stored) == 80


@pytest.mark.slow
@pytest.mark.parametrize("moment", range(6))
def test_killed_at_any_instant_loses_nothing_acknowledged(tmp_path, moment):
    start_writer(tmp_path, "warm", 1).communicate(timeout=60)
    writer = start_writer(tmp_path, "k", 500)
    acknowledged = [writer.stdout.readline().strip()]
    time.sleep(0.11 * moment)
    os.kill(writer.pid, signal.SIGKILL)
    acknowledged += writer.stdout.read().split()
    writer.wait()
    ledger = DuckDBLedger(tmp_path / ".memtui" / "memory.duckdb", SteppingClock())
    stored = names(ledger)
    assert set(acknowledged) <= set(stored)
    with ledger.reading() as unit:
        texts = unit.text_count()
        assert texts == len(stored)
        assert len(unit.text_lengths().text_id) == texts
        assert ledger.warnings == []
