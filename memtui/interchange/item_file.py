"""Items to import: memories as others wrote them, one JSON mapping a line, or in one JSON list.

An item that cannot be taken is a problem naming its line, and the others go on. A minimal one is
`{"summary": …}`; fields that are no memory's are kept under `extra`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import tzinfo
from typing import Any, cast

from memtui.interchange.ledger_file import LedgerFile
from memtui.interchange.strict_json import Flaw, StrictJson, Unreadable, printable, text_lines
from memtui.model.documents import instant_as_json
from memtui.model.instants import Instant
from memtui.model.normal_forms import nfkc
from memtui.model.problems import Problem
from memtui.model.records import BASE, KINDS, MEMORY_KINDS, PERSONAL_PREFIX, WORKSPACE, Content, RecordKey
from memtui.model.versions import Version
from memtui.text import memory_fields as read
from memtui.text.fields import FieldReader, shorten

DEEPEST = 64
"""Levels of lists and mappings an item may have."""
LONGEST_ITEM = 16 * 1024 * 1024
"""Bytes of the longest line: several times what the longest texts of a memory take."""
_SHORTER = "put each item on a line of its own, and a long text into a file of the vault"
_OF_A_LIST = "of a broken list no item is taken"
_NO_FIELDS = "is no mapping with named fields"
_BLANKS = " \t\n\r"


@dataclass(frozen=True, slots=True)
class ImportItem:
    """One memory that is to be imported; its partition, stamp and history are the importer's business."""

    kind: str
    name: str | None
    """None where the item has no name: it gets one from its summary."""
    content: Content
    reference: Instant | None = None
    """Since when it was true, where `valid_from` is silent and the item tells."""
    line: int | None = None
    """The line of the file on which it begins, counted from 1."""
    scope: str | None = None
    """The partition the item says it is of."""


@dataclass(frozen=True, slots=True)
class Items:
    """What a file of items gives, in its order: the good ones, and what was wrong with the others."""

    items: tuple[ImportItem, ...] = ()
    problems: tuple[Problem, ...] = ()


def refusal(kind: str, scope: str | None, own: str) -> tuple[str, str] | None:
    """(field, reason) if items of a kind or of a partition must not get into the partition `own`, else None."""
    if scope is not None and _folded(scope).startswith(PERSONAL_PREFIX) and scope != own:
        return "scope", "is a person's own partition: only that person may import it, with --personal"
    if kind in MEMORY_KINDS:
        return None
    if kind in KINDS:
        return "kind", "is a document's: a document comes with its file, put it into the vault and sync"
    return "kind", f"is unknown; it can be {', '.join(k for k in KINDS if k in MEMORY_KINDS)}"


def read_items(lines: Iterable[str | bytes], zone: tzinfo, *, path: str, own: str = WORKSPACE) -> Items:
    """The items of a file: JSON lines, one JSON list, or one JSON mapping; never raises for what it holds.

    `lines` are text, or bytes as a file opened in binary gives them; dates without a zone are taken in `zone`;
    `path` is how problems name the file, `own` the partition the items are meant for.
    """
    reader = _ItemReader(path, zone, own)
    numbered = list(text_lines(lines, LONGEST_ITEM, _SHORTER))
    filled = [(line, text) for line, text in numbered if isinstance(text, Unreadable) or text.strip(_BLANKS)]
    first = filled[0][1] if filled else ""
    if isinstance(first, str) and first.strip(_BLANKS)[:1] in ("[", "{") and (len(filled) == 1 or not _is_json(first)):
        readable = not any(isinstance(text, Unreadable) for _, text in filled)
        whole = "\n".join("" if isinstance(text, Unreadable) else text for _, text in numbered)
        if first.strip(_BLANKS)[0] == "[":
            reader.take_list(whole) if readable else reader.refuse_list(filled)
            return reader.result()
        if readable and (first.strip(_BLANKS) == "{" or _is_json(whole)):
            reader.take_text(filled[0][0], whole)
            return reader.result()
    for line, text in filled:
        reader.take_text(line, text)
    return reader.result()


