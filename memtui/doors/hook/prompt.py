"""`memtui hook prompt`: from a coding agent's event to the block, or to nothing.

A hook runs before every prompt, unasked: it may not fail, not wait, and not speak where it has nothing to say. It
imports no command line machinery, so that it can also be run without it.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from memtui.doors.cli.streams import answering, complain, write_utf8
from memtui.doors.hook.cue import cue_of
from memtui.doors.starting import spare_threads
from memtui.errors import InvalidInput, MemtuiError, Refused, VaultNotFound
from memtui.lasting import lasting
from memtui.log import survived

if TYPE_CHECKING:
    from memtui.memory.home import VaultHome
    from memtui.memory.memory import Memory
    from memtui.model.results import Found

OFF = "MEMTUI_HOOK"
"""The environment variable that switches the hook off when it is 0."""
LONGEST_SECONDS = 3.0
"""After which it gives up, whatever it is doing: reading an event that does not end, or files of a slow disk."""
_LONGEST_WAIT = 0.25
"""Seconds it waits for another process to let go of the store."""
_LARGEST_EVENT = 4 * 1024 * 1024
"""Bytes of an event that are read."""
_SHORTEST_PROMPT = 8


class TooLate(Exception):
    """The time a hook may take is over."""


@dataclass(frozen=True, slots=True)
class Event:
    """What an agent says when a person sends a prompt."""

    prompt: str
    cwd: str | None
    """The folder the agent works in; None where it does not say."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """What is worth telling about a prompt."""

    found: Found
    lines: list[str]


def run(
    *,
    vault: str | None = None,
    actor: str | None = None,
    read_only: bool = False,
    debug: bool = False,
    refused: Exception | None = None,
    write: Callable[[Recalled], None] | None = None,
) -> None:
    """Read an event from standard input and write the block, or nothing. Never raises an Exception.

    `vault` wins over the one of the event's folder; `refused` is what was wrong with the call itself. Only with
    `debug` the reason for a silence is told, on standard error.
    """
    try:
        with _within(LONGEST_SECONDS), lasting():
            # Read in any case: an agent that still writes must not find the pipe closed.
            data = _standard_input()
            if os.environ.get(OFF) == "0":
                raise Refused(f"{OFF} is 0")
            if refused is not None:
                raise refused
            recalled = recall(read_event(data), vault=vault, actor=actor, read_only=read_only)
        (write or _write_lines)(recalled)
    except Exception as error:
        survived("the prompt hook stayed silent", error)
        if debug:
            complain(_why(error))


def _why(error: Exception) -> str:
    """Why there is nothing to tell: a sentence, or for what no one expected the whole of it."""
    if isinstance(error, (MemtuiError, TooLate)):
        return f"memtui: silent: {error}\n"
    return "".join(traceback.format_exception(error))


def read_event(data: bytes) -> Event:
    """The event in an agent's words. Raises InvalidInput for what is none."""
    if len(data) > _LARGEST_EVENT:
        raise InvalidInput(f"the event is larger than {_LARGEST_EVENT // 1024 // 1024} MiB", field="stdin")
    try:
        event = json.loads(data)
    except (ValueError, RecursionError) as error:  # no UTF-8, no JSON, a number too long, brackets without end
        raise InvalidInput(f"the event cannot be read as JSON: {error}", field="stdin") from error
    if not isinstance(event, dict):
        raise InvalidInput("the event is no JSON object", field="stdin")
    fields = cast("dict[str, Any]", event)
    prompt, cwd = fields.get("prompt"), fields.get("cwd")
    if not isinstance(prompt, str):
        raise InvalidInput("the event's prompt is no text", field="prompt", value=prompt)
    if cwd is not None and not isinstance(cwd, str):
        raise InvalidInput("the event's cwd is no text", field="cwd", value=cwd)
    if cwd is not None and not _may_be_a_path(cwd):
        raise InvalidInput("the event's cwd names no folder", field="cwd", value=ascii(cwd)[:200])
    return Event(prompt, cwd or None)


