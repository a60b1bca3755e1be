"""dedup: whether a text is new, before it becomes a record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from memtui.doors.cli.arguments import FILE, KINDS_GIVEN, hits_option
from memtui.doors.cli.output import Hanging, Line, print_json, print_lines, say
from memtui.doors.cli.reading import staleness
from memtui.doors.cli.session import Session, common_options, pass_session
from memtui.doors.cli.streams import read_standard_input
from memtui.model.duplicates import Dedup, Nearest
from memtui.model.records import RecordKey
from memtui.text.visible import one_line, visible

_STYLES = {"MERGE": "bold red", "REVIEW": "bold yellow", "CREATE": "bold green"}


@click.command("dedup", epilog="Example:  memtui dedup draft.md --if-present")
@click.argument("file", metavar="FILE|-", type=FILE)
@click.option("--if-present", is_flag=True, help="By meaning, or not at all where nothing is embedded (CREATE).")
@click.option("--types", metavar="K,K", type=KINDS_GIVEN, help="Compare with these kinds only.")
@hits_option("records", 5)
@common_options
@pass_session
def dedup_command(session: Session, file: str, if_present: bool, types: str | None, limit: int) -> None:
    """Say whether what FILE holds is as good as known (`-` reads standard input), before it is kept.

    MERGE: a record says the same; update that one. REVIEW: look at the nearest first. CREATE: it is new. Records in
    force are compared by meaning where they are embedded, else by words. Nothing is written, and every verdict
    exits 0.
    """
    from memtui.vault.scanning import LARGEST

    candidate = read_standard_input(LARGEST, "give the part of it that is new") if file == "-" else Path(file)
    found = session.memory().dedup(candidate, kinds=types, k=limit, if_present=if_present, personal=session.personal)
    if session.as_json:
        print_json(found.as_dict())
    elif session.plain:
        print_lines([[(found.verdict, "")], *(_plain_row(near) for near in found.nearest)], session)
        for sentence in _reservations(found, session):
            say(f"memtui: {sentence}")
    else:
        print_lines(_lines(found, session), session)


def _plain_row(near: Nearest) -> Line:
    """Name, file, title, how near it is and by what, and what that advises."""
    name = f"{near.key.kind}/{visible(near.key.name)}"
    cells = (
        name,
        visible(near.path or ""),
        one_line(near.title or ""),
        f"{near.similarity:.4f}",
        near.by,
        near.verdict,
    )
    return [("\t".join(cells), "")]


def _lines(found: Dedup, session: Session) -> list[Line]:
    lines: list[Line] = [[(found.verdict, _STYLES[found.verdict]), (f"  {_advice(found, session)}", "")]]
    for near in found.nearest:
        verdict = "" if near.verdict == "CREATE" else near.verdict
        name = f"{near.key.kind}/{visible(near.key.name)}"
        place = f"  {visible(near.path)}" if near.path else ""
        share = "  word for word" if near.verbatim else f"  {near.similarity:.2f} by {near.by}"
        lines.append([(f"   {verdict:<6}  ", _STYLES[near.verdict]), (name, "cyan"), (place + share, "dim")])
        if near.title and near.title != near.key.name:
            lines.append(Hanging([(f"           {one_line(near.title)}", "")], " " * 11))
    lines += [[(sentence, "yellow")] for sentence in _reservations(found, session)]
    return lines


def _advice(found: Dedup, session: Session) -> str:
    if not found.checked:
        return "nothing was compared"
    if found.verdict == "CREATE":
        return "nothing is near enough to be called the same; the nearest:" if found.nearest else "nothing is like it"
    name = visible(found.nearest[0].key.name)
    if found.verdict == "MERGE":
        return f"{name} says the same: {session.command(f'update {name} …')} instead of keeping both"
    return f"{name} may say the same: look at it before you keep both"


def _reservations(found: Dedup, session: Session) -> list[str]:
    """What was not compared, or not by meaning."""
    reserved = [_left_out(found.left_out)] if found.left_out else []
    reserved += [visible(session.as_typed(found.reason) or "")] if found.reason else []
    if found.stale:
        reserved.append(staleness(found.stale, session.command("sync")))
    return reserved


def _left_out(own: Sequence[RecordKey]) -> str:
    """That a file of the vault was not compared with what the vault has read from it."""
    first = f"{own[0].kind}/{visible(own[0].name)}"
    if len(own) == 1:
        return f"its own record, {first}, is left out"
    return f"its own {len(own):,} records, {first} and so on, are left out"
