"""Copying tells the truth."""

import base64
import stat

import pytest

from memtui.tui import clipboard
from tests.tui.conftest import app_on
from tests.tui.driving import pressed, settled, toasts


@pytest.fixture
def tool_folder(tmp_path, monkeypatch):
    """A folder of made-up clipboard tools, alone on the path with a shell."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return folder


def make_tool(folder, name, script):
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def test_a_local_tool_that_takes_the_text_is_named(tool_folder, tmp_path):
    make_tool(tool_folder, "wl-copy", f"cat > {tmp_path}/taken")
    assert clipboard.copy_locally("sol 👍 [b]", {"WAYLAND_DISPLAY": "wayland-0"}) == "wl-copy"
    assert (tmp_path / "taken").read_text(encoding="utf-8") == "sol 👍 [b]"


def test_a_tool_that_fails_is_passed_over(tool_folder, tmp_path):
    make_tool(tool_folder, "wl-copy", "exit 1")
    make_tool(tool_folder, "xclip", f"cat > {tmp_path}/taken")
    assert clipboard.copy_locally("x", {"WAYLAND_DISPLAY": "w", "DISPLAY": ":0"}) == "xclip"


def test_a_tool_that_hangs_does_not_hang_us(tool_folder, monkeypatch):
    monkeypatch.setattr(clipboard, "_TIMEOUT_SECONDS", 0.2)
    make_tool(tool_folder, "wl-copy", "exec sleep 30")
    assert clipboard.copy_locally("x", {"WAYLAND_DISPLAY": "w"}) is None


def test_without_a_display_no_tool_is_asked(tool_folder):
    make_tool(tool_folder, "xclip", "exit 0")
    assert clipboard.tools({}, "linux") == ()


def test_the_terminal_is_asked_with_osc_52_and_nothing_of_the_text_is_raw():
    text = "esc \x1b]0;title\x07 👍"
    request = clipboard.terminal_request(text, {})
    assert request == "\x1b]52;c;" + base64.b64encode(text.encode()).decode() + "\x07"


def test_inside_tmux_the_request_is_wrapped_too():
    plain = clipboard.terminal_request("x", {})
    request = clipboard.terminal_request("x", {"TMUX": "/tmp/tmux,1,0"})
    assert request == plain + "\x1bPtmux;\x1b" + plain + "\x1b\\"


def test_what_is_told_is_what_is_known():
    assert clipboard.told("the text", "xclip", "x") == "Copied the text with xclip."
    asked = clipboard.told("the text", None, "x", "memtui show m-0")
    assert "Copied" not in asked
    assert "does not say whether it did" in asked
    assert "memtui show m-0 prints it" in asked
    assert "refuse a text this long" in clipboard.told("the text", None, "x" * 200_000)


async def test_y_and_shift_y_copy_text_and_name(fake, tool_folder, tmp_path, monkeypatch):
    make_tool(tool_folder, "wl-copy", f"cat > {tmp_path}/taken")
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    app = app_on(fake)
    async with app.run_test(notifications=True) as pilot:
        await settled(pilot)
        await pressed(pilot, "tab", "y")
        assert (tmp_path / "taken").read_text() == "The scale at the harbour drifts in the cold"
        assert "Copied the text with wl-copy." in toasts(app)
        await pressed(pilot, "Y")
        assert (tmp_path / "taken").read_text() == "m-0"


async def test_without_a_tool_the_toast_claims_nothing(fake):
    app = app_on(fake)
    async with app.run_test(notifications=True) as pilot:
        await settled(pilot)
        await pressed(pilot, "tab", "y")
        assert any("Asked the terminal" in toast and "memtui show m-0" in toast for toast in toasts(app))
        assert not any("Copied" in toast for toast in toasts(app))


async def test_ctrl_c_copies_a_selection_and_never_quits_or_edits(fake):
    app = app_on(fake)
    async with app.run_test(notifications=True) as pilot:
        await settled(pilot)
        await pilot.press(*"scale", "shift+left", "shift+left", "ctrl+c")
        await settled(pilot)
        assert app.clipboard == "le"
        assert app.screen.query_input.value == "scale"
        await pressed(pilot, "end", "ctrl+c")
        assert any("ctrl+q leaves" in toast for toast in toasts(app))
        assert app.is_running


async def test_text_selected_with_the_mouse_is_copied(fake):
    app = app_on(fake)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        document = app.screen.preview.document
        y = len(document.shown.rows) - 1
        await pilot.mouse_down(document, offset=(2, y))
        await pilot.hover(document, offset=(11, y))
        await pilot.mouse_up(document, offset=(11, y))
        await settled(pilot)
        await pressed(pilot, "ctrl+c")
        assert app.clipboard.startswith("The scale")
