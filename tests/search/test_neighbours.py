"""Neighbours by meaning: exact for few, and hardly a pair missed for many, without comparing each with each."""

from __future__ import annotations

import numpy as np
import pytest

from memtui.search import neighbours
from memtui.search.neighbours import FEW, Neighbours

WIDTH = 128
THRESHOLD = 0.93


def unit(vectors):
    vectors = np.asarray(vectors, dtype=np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def families(count, seed, spread=0.25):
    """Vectors of which one in two is a rewording of another: its cosine with it lies about 0.8 to 1."""
    random = np.random.default_rng(seed)
    # Embedded sentences lie in a cone rather than all around.
    centre = random.normal(size=WIDTH)
    first = unit(random.normal(size=(count // 2, WIDTH)) + 0.6 * centre)
    away = unit(random.normal(size=(count - count // 2, WIDTH)))
    shares = random.uniform(0.0, 2 * spread, size=(len(away), 1))
    again = unit(first[np.arange(len(away)) % len(first)] + shares * away)
    mixed = np.concatenate([first, again])
    return mixed[random.permutation(len(mixed))]


def pairs_by_comparing_all(vectors):
    found = set()
    for row, own in enumerate(vectors):
        found.update((row, int(other)) for other in np.flatnonzero(vectors @ own >= THRESHOLD) if other != row)
    return found


def pairs_of(index, places):
    return {(place, other) for place in places for other, _ in index.near(place)}


def test_few_are_all_compared():
    vectors = families(300, 1)
    index = Neighbours(range(300), vectors, THRESHOLD)
    found = pairs_of(index, range(300))
    assert found == pairs_by_comparing_all(vectors)
    assert len(found) > 100
    for place in range(300):
        near = index.near(place)
        assert near == sorted(near)
        assert [cosine for _, cosine in near] == pytest.approx([vectors[place] @ vectors[other] for other, _ in near])


def test_of_many_hardly_a_pair_is_missed():
    count = 3 * FEW
    vectors = families(count, 2)
    found = pairs_of(Neighbours(range(count), vectors, THRESHOLD), range(count))
    every = pairs_by_comparing_all(vectors)
    assert len(every) > 2_000
    assert found <= every
    assert len(found) >= 0.97 * len(every)


def test_places_are_who_was_asked_about_not_rows():
    vectors = families(40, 3)
    places = [3 * row + 1 for row in range(40)]
    spaced = Neighbours(places, vectors, THRESHOLD)
    plain = Neighbours(range(40), vectors, THRESHOLD)
    for row, place in enumerate(places):
        assert [(other - 1) // 3 for other, _ in spaced.near(place)] == [other for other, _ in plain.near(row)]
    assert spaced.near(0) == ()


def test_places_survive_being_dealt_out():
    count = FEW + 200
    vectors = families(count, 4)
    places = [count + 5 - row for row in range(count)]
    index = Neighbours(places, vectors, THRESHOLD)
    for row in range(0, count, 50):
        for other, cosine in index.near(places[row]):
            assert cosine == pytest.approx(float(vectors[row] @ vectors[count + 5 - other]), abs=1e-5)


def test_comparing_grows_slower_than_pairs(monkeypatch):
    compared = []
    stretches = Neighbours._stretches

    def counted(self, vector):
        found = stretches(self, vector)
        compared.append(sum(end - start for start, end in found))
        return found

    monkeypatch.setattr(neighbours.Neighbours, "_stretches", counted)
    means = {}
    for count in (4_000, 16_000):
        compared.clear()
        index = Neighbours(range(count), families(count, 5), THRESHOLD)
        for place in range(0, count, 40):
            index.near(place)
        means[count] = sum(compared) / len(compared)
    # Of n vectors each is compared with some times the root of n: four times as many cost twice as much.
    assert means[16_000] < 3 * means[4_000]
    assert means[16_000] < 0.15 * 16_000