def ledger_as_items(ledger: LedgerFile) -> Iterator[ImportItem]:
    """The last content of each record of a ledger file, to be imported where other versions are already.

    The old stamps are kept under `extra.origin`, with the file a record came from, for that file is not here;
    what an earlier import kept there moves into it. Kinds and partitions are as in the ledger: see `refusal`.
    """
    last: dict[RecordKey, Version] = {}
    lines: dict[RecordKey, int] = {}
    for version, line in zip(ledger.versions, ledger.lines, strict=False):  # recalls' come after
        last[version.key], lines[version.key] = version, line
    for key, version in last.items():
        content = version.content
        origin: dict[str, Any] = {
            "partition": key.partition,
            "seq": version.seq,
            "recorded_at": instant_as_json(version.recorded_at),
            "operation": version.operation,
            "actor": version.actor,
        }
        if content.path is not None:
            origin["path"] = content.path
        if "origin" in content.extra:
            origin["origin"] = content.extra["origin"]
        moved = replace(content, path=None, line=None, extra={**content.extra, "origin": origin})
        yield ImportItem(key.kind, key.name, moved, line=lines[key], scope=key.partition)


class _ItemReader:
    """Takes values one by one and gathers items and problems."""

    def __init__(self, path: str, zone: tzinfo, own: str) -> None:
        self._path, self._zone, self._own = path, zone, own
        self._json = StrictJson(refuse_nul=True, deepest=DEEPEST)
        self._items: list[ImportItem] = []
        self._problems: list[Problem] = []

    def result(self) -> Items:
        """Everything that was taken, and the problems."""
        return Items(tuple(self._items), tuple(self._problems))

    def take_text(self, line: int, text: str | Unreadable) -> None:
        """The item that is a text of its own, beginning on a line."""
        if isinstance(text, Unreadable):
            self._problem(text.reason, line)
            return
        try:
            value = self._json.decode(text.strip(_BLANKS))
        except json.JSONDecodeError as error:
            self._problem(f"is not JSON: {error.msg} (column {error.colno})", line + error.lineno - 1, value=text)
        except RecursionError:
            self._problem("is nested too deeply", line, value=text)
        else:
            self._take(line, value, self._json.flaws)

    def take_list(self, text: str) -> None:
        """The items of a JSON list that is the whole text; none of them where it is broken."""
        found: list[tuple[int, Any, list[Flaw]]] = []
        at, line, counted = _past(text, text.index("[") + 1), 1, 0
        try:
            closed = text[at : at + 1] == "]"
            while not closed:
                line, counted = line + text.count("\n", counted, at), at
                value, at = self._json.decode_at(text, at)
                found.append((line, value, self._json.flaws))
                at = _past(text, at)
                closed = text[at : at + 1] == "]"
                if not closed and text[at : at + 1] != ",":
                    raise json.JSONDecodeError("Expecting ',' or ']'", text, at)
                at = at if closed else _past(text, at + 1)
            if _past(text, at + 1) != len(text):
                raise json.JSONDecodeError("Extra data after the list", text, _past(text, at + 1))
        except json.JSONDecodeError as error:
            near = text[max(error.pos - error.colno + 1, error.pos - 60) : error.pos + 60].split("\n", 1)[0]
            reason = f"is not JSON: {error.msg} (column {error.colno}); {_OF_A_LIST}"
            self._problem(reason, error.lineno, value=near.strip() or None)
        except RecursionError:
            self._problem(f"is nested too deeply; {_OF_A_LIST}", line)
        else:
            for line, value, flaws in found:
                self._take(line, value, flaws)

    def refuse_list(self, lines: Iterable[tuple[int, str | Unreadable]]) -> None:
        """Say why a list is not read that has lines without a text."""
        for line, text in lines:
            if isinstance(text, Unreadable):
                self._problem(f"{text.reason}; {_OF_A_LIST}", line)

    def _take(self, line: int, value: Any, flaws: list[Flaw]) -> None:
        for flaw in flaws:
            self._problem(flaw.reason, line, flaw.field, flaw.value)
        if flaws:
            return
        if not isinstance(value, dict):
            self._problem(_NO_FIELDS, line, value=value)
            return
        fields = FieldReader(cast("dict[str, Any]", value), path=self._path, zone=self._zone, line=line)
        item = self._read(fields, line)
        self._problems += fields.problems
        if item is not None and not fields.problems:
            self._items.append(item)

    def _read(self, fields: FieldReader, line: int) -> ImportItem | None:
        kind = fields.text("kind") or "engram"
        for key in ("scope", "partition"):
            scope = fields.values.get(key)
            refused = refusal(kind, scope if isinstance(scope, str) else None, self._own)
            if refused is not None:
                fields.problem(key if refused[0] == "scope" else refused[0], refused[1])
                return None
        scope = _scope(fields)
        name = read.read_name(fields, "name", "id")
        revivals = read.read_revivals(fields)
        start, end, reference = read.read_window(fields, revivals)
        content = Content(
            summary=read.read_summary(fields, "summary", "text"),
            title=read.read_line(fields, "title"),
            body=read.read_verbatim(fields, "body"),
            area=read.read_line(fields, "area"),
            tags=read.read_tags(fields),
            source_refs=fields.texts("source_refs"),
            aliases=tuple(alias for alias in fields.texts("aliases", commas=True) if alias != name),
            owner=read.read_line(fields, "owner"),
            confidence=read.read_confidence(fields),
            pinned=fields.flag("pinned"),
            valid_from=start,
            valid_to=end,
            superseded_by=read.read_line(fields, "superseded_by"),
            revivals=revivals,
            claims=read.read_claims(fields, self._path),
            **self._of_kind(kind, fields),
        )
        return ImportItem(kind, name, replace(content, extra=_extra(fields)), reference, line, scope)

    def _of_kind(self, kind: str, fields: FieldReader) -> dict[str, Any]:
        """The fields that only memories of one kind have."""
        if kind == "research":
            return {"findings": read.read_findings(fields)}
        if kind == "evidence":
            told = len(fields.problems)
            rating, sources = read.read_rating(fields), fields.texts("source_refs")
            if rating is None and len(fields.problems) == told:
                fields.problem("rating", "is missing: evidence needs a rating")
            if not sources and len(fields.problems) == told:
                fields.problem("source_refs", "is missing: evidence needs at least one source, such as commit:…")
            return {
                "rating": rating,
                "supports": fields.texts("supports"),
                "refutes": fields.texts("refutes"),
            }
        return {
            "affect": read.read_line(fields, "affect"),
            "affect_reason": read.read_affect_reason(fields),
            "stability_days": read.read_stability(fields),
            "memory_type": read.read_line(fields, "memory_type"),
            "encoding_context": read.read_encoding_context(fields),
            "homophonic_links": read.read_homophonic_links(fields),
        }

    def _problem(self, reason: str, line: int, field: str | None = None, value: Any = None) -> None:
        shown = shorten(value)
        named = printable(field) if field else None
        self._problems.append(Problem(self._path, reason, line, named, None if shown is None else printable(shown)))


def _scope(fields: FieldReader) -> str | None:
    """The partition the item says it is of; any other word it has for it is an unknown field and stays."""
    found: str | None = None
    for key in ("scope", "partition"):
        value = fields.values.get(key)
        if isinstance(value, str) and (value in (WORKSPACE, BASE) or value.startswith((PERSONAL_PREFIX, "workspace:"))):
            found = found or fields.text(key)
    return found


def _extra(fields: FieldReader) -> dict[str, Any]:
    """All that is no memory's field. A field `extra` that holds named parts gives them back to where they were."""
    unknown = fields.extra()
    given = unknown.get("extra")
    if not isinstance(given, dict):
        return unknown
    parts = cast("dict[str, Any]", given)
    rest = {key: value for key, value in unknown.items() if key != "extra"}
    return unknown if parts.keys() & rest.keys() else {**parts, **rest}


def _folded(scope: str) -> str:
    return nfkc(scope).strip().casefold()


def _is_json(text: str) -> bool:
    """Whether a text is one whole JSON value."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _past(text: str, at: int) -> int:
    """The next place that is no blank."""
    while text[at : at + 1] and text[at] in _BLANKS:
        at += 1
    return at
