"""The entry of the command line: commands loaded only when used, every error told in a sentence."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, cast

import click

from memtui.doors.cli.arguments import checked, dashed_word
from memtui.doors.cli.output import print_error, say
from memtui.doors.cli.session import Session, common_options
from memtui.doors.cli.streams import Unwritten, print_text
from memtui.doors.starting import spare_threads
from memtui.errors import InvalidInput, MemtuiError, said
from memtui.lasting import lasting

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_COMMANDS: dict[str, tuple[str, str]] = {
    "consolidate": ("memtui.doors.cli.consolidating", "What could expire, be merged, or contradicts: to be decided."),
    "dedup": ("memtui.doors.cli.dedup", "Say whether a text is new before it is kept."),
    "delete": ("memtui.doors.cli.filing", "Remove a document's file; memories are never deleted."),
    "demo": ("memtui.doors.cli.demo", "Open a copy of the sample vault; without a terminal, print a tour."),
    "diff": ("memtui.doors.cli.past", "What changed in what was believed between two moments."),
    "embed": ("memtui.doors.cli.embedding", "Vectors and models, for searching by meaning."),
    "export": ("memtui.doors.cli.filing", "Write the whole ledger, so that it can be replayed elsewhere."),
    "forget": ("memtui.doors.cli.writing", "End a memory's validity; nothing is deleted."),
    "history": ("memtui.doors.cli.past", "The versions of a record, or past texts that match."),
    "hook": ("memtui.doors.hook.commands", "Tell a coding agent what is remembered about a prompt."),
    "import": ("memtui.doors.cli.filing", "Take memories over from a file."),
    "init": ("memtui.doors.cli.vaults", "Make a folder a vault."),
    "list": ("memtui.doors.cli.showing", "List records, without scores."),
    "note": ("memtui.doors.cli.filing", "Append an entry to the vault's change log."),
    "recall": ("memtui.doors.cli.reading", "Find what is remembered about something."),
    "remember": ("memtui.doors.cli.writing", "Record a memory."),
    "review": ("memtui.doors.cli.consolidating", "The journal of decisions, and taking one back."),
    "revive": ("memtui.doors.cli.writing", "Bring a forgotten memory back."),
    "search": ("memtui.doors.cli.reading", "The same as recall, and never writes."),
    "show": ("memtui.doors.cli.showing", "Show one record in full."),
    "status": ("memtui.doors.cli.showing", "Counts, health and freshness of the vault."),
    "supersede": ("memtui.doors.cli.writing", "Replace a memory by a new one."),
    "sync": ("memtui.doors.cli.vaults", "Bring the ledger up to the vault's files."),
    "update": ("memtui.doors.cli.writing", "Correct a memory, or edit a document's file."),
    "where": ("memtui.doors.cli.places", "Where everything lies."),
}

_COMPLETE = "_MEMTUI_COMPLETE"
_EXAMPLES = """\b
Examples:  memtui ~/notes                   opens the vault
           memtui recall "staging port"     asks it

\b
Completion, in your shell's start-up file:
  bash:  eval "$(_MEMTUI_COMPLETE=bash_source memtui)"
  zsh:   eval "$(_MEMTUI_COMPLETE=zsh_source memtui)"
  fish:  _MEMTUI_COMPLETE=fish_source memtui | source"""


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
        return checked(cast("click.Command", getattr(module, f"{cmd_name}_command")))

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
            found = super().resolve_command(ctx, args)
            ctx.ensure_object(Session).running = found[1]
            return found
        if ctx.resilient_parsing:
            return None, None, args  # completion asks about words that are not whole yet
        if os.path.isdir(os.path.expanduser(name)):
            ctx.ensure_object(Session).vault = name
            return "open", open_command, args[1:]
        from memtui.memory.resolving import closest

        near = closest(name, sorted(_COMMANDS))
        raise InvalidInput(
            f"{_shortened(name)!r} is neither a command nor an existing folder",
            value=_shortened(name),
            choices=near or sorted(_COMMANDS),
            hint="`memtui --help` lists the commands",
        )

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Commands and options; folders where no command begins like that."""
        from click.shell_completion import CompletionItem

        found = super().shell_complete(ctx, incomplete)
        return found or [CompletionItem(incomplete, type="dir")]


