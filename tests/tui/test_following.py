"""Whose a change of the store is, told from threads that look and write at the same time."""

from __future__ import annotations

import gc
import threading

import pytest

from memtui.memory.opening import open_memory
from memtui.tui.app import MemtuiApp
from memtui.tui.messages import OrderChanged, VaultChanged
from memtui.tui.workers.background import Background
from memtui.tui.workers.following import StoreFollowing
from tests.tui.driving import LONGEST, settled


class Host:
    """Runs work in threads and keeps what is told."""

    def __init__(self):
        self.told, self.threads = [], []

    def run_worker(self, work, **_options):
        self.threads.append(threading.Thread(target=work, daemon=True))
        self.threads[-1].start()

    def post_message(self, message):
        self.told.append(message)

    def ended(self):
        for thread in self.threads:
            thread.join(LONGEST)
            assert not thread.is_alive()
        return [m.by_others if isinstance(m, VaultChanged) else "order" for m in self.told if not_loaded(m)]


def not_loaded(message):
    return isinstance(message, (VaultChanged, OrderChanged))


@pytest.fixture
def host():
    return Host()


@pytest.fixture
def following(host, memory):
    made = StoreFollowing(Background(host), memory)
    made.load()
    assert host.ended() == []
    return made


def test_what_is_ours_is_not_told_as_others_by_a_look_that_is_still_counting(following, host, memory, monkeypatch):
    counting, go_on = threading.Event(), threading.Event()
    status = memory.status

    def slow():
        if not counting.is_set():
            counting.set()
            assert go_on.wait(LONGEST)
        return status()

    with following.writing():
        memory.remember("It is ours", name="ours")
    monkeypatch.setattr(memory, "status", slow)
    following.doubt()
    following.look()
    assert counting.wait(LONGEST)
    following.tell_status()
    host.threads[-1].join(0.1)  # it may not tell before the look has told
    go_on.set()
    assert host.ended() == [False, False]


def test_what_another_write_of_ours_brings_is_ours_though_the_first_was_told(following, host, memory):
    with following.writing():
        memory.remember("The first", name="first")
        with following.writing():
            memory.remember("The second", name="second")
        following.tell_status()
        host.ended()
        memory.remember("The third", name="third")
        following.doubt()
        following.look()
        assert host.ended() == [False, False]


def test_what_comes_while_nothing_of_ours_is_written_is_of_others(following, host, memory):
    with pytest.raises(ZeroDivisionError), following.writing():
        1 / 0  # noqa: B018
    memory.remember("By another", name="other")
    following.doubt()
    following.look()
    assert host.ended() == [True]
    with following.writing():
        memory.remember("Ours", name="ours")
    following.tell_status()
    assert host.ended() == [True, False]
    memory.remember("By another again", name="other-2")
    following.doubt()
    following.look()
    assert host.ended() == [True, False, True]


async def test_what_the_screen_holds_is_not_looked_through_for_garbage_until_it_ends(vault):
    gc.unfreeze()
    memory = open_memory(vault, create=True)
    for number in range(30):
        memory.remember(f"The mill number {number} was weighed", name=f"m{number}")
    app = MemtuiApp(memory, sync_on_start=False)
    async with app.run_test() as pilot:
        await settled(pilot)
        assert gc.get_freeze_count() > 30
        assert gc.isenabled()
        assert len(app.screen.results.rows) == 30
    assert gc.get_freeze_count() == 0
