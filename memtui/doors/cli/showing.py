"""Commands that show what there is: list, show, status."""

from __future__ import annotations

import json
import re
from datetime import tzinfo

import click

from memtui.doors.cli.arguments import KINDS_GIVEN
from memtui.doors.cli.names import RecordName
from memtui.doors.cli.output import (
    Hanging,
    Line,
    counted,
    on_the_readers_clock,
    print_json,
    print_lines,
    problem_lines,
    say,
)
from memtui.doors.cli.reading import blind_spots, place_of, staleness, state_note
from memtui.doors.cli.session import Session, common_options, pass_session, reading_options
from memtui.model.details import RecordDetails
from memtui.model.instants import Instant
from memtui.model.records import Content, State
from memtui.model.results import Listing, RecordView
from memtui.model.status import Status
from memtui.text.visible import one_line, visible


@click.command("list", epilog="Example:  memtui list --types engram --all")
@click.option("--types", metavar="K,K", type=KINDS_GIVEN, help="Only these kinds.")
@click.option("--area", metavar="AREA", help="Only records of this area and what lies under it.")
@click.option("--tag", "tags", multiple=True, metavar="T", help="Only records with this tag (repeatable).")
@click.option("--all", "everything", is_flag=True, help="Also what is no longer or not yet in force.")
@click.option("--names", is_flag=True, help="Only names, one a line.")
@click.option("--limit", metavar="N", type=click.IntRange(min=0), help="At most this many.")
@reading_options
@common_options
@pass_session
def list_command(
    session: Session,
    types: str | None,
    area: str | None,
    tags: tuple[str, ...],
    everything: bool,
    names: bool,
    limit: int | None,
) -> None:
    """List records without scores: those in force, unless --all."""
    listing = session.memory().list(
        kinds=types,
        area=area,
        tags=tags,
        all=everything,
        limit=limit,
        as_of=session.as_of,
        valid_at=session.valid_at,
        personal=session.personal,
    )
    if session.as_json:
        print_json(listing.as_dict())
        return
    reservations = _reservations(listing, session)
    if names or session.plain:
        print_lines([_plain_row(record, name_only=names) for record in listing], session)
        for line in reservations:
            say("memtui: " + "".join(text for text, _ in line))
        return
    lines: list[Line] = []
    for record in listing:
        lines.append([(f"{record.key.kind}/{visible(record.key.name)}", "cyan"), (state_note(record), "red")])
        if record.title != record.key.name:
            lines.append([(f"   {one_line(record.title)}", "")])
    print_lines([*lines, *reservations, [(_how_many(listing), "dim")]], session)


def _plain_row(record: RecordView, *, name_only: bool) -> Line:
    name = visible(record.key.name)
    if name_only:
        return [(name, "")]
    return [("\t".join((f"{record.key.kind}/{name}", record.state, one_line(record.title))), "")]


def _reservations(listing: Listing, session: Session) -> list[Line]:
    """What a listing cannot vouch for."""
    lines: list[Line] = []
    if listing.stale:
        lines.append([(staleness(listing.stale, session.command("sync")), "yellow")])
    if listing.reason:
        lines.append([(visible(on_the_readers_clock(listing.reason)), "yellow")])
    return lines


def _how_many(listing: Listing) -> str:
    shown, total = len(listing), counted(listing.total, "record")
    return total if shown == listing.total else f"{shown:,} of {total}"


@click.command("show", epilog="Example:  memtui show decisions/db-choice")
@click.argument("name", type=RecordName("any"))
@reading_options
@common_options
@pass_session
def show_command(session: Session, name: str) -> None:
    """Show one record in full, by name, kind/name, alias or a unique prefix of at least four characters."""
    memory = session.memory()
    details = memory.details(name, as_of=session.as_of, valid_at=session.valid_at, personal=session.personal)
    if session.as_json:
        print_json(details.as_dict())
    else:
        print_lines(_record_lines(details, memory.zone), session)


