"""Settings: each declared once, read from the vault's `memtui.toml` and the user's, and from the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from memtui.errors import InvalidInput
from memtui.regular_files import read_regular
from memtui.text.visible import quotable

FILE_NAME = "memtui.toml"
_LARGEST = 1024 * 1024
"""Bytes of a file that may be settings."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its key in the file, the type of its value, and what it means."""

    key: str
    kind: type
    meaning: str
    environment: str | None = None
    choices: tuple[str, ...] = ()


SETTINGS: tuple[Setting, ...] = (
    Setting("workspace", str, "label of this vault's partition; the folder's name by default"),
    Setting("timezone", str, "zone of dates that the vault's files write without one; the reader's own by default"),
    Setting("ignore", list, "globs of files that are not part of the vault"),
    Setting("auto_sync", bool, "whether a one-shot recall or list first reads a few changed files; true by default"),
    Setting("base", list, "folders whose documents every personal read shares; in the user's own settings only"),
    Setting(
        "embedder",
        str,
        "what embeds texts: use-multilingual (the default), minilm, hash-v1, fastembed:<model or folder>, or none",
        "MEMTUI_EMBEDDER",
    ),
    Setting("affect", dict, "weights of emotional tags, by name"),
    Setting("policy", dict, "numbers of fading and recall that differ from the built-in ones"),
    Setting("claims.many", list, "predicates of claims that may have several values at a time"),
    Setting("theme", str, "name of the interface's theme", "MEMTUI_THEME"),
    Setting("layout.knowledge", str, "folder of knowledge documents"),
    Setting("layout.features", str, "folder of feature documents"),
    Setting("layout.tasks", str, "folder of task documents"),
    Setting("layout.engrams", str, "folder of engram files"),
    Setting("layout.memory", str, "the memory file, one record per `##` section"),
    Setting("layout.changelog", str, "the change log"),
)
_TABLES = frozenset(setting.key for setting in SETTINGS if setting.kind is dict)
_USERS_OWN = frozenset({"base"})
"""Settings that a vault's file may not make: whoever shares a vault must not choose what a person's reads contain."""
_KIND_WORDS = {list: "a list", dict: "a table", bool: "true or false", str: "text"}
_BY_KEY = {setting.key: setting for setting in SETTINGS}


@dataclass(frozen=True, slots=True)
class Config:
    """The effective settings and where each came from."""

    values: Mapping[str, Any]
    origins: Mapping[str, str]

    def text(self, key: str) -> str | None:
        """A text setting, or None where it is not set."""
        value = self.values.get(key)
        return None if value is None else str(value)

    def flag(self, key: str, *, default: bool) -> bool:
        """A setting that is true or false."""
        return bool(self.values.get(key, default))

    def table(self, key: str) -> Mapping[str, Any]:
        """A setting of named values; empty where it is not set."""
        return self.values.get(key, {})

    def texts(self, key: str) -> tuple[str, ...]:
        """A list setting; empty where it is not set."""
        return tuple(str(item) for item in self.values.get(key, ()))


def load_config(vault: Path | None) -> Config:
    """Settings in rising order: the user's file, the vault's file, the environment.

    A user's folder that may not even be looked into (another user's HOME) is as good as none: nobody meant its
    settings for this run. A file that is there and cannot be read, the vault's file, and the one MEMTUI_CONFIG
    names were meant: InvalidInput, which also names file, key and what is allowed for a wrong setting.
    """
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    files = [(user_config_file(), bool(os.environ.get("MEMTUI_CONFIG")))]
    if vault is not None:
        files.append((vault / FILE_NAME, True))
    for file, meant in files:
        if not _is_there(file, meant):
            continue
        for key, value in _read(file).items():
            if key in _USERS_OWN and vault is not None and file == vault / FILE_NAME:
                raise InvalidInput(
                    f"{file}: {key} belongs into your own settings, {user_config_file()}", file=str(file), field=key
                )
            values[key], origins[key] = value, str(file)
    for setting in SETTINGS:
        if setting.environment and os.environ.get(setting.environment):
            values[setting.key] = os.environ[setting.environment]
            origins[setting.key] = setting.environment
    return Config(values, origins)


def user_config_file() -> Path:
    """The user's own settings: `MEMTUI_CONFIG`, else the platform's configuration folder."""
    named = os.environ.get("MEMTUI_CONFIG")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CONFIG_HOME")
    if base and os.name == "posix":
        return Path(base) / "memtui" / FILE_NAME
    if os.name == "posix" and os.uname().sysname != "Darwin":
        # The answer platformdirs would give, without the 30 ms its import costs every command.
        # A user without a home (no HOME, no entry in the password file) keeps the `~`, where nothing lies.
        return Path(os.path.expanduser("~")) / ".config" / "memtui" / FILE_NAME
    from platformdirs import user_config_path

    return user_config_path("memtui") / FILE_NAME


def _is_there(file: Path, meant: bool) -> bool:
    """Whether there is such a file. Raises InvalidInput if that cannot be seen and the file is `meant`."""
    try:
        # What is there and is no file, or a link that leads nowhere, was meant to be read: reading it says why not.
        return file.exists() or (meant and file.is_symlink())
    except OSError as error:
        if not meant:
            return False
        raise InvalidInput(f"{str(file)[:200]} cannot be read: {error.strerror}", file=str(file)[:200]) from error


def _read(file: Path) -> dict[str, Any]:
    import tomllib

    try:
        data = read_regular(os.path.realpath(file), _LARGEST)
        if len(data) > _LARGEST:
            raise InvalidInput(f"{file} is too large to be settings", file=str(file))
        raw = tomllib.loads(data.decode("utf-8"))
    except ValueError as error:  # bad TOML, bad UTF-8, or a number of thousands of digits
        raise InvalidInput(f"{file} is not valid TOML: {error}", file=str(file)) from error
    except RecursionError as error:
        raise InvalidInput(f"{file} is nested too deeply to be settings", file=str(file)) from error
    except OSError as error:
        raise InvalidInput(f"{file} cannot be read: {error.strerror or error}", file=str(file)) from error
    flat: dict[str, Any] = {}
    for key, value in raw.items():
        if isinstance(value, dict) and key not in _TABLES:
            flat.update({f"{key}.{inner}": v for inner, v in cast("dict[str, Any]", value).items()})
        else:
            flat[key] = value
    for key, value in flat.items():
        _check(file, key, value)
    return flat


def _check(file: Path, key: str, value: object) -> None:
    setting = _BY_KEY.get(key)
    if setting is None:
        raise InvalidInput(
            f"{file}: unknown setting {quotable(key, exact=True)}",
            file=str(file),
            field=quotable(key),
            choices=tuple(sorted(_BY_KEY)),
        )
    if not isinstance(value, setting.kind):
        raise InvalidInput(
            f"{file}: {key} must be {_KIND_WORDS[setting.kind]}, not {quotable(value, exact=True)}",
            file=str(file),
            field=key,
            value=quotable(value),
        )
    if setting.kind is list and not all(isinstance(item, str) for item in cast("list[object]", value)):
        raise InvalidInput(f"{file}: {key} must be a list of text", file=str(file), field=key, value=quotable(value))
    if setting.choices and value not in setting.choices:
        raise InvalidInput(
            f"{file}: {key} is {quotable(value, exact=True)}",
            file=str(file),
            field=key,
            value=quotable(value),
            choices=setting.choices,
        )
