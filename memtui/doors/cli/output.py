"""What commands print: JSON, plain lines, or styled text where a person looks at a terminal."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from memtui.doors.cli.session import Session
from memtui.errors import MemtuiError

Piece: TypeAlias = tuple[str, str]
"""(text, style); the style is empty for ordinary text."""
Line: TypeAlias = list[Piece]


def print_json(shape: Mapping[str, object]) -> None:
    """One JSON document and nothing else."""
    sys.stdout.write(json.dumps(shape, ensure_ascii=False, allow_nan=False) + "\n")


def print_lines(lines: Iterable[Line], session: Session) -> None:
    """Lines of styled pieces: styled by Rich in a terminal, bare text anywhere else."""
    if session.plain or not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        for line in lines:
            sys.stdout.write("".join(text for text, _ in line) + "\n")
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    for line in lines:
        console.print(Text.assemble(*line))


def say(text: str) -> None:
    """A note for the person, on standard error."""
    sys.stderr.write(text + "\n")


def print_error(error: MemtuiError, session: Session) -> None:
    """An error: what happened, where, and what to do; as JSON when JSON was asked for."""
    if session.as_json:
        sys.stderr.write(json.dumps({"error": error.as_dict()}, ensure_ascii=False) + "\n")
        return
    say(f"memtui: {error.message}")
    if error.choices and (error.hint is None or not any(choice in error.hint for choice in error.choices)):
        say(f"  choices: {', '.join(error.choices)}")
    if error.hint:
        say(f"  {error.hint}")


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
