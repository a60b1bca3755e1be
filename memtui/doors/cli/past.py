"""Commands about what was believed before: history and diff."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Mapping, Sequence
from datetime import tzinfo
from typing import Any, cast

import click

from memtui.doors.cli.arguments import QUERY, TextCommand, hits_option
from memtui.doors.cli.names import RecordName
from memtui.doors.cli.output import Hanging, Line, marked, on_the_readers_clock, print_json, print_lines
from memtui.doors.cli.reading import STATE_NOTES
from memtui.doors.cli.session import (
    Session,
    common_options,
    pass_session,
    reading_options,
    text_argument,
    valid_at_option,
)
from memtui.errors import InvalidInput, NotFound
from memtui.model.changes import BeliefDiff, PastTexts, changes_as_dict
from memtui.model.instants import iso, iso_or_none
from memtui.model.records import Claim
from memtui.model.results import RecordView
from memtui.model.versions import Version
from memtui.text.visible import one_line, visible

Changes = Mapping[str, tuple[object, object]]


@click.command("history", cls=TextCommand, epilog='Example:  memtui history --search "staging port"')
@click.argument("name", required=False, type=RecordName("any"))
@click.option("--diff", "span", metavar="A..B", help="What changed from version A to version B, by their numbers.")
@click.option("--search", "query", type=QUERY, metavar="TEXT", help="Past texts that match, of any record.")
@hits_option("past texts", 20)
@reading_options
@common_options
@pass_session
def history_command(session: Session, name: str | None, span: str | None, query: str | None, limit: int) -> None:
    """Show the versions of NAME with what each changed; or, with --search, texts that were ever believed."""
    if (name is None) == (query is None):
        raise InvalidInput("history is asked either by NAME or by --search TEXT", field="NAME")
    if name is None or query is not None:
        if span is not None:
            raise InvalidInput("--diff compares two versions of one NAME", field="--diff", value=span)
        _past_texts(session, query or "", limit)
        return
    memory = session.memory()
    versions = memory.history(name, as_of=session.as_of, personal=session.personal)
    changes = _changes_of(versions)
    if span is not None:
        _compare(session, versions, span, memory.zone)
        return
    if session.valid_at is not None:
        # Each is compared with the one before it, whether or not that one held then.
        held = memory.history(name, as_of=session.as_of, valid_at=session.valid_at, personal=session.personal)
        kept = {version.seq for version in held}
        pairs = [(v, c) for v, c in zip(versions, changes, strict=True) if v.seq in kept]
        versions, changes = tuple(v for v, _ in pairs), [c for _, c in pairs]
    if session.as_json:
        shown = [_version_shape(v, c) for v, c in zip(versions, changes, strict=True)]
        print_json({**_head(versions, name), "versions": shown})
    elif session.plain:
        print_lines([_plain_version(v, c) for v, c in zip(versions, changes, strict=True)], session)
    else:
        print_lines(_version_lines(versions, changes, memory.zone), session)


def _changes_of(versions: Sequence[Version]) -> list[Changes]:
    """What each version changed; the first brought everything it says."""
    from memtui.memory.histories import changes_between

    before = [None, *(version.content for version in versions[:-1])]
    return [changes_between(old, version.content) for old, version in zip(before, versions, strict=True)]


def _head(versions: Sequence[Version], asked: str) -> dict[str, object]:
    if not versions:
        return {"kind": None, "name": asked}
    return {"kind": versions[-1].key.kind, "name": versions[-1].key.name}


def _version_shape(version: Version, changes: Changes) -> dict[str, object]:
    return {
        "seq": version.seq,
        "recorded_at": iso(version.recorded_at),
        "operation": version.operation,
        "actor": version.actor,
        "reason": version.reason,
        "valid_from": iso_or_none(version.content.valid_from),
        "valid_to": iso_or_none(version.content.valid_to),
        "diff": changes_as_dict(changes),
    }


def _plain_version(version: Version, changes: Changes) -> Line:
    cells = (str(version.seq), iso(version.recorded_at), version.operation, version.actor, version.reason or "")
    return [("\t".join(map(one_line, (*cells, ",".join(changes)))), "")]


def _version_lines(versions: Sequence[Version], changes: Sequence[Changes], zone: tzinfo) -> list[Line]:
    if not versions:
        return [[("No version held it true then.", "bold")]]
    key = versions[-1].key
    lines: list[Line] = [[(f"{key.kind}/{visible(key.name)}", "cyan")]]
    for number, (version, changed) in enumerate(zip(versions, changes, strict=True)):
        lines.append(_version_line(version, zone))
        first = number == 0 and changed.get("summary", changed.get("title", (1, None)))[0] is None
        lines.extend(change_lines(_gist(changed) if first else changed, "       "))
    return lines


def _version_line(version: Version, zone: tzinfo) -> Line:
    from memtui.text.moments import local

    reason = f"  ({visible(version.reason)})" if version.reason else ""
    when = f"{local(version.recorded_at, zone)}  by {visible(version.actor)}{reason}"
    return Hanging([(f"{version.seq:6} ", "dim"), (f"{version.operation:10}", "bold"), (when, "dim")], " " * 7)


def _gist(changes: Changes) -> Changes:
    """Of a first version what a person needs to know it by."""
    return {field: change for field, change in changes.items() if field in ("title", "summary")}


_SPAN = re.compile(r"([0-9]*)\.\.([0-9]*)")


def _compare(session: Session, versions: Sequence[Version], span: str, zone: tzinfo) -> None:
    """What changed between two versions, whatever lies between them."""
    from memtui.memory.histories import changes_between

    shape = _SPAN.fullmatch(span.strip())
    if shape is None:
        raise InvalidInput(
            f"{span!r} names no two versions",
            field="--diff",
            value=span,
            hint="write A..B with the numbers that `history` shows; without one of them: the first or the last",
        )
    first = _version_numbered(shape[1] or str(versions[0].seq), versions)
    second = _version_numbered(shape[2] or str(versions[-1].seq), versions)
    changes = changes_between(first.content, second.content)
    if session.as_json:
        both = [_version_shape(version, {}) for version in (first, second)]
        for version in both:
            del version["diff"]
        print_json({**_head(versions, ""), "versions": both, "diff": changes_as_dict(changes)})
        return
    lines: list[Line] = [] if session.plain else [_version_line(version, zone) for version in (first, second)]
    lines.extend(change_lines(changes, "" if session.plain else "       "))
    if not changes and not session.plain:
        lines.append([("Nothing differs.", "bold")])
    print_lines(lines, session)


def _version_numbered(number: str, versions: Sequence[Version]) -> Version:
    for version in versions:
        if str(version.seq) == number.lstrip("0"):
            return version
    key = versions[-1].key
    raise NotFound(
        f"{key.kind}/{key.name} has no version {number}",
        field="--diff",
        value=number,
        choices=[str(version.seq) for version in versions],
    )


def _past_texts(session: Session, query: str, limit: int) -> None:
    memory = session.memory()
    found = memory.past_texts(
        text_argument(query), k=limit, as_of=session.as_of, valid_at=session.valid_at, personal=session.personal
    )
    if session.as_json:
        print_json(found.as_dict())
    elif session.plain:
        print_lines(_plain_past(found), session)
    else:
        print_lines(_past_lines(found, memory.zone), session)


def _plain_past(found: PastTexts) -> list[Line]:
    rows: list[Line] = []
    for past in found:
        known = (iso(past.known_from), iso_or_none(past.known_to) or "")
        name = f"{past.key.kind}/{visible(past.key.name)}"
        rows.append([("\t".join((name, str(past.seq), *known, one_line(past.text.text))), "")])
    return rows


def _past_lines(found: PastTexts, zone: tzinfo) -> list[Line]:
    from memtui.text.moments import told_apart

    lines: list[Line] = []
    for past in found:
        bounds = (past.known_from,) if past.known_to is None else (past.known_from, past.known_to)
        since, *until = told_apart(*bounds, zone=zone)
        known = f"from {since} until {until[0]}" if until else f"from {since} still believed"
        name = f"{past.key.kind}/{visible(past.key.name)}"
        lines.append([(name, "cyan"), (f"  version {past.seq}, {known}", "dim")])
        start = 0
        for row in past.text.text.split("\n"):
            spans = [
                (max(a - start, 0), min(b - start, len(row)))
                for a, b in past.text.spans
                if a < start + len(row) and b > start
            ]
            if row.strip():
                lines.append(Hanging([("   │ ", "dim"), *marked(row, spans)], "   │ "))
            start += len(row) + 1
    return lines or [[(f"No text that was ever believed matches {one_line(found.query)!r}.", "bold")]]


@click.command("diff", epilog="Example:  memtui diff --from 2026-05-01 --to 2026-06-01")
@click.option("--from", "earlier", metavar="T", required=True, help="The earlier moment of what was known.")
@click.option("--to", "later", metavar="T", required=True, help="The later one.")
@click.option(
    "--search", "query", type=QUERY, metavar="QUERY", default="", help="Only what this finds at one of the two moments."
)
@valid_at_option
@common_options
@pass_session
def diff_command(session: Session, earlier: str, later: str, query: str) -> None:
    """Show what changed in what was believed between two moments.

    Each state is asked about its own moment, or both about --valid-at.
    """
    memory = session.memory()
    found = memory.diff(earlier, later, valid_at=session.valid_at, query=query, personal=session.personal)
    if session.as_json:
        print_json(found.as_dict())
    elif session.plain:
        print_lines(_plain_diff(found), session)
    else:
        print_lines(_diff_lines(found, memory.zone), session)


def _plain_diff(found: BeliefDiff) -> list[Line]:
    groups = (
        ("learned", found.learned),
        ("forgotten", found.forgotten),
        ("began", found.began),
        ("revived", found.revived),
    )
    rows = [(word, record, one_line(record.title)) for word, records in groups for record in records]
    rows += [("changed", change.record, ",".join(change.changes)) for change in found.changed]
    return [[("\t".join((word, f"{r.key.kind}/{visible(r.key.name)}", text)), "")] for word, r, text in rows]


def _diff_lines(found: BeliefDiff, zone: tzinfo) -> list[Line]:
    from memtui.text.moments import told_apart

    earlier, later = told_apart(found.earlier, found.later, zone=zone)
    lines: list[Line] = [[(f"From {earlier} to {later}", "bold")]]
    for heading, records in (
        ("learned", found.learned),
        ("no longer in force", found.forgotten),
        ("came into force", found.began),
        ("in force again", found.revived),
    ):
        lines.extend(_group_lines(heading, records))
    if found.changed:
        lines.append([(f"changed ({len(found.changed):,})", "bold")])
    for change in found.changed:
        lines.append([(f"  {change.record.key.kind}/{visible(change.record.key.name)}", "cyan")])
        lines.extend(change_lines(change.changes, "     "))
    if found.is_empty:
        lines.append([("Nothing changed.", "bold")])
    return lines


def _group_lines(heading: str, records: Sequence[RecordView]) -> list[Line]:
    lines: list[Line] = [[(f"{heading} ({len(records):,})", "bold")]] if records else []
    for record in records:
        note = STATE_NOTES[record.state]
        lines.append([(f"  {record.key.kind}/{visible(record.key.name)}", "cyan"), (note, "red")])
        if record.title != record.key.name:
            lines.append(Hanging([(f"     {one_line(record.title)}", "")], "     "))
    return lines


_MOMENTS = frozenset({"valid_from", "valid_to", "dated", "revivals"})
"""Fields whose instants are shown on the reader's clock."""
_LONG = 100
"""Characters from which a text is compared line by line."""
_COMPARABLE = 200_000
"""Characters beyond which texts are not compared: it would take longer than anyone waits."""


