"""Commands about vaults: init and sync."""

from __future__ import annotations

import os
import sys

import click

from memtui.doors.cli.arguments import FOLDER
from memtui.doors.cli.output import Hanging, Line, counted, print_json, print_lines, problem_lines
from memtui.doors.cli.session import Session, common_options, folder_named, pass_session
from memtui.doors.cli.streams import complain
from memtui.model.outcomes import SyncReport
from memtui.text.visible import visible


@click.command("init", epilog="Example:  memtui init ~/notes")
@click.argument("directory", required=False, type=FOLDER)
@common_options
@pass_session
def init_command(session: Session, directory: str | None) -> None:
    """Make DIRECTORY (default: here) a vault: a private `.memtui/` that git ignores."""
    from memtui.memory.opening import open_memory

    session.refuse_personal(
        "personal memories need no vault, so there is none to make",
        "their store is made when the first one is remembered; leave --personal out to make a vault",
    )
    root = folder_named(directory or session.vault or ".")
    existed = os.path.isdir(root / ".memtui")
    memory = open_memory(root, create=True, actor=session.who(), resident=False)
    memory.make_store()
    session.done = f"{visible(str(memory.vault))} is a vault"
    if session.as_json:
        print_json({"vault": str(memory.vault), "created": not existed})
        return
    words = "is a vault already" if existed else "is a vault now"
    print_lines([[(f"{visible(str(memory.vault))} {words}", "bold")], [("next: memtui sync", "dim")]], session)


@click.command("sync", epilog="Example:  memtui sync --strict")
@click.option("--strict", is_flag=True, help="Any problem makes it fail (exit 1), and nothing is recorded.")
@common_options
@pass_session
def sync_command(session: Session, strict: bool) -> None:
    """Bring the ledger up to the vault's files; says what was new, changed, gone, and what could not be read.

    With --personal: up to the `base` folders of your own settings, which all your personal reads share.
    """
    memory = session.memory(create=True)
    watched = sys.stderr.isatty() and not session.as_json
    report = memory.sync(progress=_progress if watched else None, strict=strict, personal=session.personal)
    if watched:
        complain(_CLEAR)
    session.done = "the sync is recorded"
    if session.as_json:
        print_json(report.as_dict())
    else:
        waiting = memory.status(personal=session.personal).texts_waiting
        print_lines([*summary_lines(report), *_embedding_lines(waiting, session)], session)


def _embedding_lines(waiting: int, session: Session) -> list[Line]:
    """What a sync leaves to be done for searches by meaning."""
    if not waiting:
        return []
    verb = "waits" if waiting == 1 else "wait"
    how = f"{session.command('embed refresh')} does it, or the screen while it is open"
    return [[(f"{counted(waiting, 'text')} {verb} to be embedded: {how}", "dim")]]


_CLEAR = "\r\x1b[K"
"""Back to the beginning of the row, and nothing on it."""


def _progress(done: int, total: int, path: str) -> None:
    """A counter on standard error, for the person who watches."""
    if total <= 50:
        return
    if done == total - 1:
        complain(f"{_CLEAR}recording what {total:,} files say …")
    elif done % 20 == 0:
        complain(f"{_CLEAR}reading {done:,} of {total:,} files")


_MOST_SKIPPED = 5
"""How many of the files left out a summary names."""


def summary_lines(report: SyncReport) -> list[Line]:
    """What a sync did, in words."""
    lines: list[Line] = [
        [
            (f"{report.added} added, {report.changed} changed, {report.vanished} vanished", "bold"),
            (
                f", {report.unchanged} unchanged · {counted(report.skipped, 'file')} skipped · {report.took_ms:.0f} ms",
                "dim",
            ),
        ]
    ]
    for path, says in report.finished:
        lines.append(
            Hanging([("  finished ", "bold"), (visible(path), "bold"), (f": it says now {visible(says)}", "")], "    ")
        )
    for path, reason in report.skipped_paths[:_MOST_SKIPPED]:
        lines.append(
            Hanging([("  left out ", "dim"), (visible(path), "dim"), (f" ({visible(reason)})", "dim")], "    ")
        )
    if len(report.skipped_paths) > _MOST_SKIPPED:
        lines.append([(f"  and {len(report.skipped_paths) - _MOST_SKIPPED} more left out", "dim")])
    return [*lines, *problem_lines(report.problems)]
