"""The search screen as a person uses it."""

import asyncio
import threading
import time
from datetime import timedelta, timezone

import pytest
from textual.events import Key

from memtui.errors import StoreBusy
from memtui.model.outcomes import SyncReport, Written
from memtui.model.problems import Problem
from memtui.tui.screens.search import SearchScreen
from memtui.tui.widgets.result_list import ResultList
from tests.tui.conftest import app_on
from tests.tui.driving import names, pressed, screen_text, settled, shown, toasts, typed
from tests.tui.fake_memory import PRESENT, FakeMemory, engram


async def test_it_opens_on_what_was_recorded_last_with_the_focus_in_the_box(app):
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        assert app.screen.pane == "input"
        assert names(app) == ["m-0", "m-1", "m-2", "m-3", "m-4"]
        top = shown(app)[0]
        assert "vault · workspace · now · lexical" in top
        assert top.rstrip().endswith("5 records")
        assert "Recently recorded" in screen_text(app)


async def test_the_results_follow_each_key(fake_app, fake):
    async with fake_app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await typed(pilot, "scale")
        assert names(fake_app) == ["m-0", "m-4"]
        assert "2 hits" in screen_text(fake_app)
        await pressed(pilot, "ctrl+u")
        assert fake_app.screen.query_input.value == ""
        assert len(names(fake_app)) == 5


async def test_fast_typing_ends_with_the_answer_to_what_is_in_the_box(records):
    """The slow answer to the first letter must not overtake the fast one to the whole word."""
    gate = threading.Event()
    fake = FakeMemory(records, delay=lambda query: float(len(query) == 1 and not gate.wait(5)))
    app = app_on(fake)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.press(*"ledger")
        assert app.screen.query_input.value == "ledger"
        gate.set()
        await settled(pilot)
        assert app.screen.results.answer.query == "ledger"
        assert names(app) == ["m-2"]
        # While the slow one ran, only the newest was kept: nothing piled up behind it.
        assert fake.asked == ["l", "ledger"]


async def test_keys_are_taken_while_a_search_runs(records):
    gate = threading.Event()
    fake = FakeMemory(records, load_gate=gate)
    app = app_on(fake)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press(*"backups", "space", *"run")
        await pilot.pause()
        assert app.screen.query_input.value == "backups run"
        gate.set()
        await settled(pilot)
        assert app.screen.results.answer.query == app.screen.query_input.value


async def test_a_failing_search_says_so_and_the_program_goes_on(records):
    fake = FakeMemory(records, fail=lambda query: query == "boom")
    app = app_on(fake)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await typed(pilot, "boom")
        assert "the engine broke [/bold]" in screen_text(app)
        await pressed(pilot, "ctrl+u")
        assert len(names(app)) == 5
        assert app._exception is None


async def test_quitting_during_a_search_is_clean(records):
    fake = FakeMemory(records, delay=lambda query: 0.3 if query else 0.0)
    app = app_on(fake)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.press("a", "ctrl+q")
        await asyncio.sleep(0.4)
    assert app.return_code == 0
    assert app._exception is None


async def test_what_is_typed_before_the_vault_is_open_is_searched_when_it_is(records):
    gate = threading.Event()
    fake = FakeMemory(records, load_gate=gate)
    app = app_on(fake)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause(0.05)
        assert "Opening the vault" in screen_text(app)
        await pilot.press(*"ledger")
        assert fake.asked == []
        gate.set()
        await settled(pilot)
        assert names(app) == ["m-2"]


async def test_a_vault_that_cannot_be_opened_is_told_and_tried_again(records):
    fake = FakeMemory(records)
    broken = True
    load = fake.load

    def fails_once():
        if broken:
            raise OSError("disk on fire")
        load()

    fake.load = fails_once
    app = app_on(fake)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        assert "disk on fire" in screen_text(app)
        broken = False
        await pressed(pilot, "ctrl+r")
        assert len(names(app)) == 5


async def test_arrows_and_enter_act_on_the_results_from_the_box(app):
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pressed(pilot, "down", "down", "up")
        assert app.screen.row.key.name == "m-1"
        await pressed(pilot, "enter")
        assert app.screen.state.reading
        assert app.screen.pane == "preview"
        await pressed(pilot, "escape")
        assert not app.screen.state.reading
        assert app.screen.pane == "input"


async def test_letters_are_letters_in_the_box(app):
    keys = [*"qjk/?:.,[]{}@üğşıİ-frxyugG12"]
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        for key in keys:
            await pilot.press(key)
        await settled(pilot)
        assert app.screen.query_input.value == "".join(keys)
        assert len(fake_states(app)) == 5


def fake_states(app):
    return app._memory.recent(50).records


