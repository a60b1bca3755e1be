"""A file's text as it will be written back: its byte order mark and every line end are kept.

Places are found in the text as readers see it (line ends as LF); edits are made in the text as it
stands in the file.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from typing import NamedTuple

from memtui.errors import Refused
from memtui.vault.decoding import decode

BYTE_ORDER_MARK = "\ufeff"
_LINE_END = re.compile(r"\r\n|\r|\n")
_CONVERT = "convert the file to UTF-8 (most editors: save with encoding UTF-8), then try again"


class Edit(NamedTuple):
    """Characters to replace: from `start` until before `end` in a SourceText's `text`; `new` has LF line ends."""

    start: int
    end: int
    new: str


class SourceText:
    """A text with any line ends, and the same text as readers see it."""

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self._mark = BYTE_ORDER_MARK if raw.startswith(BYTE_ORDER_MARK) else ""
        plain = raw[len(self._mark) :].replace("\0", " ")
        first = _LINE_END.search(plain)
        self.line_end = first[0] if first else "\n"
        """How the first line ends: how new lines end, too."""
        self._pairs: list[int] = []
        if "\r" in plain:
            pairs = [match.start() for match in re.finditer("\r\n", plain)]
            self._pairs = [place - number for number, place in enumerate(pairs)]
            plain = plain.replace("\r\n", "\n").replace("\r", "\n")
        self.text = plain

    def edited(self, edits: Iterable[Edit]) -> str:
        """The raw text with some stretches replaced; of two edits at one place the first comes first.

        The edits must not overlap. What a stretch and its replacement begin and end with alike stays as it is.
        """
        pieces: list[str] = [self._mark]
        at = len(self._mark)
        for start, end, new in map(self._narrowed, sorted(edits, key=lambda edit: edit[:2])):
            pieces += [self.raw[at : self._place(start)], new.replace("\n", self.line_end)]
            at = self._place(end)
        pieces.append(self.raw[at:])
        return "".join(pieces)

    def _narrowed(self, edit: Edit) -> Edit:
        start, end, new = edit
        old = self.text[start:end]
        head = _shared(old, new)
        tail = _shared(old[head:][::-1], new[head:][::-1])
        return Edit(start + head, end - tail, new[head : len(new) - tail])

    def _place(self, offset: int) -> int:
        """Where a character of `text` stands in `raw`."""
        return offset + len(self._mark) + bisect_left(self._pairs, offset)


def _shared(one: str, other: str) -> int:
    """How many characters two texts begin with alike; halved step by step, as they may be megabytes."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def editable_text(path: str, data: bytes) -> str:
    """The text of a file that may be edited, with its byte order mark and line ends.

    Raises Refused for what is no UTF-8 throughout: written back, a guessed encoding would change every letter.
    """
    decoded = decode(data)
    if decoded.encoding == "binary":
        raise Refused(f"{path} holds no text", file=path, hint="a binary file cannot be edited here")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Refused(f"{path} is not UTF-8 (line {line}), so it is left alone", file=path, hint=_CONVERT) from None
    if decoded.encoding != "utf-8":
        raise Refused(f"{path} is {decoded.encoding.upper()}, so it is left alone", file=path, hint=_CONVERT)
    return text


def file_bytes(path: str, text: str) -> bytes:
    """The bytes of a text. Raises Refused for a text that would not be read again as it is."""
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError as error:
        character = f"U+{ord(text[error.start]):04X}"
        raise Refused(
            f"{path} would hold half of a character ({character}), which no file can keep",
            file=path,
            hint="send the text as valid UTF-8",
        ) from None
    read = decode(data)
    if read.encoding != "utf-8" or read.text != SourceText(text).text:
        raise Refused(f"{path} would no longer be read as text", file=path, hint="take out the control characters")
    return data
