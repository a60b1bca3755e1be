"""The fields of a memory as options, the same for every command that writes one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import click

from memtui.doors.cli.arguments import Suggested
from memtui.doors.cli.names import RecordName
from memtui.doors.cli.session import Command
from memtui.doors.cli.streams import LARGEST_TEXT, read_standard_input
from memtui.errors import InvalidInput


def _affects() -> list[str]:
    from memtui.cognition.affect import PALETTE

    return sorted(PALETTE)


def _confidences() -> tuple[str, ...]:
    from memtui.model.records import CONFIDENCE_LABELS

    return CONFIDENCE_LABELS


def _ratings() -> tuple[str, ...]:
    from memtui.model.records import RATINGS

    return RATINGS


def _memory_kinds() -> list[str]:
    from memtui.model.records import MEMORY_KINDS

    return sorted(MEMORY_KINDS)


def _memory_types() -> tuple[str, ...]:
    return ("semantic", "episodic", "procedural")


MEMORY_KIND = Suggested("kind", _memory_kinds)

_FINDING_HELP = "Of research: TEXT | RATING | SOURCE, SOURCE (repeatable; the rating may be left out)."

_OPTIONS = (
    click.option("--title", help="A headline."),
    click.option("--body", help="The long text, beside the summary (`-` reads it from standard input)."),
    click.option("--area", help="What it is about: `Kind/name`, or a topic."),
    click.option("--tag", "tags", multiple=True, metavar="T", help="A tag (repeatable)."),
    click.option(
        "--affect",
        type=Suggested("affect", _affects),
        metavar="WORD",
        help="Emotional tag: triumph, regret, surprise, wistful, ominous, or your own.",
    ),
    click.option("--affect-reason", help="Why, in at least 20 characters."),
    click.option(
        "--confidence",
        type=Suggested("confidence", _confidences),
        metavar="C",
        help="1 to 10, or faint, firm, burning.",
    ),
    click.option("--stability-days", type=float, metavar="DAYS", help="How slowly it fades."),
    click.option(
        "--memory-type",
        type=Suggested("memory type", _memory_types),
        metavar="WORD",
        help="semantic, episodic, procedural, or your own word (default: told by the text).",
    ),
    click.option("--claim", "claims", multiple=True, metavar="C", help="SUBJECT::predicate=object (repeatable)."),
    click.option(
        "--source-ref", "source_refs", multiple=True, metavar="R", help="Evidence: commit:…, file:…, url:… (repeatable)"
    ),
    click.option(
        "--link",
        "homophonic_links",
        multiple=True,
        metavar="L",
        help="A memory this one calls up: NAME, NAME:0.8 or NAME:0.8:why (repeatable).",
    ),
    click.option("--owner", help="Who wrote it (at first: the actor)."),
    click.option("--finding", "findings", multiple=True, metavar="F", help=_FINDING_HELP),
    click.option(
        "--rating",
        type=Suggested("rating", _ratings),
        metavar="R",
        help="Of evidence: strong, moderate, weak, unrated, or 1 to 5.",
    ),
    click.option(
        "--supports",
        multiple=True,
        type=RecordName("memories"),
        metavar="NAME",
        help="Of evidence: what it speaks for (repeatable).",
    ),
    click.option(
        "--refutes",
        multiple=True,
        type=RecordName("memories"),
        metavar="NAME",
        help="Of evidence: what it speaks against (repeatable).",
    ),
    click.option("--valid-from", metavar="T", help="Since when it is true (at first: now)."),
    click.option("--valid-to", metavar="T", help="Until when it is true, also an end to come; `open` for no end."),
)


def memory_options(command: Command) -> Command:
    """The options of a memory's fields."""
    for add in reversed(_OPTIONS):
        command = add(command)
    return command


_OF_A_MEMORY, _OF_A_FILE = ("summary", "body"), ("content", "append")


def given_fields(options: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that were given, as the core takes them. Raises InvalidInput for a link of the wrong shape."""
    given = {name: value for name, value in options.items() if value is not None and value != ()}
    if "homophonic_links" in given:
        given["homophonic_links"] = [_link(text) for text in given["homophonic_links"]]
    read = [name for name in (*_OF_A_MEMORY, *_OF_A_FILE) if given.get(name) == "-"]
    if len(read) > 1:
        raise InvalidInput(
            f"standard input can be only one of {' and '.join(read)}", field=read[1], hint="give the others as text"
        )
    for name in read:
        given[name] = (_text_of_a_memory() if name in _OF_A_MEMORY else _text_of_a_file()).rstrip("\n")
    return given


def _text_of_a_memory() -> str:
    return read_standard_input(LARGEST_TEXT, "put the text into a file of the vault, and a gist into the memory")


def _text_of_a_file() -> str:
    from memtui.vault.scanning import LARGEST

    return read_standard_input(LARGEST, "no larger file is read: spread the text over several")


LINK = "NAME, NAME:0.8 or NAME:0.8:why"
_STRENGTH = re.compile(r":(0|1|[01]?\.[0-9]+)(?::(.*))?$", re.S)
_NUMBER_AT_THE_END = re.compile(r":\s*[-+]?[0-9]*\.?[0-9]+$")


def _link(text: str) -> dict[str, Any]:
    """The parts of a link written on one line; a name may hold colons where no strength from 0 to 1 follows them."""
    found = _STRENGTH.search(text)
    if found is not None:
        parts = {"target_name": text[: found.start()], "resonance_score": float(found[1])}
        return {**parts, "basis": found[2]} if found[2] else parts
    if _NUMBER_AT_THE_END.search(text):
        raise InvalidInput(
            f"the strength of the link {text!r} is not between 0 and 1",
            field="--link",
            value=text,
            hint=f"write {LINK}; a name that ends in a number needs its strength behind it",
        )
    return {"target_name": text}