async def test_keys_that_follow_a_change_of_focus_at_once_go_to_the_new_pane(app):
    """In one burst, as a fast typist on a slow line sends them."""
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        burst(app, "tab", "f")
        await settled(pilot)
        assert names(app)[0] == "m-1"
        assert app.screen.query_input.value == ""
        burst(app, "slash", "f", "u")
        await settled(pilot)
        assert app.screen.query_input.value == "fu"
        assert len(fake_states(app)) == 4


async def test_moves_typed_right_behind_a_query_act_on_its_results(app):
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        burst(app, *"scale", "down", "enter")
        await settled(pilot)
        assert app.screen.row.key.name == "m-4"
        assert app.screen.state.reading


def burst(app, *keys):
    """Send keys without waiting for anything in between."""
    for key in keys:
        app.post_message(Key(key, key if len(key) == 1 else None))


async def test_vim_keys_move_in_the_list(app):
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pressed(pilot, "tab", "j", "j", "k", "G")
        assert app.screen.row.key.name == "m-4"
        await pressed(pilot, "g")
        assert app.screen.row.key.name == "m-0"
        await pressed(pilot, "ctrl+d")
        assert app.screen.results.selected == 4
        await pressed(pilot, "slash")
        assert app.screen.pane == "input"
        assert app.screen.query_input.value == ""


async def test_forgetting_acts_at_once_and_undo_takes_back_each_in_turn(fake_app, fake):
    async with fake_app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        await pressed(pilot, "tab", "f")
        assert "Forgot m-0. u undoes it." in toasts(fake_app)
        assert names(fake_app) == ["m-1", "m-2", "m-3", "m-4"]
        await pressed(pilot, "f")
        assert names(fake_app) == ["m-2", "m-3", "m-4"]
        await pilot.press("u", "u")
        await settled(pilot)
        assert names(fake_app) == ["m-0", "m-1", "m-2", "m-3", "m-4"]
        await pressed(pilot, "u")
        assert "There is nothing to undo in this session." in toasts(fake_app)


async def test_undo_selects_what_it_brought_back(app):
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pressed(pilot, "tab", "j", "j", "f")
        assert app.screen.row.key.name == "m-3"
        await pressed(pilot, "u")
        assert app.screen.row.key.name == "m-2"
        await pressed(pilot, "G", "f", "f", "u", "u")
        assert len(names(app)) == 5
        assert app.screen.row.key.name == "m-4"


async def test_forgotten_ones_are_shown_on_demand_and_can_be_revived(app):
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        await pressed(pilot, "tab", "f", "x", "g")
        assert names(app)[0] == "m-0"
        assert "forgotten" in screen_text(app)
        await pressed(pilot, "r")
        assert any("Revived m-0" in toast for toast in toasts(app))
        await pressed(pilot, "x")
        assert names(app)[0] == "m-0"


async def test_what_is_not_yet_true_has_nothing_to_revive(app, memory):
    memory.remember("The mill moves to Milas", name="move", valid_from="2999-01-01")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        await pressed(pilot, "tab", "x", "g", "r")
        assert app.screen.row.key.name == "move"
        assert any("not yet true" in toast and "in force already" not in toast for toast in toasts(app))


async def test_a_failed_undo_can_be_tried_again(fake_app, fake):
    async with fake_app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        await pressed(pilot, "tab", "f")
        revive, fake.revive = fake.revive, fails
        await pressed(pilot, "u")
        assert any("no luck" in toast for toast in toasts(fake_app))
        fake.revive = revive
        await pressed(pilot, "u")
        assert names(fake_app)[0] == "m-0"


def fails(key):
    raise RuntimeError("no luck")


async def test_a_read_only_vault_says_why_it_does_not_write(records):
    fake = FakeMemory(records, read_only=True)
    app = app_on(fake)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        assert "read-only" in shown(app)[0]
        await pressed(pilot, "tab", "f")
        assert any("read-only" in toast for toast in toasts(app))
        assert len(fake_states(app)) == 5


async def test_no_hit_is_said_and_the_closest_names_are_offered(fake_app):
    app = fake_app
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await typed(pilot, "zzz")
        text = screen_text(app)
        assert "Nothing matches." in text
        assert names(app) == ["m-0", "m-1", "m-2"]
        await pressed(pilot, "down")
        assert app.screen.row.key.name == "m-1"


async def test_changes_by_others_keep_the_selection_and_are_told_quietly(fake_app, fake):
    async with fake_app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pressed(pilot, "down", "down")
        line = next(i for i, text in enumerate(shown(fake_app)) if "▌" in text)
        fake.records.insert(0, engram("new", "Something new"))
        fake.changed = True
        fake_app.screen.look_for_changes()
        await settled(pilot)
        assert fake_app.screen.row.key.name == "m-2"
        assert "1 new memory" in shown(fake_app)[0]
        assert next(i for i, text in enumerate(shown(fake_app)) if "▌" in text) == line + 2
        assert toasts(fake_app) == []


