"""The thread that embeds: one run at a time, whatever comes between."""

from __future__ import annotations

import threading

import pytest

from memtui.tui.workers.background import Background
from memtui.tui.workers.embedding import Embedding
from memtui.tui.workers.following import StoreFollowing


class ByHand(Background):
    """Keeps what is to be run, for a test to run it when it likes."""

    def __init__(self):
        super().__init__(None)
        self.begun, self.told = [], []

    def start(self, name, work):
        self.begun.append(work)

    def tell(self, message):
        self.told.append(message)


class Interleaved:
    """A lock that, right after it was released for the `after`th time, lets another thread's doing come first."""

    def __init__(self, after, between):
        self._lock, self._left, self._between = threading.Lock(), after, between

    def __enter__(self):
        self._lock.acquire()

    def __exit__(self, *_):
        self._lock.release()
        self._left -= 1
        if self._left == 0:
            self._between()


@pytest.fixture
def background():
    return ByHand()


@pytest.fixture
def embedding(background, memory):
    return Embedding(background, memory, StoreFollowing(background, memory))


def test_a_run_that_begins_while_another_one_ends_is_known_to_run(background, embedding, memory):
    status = memory.status()
    embedding.attend(status, may_write=True)
    embedding._lock = Interleaved(1, lambda: embedding.attend(status, may_write=True))
    background.begun[0]()
    assert len(background.begun) == 2, "the first was over, so another one had to begin"
    assert embedding.running
    embedding.attend(status, may_write=True)
    assert len(background.begun) == 2, "there is never more than one"
    background.begun[1]()
    assert not embedding.running


def test_what_comes_during_a_run_is_done_by_that_run(background, embedding, memory):
    status = memory.status()
    embedding.attend(status, may_write=True)
    embedding.attend(status, may_write=True)
    background.begun[0]()
    assert len(background.begun) == 1
    assert len(background.told) == 2
    assert not embedding.running


def test_a_run_that_breaks_down_makes_room_for_the_next(background, embedding, memory, monkeypatch):
    status = memory.status()
    embedding.attend(status, may_write=True)
    with monkeypatch.context() as broken:
        broken.setattr(embedding, "_attend", lambda: (_ for _ in ()).throw(RuntimeError("broken")))
        with pytest.raises(RuntimeError, match="broken"):
            background.begun[0]()
    assert not embedding.running
    embedding.attend(status, may_write=True)
    assert len(background.begun) == 2
