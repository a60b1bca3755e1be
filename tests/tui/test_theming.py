"""Themes: readable, complete, and never able to break the program."""

import pytest
from textual.color import Color

from memtui.tui.theming import (
    REQUIRED,
    TEXT_ON_GROUND,
    ThemeError,
    read_theme,
    read_themes,
    shipped_themes,
)
from tests.tui.conftest import app_on
from tests.tui.driving import pressed, settled, toasts, typed
from tests.tui.fake_memory import FakeMemory, engram

SHIPPED = sorted(path.stem for path in shipped_themes().glob("*.toml"))
LEAST_CONTRAST = 4.5


def test_dark_and_light_are_shipped_without_faults():
    read = read_themes([shipped_themes()])
    assert {"memtui-dark", "memtui-light"} <= {theme.name for theme in read.themes}
    assert read.faults == ()
    assert {theme.dark for theme in read.themes} == {True, False}


def contrast(one, other):
    """The contrast of two colours as WCAG 2 measures it."""

    def luminance(colour):
        parts = [v / 12.92 if v <= 0.03928 else ((v + 0.055) / 1.055) ** 2.4 for v in colour.normalized]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("name", SHIPPED)
def test_every_text_can_be_read_on_every_ground_it_is_put_on(name):
    theme = read_theme(shipped_themes() / f"{name}.toml")
    colours = {**vars(theme), **theme.variables}
    faint = [
        (text, ground, round(ratio, 2))
        for text, ground in TEXT_ON_GROUND
        if (ratio := contrast(Color.parse(colours[text]), Color.parse(colours[ground]))) < LEAST_CONTRAST
    ]
    assert faint == []


@pytest.mark.slow
@pytest.mark.parametrize("theme", SHIPPED)
async def test_everything_painted_has_contrast(theme):
    """Not a list of pairs someone remembered: each stretch of text that is on the screen."""
    records = [
        engram("a", "The **scale** drifts: see `code`, [[link]] and\n# heading\n> quote\n```\nfenced scale\n```"),
        engram("b", "A pinned scale", pinned=True, title="Scale", body="- item\n| a | b |\n\n*emphasis* https://x.y"),
    ]
    fake = FakeMemory(records)
    fake.forget(fake.records[1].key)
    app = app_on(fake, theme=theme)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        await typed(pilot, "scale kind:engram")
        await pressed(pilot, "ctrl+@", "down")
        assert app.screen.menu.display
        assert faint_text(app) == set(), "the completion menu"
        await pressed(pilot, "escape")
        app.say("A toast with words")
        for key in ("", "tab", "2", "3", "1", "x", "enter", "escape", "question_mark", "escape", "ctrl+p"):
            await pressed(pilot, *([key] if key else []))
            await pilot.pause(0.2)
            await settled(pilot)
            assert faint_text(app) == set(), key


def faint_text(app):
    """Each stretch of text on the screen whose contrast is too small, with its colours."""
    faint = set()
    for strip in app.screen._compositor.render_strips(app.size):
        for segment in strip:
            words = [c for c in segment.text if c.isalnum()]
            style = segment.style
            if not words or style is None or style.color is None or style.bgcolor is None:
                continue
            text, ground = Color.from_rich_color(style.color), Color.from_rich_color(style.bgcolor)
            if contrast(text, ground) < LEAST_CONTRAST:
                faint.add((segment.text.strip(), text.hex, ground.hex))
    if len(app.screen_stack) == 1:
        return faint
    # What lies behind an overlay is dimmed on purpose; what is on it is not.
    overlay = app.screen.query("Document, CommandInput, CommandList, PaneRule").first().background_colors[1].hex
    return {entry for entry in faint if entry[2] == overlay}


def test_a_broken_theme_is_named_and_left_out(tmp_path):
    good = (shipped_themes() / "memtui-dark.toml").read_text(encoding="utf-8")
    broken = {
        "syntax.toml": "name = ",
        "colour.toml": good.replace('"#11141b"', '"blurple"', 1),
        "lacking.toml": good.replace("text-muted", "text-mumbled"),
        "extra.toml": good + '\nunknown = "#000000"\n',
        "named.toml": good.replace('name = "memtui-dark"', 'name = "a theme; $x"'),
        "dark.toml": good.replace("dark = true", 'dark = "yes"', 1),
    }
    for name, text in broken.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    read = read_themes([shipped_themes(), tmp_path])
    assert {theme.name for theme in read.themes} == set(SHIPPED)
    assert len(read.faults) == len(broken) + 1
    for name in (*broken, "bytes.toml"):
        assert any(name in fault for fault in read.faults)


def test_what_is_wrong_with_a_theme_is_said(tmp_path):
    path = tmp_path / "x.toml"
    good = (shipped_themes() / "memtui-dark.toml").read_text(encoding="utf-8")
    path.write_text(good.replace('match = "#f4c76b"', 'match = "loud"'), encoding="utf-8")
    with pytest.raises(ThemeError, match="match = 'loud' is no colour"):
        read_theme(path)


async def test_a_users_theme_is_used_and_a_broken_one_told(fake, tmp_path):
    good = (shipped_themes() / "memtui-dark.toml").read_text(encoding="utf-8")
    (tmp_path / "mine.toml").write_text(good.replace("memtui-dark", "mine"), encoding="utf-8")
    (tmp_path / "broken.toml").write_text("[colors]", encoding="utf-8")
    app = app_on(fake, theme="mine", theme_folders=[tmp_path])
    async with app.run_test(notifications=True) as pilot:
        await settled(pilot)
        assert app.theme == "mine"
        assert any("broken.toml" in toast for toast in toasts(app))


async def test_an_unknown_theme_falls_back_to_the_default(fake):
    app = app_on(fake, theme="no-such")
    async with app.run_test(notifications=True) as pilot:
        await settled(pilot)
        assert app.theme == "memtui-dark"
        assert any("no-such" in toast and "memtui-light" in toast for toast in toasts(app))


@pytest.mark.parametrize("theme", ["nord", "textual-ansi", "textual-light"])
async def test_textuals_own_themes_still_work(fake, theme):
    app = app_on(fake)
    async with app.run_test() as pilot:
        await settled(pilot)
        if theme not in app.available_themes:
            pytest.skip("not in this Textual")
        app.theme = theme
        await settled(pilot)
        assert app._exception is None


async def test_without_colour_matches_and_selection_are_still_told_apart(fake, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    app = app_on(fake)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await typed(pilot, "scale")
        assert app.no_color
        strips = app.screen._compositor.render_strips(app.size)
        marked = [s for strip in strips for s in strip if s.text == "scale" and s.style and s.style.underline]
        assert marked
        assert any("▌" in strip.text for strip in strips)


def test_required_names_cover_what_the_styles_use():
    import re

    names = set()
    for path in (shipped_themes().parent / "memtui" / "tui" / "styles").glob("*.tcss"):
        names |= set(re.findall(r"\$([a-z-]+)", path.read_text(encoding="utf-8")))
        assert not re.search(r"#[0-9a-fA-F]{6}|ansi_", path.read_text(encoding="utf-8")), "theme variables only"
    base = {"background", "surface", "panel", "foreground", "accent", "warning", "error", "success"}
    assert names <= REQUIRED | base
