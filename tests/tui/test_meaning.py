"""Words answer at once, meaning joins them, and neither ever stands in the way of typing."""

import asyncio
import threading
import time

import pytest

from memtui.embedding.names import Chosen
from memtui.embedding.process import WorkerEmbedder
from memtui.errors import StoreBusy, StoreUnreadable
from memtui.memory.opening import open_memory
from memtui.tui.standing import Standing
from tests.embedding.processes import SMALL, gone
from tests.tui.conftest import app_on
from tests.tui.driving import names, pressed, screen_text, settled, shown, toasts, typed, until
from tests.tui.topics import TopicEmbedder

HASHED = Chosen("hash-v1", "hash-v1", 384, semantic=True)


@pytest.fixture
def embedder(memory):
    made = TopicEmbedder()
    memory.register_embedder(made)
    return made


def header(app):
    return shown(app)[0]


def selected_line(app):
    return next(i for i, text in enumerate(shown(app)) if "▌" in text)


# Two looks


async def test_words_answer_first_and_meaning_joins_them(memory, embedder):
    memory.embed()
    app = app_on(memory)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        assert "· hybrid " in header(app)
        embedder.go_queries.clear()
        await pilot.press(*"kantar", "space", *"mill")
        await until(pilot, lambda: names(app) == ["m-3"])
        assert not app.screen.results.answer.by_meaning
        embedder.go_queries.set()
        await settled(pilot)
        assert app.screen.results.answer.by_meaning
        assert set(names(app)) >= {"m-0", "m-3", "m-4"}
        assert app.screen.state.selected == app.screen.results.rows[0].key
        assert "near in meaning" not in screen_text(app)
        await pressed(pilot, "ctrl+u")
        await typed(pilot, "kantar")
        assert names(app)
        assert "No word was found: these are only near in meaning." in screen_text(app)


async def test_a_slow_model_does_not_hold_up_words_and_its_late_answer_is_dropped(memory, embedder):
    memory.embed()
    app = app_on(memory)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        embedder.go_queries.clear()
        await pilot.press(*"yedek")
        await until(pilot, lambda: embedder.asked)
        await pressed_without_waiting(pilot, "ctrl+u", *"label")
        await until(pilot, lambda: names(app) == ["m-3"])
        embedder.go_queries.set()
        await settled(pilot)
        assert app.screen.results.answer.query == "label"
        assert names(app)[0] == "m-3"
        # Of what was typed while the model was busy only the newest was asked.
        assert embedder.asked[-1] == "label"
        assert "lab" not in embedder.asked


async def pressed_without_waiting(pilot, *keys):
    for key in keys:
        await pilot.press(key)


async def test_a_selection_the_person_chose_follows_its_record_and_one_they_did_not_is_the_first_row(memory, embedder):
    memory.remember("The mill keeps a second balance", name="balance")
    memory.remember("Tea for the mill", name="tea", body="the scale of kantar and tarti to weigh")
    memory.embed()
    app = app_on(memory)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        embedder.go_queries.clear()
        await pilot.press(*"mill", "space", *"weigh")
        await until(pilot, lambda: app.screen.results.answer.query == "mill weigh" and len(names(app)) >= 3)
        by_words = names(app)
        await pilot.press("down")
        await pilot.pause()
        chosen = app.screen.row.key.name
        assert chosen == by_words[1]
        embedder.go_queries.set()
        await settled(pilot)
        assert app.screen.results.answer.by_meaning
        assert app.screen.row.key.name == chosen
        await typed(pilot, " ")
        assert app.screen.results.selected == 0


async def test_where_meaning_changes_nothing_nothing_is_drawn_again(memory, embedder):
    memory.embed()
    app = app_on(memory)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        embedder.go_queries.clear()
        await pilot.press(*"ledger")
        await until(pilot, lambda: names(app) == ["m-2"] and embedder.asked)
        await until(pilot, lambda: any("The ledger is kept" in line[60:] for line in shown(app)))
        results, preview = app.screen.results, app.screen.preview
        painted, layout, before = results.rows_painted, preview.document.shown, shown(app)[1:]
        snippets = dict(results.passages)
        embedder.go_queries.set()
        await settled(pilot)
        assert results.answer.by_meaning
        assert names(app) == ["m-2"]
        assert results.rows_painted == painted
        assert preview.document.shown is layout
        assert results.passages[0] is snippets[0], "a snippet that was made is used again"
        assert shown(app)[1:] == before
        await pressed(pilot, "tab", "2")
        assert "By words 1.00 of the best" in screen_text(app) or "Decided by words" in screen_text(app)