def _record_lines(details: RecordDetails, zone: tzinfo) -> list[Line]:
    """One record in full, for a person: its times are those of the reader's clock."""
    record, content = details.record, details.record.content
    place = place_of(record, content.line)
    lines: list[Line] = [
        [(visible(record.title), "bold"), (state_note(record), "red")],
        [(f"{record.key.kind}/{visible(record.key.name)}", "cyan"), (f"  {place}" if place else "", "dim")],
    ]
    told = [*_what_it_is(content), *_when(details, zone), *_how_it_stands(details, zone), *_related(content)]
    if content.extra:
        told.append(("also", json.dumps(dict(content.extra), ensure_ascii=False, default=str)))
    lines.extend(Hanging([(f"  {label:14}", "dim"), (visible(value), "")], " " * 16) for label, value in told if value)
    for text in (content.summary if content.summary != record.title else None, content.body):
        if text:
            lines.append([])
            lines.extend(_text_line(visible(row)) for row in text.strip("\n").rstrip().split("\n"))
    for finding in content.findings:
        lines.append([])
        lines.append(Hanging([(f"  {finding.rating:14}", "dim"), (visible(finding.text), "")], " " * 16))
        lines.append(Hanging([(" " * 16, ""), (visible(", ".join(finding.source_refs)), "dim")], " " * 16))
    return lines


_Told = list[tuple[str, str | None]]
"""Label and text of the rows of one record; those without text are left out."""


def _what_it_is(content: Content) -> _Told:
    affect = content.affect if content.affect_reason is None else f"{content.affect} ({content.affect_reason})"
    return [
        ("area", content.area),
        ("tags", ", ".join(content.tags)),
        ("also called", ", ".join(content.aliases)),
        ("type", content.memory_type or content.doc_type),
        ("status", content.status),
        ("priority", content.priority),
        ("pinned", "yes" if content.pinned else None),
        ("owner", content.owner),
        ("affect", affect),
        ("rating", content.rating),
    ]


def _when(details: RecordDetails, zone: tzinfo) -> _Told:
    from memtui.text.moments import told_apart

    content = details.record.content

    def gap(number: int) -> str:
        revival = content.revivals[number]
        by = f", revived by {revival.revived_by}" if revival.revived_by else ""
        instead = f", superseded by {revival.superseded_by}" if revival.superseded_by else ""
        since, until = told_apart(revival.valid_to, revival.revived_at, zone=zone)
        return f"{since} until {until}{instead}{by}"

    return [
        ("true", _window(content, zone)),
        ("not true", "; ".join(gap(n) for n, revival in enumerate(content.revivals) if not revival.is_empty)),
        ("recorded", f"{_moment(details.record.recorded_at, zone)} ({counted(details.versions, 'version')})"),
        ("superseded by", content.superseded_by),
    ]


def _window(content: Content, zone: tzinfo) -> str:
    """From its first moment to its end; its gaps are told beside it."""
    from memtui.text.moments import told_apart

    bounds = {"since": content.valid_from, "until": content.valid_to}
    known = {word: instant for word, instant in bounds.items() if instant is not None}
    if len(set(known.values())) == 1 < len(known):
        return "never"  # it ended as it was to begin
    moments = told_apart(*known.values(), zone=zone)
    return " ".join(f"{word} {moment}" for word, moment in zip(known, moments, strict=True))


_LATEST_CUES = 3


def _how_it_stands(details: RecordDetails, zone: tzinfo) -> _Told:
    content, strength = details.record.content, details.strength
    told: _Told = []
    written = content.confidence
    authored = "" if written is None else written if isinstance(written, str) else f"{written:g}"
    if strength is None:
        told.append(("confidence", authored))
    else:
        derived = f"{strength.confidence:g} of 10 with its recalls"
        told.append(("confidence", f"{authored} as written, {derived}" if authored else derived))
        told.append(("retained", f"{strength.retention:.0%}, with a stability of {strength.stability:.1f} days"))
    for number, recall in enumerate(reversed(details.recalls[-_LATEST_CUES:])):
        label = "recalled" if number == 0 else ""
        times = f" (the last of {len(details.recalls):,} times)" if number == 0 and len(details.recalls) > 1 else ""
        told.append((label, f"{_moment(recall.recorded_at, zone)} by {recall.actor}: {one_line(recall.cue)}{times}"))
    context = content.encoding_context
    if context is not None:
        parts = (context.time_of_day, context.affect, ", ".join(context.co_topics), ", ".join(context.source_refs))
        told.append(("encoded", " · ".join(part for part in (context.area, *parts) if part)))
    return told


