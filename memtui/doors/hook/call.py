"""The usual calls of the prompt hook, read without the command line's machinery, which takes longer to load.

Only what means the same either way is read here: each option once, with a value that no one could take for an option.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_COMMAND = ("hook", "prompt")
_TEXTS = ("--vault", "--actor")
_FLAGS = ("--read-only", "--debug")
_NOTE = "--found-empty"
"""Written by `hook install` behind the command, for `hook uninstall`."""


@dataclass(frozen=True, slots=True)
class Call:
    """What the hook is told."""

    vault: str | None = None
    actor: str | None = None
    read_only: bool = False
    debug: bool = False


def usual_call(words: Sequence[str]) -> Call | None:
    """What `memtui` with these words tells the hook; None for another command, and for a call that is none of these."""
    texts: dict[str, str] = {}
    flags: set[str] = set()
    command = 0
    rest = iter(words)
    for word in rest:
        option, given, value = word.partition("=")
        if option in _TEXTS or (option == _NOTE and command == len(_COMMAND)):
            value = value if given else next(rest, "")
            if option in texts or not _is_plain(value):
                return None
            texts[option] = value
        elif word in _FLAGS:
            flags.add(word)
        elif command < len(_COMMAND) and word == _COMMAND[command]:
            command += 1
        else:
            return None
    if command < len(_COMMAND):
        return None
    return Call(texts.get("--vault"), texts.get("--actor"), "--read-only" in flags, "--debug" in flags)


def _is_plain(value: str) -> bool:
    return bool(value) and not value.startswith("-") and not any("\ud800" <= sign <= "\udfff" for sign in value)
