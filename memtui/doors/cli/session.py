"""What every command shares: the options all of them take, and the memory they open."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from memtui.errors import InvalidInput, VaultNotFound

if TYPE_CHECKING:
    from memtui.memory.memory import Memory

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(slots=True)
class Session:
    """The options of one run."""

    vault: str | None = None
    as_json: bool = False
    plain: bool = False
    actor: str | None = None
    read_only: bool = False
    debug: bool = False
    as_of: str | None = None
    valid_at: str | None = None
    opened: list[Path] = field(default_factory=list[Path])

    def vault_path(self) -> Path:
        """`--vault`, else `MEMTUI_VAULT`, else the nearest parent folder with `.memtui/`.

        Raises VaultNotFound when none of them answers.
        """
        from memtui.memory.home import find_vault

        named = self.vault or os.environ.get("MEMTUI_VAULT")
        if named:
            return Path(named).expanduser()
        found = find_vault(Path.cwd())
        if found is None:
            raise VaultNotFound(
                "no vault here: neither this folder nor a parent has `.memtui/`",
                hint="go into a vault, name one with --vault DIR or MEMTUI_VAULT, or make one with `memtui init`",
            )
        return found

    def memory(self) -> Memory:
        """The memory of the vault, opened for one command."""
        from memtui.memory.opening import open_memory

        return open_memory(self.vault_path(), actor=self.actor, read_only=self.read_only, resident=False)


pass_session = click.make_pass_decorator(Session, ensure=True)


def _keep(name: str) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """Options may stand before or after the command's name; the one nearer to it wins."""

    def callback(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
        if value is not None and value is not False:
            setattr(context.ensure_object(Session), name, value)
        return value

    return callback


def _option(name: str, *flags: str, **settings: Any) -> Callable[[Command], Command]:
    return click.option(*flags, name, expose_value=False, callback=_keep(name), **settings)


def common_options(command: Command) -> Command:
    """The options of every command."""
    for add in (
        _option("debug", "--debug", is_flag=True, help="Show a traceback when something goes wrong."),
        _option("read_only", "--read-only", is_flag=True, help="Refuse every write, saying so."),
        _option("actor", "--actor", metavar="WHO", help="Who acts (default: MEMTUI_ACTOR, else the login name)."),
        _option("plain", "--plain", is_flag=True, help="No styling; one line per record."),
        _option("as_json", "--json", is_flag=True, help="One JSON document on standard output."),
        _option("vault", "--vault", metavar="DIR", help="The vault's folder (default: MEMTUI_VAULT, else upwards)."),
    ):
        command = add(command)
    return command


def reading_options(command: Command) -> Command:
    """The two clocks, for commands that read."""
    for add in (
        _option("valid_at", "--valid-at", metavar="T", help="Ask what was true at T (world time)."),
        _option("as_of", "--as-of", metavar="T", help="Ask what was known at T (transaction time)."),
    ):
        command = add(command)
    return command


def text_argument(words: tuple[str, ...] | str) -> str:
    """Words from the command line as one text; a single `-` reads standard input."""
    joined = words if isinstance(words, str) else " ".join(words)
    if joined != "-":
        return joined
    data = sys.stdin.buffer.read()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInput("standard input is not valid UTF-8", field="stdin", value=data[:20]) from error
