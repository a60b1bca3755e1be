"""Handing a file to the person's own editor, and the terminal with it."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
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


class NotEdited(Exception):
    """Why a file or text could not be edited, as a sentence without its full stop.

    `text` is what the person wrote all the same, as far as it can be read; None where nothing was.
    """

    def __init__(self, reason: str, text: str | None = None) -> None:
        super().__init__(reason)
        self.text = text


def edit(app: App[Any], file: Path, line: int | None = None) -> None:
    """Let the person edit a file while the program waits. Raises NotEdited."""
    words = command(file, line)
    if words is None:
        raise NotEdited("No editor was found: EDITOR names one")
    try:
        with app.suspend():
            done = subprocess.run(words, check=False)  # noqa: S603 - the editor that the person named
    except SuspendNotSupported:
        raise NotEdited("This terminal cannot be handed to an editor") from None
    except OSError as error:
        raise NotEdited(f"{words[0]} could not be started: {error.strerror or error}") from error
    if done.returncode != 0:
        raise NotEdited(f"{words[0]} ended with status {done.returncode}")


def edited(app: App[Any], text: str, suffix: str) -> str:
    """Let the person edit a text while the program waits; what was saved. Raises NotEdited."""
    with tempfile.TemporaryDirectory(prefix="memtui-") as folder:
        file = Path(folder) / f"text{suffix}"
        try:
            file.write_text(text, encoding="utf-8")
            try:
                edit(app, file)
            except NotEdited as reason:
                written = file.read_bytes().decode("utf-8", errors="replace")
                raise NotEdited(str(reason), written if written != text else None) from reason
            data = file.read_bytes()
        except OSError as error:
            raise NotEdited(f"What was written cannot be read: {error}") from error
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise NotEdited(f"What was written is no UTF-8: {error.reason}", data.decode(errors="replace")) from error
