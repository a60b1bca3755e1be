"""The screen follows the files of the vault."""

import pytest

from memtui.errors import StoreBusy
from tests.tui.conftest import app_on
from tests.tui.driving import names, screen_text, settled, shown, toasts
from tests.tui.fake_memory import FakeMemory


@pytest.fixture(autouse=True)
def unrested(monkeypatch):
    """A look may follow another at once."""
    monkeypatch.setattr("memtui.tui.vault_worker._REST", 0.0)


async def looked(pilot, times=2):
    """Look at the files, as the clock does every second."""
    for _ in range(times):
        pilot.app.screen.look_at_files()
        await settled(pilot)


async def test_files_that_appear_change_and_vanish_are_read_unasked(memory, write):
    app = app_on(memory, sync_on_start=True)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        file = write("notes/kettle.md", "# The kettle\n\nIt is red.\n")
        await looked(pilot)
        assert "notes/kettle" in names(app)
        assert "Files read: 1 added." in shown(app)[0]
        file.write_text("# The kettle\n\nIt is blue by now.\n")
        await looked(pilot)
        assert "Files read: 1 changed." in shown(app)[0]
        file.unlink()
        await looked(pilot)
        assert "notes/kettle" not in names(app)
        assert toasts(app) == []


async def test_a_problem_of_a_file_is_told_once(memory, write):
    app = app_on(memory, sync_on_start=True)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        write("bad.md", "---\ntitle: [unclosed\n---\nstill text\n")
        await looked(pilot)
        assert any("bad.md" in toast for toast in toasts(app))
        app.clear_notifications()
        write("good.md", "fine\n")
        await looked(pilot)
        assert "good" in names(app)
        assert toasts(app) == []


async def test_files_are_read_when_they_keep_still_and_what_is_left_is_not_read_again(records):
    fake = FakeMemory(records)
    app = app_on(fake, sync_on_start=True)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        for count in (3, 5):
            fake.changed_files = count
            pilot.app.screen.worker._look_at_files()
        assert fake.syncs == 1  # the one at the start
        await looked(pilot, times=3)
        assert fake.syncs == 2
        fake.changed_files = 6
        await looked(pilot)
        assert fake.syncs == 3


async def test_a_busy_store_is_no_reason_to_shout(records):
    fake = FakeMemory(records)

    def busy():
        raise StoreBusy("held by another process")

    app = app_on(fake, sync_on_start=True)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        fake.stale = busy
        await looked(pilot)
        assert toasts(app) == []
        del fake.stale
        fake.changed_files = 1
        await looked(pilot)
        assert fake.syncs == 2


@pytest.mark.parametrize("options", [{"read_only": True}, {"changed_files": 4}])
async def test_nobody_watches_where_files_are_not_read(records, options):
    fake = FakeMemory(records, **options)
    app = app_on(fake, sync_on_start="read_only" in options)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.pause(1.3)
        await settled(pilot)
        assert fake.syncs == 0
        assert "reading" not in screen_text(app)