async def test_a_list_being_read_does_not_jump_when_others_write():
    fake = FakeMemory([engram(f"m-{i}", f"memory number {i}") for i in range(60)])
    app = app_on(fake)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pressed(pilot, "tab", "pagedown", "pagedown")
        before = [text[:50] for text in shown(app)[6:-1]]
        fake.records.insert(0, engram("new", "Something new"))
        fake.changed = True
        app.screen.look_for_changes()
        await settled(pilot)
        assert [text[:50] for text in shown(app)[6:-1]] == before


async def test_the_first_sync_reports_what_it_did(records):
    fake = FakeMemory(records)
    problem = Problem("notes/x.md", "is not UTF-8", 3)
    fake.sync = lambda progress=None, cancelled=None: SyncReport(added=3, problems=(problem,))
    app = app_on(fake, sync_on_start=True)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        assert any("3 added" in toast and "notes/x.md:3" in toast for toast in toasts(app))


async def test_an_unchanged_sync_says_nothing(records):
    app = app_on(FakeMemory(records), sync_on_start=True)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        assert toasts(app) == []


async def test_the_preview_shows_text_why_and_history(app):
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await typed(pilot, "scale")
        assert "The scale at the harbour" in screen_text(app)
        await pressed(pilot, "tab", "2")
        assert "BM25" in screen_text(app)
        assert "━" in screen_text(app)
        await pressed(pilot, "f", "u", "ctrl+u", "g", "3")
        history = screen_text(app)
        assert history.index("revive") < history.index("forget ") < history.index("remember")
        await pressed(pilot, "1")
        assert "recorded" in screen_text(app)


async def test_the_preview_goes_with_the_selection(app):
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        for name in ("m-1", "m-2", "m-3"):
            await pressed(pilot, "down")
            assert any(name in line[62:] for line in shown(app))


async def test_a_click_selects_and_a_double_click_opens(app):
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.click(ResultList, offset=(10, 5))
        await settled(pilot)
        assert app.screen.row.key.name == "m-2"
        await typed(pilot, "f")  # who was typing goes on typing: no click makes letters into commands
        assert app.screen.query_input.value == "f"
        await pressed(pilot, "ctrl+u")
        await pilot.click(ResultList, offset=(10, 5), times=2)
        await settled(pilot)
        assert app.screen.state.reading


async def test_a_click_on_a_tab_and_on_a_footer_key_works(app):
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await typed(pilot, "scale")
        row, line = next((i, text) for i, text in enumerate(shown(app)) if "History" in text)
        await pilot.click(offset=(line.index("Why") + 1, row))
        await settled(pilot)
        assert app.screen.state.tab == "why"
        await pilot.click(offset=(shown(app)[-1].index("Help") + 1, 39))
        await settled(pilot)
        assert "Help: " in screen_text(app)


async def test_help_opens_for_the_pane_with_the_focus_and_closes(app):
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pressed(pilot, "f1")
        assert "Help: Search box" in screen_text(app)
        await pressed(pilot, "escape", "tab", "question_mark")
        assert "Help: Results" in screen_text(app)
        await pressed(pilot, "j", "question_mark")
        assert isinstance(app.screen, SearchScreen)
        assert app.screen.pane == "list"


async def test_the_palette_runs_actions_and_changes_the_theme(app):
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.press("ctrl+p", *"memtui-light")
        await settled(pilot)
        await pilot.pause(0.3)
        await pressed(pilot, "enter")
        assert app.theme == "memtui-light"
        assert isinstance(app.screen, SearchScreen)


async def test_tab_goes_round_the_panes(app):
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        seen = []
        for _ in range(4):
            seen.append(app.screen.pane)
            await pressed(pilot, "tab")
        assert seen == ["input", "list", "preview", "input"]
        await pressed(pilot, "shift+tab")
        assert app.screen.pane == "input"


@pytest.mark.parametrize("size", [(200, 60), (120, 40), (80, 24), (60, 16)])
async def test_box_and_list_are_seen_at_every_size(app, size):
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        text = screen_text(app)
        assert "Search memories and notes" in text
        assert "The scale at the harbour" in text
        assert "needs 60×16" not in text


async def test_a_small_terminal_says_so_and_comes_back_as_it_was(app):
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pressed(pilot, "tab", "j", "j")
        for size in [(59, 40), (120, 15), (20, 5), (1, 1)]:
            await pilot.resize_terminal(*size)
            await settled(pilot)
            assert app.screen.query_one("SizeNotice").display
        await pilot.resize_terminal(80, 24)
        await settled(pilot)
        assert not app.screen.query_one("SizeNotice").display
        assert app.screen.pane == "list"
        assert app.screen.row.key.name == "m-2"
        assert "The ledger is kept" in screen_text(app)


