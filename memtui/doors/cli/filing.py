"""Commands about files: note, delete, import, export."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memtui.doors.cli.arguments import FILE, Suggested, TextCommand
from memtui.doors.cli.names import RecordName
from memtui.doors.cli.output import Line, counted, print_json, print_lines, problem_lines, report, say
from memtui.doors.cli.session import Session, as_of_option, common_options, pass_session, text_argument
from memtui.doors.cli.streams import answering
from memtui.errors import InvalidInput, Refused
from memtui.text.visible import visible

if TYPE_CHECKING:
    from memtui.model.outcomes import Exported, Imported


@click.command("note", cls=TextCommand, epilog='Example:  memtui note "The scale at Milas was calibrated" --type fix')
@click.argument("text")
@click.option("--type", "entry_type", metavar="TYPE", default="note", show_default=True, help="What sort of entry.")
@click.option("--scope", metavar="SCOPE", default="quick", show_default=True, help="What part of the work it is about.")
@click.option("--summary", help="A headline of at most 200 characters.")
@click.option("--reference", "references", multiple=True, metavar="R", help="commit:…, file:…, task:… (repeatable).")
@click.option("--supersedes", type=RecordName("entries"), metavar="ID", help="The entry that this one replaces.")
@common_options
@pass_session
def note_command(
    session: Session,
    text: str,
    entry_type: str,
    scope: str,
    summary: str | None,
    references: tuple[str, ...],
    supersedes: str | None,
) -> None:
    """Append TEXT to the vault's change log (`-` reads it from standard input).

    The entry is called by twelve digits that its date, scope and text give; the answer tells them.
    """
    session.refuse_personal(
        "the change log is a vault's; personal memories have none",
        "leave --personal out, or remember it: `memtui --personal remember TEXT`",
    )
    written = session.memory().note(
        text_argument(text).rstrip("\n"),
        type=entry_type,
        scope=scope,
        summary=summary,
        references=references,
        supersedes=supersedes,
    )
    report(written, session)


@click.command("delete", epilog="Example:  memtui delete notes/old-plan --force")
@click.argument("name", type=RecordName("documents"))
@click.option("--force", is_flag=True, help="Do not ask. In a pipe nothing is deleted without it.")
@common_options
@pass_session
def delete_command(session: Session, name: str, force: bool) -> None:
    """Remove the file of the document NAME. The ledger keeps its versions; memories are never deleted."""
    memory = session.memory()
    try:
        written = memory.delete(name, force=force, personal=session.personal)
    except Refused as refusal:
        # Everything else that stands in the way was told before this one question.
        if force or "--force" not in (refusal.hint or "") or not _can_be_asked(session):
            raise
        if not click.confirm(visible(f"{refusal.message}; go on?"), err=True):
            say("nothing was deleted")
            click.get_current_context().exit(1)
        written = memory.delete(name, force=True, personal=session.personal)
    report(written, session)


def _can_be_asked(session: Session) -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty() and not session.as_json


FORMATS = ("jsonl",)
_FORMAT = Suggested("format", lambda: FORMATS)


def _check_format(name: str | None) -> None:
    if name is not None and name not in FORMATS:
        raise InvalidInput(
            f"there is no format {name!r} in this version", field="--format", value=name, choices=FORMATS
        )


@click.command("import", epilog="Example:  memtui import memories.jsonl --dry-run")
@click.argument("path", type=FILE)
@click.option("--format", "file_format", type=_FORMAT, metavar="F", help="jsonl (default: told by the file).")
@click.option("--strict", is_flag=True, help="Any problem makes it fail (exit 1), and nothing is recorded.")
@click.option("--dry-run", is_flag=True, help="Say what would come in, and record nothing.")
@common_options
@pass_session
def import_command(session: Session, path: str, file_format: str | None, strict: bool, dry_run: bool) -> None:
    """Take memories over from the file PATH.

    A ledger made by `export` comes back as it was, if there is nothing yet; anything else comes in
    item by item, the good ones together, and the bad are listed by line.
    """
    _check_format(file_format)
    imported = session.memory().import_(
        Path(path), format=file_format, strict=strict, dry_run=dry_run, personal=session.personal
    )
    session.done = "nothing was recorded" if dry_run else "the import is recorded"
    if session.as_json:
        print_json({**imported.as_dict(), "dry_run": dry_run})
    else:
        print_lines(_imported_lines(imported, dry_run=dry_run), session)


def _imported_lines(imported: Imported, *, dry_run: bool) -> list[Line]:
    if imported.replayed:
        done = f"{_entries(imported.replayed, imported.recalls, imported.reviews)} replayed"
    else:
        done = f"{imported.added:,} added, {imported.updated:,} updated, {imported.unchanged:,} unchanged"
    note = "  (a dry run: nothing was recorded)" if dry_run else ""
    return [[(done, "bold"), (note, "dim")], *problem_lines(imported.problems)]


@click.command("export", epilog="Example:  memtui export --out memories.jsonl")
@click.option("--format", "file_format", type=_FORMAT, metavar="F", help="jsonl, the whole ledger (default).")
@click.option("--out", type=FILE, metavar="FILE", help="Write it there (default: to standard output).")
@click.option("--force", is_flag=True, help="Replace the file if it is there.")
@as_of_option
@common_options
@pass_session
def export_command(session: Session, file_format: str | None, out: str | None, force: bool) -> None:
    """Write the whole ledger, every version, recall and review, so that `import` can replay it elsewhere."""
    _check_format(file_format)
    if out is None and session.as_json:
        raise InvalidInput(
            "a ledger is many lines, and --json promises one document",
            field="--json",
            hint="give --out FILE; without --json the ledger goes to standard output",
        )
    if out is None:
        _to_standard_output(session)
        return
    exported = session.memory().export(Path(out), as_of=session.as_of, force=force, personal=session.personal)
    session.done = "the export is written"
    if session.as_json:
        print_json(exported.as_dict())
    else:
        print_lines([_exported_line(exported)], session)


def _exported_line(exported: Exported) -> Line:
    what = _entries(exported.versions, exported.recalls, exported.reviews)
    return [(f"{what} exported", "bold"), (f"  {visible(exported.path)}", "cyan")]


def _entries(versions: int, recalls: int, reviews: int) -> str:
    """What a ledger holds; reviews where there are any."""
    if not reviews:
        return f"{counted(versions, 'version')} and {counted(recalls, 'recall')}"
    return f"{counted(versions, 'version')}, {counted(recalls, 'recall')} and {counted(reviews, 'review')}"


def _to_standard_output(session: Session) -> None:
    """The ledger as it lies in a file: the answer begins only when all of it is known to be good."""
    with tempfile.TemporaryDirectory(prefix="memtui-export-") as folder:
        ledger = Path(folder) / "ledger.jsonl"
        session.memory().export(ledger, as_of=session.as_of, personal=session.personal)
        with ledger.open("rb") as lines, answering():
            sys.stdout.flush()
            shutil.copyfileobj(lines, sys.stdout.buffer)
