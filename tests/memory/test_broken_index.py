"""An index of another analyser, or one that lost tables or rows: every search answers, says so, and a sync mends it."""

from __future__ import annotations

import logging
import shutil
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest

from memtui.errors import IndexUnusable, Refused, StoreUnreadable
from memtui.log import LOGGER
from memtui.memory.opening import open_memory
from memtui.model.records import Content
from memtui.store.duckdb.connection import connect
from memtui.text.analysis import ANALYSER
from tests.clocks import SteppingClock
from tests.memory.stores import everything, put

pytestmark = pytest.mark.slow

FTS = "fts_main_indexed_text"
TABLES = (f"{FTS}.dict", f"{FTS}.terms", f"{FTS}.docs", f"{FTS}.stats", "indexed_text", "identity_term")
ANOTHER = "UPDATE meta SET value = '0' WHERE key = 'analyser'"
DAMAGES = {
    **{f"{table} dropped": f"DROP TABLE {table}" for table in TABLES},
    **{f"{table} emptied": f"DELETE FROM {table}" for table in TABLES},
    "a term forgotten": f"DELETE FROM {FTS}.dict WHERE term = 'tide'",
    "a posting forgotten": f"DELETE FROM {FTS}.terms WHERE docid = 0",
    "a text forgotten": "DELETE FROM indexed_text WHERE text_id = 1",
    "the schema dropped": f"DROP SCHEMA {FTS} CASCADE",
    "a column dropped": f"ALTER TABLE {FTS}.terms DROP COLUMN fieldid",
}
NOW = "2026-02-01"
QUERIES = ("tide gauge-7", "kapı çay", "日本", "tid")


@pytest.fixture(params=["resident", "one-shot"])
def resident(request):
    return request.param == "resident"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """A vault in which a few things were recorded, some of them twice, and what is found there now and of the past."""
    vault, clock = tmp_path_factory.mktemp("recorded"), SteppingClock(step=1000)
    (vault / "docs").mkdir()
    (vault / "docs" / "plan.md").write_text("# Storm plan\n\nRead the tide tables twice.\n", encoding="utf-8")
    memory = open_memory(vault, create=True, clock=clock)
    memory.sync()
    memory.remember("The tide gauge at the harbour reads 12 cm too high", name="gauge", tags=["sea"])
    first = memory.history("gauge")[0].recorded_at
    memory.update("gauge", summary="The tide gauge-7 reads 3 cm too high since Friday,")
    memory.remember("Kapı 7 açık kalırsa çay soğur", name="kapı")
    memory.remember("日本の港の潮位", name="shio", pinned=True)
    memory.remember("ended", name="ended")
    memory.forget("ended")
    whole = told(memory)
    assert all(whole.values())
    return vault, clock, whole, first, answer(memory, "tide gauge", as_of=first)


@pytest.fixture
def vault(recorded, tmp_path):
    shutil.copytree(recorded[0], tmp_path / "vault")
    return tmp_path / "vault"


@pytest.fixture
def clock(recorded):
    return recorded[1]


@pytest.fixture
def whole(recorded):
    """What the queries find."""
    return recorded[2]


@pytest.fixture
def opened(vault, clock, resident):
    return open_memory(vault, clock=clock, resident=resident)


def break_it(memory, statement):
    with connect(Path(memory.ledger.location), read_only=False) as connection:
        connection.execute(statement)


def answer(memory, query, **options):
    """What is found at one moment, so that it may be compared."""
    return [(h.name, h.score, h.rank_score, h.coverage, h.snippet) for h in memory.search(query, now=NOW, **options)]


def told(memory, **options):
    return {query: answer(memory, query, **options) for query in QUERIES}


def is_scanned(memory, query="tide"):
    found = memory.search(query)
    return found.plane == "scan" and found.degraded and "`memtui sync` fills it anew" in found.reason and len(found) > 0


@pytest.fixture
def log():
    """What is written to the log."""
    lines = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(record.getMessage())
    LOGGER.addHandler(handler)
    yield lines
    LOGGER.removeHandler(handler)


EVERY = {"another analyser": ANOTHER, **DAMAGES}


