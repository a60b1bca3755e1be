"""Which command opens a file, and at which line."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.tui import editor
from tests.tui.driving import Handed

FILE = Path("/notes/a b.md")


@pytest.fixture(autouse=True)
def no_editor(monkeypatch):
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ("vim", ["vim", "+3", "/notes/a b.md"]),
        ("/usr/bin/nano -w", ["/usr/bin/nano", "-w", "+3", "/notes/a b.md"]),
        ("emacsclient -t", ["emacsclient", "-t", "+3", "/notes/a b.md"]),
        ("hx", ["hx", "/notes/a b.md:3"]),
        ("code", ["code", "--wait", "--goto", "/notes/a b.md:3"]),
        ("'/opt/my editor/ed'", ["/opt/my editor/ed", "/notes/a b.md"]),
        ("ed 'unclosed", ["ed 'unclosed", "/notes/a b.md"]),
    ],
)
def test_an_editor_is_told_the_line_as_it_takes_it(monkeypatch, named, expected):
    monkeypatch.setenv("EDITOR", named)
    assert editor.command(FILE, 3) == expected


def test_visual_comes_before_editor(monkeypatch):
    monkeypatch.setenv("EDITOR", "ed")
    monkeypatch.setenv("VISUAL", "vim")
    assert editor.command(FILE, None) == ["vim", "/notes/a b.md"]


def test_where_none_is_named_a_usual_one_is_taken(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert editor.command(FILE, 3) is None
    vi = tmp_path / "vi"
    vi.write_text("#!/bin/sh\n")
    vi.chmod(0o755)
    assert editor.command(FILE, 3) == [str(vi), "+3", "/notes/a b.md"]


@pytest.mark.parametrize("blank", ["", "   "])
def test_an_editor_named_blank_is_none(monkeypatch, blank, tmp_path):
    monkeypatch.setenv("EDITOR", blank)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert editor.command(FILE, 3) is None


class Terminal:
    """As much of the program as an editor needs."""

    suspend = Handed


@pytest.fixture
def writes(tmp_path, monkeypatch):
    """Name an editor that runs a line of shell."""

    def name(line):
        script = tmp_path / "ed"
        script.write_text(f"#!/bin/sh\n{line}\n")
        script.chmod(0o755)
        monkeypatch.setenv("EDITOR", str(script))

    return name


def test_what_was_saved_is_what_comes_back(writes):
    writes('printf "ü and more" > "$1"')
    assert editor.edited(Terminal(), "before", ".txt") == "ü and more"


def test_what_was_written_before_an_editor_failed_is_not_lost(writes):
    writes('printf "half a sentence" > "$1"; exit 3')
    with pytest.raises(editor.NotEdited, match="ended with status 3") as reason:
        editor.edited(Terminal(), "before", ".txt")
    assert reason.value.text == "half a sentence"


def test_where_nothing_was_written_nothing_is_kept(writes):
    writes("exit 1")
    with pytest.raises(editor.NotEdited) as reason:
        editor.edited(Terminal(), "before", ".txt")
    assert reason.value.text is None


@pytest.mark.parametrize(("line", "kept"), [('printf "\\377x" > "$1"', "\ufffdx"), ('rm "$1"', None)])
def test_what_cannot_be_read_is_told(writes, line, kept):
    writes(line)
    with pytest.raises(editor.NotEdited, match="What was written") as reason:
        editor.edited(Terminal(), "before", ".txt")
    assert reason.value.text == kept
