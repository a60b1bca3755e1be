"""Writing into an engram's file what its memory has become: only what differs, and read again before it counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from dataclasses import fields as dataclass_fields
from datetime import datetime, timezone, tzinfo
from typing import Any, TypeVar, cast

from memtui.cognition.encoding import encoded
from memtui.errors import InvalidInput, Refused
from memtui.model.instants import Instant, to_datetime
from memtui.model.records import Claim, Content, EncodingContext, HomophonicLink, Revival
from memtui.text.claims import parse_claim
from memtui.text.fields import FieldReader, scalar_text
from memtui.text.frontmatter import FrontMatter, split_front_matter
from memtui.text.naming import is_blank
from memtui.vault.decoding import decode
from memtui.vault.editing import text_below, texts_as_written
from memtui.vault.engram_files import BLANK_LINES, HEADING, read_engram_file
from memtui.vault.front_matter_edit import edited_front_matter, same
from memtui.vault.records import ReadRecord
from memtui.vault.source_text import Edit, SourceText, file_bytes

_T = TypeVar("_T")
_Changes = dict[str, object | None]

_WORDS = ("summary", "title", "body")
_TEXTS = ("area", "owner", "affect", "affect_reason", "superseded_by", "memory_type")
_NOT_IN_THE_FILE = ("path", "line", "links")
"""Where a record lies, and what follows from its text."""
_UNCHANGEABLE = "write it by hand, then `memtui sync` reads it"


def engram_file_text(path: str, name: str, text: str, old: Content, new: Content, zone: tzinfo) -> str:
    """The text of an engram's file that says `new`, made of the text that said `old`; `name` is its place's.

    Only the fields that differ are edited. `valid_from`, `encoding_context` and `memory_type` need not be in a file
    (the ledger stamps them): where the file is silent they are written only if `new` changes them. Before it is
    returned the text is read again: Refused, naming the field, if it does not say `new` in everything a file can
    say. `links` and `line` are the reader's: take them from the text that was written.
    """
    source = SourceText(text)
    before = _read(path, name, source.text, zone)
    said = before.content
    wanted = _wanted(said, old, new, zone)
    # A gap in which no instant lies is the ledger's way of taking an end back: no person would write it.
    gaps = tuple(gap for gap in wanted.revivals if not gap.is_empty or gap in said.revivals)
    wanted = replace(wanted, revivals=gaps)
    if _unequal(said, wanted) is None:
        return text
    first: Refused | None = None
    for words in (_words_in_place, _words_as_fields):
        result = words(path, text, said, wanted)
        if result is None:
            continue
        file_bytes(path, result)
        try:
            after = _read(path, name, decode(result.encode("utf-8")).text, zone)
        except Refused as refusal:
            first = first or refusal
            continue
        wrong = "name" if after.name != before.name else _unequal(after.content, wanted)
        if wrong is None:
            return result
        reason = f"{path}: {wrong} cannot be written into this file so that it is read as it was meant"
        value = getattr(wanted, wrong, None)
        first = first or Refused(reason, file=path, field=wrong, value=value, hint=_UNCHANGEABLE)
    assert first is not None, "the words can always be tried in place"  # noqa: S101
    raise first


def _read(path: str, name: str, text: str, zone: tzinfo) -> ReadRecord:
    """What a file says. Raises Refused with its first problem when it cannot be taken as a memory."""
    read = read_engram_file(path, name, text, zone)
    if read.refused or not read.records:
        problem = read.problems[0]
        raise Refused(
            f"{path} cannot be read as a memory: {problem}",
            file=path,
            field=problem.field,
            value=problem.value,
            hint="mend that place by hand, `memtui sync` it, then try again",
        )
    return read.records[0]


def _wanted(said: Content, old: Content, new: Content, zone: tzinfo) -> Content:
    """What the file must say: `new`, and about what it may be silent of, what it says already."""
    kept: dict[str, Any] = {field: getattr(said, field) for field in _NOT_IN_THE_FILE}
    if new.valid_from == old.valid_from and said.valid_from is None:
        kept["valid_from"] = None
    if new.encoding_context == old.encoding_context:
        kept["encoding_context"] = said.encoding_context
    if said.memory_type is None:
        stamped = encoded(replace(new, memory_type=None), at=0, zone=zone).memory_type
        if new.memory_type in (stamped, old.memory_type):
            kept["memory_type"] = None
    return replace(new, **kept)


def _unequal(content: Content, other: Content) -> str | None:
    """The first field in which two contents differ, apart from what no file states."""
    for field in dataclass_fields(Content):
        if field.name in _NOT_IN_THE_FILE:
            continue
        one, two = getattr(content, field.name), getattr(other, field.name)
        if one != two or (field.name == "extra" and not same(dict(one), dict(two))):
            return field.name
    return None


def _words_in_place(path: str, text: str, said: Content, wanted: Content) -> str:
    """Summary, title and text below changed where they stand now."""
    front = split_front_matter(SourceText(text).text)
    changes = _changes(front, said, wanted)
    as_field = _has_text(front, "summary")
    place = None if as_field else _first_paragraph(front.body)
    if as_field and said.summary != wanted.summary:
        changes["summary"] = wanted.summary
    if said.title != wanted.title and (place is None or place.heading is None or _has_text(front, "title")):
        changes["title"] = wanted.title
    source = SourceText(edited_front_matter(text, changes, path=path))
    start = len(source.text) - len(front.body)
    if place is not None:
        return source.edited([Edit(e.start + start, e.end + start, e.new) for e in place.edits(said, wanted, changes)])
    return text_below(source, front.body, wanted.body or "") if said.body != wanted.body else source.raw


def _words_as_fields(path: str, text: str, said: Content, wanted: Content) -> str | None:
    """Summary and title made fields, for those that cannot be a heading and a first paragraph.

    None where they are fields already, or where a heading would be lost that is not the title.
    """
    front = split_front_matter(SourceText(text).text)
    if _has_text(front, "summary"):
        return None
    heading = HEADING.match(front.body)
    if heading is not None and heading[1].strip() and " ".join(heading[1].split()) != said.title:
        return None
    changes = {**_changes(front, said, wanted), "summary": wanted.summary, "title": wanted.title}
    source = SourceText(edited_front_matter(text, changes, path=path))
    return text_below(source, front.body, wanted.body or "")


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """Where heading, first paragraph and the rest stand in a text below the front matter."""

    heading: tuple[int, int] | None
    """The words of a heading that says something."""
    begins: int
    """Where the heading begins, or the paragraph."""
    start: int
    end: int
    """After the paragraph's last word."""
    below: int
    """Where the rest begins; the end of the text where there is none."""
    length: int

    def edits(self, said: Content, wanted: Content, changes: _Changes) -> list[Edit]:
        edits: list[Edit] = []
        if said.title != wanted.title and "title" not in changes and self.heading is not None:
            edits.append(
                Edit(self.begins, self.start, "") if wanted.title is None else Edit(*self.heading, wanted.title)
            )
        if said.summary != wanted.summary:
            edits.append(Edit(self.start, self.end, wanted.summary or ""))
        if said.body == wanted.body:
            return edits
        if wanted.body is None:
            edits.append(Edit(self.end, self.length, "\n"))
        elif said.body is None:
            edits.append(Edit(self.end, self.length, f"\n\n{wanted.body}"))
        else:
            edits.append(Edit(self.below, self.length, wanted.body))
        return edits


