"""Adding an entry to a change log: one more member of its list, written as its neighbours are."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timezone
from itertools import pairwise
from typing import Any, cast

from memtui.errors import InvalidInput, Refused
from memtui.text.dates import parse_instant
from memtui.vault.changelog_places import ENTRIES, EntryList, find_entries
from memtui.vault.source_text import BYTE_ORDER_MARK

CHANGELOG = "CHANGELOG.json"
_MEMBER = re.compile(r"\r?\n([ \t]*)\"")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_TIGHT_COLON = re.compile(r":\S")
_TIGHT_COMMA = re.compile(r",\S")
_SPREAD = re.compile(r"[\[{]\s*\n\s*[^\s\"]|:\s?[\[{][ \t]*\r?\n")
_WAY_OUT = 'make it a list of entries, [{…}, …] or {"entries": [{…}, …]}, then try again'


def with_entry(
    text: str | None, entry: Mapping[str, object], *, newest_first: bool | None = None, path: str = CHANGELOG
) -> str:
    """A change log's text with one more entry; every other character is kept.

    The entry goes first in a log that runs newest first (told by `newest_first`, else by its entries' dates), last in
    any other. None or a blank text begins a new log. Raises Refused, naming the file and the way out, for a text
    that holds no list of entries and for an entry that JSON cannot hold.
    """
    said = _as_json(entry, path)
    if text is None or not text.strip(" \t\r\n" + BYTE_ORDER_MARK):
        mark = BYTE_ORDER_MARK if text and text.startswith(BYTE_ORDER_MARK) else ""
        return f"{mark}[\n  {_Manner().written(said, '  ')}\n]\n"
    mark, plain = (BYTE_ORDER_MARK, text[1:]) if text.startswith(BYTE_ORDER_MARK) else ("", text)
    document = _parsed(plain, path)
    places = find_entries(plain)
    if places is None:
        raise Refused(f"{path} holds no list of entries, so none was added", file=path, hint=_WAY_OUT)
    first = _runs_newest_first(plain, places) if newest_first is None else newest_first
    result = _inserted(plain, places, said, first=first)
    _check(document, result, said, first=first, path=path)
    return mark + result


def _as_json(entry: Mapping[str, object], path: str) -> dict[str, Any]:
    try:
        said = json.loads(json.dumps(dict(entry), allow_nan=False))
        json.dumps(said, ensure_ascii=False).encode("utf-8")
    except (TypeError, ValueError, RecursionError) as error:
        raise Refused(
            f"{path}: the entry cannot be written as JSON ({error})", file=path, hint="send plain text"
        ) from None
    return cast("dict[str, Any]", said)


def _parsed(text: str, path: str) -> Any:
    """The document, mappings as lists of pairs: a key that is written twice is twice there."""
    try:
        return json.loads(
            text, object_pairs_hook=_pairs, parse_int=_number, parse_float=_number, parse_constant=_number
        )
    except json.JSONDecodeError as error:
        raise Refused(
            f"{path} is not valid JSON: {error.msg} (line {error.lineno}, column {error.colno}); no entry was added",
            file=path,
            hint="mend that place by hand, then try again",
        ) from None
    except RecursionError:
        raise Refused(f"{path} is nested too deeply; no entry was added", file=path, hint=_WAY_OUT) from None


def _pairs(pairs: list[tuple[str, Any]]) -> tuple[str, list[tuple[str, Any]]]:
    return "mapping", pairs


def _number(digits: str) -> tuple[str, str]:
    return "number", digits


def _runs_newest_first(text: str, places: EntryList) -> bool:
    """Whether more dates fall than rise from one entry to the next."""
    entries = [json.loads(text[start:end], parse_int=_number) for start, end in places.entries]
    dates = [date for entry in entries if (date := _date(entry)) is not None]
    falls = sum(before > after for before, after in pairwise(dates))
    return falls > sum(before < after for before, after in pairwise(dates))


def _date(entry: Any) -> int | None:
    written = cast("dict[str, Any]", entry).get("date") if isinstance(entry, dict) else None
    if not isinstance(written, str):
        return None
    try:
        return parse_instant(written, timezone.utc)
    except InvalidInput:
        return None  # sync reports it; here it only says nothing about the order


def _inserted(text: str, places: EntryList, entry: dict[str, Any], *, first: bool) -> str:
    if not places.entries:
        return _into_empty(text, places, entry)
    spans = places.entries
    near = spans[0] if first else spans[-1]
    manner = _Manner.of(text, near, text[spans[0][0] : spans[-1][1]])
    written = manner.written(entry, _indent_at(text, near[0]))
    opening = text[places.start + 1 : spans[0][0]]
    only = opening if "\n" in opening else manner.comma[1:]
    if first:
        gap = _gap(text, spans[0][1], spans[1][0]) if len(spans) > 1 else only
        return text[: near[0]] + written + "," + gap + text[near[0] :]
    gap = _gap(text, spans[-2][1], near[0]) if len(spans) > 1 else only
    return text[: near[1]] + "," + gap + written + text[near[1] :]


def _gap(text: str, start: int, end: int) -> str:
    """The blanks after the comma between two entries."""
    return text[start:end].split(",", 1)[1]


def _into_empty(text: str, places: EntryList, entry: dict[str, Any]) -> str:
    line_end = "\r\n" if "\r\n" in text else "\n"
    own = _indent_at(text, places.start)
    manner = _Manner(line_end, own or "  ", escaped=text.isascii() and "\\u" in text)
    margin = own + manner.step
    inside = f"{line_end}{margin}{manner.written(entry, margin)}{line_end}{own}"
    return text[: places.start + 1] + inside + text[places.end :]


def _indent_at(text: str, offset: int) -> str:
    """The blanks that begin the line of a character."""
    line = text[max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1 : offset + 1]
    return line[: len(line) - len(line.lstrip(" \t"))]


@dataclass(frozen=True, slots=True)
class _Manner:
    """How the entries of a log are written."""

    line_end: str = "\n"
    """Empty where an entry stands on one line."""
    step: str = "  "
    """What its fields are indented by, from the entry's own indent."""
    escaped: bool = False
    """Letters outside ASCII are written as escapes."""
    spread: bool = False
    """Lists within an entry have a line for each member."""
    colon: str = ": "
    comma: str = ", "

    @classmethod
    def of(cls, text: str, span: tuple[int, int], entries: str) -> _Manner:
        """The manner of the entry that stands there, and in what it does not show that of all the entries."""
        written = text[slice(*span)]
        member = _MEMBER.search(written)
        bare = _QUOTED.sub('""', entries)
        colon = ":" if _TIGHT_COLON.search(bare) else ": "
        tight = _TIGHT_COMMA.search(bare) or (colon == ":" and ", " not in bare)
        return cls(
            line_end="" if member is None else ("\r\n" if "\r\n" in written else "\n"),
            step=member[1].removeprefix(_indent_at(text, span[0])) if member else "",
            escaped=text.isascii() and "\\u" in text,
            spread=_SPREAD.search(bare) is not None,
            colon=colon,
            comma="," if tight else ", ",
        )

    def written(self, entry: Mapping[str, Any], margin: str) -> str:
        """An entry whose first line stands at `margin`."""
        if not self.line_end:
            return self._value(entry, "")
        inner = self.line_end + margin + self.step
        parts = (f"{self._value(key, '')}{self.colon}{self._value(part, inner)}" for key, part in entry.items())
        return "{" + ",".join(inner + part for part in parts) + self.line_end + margin + "}"

    def _value(self, value: object, inner: str) -> str:
        ascii_only = self.escaped
        if not (self.spread and inner and isinstance(value, (list, dict)) and value):
            return json.dumps(value, ensure_ascii=ascii_only, separators=(self.comma, self.colon))
        lines = json.dumps(value, ensure_ascii=ascii_only, indent=self.step or 1, separators=(",", self.colon))
        return lines.replace("\n", inner)


def _check(document: Any, result: str, entry: dict[str, Any], *, first: bool, path: str) -> None:
    """Whether the result holds the old entries and the new one, and nothing else. Raises Refused."""
    wanted = _parsed(json.dumps(entry), path)
    after = _parsed(result, path)
    entries, old = _entries_of(after), _entries_of(document)
    if entries == ([wanted, *old] if first and old else [*old, wanted]):
        entries[:] = old
        if after == document:
            return
    raise Refused(f"{path} could not be added to without changing the rest of it", file=path, hint=_WAY_OUT)


def _entries_of(document: Any) -> list[Any]:
    """The list itself, not a copy, of a document as `_parsed` gives it."""
    if isinstance(document, list):
        return cast("list[Any]", document)
    return [value for key, value in document[1] if key == ENTRIES][-1]
