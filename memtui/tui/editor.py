"""Handing a file to the person's own editor, and the terminal with it."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from textual.app import App, SuspendNotSupported

_USUAL = ("nano", "vim", "vi")
"""What is tried where no editor is named."""
_PLUS = frozenset(("vi", "vim", "nvim", "view", "nano", "pico", "emacs", "emacsclient", "micro", "joe", "kak", "ne"))
"""Editors that take a line as `+N` before the file."""
_COLON = frozenset(("hx", "helix", "zed", "subl"))
"""Editors that take it as `file:N`."""
_GOTO = frozenset(("code", "codium", "cursor"))
"""Editors that take it as `--goto file:N`, and wait only when told to."""


def command(file: Path, line: int | None) -> list[str] | None:
    """The command that opens a file at a line in $VISUAL, $EDITOR or a usual editor; None where there is none."""
    named = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    try:
        words = shlex.split(named) if named else _found()
    except ValueError:  # a quote that is not closed
        words = [named or ""]
    return [*words, *_place(words[0], str(file), line)] if words else None


def _found() -> list[str]:
    return [path for path in map(shutil.which, _USUAL) if path][:1]


def _place(program: str, file: str, line: int | None) -> Sequence[str]:
    name = os.path.basename(program).removesuffix(".exe")
    if name in _GOTO:
        return ("--wait", "--goto", file if line is None else f"{file}:{line}")
    if line is not None and name in _PLUS:
        return (f"+{line}", file)
    return (f"{file}:{line}" if line is not None and name in _COLON else file,)


def edit(app: App[Any], file: Path, line: int | None = None) -> str | None:
    """Let the person edit a file while the program waits; what is to be said where that was not possible."""
    words = command(file, line)
    if words is None:
        return f"No editor was found: EDITOR names one. The file is {file}"
    try:
        with app.suspend():
            done = subprocess.run(words, check=False)  # noqa: S603 - the editor that the person named
    except SuspendNotSupported:
        return f"This terminal cannot be handed to an editor. The file is {file}"
    except OSError as error:
        return f"{words[0]} could not be started: {error.strerror or error}. The file is {file}"
    return None if done.returncode == 0 else f"{words[0]} ended with status {done.returncode}; the file is {file}"
