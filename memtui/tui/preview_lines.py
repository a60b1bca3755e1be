"""What the preview tabs say, as styled lines: the text of a memory and its history."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import tzinfo

from memtui.model.details import Strength
from memtui.model.instants import Instant
from memtui.model.records import CONTENT_FIELDS, Content, Revival
from memtui.model.results import RecordView, Snippet
from memtui.model.versions import Version
from memtui.text.moments import local, told_apart
from memtui.tui.markdown_look import is_fenced, styled, text_lines
from memtui.tui.marking import Marker
from memtui.tui.sections import section_around
from memtui.tui.styled_lines import Look, StyledLine, assemble
from memtui.tui.widgets.result_row import KIND_GLYPHS, STATE_BADGES

MOST_SECTION_LINES = 200
LEAST_SECTION_LINES = 60
MOST_CLAIMS = 6
_LABEL_WIDTH = 12
_BLANK = StyledLine("")


@dataclass(frozen=True, slots=True)
class Prepared:
    """Lines ready to be wrapped, a note for the rule above them, and the line to bring into view."""

    lines: tuple[StyledLine, ...]
    note: str = ""
    focus_line: int | None = None


def text_of(content: Content) -> str:
    """The text of a record: its body, or where it has none its summary."""
    return content.body or content.summary or ""


def text_tab(
    record: RecordView,
    passage: Snippet | None,
    marker: Marker,
    *,
    whole: bool,
    brief: bool = False,
    zone: tzinfo | None = None,
    strength: Strength | None = None,
    known_from: Instant | None = None,
) -> Prepared:
    """The head of a record and its text: the section that matched, or with `whole` all of it.

    `brief` keeps the head to two lines, where there is little room below them.
    """
    content = record.content
    unknown = (
        []
        if known_from is None
        else [
            StyledLine(
                f"Not known then: first recorded {local(known_from, zone)}. What follows is what was recorded.", "gone"
            ),
            _BLANK,
        ]
    )
    head = unknown + list(_brief_head(record, marker, zone) if brief else _head(record, marker, zone, strength))
    lines = text_lines(text_of(content))
    at = min(matched_line(passage), max(len(lines) - 1, 0))
    first, last = (0, len(lines)) if whole else _part_to_show(text_of(content), len(lines), at)
    while first < last and not lines[first].strip():
        first += 1
    body = styled(lines[first:last], marker, fenced=is_fenced(lines, first))
    tail = _findings(content) if content.findings else []
    note = ""
    if any(lines[:first]) or any(lines[last:]):
        note = f"lines {first + 1}–{last} of {len(lines)}"
        tail += [_BLANK, StyledLine("enter shows the whole text", "muted")]
    focus = len(head) + body.line_of(at - first) if passage is not None and body.lines else None
    return Prepared((*head, *body.lines, *tail), note, focus)


def matched_line(passage: Snippet | None) -> int:
    """The line of the text (from 0) with the first match: a snippet begins a line or so before it."""
    if passage is None or passage.line is None:
        return 0
    before = passage.text.count("\n", 0, passage.spans[0][0]) if passage.spans else 0
    return max(passage.line - 1, 0) + before


def _part_to_show(text: str, count: int, at: int) -> tuple[int, int]:
    """The section around a line; a short one with what follows it, of a long one the lines around."""
    first, last = section_around(text, at)
    last = max(last, min(first + LEAST_SECTION_LINES, count))
    if last - first > MOST_SECTION_LINES:
        first = max(first, min(at - MOST_SECTION_LINES // 4, last - MOST_SECTION_LINES))
        last = first + MOST_SECTION_LINES
    return first, last


def _head(record: RecordView, marker: Marker, zone: tzinfo | None, strength: Strength | None) -> Iterable[StyledLine]:
    content = record.content
    yield from _title(record, marker)
    yield assemble(*_kind_and_name(record), hang=2)
    yield _BLANK
    for label, value, look in (*_facts(record, zone), *_in_mind(strength)):
        yield assemble((label.ljust(_LABEL_WIDTH), "muted"), (value, look), hang=_LABEL_WIDTH)
    yield _BLANK
    if content.summary and content.body and content.summary != record.title:
        yield StyledLine(content.summary, "emphasis").marked(marker.spans(content.summary))
        yield _BLANK


def _brief_head(record: RecordView, marker: Marker, zone: tzinfo | None) -> Iterable[StyledLine]:
    yield from _title(record, marker)
    facts = {label: value for label, value, _look in _facts(record, zone)}
    picked = [facts[label] for label in ("state", "area", "true", "file") if label in facts]
    yield assemble(*_kind_and_name(record), (" · ".join(["", *picked]), "muted"), hang=2)
    yield _BLANK


def _title(record: RecordView, marker: Marker) -> Iterable[StyledLine]:
    if record.title != text_of(record.content):
        yield StyledLine(record.title, "strong").marked(marker.spans(record.title))


def _kind_and_name(record: RecordView) -> tuple[tuple[str, Look], tuple[str, Look]]:
    glyph = KIND_GLYPHS.get(record.key.kind, "·")
    return (f"{glyph} {record.key.kind}", "accent"), (f"  {record.key.name}", "muted")


def _facts(record: RecordView, zone: tzinfo | None) -> Iterable[tuple[str, str, Look]]:
    content = record.content
    badge = STATE_BADGES.get(record.state)
    if badge:
        by = f" by {content.superseded_by}" if content.superseded_by else ""
        yield "state", badge + by, "gone"
    elif record.overridden:
        yield "state", "overridden by a later entry", "gone"
    if record.contradicted:
        yield "claims", "contradicted by another memory; c shows both", "gone"
    if content.area:
        yield "area", content.area, "text"
    if content.tags:
        yield "tags", ", ".join(content.tags), "text"
    if content.valid_from is not None:
        yield "true", _validity(content, zone), "text"
    yield "recorded", local(record.recorded_at, zone), "text"
    if content.status:
        yield "status", content.status, "text"
    if content.confidence is not None:
        yield "confidence", str(content.confidence), "text"
    if content.rating:
        yield "rating", content.rating, "text"
    if content.pinned:
        yield "pinned", "yes", "accent"
    for claim in content.claims[:MOST_CLAIMS]:
        yield "claim", str(claim), "text"
    if len(content.claims) > MOST_CLAIMS:
        yield "", f"and {len(content.claims) - MOST_CLAIMS} more claims", "muted"
    yield from _evidence(content)
    if content.path:
        yield "file", content.path if content.line is None else f"{content.path}:{content.line}", "text"


def _evidence(content: Content) -> Iterable[tuple[str, str, Look]]:
    """What a memory stands on, and what it speaks for and against."""
    for label, names in (
        ("sources", content.source_refs),
        ("supports", content.supports),
        ("refutes", content.refutes),
    ):
        if names:
            yield label, ", ".join(names), "text"


_MEMORY_BAR = 8


def _in_mind(strength: Strength | None) -> Iterable[tuple[str, str, Look]]:
    """How much of a memory is left, as a bar, and what recalling did for it."""
    if strength is None:
        return
    full = round(strength.retention * _MEMORY_BAR)
    bar = "▰" * full + "▱" * (_MEMORY_BAR - full)
    recalls = {0: "never recalled", 1: "recalled once"}.get(strength.counted, f"recalled {strength.counted} times")
    yield "in mind", f"{bar} {strength.retention:.0%} · {recalls}", "text"


def _validity(content: Content, zone: tzinfo | None) -> str:
    spans: list[str] = []
    for interval in content.validity():
        if interval.end is None:
            spans.append(f"since {local(interval.start, zone)}")
        else:
            start, _ = told_apart(interval.start, interval.end, zone=zone, named=False)
            _, end = told_apart(interval.start, interval.end, zone=zone)
            spans.append(f"{start} – {end}")
    return ", ".join(spans) if spans else "never"


def _findings(content: Content) -> list[StyledLine]:
    lines = [_BLANK, StyledLine("Findings", "heading")]
    for finding in content.findings:
        sources = f"  {', '.join(finding.source_refs)}" if finding.source_refs else ""
        lines.append(assemble(("- ", "accent"), finding.text, (f"  {finding.rating}{sources}", "muted"), hang=2))
    return lines


# History


def history_tab(versions: Sequence[Version], zone: tzinfo | None = None, *, later: int = 0) -> Prepared:
    """Every version, newest first: when, by whom, what was done and which fields it changed.

    Of the past: those known then, and how many came `later`.
    """
    lines: list[StyledLine] = []
    if later:
        lines += [StyledLine(f"Recorded later, and not shown here: {later}.", "muted"), _BLANK]
    for index in range(len(versions) - 1, -1, -1):
        version = versions[index]
        before = versions[index - 1].content if index else None
        lines.append(
            assemble(
                (version.operation.ljust(_LABEL_WIDTH), "strong"),
                local(version.recorded_at, zone),
                (f"  {version.actor}  #{version.seq}", "muted"),
                hang=_LABEL_WIDTH,
            )
        )
        if version.reason:
            lines.append(StyledLine(" " * _LABEL_WIDTH + version.reason, "emphasis", hang=_LABEL_WIDTH))
        lines += changes(before, version.content, zone)
        lines.append(_BLANK)
    count = len(versions)
    return Prepared(tuple(lines), note=f"{count} version{'' if count == 1 else 's'}")


def changes(
    before: Content | None, after: Content, zone: tzinfo | None, names: Iterable[str] = CONTENT_FIELDS
) -> Iterable[StyledLine]:
    """The fields that differ, each with what it said before and after."""
    empty = Content() if before is None else before
    for name in names:
        old, new = getattr(empty, name), getattr(after, name)
        if old == new or (before is None and name in ("line", "encoding_context", "extra", "links")):
            continue
        label = name.replace("_", " ").ljust(_LABEL_WIDTH + 6)
        gone, come = _values(name, old, new, zone)
        if before is not None and old not in (None, (), ""):
            yield _change(label, "− ", gone, "gone")
            label = " " * len(label)
        if before is None:
            yield _change(label, "", come, "text")
        elif new not in (None, (), ""):
            yield _change(label, "+ ", come, "added")


def _change(label: str, sign: str, value: str, look: Look) -> StyledLine:
    return assemble((" " * 2 + label, "muted"), (sign + value, look), hang=len(label) + 2 + len(sign))


_TIMES = frozenset(f.name for f in fields(Content) if f.name in ("valid_from", "valid_to", "dated"))
_LONGEST_VALUE = 160


def _values(name: str, old: object, new: object, zone: tzinfo | None) -> list[str]:
    """What a field said before and after a change."""
    if name in _TIMES and isinstance(old, int) and isinstance(new, int):
        return told_apart(old, new, zone=zone)
    return [_value(name, value, zone) for value in (old, new)]


def _value(name: str, value: object, zone: tzinfo | None) -> str:
    if name in _TIMES and isinstance(value, int):
        return local(value, zone)
    if isinstance(value, Revival):
        by = f", brought back by {value.revived_by}" if value.revived_by else ""
        since, until = told_apart(value.valid_to, value.revived_at, zone=zone)
        return f"out of force {since} – {until}{by}"
    if isinstance(value, tuple):
        value = ", ".join(_value(name, part, zone) for part in value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    text = " ".join(str(value).split())
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}… ({len(str(value)):,} characters)"
