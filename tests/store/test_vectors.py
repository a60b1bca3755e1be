"""Vectors of chunks: kept once, comparable only within their space, followed by number."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from memtui.model.records import Content, RecordKey
from memtui.search.dense import DenseIndex
from memtui.store.duckdb.connection import connect
from memtui.store.duckdb.migrating import empty_store
from memtui.store.vectors import EmbeddedText, Space
from tests.clocks import START
from tests.store.drafts import draft
from tests.twins.ledger import TwinLedger

SPACE = Space("model-a", 384, "chunks-1")
HERE = ["workspace"]


def unit_vectors(*seeds, dims=384):
    rows = np.stack([np.random.default_rng(seed).normal(size=dims) for seed in seeds]).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def remember(ledger, *names):
    with ledger.writing() as unit:
        for name in names:
            key = RecordKey("workspace", "engram", name)
            unit.append(draft(Content(summary=f"about {name}", valid_from=START), key))


def embed(ledger, texts, space=SPACE, **vectors):
    with ledger.writing() as unit:
        return unit.embed(space, [EmbeddedText(*text) for text in texts], vectors)


def told(ledger, space=SPACE, after=-1):
    with ledger.reading() as unit:
        block = unit.vectors(space, after)
    return block.text_id.tolist(), block.vectors, block.texts, block.last


def waiting(ledger, space=SPACE, partitions=HERE):
    with ledger.reading() as unit:
        return [text_id for text_id, _, _ in unit.unembedded(space, partitions)]


def test_vectors_come_back_bit_for_bit_in_reading_order(ledger):
    remember(ledger, "a", "b", "c")
    one, two, three = unit_vectors(1, 2, 3)
    assert embed(ledger, [(1, ("second", "first")), (0, ("third",)), (2, ())], first=one, second=two, third=three) == 3
    text_ids, vectors, texts, last = told(ledger)
    assert (text_ids, texts, last) == ([0, 1, 1], 3, 2)
    with ledger.reading() as unit:
        assert unit.embedded(SPACE) == (3, 3)
        assert unit.embedded(SPACE._replace(dims=0)) == (3, 3)  # a width that is not known yet
        assert unit.embedded(SPACE._replace(model_id="model-b")) == (0, 0)
    assert vectors.dtype == np.float32
    assert np.array_equal(vectors, [three, two, one])


def test_nothing_is_embedded_twice_and_a_chunk_serves_every_text_that_has_it(ledger):
    remember(ledger, "a", "b")
    one, two = unit_vectors(1, 2)
    embed(ledger, [(0, ("same",))], same=one)
    assert embed(ledger, [(0, ("same",)), (1, ("same",))], same=two) == 1
    text_ids, vectors, _, _ = told(ledger)
    assert text_ids == [0, 1]
    assert np.array_equal(vectors, [one, one])
    with ledger.reading() as unit:
        known = unit.known_vectors(SPACE, ["same", "other"])
    assert list(known) == ["same"]
    assert np.array_equal(known["same"], one)


def test_vectors_of_another_model_or_way_of_cutting_are_never_among_them(ledger):
    remember(ledger, "a")
    one, two = unit_vectors(1, 2)
    other, recut = SPACE._replace(model_id="model-b"), SPACE._replace(chunker="chunks-2")
    embed(ledger, [(0, ("same",))], same=one)
    assert told(ledger, other)[0] == told(ledger, recut)[0] == []
    assert waiting(ledger, other) == waiting(ledger, recut) == [0]
    embed(ledger, [(0, ("same",))], other, same=two)
    assert np.array_equal(told(ledger, other)[1], [two])
    assert np.array_equal(told(ledger)[1], [one])
    # Cut anew, a chunk that is the same text needs no model.
    assert embed(ledger, [(0, ("same",))], recut) == 1
    assert np.array_equal(told(ledger, recut)[1], [one])


def test_what_waits_is_told_newest_first_with_its_latest_version(ledger):
    remember(ledger, "a", "b")
    remember(ledger, "c")
    assert waiting(ledger) == [2, 1, 0]
    assert waiting(ledger, partitions=["personal:x"]) == []
    key = RecordKey("workspace", "engram", "a")
    with ledger.writing() as unit:
        unit.append(draft(Content(summary="about a", valid_from=START, pinned=True), key))  # the same text, later
    with ledger.reading() as unit:
        assert list(unit.unembedded(SPACE, HERE)) == [(0, "workspace", 4), (2, "workspace", 3), (1, "workspace", 2)]
    embed(ledger, [(2, ())])
    assert waiting(ledger) == [0, 1]


def test_a_reader_follows_by_number(ledger):
    remember(ledger, "a", "b")
    one, two = unit_vectors(1, 2)
    embed(ledger, [(0, ("x",))], x=one)
    last = told(ledger)[3]
    assert told(ledger, after=last)[::2] == ([], 0)
    embed(ledger, [(1, ("y",))], y=two)
    text_ids, vectors, texts, last = told(ledger, after=last)
    assert (text_ids, texts, last) == ([1], 1, 1)
    assert np.array_equal(vectors, [two])


@pytest.mark.parametrize("dims", [384, 512, 768, 1024, 1536, 3072])
def test_every_usual_width_has_a_place(ledger, dims):
    remember(ledger, "a")
    space = Space("wide", dims, "chunks-1")
    (vector,) = unit_vectors(7, dims=dims)
    embed(ledger, [(0, ("x",))], space, x=vector)
    assert np.array_equal(told(ledger, space)[1], [vector])


def test_an_unknown_width_fails_loudly(ledger):
    remember(ledger, "a")
    with pytest.raises(ValueError, match="vector_100"):
        embed(ledger, [(0, ("x",))], Space("odd", 100, "chunks-1"), x=np.ones(100, dtype=np.float32))
    with pytest.raises(ValueError, match="vector_100"):
        told(ledger, Space("odd", 100, "chunks-1"))


def test_a_text_is_kept_whole_or_not_at_all(ledger):
    remember(ledger, "a", "b")
    (one,) = unit_vectors(1)
    with pytest.raises(ValueError, match="no vector"):
        embed(ledger, [(0, ("x",)), (1, ("x", "y"))], x=one)
    assert told(ledger)[0] == []
    assert waiting(ledger) == [1, 0]


def test_of_another_width_nothing_is_embedded_and_each_width_keeps_its_own(ledger):
    remember(ledger, "a", "b")
    one, two = unit_vectors(1, 2)
    wide = SPACE._replace(dims=512)
    (wider,) = unit_vectors(3, dims=512)
    embed(ledger, [(0, ("x",)), (1, ("y",))], x=one, y=two)
    assert (waiting(ledger), waiting(ledger, wide)) == ([], [1, 0])
    assert told(ledger, wide)[::2] == ([], 0)
    assert embed(ledger, [(0, ("x",))], wide, x=wider) == 1
    assert (waiting(ledger), waiting(ledger, wide)) == ([], [1])
    assert np.array_equal(told(ledger, wide)[1], [wider])
    assert np.array_equal(told(ledger)[1], [one, two])
    with ledger.reading() as unit:
        assert (unit.embedded(SPACE)[0], unit.embedded(wide)[0]) == (2, 1)
        assert unit.embedded(SPACE._replace(dims=0))[0] == 2


def lose(ledger, *chunks):
    """Take vectors away behind the store's back."""
    if isinstance(ledger, TwinLedger):
        for key in [key for key in ledger.chunk_vectors if key[2] in chunks]:
            del ledger.chunk_vectors[key]
    else:
        with connect(Path(ledger.location), read_only=False) as connection:
            connection.execute("DELETE FROM vector_384 WHERE list_contains($1, chunk)", [list(chunks)])