async def test_the_preview_wraps_anew_when_the_terminal_changes(app):
    async with app.run_test(size=(200, 60)) as pilot:
        await settled(pilot)
        await pilot.resize_terminal(110, 40)
        await settled(pilot)
        document = app.screen.preview.document
        assert document.shown.width == document.text_width


async def test_pasting_many_lines_and_control_characters_gives_one_harmless_line(app):
    from textual.events import Paste

    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        app.screen.query_input.post_message(Paste("one\ntwo\x1b[31m\nthree"))
        await settled(pilot)
        assert app.screen.query_input.value == "one two[31m three"
        app.screen.query_input.post_message(Paste("x" * 1_000_000))
        await settled(pilot)
        assert len(app.screen.query_input.value) == 2_000


async def test_a_hundred_thousand_rows_are_only_drawn_where_they_are_seen():
    record = engram("one", "The same memory again and again")
    fake = FakeMemory([record])
    app = app_on(fake)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        from memtui.tui.rows import Answer, Row

        results = app.screen.results
        results.rows_painted = 0
        results.show(Answer("", [Row(record)] * 100_000, 100_000), 0)
        await settled(pilot)
        assert results.rows_painted <= 30
        await pressed(pilot, "tab", "G")
        assert results.selected == 99_999
        assert results.rows_painted <= 60
        assert len(list(results.query("*"))) <= 2


async def test_snippets_are_made_only_for_rows_that_are_seen():
    fake = FakeMemory([engram(f"m-{i}", f"memory number {i}") for i in range(50)])
    app = app_on(fake)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await typed(pilot, "memory")
        seen = app.screen.results.page
        assert fake.snippets_made <= (seen + 2) * len("memory")
        before = fake.snippets_made
        await pressed(pilot, "tab", "G")
        assert fake.snippets_made > before
        assert 49 in app.screen.results.passages
        assert seen + 5 not in app.screen.results.passages


async def test_an_error_in_a_worker_is_a_toast_not_the_end(fake_app, fake):
    async with fake_app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        fake.history = fails
        await pressed(pilot, "tab", "3")
        assert any("no luck" in toast for toast in toasts(fake_app))
        assert fake_app._exception is None
        await pressed(pilot, "1")
        assert "recorded" in screen_text(fake_app)


@pytest.mark.slow
async def test_opening_and_closing_again_and_again_while_searches_run(records):
    fake = FakeMemory(records, delay=lambda query: 0.01)
    app = app_on(fake)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.press("s")
        for _ in range(8):
            await pilot.press("c", "enter", "escape")
        await settled(pilot)
        assert app._exception is None
        assert app.screen.results.answer.query == app.screen.query_input.value


async def test_already_forgotten_is_told_with_its_note(fake_app, fake):
    fake.forget = lambda key, reason=None: Written(
        "already_forgotten", key, 1, PRESENT, note="forgotten since yesterday"
    )
    async with fake_app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        await pressed(pilot, "tab", "f")
        assert any("forgotten already (forgotten since yesterday)." in toast for toast in toasts(fake_app))
        assert fake_app.screen.state.done == ()


async def test_a_toast_tells_what_went_wrong_apart_from_what_to_do(app, memory, write):
    write("a.md", "# A document\n")
    memory.sync()
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        await typed(pilot, "document")
        await pressed(pilot, "tab", "f")
        assert any("its file decides what is so; set `status: archived`" in toast for toast in toasts(app))


@pytest.mark.parametrize(
    ("message", "hint", "told"),
    [
        ("the store is busy", "try again", "the store is busy; try again"),
        ("It is no date.", "Write one.", "It is no date. Write one."),
        ("the store is busy", None, "the store is busy"),
    ],
)
async def test_a_failed_write_is_told_in_sentences(fake_app, fake, message, hint, told):
    def busy(key):
        raise StoreBusy(message, hint=hint)

    fake.forget = busy
    async with fake_app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        await pressed(pilot, "tab", "f")
        assert toasts(fake_app) == [told]


async def test_toasts_tell_the_readers_clock(fake_app, fake):
    fake.zone = timezone(timedelta(hours=9), "JST")
    fake.forget = lambda key, reason=None: Written(
        "already_forgotten", key, 1, PRESENT, note="forgotten since 2026-03-01T12:00:00.123456Z"
    )
    async with fake_app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        await pressed(pilot, "tab", "f")
        assert any("forgotten since 1 Mar 2026 21:00 JST" in toast for toast in toasts(fake_app))


async def test_the_first_picture_does_not_wait_for_the_vault(records):
    gate = threading.Event()
    app = app_on(FakeMemory(records, load_gate=gate))
    started = time.monotonic()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert "Search memories and notes" in screen_text(app)
        assert time.monotonic() - started < 5
        gate.set()
        await settled(pilot)
