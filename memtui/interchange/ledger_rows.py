"""The lines of a ledger file as rows whose fields are typed: the first one that is not raises InvalidInput."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn, cast

from memtui.errors import InvalidInput
from memtui.interchange.strict_json import StrictJson, Unreadable, printable, text_lines
from memtui.model.documents import content_from_json, instant_from_json
from memtui.model.instants import Instant
from memtui.model.records import KINDS, Content, RecordKey

_HINT = "a ledger is taken as a whole or not at all: nothing of it was"
_SHOWN = 120
LONGEST_ENTRY = 128 * 1024 * 1024
"""Bytes of the longest line: four times the largest file of a vault, as its letters may be written in escapes."""


class LedgerRows:
    """The mappings of a file's lines, one after the other; blank lines are passed over."""

    def __init__(self, lines: Iterable[str | bytes], path: str | None) -> None:
        self.path = path
        self.line = 0
        self._lines = text_lines(lines, LONGEST_ENTRY, "export the ledger anew")
        self._json = StrictJson()

    def __iter__(self) -> Iterator[LedgerRow]:
        for number, text in self._lines:
            self.line = number
            if isinstance(text, Unreadable):
                self.refuse(text.reason)
            if text.strip():
                yield LedgerRow(self, number, self._object(text))

    def _object(self, text: str) -> dict[str, Any]:
        try:
            value = self._json.decode(text)
        except json.JSONDecodeError as error:
            last = next(self._lines, None) is None
            cut = "; it is the last line, so the file may have been cut short" if last else ""
            self.refuse(f"is not JSON: {error.msg} (column {error.colno}){cut}", value=text[-_SHOWN:])
        except RecursionError:
            self.refuse("is nested too deeply", value=text[:_SHOWN])
        for flaw in self._json.flaws:
            self.refuse(f"{flaw.field} {flaw.reason}".strip(), flaw.field or None, flaw.value)
        if not isinstance(value, dict):
            self.refuse("is no mapping of named parts", value=text[:_SHOWN])
        return cast("dict[str, Any]", value)

    def refuse(
        self,
        reason: str,
        field: str | None = None,
        value: object = None,
        choices: Sequence[str] = (),
        line: int | None = None,
        hint: str = _HINT,
    ) -> NoReturn:
        """Raise InvalidInput for a line, the present one by default."""
        shown = None if value is None else printable(value if isinstance(value, str) else repr(value))[:_SHOWN]
        said = printable(f"line {line or self.line} {reason}")
        raise InvalidInput(
            said if shown is None else f"{said}: {shown!r}",
            file=self.path,
            field=None if field is None else printable(field),
            value=shown,
            hint=hint,
            choices=choices,
        )


class LedgerRow:
    """One line's mapping, read field by field; whatever is missing or of another type is refused."""

    def __init__(self, rows: LedgerRows, line: int, values: Mapping[str, Any], within: str = "") -> None:
        self._rows, self.line, self._values = rows, line, values
        self._within = within
        """What precedes the names of fields: the part of the line this is."""

    def refuse(self, field: str, reason: str, value: object = None, choices: Sequence[str] = ()) -> NoReturn:
        """Raise InvalidInput for a field of this line."""
        self._rows.refuse(f"{self._within}{field} {reason}", f"{self._within}{field}", value, choices, self.line)

    def only(self, fields: Sequence[str]) -> None:
        """Refuse a field that would be lost."""
        for name in self._values:
            if name not in fields:
                self.refuse(name, "is unknown here", self._values[name], fields)

    def get(self, field: str) -> Any:
        """A value of any type, or None."""
        return self._values.get(field)

    def value(self, field: str) -> Any:
        """A value that must be there."""
        if field not in self._values:
            self.refuse(field, "is missing")
        return self._values[field]

    def part(self, field: str, value: object) -> LedgerRow:
        """A part of the line that has fields of its own."""
        if not isinstance(value, dict):
            self.refuse(field, "is no mapping of named parts", value)
        return LedgerRow(self._rows, self.line, cast("dict[str, Any]", value), f"{self._within}{field}.")

    def parts(self, field: str) -> list[LedgerRow]:
        """The same of each item of a list."""
        value = self.value(field)
        if not isinstance(value, list):
            self.refuse(field, "is no list", value)
        return [self.part(f"{field}[{place}]", item) for place, item in enumerate(cast("list[object]", value))]

    def text(self, field: str, *, choices: Sequence[str] = (), blank: bool = False) -> str:
        """A text, one of the choices if there are any; not blank unless that is allowed."""
        value = self.value(field)
        if not isinstance(value, str) or not (blank or value.strip()):
            self.refuse(field, "is no text", value, choices)
        if choices and value not in choices:
            self.refuse(field, "is unknown", value, choices)
        return value

    def count(self, field: str) -> int:
        """A whole number from 1."""
        value = self.value(field)
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value < 2**63:
            self.refuse(field, "is no number counted from 1", value)
        return value

    def flag(self, field: str) -> bool:
        """True or false."""
        value = self.value(field)
        if not isinstance(value, bool):
            self.refuse(field, "is neither true nor false", value)
        return value

    def instant(self, field: str) -> Instant:
        """An instant as `instant_as_json` writes it."""
        try:
            return instant_from_json(self.value(field), field)
        except InvalidInput as error:
            self._rows.refuse(error.message, error.field, line=self.line)

    def content(self, field: str) -> Content:
        """A content as `content_as_json` writes it, but for the line its text lies on."""
        try:
            content = content_from_json(self.value(field), field)
        except InvalidInput as error:
            self._rows.refuse(error.message, error.field, choices=error.choices, line=self.line)
        return replace(content, line=None)

    def key(self) -> RecordKey:
        """The record the line is about."""
        return RecordKey(self.text("partition"), self.text("kind", choices=KINDS), self.text("name"))

    def named(self, field: str, partitions: Sequence[str]) -> str:
        """A partition that the header names."""
        partition = self.text(field)
        if partition not in partitions:
            self.refuse(field, "is none of the partitions the header names", partition, partitions)
        return partition
