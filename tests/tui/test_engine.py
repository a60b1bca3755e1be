"""A search engine that the program's user registered has its say on the screen too, with a model or without one."""

from __future__ import annotations

import threading

import pytest

import memtui
from memtui.tui.standing import Standing
from tests.tui.conftest import app_on
from tests.tui.driving import names, pressed, screen_text, settled, shown, typed, until


class Shelf:
    """An engine that puts one memory first, once it may."""

    name = "shelf-1"

    def __init__(self, *ranked, semantic=True):
        self.ranked, self.semantic, self.asked, self.failing = ranked, semantic, [], None
        self.go = threading.Event()
        self.go.set()

    def search(self, query):
        self.asked.append(query.words)
        self.go.wait(10)
        if self.failing is not None:
            raise self.failing
        return [
            memtui.RankedRecord("workspace", "engram", name, 1.0 / place) for place, name in enumerate(self.ranked, 1)
        ]


@pytest.fixture
def shelf(memory):
    made = Shelf("m-2", "m-4")
    memory.register_search_provider(made)
    return made


def header(app):
    return shown(app)[0]


async def test_words_answer_at_once_and_the_engine_has_the_last_word(memory, shelf):
    app = app_on(memory)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        assert "· hybrid " in header(app)
        shelf.go.clear()
        await pilot.press(*"scale")
        await until(pilot, lambda: names(app) == ["m-0", "m-4"])
        shelf.go.set()
        await settled(pilot)
        assert names(app) == ["m-2", "m-4"]
        assert "· hybrid " in header(app)
        app.screen.query_input.value = "kind:engram"
        await settled(pilot)
        assert len(names(app)) == 5
        assert shelf.asked[-1] == "scale", "filters alone are none of its business"


async def test_one_that_fails_is_named_until_it_answers_again(memory, shelf):
    app = app_on(memory)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await typed(pilot, "scal")
        shelf.failing = RuntimeError("out of ink")
        await typed(pilot, "e")
        assert names(app) == ["m-0", "m-4"]
        assert "degraded: shelf-1 failed" in header(app)
        await pressed(pilot, "f1")
        assert "out of ink" in screen_text(app)
        await pressed(pilot, "escape")
        shelf.failing = None
        await typed(pilot, " mill")
        assert names(app) == ["m-2", "m-4"]
        assert "· hybrid " in header(app)


async def test_one_that_hangs_is_given_up_and_nothing_typed_waits_for_it(memory, shelf, monkeypatch):
    monkeypatch.setattr("memtui.memory.providing.LONGEST_ANSWER", 0.2)
    app = app_on(memory)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await typed(pilot, "scal")
        shelf.go.clear()
        await typed(pilot, "e")
        assert names(app) == ["m-0", "m-4"]
        assert "degraded: shelf-1 did not answer within 0.2" in header(app)
        await typed(pilot, "s")
        assert "degraded: shelf-1 is still busy" in header(app)
        assert app.screen.query_input.value == "scales"
        shelf.go.set()


async def test_one_that_compares_words_is_told_as_such(memory):
    memory.register_search_provider(Shelf("m-1", semantic=False))
    app = app_on(memory)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await typed(pilot, "scale")
        assert names(app) == ["m-1"]
        assert "· lexical " in header(app)


def test_an_engine_helps_whatever_the_model_is():
    assert Standing("none", engine=True).may_help
    assert Standing(engine=True).told()[:2] == ("hybrid", False)
    assert Standing("none", engine=True, answered_by="lexical").told()[0] == "lexical"
    told = Standing("none", "shelf-1 did not answer within 2 s; no embedder is set", engine=True).told()
    assert told.text == "degraded: shelf-1 did not answer within 2 s"
    assert "no embedder is set" in told.whole
