"""Commands that search: recall and search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from memtui.doors.cli.arguments import KINDS_GIVEN, QUERY, TextCommand, hits_option
from memtui.doors.cli.output import Hanging, Line, counted, marked, on_the_readers_clock, print_json, print_lines, say
from memtui.doors.cli.session import Session, common_options, pass_session, reading_options, text_argument
from memtui.model.explaining import HOW_TO_READ_IT, named, reason
from memtui.model.explanation import Explanation
from memtui.model.records import RecordKey
from memtui.model.results import FUSIONS, ORDERS, Found, Hit, RecordView
from memtui.text.visible import one_line, visible

STATE_NOTES = {
    "in_force": "",
    "not_yet": " (not yet true)",
    "forgotten": " (forgotten)",
    "superseded": " (superseded)",
}
OVERRIDDEN_NOTE = " (overridden by a later entry)"
CONTRADICTED_NOTE = " (contradicted by another memory)"


def _search_options(command: Any) -> Any:
    command = reading_options(common_options(command))
    for add in (
        click.option("--explain", is_flag=True, help="Show why each hit ranks where it does."),
        click.option("--all", "everything", is_flag=True, help="Also what is no longer or not yet in force."),
        click.option("--now", metavar="T", help="The present for recency and fading, to repeat scores."),
        click.option("--tag", "tags", multiple=True, metavar="T", help="Only records with this tag (repeatable)."),
        click.option(
            "--semantic/--no-semantic",
            default=None,
            help="Also by meaning, or by words alone (default: by meaning where words leave it open).",
        ),
        click.option(
            "--fusion",
            type=click.Choice(FUSIONS),
            default="adaptive",
            show_default=True,
            help="How words and meaning are put together.",
        ),
        click.option(
            "--sort",
            "order",
            type=click.Choice(ORDERS),
            default="relevance",
            show_default=True,
            help="What the hits are sorted by, all of them, before -k takes the first.",
        ),
        click.option("--area", metavar="AREA", help="Only records of this area and what lies under it."),
        click.option("--types", metavar="K,K", type=KINDS_GIVEN, help="Only these kinds."),
        hits_option("hits", 5),
        click.argument("query", nargs=-1, required=True, type=QUERY),
    ):
        command = add(command)
    return command


def _asked(session: Session, options: dict[str, Any]) -> dict[str, Any]:
    """The options in the core's words."""
    return {
        "k": options["limit"],
        "kinds": options["types"],
        "area": options["area"],
        "tags": options["tags"],
        "as_of": session.as_of,
        "valid_at": session.valid_at,
        "now": options["now"],
        "semantic": options["semantic"],
        "fusion": options["fusion"],
        "order": options["order"],
        "all": options["everything"],
        "personal": session.personal,
    }


def _answer(found: Found, session: Session, *, explain: bool) -> None:
    if session.as_json:
        print_json(found.as_dict(explain=explain))
        return
    sync = session.command("sync")
    if session.plain:
        print_lines([_plain_hit(hit) for hit in found], session)
        if found.degraded:
            say(f"memtui: {found.plane} ({_how(found)})")
        for line in _reservations(found, sync):
            say("memtui: " + "".join(text for text, _ in line))
        return
    print_lines(found_lines(found, explain=explain, sync=sync), session)


@click.command(
    "recall",
    cls=TextCommand,
    epilog='Example:  memtui recall --types engram -k 3 "who signs the release"',
)
@_search_options
@click.option("--no-reconsolidate", is_flag=True, help="Do not note that it was recalled.")
@pass_session
def recall_command(session: Session, query: tuple[str, ...], no_reconsolidate: bool, **options: Any) -> None:
    """Find what is remembered about QUERY (`-` reads it from standard input).

    QUERY is words, and where wanted "an exact phrase", -word (without it) and filters: kind: area: tag: is: claim:
    rating: before: after: recorded-before: recorded-after:. A date is 2026-08-01, 2026-08, yesterday, 6w (weeks ago),
    "3 weeks ago"; area: takes what lies under it along. Filters alone, or *, list what is newest. A star directly after
    the last word (depl*) makes it the beginning of others.

    What is recalled often fades more slowly: that each engram found was recalled is noted afterwards.
    """
    memory = session.memory()
    found = memory.recall(text_argument(query), reconsolidate=False, **_asked(session, options))
    _answer(found, session, explain=options["explain"])
    if not no_reconsolidate and not session.read_only:
        memory.reconsolidate(found, personal=session.personal)


@click.command("search", cls=TextCommand, epilog='Example:  memtui search --json "kettle kind:engram is:pinned -draft"')
@_search_options
@click.option("--no-reconsolidate", is_flag=True, hidden=True, expose_value=False)  # what it asks for is so anyway
@pass_session
def search_command(session: Session, query: tuple[str, ...], **options: Any) -> None:
    """Find records by QUERY; as recall, but never writes, and what was recalled before has no say.

    QUERY is words, phrases and filters, as `memtui recall --help` tells.
    """
    found = session.memory().search(text_argument(query), **_asked(session, options))
    _answer(found, session, explain=options["explain"])


def state_note(record: RecordView) -> str:
    """What is to be known of how a record stands; empty where it simply holds."""
    told = STATE_NOTES[record.state] + (OVERRIDDEN_NOTE if record.overridden else "")
    return told + (CONTRADICTED_NOTE if record.contradicted else "")