def test_a_text_of_which_a_vector_was_lost_waits_and_who_follows_sees_it_come_back(ledger):
    remember(ledger, "a", "b", "c")
    one, two, three = unit_vectors(1, 2, 3)
    embed(ledger, [(0, ("x", "y")), (1, ("y",)), (2, ("z",))], x=one, y=two, z=three)
    with ledger.reading() as unit:
        whole = DenseIndex.load(unit, SPACE)
    lose(ledger, "y")
    with ledger.reading() as unit:
        lossy = whole.followed(unit)
        assert unit.embedded(SPACE) == (1, 1)
    assert (lossy.texts, told(ledger)[0], waiting(ledger)) == (1, [2], [1, 0])
    assert embed(ledger, [(0, ("x", "y"))], y=two) == 1
    assert (waiting(ledger), told(ledger)[0]) == ([], [0, 0, 1, 2])
    for held in (whole, lossy):
        with ledger.reading() as unit:
            later = held.followed(unit)
        assert (later.texts, later.chunks) == (3, 4)
        assert np.array_equal(later.vectors_of(1), [two])


@pytest.mark.parametrize("damage", ["DROP TABLE vector_384", "DROP TABLE embedded_text"])
def test_where_a_table_is_gone_all_waits_and_it_is_made_anew(another, store, damage):
    if store == "twin":
        pytest.skip("has no tables")
    ledger = another()
    remember(ledger, "a")
    (one,) = unit_vectors(1)
    embed(ledger, [(0, ("x",))], x=one)
    last = told(ledger)[3]
    with connect(Path(ledger.location), read_only=False) as connection:
        connection.execute(damage)
    with ledger.reading() as unit:
        assert unit.embedded(SPACE) == unit.embedded(SPACE._replace(dims=0)) == (0, 0)
        block = unit.vectors(SPACE)
        assert damage.split()[-1] in block.trouble
        assert "memtui embed refresh" in block.trouble
        assert unit.vectors(Space("other", 512, "c")).trouble is None or "embedded_text" in damage
    assert waiting(ledger) == [0]
    with ledger.writing() as unit:
        unit.refill_index()
    assert embed(ledger, [(0, ("x",))], x=one) == 1
    assert np.array_equal(told(ledger)[1], [one])
    assert told(ledger)[3] > last
    with connect(Path(ledger.location), read_only=True) as connection:
        shape = "SELECT column_name, data_type, is_nullable FROM duckdb_columns() WHERE table_name = ? ORDER BY 1"
        (table,) = (damage.split()[-1],)
        made = connection.execute(shape, [table]).fetchall()
    with empty_store(analyser="x") as connection:
        assert made == connection.execute(shape, [table]).fetchall()


