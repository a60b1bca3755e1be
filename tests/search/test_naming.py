"""What a name or a key may mean: only what is known, not shadowed, and in the partitions that are read."""

from __future__ import annotations

import pytest

from memtui.errors import Ambiguous, NotFound
from memtui.memory import reading
from memtui.memory.opening import open_memory
from memtui.model.belief import NOW, BeliefState
from memtui.model.instants import DAY, iso
from memtui.model.records import Content, RecordKey
from memtui.model.versions import Draft
from memtui.search.fetched import FetchedCorpus
from memtui.search.resident import ResidentCorpus
from memtui.search.searcher import Searcher
from memtui.store.duckdb.ledger import DuckDBLedger
from tests.clocks import START, SteppingClock
from tests.twins.ledger import TwinLedger

PARTITIONS = ("personal:ada", "base")
CORPORA = {"resident": ResidentCorpus.load, "fetched": FetchedCorpus}


class Store:
    """A ledger whose clock moves a day with every version, and one way of reading it."""

    def __init__(self, ledger, clock, corpus):
        self.ledger, self.clock, self.corpus = ledger, clock, corpus

    def write(self, name, partition="personal:ada", *, kind="engram", origin_known=True, **fields):
        self.clock.forward(DAY)
        key = RecordKey(partition, kind, name)
        content = Content(**{"summary": name, "valid_from": START, **fields})
        with self.ledger.writing() as unit:
            unit.append(Draft(key, "update", content, "t", origin_known=origin_known))
        return key

    def ask(self, question):
        with self.ledger.reading() as unit:
            return question(Searcher(self.corpus(unit, PARTITIONS)))

    def resolve(self, name, belief=NOW):
        return self.ask(lambda s: reading.resolved(s, name, belief, self.clock.now))

    def admit(self, key, belief=NOW):
        return self.ask(lambda s: reading.admit(s, key, belief, self.clock.now))

    def show(self, key, belief=NOW):
        return self.ask(lambda s: reading.show_record(s, key, belief, self.clock.now))

    def blind(self, known_at, kinds=()):
        return self.ask(lambda s: reading.blind_spots(s, BeliefState(known_at), kinds))


@pytest.fixture(params=["twin", "duckdb"])
def ledger(request, tmp_path):
    clock = SteppingClock()
    if request.param == "twin":
        return TwinLedger(clock), clock
    return DuckDBLedger(tmp_path / "memory.duckdb", clock), clock


@pytest.fixture(params=sorted(CORPORA))
def store(request, ledger):
    return Store(*ledger, CORPORA[request.param])


def test_an_alias_that_was_taken_away_names_nothing(store):
    key = store.write("mill", aliases=("grinder",))
    assert store.resolve("grinder") == key
    store.write("mill", summary="the mill", aliases=())
    with pytest.raises(NotFound):
        store.resolve("grinder")
    then = BeliefState(store.clock.now - 1)
    assert store.resolve("grinder", then) == key


def test_an_alias_given_since_was_no_name_then(store):
    store.write("mill")
    then = BeliefState(store.clock.now)
    key = store.write("mill", summary="the mill", aliases=("grinder",))
    assert store.resolve("grinder") == key
    with pytest.raises(NotFound):
        store.resolve("grinder", then)


def test_a_whole_name_is_found_before_an_alias_and_a_beginning(store):
    key = store.write("mill")
    store.write("other", aliases=("mill",))
    store.write("millstone")
    assert store.resolve("mill") == key
    assert store.resolve("engram/mill") == key
    assert store.resolve("mills").name == "millstone"
    note = store.write("mill", kind="note")
    assert store.resolve("note/mill") == note
    with pytest.raises(Ambiguous):
        store.resolve("mill")


def test_what_is_shadowed_is_reached_by_no_name_and_no_key(store):
    base = store.write("mill", "base", aliases=("grinder",))
    then = BeliefState(store.clock.now)
    assert store.resolve("grinder") == base
    own = store.write("mill")
    assert store.resolve("mill") == own
    with pytest.raises(NotFound):
        store.resolve("grinder")
    for asked in (store.admit, store.show):
        with pytest.raises(NotFound):
            asked(base)
        asked(base, then)
    with pytest.raises(NotFound):
        store.admit(own, then)
    assert store.admit(own) == own


def test_a_key_of_another_partition_is_not_admitted(store):
    other = store.write("secret", "personal:grace")
    store.write("mill")
    for key in (other, RecordKey("personal:ada", "engram", "secret"), RecordKey("personal:ada", "note", "mill")):
        for asked in (store.admit, store.show):
            with pytest.raises(NotFound) as refused:
                asked(key)
            assert "secret" not in (refused.value.choices or ())


def test_what_is_forgotten_still_has_its_name(store):
    key = store.write("mill", valid_to=START + 1)
    assert store.resolve("mill") == key
    assert store.admit(key) == key
    assert store.show(key).state == "forgotten"


def test_blind_spots_are_of_the_asked_kinds_and_not_shadowed(store):
    store.write("first")
    own = store.write("mill")
    known_at = store.clock.now
    store.write("mill", "base", origin_known=False)
    press = store.write("press", "base", origin_known=False)
    note = store.write("scale", "base", kind="note", origin_known=False)
    gone = store.write("gone", "base", origin_known=False, valid_to=START + 1)
    store.write("since")
    assert own.name == "mill"
    keys, total = store.blind(known_at)
    assert (set(keys), total) == ({press, note, gone}, 3)
    assert store.blind(known_at, ("note",)) == ((note,), 1)
    assert store.blind(known_at, ("task",)) == ((), 0)


@pytest.fixture(params=["resident", "one-shot"])
def reader(request, vault, clock, monkeypatch, tmp_path):
    monkeypatch.setenv("MEMTUI_PERSONAL_DIR", str(tmp_path / "personal"))
    monkeypatch.setenv("MEMTUI_PERSONAL_ID", "ada")
    return open_memory(vault, create=True, clock=clock, resident=request.param == "resident")


def test_history_details_and_show_open_no_other_person_s_memory(reader, monkeypatch):
    key = reader.remember("a secret of ada", personal=True).key
    assert reader.show(key, personal=True).key == key
    monkeypatch.setenv("MEMTUI_PERSONAL_ID", "grace")
    reader.remember("something of grace", personal=True)
    for personal in (True, False):
        for read in (reader.show, reader.details, reader.history):
            with pytest.raises(NotFound):
                read(key, personal=personal)


def test_a_key_was_unknown_before_it_was_recorded(reader):
    then = iso(reader.remember("the first").recorded_at)
    key = reader.remember("a later one").key
    for read in (reader.show, reader.details, reader.history):
        with pytest.raises(NotFound):
            read(key, as_of=then)


def test_a_one_shot_verb_reads_one_name_and_not_the_whole_store(vault, clock, monkeypatch):
    memory = open_memory(vault, create=True, clock=clock, resident=False)
    memory.remember("the olive mill stands", name="mill")
    from memtui.store.duckdb.units import DuckDBReadUnit

    def not_wanted(*_):
        raise AssertionError("the whole store was read")

    for read in ("columns", "names", "text_lengths", "tail"):
        monkeypatch.setattr(DuckDBReadUnit, read, not_wanted)
    assert memory.forget("mill").outcome == "forgotten"
    assert memory.revive("engram/mill").outcome == "revived"
