"""Commands about vaults: init and sync."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from memtui.doors.cli.output import Line, print_json, print_lines
from memtui.doors.cli.session import Session, common_options, pass_session
from memtui.model.results import SyncReport
from memtui.text.visible import visible


@click.command("init", epilog="Example:  memtui init ~/notes")
@click.argument("directory", required=False, type=click.Path(path_type=Path))
@common_options
@pass_session
def init_command(session: Session, directory: Path | None) -> None:
    """Make DIRECTORY (default: here) a vault: a private `.memtui/` that git ignores."""
    from memtui.memory.opening import open_memory

    root = directory or (Path(session.vault) if session.vault else Path.cwd())
    existed = (root / ".memtui").is_dir()
    memory = open_memory(root, create=True, actor=session.actor, resident=False)
    memory.load_store()
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
    """Bring the ledger up to the vault's files; says what was new, changed, gone, and what could not be read."""
    memory = session.memory()
    report = memory.sync(progress=None if session.as_json else _progress, strict=strict)
    if session.as_json:
        print_json(report.as_dict())
    else:
        print_lines(summary_lines(report), session)


def _progress(done: int, total: int, path: str) -> None:
    """A counter on standard error, where a person watches."""
    if sys.stderr.isatty() and total > 50 and done % 20 == 0:
        sys.stderr.write(f"\r\x1b[Kreading {done}/{total}")
        if done + 20 >= total:
            sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


def summary_lines(report: SyncReport) -> list[Line]:
    """What a sync did, in words."""
    lines: list[Line] = [
        [
            (f"{report.added} added, {report.changed} changed, {report.vanished} vanished", "bold"),
            (f", {report.unchanged} unchanged · {report.skipped} files skipped · {report.took_ms:.0f} ms", "dim"),
        ]
    ]
    if report.problems:
        lines.append([(f"{len(report.problems)} problems:", "yellow")])
        lines.extend([(f"  {visible(str(problem))}", "yellow")] for problem in report.problems)
    return lines
