"""JSON edited where it stands: what an edit does not name keeps its bytes, whoever wrote it in whatever manner.

What is added is written like what is beside it: on a line of its own, indented, where the others are, else behind
them; with the file's line ends and letters. Taking it out again gives the text there was, but for blanks inside
brackets that held nothing.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

Path = tuple[str | int, ...]
"""Keys and numbers that lead from the outermost value to one in it."""

_BLANKS = re.compile(r"[ \t\r\n]*")
_INDENT = re.compile(r'\n([ \t]+)"')
_DECODER = json.JSONDecoder(parse_int=str, parse_float=str)
_USUAL = "  "


class _Item(NamedTuple):
    """One of what brackets hold: a member from its key on, an element from its value on; [start, end)."""

    key: str | int
    start: int
    value: int
    end: int


def replaced(text: str, path: Path, value: object) -> str:
    """The text with another value in a place, itself on one line."""
    place = _place(text, path)
    _, end = _DECODER.raw_decode(text, place)
    return text[:place] + _one_line(text, value) + text[end:]


def added(text: str, path: Path, key: str | None, value: object) -> str:
    """The text with a value behind the others of an object (by its key) or of a list."""
    place = _place(text, path)
    items = _items(text, place)
    if not items:
        return _filled(text, path, place, key, value)
    last = items[-1]
    before = _blanks_before(text, last.start)
    if "\n" in before:
        said = _lines(text, value, before[before.rfind("\n") + 1 :])
    else:
        before = before if before or len(items) > 1 or _is_tight(text) else " "
        said = _one_line(text, value)
    return f"{text[: last.end]},{before}{_named(text, key)}{said}{text[last.end :]}"


def without(text: str, path: Path) -> str:
    """The text without what stands in a place, and without the comma beside it."""
    items = _items(text, _place(text, path[:-1]))
    place = next(place for place, item in enumerate(items) if item.key == path[-1])
    if len(items) == 1:
        opening = _place(text, path[:-1])
        closing = _BLANKS.match(text, items[0].end)
        assert closing is not None, "any number of blanks, also none, always matches"  # noqa: S101
        return text[: opening + 1] + text[closing.end() :]
    if place == 0:
        return text[: items[0].start] + text[items[1].start :]
    return text[: items[place - 1].end] + text[items[place].end :]


def _filled(text: str, path: Path, place: int, key: str | None, value: object) -> str:
    """The text with a value in brackets that hold nothing."""
    end = _after_blanks(text, place + 1)
    said = _one_line(text, value)
    if not path:
        margin, lines = "", True
    else:
        beside = next(item for item in _items(text, _place(text, path[:-1])) if item.key == path[-1])
        before = _blanks_before(text, beside.start)
        margin, lines = before[before.rfind("\n") + 1 :], "\n" in before
    if not lines:
        return f"{text[: place + 1]}{_named(text, key)}{said}{text[end:]}"
    inner = margin + _unit(text)
    said = _lines(text, value, inner)
    line = _line_end(text)
    return f"{text[: place + 1]}{line}{inner}{_named(text, key)}{said}{line}{margin}{text[end:]}"


# --- Where things stand --------------------------------------------------------------------------


def _place(text: str, path: Path) -> int:
    """Where the value at a path begins."""
    place = _after_blanks(text, 1 if text.startswith("\ufeff") else 0)
    for step in path:
        place = next(item.value for item in _items(text, place) if item.key == step)
    return place


def _items(text: str, place: int) -> list[_Item]:
    """What the brackets that open at a place hold."""
    items: list[_Item] = []
    place = _after_blanks(text, place + 1)
    while text[place] not in "]}":
        start, key = place, len(items)
        value, end = _DECODER.raw_decode(text, place)
        after = _after_blanks(text, end)
        if text[after] == ":":
            key, place = value, _after_blanks(text, after + 1)
            _, end = _DECODER.raw_decode(text, place)
            after = _after_blanks(text, end)
        items.append(_Item(key, start, place, end))
        place = _after_blanks(text, after + 1) if text[after] == "," else after
    return items


def _after_blanks(text: str, place: int) -> int:
    found = _BLANKS.match(text, place)
    return place if found is None else found.end()


def _blanks_before(text: str, place: int) -> str:
    start = place
    while start and text[start - 1] in " \t\r\n":
        start -= 1
    return text[start:place]


# --- How it is written ---------------------------------------------------------------------------


def _named(text: str, key: str | None) -> str:
    return "" if key is None else f"{_dumped(text, key)}:{'' if _is_tight(text) else ' '}"


def _one_line(text: str, value: object) -> str:
    return _dumped(text, value, separators=(",", ":") if _is_tight(text) else (", ", ": "))


def _lines(text: str, value: object, margin: str) -> str:
    """A value over several lines, those after its first one behind a margin."""
    said = _dumped(text, value, indent=_unit(text))
    return said.replace("\n", _line_end(text) + margin)


def _dumped(text: str, value: object, **manner: Any) -> str:
    return json.dumps(value, ensure_ascii=text.isascii() and "\\u" in text, allow_nan=False, **manner)


def _unit(text: str) -> str:
    found = _INDENT.search(text)
    return found[1] if found else _USUAL


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _is_tight(text: str) -> bool:
    """Whether nothing stands between a key and its value: `{"a":1}`."""
    return re.search(r'":[ \t\r\n]', text) is None and '":' in text
