"""The one table of actions."""

from collections import Counter

import pytest
from textual.binding import Binding

from memtui.text.query_filters import FIELDS
from memtui.tui.actions import ACTIONS, footer_of, key_name, keys_of
from memtui.tui.screens.help import HEADINGS, HelpScreen, help_lines
from memtui.tui.state import applies
from tests.tui.conftest import app_on
from tests.tui.driving import pressed, settled

PANES = ("input", "list", "preview")
TEXT_KEYS = {"ctrl+a", "ctrl+c", "ctrl+d", "ctrl+e", "ctrl+k", "ctrl+u", "ctrl+v", "ctrl+w", "ctrl+x"}
UNSENDABLE = {"ctrl+i", "ctrl+j", "ctrl+m", "ctrl+h", "ctrl+left_square_bracket", "ctrl+s", "ctrl+z"}


def test_every_action_has_an_id_a_label_and_a_sentence():
    ids = Counter(action.id for action in ACTIONS)
    assert max(ids.values()) == 1
    for action in ACTIONS:
        assert action.label
        assert action.tooltip.endswith(".")
        assert "." in action.id
        assert action.area in HEADINGS


@pytest.mark.parametrize("pane", [*PANES, "menu", "help"])
def test_no_key_means_two_things_in_one_pane(pane):
    keys = Counter(
        key
        for action in keys_of(pane)
        for key in action.key_list
        # ctrl+c copies inside the box where something is selected there, else on the screen.
        if key not in ("ctrl+c", "super+c")
    )
    assert [key for key, times in keys.items() if times > 1] == []


def test_the_search_box_keeps_every_key_it_needs():
    taken = {key for action in keys_of("input") if action.area != "input" for key in action.key_list}
    assert not {key for key in taken if len(key) == 1}
    assert taken & TEXT_KEYS <= {"ctrl+u", "ctrl+c"}
    assert not taken & UNSENDABLE
    assert not taken & {"slash", "question_mark", "space", "left", "right", "home", "end", "backspace", "delete"}


@pytest.mark.parametrize("pane", PANES)
async def test_each_footer_fits_eighty_columns_and_shows_at_most_eight_keys(pane, app):
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pressed(pilot, *["tab"] * PANES.index(pane))
        footer = app.screen.query_one("FooterLine")
        placed = footer._placed()
        assert 5 <= len(placed) <= 8
        expected = [a for a in footer_of(pane) if applies(a, app.screen.state)]
        assert [a.id for a, _, _ in placed] == [a.id for a in expected[: len(placed)]]


async def test_the_footer_of_the_menu_fits_eighty_columns(app):
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pressed(pilot, "ctrl+@")
        placed = [action.id for action, _, _ in app.screen.query_one("FooterLine")._placed()]
        assert 6 <= len(placed) <= 8
        assert placed[0] == "complete.accept"
        assert "complete.close" in placed


async def test_every_binding_has_an_id_a_description_and_a_tooltip_and_leads_somewhere(app):
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        screen = app.screen
        nodes = [app, screen, screen.query_input, screen.results, screen.preview.document]
        app.push_screen(HelpScreen("list"))
        await settled(pilot)
        nodes += [app.screen, app.screen.focused]
        for node in nodes:
            for binding in (b for bindings in node._bindings.key_to_bindings.values() for b in bindings):
                assert isinstance(binding, Binding)
                if binding.action == "command_palette":
                    continue  # Textual adds its own when it starts; ours on the same key comes first
                assert all((binding.id, binding.description, binding.tooltip)), binding
                target, _, name = binding.action.partition("(")[0].rpartition(".")
                owner = {"": node, "app": app, "screen": node.screen if node is not app else screen}[target]
                assert hasattr(owner, f"action_{name}") or hasattr(owner, f"_action_{name}"), binding


def test_keys_read_as_people_write_them():
    assert key_name("ctrl+p", short=True) == "^p"
    assert key_name("ctrl+shift+left") == "ctrl+shift+←"
    assert key_name("question_mark") == "?"


@pytest.mark.parametrize("pane", [*PANES, "help"])
def test_help_names_every_key_of_the_pane(pane):
    text = "\n".join(line.text for line in help_lines(pane))
    for action in (*keys_of(pane), *(keys_of("menu") if pane == "input" else ())):
        assert action.tooltip in text
        assert key_name(action.key_list[0]) in text


async def test_a_word_is_deleted_to_the_left_with_backspace_and_to_the_right_with_delete(fake_app):
    async with fake_app.run_test() as pilot:
        await settled(pilot)
        box = fake_app.screen.query_input
        for key, left in (
            ("alt+backspace", "one  three"),
            ("ctrl+backspace", "one  three"),
            ("ctrl+delete", "one two "),
        ):
            box.value, box.cursor_position = "one two three", 7 if "backspace" in key else 8
            await pressed(pilot, key)
            assert box.value == left, key


def test_help_of_the_box_keeps_its_columns():
    tooltips = [action.tooltip for action in keys_of("input")]
    lines = [line.text for line in help_lines("input")]
    assert all(line.index(told) == 18 for line in lines for told in tooltips if line.endswith(told))


def test_help_of_the_box_names_every_filter():
    text = "\n".join(line.text for line in help_lines("input"))
    for field, what in FIELDS.items():
        assert f"{field}: " in text
        assert what in text


async def test_the_palette_offers_what_applies_and_nothing_else(fake):
    from memtui.tui.palette import Commands

    app = app_on(fake)
    async with app.run_test() as pilot:
        await settled(pilot)
        offered = {command.name for command in Commands(app.screen)._commands()}
        assert {"memory: Forget", "view: Why tab", "theme: memtui-light", "app: Quit"} <= offered
        assert "memory: Revive" not in offered
        assert "memory: Undo" not in offered
        assert all(": " in name for name in offered)
