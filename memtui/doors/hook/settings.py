"""An agent's settings file with memtui's hook in it, and without it again: everything else in the file stays.

    {"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "memtui hook prompt"}]}]}}

Containers that were there and empty before are named in the command (`--found-empty`), so that taking the hook out
leaves them, and removes only those that putting it in had made: up to the file, and the agent's own folder where that
then holds nothing. Other folders are no agent's to make, nor ours to remove.
"""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from memtui.doors.hook.command import HookCommand, runs_the_hook
from memtui.doors.hook.json_text import added, replaced, without
from memtui.errors import Refused
from memtui.interchange.strict_json import StrictJson
from memtui.regular_files import NotRegular, read_regular
from memtui.vault.replacing import prepare

EVENT = "UserPromptSubmit"
AGENTS_FOLDER = ".claude"
_LARGEST = 8 * 1024 * 1024
_MARK = "\ufeff"
_MISSING = object()

Outcome = Literal["installed", "updated", "unchanged", "uninstalled", "nothing_to_remove"]


@dataclass(frozen=True, slots=True)
class Change:
    """What is to become of a settings file."""

    file: Path
    outcome: Outcome
    commands: tuple[str, ...]
    """The hook's command that is there now; of a removal those that are gone."""
    before: bytes | None
    """The bytes of the file; None where there is none."""
    after: bytes | None
    """The bytes it will have; None where it goes."""
    folder_goes: bool = False
    """Whether the agent's folder goes with the file, if nothing else lies in it by then."""
    by_hand: tuple[str, ...] = ()
    """Commands that run the hook in someone's own words: those are left to them."""

    @property
    def changes(self) -> bool:
        """Whether anything is to be written."""
        return self.before != self.after

    def apply(self) -> None:
        """Write it, in one step. Raises Refused where the file changed meanwhile or cannot be written."""
        if not self.changes:
            return
        try:
            if self.after is None:
                self._remove()
                return
            self.file.parent.mkdir(parents=True, exist_ok=True)
            prepare(self.file, self.after, expected=self.before).commit()
        except OSError as error:
            raise Refused(
                f"{self.file} cannot be written: {error.strerror or error}",
                file=str(self.file),
                hint="check the permissions of its folder, or name another file with --settings FILE",
            ) from error
        except Refused as error:
            if "memtui sync" in (error.hint or ""):  # of a vault's file that would be the way out
                error.hint = "nothing of ours was written; run the command again, it reads the file anew"
            raise

    def _remove(self) -> None:
        if _bytes_of(self.file) != self.before:
            raise Refused(
                f"{self.file} was changed meanwhile by someone else, so it was left as it is now",
                file=str(self.file),
                hint="run the command again, it reads the file anew",
            )
        self.file.unlink()
        if self.folder_goes:
            with contextlib.suppress(OSError):  # what someone has put there meanwhile stays
                self.file.parent.rmdir()


def with_hook(file: Path, command: HookCommand) -> Change:
    """The change that makes an agent run the command before every prompt; none where it does already.

    One that runs it otherwise (another vault, another program) is corrected in its place. Raises Refused for a file
    that cannot be read or is of another shape than settings have, naming the field and what stands there.
    """
    document = _Document.read(file)
    ours, by_hand = document.hooks()
    commands = (str(command),)
    if ours:
        first, *others = ours
        commands = (str(command.found(HookCommand.read(first.command).found_empty)),)
        if first.command == commands[0] and not others:
            return Change(file, "unchanged", commands, document.data, document.data)
        document.remove(others)
        document.correct(first, commands[0])
        return Change(file, "updated", commands, document.data, document.written())
    if by_hand:
        return Change(file, "unchanged", (), document.data, document.data, by_hand=by_hand)
    commands = (str(command.found(document.found_empty())),)
    document.add({"type": "command", "command": commands[0]})
    return Change(file, "installed", commands, document.data, document.written())