def _shortened(name: str) -> str:
    """A mistyped word as an error can repeat it, whatever its bytes and length."""
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    return text if len(text) <= 80 else f"{text[:79]}…"


def _show_version(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        from memtui import __version__

        print_text(f"memtui {__version__}\n")
        context.exit()


@click.group(
    cls=LazyCommands,
    invoke_without_command=True,
    context_settings={"help_option_names": []},  # ours: see common_options
    subcommand_metavar="[VAULT | COMMAND [ARGS]…]",
    epilog=_EXAMPLES,
)
@common_options
@click.option(
    "-V",
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
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
    session.refuse_personal(
        "the interface of this version shows a vault, not personal memories",
        "ask those with `memtui --personal recall QUERY`, `memtui --personal list` or another command",
    )
    path = session.vault_path()
    if not sys.stdout.isatty() or not sys.stdin.isatty():
        raise InvalidInput(
            "the interface needs a terminal",
            hint="in a pipe, use `memtui recall QUERY`, `memtui status` or another command (`memtui --help`)",
        )
    with lasting():
        spare_threads()
        from memtui.memory.opening import open_memory
        from memtui.tui.app import run as run_interface

    status = run_interface(open_memory(path, create=path.is_dir(), actor=session.who(), read_only=session.read_only))
    context.exit(status)


checked(cli)
checked(open_command)


def run(arguments: Sequence[str]) -> int:
    """Run one command; returns the exit status. Everything a person meets is a sentence, not a traceback."""
    words = list(arguments)
    options = words[: words.index("--")] if "--" in words else words
    session = Session(as_json="--json" in options, debug="--debug" in options)
    try:
        return _invoke(words, session)
    except MemtuiError as error:
        return _told(error, session)
    except click.exceptions.NoArgsIsHelpError as error:
        say(error.format_message())
        return 2
    except click.UsageError as error:
        return _told(InvalidInput(error.format_message(), hint=_way_out(error, options)), session)
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except (click.Abort, KeyboardInterrupt):
        # The terminal has just shown ^C, perhaps behind a counter.
        say("\r\x1b[Kinterrupted" if sys.stderr.isatty() else "interrupted")
        return 130
    except BrokenPipeError:
        return 0  # the reader went away (`| head`): not an error of ours
    except Exception as error:
        return _told(_unexpected(error), session)


def _invoke(words: list[str], session: Session) -> int:
    """The command that `words` name, run; its exit status.

    Not by click's own `main`: that turns a reader who went away into exit status 1.
    """
    if instruction := os.environ.get(_COMPLETE):
        from click.shell_completion import shell_complete

        return shell_complete(cli, {}, "memtui", _COMPLETE, instruction)
    with cli.make_context("memtui", words, obj=session) as context:
        result = cli.invoke(context)
    return result if isinstance(result, int) else 0


def _way_out(error: click.UsageError, options: Sequence[str]) -> str | None:
    """What to do instead of what could not be read as a command's options."""
    if error.ctx is None:
        return None
    if error.ctx.info_name in ("recall", "search") and (word := dashed_word(options)) is not None:
        word = _shortened(word)
        return f"quote a word to leave out with one to be found, 'kettle {word}', or write `-- {word} kettle`"
    return f"`{error.ctx.command_path} --help` shows an example"


def _told(error: MemtuiError, session: Session) -> int:
    """The error, printed; its exit status."""
    if session.debug:
        traceback.print_exc()
    if isinstance(error, Unwritten) and session.done:
        error = Unwritten(f"{session.done}, but {error.message}", hint=error.hint)
    if session.running is not None:
        from memtui.doors.cli.typed import flags_of, say_as_typed

        say_as_typed(error, flags_of(session.running))
    error.hint = session.as_typed(error.hint)
    print_error(error, session)
    return error.exit_status


def _unexpected(error: Exception) -> MemtuiError:
    return MemtuiError(
        f"something unexpected went wrong: {said(error)}",
        hint="run it again with --debug for the details, and report it",
    )
