"""Completing a query: what the menu offers and when, and whose the keys are while it is open."""

from __future__ import annotations

import threading

import pytest
from textual.events import MouseScrollDown, Paste

from memtui.text.query_completing import Vocabulary
from memtui.tui.completing import Completing
from tests.tui.conftest import app_on
from tests.tui.driving import names, pressed, screen_text, settled, shown, typed
from tests.tui.fake_memory import FakeMemory

WORDS = Vocabulary(areas=("Feature/weighing", "Feature/labels"), tags=("reference", "red", "olive oil"))


def typed_in(text, menu=None, **options):
    menu = menu or Completing()
    return menu.followed(text, options.pop("cursor", len(text)), WORDS, edited=True)


def texts(menu):
    return [choice.text for choice in menu.choices]


# The menu as a value


@pytest.mark.parametrize("text", ["", "re", "after", "is", "scale ki", "tag:", "http://x", 'say "kind', "12:30"])
def test_words_open_nothing_and_begun_filters_their_values(text):
    menu = typed_in(text)
    assert menu.is_open == (text == "tag:")
    if menu.is_open:
        assert texts(menu) == ["reference", "red", '"olive oil"']


@pytest.mark.parametrize(
    ("text", "searched"),
    [
        ("tag:", ""),
        ("scale tag:re", "scale"),
        ("-tag:re", ""),
        ("tag:red", "tag:red"),
        ("scale", "scale"),
    ],
)
def test_half_a_value_filters_nothing_while_it_is_chosen(text, searched):
    assert typed_in(text).without_begun(text) == searched
    assert typed_in(text).closed().without_begun(text) == text


def test_what_stands_behind_the_value_being_chosen_is_searched():
    menu = typed_in("scale tag:re mill", cursor=len("scale tag:re"))
    assert menu.without_begun("scale tag:re mill") == "scale mill"


def test_it_narrows_and_closes_with_what_is_typed():
    menu = typed_in("tag:re")
    assert texts(menu) == ["reference", "red"]
    assert texts(typed_in("tag:ref", menu)) == ["reference"]
    assert not typed_in("tag:refx", menu).is_open
    assert not typed_in("tag:re ", menu).is_open


def test_a_menu_that_was_closed_stays_closed_for_that_word_only():
    menu = typed_in("tag:").closed()
    assert not menu.is_open
    menu = typed_in("tag:re", menu)
    assert not menu.is_open
    assert typed_in("tag:re area:", menu).is_open
    assert typed_in("tag:", typed_in("", menu)).is_open, "the word was taken out and begun anew"
    assert menu.opened("tag:re", 6, WORDS).is_open


def test_moving_the_cursor_opens_nothing():
    menu = Completing().followed("tag:re scale", 6, WORDS, edited=False)
    assert not menu.is_open
    assert not typed_in("tag:re").followed("tag:re", 1, WORDS, edited=False).is_open


@pytest.mark.parametrize(
    ("text", "cursor", "offered", "put"),
    [
        ("", 0, 10, "kind:"),
        ("scale ", 6, 10, "scale kind:"),
        ("scale", 5, 10, "scale kind:"),
        ("scale mill", 2, 10, "scale kind: mill"),
        ("-", 1, 10, "-kind:"),
        ("scale ta", 8, 1, "scale tag:"),
        ("scale recorded-", 15, 2, "scale recorded-before:"),
        ("kind:eng", 8, 1, "kind:engram"),
    ],
)
def test_who_asks_is_offered_the_filters_wherever_the_cursor_is(text, cursor, offered, put):
    menu = Completing().opened(text, cursor, WORDS)
    assert len(menu.choices) == offered
    choice, _ = menu.accepted(0)
    assert text[: choice.start] + choice.text + text[choice.end :] == put


@pytest.mark.slow
def test_a_menu_that_was_asked_for_follows_the_typing_until_nothing_fits():
    menu = typed_in("scale ", Completing().opened("scale", 5, WORDS))
    assert len(menu.choices) == 10
    menu = typed_in("scale ta", menu)
    assert texts(menu) == ["tag:"]
    assert texts(typed_in("scale tag:", menu)) == ["reference", "red", '"olive oil"']
    menu = typed_in("scale tax", menu)
    assert not menu.is_open
    assert not typed_in("scale ta", menu).is_open, "and then it must be asked for again"


@pytest.mark.slow
def test_moving_goes_around_the_ends_and_a_keys_owner_is_plain():
    menu = typed_in("tag:")
    assert menu.stepped(-1).chosen == 2
    assert menu.stepped(1).stepped(1).stepped(1).chosen == 0
    assert menu.takes("tab", at_the_end=False)
    assert menu.takes("right", at_the_end=True)
    assert not menu.takes("right", at_the_end=False)
    assert not menu.takes("enter", at_the_end=True)
    assert menu.stepped(1).takes("enter", at_the_end=True)
    assert not Completing().takes("tab", at_the_end=True)
    assert typed_in("tag:", menu.stepped(1)).chosen == 1, "what changes nothing leaves the choice"


