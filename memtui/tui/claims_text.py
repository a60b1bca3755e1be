"""Claims of some memories as a text to be edited, and what such a text changed. Pure.

What is not touched stays the very claim it was, with the window it has; what cannot stand on a line of its own is told
as a note and stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from memtui.errors import InvalidInput
from memtui.model.records import Claim, RecordKey
from memtui.text.claims import GRAMMAR, parse_claim
from memtui.text.visible import one_line

_NOTE = "#"


@dataclass(frozen=True, slots=True)
class Claiming:
    """A memory, what it says in a line, and what it claims."""

    key: RecordKey
    said: str
    claims: tuple[Claim, ...]


def claims_text(about: str, memories: Sequence[Claiming]) -> str:
    """The text: a heading for each memory, below it what it says as a note, and its claims, one a line."""
    return "\n".join(_lines(about, memories)) + "\n"


def _lines(about: str, memories: Sequence[Claiming]) -> Iterator[str]:
    yield f"{_NOTE} What memories about {one_line(about)} claim, one claim a line:"
    yield f"{_NOTE} {GRAMMAR}"
    yield f"{_NOTE} Two claims with the same subject and predicate can be compared."
    for number, memory in enumerate(memories, 1):
        yield ""
        yield _heading(number, memory)
        yield f"{_NOTE} {one_line(memory.said)}"
        for claim in memory.claims:
            line = _line(claim)
            yield f"{_NOTE} stays as it is: {one_line(str(claim))}" if line is None else line


def _heading(number: int, memory: Claiming) -> str:
    return f"[{number}] {memory.key.kind}/{one_line(memory.key.name)}"


def _line(claim: Claim) -> str | None:
    """A claim as a line; None where the line would not be read as that claim."""
    line = str(claim)
    if line != line.strip() or len(line.splitlines()) != 1 or line[0] in f"{_NOTE}[":
        return None
    try:
        read = parse_claim(line)
    except InvalidInput:
        return None
    return line if str(read) == line else None


def read_claims(text: str, memories: Sequence[Claiming]) -> Mapping[RecordKey, tuple[Claim, ...]]:
    """What each memory claims by an edited text, of those only that claim otherwise by it.

    Raises InvalidInput, naming the line, for a claim that cannot be read and for one above the first heading.
    """
    headings = {_heading(number, memory): memory for number, memory in enumerate(memories, 1)}
    found: dict[RecordKey, list[Claim]] = {}
    known: dict[str, Claim] = {}
    current: list[Claim] | None = None
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith(_NOTE):
            continue
        memory = headings.get(line)
        if memory is not None:
            current = found.setdefault(memory.key, [])
            known = {written: claim for claim in memory.claims if (written := _line(claim)) is not None}
        elif line.startswith("["):
            told = f"line {number} names no memory that is here"
            raise InvalidInput(told, field="claims", value=line, hint="leave the headings as they are")
        elif current is None:
            raise InvalidInput(
                f"line {number} stands below no memory", field="claims", value=line, hint="write it below a heading"
            )
        else:
            current.append(known.get(line) or parse_claim(line, field=f"claims, line {number}"))
    changed: dict[RecordKey, tuple[Claim, ...]] = {}
    for memory in memories:
        if memory.key in found:
            kept = tuple(claim for claim in memory.claims if _line(claim) is None)
            claims = (*kept, *dict.fromkeys(found[memory.key]))
            if claims != (*kept, *(claim for claim in memory.claims if _line(claim) is not None)):
                changed[memory.key] = claims
    return changed
