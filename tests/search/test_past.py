"""What was believed before, over the twin: past texts under both clocks, and what changed between two moments."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memtui.memory.histories import belief_diff, changes_between, search_past
from memtui.model.belief import BeliefState
from memtui.model.instants import DAY
from memtui.model.records import Content, RecordKey, Revival
from memtui.model.versions import Draft
from memtui.search.fetched import FetchedCorpus
from memtui.search.resident import ResidentCorpus
from memtui.search.searcher import Searcher
from tests.clocks import START, SteppingClock
from tests.twins.ledger import TwinLedger

PARTITIONS = ("personal:ada", "base")


class Store:
    """A twin whose clock moves a day with every version."""

    def __init__(self, corpus):
        self.clock = SteppingClock()
        self.ledger = TwinLedger(self.clock)
        self.corpus = corpus

    def write(self, name, *, partition="personal:ada", **fields):
        self.clock.forward(DAY)
        with self.ledger.writing() as unit:
            key = RecordKey(partition, "engram", name)
            return unit.append(Draft(key, "update", Content(valid_from=START, **fields), "t")).recorded_at

    def ask(self, question):
        with self.ledger.reading() as unit:
            return question(Searcher(self.corpus(unit, PARTITIONS)))

    def past(self, query, *, limit=20, **clocks):
        found = self.ask(lambda s: search_past(s, query, BeliefState(**clocks), self.clock.now, limit=limit))
        return [(text.key.name, text.seq, text.known_from, text.known_to) for text in found]

    def diff(self, earlier, later, true_at=None):
        return self.ask(lambda s: belief_diff(s, earlier, later, true_at))


@pytest.fixture(params=[ResidentCorpus.load, FetchedCorpus], ids=["resident", "fetched"])
def store(request):
    return Store(request.param)


def test_a_text_is_told_if_any_version_of_its_time_held_it_true(store):
    first = store.write("mill", summary="olive mill", valid_to=START + 5 * DAY)
    store.write("mill", summary="olive mill", valid_to=START + 50 * DAY)
    assert store.past("olive") == [("mill", 1, first, None)]
    assert store.past("olive", true_at=START + 30 * DAY) == [("mill", 1, first, None)]
    assert store.past("olive", true_at=START + 60 * DAY) == []


def test_a_gap_of_a_revived_memory_is_no_time_it_held(store):
    gap = Revival(START + 5 * DAY, START + 9 * DAY)
    store.write("mill", summary="olive mill", revivals=(gap,))
    assert len(store.past("olive", true_at=START + 4 * DAY)) == 1
    assert store.past("olive", true_at=START + 7 * DAY) == []
    assert len(store.past("olive", true_at=START + 9 * DAY)) == 1


def test_texts_that_did_not_hold_then_take_no_place_and_no_weight(store):
    for number in range(4):
        store.write(f"ended-{number}", summary="olive olive", valid_to=START + DAY)
    held = store.write("held", summary="olive and many other words beside it that dilute")
    assert store.past("olive", limit=1, true_at=START + 9 * DAY) == [("held", 5, held, None)]


def test_a_text_believed_twice_is_told_twice_and_each_time_by_itself(store):
    first = store.write("port", summary="port 5432")
    second = store.write("port", summary="another number")
    third = store.write("port", summary="port 5432", valid_to=START + 100 * DAY)
    fourth = store.write("port", summary="nothing at all")
    assert store.past("5432") == [("port", 1, first, second), ("port", 3, third, fourth)]
    assert store.past("5432", limit=1) == [("port", 1, first, second)]
    assert store.past("5432", known_at=third - 1) == [("port", 1, first, second)]
    assert store.past("5432", true_at=START + 200 * DAY) == [("port", 1, first, second)]


def test_what_is_shadowed_is_no_past_text(store):
    base = store.write("mill", partition="base", summary="olive of the base")
    assert len(store.past("olive")) == 1
    own = store.write("mill", summary="olive of my own")
    assert [known for _, _, known, _ in store.past("olive")] == [own]
    assert [known for _, _, known, _ in store.past("olive", known_at=own - 1)] == [base]


def test_what_comes_into_force_for_the_first_time_began_and_is_not_revived(store):
    store.clock.forward(DAY)
    key = RecordKey("personal:ada", "engram", "plan")
    with store.ledger.writing() as unit:
        plan = Content(summary="the new plan", valid_from=START + 20 * DAY)
        unit.append(Draft(key, "remember", plan, "t"))
    earlier, later = store.clock.now, START + 30 * DAY
    found = store.diff(earlier, later)
    assert [record.key for record in found.began] == [key]
    assert (found.learned, found.revived, found.forgotten, found.changed) == ((), (), (), ())
    assert not found.is_empty
    assert [record["name"] for record in found.as_dict()["began"]] == ["plan"]


def test_what_was_out_of_force_and_comes_back_is_revived(store):
    earlier = store.write("mill", summary="olive", valid_to=START + DAY)
    later = store.write("mill", summary="olive", revivals=(Revival(START + DAY, START + 2 * DAY),))
    found = store.diff(earlier, later)
    assert [record.key.name for record in found.revived] == ["mill"]
    assert found.began == ()


def test_what_came_to_be_shadowed_is_no_change_of_its_own(store):
    earlier = store.write("mill", partition="base", summary="olive of the base")
    later = store.write("mill", summary="olive of my own")
    found = store.diff(earlier, later)
    assert [record.key.partition for record in found.learned] == ["personal:ada"]
    assert (found.forgotten, found.changed, found.revived, found.began) == ((), (), (), ())
    assert store.diff(later, later).is_empty


def test_a_memory_type_is_told_when_it_changes_and_not_when_it_was_given_by_the_program():
    first = Content(summary="olive", memory_type="semantic")
    assert "memory_type" not in changes_between(None, first)
    assert changes_between(first, replace(first, memory_type="procedural")) == {
        "memory_type": ("semantic", "procedural")
    }