# On the screen


@pytest.fixture
def shelf(memory):
    """The memory, with areas and tags to choose from."""
    memory.remember("Oil is bottled on Fridays", name="oil", area="Feature/bottling", tags=["oil", "olive mill", "odd"])
    return memory


def menu_lines(app):
    region = app.screen.menu.region
    if not app.screen.menu.display:
        return []
    lines = shown(app)[region.y + 1 : region.bottom - 1]
    return [line[region.x + 2 : region.right - 2].strip() for line in lines]


def value(app):
    return app.screen.query_input.value


@pytest.mark.slow
@pytest.mark.parametrize("size", [(60, 16), (80, 24), (200, 60)])
async def test_the_values_of_a_begun_filter_are_offered_under_it_and_nothing_moves(shelf, size):
    app = app_on(shelf)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        await typed(pilot, "oil tag")
        rule = next(i for i, line in enumerate(shown(app)) if "Results" in line or "Closest" in line)
        assert menu_lines(app) == []
        await typed(pilot, ":o")
        assert [line.split("  ")[0] for line in menu_lines(app)] == ["odd", "oil", '"olive mill"']
        lines = shown(app)
        assert app.screen.results_rule.region.y == rule
        at = next(line for line in lines if '"olive mill"' in line).index('"olive')
        assert at == lines[app.screen.query_input.region.y].index("o", 12), "right under what is typed"
        region = app.screen.menu.region
        assert app.screen.region.contains_region(region)
        assert "Complete" in lines[-1]
        await typed(pilot, "xx")
        assert menu_lines(app) == []
        assert "Complete" not in shown(app)[-1]


@pytest.mark.slow
@pytest.mark.parametrize("key", ["tab", "right"])
async def test_tab_and_right_accept_and_the_query_goes_on(shelf, key):
    app = app_on(shelf)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await typed(pilot, "tag:ol")
        await pressed(pilot, key)
        assert value(app) == 'tag:"olive mill" '
        assert menu_lines(app) == []
        assert app.screen.pane == "input"
        assert names(app) == ["oil"]
        await typed(pilot, "fri")
        assert value(app) == 'tag:"olive mill" fri'
        await pressed(pilot, "tab")
        assert app.screen.pane == "list", "without a menu tab goes on to the list"


@pytest.mark.slow
async def test_right_is_the_cursors_own_within_the_query(shelf):
    app = app_on(shelf)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await typed(pilot, "tag:od")
        await pressed(pilot, "left", "right")
        assert (value(app), app.screen.query_input.cursor_position) == ("tag:od", 6)
        assert menu_lines(app)
        await pressed(pilot, "left", "tab")
        assert value(app) == "tag:odd ", "the rest of the word is replaced along with it"


@pytest.mark.slow
async def test_up_and_down_choose_and_enter_takes_only_what_was_chosen_so(shelf):
    app = app_on(shelf)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await typed(pilot, "oil tag:o")
        selected = app.screen.results.selected
        await pressed(pilot, "down", "down", "up")
        assert app.screen.results.selected == selected, "the results stay where they are"
        await pressed(pilot, "enter")
        assert value(app) == "oil tag:oil "
        assert not app.screen.state.reading
        await pressed(pilot, "down")
        await typed(pilot, "area:")
        await pressed(pilot, "enter")
        assert app.screen.state.reading, "enter opens what is selected, as ever"
        assert value(app) == "oil tag:oil area:"
        assert menu_lines(app) == []


@pytest.mark.slow
async def test_escape_closes_the_menu_before_anything_else(shelf):
    app = app_on(shelf)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await typed(pilot, "oil kind:engram tag:o")
        await pressed(pilot, "escape")
        assert menu_lines(app) == []
        assert value(app) == "oil kind:engram tag:o"
        await typed(pilot, "i")
        assert menu_lines(app) == [], "it does not come back for this word"
        await pressed(pilot, "escape")
        assert value(app) == "oil"


@pytest.mark.slow
async def test_ctrl_space_offers_the_filters_and_accepting_one_its_values(shelf):
    app = app_on(shelf)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert "ctrl+space for filters" in screen_text(app)
        await typed(pilot, "oil")
        await pressed(pilot, "tab")
        assert app.screen.pane == "list", "tab belongs to who just types words"
        await pressed(pilot, "slash", "ctrl+@")
        assert len(menu_lines(app)) == 8
        assert menu_lines(app)[0].startswith("kind:")
        assert menu_lines(app)[-1].endswith("↓")
        await pressed(pilot, *["down"] * 9)
        assert menu_lines(app)[-1].startswith("recorded-after:")
        assert menu_lines(app)[0].endswith("↑")
        await pressed(pilot, "down")
        await typed(pilot, " is")
        await pressed(pilot, "tab")
        assert value(app) == "oil is:"
        assert [line.split()[0] for line in menu_lines(app)][1:] == [
            "superseded",
            "contradicted",
            "pinned",
            "stale",
            "capture",
        ]
        await pressed(pilot, "tab")
        assert value(app) == "oil is:forgotten "


