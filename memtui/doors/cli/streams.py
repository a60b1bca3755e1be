"""The standard streams as they really come: closed, full, left by their reader, or in a small encoding."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import stat
import sys
import threading
from collections.abc import Generator
from typing import NoReturn, TextIO

from memtui.errors import InvalidInput, MemtuiError

_FILLERS = ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_WRONLY))
"""What takes the place of a closed stream. The first two are opened the wrong way round on purpose: using them then
fails with the system's own words, while a store opened later can never become "standard output"."""


class Unwritten(MemtuiError):
    """The command did its work, but its answer could not be written."""

    code = "unwritten"


def prepare() -> None:
    """Make the three streams usable: none is absent, and no character can make writing to them fail."""
    for descriptor, flags in _FILLERS:
        try:
            os.fstat(descriptor)
        except OSError:
            opened = os.open(os.devnull, flags)
            if opened != descriptor:
                os.dup2(opened, descriptor)
                os.close(opened)
    # Python leaves None where the descriptor was closed, whatever the type stubs say.
    if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison]
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - it lives as long as the program
    if sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison]
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - it lives as long as the program
    if sys.stderr is None:  # pyright: ignore[reportUnnecessaryComparison]
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - it lives as long as the program
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


@contextlib.contextmanager
def answering() -> Generator[None, None, None]:
    """Around everything that writes an answer: it is written out when this ends.

    An answer that failed is given up, so that the interpreter does not try again at its end.
    Raises BrokenPipeError when the reader went away, Unwritten for every other failure.
    """
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        silence(sys.stdout)
        raise
    except OSError as error:
        silence(sys.stdout)
        why = "standard output is closed" if error.errno == errno.EBADF else error.strerror or str(error)
        raise Unwritten(f"the answer could not be written: {why}") from error


def print_text(text: str) -> None:
    """Bare text on standard output, written out at once. Raises what `answering` does."""
    with answering():
        sys.stdout.write(text)


def write_utf8(text: str) -> None:
    """Text as UTF-8 whatever the stream's own encoding: what programs read. For JSON, whose escapes are Python's."""
    sys.stdout.flush()
    # Half a surrogate pair becomes \udcff, which JSON reads back as what it was.
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))


def complain(text: str) -> None:
    """Text for the person, on standard error; where that cannot be written either, no one is left to tell."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        silence(sys.stderr)


def silence(stream: TextIO) -> None:
    """Let what a failed stream still holds go nowhere, so that the interpreter does not complain of it at its end."""
    try:
        descriptor = stream.fileno()
    except OSError:  # a stream that is no file, as in tests, holds nothing back
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


def leave(status: int) -> NoReturn:
    """End the program, all that was said being written out.

    At once where nothing else runs: taking the interpreter apart, with the libraries it has loaded, takes longer than
    a question to a small vault. All that must be kept has been by now, and child processes end with their parent.
    """
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):  # said, or given up, before
            silence(stream)
    logging.shutdown()
    if threading.active_count() > 1:
        sys.exit(status)
    os._exit(status)


LARGEST_TEXT = 2_000_000
"""Bytes of a query or a memory's text: the longest text of a memory (`LONGEST_TEXT`), whatever its letters take."""


def read_standard_input(most: int, instead: str) -> str:
    """Standard input to its end, but no more than `most` bytes; `instead` says what to do with more.

    Raises InvalidInput where it cannot be read, is longer or is not UTF-8.
    """
    try:
        data = sys.stdin.buffer.read(most + 1)
    except OSError as error:
        why = "it is closed" if error.errno == errno.EBADF else error.strerror or str(error)
        raise InvalidInput(f"standard input cannot be read: {why}", field="stdin") from error
    if len(data) > most:
        raise InvalidInput(
            f"standard input holds {_size_or_more(most)}; at most {most:,} bytes are read here",
            field="stdin",
            hint=instead,
        )
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInput("standard input is not valid UTF-8", field="stdin", value=data[:20]) from error


def _size_or_more(most: int) -> str:
    """How much standard input holds; of a pipe only that it is more than was read."""
    try:
        status = os.fstat(sys.stdin.fileno())
    except OSError:  # a stream that is no file, as in tests
        return f"more than {most:,} bytes"
    return f"{status.st_size:,} bytes" if stat.S_ISREG(status.st_mode) else f"more than {most:,} bytes"
