"""The entry of the command line: commands loaded only when used, every error told in a sentence."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from typing import cast

import click

from memtui.doors.cli.output import print_error
from memtui.doors.cli.session import Session, common_options
from memtui.errors import InvalidInput, MemtuiError

_COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("memtui.doors.cli.demo", "Open a copy of the sample vault; without a terminal, print a tour."),
    "forget": ("memtui.doors.cli.writing", "End a memory's validity; nothing is deleted."),
    "init": ("memtui.doors.cli.vaults", "Make a folder a vault."),
    "list": ("memtui.doors.cli.reading", "List records, without scores."),
    "recall": ("memtui.doors.cli.reading", "Find what is remembered about something."),
    "remember": ("memtui.doors.cli.writing", "Record a memory."),
    "revive": ("memtui.doors.cli.writing", "Bring a forgotten memory back."),
    "search": ("memtui.doors.cli.reading", "The same as recall, and never writes."),
    "show": ("memtui.doors.cli.reading", "Show one record in full."),
    "status": ("memtui.doors.cli.reading", "Counts, health and freshness of the vault."),
    "sync": ("memtui.doors.cli.vaults", "Bring the ledger up to the vault's files."),
}


class LazyCommands(click.Group):
    """Commands by name; the module of one is imported when it is used, so that `recall` never loads `demo`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, sorted."""
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, or None."""
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(_COMMANDS[cmd_name][0])
        return cast("click.Command", getattr(module, f"{cmd_name}_command"))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing any of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, _COMMANDS[name][1]) for name in self.list_commands(ctx)])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """A known command, else an existing folder to open, else a usage error with the closest commands."""
        name = args[0]
        if name in _COMMANDS:
            return super().resolve_command(ctx, args)
        if os.path.isdir(os.path.expanduser(name)):
            ctx.ensure_object(Session).vault = name
            return "open", open_command, args[1:]
        from memtui.memory.resolving import closest

        near = closest(name, sorted(_COMMANDS))
        raise InvalidInput(
            f"{name!r} is neither a command nor an existing folder",
            value=name,
            choices=near or sorted(_COMMANDS),
            hint="`memtui --help` lists the commands",
        )


@click.group(
    cls=LazyCommands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    subcommand_metavar="[VAULT | COMMAND [ARGS]…]",
    epilog='Example:  memtui ~/notes          opens the vault\n\n          memtui recall "staging port"   asks it',
)
@common_options
@click.version_option(package_name="memtui", prog_name="memtui", message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Long-term memory for software agents and the people who work with them.

    `memtui VAULT` opens the interface; `memtui COMMAND` does one thing and exits.
    """
    if context.invoked_subcommand is None:
        context.invoke(open_command)


@click.command("open")
@common_options
@click.pass_context
def open_command(context: click.Context) -> None:
    """Open the interface on a vault."""
    session = context.ensure_object(Session)
    path = session.vault_path()
    if not sys.stdout.isatty() or not sys.stdin.isatty():
        raise InvalidInput(
            "the interface needs a terminal",
            hint="in a pipe, use `memtui recall QUERY`, `memtui status` or another command (`memtui --help`)",
        )
    from memtui.memory.opening import open_memory
    from memtui.tui.app import run as run_interface

    status = run_interface(open_memory(path, actor=session.actor, read_only=session.read_only))
    context.exit(status)


def run(arguments: Sequence[str]) -> int:
    """Run one command; returns the exit status. Everything a person meets is a sentence, not a traceback."""
    session = Session(as_json="--json" in arguments, debug="--debug" in arguments)
    try:
        result = cli.main(list(arguments), prog_name="memtui", standalone_mode=False, obj=session)
        return result if isinstance(result, int) else 0
    except MemtuiError as error:
        if session.debug:
            traceback.print_exc()
        print_error(error, session)
        return error.exit_status
    except click.exceptions.NoArgsIsHelpError as error:
        sys.stderr.write(error.format_message() + "\n")
        return 2
    except click.UsageError as error:
        hint = f"`{error.ctx.command_path} --help` shows an example" if error.ctx else None
        print_error(InvalidInput(error.format_message(), hint=hint), session)
        return 2
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except (click.Abort, KeyboardInterrupt):
        sys.stderr.write("interrupted\n")
        return 130
    except BrokenPipeError:
        # The reader went away (`| head`): not an error of ours. Keep the interpreter from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if session.debug:
            traceback.print_exc()
        told = MemtuiError(
            f"something unexpected went wrong: {type(error).__name__}: {error}",
            hint="run it again with --debug for the details, and report it",
        )
        print_error(told, session)
        return 1