@pytest.mark.slow
async def test_a_click_accepts_and_the_wheel_moves(shelf):
    app = app_on(shelf)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await typed(pilot, "tag:o")
        region = app.screen.menu.region
        await pilot.click(offset=(region.x + 4, region.y + 2))
        await settled(pilot)
        assert value(app) == "tag:oil "
        assert app.screen.pane == "input"
        await typed(pilot, "tag:o")
        region = app.screen.menu.region
        assert "▌ odd" in shown(app)[region.y + 1]
        app.screen._forward_event(MouseScrollDown(None, region.x + 4, region.y + 2, 0, 1, 0, False, False, False))
        await settled(pilot)
        assert "▌ oil" in shown(app)[region.y + 2]
        assert value(app) == "tag:oil tag:o"


@pytest.mark.slow
async def test_keys_in_a_burst_are_neither_lost_nor_taken_from_the_menu(shelf):
    app = app_on(shelf)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("t", "a", "g", ":", "o", "l", "tab", "f", "r", "i")
        await settled(pilot)
        assert value(app) == 'tag:"olive mill" fri'


@pytest.mark.slow
async def test_it_closes_with_a_selection_another_pane_and_moves_with_the_size(shelf):
    app = app_on(shelf)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await typed(pilot, "tag:o")
        wide = app.screen.menu.region
        await pilot.resize_terminal(60, 16)
        await settled(pilot)
        assert app.screen.menu.region.y < wide.y
        assert app.screen.region.contains_region(app.screen.menu.region)
        await pressed(pilot, "ctrl+shift+a")
        assert menu_lines(app) == []
        await typed(pilot, "kind:")
        assert menu_lines(app)
        await pressed(pilot, "shift+tab")
        assert menu_lines(app) == []


@pytest.mark.slow
async def test_new_words_are_offered_once_they_are_in_the_vault(shelf):
    app = app_on(shelf)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        shelf.remember("A press was mended", name="press", tags=["mended"])
        app.screen.look_for_changes()
        await settled(pilot)
        await typed(pilot, "tag:men")
        assert [line.split()[0] for line in menu_lines(app)] == ["mended"]


@pytest.mark.slow
async def test_the_words_are_read_beside_and_come_into_the_open_filter(records):
    gate = threading.Event()
    fake = FakeMemory(records)
    vocabulary = fake.vocabulary
    fake.vocabulary = lambda **options: (gate.wait(5), vocabulary(**options))[1]
    app = app_on(fake)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*"area:")
        while app.screen.results.answer.query != "area:":
            await pilot.pause()
        assert menu_lines(app) == []
        gate.set()
        await settled(pilot)
        assert [line.split()[0] for line in menu_lines(app)] == ["Feature/weighing"]


@pytest.mark.slow
async def test_words_that_cannot_be_read_are_told_and_searching_goes_on(fake):
    def broken(**_options):
        raise OSError("disk on fire")

    fake.vocabulary = broken
    app = app_on(fake)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settled(pilot)
        assert "disk on fire" in "".join(n.message for n in app._notifications)
        await typed(pilot, "ledger kind:")
        assert menu_lines(app)
        assert app._exception is None


@pytest.mark.slow
async def test_what_others_wrote_is_shown_letter_for_letter(memory):
    memory.remember("Strange", name="strange", area="[bold]x\x1b[31m 秤の\u202e", tags=["秤", "e\u0301"])
    app = app_on(memory)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await typed(pilot, "area:[")
        assert "[bold]x" in menu_lines(app)[0]
        assert "\x1b" not in screen_text(app)
        await pressed(pilot, "tab")
        assert value(app).startswith('area:"[bold]x')


@pytest.mark.slow
async def test_a_long_paste_with_a_filter_at_its_end_is_quick_and_harmless(shelf):
    app = app_on(shelf)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        app.screen.query_input.post_message(Paste("x" * 1_990 + " tag:o" + "y" * 8_000))
        await settled(pilot)
        assert len(value(app)) == 2_000
        await pressed(pilot, *["backspace"] * 4)
        assert menu_lines(app)
        assert app.screen.region.contains_region(app.screen.menu.region)
        await pressed(pilot, "tab")
        assert value(app).endswith(" tag:odd ")
