"""The change log: `CHANGELOG.json`, one record for each entry."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from datetime import tzinfo
from typing import Any, TypeAlias, cast

from memtui.errors import InvalidInput
from memtui.model.problems import Problem
from memtui.model.records import Content
from memtui.text.fields import FieldReader, scalar_text, shorten
from memtui.text.naming import check_name, clean_text
from memtui.vault.changelog_places import ENTRIES, find_entries
from memtui.vault.records import ReadFile, ReadRecord

_DIGITS_OF_A_NUMBER = 18
_DEEPEST = 64
_OUTSIDE = -1
_Repeat: TypeAlias = tuple[str, Any]
"""A field that was written again further on, and the value it had here."""


def read_changelog(path: str, text: str, zone: tzinfo) -> ReadFile:
    """The entries of a change log, in the order they stand: a list, or `{"entries": [...]}`.

    A file that is no JSON is refused whole, with one problem that says where; a malformed entry is a
    problem that names its place in the list and its field, and the others are read.
    """
    if not text.strip():
        return ReadFile()
    try:
        document, mended, repeats = _parse(text)
    except json.JSONDecodeError as error:
        reason = f"is not valid JSON: {error.msg} (column {error.colno}); no entry could be read"
        line_start = error.pos - error.colno + 1
        value = text[max(line_start, error.pos - 60) : error.pos + 60].split("\n", 1)[0].strip()
        return _refused(Problem(path, reason, error.lineno, value=value or None))
    except RecursionError:
        return _refused(Problem(path, "is nested too deeply; no entry could be read"))
    entries = _entries_of(document)
    if not isinstance(entries, list):
        reason = 'holds no list of entries: a list, or {"entries": [...]}, was expected; no entry could be read'
        return _refused(Problem(path, reason, 1, value=shorten(document)))
    reader = _Entries(path, zone)
    if mended:
        reader.problems.append(Problem(path, f"holds NUL or half characters in {mended} texts; they were replaced"))
    items = cast("list[Any]", entries)
    lines = _lines_of_entries(text, len(items))
    reader.tell_repeats(repeats.get(_OUTSIDE, ()), 1)
    for index, entry in enumerate(items):
        line = lines[index] if lines else None
        reader.tell_repeats(repeats.get(index, ()), line)
        reader.read(index, entry, line)
    return ReadFile(tuple(reader.records), tuple(reader.problems))


def entry_id(date: str, scope: str, text: str) -> str:
    """The name of an entry that has no id: stable when others are added or moved."""
    return hashlib.sha256("\0".join((date, scope, text)).encode("utf-8", "replace")).hexdigest()[:12]


class _Entries:
    """Reads entries one by one and remembers whose name is taken."""

    def __init__(self, path: str, zone: tzinfo) -> None:
        self.path, self.zone = path, zone
        self.records: list[ReadRecord] = []
        self.problems: list[Problem] = []
        self._owners: dict[str, int] = {}

    def tell_repeats(self, repeats: Iterable[_Repeat], line: int | None) -> None:
        """Report fields written more than once; the values that do not count are lost but for this."""
        for field, lost in repeats:
            reason = "is written more than once; the last value counts, this one was left out"
            self.problems.append(Problem(self.path, reason, line, field, shorten(_Mender().mend(lost)) or "null"))

    def read(self, index: int, entry: Any, line: int | None) -> None:
        place = f"{ENTRIES}[{index}]"
        if not isinstance(entry, dict):
            self.problems.append(Problem(self.path, "is no entry with named fields", line, place, shorten(entry)))
            return
        values = cast("dict[str, Any]", entry)
        fields = FieldReader(values, path=self.path, zone=self.zone, line=line, prefix=place + ".")
        self._read(index, fields, line)
        self.problems += fields.problems

    def _read(self, index: int, fields: FieldReader, line: int | None) -> None:
        values = fields.values
        description = fields.text("description")
        if description is None and values.get("text") is not None:
            fields.problem("description", "is missing; `text` was read in its place")
            description = fields.text("text")
        summary = fields.line_of_text("summary")
        if description is None and summary is None:
            fields.problem("description", "is missing, and so is `summary`: there is nothing to read")
            return
        for key in ("date", "type", "scope"):
            if values.get(key) is None:
                fields.problem(key, "is missing")
        date = fields.instant("date")
        kind, scope = fields.line_of_text("type"), fields.line_of_text("scope")
        said = description or summary or ""
        hashed = entry_id(scalar_text(values.get("date")) or "", scope or "", said)
        name = self._name(index, fields, hashed)
        if name is None:
            return
        content = Content(
            summary=summary,
            title=summary or said.split("\n", 1)[0].strip(),
            body=description,
            tags=tuple(dict.fromkeys(part for part in (kind, scope) if part)),
            source_refs=fields.texts("references"),
            path=self.path,
            line=line,
            doc_type=kind,
            dated=date,
            supersedes=self._supersedes(fields),
            extra=fields.extra(),
        )
        self.records.append(ReadRecord("changelog", name, content, date))

    def _name(self, index: int, fields: FieldReader, hashed: str) -> str | None:
        """The entry's id, else the hash; None for one that repeats an entry word for word."""
        name = fields.text("id")
        if name is not None:
            try:
                name = check_name(name)
            except InvalidInput as error:
                fields.problem("id", f"cannot be a name ({error.message}); {hashed} stands in for it")
                name = None
        if name is not None and name in self._owners:
            other = f"{ENTRIES}[{self._owners[name]}]"
            fields.problem("id", f"is also the id of {other}; this entry is called {hashed}")
            name = None
        if name is None:
            name = hashed
            if name in self._owners:
                other = f"{ENTRIES}[{self._owners[name]}]"
                fields.problem("description", f"repeats {other} word for word; it was read once")
                return None
        self._owners[name] = index
        return name

    def _supersedes(self, fields: FieldReader) -> str | None:
        replaced = fields.texts("supersedes")
        if len(replaced) > 1:
            fields.problem("supersedes", "names more than one entry; none was taken")
            return None
        return replaced[0] if replaced else None


