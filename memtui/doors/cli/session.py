"""What every command shares: the options all of them take, and the memory they open."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from memtui.doors.cli.arguments import FOLDER, utf8
from memtui.doors.cli.streams import LARGEST_TEXT, complain, print_text, read_standard_input
from memtui.doors.starting import spare_threads
from memtui.errors import InvalidInput, VaultNotFound
from memtui.lasting import lasting

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
    personal: bool = False
    """Whether it is about a person's own memories; whose, only MEMTUI_PERSONAL_ID says."""
    read_only: bool = False
    debug: bool = False
    as_of: str | None = None
    valid_at: str | None = None
    done: str | None = None
    """What is recorded already, in case the answer cannot be written."""
    running: click.Command | None = None
    """The command, whose options refusals name."""
    quiet: bool = False
    """Nothing at all is said: for completion, which types into someone's line."""

    def vault_path(self) -> Path:
        """`--vault`, else `MEMTUI_VAULT`, else the nearest parent folder with `.memtui/`.

        Raises VaultNotFound when none of them answers.
        """
        try:
            found = self._vault_named_or_above()
        except OSError as error:
            raise VaultNotFound(
                f"no vault can be looked for from here: {error.strerror or error}",
                hint="the current folder may be gone or closed to you; name a vault with --vault DIR or MEMTUI_VAULT",
            ) from error
        if found is None:
            raise VaultNotFound(
                "no vault here: neither this folder nor a parent has `.memtui/`",
                hint="go into a vault, name one with --vault DIR or MEMTUI_VAULT, or make one with `memtui init`",
            )
        return found

    def vault_path_or_none(self) -> Path | None:
        """The same for what needs no vault: None where none is named and none lies upwards, or no one can look."""
        try:
            return self._vault_named_or_above()
        except OSError:
            return None

    def _vault_named_or_above(self) -> Path | None:
        from memtui.memory.home import find_vault

        named = self.vault or os.environ.get("MEMTUI_VAULT") or find_vault(Path.cwd())
        return folder_named(named) if named else None

    def memory(self, *, create: bool = False) -> Memory:
        """The memory of the vault, opened for one command; `create` makes an existing folder a vault.

        With `--personal` it needs no vault: one that is there gives its settings, and nothing else.
        """
        path = self.vault_path_or_none() if self.personal else self.vault_path()
        with lasting():
            spare_threads()
            return self._opened(path, create=create)

    def _opened(self, path: Path | None, *, create: bool) -> Memory:
        if path is None:
            from memtui.memory.memory import Memory

            return Memory(None, actor=self.who(), read_only=self.read_only, resident=False, warn=self._warn)
        from memtui.memory.opening import open_memory

        return open_memory(
            path,
            create=create and not self.personal and path.is_dir(),
            actor=self.who(),
            read_only=self.read_only,
            resident=False,
            warn=self._warn,
        )

    def _warn(self, sentence: str) -> None:
        if not self.quiet:
            complain(f"memtui: warning: {sentence}\n")

    def refuse_personal(self, what: str, hint: str) -> None:
        """For commands that are about a vault alone. Raises InvalidInput with `--personal`."""
        if self.personal:
            raise InvalidInput(what, field="--personal", hint=hint)

    def command(self, words: str) -> str:
        """A command as it is to be typed next, about the same memories as this one."""
        return f"`memtui {'--personal ' if self.personal else ''}{words}`"

    def as_typed(self, hint: str | None) -> str | None:
        """The core's advice with its commands about the same memories as this one."""
        return _SHOWN_COMMAND.sub("`memtui --personal ", hint) if hint and self.personal else hint

    def who(self) -> str | None:
        """`--actor`, else what MEMTUI_ACTOR says, else None: the login name. Raises InvalidInput for no UTF-8."""
        return self.actor or utf8(os.environ.get("MEMTUI_ACTOR", ""), "MEMTUI_ACTOR") or None


def folder_named(named: str | Path) -> Path:
    """A folder as someone names it; whether it exists is for others to say.

    Raises VaultNotFound for a name that no folder can have here, or that may not be looked at; InvalidInput for one
    that is not UTF-8.
    """
    # The store's engine opens files by UTF-8 names only.
    utf8(os.path.abspath(named), "the vault's folder")
    short = str(named) if len(str(named)) <= _LONGEST_SHOWN else f"{str(named)[:_LONGEST_SHOWN]}…"
    try:
        path = Path(named).expanduser()
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return Path(named).expanduser()
    except OSError as error:
        raise VaultNotFound(f"{short} cannot be opened: {error.strerror or error}", file=short) from error
    except (RuntimeError, ValueError) as error:  # `~nobody`, and a name with a zero byte
        raise VaultNotFound(f"{short} names no folder: {error}", file=short) from error
    return path


_SHOWN_COMMAND = re.compile(r"`memtui (?!-|init\b)")
"""Where advice shows a command that knows `--personal`."""
_LONGEST_SHOWN = 200
"""Characters of a folder's name that an error repeats."""

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


def _show_help(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    """Help, written like every answer: click's own does not say what became of a full disk."""
    if value and not context.resilient_parsing:
        print_text(context.get_help() + "\n")
        context.exit()


def common_options(command: Command) -> Command:
    """The options of every command."""
    for add in (
        click.option(
            "-h",
            "--help",
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_help,
            help="Show this message and exit.",
        ),
        _option("debug", "--debug", is_flag=True, help="Show a traceback when something goes wrong."),
        _option("personal", "--personal", is_flag=True, help="Your own memories (of MEMTUI_PERSONAL_ID)."),
        _option("read_only", "--read-only", is_flag=True, help="Refuse every write, saying so."),
        _option("actor", "--actor", metavar="WHO", help="Who acts (default: MEMTUI_ACTOR or the login)."),
        _option("plain", "--plain", is_flag=True, help="No styling; one line per record."),
        _option("as_json", "--json", is_flag=True, help="One JSON document on standard output."),
        _option(
            "vault", "--vault", metavar="DIR", type=FOLDER, help="The vault (default: MEMTUI_VAULT, else upwards)."
        ),
    ):
        command = add(command)
    return command


def as_of_option(command: Command) -> Command:
    """The transaction clock alone, for what a world time makes no sense of."""
    return _option("as_of", "--as-of", metavar="T", help="Ask what was known at T (transaction time).")(command)


def valid_at_option(command: Command) -> Command:
    """The world's clock alone."""
    return _option("valid_at", "--valid-at", metavar="T", help="Ask what was true at T (world time).")(command)


def reading_options(command: Command) -> Command:
    """The two clocks, for commands that read."""
    return as_of_option(valid_at_option(command))


def text_argument(words: tuple[str, ...] | str) -> str:
    """Words from the command line as one text; a single `-` reads standard input."""
    joined = words if isinstance(words, str) else " ".join(words)
    return joined if joined != "-" else read_standard_input(LARGEST_TEXT, "give the part of it that matters")