async def test_nothing_typed_and_no_embedder_need_no_second_look(memory, embedder):
    memory.embed()
    app = app_on(memory)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await typed(pilot, "  ")
        assert embedder.asked == []
        assert "· hybrid " in header(app)


async def test_a_change_of_the_store_does_not_make_fused_rows_jump(memory, embedder):
    memory.embed()
    app = app_on(memory)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await typed(pilot, "kantar mill")
        before = names(app)
        seen = []
        show = app.screen.results.show
        app.screen.results.show = lambda answer, *rest, **options: (
            seen.append([row.key.name for row in answer.rows]),
            show(answer, *rest, **options),
        )
        memory.note_recalled([app.screen.results.rows[1].key], "something else")
        app.screen.look_for_changes()
        await settled(pilot)
        assert seen
        assert all(rows == before for rows in seen)
        assert "memories changed" not in header(app), "a recall by others is no news"


# Embedding in the background


async def test_what_waits_is_embedded_with_its_share_in_the_header(memory, embedder, write):
    for number in range(45):
        write(f"notes/w-{number}.md", f"Weighing number {number}\n")
    memory.sync()
    embedder.free = 32
    embedder.go_passages.clear()
    app = app_on(memory)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await until(pilot, lambda: "· hybrid 64% embedded" in header(app))
        app.screen.look_for_changes()
        await pilot.press(*"kantar")
        await until(pilot, lambda: app.screen.results.answer.query == "kantar")
        embedder.go_passages.set()
        await settled(pilot)
        assert "· hybrid " in header(app)
        assert "%" not in header(app)
        assert names(app), "the query on the screen was asked again"
        assert app.screen.results.answer.by_meaning
        assert app.screen.row.key.name == names(app)[0]
        assert toasts(app) == []
        assert "memories changed" not in header(app), "our own vectors are no change by others"
        status = memory.status()
        assert status.embedding["embedded"] == status.index_rows == 50


async def test_what_is_written_later_is_embedded_too(memory, embedder):
    app = app_on(memory)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        memory.remember("Etiket kağıdı bitti", name="paper")
        app.screen.look_for_changes()
        await settled(pilot)
        assert any("Etiket" in text for text in embedder.passages)
        await typed(pilot, "print")
        assert "paper" in names(app)


async def test_a_busy_store_is_tried_again_without_a_word(memory, embedder, monkeypatch):
    monkeypatch.setattr("memtui.tui.workers.embedding._FIRST_REST", 0.01)
    embed, busy = memory.embed, [StoreBusy("held by another"), StoreBusy("held by another")]

    def embed_when_free(*arguments):
        if busy:
            raise busy.pop()
        return embed(*arguments)

    monkeypatch.setattr(memory, "embed", embed_when_free)
    app = app_on(memory)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        assert busy == []
        assert "· hybrid " in header(app)
        assert toasts(app) == []


async def test_a_store_that_keeps_nothing_is_told_once_and_tried_again_while_the_model_answers(
    memory, embedder, monkeypatch
):
    memory.embed()
    memory.remember("Etiket kağıdı bitti", name="paper")
    monkeypatch.setattr("memtui.tui.workers.embedding._FIRST_REST", 0.01)
    embed, tries, room = memory.embed, [], threading.Event()

    def embed_when_there_is_room(*arguments):
        tries.append(room.is_set())
        if not room.is_set():
            raise StoreUnreadable("The disk is full.", hint="make room on it")
        return embed(*arguments)

    monkeypatch.setattr(memory, "embed", embed_when_there_is_room)
    app = app_on(memory)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: len(tries) > 2)
        assert app.screen.standing.model == "ready"
        assert "degraded" not in header(app)
        await pilot.press(*"kantar")
        await until(pilot, lambda: app.screen.results.answer.by_meaning and names(app))
        room.set()
        await settled(pilot)
        assert toasts(app) == ["New texts are not embedded yet: The disk is full; make room on it"]
        status = memory.status()
        assert status.embedding["embedded"] == status.index_rows


