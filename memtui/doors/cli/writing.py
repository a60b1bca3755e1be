"""Commands that write memories: remember, forget, revive."""

from __future__ import annotations

import re
from typing import Any

import click

from memtui.doors.cli.output import print_json, print_lines
from memtui.doors.cli.session import Session, common_options, pass_session, text_argument
from memtui.model.results import Written
from memtui.text.visible import visible


def _report(written: Written, session: Session) -> None:
    name = f"{written.key.kind}/{visible(written.key.name)}"
    words = written.outcome.replace("_", " ")
    session.done = f"{name} is {words}"
    if session.as_json:
        print_json(written.as_dict())
        return
    note = f"  ({visible(_on_the_readers_clock(written.note))})" if written.note else ""
    print_lines([[(words, "bold green"), (f"  {name}", "cyan"), (note, "dim")]], session)


_ISO = re.compile(r"\b[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z")


def _on_the_readers_clock(note: str) -> str:
    """The core's sentence with its instants in the reader's zone: this one is for a person."""
    from memtui.text.dates import local_zone, parse_instant
    from memtui.tui.moments import local

    zone = local_zone()
    return _ISO.sub(lambda found: local(parse_instant(found[0], zone), zone), note)


@click.command(
    "remember",
    epilog='Example:  memtui remember "The staging port is 5433" --tag ops',
)
@click.argument("summary")
@click.option("--name", help="Name it; without one it is named after its text.")
@click.option("--title", help="A headline.")
@click.option("--body", help="The long text, beside the summary.")
@click.option("--area", help="What it is about: `Kind/name`, or a topic.")
@click.option("--tag", "tags", multiple=True, metavar="T", help="A tag (repeatable).")
@click.option("--affect", help="Emotional tag: triumph, regret, surprise, wistful, ominous, or your own.")
@click.option("--affect-reason", help="Why, in at least 20 characters.")
@click.option("--confidence", metavar="C", help="1 to 10, or faint, firm, burning.")
@click.option("--stability-days", type=float, metavar="DAYS", help="How slowly it fades.")
@click.option("--claim", "claims", multiple=True, metavar="C", help="SUBJECT::predicate=object (repeatable).")
@click.option("--source-ref", "source_refs", multiple=True, metavar="R", help="Evidence: commit:…, file:…, url:…")
@click.option("--owner", help="Who wrote it (default: the actor).")
@click.option("--valid-from", metavar="T", help="Since when it is true (default: now).")
@click.option("--valid-to", metavar="T", help="Until when it was true.")
@click.option("--pin", "pinned", is_flag=True, default=None, help="Never propose it for expiry.")
@common_options
@pass_session
def remember_command(session: Session, summary: str, name: str | None, **fields: Any) -> None:
    """Record SUMMARY as a memory (`-` reads it from standard input).

    Declare a --claim only for what a later value would make false (a plan, a place, a status);
    never for values that accumulate, nor for events.
    """
    given = {field: value for field, value in fields.items() if value not in (None, ())}
    _report(session.memory().remember(text_argument(summary), name=name, **given), session)


@click.command("forget", epilog="Example:  memtui forget old-port --superseded-by new-port")
@click.argument("name")
@click.option("--superseded-by", metavar="NAME", help="The memory that replaces it.")
@click.option("--reason", help="Why it is forgotten.")
@click.option("--at", metavar="T", help="When it stopped being true (default: now).")
@common_options
@pass_session
def forget_command(session: Session, name: str, superseded_by: str | None, reason: str | None, at: str | None) -> None:
    """End the validity of the memory NAME. It stays, with its history, and can be revived."""
    _report(session.memory().forget(name, superseded_by=superseded_by, reason=reason, at=at), session)


@click.command("revive", epilog="Example:  memtui revive old-port")
@click.argument("name")
@click.option("--by", metavar="WHO", help="Who brought it back (default: the actor).")
@common_options
@pass_session
def revive_command(session: Session, name: str, by: str | None) -> None:
    """Bring the forgotten memory NAME back; the time it was out of force stays on record."""
    _report(session.memory().revive(name, by=by), session)
