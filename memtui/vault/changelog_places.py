"""Where the entries of a change log stand, character by character."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

ENTRIES = "entries"
"""The field that holds the list, in a log that is a mapping."""
_BLANKS = re.compile(r"[ \t\n\r]*")
# What stands there does not matter here, and a number of many digits must not be counted out.
_DECODER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)


@dataclass(frozen=True, slots=True)
class EntryList:
    """The list of entries in its text."""

    start: int
    """The bracket that opens it."""
    end: int
    """The bracket that closes it."""
    entries: tuple[tuple[int, int], ...]
    """(first character, after the last one) of each entry."""


def find_entries(text: str) -> EntryList | None:
    """The list of a text that is known to be valid JSON: all of it, or the last `entries` of a mapping, which counts.

    None where there is no such list.
    """
    at = _past_blanks(text, 0)
    if text[at] == "{":
        at = _value_of_entries(text, at)
    if at < 0 or text[at] != "[":
        return None
    start, at = at, _past_blanks(text, at + 1)
    found: list[tuple[int, int]] = []
    while text[at] != "]":
        _, end = _DECODER.raw_decode(text, at)
        found.append((at, end))
        at = _past_comma(text, end)
    return EntryList(start, at, tuple(found))


def _value_of_entries(text: str, at: int) -> int:
    """Where the last value of that name begins in the mapping that opens at a place; -1 where there is none."""
    found = -1
    at = _past_blanks(text, at + 1)
    while text[at] != "}":
        key, at = _DECODER.raw_decode(text, at)
        at = _past_blanks(text, _past_blanks(text, at) + 1)
        if key == ENTRIES:
            found = at
        _, at = _DECODER.raw_decode(text, at)
        at = _past_comma(text, at)
    return found


def _past_comma(text: str, at: int) -> int:
    """The next member, or the sign that closes."""
    at = _past_blanks(text, at)
    return _past_blanks(text, at + 1) if text[at] == "," else at


def _past_blanks(text: str, at: int) -> int:
    blanks = _BLANKS.match(text, at)
    return blanks.end() if blanks else at
