"""The kinds of text a command line carries: what is stored or looked up, what is asked, what names a folder.

Arguments reach a program as bytes; those that are not UTF-8 arrive as lone surrogates, which nothing may store.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from memtui.errors import InvalidInput
from memtui.memory.asking import MOST_HITS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    TextType = click.ParamType[str]
    NumberType = click.ParamType[int]
else:
    TextType = NumberType = click.ParamType  # generic only in newer versions of click


def utf8(text: str, name: str) -> str:
    """The text, if it was UTF-8. Raises InvalidInput that names the option or variable it came from."""
    if text.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in text):
        return text
    shown = text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    raise InvalidInput(f"{name} is not valid UTF-8: {shown[:200]}", field=name, value=shown[:200])


def name_of(param: click.Parameter | None) -> str:
    """What an error calls a parameter: its longest flag, or its name in capitals."""
    if param is None:
        return "a value"
    return param.opts[-1] if isinstance(param, click.Option) else (param.name or "a value").upper()


class _StoredText(TextType):
    """Text that is stored or looked up: refused when it is not UTF-8."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return utf8(str(value), name_of(param))


class _Kinds(_StoredText):
    """Kinds, separated by commas; whether they exist is for the core to say."""

    name = "kinds"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        from memtui.model.records import KINDS

        before, comma, last = incomplete.rpartition(",")
        return [CompletionItem(f"{before}{comma}{kind}") for kind in KINDS if kind.startswith(last)]


class Suggested(_StoredText):
    """Text for which there are words to choose from, or only to begin with; what is allowed is for the core to say."""

    def __init__(self, name: str, words: Callable[[], Iterable[str]]) -> None:
        self.name = name
        self._words = words

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The words that begin like that."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(word) for word in self._words() if word.startswith(incomplete)]


class _Query(TextType):
    """Text that is only asked: what is not UTF-8 in it matches nothing, and that is all."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return os.fsencode(str(value)).decode("utf-8", "replace")


class _Folder(TextType):
    """The name of a folder, in whatever bytes the file system has."""

    name = "folder"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="dir")]


class _File(_Folder):
    """The name of a file, in whatever bytes the file system has."""

    name = "file"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file")]


class Between(NumberType):
    """A whole number from `least` to `most`: what lies outside is refused, never quietly moved inside."""

    name = "number"

    def __init__(self, least: int, most: int) -> None:
        self._least = least
        self._most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number. Raises InvalidInput that names the range."""
        number = click.INT.convert(value, param, ctx)
        if not self._least <= number <= self._most:
            name = name_of(param)
            raise InvalidInput(
                f"{name} takes a number from {self._least} to {self._most}, not {number}", field=name, value=number
            )
        return number


STORED, QUERY, FOLDER, FILE, KINDS_GIVEN = _StoredText(), _Query(), _Folder(), _File(), _Kinds()


def checked(command: click.Command) -> click.Command:
    """The command, none of whose texts can carry bytes that are not UTF-8: the one place where that is seen to."""
    for parameter in command.params:
        if parameter.type is click.STRING:
            parameter.type = STORED
    return command


class TextCommand(click.Command):
    """A command that is given a text: a word that begins with one dash and holds a blank is part of it, no option.

    Nobody writes an option like that, and a quoted query may well begin with the word it leaves out.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The words, read with such texts behind `--`. Raises NoSuchOption for what is glued to `-k` and no number."""
        parts = None if ctx.resilient_parsing else self._parted(args)
        if parts is None:
            return super().parse_args(ctx, args)
        options, texts = parts
        glued = next((word for word in options if word.startswith("-k") and dashed_word([word])), None)
        if glued is not None:  # of several numbers only the last would be read
            raise click.NoSuchOption(glued, ctx=ctx)
        return super().parse_args(ctx, [*options, "--", *texts])

    def _parted(self, args: Sequence[str]) -> tuple[list[str], list[str]] | None:
        """Options with their values, and everything else in its order; None where an option lacks its value."""
        with_value = {
            flag
            for param in self.params
            if isinstance(param, click.Option) and not param.is_flag and not param.count
            for flag in param.opts
        }
        options: list[str] = []
        texts: list[str] = []
        rest = iter(args)
        for word in rest:
            if word == "--":
                texts += rest
            elif word in with_value:
                value = next(rest, None)
                if value is None:
                    return None
                options += (word, value)
            elif word == "-" or not word.startswith("-") or _is_text(word):
                texts.append(word)
            else:
                options.append(word)
        return options, texts


def _is_text(word: str) -> bool:
    return word.startswith("-") and not word.startswith("--") and any(sign.isspace() for sign in word)


def dashed_word(args: Sequence[str]) -> str | None:
    """A word that was meant for a query, as it seems, and read as options: `-draft`, `-kind:engram`."""
    return next((word for word in args if _DASHED.match(word)), None)


_DASHED = re.compile(r"-(?!k(=?[0-9]+)?$)[\w\"]")


def hits_option(what: str, default: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """`-k N`: how many of something an answer may hold."""
    return click.option(
        "-k",
        "limit",
        metavar="N",
        type=Between(1, MOST_HITS),
        default=default,
        show_default=True,
        help=f"How many {what} (1 to {MOST_HITS}).",
    )