def without_hook(file: Path) -> Change:
    """The change that takes out what `with_hook` put in, and nothing else. Raises Refused as that does."""
    document = _Document.read(file)
    ours, by_hand = document.hooks()
    if not ours:
        return Change(file, "nothing_to_remove", (), document.data, document.data, by_hand=by_hand)
    document.remove(ours)
    kept = {HookCommand.read(place.command).found_empty for place in ours}
    document.prune(kept)
    goes = not document.root and "file" not in kept and not file.is_symlink()
    after = None if goes else document.written()
    alone = goes and "folder" not in kept and _agents_holds(file.parent) == [file.name]
    commands = tuple(place.command for place in ours)
    return Change(file, "uninstalled", commands, document.data, after, folder_goes=alone, by_hand=by_hand)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a hook of ours stands: the number of its group, its own in it, and its command."""

    group: int
    entry: int
    command: str


@dataclass(slots=True)
class _Document:
    """A settings file as it is edited: its text, in which only what is ours changes, and what that means."""

    file: Path
    data: bytes | None
    text: str

    @classmethod
    def read(cls, file: Path) -> _Document:
        """The settings of a file; none where there is no file. Raises Refused."""
        data = _bytes_of(file)
        if data is None:
            return cls(file, None, "{}\n")
        _parsed(file, data)
        document = cls(file, data, data.decode("utf-8"))
        document._groups()
        return document

    @property
    def root(self) -> dict[str, Any]:
        """What the text means."""
        return cast("dict[str, Any]", json.loads(self.text.removeprefix(_MARK)))

    def _groups(self) -> list[dict[str, Any]]:
        """The event's groups of hooks. Raises Refused for another shape."""
        events = self._kind(self.root.get("hooks", {}), dict, "hooks")
        groups = self._kind(events.get(EVENT, []), list, f"hooks.{EVENT}")
        for number, group in enumerate(cast("list[Any]", groups)):
            field = f"hooks.{EVENT}[{number}]"
            entries = self._kind(self._kind(group, dict, field).get("hooks", _MISSING), list, f"{field}.hooks")
            for place, entry in enumerate(cast("list[Any]", entries)):
                self._kind(entry, dict, f"{field}.hooks[{place}]")
        return cast("list[dict[str, Any]]", groups)

    def _kind(self, value: Any, kind: type, field: str) -> Any:
        if isinstance(value, kind):
            return value
        shown = "missing" if value is _MISSING else _shown(value)
        words = {dict: "an object", list: "a list"}[kind]
        raise Refused(
            f"{self.file}: {field} is {shown}, where settings have {words}; the file was left as it is",
            file=str(self.file),
            field=field,
            value=shown,
            hint="mend it by hand, or name another file with --settings FILE",
        )

    def hooks(self) -> tuple[list[_Place], tuple[str, ...]]:
        """The hooks that are ours, and the commands that run it in someone's own words."""
        ours: list[_Place] = []
        by_hand: list[str] = []
        for number, group in enumerate(self._groups()):
            for place, entry in enumerate(group["hooks"]):
                command = entry.get("command")
                if not isinstance(command, str):
                    continue
                if HookCommand.is_one(command):
                    ours.append(_Place(number, place, command))
                elif runs_the_hook(command):
                    by_hand.append(command)
        return ours, tuple(by_hand)

    def found_empty(self) -> str | None:
        """The innermost container that is there and holds nothing, or None."""
        if self.data is None:
            return "folder" if _agents_holds(self.file.parent) == [] else None
        root = self.root
        if not root:
            return "file"
        events = root.get("hooks")
        if events is None:
            return None
        if not events:
            return "hooks"
        return EVENT if events.get(EVENT) == [] else None

    def add(self, entry: dict[str, Any]) -> None:
        """Put a hook behind those that are there."""
        root, group = self.root, {"hooks": [entry]}
        if "hooks" not in root:
            self.text = added(self.text, (), "hooks", {EVENT: [group]})
        elif EVENT not in root["hooks"]:
            self.text = added(self.text, ("hooks",), EVENT, [group])
        else:
            self.text = added(self.text, ("hooks", EVENT), None, group)

    def correct(self, place: _Place, command: str) -> None:
        """Let a hook run another command."""
        self.text = replaced(self.text, ("hooks", EVENT, place.group, "hooks", place.entry, "command"), command)

    def remove(self, places: list[_Place]) -> None:
        """Take hooks out, and groups that then hold none."""
        for place in reversed(places):  # the last first: so the others keep their numbers
            group = ("hooks", EVENT, place.group)
            alone = len(self._groups()[place.group]["hooks"]) == 1
            self.text = without(self.text, group if alone else (*group, "hooks", place.entry))

    def prune(self, kept: set[str | None]) -> None:
        """Take out the containers that hold nothing any more, but not those that were found like that."""
        if not self.root["hooks"][EVENT] and EVENT not in kept:
            self.text = without(self.text, ("hooks", EVENT))
        if not self.root["hooks"] and "hooks" not in kept:
            self.text = without(self.text, ("hooks",))

    def written(self) -> bytes:
        """The file's bytes."""
        return self.text.encode("utf-8")


