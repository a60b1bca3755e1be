"""Front matter: the YAML block between two `---` lines at the very beginning of a text.

A block that cannot be read is never lost: it stays in the body, where its words can be searched,
and a problem says what is wrong with it. A `---` that begins a text without a block is a rule.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

from memtui.text.plain_yaml import MAX_CHARACTERS, Oddity, PlainYaml, YamlRefused, read_plain_yaml

__all__ = ["FrontMatter", "Oddity", "split_front_matter"]

_OPENING = re.compile(r"\ufeff?---[ \t\r]*(?:\n|\Z)")
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t\r]*(?:\n|\Z)", re.MULTILINE)
_GLUED_CLOSING = re.compile(r"^---(?=[^\s\-])", re.MULTILINE)
_KEY = re.compile(r"""[ \t]*(?:#|["']?[^\s:#"'>|*\[\-][^:\n]{0,200}:(?:\s|\Z))""")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """A text in two parts: what its block says, and the rest."""

    fields: dict[str, Any]
    """Only plain data: None, bool, int, float, str, list and dict with text keys. Dates are text."""
    body: str
    body_line: int
    """The line of the body's first line, counted from 1 in the whole text."""
    problems: tuple[Oddity, ...] = ()
    lines: dict[str, int] = field(default_factory=dict[str, int])
    """The line of each field, counted from 1 in the whole text."""
    broken: bool = False
    """A block stands there that could not be read: the body is the whole text."""


def split_front_matter(text: str) -> FrontMatter:
    """The block and the body of a text whose lines end in LF. Never raises."""
    opening = _OPENING.match(text)
    if opening is None:
        return _all_text(text)
    start = opening.end()
    closing = _CLOSING.search(text, start, start + MAX_CHARACTERS + 5)
    if closing is None:
        return _glued(text, start) or _unclosed(text, start)
    block = text[start : closing.start()]
    rule = not block.split("\n", 1)[0].strip() and _first_line_of(block) and not _KEY.match(_first_line_of(block))
    try:
        read = read_plain_yaml(block)
    except YamlRefused as refusal:
        return _all_text(text) if rule else _glued(text, start) or _broken(text, refusal.oddity)
    if read.fields is not None:
        return _read(text, read.fields, read, closing.end())
    if rule:
        return _all_text(text)
    reason = f"is {'a list' if isinstance(read.value, list) else 'a single value'}, not fields with names"
    return _broken(text, Oddity(1, reason, block.strip()[:80]))


def _read(text: str, fields: dict[str, Any], read: PlainYaml, end: int) -> FrontMatter:
    return FrontMatter(
        fields=fields,
        body=text[end:],
        body_line=text.count("\n", 0, end) + 1,
        problems=tuple(_in_file(oddity) for oddity in read.oddities),
        lines={key: line + 1 for key, line in read.lines.items()},
    )


def _glued(text: str, start: int) -> FrontMatter | None:
    """The parts of a text whose closing `---` has the body's first words on its line.

    Programs that join the two without a line end between them write such files.
    """
    closing = _GLUED_CLOSING.search(text, start, start + MAX_CHARACTERS + 5)
    if closing is None:
        return None
    try:
        read = read_plain_yaml(text[start : closing.start()])
    except YamlRefused:
        return None
    if not read.fields:
        return None
    front = _read(text, read.fields, read, closing.end())
    oddity = Oddity(front.body_line, "front matter has text on its closing line; it was read as the body's first line")
    return replace(front, problems=(*front.problems, oddity))


def _unclosed(text: str, start: int) -> FrontMatter:
    """No second `---`: a block that someone forgot to close if it begins with a field, else a rule."""
    first = text[start : start + 400].split("\n", 1)[0]
    if not _KEY.match(first):
        return _all_text(text)
    limit = f" within {MAX_CHARACTERS // 1024} KiB" if len(text) - start > MAX_CHARACTERS else ""
    problem = Oddity(1, f"front matter is not closed by a second line of ---{limit}; the whole file is read as text")
    return FrontMatter({}, text, 1, (problem,), broken=True)


def _broken(text: str, oddity: Oddity) -> FrontMatter:
    return FrontMatter({}, text, 1, (_in_file(oddity),), broken=True)


def _all_text(text: str) -> FrontMatter:
    return FrontMatter({}, text, 1)


def _in_file(oddity: Oddity) -> Oddity:
    """An oddity of the block, told for the file: the block begins on the file's second line."""
    line = None if oddity.line is None else oddity.line + 1
    return Oddity(line, f"front matter {oddity.reason}", oddity.value)


def _first_line_of(block: str) -> str:
    """The first line that is not blank."""
    return next((line for line in block.split("\n") if line.strip()), "")