def _entries_of(document: Any) -> Any:
    return cast("dict[str, Any]", document).get(ENTRIES) if isinstance(document, dict) else document


def _parse(text: str) -> tuple[Any, int, dict[int, list[_Repeat]]]:
    """The document, how many texts of it held what is no character, and what it says twice, by entry.

    Raises RecursionError.
    """
    repeats = _Repeats()
    # NaN, Infinity and numbers beyond 64 bits have no place in JSON that others must read again.
    document = json.loads(
        text,
        parse_constant=str,
        parse_int=_whole_number,
        parse_float=_fraction,
        object_pairs_hook=repeats.mapping,
    )
    if _is_deeper(document, _DEEPEST):
        raise RecursionError
    told = repeats.by_entry(document)
    mender = _Mender()
    return (mender.mend(document) if "\\u" in text else document), mender.mended, told


class _Repeats:
    """Keys written twice in one mapping: as everywhere in JSON the last counts, but the loss is told."""

    def __init__(self) -> None:
        # By identity; the mapping is kept beside it so that no other can get the same one.
        self._lost: dict[int, tuple[dict[str, Any], list[_Repeat]]] = {}

    def mapping(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            lost: list[_Repeat] = []
            seen: dict[str, Any] = {}
            for key, value in pairs:
                if key in seen:
                    lost.append((key, seen[key]))
                seen[key] = value
            self._lost[id(made)] = (made, lost)
        return made

    def by_entry(self, document: Any) -> dict[int, list[_Repeat]]:
        """(field, lost value) of every repeat, by the place of its entry in the list, else `_OUTSIDE`."""
        if not self._lost:
            return {}
        entries = _entries_of(document)
        members = cast("list[Any]", entries) if isinstance(entries, list) else []
        found = {index: list(self._within(entry, f"{ENTRIES}[{index}]")) for index, entry in enumerate(members)}
        if isinstance(document, dict):
            around = self._own(document, "")
            for key, item in cast("dict[str, Any]", document).items():
                around += self._within(item, key) if key != ENTRIES else ()
            found[_OUTSIDE] = around
        return found

    def _within(self, value: Any, place: str) -> Iterator[_Repeat]:
        if isinstance(value, dict):
            yield from self._own(value, place + ".")
            for key, item in cast("dict[str, Any]", value).items():
                yield from self._within(item, f"{place}.{key}")
        elif isinstance(value, list):
            for number, item in enumerate(cast("list[Any]", value)):
                yield from self._within(item, f"{place}[{number}]")

    def _own(self, mapping: Any, prefix: str) -> list[_Repeat]:
        known = self._lost.get(id(mapping))
        return [(prefix + key, value) for key, value in known[1]] if known else []


def _is_deeper(value: Any, levels: int) -> bool:
    level: list[Any] = [value]
    for _ in range(levels):
        lists = [cast("list[Any]", item) for item in level if isinstance(item, list)]
        mappings = [cast("dict[str, Any]", item) for item in level if isinstance(item, dict)]
        level = [member for item in lists for member in item] + [m for item in mappings for m in item.values()]
        if not level:
            return False
    return True


def _whole_number(digits: str) -> int | str:
    return int(digits) if len(digits) <= _DIGITS_OF_A_NUMBER else digits


def _fraction(digits: str) -> float | str:
    number = float(digits)
    return number if abs(number) < float("inf") else digits


class _Mender:
    """Takes out what an escape can write and no store can keep: half of a character, and NUL."""

    def __init__(self) -> None:
        self.mended = 0

    def mend(self, value: Any) -> Any:
        if isinstance(value, str):
            return value if value.isprintable() else self._mend_text(value)
        if isinstance(value, list):
            return [self.mend(item) for item in cast("list[Any]", value)]
        if isinstance(value, dict):
            return {self.mend(key): self.mend(item) for key, item in cast("dict[str, Any]", value).items()}
        return value

    def _mend_text(self, text: str) -> str:
        whole, _ = clean_text(text.replace("\0", " "))
        self.mended += whole != text
        return whole


def _refused(problem: Problem) -> ReadFile:
    return ReadFile(problems=(problem,), refused=True)


def _lines_of_entries(text: str, count: int) -> list[int]:
    """The line each entry begins on; empty where it cannot be told cheaply."""
    places = find_entries(text)
    lines: list[int] = []
    line, counted = 1, 0
    for offset, _ in places.entries if places is not None else ():
        line += text.count("\n", counted, offset)
        counted = offset
        lines.append(line)
    return lines if len(lines) == count else []
