"""Values as YAML that every reader takes for the same value: quoted wherever a plain text could be taken otherwise.

A list is written one item a line, a tuple on one line. An aware datetime becomes an instant in UTC;
any other value is what `memtui.text.plain_yaml` reads back (`as_read`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from memtui.model.instants import from_datetime, iso
from memtui.text.plain_yaml import plain_scalar

LONGEST_LINE = 120
_STEP = 2
"""Blanks by which a nested block is indented."""
# YAML 1.1 and 1.2 differ in what these are; between quotes they are text for all.
_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})
_LIKE_A_NUMBER = re.compile(r"[0-9][0-9a-fA-FxXoOTtZz_:.,+\- ]*")
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_ESCAPED = re.compile('[\\\\"\t\n\r]|' + _UNPRINTABLE.pattern)
_SHORT = {"\\": "\\\\", '"': '\\"', "\t": "\\t", "\n": "\\n", "\r": "\\r"}


def scalar(value: object, *, like: str = "", flow: bool = False) -> str:
    """One value on one line; a text is quoted like `like` (`'` or `"`) where it can be, and wherever it must be.

    Raises ValueError for what YAML cannot hold: half characters, NUL, numbers that are none.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return iso(from_datetime(value))
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} is no finite number")
        return repr(value)
    if not isinstance(value, str):
        raise ValueError(f"a {type(value).__name__} has no place in a file's fields")
    return _text(value, like, flow)


def after_key(value: object, indent: int, *, like: str = "") -> tuple[str, list[str]]:
    """What follows a key (or the dash of an item) that stands at `indent`: on its line, and on the lines below."""
    if isinstance(value, Mapping) and value:
        return "", _mapping(cast("Mapping[str, object]", value), indent + _STEP)
    if isinstance(value, (list, tuple)) and value:
        items = cast("Sequence[object]", value)
        if isinstance(value, tuple) and (line := flow_list(items, like=like)) is not None:
            return line, []
        return "", [line for item in items for line in item_lines(item, indent + _STEP, like=like)]
    if isinstance(value, (Mapping, list, tuple)):
        return "{}" if isinstance(value, Mapping) else "[]", []
    if isinstance(value, str) and _is_prose(value):
        kept = value.removesuffix("\n")
        lines = [" " * (indent + _STEP) + line if line else "" for line in kept.split("\n")]
        return "|-" if kept == value else "|", lines
    return scalar(value, like=like), []


def item_lines(value: object, indent: int, *, like: str = "") -> list[str]:
    """An item of a block list, its dash at `indent`."""
    dash = " " * indent + "-"
    inline, below = after_key(value, indent, like=like)
    if inline:
        return [f"{dash} {inline}", *below]
    return [f"{dash} {below[0].lstrip(' ')}", *below[1:]]


def flow_list(items: Sequence[object], *, like: str = "") -> str | None:
    """A list on one line; None where that would be too long to be read."""
    line = "[" + ", ".join(flow_value(item, like=like) for item in items) + "]"
    return line if len(line) <= LONGEST_LINE else None


def flow_value(value: object, *, like: str = "") -> str:
    """Any value on one line, as an item of a list between brackets."""
    if isinstance(value, Mapping):
        parts = cast("Mapping[str, object]", value)
        inner = (f"{scalar(key, flow=True)}: {flow_value(part, like=like)}" for key, part in parts.items())
        return "{" + ", ".join(inner) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(flow_value(item, like=like) for item in cast("Sequence[object]", value)) + "]"
    return scalar(value, like=like, flow=True)


def as_read(value: object) -> Any:
    """What the reader of front matter makes of a value once it is written."""
    if isinstance(value, Mapping):
        return {key: as_read(part) for key, part in cast("Mapping[str, object]", value).items()}
    if isinstance(value, (list, tuple)):
        return [as_read(item) for item in cast("Sequence[object]", value)]
    return value if isinstance(value, str) else plain_scalar(scalar(value))


def _mapping(parts: Mapping[str, object], indent: int) -> list[str]:
    lines: list[str] = []
    for key, value in parts.items():
        inline, below = after_key(value, indent)
        head = " " * indent + scalar(key) + ":"
        lines += [f"{head} {inline}" if inline else head, *below]
    return lines


def _text(text: str, like: str, flow: bool) -> str:
    if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise ValueError("it holds a character that no text file can keep (NUL, or half of a character)")
    if like == "'" and text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    if not like and _is_plain(text, flow):
        return text
    return '"' + _ESCAPED.sub(_escape, text) + '"'


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    if char in _SHORT:
        return _SHORT[char]
    return f"\\x{ord(char):02x}" if ord(char) < 256 else f"\\u{ord(char):04x}"


def _is_plain(text: str, flow: bool) -> bool:
    """Whether a text is that text without quotes, for every reader and in every place."""
    if not text or not (text[0].isalnum() or text[0] in "_/") or not text.isprintable():
        return False
    if text[-1] in " :" or ": " in text or " #" in text or (flow and any(sign in text for sign in ",[]{}?")):
        return False
    return text.casefold() not in _WORDS and not _LIKE_A_NUMBER.fullmatch(text)


def _is_prose(text: str) -> bool:
    """Whether a text of several lines can stand as a block, as a person would write it."""
    lines = text.removesuffix("\n").split("\n")
    if len(lines) < 2 or not lines[-1].strip() or lines[0][:1] in ("", " ", "\t") or "\r" in text:
        return False
    return not _UNPRINTABLE.search(text) and not any(line and (line.isspace() or line[0] == "\t") for line in lines)