def _related(content: Content) -> _Told:
    links = [
        f"{link.target_name} ({link.resonance_score:g}{': ' + link.basis if link.basis else ''})"
        for link in content.homophonic_links
    ]
    return [
        ("claims", ", ".join(str(claim) for claim in content.claims)),
        ("sources", ", ".join(content.source_refs)),
        ("supports", ", ".join(content.supports)),
        ("refutes", ", ".join(content.refutes)),
        ("calls up", ", ".join(links)),
        ("supersedes", content.supersedes),
    ]


def _moment(instant: Instant, zone: tzinfo) -> str:
    from memtui.text.moments import local

    return local(instant, zone)


_BULLET = re.compile(r"\s*(?:(?:[-*+]|[0-9]{1,3}[.)]) (?:\[[ xX]\] )?)?")


def _text_line(row: str) -> Line:
    """A row of a text: what does not fit goes on under its words, not under its bullet."""
    lead = _BULLET.match(row)
    return Hanging([(row, "")], " " * (lead.end() if lead else 0))


@click.command("status", epilog="Example:  memtui status --json")
@reading_options
@common_options
@pass_session
def status_command(session: Session) -> None:
    """Show counts, health and freshness of the vault."""
    memory = session.memory()
    status = memory.status(as_of=session.as_of, valid_at=session.valid_at, personal=session.personal)
    if session.as_json:
        print_json(status.as_dict())
    else:
        print_lines(_status_lines(status, memory.zone), session)


_BESIDE: dict[State, str] = {
    "forgotten": "forgotten",
    "superseded": "superseded",
    "not_yet": "not yet true",
}
"""What may be kept beside the records in force, in words."""


def _how_searches_go(status: Status) -> str:
    """By words, or by meaning too, and how far texts are embedded."""
    told = status.embedding
    if told["model_id"] is None:
        return "by words (no embedder is set, or it cannot be had)"
    return f"by words and meaning ({told['model_id']}, {told['embedded']:,} of {status.index_rows:,} texts embedded)"


def _status_lines(status: Status, zone: tzinfo) -> list[Line]:
    lines: list[Line] = [[(visible(status.vault), "bold"), (f"  ({visible(status.workspace)})", "dim")]]
    lines.extend([(f"  {kind:10}", "cyan"), (f"{count:6}", "")] for kind, count in status.counts.items() if count)
    beside = ", ".join(f"{count} {words}" for state, words in _BESIDE.items() if (count := status.states.get(state, 0)))
    in_force = f"  in force; also {beside}" if beside else "  in force"
    lines.append(Hanging([("  records   ", "bold"), (f"{status.records:6}", "bold"), (in_force, "dim")], " " * 20))
    synced = _moment(status.last_sync, zone) if status.last_sync is not None else "never"
    changed = counted(status.stale, "file") if status.stale else "no file"
    lines.append([(f"  last sync {synced} · {changed} changed since", "dim")])
    size = f"{status.size_bytes / 1_048_576:.1f} MiB"
    lines.append([(f"  index     {counted(status.index_rows, 'text')}, analyser {status.analyser} · {size}", "dim")])
    lines.append([(f"  search    {_how_searches_go(status)}", "dim")])
    lines.extend(Hanging([("  ! ", "red"), (visible(warning), "red")], "    ") for warning in status.warnings)
    if status.truncated_total:
        lines.append(Hanging([("  ", ""), *blind_spots(status.as_of_truncated, status.truncated_total)], "    "))
    lines.extend(problem_lines(status.problems, indent="  "))
    return lines