def change_lines(changes: Changes, indent: str) -> list[Line]:
    """What changed, field by field: short values side by side, long texts by their lines."""
    lines: list[Line] = []
    for field, (before, after) in changes.items():
        if isinstance(before, str) and isinstance(after, str) and max(len(before), len(after)) > _LONG:
            lines.extend(_text_changes(field, before, after, indent))
            continue
        old, new = (_value(field, value) for value in (before, after))
        text = new if before is None else f"{old} → {new}"
        text = one_line(on_the_readers_clock(text) if field in _MOMENTS else text)
        lines.append(Hanging([(f"{indent}{field}: ", "dim"), (text, "")], f"{indent}  "))
    return lines


def _value(field: str, value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, list):
        return ", ".join(_item(field, item) for item in cast("list[Any]", value))
    return _item(field, value)


def _item(field: str, value: Any) -> str:
    if field == "claims":
        parts = cast("dict[str, Any]", value)
        return str(Claim(**{part: parts[part] for part in _CLAIM_PARTS if part in parts}))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


_CLAIM_PARTS = ("predicate", "object", "subject", "polarity", "many")
"""What a claim says, without its window."""


def _text_changes(field: str, before: str, after: str, indent: str) -> list[Line]:
    if max(len(before), len(after)) > _COMPARABLE:
        return [[(f"{indent}{field}: ", "dim"), (f"{len(before):,} → {len(after):,} characters", "")]]
    lines: list[Line] = [[(f"{indent}{field}:", "dim")]]
    compared = difflib.unified_diff(before.split("\n"), after.split("\n"), lineterm="", n=0)
    for row in list(compared)[2:]:
        if not row.startswith("@@"):
            style = "green" if row.startswith("+") else "red"
            lines.append(Hanging([(f"{indent}  {row[0]} ", style), (visible(row[1:]), style)], f"{indent}    "))
    return lines