def _may_be_a_path(text: str) -> bool:
    """Whether a system may have something of that name: no NUL, no half of a character."""
    try:
        return b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False


def recall(event: Event, *, vault: str | None = None, actor: str | None = None, read_only: bool = False) -> Recalled:
    """What is remembered about an event's prompt, by words alone; nothing is noted as recalled.

    A few changed files are read first, as for every one-shot recall; where that fails or takes too long, what was
    known before answers. Raises Refused where there is nothing to tell; and whatever opening a vault does.
    """
    asked = event.prompt.strip()
    if len(asked) < _SHORTEST_PROMPT:
        raise Refused(f"a prompt of fewer than {_SHORTEST_PROMPT} characters is about nothing", field="prompt")
    cue = cue_of(asked)
    home = _home(vault, event.cwd)
    memory = _opened(home, actor=actor, read_only=read_only)
    from memtui.doors.hook.block import MOST_HITS, block_lines, is_strong
    from memtui.text.analysis import query_terms

    found = memory.recall(cue, k=MOST_HITS, semantic=False, reconsolidate=False)
    words = sum(not term.is_stop for term in query_terms(cue).terms)
    if not is_strong(found.hits, words):
        raise Refused("nothing that is remembered is near enough to the prompt")
    return Recalled(found, block_lines(found, str(home.root), _show(home, event.cwd)))


def _home(vault: str | None, cwd: str | None) -> VaultHome:
    """The vault named, else that of the agent's folder, else MEMTUI_VAULT's. Raises VaultNotFound."""
    from memtui.memory.home import existing_vault, find_vault

    named = vault or (find_vault(Path(cwd)) if cwd else None) or os.environ.get("MEMTUI_VAULT")
    if not named:
        raise VaultNotFound("there is no vault in the agent's folder or above it, and MEMTUI_VAULT names none")
    home = existing_vault(Path(named).expanduser())
    if not home.is_made:
        raise VaultNotFound(f"{home.root} is a folder, but no vault", file=str(home.root))
    return home


def _opened(home: VaultHome, *, actor: str | None, read_only: bool) -> Memory:
    """The memory of a vault, over a store that is not waited for as long as a person would."""
    spare_threads()
    from memtui.clock import system_clock
    from memtui.memory.memory import Memory
    from memtui.store.duckdb.ledger import DuckDBLedger

    read_only = read_only or not home.writable
    ledger = DuckDBLedger(home.store, system_clock, read_only=read_only, wait=_LONGEST_WAIT, threads=1)
    return Memory(home, actor=actor, read_only=read_only, resident=False, ledger=ledger)


def _show(home: VaultHome, cwd: str | None) -> str:
    """The command that shows a record of this vault to who stands in the agent's folder."""
    from memtui.memory.home import find_vault

    there = os.environ.get("MEMTUI_VAULT") or (find_vault(Path(cwd)) if cwd else None)
    if there and os.path.abspath(os.path.expanduser(there)) == str(home.root):
        return "memtui show NAME"
    return f"memtui --vault {shlex.quote(str(home.root))} show NAME"


def _standard_input() -> bytes:
    if sys.stdin.isatty():
        raise InvalidInput("an event is read from standard input, and that is a terminal", field="stdin")
    return sys.stdin.buffer.read(_LARGEST_EVENT + 1)


def _write_lines(recalled: Recalled) -> None:
    with answering():
        write_utf8("\n".join(recalled.lines) + "\n")


@contextlib.contextmanager
def _within(seconds: float) -> Generator[None, None, None]:
    """Raise TooLate in what takes longer. Where the system has no such timer, or another thread runs, nothing does."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def over(number: int, frame: object) -> None:
        raise TooLate(f"gave up after {seconds:g} s")

    earlier = signal.signal(signal.SIGALRM, over)
    running = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *running)
        signal.signal(signal.SIGALRM, earlier)
