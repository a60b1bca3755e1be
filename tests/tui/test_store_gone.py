"""The store, or the whole private folder, vanishes while the screen is open."""

import shutil

import pytest

from memtui.errors import StoreGone
from memtui.memory.opening import open_memory
from tests.tui.conftest import app_on
from tests.tui.driving import names, pressed, settled, shown, toasts, typed


@pytest.fixture(autouse=True)
def unrested(monkeypatch):
    """A look at the files may follow another at once, and what changed need not keep still for long."""
    monkeypatch.setattr("memtui.tui.workers.files._REST_MS", 0.0)
    monkeypatch.setattr("memtui.tui.workers.files._REST_TIMES", 0.0)
    monkeypatch.setattr("memtui.tui.workers.files._SETTLE_SECONDS", 0.02)


def _deleted(vault):
    for file in (vault / ".memtui").glob("memory.duckdb*"):
        file.unlink()


async def looked(pilot):
    """Look at the store and at the files, as the clock does every second."""
    for _ in range(2):
        pilot.app.screen.look_for_changes()
        pilot.app.screen.look_at_files()
        await settled(pilot)


@pytest.mark.parametrize("whole_folder", [False, True])
async def test_what_is_held_stays_and_none_is_made_unasked(memory, vault, write, whole_folder):
    app = app_on(memory, sync_on_start=True)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        before = names(app)
        shutil.rmtree(vault / ".memtui") if whole_folder else _deleted(vault)
        write("notes/kettle.md", "# The kettle\n\nIt is red.\n")
        await looked(pilot)
        assert "the store is gone · 5 records" in shown(app)[0]
        (toast,) = toasts(app)
        assert "memory.duckdb is not there any more" in toast
        assert "ctrl+r" in toast
        await typed(pilot, "ledger")
        assert names(app)[0] == "m-2"
        await pressed(pilot, "enter", "escape", "ctrl+u")  # reading a memory recalls it
        assert sorted(names(app)) == sorted(before)
        assert not (vault / ".memtui" / "memory.duckdb").exists()
        assert (vault / ".memtui").exists() is not whole_folder

        await pressed(pilot, "ctrl+r")
        await looked(pilot)
        assert any("A new store was made" in toast for toast in toasts(app))
        assert "gone" not in shown(app)[0]
        assert names(app) == ["notes/kettle"]
        assert (vault / ".memtui" / "memory.duckdb").exists()


async def test_a_store_that_is_put_back_is_followed_again(memory, vault):
    app = app_on(memory)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        (vault / ".memtui").rename(vault / "away")
        await looked(pilot)
        assert "the store is gone" in shown(app)[0]
        (vault / "away").rename(vault / ".memtui")
        open_memory(vault, resident=False).remember("The store is back", name="back")
        await looked(pilot)
        assert "the store is gone" not in shown(app)[0]
        assert "back" in names(app)
        assert memory.status().warnings == ()


async def test_a_log_that_stayed_behind_is_not_lost_either(memory, vault):
    app = app_on(memory)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        (vault / ".memtui" / "memory.duckdb").unlink()
        await looked(pilot)
        await pressed(pilot, "ctrl+r")
        assert any("put memory.duckdb back beside it" in toast for toast in toasts(app))
        assert "the store is gone" in shown(app)[0]
        assert (vault / ".memtui" / "memory.duckdb.wal").exists()
        assert len(names(app)) == 5


def test_nothing_is_remembered_into_a_store_that_has_gone(memory, vault):
    assert memory.search("ledger").hits
    _deleted(vault)
    with pytest.raises(StoreGone, match="is gone"):
        memory.remember("This would be all there is")
    assert memory.search("ledger").hits[0].record.key.name == "m-2"
    assert not (vault / ".memtui" / "memory.duckdb").exists()
    assert memory.sync().problems == ()
    assert memory.search("ledger").hits == ()
    assert any("5 versions were acknowledged" in warning for warning in memory.status().warnings)
