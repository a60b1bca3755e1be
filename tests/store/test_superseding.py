"""Which record an entry says it replaces: every ledger tells the same."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.model.instants import DAY
from memtui.model.records import MEMORY_KINDS, Content, RecordKey
from memtui.model.versions import Draft
from memtui.store.columns import UNKNOWN
from memtui.store.duckdb.ledger import DuckDBLedger
from tests.clocks import START, SteppingClock
from tests.twins.ledger import TwinLedger

BASE, PERSONAL = "base", "personal:ada"


pytestmark = pytest.mark.slow


def append(ledger, kind, name, supersedes=None, *, partition=BASE, **fields):
    with ledger.writing() as unit:
        content = Content(summary=name, supersedes=supersedes, **{"valid_from": START, **fields})
        unit.append(Draft(RecordKey(partition, kind, name), "sync", content, "t"))


def pairs(ledger, partitions=(BASE,)):
    with ledger.reading() as unit:
        found = unit.columns(list(partitions)).supersedes
    return None if found is None else found.T.tolist()


def test_nothing_replaces_anything(ledger):
    append(ledger, "changelog", "one")
    assert pairs(ledger) is None
    append(ledger, "changelog", "two", "nowhere")
    append(ledger, "changelog", "three", "three")
    assert pairs(ledger) is None


def test_an_entry_comes_before_a_memory_of_its_name_and_documents_are_never_meant(ledger):
    append(ledger, "changelog", "new", "old")
    append(ledger, "note", "old")
    assert pairs(ledger) is None
    append(ledger, "engram", "old")
    assert pairs(ledger) == [[0, 2]]
    append(ledger, "changelog", "old")
    assert pairs(ledger) == [[0, 3]]


def test_names_are_compared_as_they_are_stored(ledger):
    append(ledger, "changelog", "caf\u00e9")
    append(ledger, "changelog", "new", "cafe\u0301")
    assert pairs(ledger) == [[1, 0]]


def test_an_entry_replaces_nothing_of_another_partition(ledger):
    append(ledger, "engram", "old", partition=PERSONAL)
    append(ledger, "changelog", "new", "old")
    assert pairs(ledger, (PERSONAL, BASE)) is None
    append(ledger, "engram", "old")
    assert pairs(ledger, (PERSONAL, BASE)) == [[1, 2]]
    assert pairs(ledger, (PERSONAL,)) is None


NAMES = ("a", "b", "c")
STEP = st.tuples(
    st.sampled_from(("changelog", "engram", "note")),
    st.sampled_from(NAMES),
    st.none() | st.sampled_from(NAMES),
    st.none() | st.integers(0, 3),  # its date, in days
    st.none() | st.integers(1, 6),  # it ends, in days
)


def overridden_by_hand(versions, known_at, true_at):
    """Keys that a later believed entry in force names, read off the versions themselves."""
    believed = {v.key: v.content for v in versions if v.recorded_at <= known_at}
    every = {v.key for v in versions}
    found = set()
    for key, content in believed.items():
        if content.supersedes is None or content.state_at(true_at) != "in_force":
            continue
        own = key._replace(name=content.supersedes)
        kinds = [key.kind] if own in every - {key} else MEMORY_KINDS
        for named in (own._replace(kind=kind) for kind in kinds):
            dates = content.dated, believed[named].dated if named in believed else None
            if named in believed and named != key and (None in dates or dates[0] >= dates[1]):
                found.add(named)
    return found


@given(steps=st.lists(STEP, min_size=2, max_size=10), known=st.integers(0, 10), true=st.integers(0, 7))
@settings(max_examples=150, deadline=None)
def test_what_is_overridden_follows_both_clocks(steps, known, true):
    ledger = TwinLedger(SteppingClock(step=DAY // 24))
    for kind, name, supersedes, day, end in steps:
        append(
            ledger, kind, name, supersedes,
            dated=None if day is None else START + day * DAY, valid_to=None if end is None else START + end * DAY,
        )  # fmt: skip
    with ledger.reading() as unit:
        versions, columns = unit.tail({}), unit.columns([BASE])
    known_at = versions[min(known, len(versions) - 1)].recorded_at
    true_at = START + true * DAY
    rows = columns.rows_at(known_at)
    found = columns.overridden(rows, true_at)
    told = set() if found is None else {versions[int(row)].key for row in rows[found]}
    assert told == overridden_by_hand(versions, known_at, true_at)
    assert found is None or found.any()


@given(steps=st.lists(STEP, min_size=2, max_size=8))
@settings(max_examples=15, deadline=None)
def test_the_store_names_the_same_pairs_as_its_twin(steps, tmp_path_factory):
    stores = [
        TwinLedger(SteppingClock(step=1000)),
        DuckDBLedger(tmp_path_factory.mktemp("store") / "memory.duckdb", SteppingClock(step=1000)),
    ]
    stores[1].migrate()
    told = []
    for ledger in stores:
        for kind, name, supersedes, day, _ in steps:
            append(ledger, kind, name, supersedes, dated=None if day is None else START + day * DAY)
        with ledger.reading() as unit:
            columns = unit.columns([BASE])
        told.append((pairs(ledger), columns.dated.tolist()))
    assert told[0] == told[1]
    assert UNKNOWN in told[0][1] or all(day is not None for *_, day, _ in steps)
