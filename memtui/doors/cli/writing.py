"""Commands that write memories: remember, update, supersede, forget, revive."""

from __future__ import annotations

from typing import Any

import click

from memtui.doors.cli.arguments import TextCommand
from memtui.doors.cli.fields import MEMORY_KIND, given_fields, memory_options
from memtui.doors.cli.names import RecordName
from memtui.doors.cli.output import report
from memtui.doors.cli.session import Session, common_options, pass_session
from memtui.errors import InvalidInput


@click.command(
    "remember",
    cls=TextCommand,
    epilog='Example:  memtui remember "The staging port is 5433" --tag ops',
)
@click.argument("summary")
@click.option("--name", help="Name it; without one it is called `rem-` and ten digits that its text gives.")
@click.option("--kind", type=MEMORY_KIND, metavar="KIND", default="engram", help="engram, research or evidence.")
@memory_options
@click.option("--reference-time", metavar="T", help="When it was said or written: since then it is true, unless given.")
@click.option("--pin", "pinned", is_flag=True, default=None, help="Never propose it for expiry.")
@click.option("--if-new", is_flag=True, help="Refuse it where another memory says nearly the same.")
@common_options
@pass_session
def remember_command(session: Session, summary: str, name: str | None, kind: str, if_new: bool, **options: Any) -> None:
    """Record SUMMARY as a memory (`-` reads it from standard input).

    Declare a --claim only for what a later value would make false (a plan, a place, a status);
    never for values that accumulate, nor for events.
    """
    given = given_fields({"summary": summary, **options})
    written = session.memory().remember(
        given.pop("summary"),
        name=name,
        kind=kind,
        gate="refuse" if if_new else "warn",
        personal=session.personal,
        **given,
    )
    report(written, session)


@click.command("update", epilog="Example:  memtui update staging-port --tag ops --valid-to open")
@click.argument("name", type=RecordName("living"))
@click.option("--summary", help="What is remembered (`-` reads it from standard input).")
@memory_options
@click.option("--no-claims", is_flag=True, help="Take all its claims away.")
@click.option("--pin/--unpin", "pinned", default=None, help="Whether it may ever be proposed for expiry.")
@click.option("--description", help="Of a document: the description in its file.")
@click.option("--content", help="Of a document: the whole text below its fields (`-` reads it from standard input).")
@click.option("--append", help="Of a document: text to add at its end (`-` reads it from standard input).")
@common_options
@pass_session
def update_command(session: Session, name: str, no_claims: bool, **options: Any) -> None:
    """Correct the memory NAME, or edit the file of the document NAME.

    What is not given stays; an option that may be repeated replaces the whole list, and an empty
    text ("") takes a field away. To say that something else is true now, use `supersede`.
    """
    given = given_fields(options)
    if no_claims:
        if "claims" in given:
            raise InvalidInput("--claim and --no-claims contradict each other", field="--no-claims")
        given["claims"] = ()
    report(session.memory().update(name, personal=session.personal, **given), session)


@click.command(
    "supersede",
    cls=TextCommand,
    epilog='Example:  memtui supersede staging-port "The staging port is 6000"',
)
@click.argument("name", type=RecordName("memories"))
@click.argument("summary")
@click.option(
    "--name",
    "new_name",
    metavar="NEW",
    help="Name the new memory (without one: `rem-` and ten digits that its text gives).",
)
@click.option("--keep-claims", is_flag=True, help="Take the old claims over too.")
@click.option("--at", metavar="T", help="Since when the new one is true (default: now).")
@click.option("--reason", help="Why it is replaced.")
@memory_options
@click.option("--pin", "pinned", is_flag=True, default=None, help="Never propose it for expiry.")
@common_options
@pass_session
def supersede_command(
    session: Session,
    name: str,
    summary: str,
    new_name: str | None,
    keep_claims: bool,
    at: str | None,
    reason: str | None,
    **options: Any,
) -> None:
    """Replace the memory NAME by a new one that says SUMMARY (`-` reads it from standard input).

    The old one is true until then and stays in the history. Area, tags, sources, links and owner are taken
    over unless given, of evidence also its rating and what it supports and refutes; claims only with
    --keep-claims, findings never. To mend a mistake in what was said, use `update`.
    """
    given = given_fields({"summary": summary, **options})
    written = session.memory().supersede(
        name,
        given.pop("summary"),
        name=new_name,
        at=at,
        keep_claims=keep_claims,
        reason=reason,
        personal=session.personal,
        **given,
    )
    report(written, session)


@click.command("forget", epilog="Example:  memtui forget old-port --superseded-by new-port")
@click.argument("name", type=RecordName("memories"))
@click.option("--superseded-by", type=RecordName("memories"), metavar="NAME", help="The memory that replaces it.")
@click.option("--reason", help="Why it is forgotten.")
@click.option(
    "--at", metavar="T", help="When it stopped being true (default: now). An end to come: `update --valid-to`."
)
@common_options
@pass_session
def forget_command(session: Session, name: str, superseded_by: str | None, reason: str | None, at: str | None) -> None:
    """End the validity of the memory NAME. It stays, with its history, and can be revived."""
    written = session.memory().forget(
        name, superseded_by=superseded_by, reason=reason, at=at, personal=session.personal
    )
    report(written, session)


@click.command("revive", epilog="Example:  memtui revive old-port")
@click.argument("name", type=RecordName("ended"))
@click.option("--by", metavar="WHO", help="Who brought it back (default: the actor).")
@common_options
@pass_session
def revive_command(session: Session, name: str, by: str | None) -> None:
    """Bring the forgotten memory NAME back; the time it was out of force stays on record."""
    report(session.memory().revive(name, by=by, personal=session.personal), session)
