"""Engrams kept as files: `engrams/**/*.md`, all fields in front matter, the text below it.

Such a file is read like an import: whole or not at all. A memory whose window or claims cannot be
read would be another memory, so the file is refused and what the ledger holds stays as it was.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import tzinfo
from itertools import pairwise
from typing import Any

from memtui.errors import InvalidInput
from memtui.model.instants import Instant
from memtui.model.problems import Problem
from memtui.model.records import (
    CONFIDENCE_LABELS,
    LONGEST_SUMMARY,
    SHORTEST_AFFECT_REASON,
    Claim,
    Content,
    EncodingContext,
    HomophonicLink,
    Revival,
)
from memtui.text.claims import read_claim
from memtui.text.fields import FieldReader, as_number, scalar_text
from memtui.text.frontmatter import FrontMatter, split_front_matter
from memtui.text.markdown import link_targets
from memtui.text.naming import check_name, is_blank
from memtui.vault.records import ReadFile, ReadRecord

_HEADING = re.compile(r"\s*#{1,6}[ \t]+([^\n]*)(?:\n|\Z)")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")


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
    window = _window(fields)
    named = _name(name, fields)
    content = Content(
        summary=words.summary,
        title=fields.line_of_text("title") or words.heading,
        body=words.body,
        area=fields.line_of_text("area"),
        tags=tuple(dict.fromkeys(tag.removeprefix("#") for tag in fields.texts("tags", commas=True))),
        source_refs=fields.texts("source_refs"),
        aliases=_aliases(name, named, fields),
        owner=fields.line_of_text("owner"),
        affect=fields.line_of_text("affect"),
        affect_reason=_affect_reason(fields),
        confidence=_confidence(fields),
        stability_days=_stability(fields),
        pinned=fields.flag("pinned"),
        memory_type=fields.line_of_text("memory_type"),
        encoding_context=_encoding_context(fields),
        valid_from=window[0],
        valid_to=window[1],
        superseded_by=fields.line_of_text("superseded_by"),
        revivals=_revivals(fields),
        claims=_claims(fields, path),
        homophonic_links=_homophonic_links(fields),
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
        head = _HEADING.match(body)
        heading = head[1].strip() or None if head else None
        trimmed = body[head.end() if head else 0 :].lstrip()
        paragraph, *rest = _BLANK_LINE.split(trimmed, maxsplit=1)
        summary = " ".join(paragraph.split())
        below = rest[0].lstrip("\n") if rest else ""
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


def _affect_reason(fields: FieldReader) -> str | None:
    reason = fields.text("affect_reason")
    if reason is not None and len(reason) < SHORTEST_AFFECT_REASON:
        fields.problem("affect_reason", f"has {len(reason)} characters, at least {SHORTEST_AFFECT_REASON} are needed")
    return reason


def _confidence(fields: FieldReader) -> float | str | None:
    value = fields.take("confidence")
    if value is None or (isinstance(value, str) and value.casefold() in CONFIDENCE_LABELS):
        return value
    number = as_number(value)
    if number is None or not 1 <= number <= 10:
        return fields.problem("confidence", f"is neither 1 to 10 nor one of {', '.join(CONFIDENCE_LABELS)}")
    return number


def _stability(fields: FieldReader) -> float | None:
    days = fields.number("stability_days")
    if days is not None and days <= 0:
        return fields.problem("stability_days", "must be more than 0 days")
    return days


def _window(fields: FieldReader) -> tuple[Instant | None, Instant | None]:
    start, end = fields.instant("valid_from"), fields.instant("valid_to")
    if start is not None and end is not None and end <= start:
        what = "the same moment as" if end == start else "before"
        fields.problem("valid_to", f"is {what} valid_from: a memory cannot be true for no time at all")
    return start, end


def _encoding_context(fields: FieldReader) -> EncodingContext | None:
    value = fields.take("encoding_context")
    inner = None if value is None else fields.inside("encoding_context", value, "encoding_context.")
    if inner is None:
        return None
    context = EncodingContext(
        area=inner.line_of_text("area"),
        co_topics=inner.texts("co_topics", commas=True),
        source_refs=inner.texts("source_refs"),
        affect=inner.line_of_text("affect"),
        time_of_day=inner.line_of_text("time_of_day"),
        created_at=inner.instant("created_at"),
    )
    _refuse_unknown(inner)
    fields.adopt(inner)
    return context


def _revivals(fields: FieldReader) -> tuple[Revival, ...]:
    """The gaps, in rising order and apart: between any two of them the memory was in force."""
    known = len(fields.problems)
    revivals: tuple[Revival, ...] = fields.each("revivals", _revival)
    if len(fields.problems) > known:
        return revivals  # a gap without both its ends cannot be compared
    for number, (before, gap) in enumerate(pairwise(revivals), start=1):
        if gap.valid_to < before.revived_at:
            written = fields.items("revivals")[number]
            reason = f"is before revivals[{number - 1}].revived_at: gaps follow one another and do not overlap"
            fields.problem("revivals", reason, written["valid_to"], f"revivals[{number}].valid_to")
    return revivals


def _revival(inner: FieldReader) -> Revival:
    closed, revived = inner.instant("valid_to"), inner.instant("revived_at")
    for key, moment in (("valid_to", closed), ("revived_at", revived)):
        if moment is None and inner.values.get(key) is None:
            inner.problem(key, "is missing")
    if closed is not None and revived is not None and revived < closed:
        inner.problem("revived_at", "is before the gap's valid_to")
    revival = Revival(closed or 0, revived or 0, inner.line_of_text("superseded_by"), inner.line_of_text("revived_by"))
    _refuse_unknown(inner)
    return revival


def _claims(fields: FieldReader, path: str) -> tuple[Claim, ...]:
    claims: list[Claim] = []
    for number, item in enumerate(fields.items("claims")):
        try:
            claims.append(read_claim(item, fields.zone, field=f"claims[{number}]", file=path))
        except InvalidInput as error:
            reason = error.message if error.hint is None else f"{error.message}. {error.hint}"
            part = (error.field or "").removeprefix("claims")
            fields.problem("claims", reason, item, "claims" + part)
    return tuple(claims)


def _homophonic_links(fields: FieldReader) -> tuple[HomophonicLink, ...]:
    links: list[HomophonicLink] = []
    for number, item in enumerate(fields.items("homophonic_links")):
        target = scalar_text(item)
        if target is not None and not is_blank(target):
            links.append(HomophonicLink(target.strip()))
            continue
        inner = fields.inside("homophonic_links", item, f"homophonic_links[{number}].")
        if inner is not None:
            links.append(_homophonic_link(inner))
            fields.adopt(inner)
    return tuple(links)


def _homophonic_link(inner: FieldReader) -> HomophonicLink:
    target = inner.line_of_text("target_name")
    if target is None:
        inner.problem("target_name", "is missing")
    score: Any = inner.number("resonance_score")
    if score is not None and not 0 <= score <= 1:
        inner.problem("resonance_score", "is not between 0 and 1")
    link = HomophonicLink(target or "", 0.5 if score is None else score, inner.text("basis"))
    _refuse_unknown(inner)
    return link


def _refuse_unknown(inner: FieldReader) -> None:
    """Inside a part there is no `extra` to keep what is unknown, so it must not pass unseen."""
    reported = {problem.field for problem in inner.problems}
    for key in inner.extra():
        if not any((field or "").endswith("." + key) for field in reported):
            inner.problem(key, "is unknown here and could not be kept")