def _agents_holds(folder: Path) -> list[str] | None:
    """What lies in an agent's folder; None for another folder, a link to one, and where no one can look."""
    if folder.name != AGENTS_FOLDER or folder.is_symlink():
        return None
    try:
        return os.listdir(folder)
    except OSError:
        return None


def _bytes_of(file: Path) -> bytes | None:
    """The bytes of a file, links followed; None where there is none. Raises Refused for what cannot be read."""
    try:
        if not file.exists() and not file.is_symlink():
            return None
        data = read_regular(str(file.resolve(strict=True)), _LARGEST)
    except NotRegular as error:
        raise Refused(
            f"{file} is no regular file", file=str(file), hint="name the settings file itself with --settings FILE"
        ) from error
    except (OSError, RuntimeError, ValueError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise Refused(
            f"{file} cannot be read: {why}", file=str(file), hint="mend that, or name another with --settings FILE"
        ) from error
    if len(data) > _LARGEST:
        raise Refused(f"{file} is too large to be settings", file=str(file), hint="name another with --settings FILE")
    return data


def _parsed(file: Path, data: bytes) -> dict[str, Any]:
    """The object that a file holds. Raises Refused, naming the place that is wrong."""
    untouched = "the file was left as it is"
    hint = "mend it by hand (or, if it holds nothing, remove it), then try again"
    decoder = StrictJson()
    try:
        value = decoder.decode(data.decode("utf-8").removeprefix(_MARK))
    except UnicodeDecodeError as error:
        reason = f"{file} is not UTF-8: {error.reason} at byte {error.start + 1}; {untouched}"
        raise Refused(reason, file=str(file), hint=hint) from error
    except json.JSONDecodeError as error:
        shown = error.doc[error.pos : error.pos + 20].split("\n")[0] or "nothing"
        where = f"line {error.lineno}, column {error.colno}"
        reason = f"{file} is not valid JSON: {error.msg} ({where}, at {shown!r}); {untouched}"
        raise Refused(reason, file=str(file), field=where, value=shown, hint=hint) from error
    except RecursionError as error:
        raise Refused(f"{file} is nested too deeply; {untouched}", file=str(file), hint=hint) from error
    for flaw in decoder.flaws:
        shown = str(flaw.value)[:80]
        told = f" ({shown})" if flaw.value is not None else ""
        what = f"{flaw.field} {flaw.reason}{told}" if flaw.field else f"{shown} {flaw.reason}"
        raise Refused(f"{file}: {what}; {untouched}", file=str(file), field=flaw.field, value=shown, hint=hint)
    if not isinstance(value, dict):
        shown = _shown(value)
        raise Refused(
            f"{file} holds {shown}, where settings are an object; {untouched}",
            file=str(file),
            field="the whole file",
            value=shown,
            hint=hint,
        )
    return cast("dict[str, Any]", value)


def _shown(value: Any) -> str:
    """A value as an error can repeat it."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else f"{text[:79]}…"
