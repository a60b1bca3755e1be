"""Engrams kept as files: `engrams/**/*.md`, all fields in front matter, the text below it.

Such a file is read like an import: whole or not at all. A memory whose window or claims cannot be
read would be another memory, so the file is refused and what the ledger holds stays as it was.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import tzinfo

from memtui.errors import InvalidInput
from memtui.model.instants import Instant
from memtui.model.problems import Problem
from memtui.model.records import (
    LONGEST_SUMMARY,
    Content,
    Revival,
)
from memtui.text import memory_fields as read
from memtui.text.fields import FieldReader
from memtui.text.frontmatter import FrontMatter, split_front_matter
from memtui.text.markdown import link_targets
from memtui.text.naming import check_name, is_blank
from memtui.vault.records import ReadFile, ReadRecord

# How a file without the field `summary` is read: a heading, its first paragraph, and the rest.
HEADING = re.compile(r"\s*#{1,6}[ \t]+([^\n]*)(?:\n|\Z)")
BLANK_LINES = re.compile(r"\n[ \t]*\n\n*")


def read_engram_file(path: str, name: str, text: str, zone: tzinfo) -> ReadFile:
    """The engram of a file; `name` is what its place calls it, front matter `name` comes first.

    The summary is the field `summary`, else the first paragraph (the body is then the rest).
    """
    front = split_front_matter(text)
    odd = [Problem(path, oddity.reason, oddity.line, value=oddity.value) for oddity in front.problems]
    if front.broken:
        odd.append(Problem(path, "was not taken as a memory: its fields cannot be read", 1))
        return ReadFile(problems=tuple(odd), refused=True)
    fields = FieldReader(front.fields, path=path, zone=zone, lines=front.lines)
    # A date that only backs up `valid_from` may be unreadable: then it is unknown, which is reported.
    reference = _reference(fields)
    doubts, fields.problems = fields.problems, []
    record = _read(path, name, front, fields, reference)
    problems = [*odd, *doubts, *fields.problems]
    if fields.problems:
        problems.append(Problem(path, "was not taken as a memory until this is mended", fields.problems[0].line))
        return ReadFile(problems=tuple(problems), refused=True)
    return ReadFile((record,), tuple(problems))


def _read(path: str, name: str, front: FrontMatter, fields: FieldReader, reference: Instant | None) -> ReadRecord:
    words = _words(front, fields)
    revivals = read.read_revivals(fields)
    window = _window(fields, revivals)
    named = _name(name, fields)
    content = Content(
        summary=words.summary,
        title=read.read_line(fields, "title") or words.heading,
        body=words.body,
        area=read.read_line(fields, "area"),
        tags=read.read_tags(fields),
        source_refs=fields.texts("source_refs"),
        aliases=_aliases(name, named, fields),
        owner=read.read_line(fields, "owner"),
        affect=read.read_line(fields, "affect"),
        affect_reason=read.read_affect_reason(fields),
        confidence=read.read_confidence(fields),
        stability_days=read.read_stability(fields),
        pinned=fields.flag("pinned"),
        memory_type=read.read_line(fields, "memory_type"),
        encoding_context=read.read_encoding_context(fields),
        valid_from=window[0],
        valid_to=window[1],
        superseded_by=read.read_line(fields, "superseded_by"),
        revivals=revivals,
        claims=read.read_claims(fields, path),
        homophonic_links=read.read_homophonic_links(fields),
        path=path,
        line=words.line,
        links=link_targets(front.body),
        extra=fields.extra(),
    )
    return ReadRecord("engram", named, content, reference)


def _reference(fields: FieldReader) -> Instant | None:
    """Since when it may have been true if `valid_from` is silent. The fields are no engram's: `extra` keeps them."""
    stated, created, date = (fields.instant(key) for key in ("reference_time", "created", "date"))
    fields.keep("reference_time", "created", "date")
    return stated if stated is not None else min((m for m in (created, date) if m is not None), default=None)


@dataclass(frozen=True, slots=True)
class _Words:
    summary: str | None
    body: str | None
    line: int
    """Where the body begins, or the summary where there is no body."""
    heading: str | None = None
    """A heading above the first paragraph: the title where there is no other."""


def _words(front: FrontMatter, fields: FieldReader) -> _Words:
    summary = fields.text("summary")
    body, line, heading = front.body, front.body_line, None
    if summary is None and isinstance(fields.values.get("summary"), str):
        summary = ""  # written down and blank: that is no wish to have the first paragraph instead
    elif summary is None:
        head = HEADING.match(body)
        heading = head[1].strip() or None if head else None
        trimmed = body[head.end() if head else 0 :].lstrip()
        paragraph, *rest = BLANK_LINES.split(trimmed, maxsplit=1)
        summary = " ".join(paragraph.split())
        below = rest[0] if rest else ""
        # Snippets count lines from the body's first; without a body the paragraph is all there is.
        line += body.count("\n", 0, len(body) - len(trimmed if is_blank(below) else below))
        body = below
    if is_blank(summary):
        fields.problem("summary", "is blank: a memory needs a summary, as a field or as its first paragraph")
    elif len(summary) > LONGEST_SUMMARY:
        reason = f"has {len(summary)} characters, {LONGEST_SUMMARY} are allowed; say it shorter and put the rest below"
        fields.problem("summary", reason, summary)
    return _Words(summary or None, None if is_blank(body) else body, line, heading)


def _name(name: str, fields: FieldReader) -> str:
    written = fields.text("name")
    if written is None:
        return name
    try:
        return check_name(written)
    except InvalidInput as error:
        fields.problem("name", f"cannot be a name: {error.message}")
        return name


def _aliases(name: str, named: str, fields: FieldReader) -> tuple[str, ...]:
    """Other names: the file's own, where front matter gives another, and those written down."""
    bare = name.rsplit("/", 1)[-1]
    names = (*fields.texts("aliases", commas=True), name, bare)
    return tuple(alias for alias in dict.fromkeys(names) if alias != named)


def _window(fields: FieldReader, revivals: tuple[Revival, ...]) -> tuple[Instant | None, Instant | None]:
    """Forgetting what had not come into force leaves an empty window, and its file says so."""
    start, end = fields.instant("valid_from"), fields.instant("valid_to")
    begin, named = (revivals[-1].revived_at, "the last revival") if revivals else (start, "valid_from")
    read.check_end(fields, begin, end, named, may_be_empty=True)
    return start, end
