"""Stored text is data: brackets, escapes and wide characters in every place text can appear."""

import pytest
from rich.cells import cell_len

from memtui.model.outcomes import SyncReport
from memtui.model.problems import Problem
from tests.tui.conftest import app_on
from tests.tui.driving import pressed, screen_text, settled, shown, toasts, typed
from tests.tui.fake_memory import FakeMemory, engram

pytestmark = pytest.mark.slow

BRACKETS = [
    "[/",
    "[/]",
    "[/bold]",
    "[b + c",
    "[bold]not bold[/bold]",
    "[red]hot[/red]",
    "[[Wiki link|alias]] and ![[embed]]",
    "x = a[0][1]",
    '[1, "3"]',
    "[link=file:///etc/passwd]x[/link]",
    "[@click=app.quit]press[/]",
    "\\[escaped]",
    "[]",
    "[00] log line",
    "[self someView]",
    "{var} {{tpl}} $x %s",
    "trailing backslash \\",
    "[note] text",
    "- [x] done",
    "[decision] use DuckDB",
]
WIDE = [
    "こんにちは世界",
    "한글과 日本語 ABC",
    "👩‍👩‍👧‍👦 family, 🇹🇷 flag, 👍🏽 thumb, ❤️ heart",
    "e\u0301e\u0301e\u0301 combining",
    "ﷺ one wide ligature",
    "שלום עולם mixed مرحبا rtl",
    "a\u200bb zero width, soft\u00adhyphen",
    "\u202eoverride\u202c end",
    "tab\there\rcr\x1b[31mesc\x07bell\x00nul",
    "ｆｕｌｌｗｉｄｔｈ",
    "x" * 400,
]
RAW = [chr(code) for code in (*range(0x20), 0x7F, *range(0x80, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A))]


def lines_are_straight(app):
    """Every line takes exactly the width of the screen, and nothing in it can move the cursor."""
    width = app.size.width
    for line in shown(app):
        assert cell_len(line) == width
        assert not [c for c in line if c in RAW]


async def test_brackets_are_shown_letter_for_letter_everywhere():
    """In the list as title, name, area and snippet; in the preview as title, fact and body; in a toast."""
    records = [
        engram("n " + text, text, title="t " + text, area="a " + text, tags=("g " + text,), body=f"b {text}")
        for text in BRACKETS
    ]
    app = app_on(FakeMemory(records, vault_name="v " + BRACKETS[0]))
    async with app.run_test(size=(200, 60), notifications=True) as pilot:
        await settled(pilot)
        assert "v " + BRACKETS[0] in screen_text(app)
        await pressed(pilot, "tab")
        for shown_at, row in enumerate(app.screen.results.answer.rows):
            if shown_at:
                await pressed(pilot, "j")
            screen, text = screen_text(app), row.record.content.summary
            for place in ("n ", "t ", "a ", "g ", "b "):
                assert place + text in screen, place
        assert shown_at == len(BRACKETS) - 1
        assert app._exception is None


@pytest.mark.parametrize("text", [BRACKETS[0], BRACKETS[4], BRACKETS[6]])
async def test_brackets_in_every_tab_and_in_a_toast(text):
    app = app_on(FakeMemory([engram("n " + text, text, title="t " + text)], vault_name="v " + text))
    async with app.run_test(size=(200, 40), notifications=True) as pilot:
        await settled(pilot)
        assert "v " + text in screen_text(app)
        await pressed(pilot, "tab", "3", "2", "1", "enter", "escape", "f")
        assert any(f"Forgot n {text}." in toast for toast in toasts(app))
        assert f"Forgot n {text}." in screen_text(app)
        assert app._exception is None


async def test_brackets_can_be_typed_and_searched():
    app = app_on(FakeMemory([engram("m", "plain")]))
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await typed(pilot, "[/b] {x}")
        assert app.screen.query_input.value == "[/b] {x}"
        for text in BRACKETS:
            app.screen.query_input.value = text
            await settled(pilot)
            assert text in screen_text(app)
        assert app._exception is None


async def test_no_text_becomes_something_to_click():
    fake = FakeMemory([engram("m", "[@click=app.quit]press[/]", title="[@click=app.quit]press[/]")])
    app = app_on(fake)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        for y, line in enumerate(shown(app)):
            if "press" in line:
                await pilot.click(offset=(line.index("press"), y))
                await settled(pilot)
        assert app.is_running
        assert app._exit is False


@pytest.mark.parametrize("text", BRACKETS[::4])
async def test_problems_and_errors_are_told_letter_for_letter(text):
    fake = FakeMemory([engram("m", "plain")])
    fake.sync = lambda progress=None, cancelled=None: SyncReport(problems=(Problem(f"p {text}.md", "is odd"),))
    app = app_on(fake, sync_on_start=True)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        assert any(f"p {text}.md" in toast for toast in toasts(app))
        assert app._exception is None


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_columns_stay_straight_whatever_the_letters(size):
    records = [engram(text + "-name", text, area=text, tags=(text,)) for text in WIDE]
    records += [
        engram(f"t{i}", "summary", title=text, body=f"{text}\n- {text}\n> {text}") for i, text in enumerate(WIDE)
    ]
    app = app_on(FakeMemory(records, vault_name=WIDE[2]))
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        lines_are_straight(app)
        await pressed(pilot, "tab")
        for _ in records:
            await pressed(pilot, "j")
            lines_are_straight(app)
        for key in ("2", "3", "1", "enter"):
            await pressed(pilot, key)
            lines_are_straight(app)


@pytest.mark.parametrize("text", WIDE[:6])
async def test_wide_text_can_be_typed_and_found(text):
    fake = FakeMemory([engram("m", text)])
    app = app_on(fake)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        app.screen.query_input.value = text
        await settled(pilot)
        lines_are_straight(app)


async def test_no_control_character_reaches_the_terminal():
    """All of them, in a title, a body, a name and the vault's name."""
    every = "".join(RAW)
    app = app_on(FakeMemory([engram("n" + every, "s" + every, title="t" + every, body="b" + every)], vault_name=every))
    async with app.run_test(size=(200, 40), notifications=True) as pilot:
        await settled(pilot)
        lines_are_straight(app)
        assert "␛" in screen_text(app)
        await pressed(pilot, "tab", "f")
        lines_are_straight(app)
