"""Commands that read: recall, search, list, show, status."""

from __future__ import annotations

import re
from datetime import tzinfo
from typing import Any, cast

import click

from memtui.doors.cli.arguments import KINDS_GIVEN, QUERY
from memtui.doors.cli.output import Hanging, Line, counted, marked, print_json, print_lines
from memtui.doors.cli.session import Session, common_options, pass_session, reading_options, text_argument
from memtui.model.explanation import Explanation
from memtui.model.instants import MAX_INSTANT, MIN_INSTANT, Instant, iso
from memtui.model.results import Found, Hit, Listing, RecordView
from memtui.text.visible import one_line, visible

_STATE_NOTES = {
    "in_force": "",
    "not_yet": " (not yet true)",
    "forgotten": " (forgotten)",
    "superseded": " (superseded)",
}


def _search_options(command: Any) -> Any:
    command = reading_options(common_options(command))
    for add in (
        click.option("--no-reconsolidate", is_flag=True, help="Record no recall (this version records none)."),
        click.option("--explain", is_flag=True, help="Show why each hit ranks where it does."),
        click.option("--all", "everything", is_flag=True, help="Also what is no longer or not yet in force."),
        click.option("--now", metavar="T", help="The present for recency, to repeat scores."),
        click.option("--tag", "tags", multiple=True, metavar="T", help="Only records with this tag (repeatable)."),
        click.option(
            "--semantic/--no-semantic",
            default=None,
            help="By meaning too; this version: by words.",
        ),
        click.option("--area", metavar="AREA", help="Only records of this area."),
        click.option("--types", metavar="K,K", type=KINDS_GIVEN, help="Only these kinds."),
        click.option(
            "-k", "limit", metavar="N", type=int, default=5, show_default=True, help="How many hits (1 to 50)."
        ),
        click.argument("query", nargs=-1, required=True, type=QUERY),
    ):
        command = add(command)
    return command


def _search(session: Session, query: tuple[str, ...], options: dict[str, Any]) -> None:
    with_explanation = bool(options.pop("explain"))
    memory = session.memory()
    found = memory.search(
        text_argument(query),
        k=options["limit"],
        kinds=options["types"],
        area=options["area"],
        tags=options["tags"],
        as_of=session.as_of,
        valid_at=session.valid_at,
        now=options["now"],
        semantic=options["semantic"],
        all=options["everything"],
    )
    if session.as_json:
        print_json(found.as_dict(explain=with_explanation))
    elif session.plain:
        print_lines([_plain_hit(hit) for hit in found], session)
    else:
        print_lines(found_lines(found, explain=with_explanation), session)


@click.command(
    "recall",
    epilog='Example:  memtui recall --types engram -k 3 "who signs the release"',
)
@_search_options
@pass_session
def recall_command(session: Session, query: tuple[str, ...], **options: Any) -> None:
    """Find what is remembered about QUERY (`-` reads it from standard input)."""
    _search(session, query, options)


@click.command("search", epilog="Example:  memtui search --json E-4017")
@_search_options
@pass_session
def search_command(session: Session, query: tuple[str, ...], **options: Any) -> None:
    """Find records by QUERY; the same as recall, and never writes."""
    _search(session, query, options)


def _place(record: RecordView, line: int | None = None) -> str:
    path = record.content.path
    if path is None:
        return ""
    return visible(path if line is None else f"{path}:{line}")


def _plain_hit(hit: Hit) -> Line:
    """Name, place, title, and the state of what is not in force."""
    cells = [f"{hit.kind}/{visible(hit.name)}", _place(hit.record, hit.line), one_line(hit.title)]
    if hit.state != "in_force":
        cells.append(hit.state)
    return [("\t".join(cells), "")]


_BAR = "   │ "


