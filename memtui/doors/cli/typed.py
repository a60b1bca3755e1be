"""Refusals in the words that can be typed: the core speaks of its fields, a person at the command line of options."""

from __future__ import annotations

import re
from collections.abc import Mapping

import click

from memtui.errors import MemtuiError

Flags = Mapping[str, str]
"""The option that stands for a field of the core, by the field's name."""


def flags_of(command: click.Command) -> dict[str, str]:
    """The options of a command by the fields they give; what an argument gives is no option's."""
    flags: dict[str, str] = {}
    for param in command.params:
        if isinstance(param, click.Option):
            flag = max(param.opts, key=len)
            flags[flag.lstrip("-").replace("-", "_")] = flag
            flags[param.name or ""] = flag
    for param in command.params:
        if isinstance(param, click.Argument):
            flags.pop(param.name or "", None)
    return flags


def say_as_typed(error: MemtuiError, flags: Flags) -> None:
    """Let an error name options where it names fields, and the option at fault in any case.

    Errors about a file stay: what they name stands in it. So does `field`, by which programs know the core's.
    """
    if error.file is not None:
        return
    known = {**_of_other_commands(), **flags}
    field = re.split(r"[\[.]", error.field or "", maxsplit=1)[0]
    error.message = _named(error.message, known, field if field in flags else None)
    if error.hint is not None:
        error.hint = _named(error.hint, known, None)
    if all(choice in known for choice in error.choices):
        error.choices = tuple(known[choice] for choice in error.choices)
    flag = flags.get(field)
    if flag is not None and flag not in error.message:
        error.message = f"{flag}: {error.message}"


def _of_other_commands() -> Flags:
    """The options of a memory's fields and the two clocks, of which advice may speak anywhere."""
    from memtui.doors.cli.fields import memory_options
    from memtui.doors.cli.session import reading_options

    return flags_of(reading_options(memory_options(click.Command("any"))))


def _named(sentence: str, known: Flags, field: str | None) -> str:
    """A sentence with options for fields: for names that are no words of a language, and for the `field` at fault."""

    def typed(found: re.Match[str]) -> str:
        name, number, part = found["name"], found["number"], found["part"]
        if name not in known or not (
            number or "_" in name or (name == field and (found["quote"] or not found.start()))
        ):
            return found[0]
        which = f" (number {int(number) + 1})" if number else ""
        return f"{part + ' of ' if part else ''}{known[name]}{which}"

    return _FIELD.sub(typed, sentence)


_FIELD = re.compile(r"(?P<quote>')?\b(?P<name>[a-z_]+)\b(?:\[(?P<number>[0-9]+)\])?(?:\.(?P<part>[a-z_]+))?(?(quote)')")
