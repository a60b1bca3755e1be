"""The screen follows the files of the vault."""

import time

import pytest

from memtui.clock import monotonic_ms
from memtui.errors import StoreBusy
from tests.tui.conftest import app_on
from tests.tui.driving import names, pressed, screen_text, settled, shown, toasts, typed
from tests.tui.fake_memory import FakeMemory


@pytest.fixture(autouse=True)
def unrested(monkeypatch):
    """A look may follow another at once, and what changed need not keep still for long."""
    monkeypatch.setattr("memtui.tui.workers.files._REST_MS", 0.0)
    monkeypatch.setattr("memtui.tui.workers.files._REST_TIMES", 0.0)
    monkeypatch.setattr("memtui.tui.workers.files._SETTLE_SECONDS", 0.02)


async def looked(pilot, times=1):
    """Look at the files, as the clock does every second.

    A look that is under way may have begun before what a test did, and no other begins meanwhile: it ends first.
    """
    for _ in range(times):
        await settled(pilot)
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
        assert any("F5 lists them" in toast for toast in toasts(app))
        assert "1 problem" in shown(app)[0]
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
        counts = iter(range(1, 100))
        fake.changed_files = lambda: next(counts)
        pilot.app.screen.worker.files._look()
        assert fake.syncs == 1  # the one at the start
        fake.changed_files = 5
        await looked(pilot, times=3)
        assert fake.syncs == 2
        fake.changed_files = 6
        await looked(pilot)
        assert fake.syncs == 3


async def test_an_engram_that_cannot_be_read_is_named_and_counted_until_it_is_mended(memory, write):
    app = app_on(memory, sync_on_start=True)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        assert "problem" not in shown(app)[0]
        file = write("engrams/broken.md", "---\nsummary: [broken\n---\n")
        await looked(pilot)
        (toast,) = toasts(app)
        assert "engrams/broken.md" in toast
        assert "F5 lists them" in toast
        assert "2 problems · 5 records" in shown(app)[0]
        file.write_text("---\nsummary: It is whole again\n---\n")
        await looked(pilot)
        assert "problem" not in shown(app)[0]
        assert "broken" in names(app)


@pytest.mark.slow
async def test_a_look_follows_another_within_a_second_however_busy_the_machine_was(records, monkeypatch):
    monkeypatch.undo()
    fake = FakeMemory(records)
    app = app_on(fake, sync_on_start=True)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        worker = pilot.app.screen.worker.files
        worker._look()
        usual = worker._look_ms
        fake.changed_files = lambda: time.sleep(0.2) or 0
        began = monotonic_ms()
        worker._look()
        assert worker._look_ms < max(2 * usual, 50)
        assert worker._look_again_ms - began < 200 + 1000
        for _ in range(600):
            worker._look_ms = worker._look_ms * 1.02
        worker._look()
        assert worker._look_again_ms - monotonic_ms() > 5_000, "a folder that takes long to walk is walked seldom"


@pytest.mark.slow
async def test_a_memory_whose_file_has_just_changed_is_read_and_then_forgotten(memory, write, monkeypatch):
    file = write("engrams/port.md", "---\nsummary: The port is 5433\n---\n")
    app = app_on(memory, sync_on_start=True)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        monkeypatch.setattr(app.screen, "look_at_files", lambda: None)
        file.write_text("---\nsummary: The port is 6000\n---\n")
        await typed(pilot, "port")
        await pressed(pilot, "tab", "f")
        assert toasts(app) == ["Forgot port. u undoes it."]
        assert [v.operation for v in memory.history("port")] == ["sync", "sync", "forget"]
        assert "6000" in file.read_text()
        assert "valid_to" in file.read_text()


@pytest.mark.slow
async def test_a_file_that_is_read_again_in_vain_is_said(memory, write, monkeypatch):
    file = write("engrams/port.md", "---\nsummary: The port is 5433\n---\n")
    app = app_on(memory, sync_on_start=True)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        monkeypatch.setattr(app.screen, "look_at_files", lambda: None)
        file.write_text("---\nsummary: [\n---\n")
        await typed(pilot, "port")
        await pressed(pilot, "tab", "f")
        assert "engrams/port.md" in toasts(app)[-1]
        assert memory.show("port").state == "in_force"


@pytest.mark.slow
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


@pytest.mark.slow
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


async def test_synonyms_that_do_not_count_are_a_problem_on_the_screen(memory, write):
    write("synonyms.toml", "same = 1\n")
    app = app_on(memory, sync_on_start=True)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        assert "1 problem" in shown(app)[0]