def found_lines(found: Found, *, explain: bool) -> list[Line]:
    """An answer for a person: hits with their passages, what was hidden, and what ran."""
    lines: list[Line] = []
    for number, hit in enumerate(found.hits, 1):
        note = _STATE_NOTES[hit.state]
        mark = f"{number}. "
        lines.append(Hanging([(mark, "dim"), (one_line(hit.title), "bold"), (note, "red")], " " * len(mark)))
        place = _place(hit.record, hit.line)
        name = f"   {hit.kind}/{visible(hit.name)}"
        lines.append([(name, "cyan"), (f"  {place}" if place else "", "dim"), (f"  {hit.rank_score:.2f}", "dim")])
        passage = hit.passage
        start = 0
        for text in passage.text.split("\n"):
            spans = [
                (max(a - start, 0), min(b - start, len(text)))
                for a, b in passage.spans
                if a < start + len(text) and b > start
            ]
            if text.strip() and text != hit.title:
                lines.append(Hanging([(_BAR, "dim"), *marked(text, spans)], _BAR))
            start += len(text) + 1
        if explain:
            lines.extend(_explanation_lines(hit.explanation))
        lines.append([])
    if not found.hits:
        lines.append([(f"Nothing found for {one_line(found.query)!r}.", "bold")])
        if found.closest:
            lines.append([(f"Closest names: {', '.join(visible(name) for name in found.closest)}", "")])
    if found.stale:
        files = "1 file has" if found.stale == 1 else f"{found.stale} files have"
        lines.append([(f"{files} changed since the last sync: `memtui sync` reads them", "yellow")])
    if found.hidden:
        lines.append([(f"{found.hidden} more no longer or not yet in force (--all shows them)", "dim")])
    if found.truncated_total:
        names = ", ".join(visible(key.name) for key in found.as_of_truncated[:5])
        lines.append([(f"Blind spot: {found.truncated_total} records were first seen later ({names} …)", "yellow")])
    how = found.reason if found.degraded and found.reason else "by words"
    lines.append([(f"{found.plane} ({how}) · {found.took_ms:.1f} ms", "dim")])
    return lines


def _explanation_lines(explanation: Explanation) -> list[Line]:
    lines: list[Line] = []
    for depth, node in explanation.walk():
        how = {"sum": "Σ ", "product": "× ", "max": "max "}.get(node.composition, "")
        detail = f"  ({visible(node.detail)})" if node.detail else ""
        value = f"     {'  ' * depth}{node.value:8.3f}  "
        lines.append(Hanging([(value, "green"), (f"{how}{visible(node.label)}{detail}", "dim")], " " * len(value)))
    return lines


@click.command("list", epilog="Example:  memtui list --types engram --all")
@click.option("--types", metavar="K,K", type=KINDS_GIVEN, help="Only these kinds.")
@click.option("--all", "everything", is_flag=True, help="Also what is no longer or not yet in force.")
@click.option("--names", is_flag=True, help="Only names, one a line.")
@click.option("--limit", metavar="N", type=click.IntRange(min=0), help="At most this many.")
@reading_options
@common_options
@pass_session
def list_command(session: Session, types: str | None, everything: bool, names: bool, limit: int | None) -> None:
    """List records without scores: those in force, unless --all."""
    listing = session.memory().list(
        kinds=types, all=everything, limit=limit, as_of=session.as_of, valid_at=session.valid_at
    )
    if session.as_json:
        print_json(listing.as_dict())
        return
    if names:
        print_lines([[(visible(record.key.name), "")] for record in listing], session)
        return
    lines: list[Line] = []
    for record in listing:
        kind, name = record.key.kind, visible(record.key.name)
        if session.plain:
            lines.append([("\t".join((f"{kind}/{name}", record.state, one_line(record.title))), "")])
            continue
        lines.append([(f"{kind}/{name}", "cyan"), (_STATE_NOTES[record.state], "red")])
        if record.title != record.key.name:
            lines.append([(f"   {one_line(record.title)}", "")])
    if not session.plain:
        lines.append([(_how_many(listing), "dim")])
    print_lines(lines, session)


def _how_many(listing: Listing) -> str:
    shown, total = len(listing), counted(listing.total, "record")
    return total if shown == listing.total else f"{shown:,} of {total}"


@click.command("show", epilog="Example:  memtui show decisions/db-choice")
@click.argument("name")
@reading_options
@common_options
@pass_session
def show_command(session: Session, name: str) -> None:
    """Show one record in full, by name, kind/name, alias or a unique prefix of at least four characters."""
    from memtui.model.canonical import content_as_dict

    memory = session.memory()
    record = memory.show(name, as_of=session.as_of, valid_at=session.valid_at)
    if session.as_json:
        whole = content_as_dict(record.content)
        print_json(
            {
                **record.as_list_item(),
                "body": whole.get("body"),
                # Only these are ours to read; what the author wrote beside them is given as it is.
                **{part: _instants(whole.get(part), stamps) for part, stamps in _STAMPS.items()},
                "extra": whole.get("extra"),
            }
        )
        return
    print_lines(_record_lines(record, memory.zone), session)