def test_refilling_the_index_keeps_the_vectors(ledger):
    remember(ledger, "a")
    (one,) = unit_vectors(1)
    embed(ledger, [(0, ("x",))], x=one)
    with ledger.writing() as unit:
        unit.refill_index()
    assert told(ledger)[0] == [0]


def test_what_one_model_embedded_can_be_embedded_anew_and_stays_until_then(ledger):
    remember(ledger, "a", "b", "c")
    one, two, three, four = unit_vectors(1, 2, 3, 4)
    other = SPACE._replace(model_id="model-b")
    embed(ledger, [(0, ("x",)), (1, ("x", "y")), (2, ("z",))], x=one, y=two, z=two)
    embed(ledger, [(0, ("x",))], other, x=two)
    with ledger.reading() as unit:
        held = DenseIndex.load(unit, SPACE)
    with ledger.writing() as unit:
        unit.renew_vectors(SPACE)
        assert unit.known_vectors(SPACE, ["x", "y"]) == {}
    assert waiting(ledger) == [2, 1, 0]
    assert (waiting(ledger, other), np.array_equal(told(ledger, other)[1], [two])) == ([2, 1], True)
    assert np.array_equal(told(ledger)[1], [one, one, two, two])
    with pytest.raises(ValueError, match="no vector"):
        embed(ledger, [(0, ("x",))])
    assert embed(ledger, [(0, ("x",))], x=three) == 1
    assert waiting(ledger) == [2, 1]
    assert np.array_equal(told(ledger)[1], [three, three, two, two])  # a chunk is the same wherever it stands
    with ledger.reading() as unit:
        assert list(unit.known_vectors(SPACE, ["x", "y"])) == ["x"]
        assert unit.embedded(SPACE) == (3, 4)
        held = held.followed(unit)
    assert np.array_equal(held.vectors_of(0), [three])
    assert embed(ledger, [(1, ("x", "y")), (2, ("z",))], x=one, y=four, z=four) == 2
    assert np.array_equal(told(ledger)[1], [three, three, four, four])
    assert waiting(ledger) == []
    with ledger.reading() as unit:
        assert list(unit.known_vectors(SPACE, ["x", "y", "z"])) == ["x", "y", "z"]
        assert np.array_equal(held.followed(unit).vectors_of(2), [four])
