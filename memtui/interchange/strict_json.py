"""JSON read strictly: what a decoder would pass over in silence is told.

A key written twice loses a value, NaN and 1e999 cannot be written again, half a character fits no file.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, cast

_HALF = re.compile("[\ud800-\udfff]")
_HALF_OR_NUL = re.compile("[\0\ud800-\udfff]")
_STEP = 64 * 1024
"""Bytes by which a line that is too long is passed over."""
_LONGEST_NUMBER = 4000
"""Digits of the longest whole number: Python reads a few more."""


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something in a text that is JSON, and yet cannot be taken as it stands."""

    field: str
    reason: str
    value: Any = None


class StrictJson:
    """Decodes JSON values one at a time; after each, `flaws` holds what must not be taken."""

    def __init__(self, *, refuse_nul: bool = False, deepest: int = 500) -> None:
        """With `refuse_nul`, U+0000 in a text is a flaw too; so are values nested more than `deepest` levels."""
        self._unfit = _HALF_OR_NUL if refuse_nul else _HALF
        self._deepest = deepest
        self._decoder = json.JSONDecoder(
            object_pairs_hook=self._mapping,
            parse_constant=self._constant,
            parse_int=self._whole,
            parse_float=self._fraction,
        )
        self.flaws: list[Flaw] = []

    def decode(self, text: str) -> Any:
        """The value of a text. Raises JSONDecodeError, or RecursionError for one nested too deeply."""
        self.flaws = []
        value = self._decoder.decode(text)
        self._check(value)
        return value

    def decode_at(self, text: str, at: int) -> tuple[Any, int]:
        """The value that begins at a place of a text, and where it ends. Raises as `decode`."""
        self.flaws = []
        value, end = self._decoder.raw_decode(text, at)
        self._check(value)
        return value, end

    def _mapping(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            seen: set[str] = set()
            for key, value in pairs:
                if key in seen:
                    self.flaws.append(Flaw(key, "is written more than once", value))
                seen.add(key)
        return made

    def _constant(self, word: str) -> None:
        self.flaws.append(Flaw("", "is no number JSON knows", word))

    def _whole(self, digits: str) -> int:
        if len(digits) > _LONGEST_NUMBER:
            self.flaws.append(Flaw("", f"is a number of {len(digits)} digits", digits))
            return 0
        return int(digits)

    def _fraction(self, digits: str) -> float:
        number = float(digits)
        if abs(number) == float("inf"):
            self.flaws.append(Flaw("", "is a larger number than can be kept", digits))
        return number

    def _check(self, value: Any) -> None:
        """Note texts that cannot be stored, and depth beyond the bound."""
        waiting: list[tuple[str, Any, int]] = [("", value, 0)]
        while waiting:
            field, item, depth = waiting.pop()
            if depth > self._deepest:
                self.flaws.append(Flaw(printable(field[:40]), f"is nested more than {self._deepest} levels deep"))
                return
            if isinstance(item, str):
                self._check_text(field, item)
            elif isinstance(item, dict):
                for name, part in cast("dict[str, Any]", item).items():
                    inner = f"{field}.{name}" if field else name
                    self._check_text(inner, name)
                    waiting.append((inner, part, depth + 1))
            elif isinstance(item, list):
                parts = cast("list[Any]", item)
                waiting += [(f"{field}[{number}]", part, depth + 1) for number, part in enumerate(parts)]

    def _check_text(self, field: str, text: str) -> None:
        # Neither NUL nor half a character is printable, and most texts are.
        found = None if text.isprintable() else self._unfit.search(text)
        if found is not None:
            what = "a NUL character" if found[0] == "\0" else "half a character"
            self.flaws.append(Flaw(printable(field), f"holds {what}, which cannot be kept", printable(text)))


def printable(text: str) -> str:
    """A text with what no file can hold replaced, so that it may be shown."""
    return _HALF_OR_NUL.sub("\ufffd", text)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line that gives no text, and why."""

    reason: str


def text_lines(lines: Iterable[str | bytes], longest: int, way_out: str) -> Iterator[tuple[int, str | Unreadable]]:
    """Numbered lines as text, without line ends and byte order mark.

    A line of more than `longest` bytes (characters of a text) gives none, and `way_out` says what to do about it; of
    a binary file it is not even held.
    """
    given = bounded_lines(lines, longest) if isinstance(lines, io.BufferedIOBase) else lines
    for number, raw in enumerate(given, start=1):
        if len(raw) > longest:
            yield number, Unreadable(f"is longer than {longest // 1024 // 1024} MiB; {way_out}")
            continue
        try:
            line = raw.decode("utf-8") if isinstance(raw, bytes) else raw
        except UnicodeDecodeError as error:
            yield number, Unreadable(f"is not UTF-8: {error.reason} at byte {error.start + 1}")
            continue
        if number == 1:
            line = line.removeprefix("\ufeff")
        yield number, line.rstrip("\r\n")


def bounded_lines(file: io.BufferedIOBase, longest: int) -> Iterator[bytes]:
    """The lines of a binary file; of one that is longer than that only as much as shows it."""
    while line := file.readline(longest + 1):
        yield line
        last = line[-1:] if len(line) > longest else b""
        while last not in (b"", b"\n"):
            last = file.readline(_STEP)[-1:]