async def test_an_embedder_that_there_is_not_is_named_with_the_choices(vault, memory, monkeypatch):
    monkeypatch.setenv("MEMTUI_EMBEDDER", "gibberish")
    app = app_on(open_memory(vault))
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        assert "· degraded: no embedder 'gibberish' " in header(app)
        await typed(pilot, "ledger")
        assert names(app) == ["m-2"]
        assert "· degraded: no embedder 'gibberish' " in header(app)
        assert len(toasts(app)) == 1
        await pressed(pilot, "f1")
        told = " ".join(screen_text(app).split())
        assert "Searches go by words: There is no embedder 'gibberish'" in told
        assert all(choice in told for choice in ("use-multilingual", "minilm", "hash-v1", "fastembed:<model"))


async def test_what_waits_is_embedded_although_the_files_cannot_be_read(memory, embedder, monkeypatch):
    monkeypatch.setattr(memory, "sync", lambda *_: (_ for _ in ()).throw(StoreUnreadable("The folder is away.")))
    app = app_on(memory, sync_on_start=True)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        assert toasts(app) == ["The files were not read. The folder is away."]
        status = memory.status()
        assert status.embedding["embedded"] == status.index_rows == 5


async def test_a_failing_embedder_is_told_once_and_words_answer(memory, embedder):
    embedder.failing = "the model's file is damaged: checksum 12 is not 34"
    app = app_on(memory)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        assert "degraded: the model's file is damaged" in header(app)
        (toast,) = toasts(app)
        assert toast == "Searches go by words: the model's file is damaged: checksum 12 is not 34"
        assert app.screen.header.facts.degraded
        app.clear_notifications()
        tries = len(embedder.passages)
        memory.remember("One more", name="more")
        app.screen.look_for_changes()
        await settled(pilot)
        assert len(embedder.passages) == tries, "it is not tried in a loop"
        await typed(pilot, "ledger")
        assert names(app) == ["m-2"]
        assert toasts(app) == []
        await pressed(pilot, "f1")
        assert "checksum 12 is not 34" in screen_text(app)
        await pressed(pilot, "escape")
        embedder.failing = None
        await pressed(pilot, "ctrl+r")
        assert "· hybrid " in header(app), "ctrl+r tries again"


async def test_a_model_that_fails_at_a_question_is_told_and_the_next_good_answer_takes_it_back(memory, embedder):
    memory.embed()
    app = app_on(memory)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        embedder.failing = "It took too long."
        await typed(pilot, "ledger")
        assert names(app) == ["m-2"]
        assert "degraded: it took too long" in header(app)
        assert "5 records" in header(app)
        embedder.failing = None
        await typed(pilot, " mill")
        assert "· hybrid " in header(app)


async def test_a_read_only_vault_with_nothing_embedded_says_so_and_wakes_nothing(vault, memory, monkeypatch):
    reading = open_memory(vault, read_only=True)
    embedder = TopicEmbedder()
    reading.register_embedder(embedder)
    monkeypatch.setattr(reading, "wake", lambda: pytest.fail("there is nothing to compare with"))
    app = app_on(reading)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        assert "degraded: nothing is embedded" in header(app)
        await typed(pilot, "ledger")
        assert names(app) == ["m-2"]
        assert embedder.asked == embedder.passages == toasts(app) == []


# Waking and leaving


@pytest.fixture
def worker(memory):
    """Registers a model in a process of its own that loads as it is told."""
    made = []

    def make(*arguments):
        made.append(WorkerEmbedder(HASHED, [SMALL, *arguments]))
        memory.register_embedder(made[-1])
        return made[-1]

    yield make
    for embedder in made:
        embedder.close()