def _first_paragraph(body: str) -> _Paragraph:
    head = HEADING.match(body)
    after = head.end() if head else 0
    start = len(body) - len(body[after:].lstrip())
    blank = BLANK_LINES.search(body, start)
    end = len(body[: blank.start() if blank else len(body)].rstrip())
    heading = None
    begins = start
    if head is not None:
        words = head[1].strip()
        at = head.start(1) + head[1].find(words)
        heading = (at, at + len(words)) if words else None
        begins = len(body) - len(body[head.start() :].lstrip())
    return _Paragraph(heading, begins, start, max(start, end), blank.end() if blank else len(body), len(body))


def _changes(front: FrontMatter, said: Content, wanted: Content) -> _Changes:
    """The fields to set or remove, all but the words."""
    changes: _Changes = {}
    for key in _TEXTS:
        _change(changes, key, said, wanted, lambda text: text)
    for key in ("confidence", "stability_days"):
        _change(changes, key, said, wanted, _number)
    for key in ("valid_from", "valid_to"):
        _change(changes, key, said, wanted, to_datetime)
    _change(changes, "encoding_context", said, wanted, _context)
    if said.pinned != wanted.pinned:
        changes["pinned"] = wanted.pinned if wanted.pinned or "pinned" in front.fields else None
    _change_texts(changes, "tags", front, said.tags, wanted.tags)
    _change_texts(changes, "source_refs", front, said.source_refs, wanted.source_refs)
    if said.aliases != wanted.aliases:
        written = FieldReader(front.fields, path=said.path or "", zone=timezone.utc).texts("aliases", commas=True)
        by_place = set(said.aliases).difference(written)
        _change_texts(changes, "aliases", front, said.aliases, tuple(a for a in wanted.aliases if a not in by_place))
    _change_items(changes, "claims", front, said.claims, wanted.claims, _claim)
    _change_items(changes, "revivals", front, said.revivals, wanted.revivals, _revival)
    _change_items(changes, "homophonic_links", front, said.homophonic_links, wanted.homophonic_links, _link)
    for key in dict.fromkeys((*said.extra, *wanted.extra)):
        if not same(said.extra.get(key), wanted.extra.get(key)):
            changes[key] = wanted.extra.get(key)
    return changes


