"""demo: the sample vault, opened; or, without a terminal, a short tour of what memtui does with it."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import click

from memtui.carried import carried
from memtui.doors.cli.output import Line, on_the_readers_clock, print_lines
from memtui.doors.cli.plans import proposal_lines
from memtui.doors.cli.reading import found_lines
from memtui.doors.cli.session import Session, common_options, pass_session
from memtui.doors.cli.vaults import summary_lines
from memtui.doors.starting import spare_threads
from memtui.errors import InvalidInput, NotFound
from memtui.memory.memory import Memory

HISTORY = "history.jsonl"
"""The ledger of the sample vault: what its team recorded, forgot, corrected and recalled in two years."""
VECTORS = "vectors.npz"
"""What the default model makes of its texts, so that they are searched by meaning at once."""

_SEARCHES = (
    ("An exact identifier", "OLV-214"),
    ("A word half typed", "malax"),
    ("Turkish, typed without its signs", "dara nasil alinir"),
)
_BY_MEANING = ("By meaning: where are backups kept? asked in Turkish of English notes", "yedekler nerede saklanıyor")


@click.command("demo", epilog="Example:  memtui demo")
@common_options
@pass_session
def demo_command(session: Session) -> None:
    """Open a copy of the sample vault; without a terminal, print a tour and exit."""
    spare_threads()
    from memtui.memory.opening import open_memory

    sample = sample_vault()
    if session.as_json:
        raise InvalidInput(
            "the demo is a tour for a person; it is no answer that JSON could hold",
            field="--json",
            hint=f"leave --json out; or copy {sample} and ask the copy: "
            f"`memtui init`, `memtui import {HISTORY}`, then `memtui recall --json OLV-214`",
        )
    folder = Path(tempfile.mkdtemp(prefix="memtui-demo-"))
    try:
        copy = Path(shutil.copytree(sample, folder / "delice", ignore=shutil.ignore_patterns(".memtui")))
        memory = open_memory(copy, create=True, actor=session.who())
        if sys.stdout.isatty() and sys.stdin.isatty() and not session.plain:
            from memtui.tui.app import run as run_interface

            memory.import_(copy / HISTORY)
            memory.adopt_vectors(copy / VECTORS)
            click.get_current_context().exit(run_interface(memory))
        print_lines(_tour(memory), session)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def sample_vault() -> Path:
    """Where the sample vault lies. Raises NotFound when this installation carries none."""
    folder = carried("sample_vault")
    if folder is None:
        raise NotFound("this installation carries no sample vault", hint="install memtui again")
    return folder


def _tour(memory: Memory) -> list[Line]:
    """What a newcomer would see: two years of memory, searches with reasons, the past, and a memory that comes back."""
    lines: list[Line] = [[("memtui demo: the notes and memories of a small team that weighs olives", "bold")], []]
    lines += [*_beginning(memory), []]
    for what, query in _SEARCHES:
        found = memory.search(query, k=1, semantic=False)
        lines += [[(f"{what}:", "bold")], [(f"$ memtui recall -k 1 --explain {query!r}", "green")]]
        lines += [*found_lines(found, explain=True), []]
    what, query = _BY_MEANING
    lines += [[(f"{what}:", "bold")], [(f"$ memtui recall -k 1 {query!r}", "green")]]
    lines += [*found_lines(memory.search(query, k=1), explain=False), []]
    lines += [*_past(memory), [], *_disagreement(memory), [], *_there_and_back(memory)]
    status = memory.status()
    counts = ", ".join(f"{count} {kind}" for kind, count in status.counts.items() if count)
    return [*lines, [], [(f"{status.records} records: {counts}", "dim")]]


def _beginning(memory: Memory) -> list[Line]:
    replayed = memory.import_(memory.vault / HISTORY)
    said = f"{replayed.replayed} versions and {replayed.recalls} recalls replayed"
    synced = summary_lines(memory.sync())
    memory.adopt_vectors(memory.vault / VECTORS)
    return [[(f"$ memtui import {HISTORY}", "green")], [(said, "bold")], [("$ memtui sync", "green")], *synced]


_ASKED, _THEN = "backup target", "2025-06-01"


def _past(memory: Memory) -> list[Line]:
    """One question, asked of the present and of a day in the past."""
    lines: list[Line] = [[("The same question, today and as it would have been answered then:", "bold")]]
    for when, option in ((None, ""), (_THEN, f" --as-of {_THEN}")):
        found = memory.search(_ASKED, k=1, kinds="engram", as_of=when)
        lines.append([(f"$ memtui recall -k 1 --types engram{option} {_ASKED!r}", "green")])
        lines += [[(f"   {hit.title}", ""), (f"  ({hit.kind}/{hit.name})", "dim")] for hit in found]
    return lines


def _disagreement(memory: Memory) -> list[Line]:
    """One contradiction of those that a look over all memories proposes."""
    plan = memory.consolidate()
    lines: list[Line] = [[("Two memories that cannot both be right, for a person to decide:", "bold")]]
    lines.append([("$ memtui consolidate", "green")])
    others = len(plan.proposals) - 1
    for proposal in plan.contradictions[2:3]:
        lines += [
            *proposal_lines(proposal, memory.zone),
            [(f"  and {others:,} more proposals; nothing was changed", "dim")],
        ]
    return lines


def _there_and_back(memory: Memory) -> list[Line]:
    name = "board-font-in-sunlight"
    query = "board font sunlight"

    def answer() -> str:
        return ", ".join(hit.name for hit in memory.search(query, k=3, kinds="engram"))

    forgotten = memory.forget(name, reason="tour")
    lines: list[Line] = [[("Forgetting deletes nothing:", "bold")], [(f"$ memtui forget {name}", "green")]]
    note = on_the_readers_clock(forgotten.note or "")
    lines.append([(f"{forgotten.outcome}  {forgotten.key.kind}/{forgotten.key.name}  ({note})", "")])
    lines.append([(f"recall {query!r} now finds: {answer()}", "")])
    revived = memory.revive(name)
    lines.append([(f"{revived.outcome}: it finds {answer()} again, and the gap stays on record", "")])
    return lines
