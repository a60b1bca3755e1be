"""Vectors that travel with texts: taken over where the same chunks lie, and never compared with another model's."""

from __future__ import annotations

import os

import numpy as np
import pytest

from memtui.errors import InvalidInput
from memtui.memory.embedding import chunks_in
from memtui.memory.vector_pack import VectorPack
from memtui.store.vectors import Space
from memtui.text.chunking import CHUNKER
from tests.memory.test_meaning import TopicEmbedder, names

NPY = b"\x93NUMPY\x01\x00F\x00{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }".ljust(79) + b"\n\0\0\0\0"
SPACE = Space("topics-1", 384, CHUNKER)


@pytest.fixture
def pack(memory, clock, tmp_path):
    """The vectors of what a memory holds, as a file."""
    memory.remember("How a forgotten password is renewed", name="password")
    clock.forward()
    memory.remember("The mill presses olives until midnight", name="mill")
    memory.register_embedder(TopicEmbedder())
    memory.embed()
    with memory.ledger.reading() as unit:
        digests = sorted({chunk.digest for version in unit.tail({}) for chunk in chunks_in(version)})
        made = VectorPack(SPACE, unit.known_vectors(SPACE, digests))
    file = tmp_path / "vectors.npz"
    made.write(file)
    again = tmp_path / "again.npz"
    made.write(again)
    assert file.read_bytes() == again.read_bytes()
    return file


def test_what_is_taken_over_needs_no_model(memory, pack):
    other = TopicEmbedder()
    other.model_id = "topics-2"
    memory.register_embedder(other)
    assert memory.adopt_vectors(pack) == 0  # they are there
    memory.embed(anew=True)
    assert len(other.passages) == 2 + 1  # asked first whether it answers
    read = VectorPack.read(pack)
    assert read.space == SPACE
    for vector in read.vectors.values():
        assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-6)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_a_pipe_is_refused_and_not_waited_for(memory, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InvalidInput, match="it is no regular file"):
        memory.adopt_vectors(tmp_path / "pipe")
    with pytest.raises(InvalidInput, match="No such file"):
        memory.adopt_vectors(tmp_path / "gone")


def test_taken_over_in_another_vault_the_same_texts_are_found_by_meaning(memory, pack, tmp_path):
    import memtui

    elsewhere = memtui.open(tmp_path / "elsewhere", create=True)
    elsewhere.remember("The mill presses olives until midnight", name="mill")
    elsewhere.remember("The kettle whistles", name="kettle")
    embedder = TopicEmbedder()
    elsewhere.register_embedder(embedder)
    assert elsewhere.adopt_vectors(pack) == 1
    assert elsewhere.embed().texts == 1
    assert embedder.passages == ["The kettle whistles"]
    assert names(elsewhere.search("zeytin", semantic=True)) == ["mill"]


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 no archive", b"plain text", NPY])
def test_a_file_without_vectors_is_named(memory, tmp_path, data):
    file = tmp_path / "vectors.npz"
    file.write_bytes(data)
    with pytest.raises(InvalidInput, match=r"vectors\.npz"):
        memory.adopt_vectors(file)
    with pytest.raises(InvalidInput, match="nowhere"):
        memory.adopt_vectors(tmp_path / "nowhere.npz")


@pytest.mark.parametrize(
    ("vectors", "digests"),
    [
        (np.ones((1, 384, 2), np.float16), np.zeros((1, 32), np.uint8)),
        (np.ones((1, 100), np.float16), np.zeros((1, 32), np.uint8)),
        (np.ones((2, 384), np.float16), np.zeros((1, 32), np.uint8)),
        (np.ones((1, 384), np.float16), np.zeros((1, 31), np.uint8)),
        (np.zeros((1, 384), np.float16), np.zeros((1, 32), np.uint8)),
        (np.full((1, 384), np.nan, np.float16), np.zeros((1, 32), np.uint8)),
        (np.array("text"), np.array("text")),
    ],
)
def test_vectors_of_another_shape_are_refused_and_nothing_is_kept(memory, pack, tmp_path, vectors, digests):
    file = tmp_path / "odd.npz"
    np.savez(file, vectors=vectors, digests=digests, model_id=np.array("topics-1"), chunker=np.array(CHUNKER))
    with pytest.raises(InvalidInput, match=r"odd\.npz"):
        memory.adopt_vectors(file)
    assert memory.embed().texts == 0