def place_of(record: RecordView, line: int | None = None) -> str:
    """Where a record lies in the vault, for a person; empty for one without a file."""
    path = record.content.path
    if path is None:
        return ""
    return visible(path if line is None else f"{path}:{line}")


def _plain_hit(hit: Hit) -> Line:
    """Name, place, title, the state of what does not simply hold, and what brought it along."""
    cells = [f"{hit.kind}/{visible(hit.name)}", place_of(hit.record, hit.line), one_line(hit.title)]
    if hit.state != "in_force":
        cells.append(hit.state)
    if hit.overridden:
        cells.append("overridden")
    if hit.record.contradicted:
        cells.append("contradicted")
    if hit.via is not None:
        cells.append(f"via {visible(hit.via)}")
    return [("\t".join(cells), "")]


_BAR = "   │ "


def found_lines(found: Found, *, explain: bool, sync: str = "`memtui sync`") -> list[Line]:
    """An answer for a person: hits with their passages, what was hidden, and what ran."""
    lines: list[Line] = []
    for number, hit in enumerate(found.hits, 1):
        lines += [*_hit_lines(number, hit), *(_explanation_lines(hit.explanation) if explain else []), []]
    if explain and found.hits:
        lines.append(Hanging([(HOW_TO_READ_IT, "dim")], "  "))
    if not found.hits:
        lines.append([(f"Nothing found for {one_line(found.query)!r}.", "bold")])
        if found.filtered_out:
            lines.append([(_left_out(found), "")])
        if found.closest:
            lines.append([(f"Closest names: {', '.join(visible(name) for name in found.closest)}", "")])
    lines.extend(_reservations(found, sync))
    if found.hidden:
        lines.append([(f"{found.hidden} more no longer or not yet in force (--all shows them)", "dim")])
    order = "" if found.order == "relevance" else f" · sorted by {found.order}"
    lines.append([(f"{found.plane} ({_how(found)}){order} · {found.took_ms:.1f} ms", "dim")])
    return lines


def _left_out(found: Found) -> str:
    """How many records the words alone would have found, and what they lack."""
    match = "matches" if found.filtered_out == 1 else "match"
    return f"{counted(found.filtered_out, 'record')} {match} the words but not the {found.understood.narrowed_by}"


def _how(found: Found) -> str:
    """What ran, and why not more."""
    if found.degraded and found.reason:
        return visible(found.reason)
    ran = "by words and meaning" if found.plane == "hybrid" else "by words"
    if found.as_of is not None or found.reason is None:  # of a past answer the reason is a reservation of its own
        return ran
    return found.reason if ran in found.reason else f"{ran}, {found.reason}"


def _hit_lines(number: int, hit: Hit) -> list[Line]:
    mark = f"{number}. "
    note = state_note(hit.record)
    lines: list[Line] = [Hanging([(mark, "dim"), (one_line(hit.title), "bold"), (note, "red")], " " * len(mark))]
    place = place_of(hit.record, hit.line)
    name = f"   {hit.kind}/{visible(hit.name)}"
    via = "" if hit.via is None else f"  via {visible(hit.via)}"
    lines.append([(name, "cyan"), (f"  {place}" if place else "", "dim"), (f"  {hit.rank_score:.2f}{via}", "dim")])
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
    return lines


_NAMED_BLIND_SPOTS = 8


def _reservations(found: Found, sync: str) -> list[Line]:
    """What an answer cannot vouch for: what it could not apply, files it has not read, and what it was blind to."""
    lines: list[Line] = []
    if found.by_meaning_alone:
        lines.append([("no word of it was found: these are only near in meaning", "dim")])
    lines += [Hanging([(visible(said), "yellow")], "  ") for said in (*found.understood.reservations, *found.unheld)]
    if found.stale:
        lines.append([(staleness(found.stale, sync), "yellow")])
    if found.reason and found.as_of is not None and not found.degraded:
        lines.append([(visible(on_the_readers_clock(found.reason)), "yellow")])
    if found.truncated_total:
        lines.append(blind_spots(found.as_of_truncated, found.truncated_total))
    return lines


def staleness(stale: int, sync: str) -> str:
    """How far the files are ahead of an answer."""
    files = "1 file has" if stale == 1 else f"{stale:,} files have"
    return f"{files} changed since the last sync: {sync} reads {'it' if stale == 1 else 'them'}"


def blind_spots(keys: Sequence[RecordKey], total: int) -> Line:
    """Records that may have been there already though no one had looked, by name."""
    names = [f"{key.kind}/{visible(key.name)}" for key in keys[:_NAMED_BLIND_SPOTS]]
    if total > len(names):
        names.append(f"and {total - len(names):,} more")
    text = f"blind spot: {counted(total, 'record')} first seen later may have been there already ({', '.join(names)})"
    return Hanging([(text, "yellow")], "  ")


def _explanation_lines(explanation: Explanation) -> list[Line]:
    lines: list[Line] = []
    if said := reason(explanation):
        lines.append(Hanging([(f"     {said}", "")], "     "))
    for depth, node in explanation.walk():
        detail = f"  ({visible(node.detail)})" if node.detail else ""
        value = f"     {'  ' * depth}{node.value:8.3f}  "
        lines.append(Hanging([(value, "green"), (f"{visible(named(node))}{detail}", "dim")], " " * len(value)))
    return lines
