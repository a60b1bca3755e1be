"""hook: the prompt hook of a coding agent, and its place in the agent's settings."""

from __future__ import annotations

import difflib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memtui.doors.cli.arguments import FILE, checked
from memtui.doors.cli.output import Hanging, Line, print_json, print_lines
from memtui.doors.cli.session import Session, common_options, folder_named, pass_session
from memtui.errors import InvalidInput, MemtuiError, NotFound, Refused, VaultNotFound
from memtui.text.visible import visible

if TYPE_CHECKING:
    from memtui.doors.hook.prompt import Recalled
    from memtui.doors.hook.settings import Change

_SETTINGS = os.path.join(".claude", "settings.json")


class _Hooks(click.Group):
    """The three commands; a mistyped one is answered with them."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in self.commands and not ctx.resilient_parsing:
            word = visible(os.fsencode(args[0]).decode("utf-8", "backslashreplace"))[:80]
            raise InvalidInput(f"`memtui hook` knows no {word!r}", value=word, choices=sorted(self.commands))
        return super().resolve_command(ctx, args)


class _Silent(click.Command):
    """A command that an agent runs: a wrong call is a silence too, as a failure would stop the person's prompt."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        words = list(args)
        try:
            return super().make_context(info_name, args, parent, **extra)
        except (click.UsageError, MemtuiError) as error:
            from memtui.doors.hook.prompt import run

            if isinstance(error, click.UsageError):
                error = InvalidInput(error.format_message())
            run(debug="--debug" in words or (parent is not None and parent.ensure_object(Session).debug), refused=error)
            raise click.exceptions.Exit(0) from error


@click.group(
    "hook",
    cls=_Hooks,
    context_settings={"help_option_names": []},
    epilog="Example:  memtui hook install",
)
@common_options
def hook_command() -> None:
    """Tell a coding agent, before every prompt, what is remembered about it.

    `install` puts the hook into the agent's settings, `uninstall` takes it out; `prompt` is what the agent runs.
    """


@hook_command.command(
    "prompt",
    cls=_Silent,
    short_help="What the agent runs: read its event, print what is remembered.",
    epilog="Example:  memtui hook prompt < event.json",
)
@click.option(
    "--found-empty", metavar="WHAT", help="Written by `hook install`: what `hook uninstall` will leave though empty."
)
@common_options
@pass_session
def prompt_command(session: Session, found_empty: str | None) -> None:
    """Read an agent's event from standard input and print what is remembered about its prompt, if that is much.

    The event is JSON with `prompt` and `cwd`; the vault is the one of --vault, else of cwd, else MEMTUI_VAULT's.
    Otherwise it is silent, whatever happens, and always exits with 0; --debug tells why. MEMTUI_HOOK=0 switches
    it off.
    """
    del found_empty  # a note for `uninstall`, carried by the command itself
    from memtui.doors.hook.prompt import run

    def write_json(recalled: Recalled) -> None:
        print_json(recalled.found.as_dict())

    personal = Refused("the hook asks vaults, not personal memories", field="--personal") if session.personal else None
    run(
        vault=session.vault,
        actor=session.actor,
        read_only=session.read_only,
        debug=session.debug,
        refused=personal,
        write=write_json if session.as_json else None,
    )


def _settings_options(command: Any) -> Any:
    command = common_options(command)
    for add in (
        click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing."),
        click.option("--user", is_flag=True, help=f"The settings in your home folder, ~/{_SETTINGS}."),
        click.option("--settings", metavar="FILE", type=FILE, help=f"The settings file (default: {_SETTINGS} here)."),
    ):
        command = add(command)
    return command


@hook_command.command(
    "install",
    short_help="Put the hook into an agent's settings.",
    epilog="Example:  memtui hook install --dry-run",
)
@_settings_options
@pass_session
def install_command(session: Session, settings: str | None, user: bool, dry_run: bool) -> None:
    """Put the hook into a coding agent's settings; everything else in the file stays.

    With --vault the hook always asks that vault, else the one of the folder the agent works in. `memtui hook
    uninstall` takes it out again.
    """
    from memtui.doors.hook.command import HookCommand, program_here
    from memtui.doors.hook.settings import with_hook

    file = _file(session, settings, user=user, dry_run=dry_run)
    change = with_hook(file, HookCommand(program_here(), _vault(session)))
    _carry_out(change, session, dry_run=dry_run, undo=_undo(settings, user))


@hook_command.command(
    "uninstall",
    short_help="Take the hook out of an agent's settings.",
    epilog="Example:  memtui hook uninstall",
)
@_settings_options
@pass_session
def uninstall_command(session: Session, settings: str | None, user: bool, dry_run: bool) -> None:
    """Take the hook out of a coding agent's settings: what `install` put in, and nothing else."""
    from memtui.doors.hook.settings import without_hook

    change = without_hook(_file(session, settings, user=user, dry_run=dry_run))
    _carry_out(change, session, dry_run=dry_run, undo=None)