def _record_lines(record: RecordView, zone: tzinfo) -> list[Line]:
    """One record in full, for a person: its times are those of the reader's clock."""
    from memtui.tui.moments import local

    def moment(instant: Instant) -> str:
        return local(instant, zone)

    content = record.content
    lines: list[Line] = [
        [(visible(record.title), "bold"), (_STATE_NOTES[record.state], "red")],
        [(f"{record.key.kind}/{visible(record.key.name)}", "cyan"), (f"  {_place(record, content.line)}", "dim")],
    ]
    since = "" if content.valid_from is None else f"since {moment(content.valid_from)}"
    until = "" if content.valid_to is None else f" until {moment(content.valid_to)}"
    details = [
        ("area", content.area),
        ("tags", ", ".join(content.tags)),
        ("owner", content.owner),
        ("true", f"{since}{until}".strip()),
        ("not true", "; ".join(f"{moment(r.valid_to)} until {moment(r.revived_at)}" for r in content.revivals)),
        ("recorded", moment(record.recorded_at)),
        ("superseded by", content.superseded_by),
        ("claims", ", ".join(str(claim) for claim in content.claims)),
        ("sources", ", ".join(content.source_refs)),
    ]
    lines.extend(
        Hanging([(f"  {label:14}", "dim"), (visible(value), "")], " " * 16) for label, value in details if value
    )
    for text in (content.summary if content.summary != record.title else None, content.body):
        if text:
            lines.append([])
            lines.extend(_text_line(visible(row)) for row in text.rstrip().split("\n"))
    return lines


_BULLET = re.compile(r"\s*(?:(?:[-*+]|[0-9]{1,3}[.)]) (?:\[[ xX]\] )?)?")


def _text_line(row: str) -> Line:
    """A row of a text: what does not fit goes on under its words, not under its bullet."""
    lead = _BULLET.match(row)
    return Hanging([(row, "")], " " * (lead.end() if lead else 0))


_STAMPS: dict[str, frozenset[str]] = {
    "claims": frozenset({"valid_from", "valid_to"}),
    "links": frozenset(),
    "revivals": frozenset({"valid_to", "revived_at"}),
    "encoding_context": frozenset({"created_at"}),
}
"""Which members of the nested fields are instants."""


def _instants(value: Any, stamps: frozenset[str]) -> Any:
    """A nested field with its instants as ISO text."""
    if isinstance(value, list):
        return [_instants(item, stamps) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {
            key: _stamp(item) if key in stamps and isinstance(item, int) else item
            for key, item in cast("dict[str, Any]", value).items()
        }
    return value


def _stamp(instant: int) -> str | int:
    """ISO text, or the number where no calendar reaches: a ledger may come from elsewhere."""
    return iso(instant) if MIN_INSTANT <= instant <= MAX_INSTANT else instant


@click.command("status", epilog="Example:  memtui status --json")
@reading_options
@common_options
@pass_session
def status_command(session: Session) -> None:
    """Show counts, health and freshness of the vault."""
    from memtui.memory.asking import belief_state
    from memtui.tui.moments import local

    memory = session.memory()
    status = memory.status(belief_state(None, session.as_of, session.valid_at, memory.zone))
    if session.as_json:
        print_json(status.as_dict())
        return
    lines: list[Line] = [[(visible(status.vault), "bold"), (f"  ({visible(status.workspace)})", "dim")]]
    lines.extend([(f"  {kind:10}", "cyan"), (f"{count:6}", "")] for kind, count in status.counts.items() if count)
    lines.append(
        [("  records   ", "bold"), (f"{status.records:6}", "bold"), (f"  ({status.forgotten} forgotten)", "dim")]
    )
    synced = local(status.last_sync, memory.zone) if status.last_sync is not None else "never"
    changed = counted(status.stale, "file") if status.stale else "no file"
    lines.append([(f"  last sync {synced} · {changed} changed since", "dim")])
    size = f"{status.size_bytes / 1_048_576:.1f} MiB"
    lines.append([(f"  index     {counted(status.index_rows, 'text')}, analyser {status.analyser} · {size}", "dim")])
    lines.append([("  search    lexical (no embedder in this version)", "dim")])
    lines.extend(Hanging([("  ! ", "red"), (visible(warning), "red")], "    ") for warning in status.warnings)
    if status.problems:
        lines.append([(f"  {counted(len(status.problems), 'problem')}:", "yellow")])
        lines.extend(Hanging([("    ", ""), (visible(str(problem)), "yellow")], " " * 6) for problem in status.problems)
    print_lines(lines, session)
