"""Vectors that are gone or of another width: words answer and say so, and a refresh makes them again."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from memtui.memory.embedding import MOST_CAUGHT_UP
from memtui.memory.opening import open_memory
from memtui.store.duckdb.connection import connect
from tests.clocks import SteppingClock
from tests.memory.test_meaning import TopicEmbedder, names

MANY = MOST_CAUGHT_UP + 3
"""More texts than a search embeds along the way."""


class WideEmbedder(TopicEmbedder):
    dims = 512


@pytest.fixture(scope="module")
def embedded_vault(tmp_path_factory):
    """Texts enough, each with its vector; made once, and lent as copies."""
    folder = tmp_path_factory.mktemp("embedded")
    memory = open_memory(folder, create=True, clock=SteppingClock(step=1000))
    memory.register_embedder(TopicEmbedder())
    for n in range(MANY):
        memory.remember(f"Olives of the year {1900 + n}", name=f"n{n}")
    memory.embed()
    return folder


@pytest.fixture(params=["resident", pytest.param("one-shot", marks=pytest.mark.slow)])
def opened(request, tmp_path, embedded_vault):
    folder = shutil.copytree(embedded_vault, tmp_path / "vault")

    def make(embedder=TopicEmbedder):
        memory = open_memory(folder, clock=SteppingClock(step=1000), resident=request.param == "resident")
        memory.register_embedder(embedder())
        return memory

    memory = make()
    assert names(memory.recall("zeytin"))
    return memory, make


def do(memory, statement):
    with connect(Path(memory.ledger.location), read_only=False) as connection:
        connection.execute(statement)


def is_whole(memory):
    found = memory.recall("zeytin", semantic=True)
    return bool(names(found)) and not found.degraded and memory.status().embedding["embedded"] == MANY


@pytest.mark.parametrize("table", ["vector_384", "embedded_text"])
def test_a_table_that_is_gone_is_said_and_made_anew(opened, table):
    memory, _ = opened
    do(memory, f"DROP TABLE {table}")
    found = memory.recall("olives")
    assert names(found)
    assert (found.plane, found.degraded) == ("lexical", True)
    assert table in found.reason
    assert "memtui embed refresh" in found.reason
    assert memory.status().embedding["embedded"] == 0
    assert memory.embed().texts == MANY
    assert is_whole(memory)


def test_rows_that_are_gone_are_embedded_again(opened):
    memory, _ = opened
    do(memory, "DELETE FROM vector_384")
    assert "embed refresh" in memory.recall("olives", semantic=True).reason
    assert memory.status().embedding["embedded"] == 0
    assert memory.embed().texts == MANY
    assert is_whole(memory)


def test_a_run_that_embeds_anew_and_breaks_off_loses_nothing_and_goes_on(opened):
    memory, make = opened
    again = TopicEmbedder()
    memory.register_embedder(again)
    seen = []
    done = memory.embed(lambda *count: seen.append(count), lambda: bool(seen), anew=True)
    assert (done.texts, done.waiting, seen) == (32, MANY - 32, [(32, MANY)])
    assert is_whole(memory)
    assert make().embed().texts == MANY - 32
    assert memory.embed().texts == 0
    assert is_whole(memory)


def test_a_model_that_became_wider_embeds_again(opened):
    _, make = opened
    memory = make(WideEmbedder)
    assert memory.status().embedding["embedded"] == 0
    done = memory.embed()
    assert (done.texts, done.waiting) == (MANY, 0)
    assert is_whole(memory)
    assert np.isfinite(memory.recall("zeytin").hits[0].score)