for _command in hook_command.commands.values():
    checked(_command)


def _file(session: Session, settings: str | None, *, user: bool, dry_run: bool) -> Path:
    """The settings file that is meant. Raises InvalidInput, Refused."""
    session.refuse_personal(
        "the hook asks vaults, not personal memories", "leave --personal out; --vault DIR names a vault"
    )
    if settings is not None and user:
        raise InvalidInput("--settings and --user name different files", field="--user", hint="give one of them")
    if settings == "":
        raise InvalidInput(
            "--settings names no file", field="--settings", value="", hint="name a file, or leave it out"
        )
    home = os.path.expanduser("~")
    if user and not os.path.isabs(home):
        raise NotFound("you have no home folder here", hint="name the file with --settings FILE")
    named = os.path.join(home, _SETTINGS) if user else os.path.expanduser(settings or _SETTINGS)
    try:
        file = Path(os.path.abspath(named))
    except OSError as error:
        raise NotFound(
            f"there is no telling where {visible(named)} lies: {error.strerror or error}",
            hint="the current folder may be gone; name the file with its whole path: --settings FILE",
        ) from error
    if session.read_only and not dry_run:
        raise Refused(
            f"{file} is read-only here, so nothing can be changed in it",
            file=str(file),
            hint="leave --read-only out; or see with --dry-run what would change",
        )
    return file


def _vault(session: Session) -> str | None:
    """The folder of the vault that the hook is bound to; None without --vault. Raises VaultNotFound."""
    if session.vault is None:
        return None
    from memtui.memory.home import existing_vault

    home = existing_vault(folder_named(session.vault))
    if not home.is_made:
        raise VaultNotFound(
            f"{home.root} is a folder, but no vault",
            file=str(home.root),
            hint=f"make it one with `memtui init {home.root}`",
        )
    return home.root.as_posix()


def _undo(settings: str | None, user: bool) -> str:
    import shlex

    where = " --user" if user else "" if settings is None else f" --settings {shlex.quote(settings)}"
    return f"memtui hook uninstall{where}"


_DONE = {
    "installed": ("installed", "would be installed"),
    "updated": ("updated", "would be updated"),
    "unchanged": ("unchanged", "unchanged"),
    "uninstalled": ("uninstalled", "would be uninstalled"),
    "nothing_to_remove": ("nothing to remove", "nothing to remove"),
}


def _carry_out(change: Change, session: Session, *, dry_run: bool, undo: str | None) -> None:
    """Make the change, unless it is only tried, and tell of it; `undo` is the command that takes it back."""
    if not dry_run:
        change.apply()
    words = _DONE[change.outcome][dry_run]
    session.done = f"the hook is {words}"
    if session.as_json:
        print_json(
            {
                "outcome": change.outcome,
                "dry_run": dry_run,
                "settings": str(change.file),
                "commands": list(change.commands),
                "by_hand": list(change.by_hand),
                "undo": undo,
            }
        )
        return
    lines: list[Line] = [[(words, "bold green"), (f"  {visible(str(change.file))}", "cyan")]]
    if dry_run:
        lines += _difference(change)
    elif change.outcome == "uninstalled":
        lines += [[(f"  it ran `{visible(command)}`", "dim")] for command in change.commands]
    elif undo is not None and not change.by_hand:
        lines += _told(change, undo)
    for command in change.by_hand:
        lines.append(
            Hanging([("  left alone, as memtui did not write it: ", "yellow"), (visible(command), "")], "    ")
        )
    print_lines(lines, session)


def _told(change: Change, undo: str) -> list[Line]:
    """What the hook does now, how to be rid of it, and that a vault is still to be made where there is none."""
    command = visible(change.commands[0])
    lines: list[Line] = [
        Hanging([("  before every prompt the agent runs ", ""), (f"`{command}`", "bold")], "  "),
        Hanging([(f"  `{visible(undo)}` takes it out again; MEMTUI_HOOK=0 switches it off", "dim")], "  "),
    ]
    return lines


def _difference(change: Change) -> list[Line]:
    """The rows of the file that would change."""
    before, after = (
        [] if data is None else data.decode("utf-8", "replace").splitlines() for data in (change.before, change.after)
    )
    lines: list[Line] = []
    for row in list(difflib.unified_diff(before, after, lineterm="", n=2))[2:]:
        style = {"+": "green", "-": "red"}.get(row[0], "dim")
        lines.append([(f"  {visible(row)}", style)])
    if change.changes and change.after is None:
        folder = ", and its folder with it" if change.folder_goes else ""
        lines.append([(f"  the file would be removed, as it holds nothing else{folder}", "")])
    return lines
