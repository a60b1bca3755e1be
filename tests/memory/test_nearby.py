"""Who says the same by meaning: never what a figure, a day or a denial turns round, and never each with each."""

from __future__ import annotations

import numpy as np

from memtui.memory.gathering import Nearby
from memtui.model.records import RecordKey
from memtui.search import neighbours


def key(name, kind="engram"):
    return RecordKey("workspace", kind, name)


def nearby(texts, kinds=None, merge=0.9):
    keys = [key(name, (kinds or {}).get(name, "engram")) for name in texts]
    random = np.random.default_rng(3)
    vectors = {}
    for each in keys:  # all of them nearly the same
        vector = np.ones(64, dtype=np.float32) + random.normal(size=64).astype(np.float32) * 0.05
        vectors[each] = vector / np.linalg.norm(vector)
    found = Nearby(vectors, {each: texts[each.name] for each in keys}, merge)(keys)
    if found is None:
        return set()
    return {
        frozenset((keys[place].name, keys[other].name))
        for place in range(len(keys))
        for other, _ in found.near(place)
    }  # fmt: skip


def test_rewordings_are_near():
    assert nearby({"a": "The press is cleaned at dawn", "b": "At dawn somebody cleans the press"}) == {frozenset("ab")}


def test_what_is_turned_round_is_not():
    assert not nearby({"a": "The port is 8080", "b": "The port is 8087"})
    assert not nearby({"a": "Deploys run on Tuesdays", "b": "Deploys never run on Tuesdays"})
    assert not nearby({"a": "We meet on Monday", "b": "We meet on Friday"})


def test_other_kinds_are_not_compared():
    texts = {"a": "The press is cleaned at dawn", "b": "At dawn somebody cleans the press"}
    assert not nearby(texts, kinds={"b": "research"})


def test_readings_that_differ_in_a_figure_are_compared_with_nobody(monkeypatch):
    asked = []
    near = neighbours.Neighbours.near

    def counted(self, place):
        asked.append(place)
        return near(self, place)

    monkeypatch.setattr(neighbours.Neighbours, "near", counted)
    assert not nearby({f"r{number}": f"Sensor {number} reported {7 * number}" for number in range(500)})
    assert not asked


def test_one_alone_and_none_at_all_are_near_nobody():
    assert not nearby({"a": "The press is cleaned at dawn"})
    assert not nearby({})
