"""Taking typed fields out of a mapping that a person wrote.

What cannot be read becomes a problem that names file, line, field and value, and stays in `extra`
as it was written: nothing is lost and nothing is guessed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import tzinfo
from typing import Any, cast

from memtui.errors import InvalidInput
from memtui.model.instants import Instant
from memtui.model.problems import Problem
from memtui.text.dates import parse_instant
from memtui.text.naming import is_blank

_WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_SHOWN = 120


class FieldReader:
    """Reads the fields of one mapping of one file and collects what was wrong with them."""

    def __init__(
        self,
        values: Mapping[str, Any],
        *,
        path: str,
        zone: tzinfo,
        lines: Mapping[str, int] | None = None,
        line: int | None = None,
        prefix: str = "",
    ) -> None:
        """`lines` gives the line of each field, `line` that of the mapping; `prefix` goes before a field's name."""
        self.values = values
        self.problems: list[Problem] = []
        self.zone = zone
        self._path, self._lines, self._line, self._prefix = path, lines or {}, line, prefix
        self._read: set[str] = set()

    def text(self, key: str) -> str | None:
        """A trimmed text; numbers and booleans as written. None when absent, blank or unreadable."""
        value = self._take(key)
        if value is None:
            return None
        text = scalar_text(value)
        if text is None:
            return self.problem(key, f"is {_kind_of(value)} where one text is meant")
        text = text.strip()
        return None if is_blank(text) else text

    def line_of_text(self, key: str) -> str | None:
        """A text on one line: blanks and line ends collapsed."""
        text = self.text(key)
        return None if text is None else " ".join(text.split())

    def texts(self, key: str, *, commas: bool = False) -> tuple[str, ...]:
        """A list of texts, each once; a single text is a list of one, or of several parted by commas."""
        value = self._take(key)
        if value is None:
            return ()
        if isinstance(value, list):
            items = cast("list[Any]", value)
        elif (whole := scalar_text(value)) is not None:
            items = list[Any](whole.split(",") if commas else [whole])
        else:
            return self.problem(key, f"is {_kind_of(value)} where a list of texts is meant") or ()
        kept: dict[str, None] = {}
        for number, item in enumerate(items):
            text = scalar_text(item)
            if text is None and item is not None:
                self.problem(key, f"is {_kind_of(item)} where a text is meant", item, f"{key}[{number}]")
            elif text is not None and not is_blank(text):
                kept[text.strip()] = None
        return tuple(kept)

    def flag(self, key: str) -> bool:
        """True or false (also yes and no); false when absent or unreadable."""
        value = self._take(key)
        if value is None or isinstance(value, bool):
            return bool(value)
        word = _WORDS.get(value.strip().lower()) if isinstance(value, str) else None
        if word is None:
            self.problem(key, "is neither true nor false")
        return bool(word)

    def number(self, key: str) -> float | None:
        """A finite number, also when written as text."""
        value = self._take(key)
        if value is None:
            return None
        number = as_number(value)
        return self.problem(key, "is no number") if number is None else number

    def instant(self, key: str) -> Instant | None:
        """A moment; a bare date is its first instant in the zone. None when absent or unreadable."""
        value = self._take(key)
        if value is None or (isinstance(value, str) and is_blank(value)):
            return None
        text = scalar_text(value)
        if text is None or isinstance(value, bool):
            return self.problem(key, f"is {_kind_of(value)} where a date is meant")
        try:
            return parse_instant(text.strip(), self.zone, field=key, file=self._path)
        except InvalidInput as error:
            # The message quotes the value, which a problem shows by itself.
            _, said, reason = error.message.rstrip(".").partition("cannot be read as a date")
            return self.problem(key, said + reason or error.message)

    def items(self, key: str) -> list[Any]:
        """The members of a list of anything; a single value is a list of one."""
        value = self._take(key)
        if value is None:
            return []
        return cast("list[Any]", value) if isinstance(value, list) else [value]

    def each(self, key: str, read: Callable[[FieldReader], Any]) -> tuple[Any, ...]:
        """What `read` makes of each mapping in a list; anything but a mapping is a problem."""
        made: list[Any] = []
        for number, item in enumerate(self.items(key)):
            inner = self.inside(key, item, f"{key}[{number}].")
            if inner is not None:
                made.append(read(inner))
                self.adopt(inner)
        return tuple(made)

    def inside(self, key: str, value: Any, prefix: str) -> FieldReader | None:
        """A reader for a mapping within this one."""
        if not isinstance(value, dict):
            return self.problem(key, f"is {_kind_of(value)} where named parts are meant", value, prefix.rstrip("."))
        line = self._lines.get(key, self._line)
        parts = cast("dict[str, Any]", value)
        return FieldReader(parts, path=self._path, zone=self.zone, line=line, prefix=self._prefix + prefix)

    def adopt(self, inner: FieldReader) -> None:
        """Take over the problems of a reader made by `inside`."""
        self.problems += inner.problems

    def take(self, key: str) -> Any:
        """A value as it is, counted as read."""
        return self._take(key)

    def problem(self, key: str, reason: str, value: Any = ..., named: str | None = None) -> None:
        """Report a field (under another name if `named`); its value stays in `extra`."""
        shown = self.values.get(key) if value is ... else value
        field = self._prefix + (named or key)
        self.problems.append(Problem(self._path, reason, self._lines.get(key, self._line), field, shorten(shown)))
        self._read.discard(key)

    def keep(self, *keys: str) -> None:
        """Leave fields in `extra` although they were read."""
        self._read.difference_update(keys)

    def extra(self) -> dict[str, Any]:
        """All fields that were not read, verbatim and in their order."""
        return {key: value for key, value in self.values.items() if key not in self._read}

    def _take(self, key: str) -> Any:
        self._read.add(key)
        return self.values.get(key)


def scalar_text(value: Any) -> str | None:
    """A single value as text; None for lists, mappings and nothing."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, (int, float)) else None


def as_number(value: Any) -> float | None:
    """A finite number, or None for what is none."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if abs(number) < float("inf") else None


def shorten(value: Any) -> str | None:
    """A value as a problem shows it."""
    if value is None:
        return None
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _kind_of(value: Any) -> str:
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    return "nothing" if value is None else "a single value"