@pytest.mark.parametrize(
    ("damage", "held"),
    # Each before the memory is opened or while it is open, by turns: trying each both ways takes twice as long.
    [(damage, place % 2 == 1) for place, damage in enumerate(EVERY.values())] + [(ANOTHER, True)],
    ids=[*EVERY, "another analyser meanwhile"],
)
def test_every_search_answers_as_before_and_a_sync_mends_it(recorded, vault, clock, damage, held):
    *_, whole, first, past = recorded
    memory = open_memory(vault, clock=clock)
    if held:
        memory.load()
    break_it(memory, damage)
    assert told(memory) == whole
    assert answer(memory, "tide gauge", as_of=first) == past
    assert is_scanned(memory)
    (warning,) = memory.status().warnings
    assert "`memtui sync` fills it anew" in warning
    before = everything(memory)
    memory.sync()
    assert everything(memory) == before
    found = memory.search("tide")
    assert (found.plane, found.degraded, found.reason) == ("lexical", False, None)
    assert told(memory) == told(open_memory(vault, clock=clock)) == whole
    assert memory.status().warnings == ()
    assert not memory.ledger.mend_index()


@pytest.mark.parametrize("damage", EVERY.values(), ids=EVERY)
def test_a_one_shot_command_answers_too_also_where_nothing_may_be_written(vault, clock, whole, damage):
    memory = open_memory(vault, clock=clock, resident=False, read_only=True)
    break_it(memory, damage)
    assert told(memory) == whole
    assert is_scanned(memory)
    (warning,) = memory.status().warnings
    assert "`memtui sync` fills it anew" in warning
    with pytest.raises(Refused):
        memory.sync()
    with pytest.raises(Refused):
        memory.ledger.mend_index()


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_what_cannot_be_indexed_is_refused_whole(vault, clock, damage):
    memory = open_memory(vault, clock=clock)
    break_it(memory, damage)
    held = everything(memory)
    with pytest.raises(IndexUnusable, match="nothing can be recorded") as refusal:
        memory.remember("The tide turned", name="turned")
    assert "`memtui sync`" in refusal.value.hint
    with pytest.raises(IndexUnusable):
        memory.forget("gauge")
    assert everything(memory) == held
    assert is_scanned(memory)
    memory.sync()
    memory.remember("The tide turned", name="turned")
    assert "turned" in [hit.name for hit in memory.search("tide")]


def test_beside_rows_of_another_analyser_all_is_recorded_and_neither_takes_the_index_for_its_own(opened):
    break_it(opened, ANOTHER)
    opened.search("tide")
    opened.remember("The tide turned", name="turned")
    assert "turned" in [hit.name for hit in opened.search("tide")]
    assert f"analyser 0+{ANALYSER}" in opened.search("tide").reason
    break_it(opened, f"UPDATE meta SET value = '{ANALYSER}+0' WHERE key = 'analyser'")
    assert is_scanned(opened)
    opened.sync()
    assert opened.search("tide").plane == "lexical"
    assert "turned" in [hit.name for hit in opened.search("tide")]


def test_a_search_with_changed_files_beside_it_answers_too(opened, vault):
    break_it(opened, f"DROP TABLE {FTS}.dict")
    (vault / "docs" / "new.md").write_text("# New tide\n", encoding="utf-8")
    assert is_scanned(opened)


def test_a_resident_memory_scans_once_and_follows_by_its_tail(opened, vault, clock, log):
    break_it(opened, ANOTHER)
    other = open_memory(vault, clock=clock, resident=False)
    other.remember("now it is of both", name="both")
    memory = open_memory(vault, clock=clock)
    log.clear()
    for number in range(12):
        memory.search("tide")
        other.remember(f"The tide turned {number} times", name=f"turned-{number}")
        assert f"turned-{number}" in [hit.name for hit in memory.search("tide", k=20)]
    assert len([line for line in log if "without an index" in line]) == 13
    assert [line.split()[0] for line in log if "without an index" in line][1:] == ["1"] * 12
    by_tail = told(memory, k=50)
    assert told(open_memory(vault, clock=clock), k=50) == by_tail
    memory.sync()
    assert told(memory, k=50) == by_tail


