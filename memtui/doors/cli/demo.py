"""demo: the sample vault, opened; or, without a terminal, a short tour of what memtui does with it."""

from __future__ import annotations

import shutil
import sys
import tempfile
from importlib import resources
from pathlib import Path

import click

from memtui.doors.cli.output import Line, print_lines
from memtui.doors.cli.reading import found_lines
from memtui.doors.cli.session import Session, common_options, pass_session
from memtui.doors.cli.vaults import summary_lines
from memtui.errors import NotFound
from memtui.memory.memory import Memory

_SEARCHES = (
    ("An exact identifier", "OLV-214"),
    ("A word half typed", "malax"),
    ("Turkish, typed without its signs", "dara nasil alinir"),
)


@click.command("demo", epilog="Example:  memtui demo")
@common_options
@pass_session
def demo_command(session: Session) -> None:
    """Open a copy of the sample vault; without a terminal, print a tour and exit."""
    from memtui.memory.opening import open_memory

    sample = sample_vault()
    folder = Path(tempfile.mkdtemp(prefix="memtui-demo-"))
    try:
        copy = Path(shutil.copytree(sample, folder / "delice", ignore=shutil.ignore_patterns(".memtui")))
        memory = open_memory(copy, create=True, actor=session.who())
        if sys.stdout.isatty() and sys.stdin.isatty() and not session.plain and not session.as_json:
            from memtui.tui.app import run as run_interface

            click.get_current_context().exit(run_interface(memory))
        print_lines(_tour(memory), session)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def sample_vault() -> Path:
    """Where the sample vault lies: inside the installed package, else in the checkout it runs from.

    Raises NotFound when this installation carries none.
    """
    shipped = Path(str(resources.files("memtui") / "shipped" / "sample_vault"))
    checkout = Path(__file__).resolve().parents[3] / "sample_vault"
    for folder in (shipped, checkout):
        if folder.is_dir():
            return folder
    raise NotFound("this installation carries no sample vault", hint="install memtui again")


def _tour(memory: Memory) -> list[Line]:
    """What a newcomer would see: the sync, three searches with reasons, and a memory that goes and comes back."""
    lines: list[Line] = [[("memtui demo: the notes and memories of a small team that weighs olives", "bold")], []]
    lines += [[("$ memtui sync", "green")], *summary_lines(memory.sync()), []]
    for what, query in _SEARCHES:
        found = memory.search(query, k=2)
        lines += [[(f"{what}:", "bold")], [(f"$ memtui recall -k 2 --explain {query!r}", "green")]]
        lines += [*found_lines(found, explain=True), []]
    name = "board-font-in-sunlight"
    lines += [[("Forgetting deletes nothing:", "bold")], [(f"$ memtui forget {name}", "green")]]
    forgotten = memory.forget(name, reason="tour")
    lines.append([(f"{forgotten.outcome}  {forgotten.key.kind}/{forgotten.key.name}  ({forgotten.note})", "")])
    query = "board font sunlight"
    shown = [hit.name for hit in memory.search(query, k=3)]
    lines.append([(f"recall {query!r} now finds: {', '.join(shown)}", "")])
    revived = memory.revive(name)
    shown = [hit.name for hit in memory.search(query, k=3)]
    lines.append([(f"{revived.outcome}: it finds {', '.join(shown)} again, and the gap stays on record", "")])
    status = memory.status()
    counts = ", ".join(f"{count} {kind}" for kind, count in status.counts.items() if count)
    lines += [[], [(f"{status.records} records: {counts}", "dim")]]
    return lines
