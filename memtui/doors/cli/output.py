"""What commands print: JSON, plain lines, or styled text where a person looks at a terminal."""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from memtui.doors.cli.session import Session
from memtui.doors.cli.streams import answering, complain, write_utf8
from memtui.errors import MemtuiError

if TYPE_CHECKING:
    from rich.console import Console

    from memtui.model.outcomes import Written
    from memtui.model.problems import Problem

Piece: TypeAlias = tuple[str, str]
"""(text, style); the style is empty for ordinary text."""
Line: TypeAlias = list[Piece]


class Hanging(list[Piece]):
    """A line that stays in its column: what does not fit goes on below, behind `hang`."""

    def __init__(self, pieces: Iterable[Piece], hang: str) -> None:
        super().__init__(pieces)
        self.hang = hang


def print_json(shape: Mapping[str, object]) -> None:
    """One JSON document and nothing else, in UTF-8 everywhere."""
    text = json.dumps(shape, ensure_ascii=False, allow_nan=False) + "\n"
    with answering():
        write_utf8(text)


def print_lines(lines: Iterable[Line], session: Session) -> None:
    """Lines of styled pieces: styled and wrapped at words in a terminal, bare text anywhere else."""
    with answering():
        if session.plain or not sys.stdout.isatty():
            for line in lines:
                sys.stdout.write("".join(text for text, _ in line) + "\n")
            return
        from rich.console import Console

        console = Console(highlight=False, soft_wrap=True, no_color=True if os.environ.get("NO_COLOR") else None)
        for line in lines:
            _print_wrapped(console, line)


def _print_wrapped(console: Console, line: Line) -> None:
    """A line for a person: broken between words, its column kept."""
    from rich.text import Text

    text = Text.assemble(*line)
    if text.cell_len <= console.width:
        console.print(text)
        return
    hang = line.hang if isinstance(line, Hanging) else " " * (len(text.plain) - len(text.plain.lstrip(" ")))
    room = console.width - len(hang)
    if room < 20:
        console.print(text)
        return
    # The first row carries its own beginning, as wide as what the others hang behind.
    first, rest = text[: len(hang)], text[len(hang) :]
    for number, row in enumerate(rest.wrap(console, room)):
        row.rstrip()
        console.print(Text.assemble(first if number == 0 else Text(hang, style="dim"), row))


_OUTCOMES = {
    "superseded": ("superseded by", "{name} is recorded"),
    "already_in_force": ("nothing to revive", "nothing was changed"),
}
"""Outcomes whose bare word would say the wrong thing of the record (which is the new one; whose time may be still to
come): what to say instead, and what is done."""


def report(written: Written, session: Session) -> None:
    """What a verb did, told; near records are told apart, as advice."""
    from memtui.text.visible import visible

    name = f"{written.key.kind}/{visible(written.key.name)}"
    plain = written.outcome.replace("_", " ")
    words, done = _OUTCOMES.get(written.outcome, (plain, f"{{name}} is {plain}"))
    session.done = done.format(name=name)
    if session.as_json:
        print_json(written.as_dict())
    else:
        note = f"  ({visible(on_the_readers_clock(written.note))})" if written.note else ""
        print_lines([[(words, "bold green"), (f"  {name}", "cyan"), (note, "dim")]], session)
    if written.outcome != "unchanged":
        for near in written.near:
            how = "says nearly the same" if near.verdict == "MERGE" else "is much like it"
            say(f"near: {near.kind}/{visible(near.name)} {how} ({near})")


def on_the_readers_clock(sentence: str) -> str:
    """The core's sentence with its instants in the reader's zone: this one is for a person."""
    from memtui.text import moments
    from memtui.text.dates import local_zone

    return moments.on_the_readers_clock(sentence, local_zone())


def say(text: str) -> None:
    """A note for the person, on standard error."""
    complain(text + "\n")


def print_error(error: MemtuiError, session: Session) -> None:
    """An error: what happened, where, and what to do; as JSON when JSON was asked for."""
    if session.as_json:
        # ASCII survives whatever encoding standard error has.
        say(json.dumps({"error": error.as_dict()}))
        return
    from memtui.text.visible import visible

    say(_folded(f"memtui: {visible(_for_a_person(error.message))}"))
    if error.choices and (error.hint is None or not any(choice in error.hint for choice in error.choices)):
        say(_folded(f"  choices: {visible(', '.join(error.choices))}"))
    if error.hint:
        say(_folded(f"  {visible(_for_a_person(error.hint))}"))


def _for_a_person(sentence: str) -> str:
    """A sentence of an error on the reader's clock; as it is where there is no telling which that would be."""
    try:
        return on_the_readers_clock(sentence)
    except MemtuiError:
        return sentence


def _folded(text: str) -> str:
    """A sentence within the width of the terminal; whole where no person watches."""
    if not sys.stderr.isatty():
        return text
    width = max(shutil.get_terminal_size().columns, 40)
    return "\n".join(
        textwrap.fill(row, width, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
        for row in text.split("\n")
    )


def counted(count: int, thing: str) -> str:
    """`1 file`, `2 files`."""
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {thing}s"


def problem_lines(problems: Sequence[Problem], indent: str = "") -> list[Line]:
    """What could not be read as it should, one by one, by file and line."""
    lines: list[Line] = [[(f"{indent}{counted(len(problems), 'problem')}:", "yellow")]] if problems else []
    from memtui.text.visible import visible

    for problem in problems:
        said = str(replace(problem, reason=on_the_readers_clock(problem.reason)))
        lines.append(Hanging([(f"{indent}  ", ""), (visible(said), "yellow")], f"{indent}    "))
    return lines


def marked(text: str, spans: Iterable[tuple[int, int]], style: str = "bold yellow") -> Line:
    """Text with its matched spans styled."""
    from memtui.text.visible import visible

    line: Line = []
    at = 0
    for start, end in spans:
        line.append((visible(text[at:start]), ""))
        line.append((visible(text[start:end]), style))
        at = end
    line.append((visible(text[at:]), ""))
    return [piece for piece in line if piece[0]]
