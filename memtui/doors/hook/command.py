"""The command that an agent runs before every prompt: how it is written into settings, and known there again."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from dataclasses import dataclass, replace
from pathlib import Path

_WORDS = ["hook", "prompt"]
_FOUND_EMPTY = "--found-empty"
_PROGRAM = re.compile(r"memtui(\.exe)?", re.IGNORECASE)
_MENTIONED = re.compile(r"""(^|[\s/\\"'])memtui(\.exe)?["']?\s(.*\s)?hook\s+prompt\b""")


@dataclass(frozen=True, slots=True)
class HookCommand:
    """`memtui hook prompt`, with the program as it is found here and what it is told."""

    program: tuple[str, ...] = ("memtui",)
    vault: str | None = None
    """The vault it always asks; None for that of the agent's folder."""
    found_empty: str | None = None
    """The container of the settings that held nothing before."""

    def __str__(self) -> str:
        """The words for a shell, quoted as any of them reads them."""
        told = [*self.program, *_WORDS]
        told += [] if self.vault is None else ["--vault", self.vault]
        told += [] if self.found_empty is None else [_FOUND_EMPTY, self.found_empty]
        return shlex.join(told)

    def found(self, empty: str | None) -> HookCommand:
        """The same, put where that container held nothing."""
        return replace(self, found_empty=empty)

    @staticmethod
    def is_one(text: str) -> bool:
        """Whether a command is one that we wrote, and does nothing else."""
        return _read(text) is not None

    @staticmethod
    def read(text: str) -> HookCommand:
        """The command of a text that is one. Raises ValueError for any other."""
        command = _read(text)
        if command is None:
            raise ValueError(f"{text!r} is no command of ours")
        return command


def _read(text: str) -> HookCommand | None:
    try:
        words = shlex.split(text)
    except ValueError:  # a quotation that does not end
        return None
    if words[1:3] == ["-m", "memtui"]:
        program, words = words[:3], words[3:]
    elif words and _PROGRAM.fullmatch(re.split(r"[/\\]", words[0])[-1]):
        program, words = words[:1], words[1:]
    else:
        return None
    if words[:2] != _WORDS or len(words) % 2:
        return None
    options = dict(zip(words[2::2], words[3::2], strict=True))
    # Anything else (a second command, a redirection) is someone's own.
    if set(options) - {"--vault", _FOUND_EMPTY} or 2 * len(options) != len(words) - 2:
        return None
    return HookCommand(tuple(program), options.get("--vault"), options.get(_FOUND_EMPTY))


def runs_the_hook(text: str) -> bool:
    """Whether a command that is not ours runs the hook nevertheless."""
    return _MENTIONED.search(text) is not None


def program_here() -> tuple[str, ...]:
    """The program that runs, as an agent can call it: by its name where that finds it, else by its path."""
    started = Path(sys.argv[0])
    on_path = shutil.which("memtui")
    if not _PROGRAM.fullmatch(started.name) or not started.is_file():
        return ("memtui",) if on_path else (Path(sys.executable).as_posix(), "-m", "memtui")
    if on_path and os.path.realpath(on_path) == os.path.realpath(started):
        return ("memtui",)
    return (Path(os.path.abspath(started)).as_posix(),)