def _change(changes: _Changes, key: str, said: Content, wanted: Content, written: Callable[[Any], object]) -> None:
    value = getattr(wanted, key)
    if getattr(said, key) != value:
        changes[key] = None if value is None else written(value)


def _change_texts(
    changes: _Changes, key: str, front: FrontMatter, said: tuple[str, ...], wanted: tuple[str, ...]
) -> None:
    if said != wanted:
        as_written = texts_as_written(front, key)
        changes[key] = tuple(as_written.get(text, text) for text in wanted) or None


def _change_items(
    changes: _Changes,
    key: str,
    front: FrontMatter,
    said: tuple[_T, ...],
    wanted: tuple[_T, ...],
    written: Callable[[_T], object],
) -> None:
    """A list of which each item is one value: those that stay are left as they are written."""
    if said == wanted:
        return
    raw = front.fields.get(key)
    items = cast("list[object]", raw) if isinstance(raw, list) else [raw]
    as_written = dict(zip(said, items, strict=False))
    changes[key] = [as_written[item] if item in as_written else written(item) for item in wanted] or None


def _has_text(front: FrontMatter, key: str) -> bool:
    text = scalar_text(front.fields.get(key))
    return text is not None and not is_blank(text)


def _number(value: float | str) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else value


def _claim(claim: Claim) -> object:
    """A claim as text, or as named parts where the text would not say all of it."""
    if _says(str(claim), claim):
        return str(claim)
    parts: dict[str, object | None] = {"subject": claim.subject, "predicate": claim.predicate, "object": claim.object}
    if claim.polarity != "asserts":
        parts["polarity"] = claim.polarity
    if claim.many:
        parts["many"] = True
    return _given({**parts, "valid_from": _moment(claim.valid_from), "valid_to": _moment(claim.valid_to)})


def _says(line: str, claim: Claim) -> bool:
    try:
        return parse_claim(line) == claim
    except InvalidInput:
        return False  # signs in its parts are taken for the grammar's


def _revival(gap: Revival) -> object:
    return _given(
        {
            "valid_to": _moment(gap.valid_to),
            "revived_at": _moment(gap.revived_at),
            "superseded_by": gap.superseded_by,
            "revived_by": gap.revived_by,
        }
    )


def _link(link: HomophonicLink) -> object:
    if link == HomophonicLink(link.target_name):
        return link.target_name
    parts = {"target_name": link.target_name, "resonance_score": _number(link.resonance_score), "basis": link.basis}
    return _given(parts)


def _context(context: EncodingContext) -> object:
    return _given(
        {
            "area": context.area,
            "co_topics": context.co_topics or None,
            "source_refs": context.source_refs or None,
            "affect": context.affect,
            "time_of_day": context.time_of_day,
            "created_at": _moment(context.created_at),
        }
    )


def _given(parts: dict[str, Any]) -> dict[str, object]:
    return {key: value for key, value in parts.items() if value is not None}


def _moment(instant: Instant | None) -> datetime | None:
    return None if instant is None else to_datetime(instant)