async def test_the_model_is_woken_after_the_first_picture_and_words_answer_while_it_loads(memory, worker, monkeypatch):
    memory.register_embedder(TopicEmbedder())
    woken = threading.Event()
    wake = memory.wake
    monkeypatch.setattr(memory, "wake", lambda: (woken.set(), wake()))
    embedder = worker("sleep", "60")
    app = app_on(memory)
    async with app.run_test(size=(120, 40)) as pilot:
        assert "Search memories and notes" in screen_text(app)
        await until(pilot, lambda: "lexical: loading model" in header(app))
        assert woken.is_set()
        await pilot.press(*"ledger")
        await until(pilot, lambda: names(app) == ["m-2"])
        pid = embedder.pid
        started = time.monotonic()
        await pilot.press("ctrl+q")
        await until(pilot, lambda: app.return_code == 0)
        assert time.monotonic() - started < 3
        assert gone(pid)
    assert app._exception is None


async def test_leaving_while_texts_are_embedded_is_quick(memory, worker):
    memory.remember("do: sleep 60", name="slow")
    embedder = worker()
    app = app_on(memory)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: "lexical: 0% embedded" in header(app))
        await until(pilot, lambda: embedder.ready)
        pid = embedder.pid
        started = time.monotonic()
        await pilot.press("ctrl+q")
        await until(pilot, lambda: app.return_code == 0)
        assert time.monotonic() - started < 3
        assert gone(pid)
        assert toasts(app) == []
    assert app._exception is None


async def test_leaving_ends_the_model_once_and_does_not_depend_on_how(memory, embedder, monkeypatch, caplog):
    memory.embed()
    ended = []

    def close():
        ended.append(threading.current_thread())
        raise RuntimeError("it is gone already")

    monkeypatch.setattr(memory, "close", close)
    monkeypatch.setattr("memtui.tui.vault_worker._LATECOMERS_AFTER_MS", 60_000.0)
    app = app_on(memory)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        embedder.go_queries.clear()
        await pilot.press(*"kantar")
        await until(pilot, lambda: embedder.asked)
        leaving = asyncio.create_task(app.action_quit())
        await until(pilot, lambda: ended)
        embedder.go_queries.set()
        await leaving
        assert app.return_code == 0
    assert app._exception is None
    assert len(ended) == 1
    assert ended[0] is not threading.main_thread()
    assert "it is gone already" in caplog.text


async def test_a_model_that_does_not_load_is_told_and_ctrl_r_loads_it_anew(memory, worker, tmp_path):
    once = tmp_path / "once"
    worker("refuse")
    app = app_on(memory)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settled(pilot)
        assert "degraded: not this one" in header(app)
        assert toasts(app) == ["Searches go by words: not this one"]
        await typed(pilot, "ledger")
        assert names(app) == ["m-2"]
        worker("die-unless", str(once))
        await pressed(pilot, "ctrl+r")
        assert "· hybrid " in header(app)


# What the header says


@pytest.mark.parametrize(
    ("standing", "told", "degraded"),
    [
        (Standing(), "lexical", False),
        (Standing("none", texts=9), "lexical", False),
        (Standing("asleep", texts=9, embedded=9), "lexical: loading model", False),
        (Standing("loading", texts=9), "lexical: loading model", False),
        (Standing("ready", texts=9, embedding=True), "lexical: 0% embedded", False),
        (Standing("ready", texts=1000, embedded=999, embedding=True), "hybrid 99% embedded", False),
        (Standing("ready", texts=1000, embedded=1), "hybrid 1% embedded", False),
        (Standing("ready", texts=9, embedded=9), "hybrid", False),
        (Standing("asleep", texts=9), "degraded: nothing is embedded", True),
        (Standing("ready", "hash-v1 is not semantic", 9, 9), "degraded: hash-v1 is not semantic", True),
        (Standing("failed", "The model died: SIGKILL; words answer.", 9, 9), "degraded: the model died", True),
        (Standing("failed", "x" * 99, 9, 9), "degraded: " + "x" * 33 + "…", True),
    ],
)
def test_the_plane_is_told_in_few_words_and_in_full(standing, told, degraded):
    assert standing.told()[:2] == (told, degraded)
    assert standing.told().whole.endswith(".") or standing.trouble in standing.told().whole