def test_without_the_extension_the_refusal_names_its_package_and_all_is_left_as_it_is(opened, monkeypatch):
    break_it(opened, f"DROP TABLE {FTS}.dict")

    def missing(name):
        raise metadata.PackageNotFoundError(name)

    with monkeypatch.context() as patch:
        patch.setattr(metadata, "distribution", missing)
        with pytest.raises(StoreUnreadable) as refusal:
            opened.sync()
        assert "pip install duckdb-extension-fts==" in refusal.value.hint
        assert is_scanned(opened)
    folder = Path(opened.ledger.location).parent
    assert not [file.name for file in folder.iterdir() if file.name.endswith((".new", ".new.wal"))]
    opened.sync()
    assert opened.search("tide").plane == "lexical"
    assert not list(folder.glob("memory.duckdb.v*"))


def test_a_sync_also_tells_flags_anew(opened):
    flags = "SELECT flags FROM version ORDER BY partition, seq"
    with connect(Path(opened.ledger.location), read_only=False) as connection:
        told_once = connection.execute(flags).fetchall()
        # What starts a memory's fading anew is no matter of the text alone: it stays as it was noted.
        connection.execute("UPDATE version SET flags = (flags & 64) | 4")
        connection.execute(ANOTHER)
    opened.sync()
    with connect(Path(opened.ledger.location), read_only=True) as connection:
        assert connection.execute(flags).fetchall() == told_once


def test_of_a_personal_store_the_personal_sync_is_named(vault, clock, resident, monkeypatch):
    monkeypatch.setenv("MEMTUI_PERSONAL_ID", "ada")
    memory = open_memory(vault, create=True, clock=clock, resident=resident)
    memory.remember("my own tide", personal=True)
    with connect(Path(memory.status(personal=True).store), read_only=False) as connection:
        connection.execute(f"DELETE FROM {FTS}.terms")
    found = memory.search("tide", personal=True)
    assert (found.plane, len(found)) == ("scan", 1)
    assert "`memtui sync --personal` fills it anew" in found.reason
    with pytest.raises(IndexUnusable, match="nothing can be recorded"):
        memory.remember("another", personal=True)
    memory.sync(personal=True)
    assert memory.search("tide", personal=True).plane == "lexical"


def test_all_is_scanned_and_only_texts_by_the_one_analyser(opened):
    contents = {f"n-{number}": Content(summary=f"nothing, number {number}") for number in range(700)}
    put(opened, {"the-first": Content(summary="The ferry leaves"), **contents, "the-last": Content(summary="No ferry")})
    break_it(opened, f"DROP TABLE {FTS}.terms")
    assert {hit.name for hit in opened.search("ferry")} == {"the-first", "the-last"}
    assert [hit.name for hit in opened.search("friday")] == ["gauge"]
    assert "kapı" in {hit.name for hit in opened.search("KAPI")}
    assert not opened.search("2026-01-01").hits
    assert not opened.search("engram").hits


class Counting:
    """Tells nothing apart, and counts what it was given."""

    model_id, dims, semantic = "counting-1", 384, True

    def __init__(self):
        self.passages = []

    def embed(self, texts, *, purpose):
        if purpose == "passage":
            self.passages += texts
        return np.eye(self.dims, dtype=np.float32)[[len(text) % self.dims for text in texts]]


OTHER_TEXT = f"{ANOTHER}; UPDATE indexed_text SET text_hash = 'another' WHERE text_id = 1"


@pytest.mark.parametrize(
    ("damage", "waiting"),
    [(ANOTHER, 0), (OTHER_TEXT, 1), (f"DROP TABLE {FTS}.dict", 0), ("DROP TABLE indexed_text", 0)],
    ids=["another analyser", "and another text", "a table", "all rows"],
)
def test_vectors_stay_and_meaning_has_its_say_meanwhile(opened, damage, waiting):
    embedder = Counting()
    opened.register_embedder(embedder)
    opened.embed()
    once = list(embedder.passages)
    break_it(opened, damage)
    found = opened.search("tide", semantic=True)
    assert (found.plane, found.semantic, found.degraded) == ("hybrid", True, True)
    assert "`memtui sync`" in found.reason
    opened.sync()
    status = opened.status()
    assert status.embedding["embedded"] == status.index_rows - waiting
    opened.embed()
    assert embedder.passages == once
    found = opened.search("tide", semantic=True)
    assert (found.plane, found.semantic, found.degraded) == ("hybrid", True, False)
    status = opened.status()
    assert status.embedding["embedded"] == status.index_rows
