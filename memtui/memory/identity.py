"""Who a personal memory belongs to: told by the environment alone, never by an argument or a file."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from memtui.errors import InvalidInput, Refused
from memtui.model.records import BASE, PERSONAL_PREFIX, WORKSPACE

IDENTITY = "MEMTUI_PERSONAL_ID"
FOLDER = "MEMTUI_PERSONAL_DIR"


def personal_identity() -> str:
    """The identity of the person who asks. Raises Refused, saying how to set one, when there is none."""
    identity = os.environ.get(IDENTITY, "")
    if not identity.strip():
        raise Refused(
            f"personal memories need an identity, and {IDENTITY} is not set",
            field=IDENTITY,
            hint=f"set {IDENTITY} to something that stays yours, such as your e-mail address; nothing was written",
        )
    if any(ord(sign) < 32 or 0xD800 <= ord(sign) <= 0xDFFF for sign in identity):
        raise Refused(
            f"{IDENTITY} holds a control character or is not valid UTF-8", field=IDENTITY, hint="set it to plain text"
        )
    return identity


def partition_of(identity: str) -> str:
    """The partition of a person."""
    return PERSONAL_PREFIX + identity


def personal_store(identity: str) -> Path:
    """Where a person's store lies: named by a hash, so that the folder tells no one who is in it."""
    return personal_folder() / f"{hashlib.sha256(identity.encode('utf-8')).hexdigest()}.duckdb"


def personal_folder() -> Path:
    """The private folder of personal stores: `MEMTUI_PERSONAL_DIR`, else the user's data folder."""
    named = os.environ.get(FOLDER)
    if named:
        return Path(named).expanduser()
    base = os.environ.get("XDG_DATA_HOME")
    if base and os.name == "posix":
        return Path(base) / "memtui" / "personal"
    from platformdirs import user_data_path

    return user_data_path("memtui") / "personal"


def make_private(folder: Path) -> None:
    """Make the folder of personal stores, which nobody else may look into. Raises Refused."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.name == "posix" and folder.stat().st_mode & 0o077:
            folder.chmod(0o700)
    except OSError as error:
        raise Refused(
            f"{folder}, where personal memories would lie, cannot be made private: {error.strerror or error}",
            file=str(folder),
            hint=f"set {FOLDER} to a folder of your own; nothing was written",
        ) from error


def check_workspace_label(label: str, file: str) -> str:
    """A workspace's name, which can never look like a person's partition. Raises InvalidInput."""
    folded = label.strip().casefold()
    if folded.startswith(PERSONAL_PREFIX) or folded == BASE:
        raise InvalidInput(
            f"a workspace cannot be called {label!r}: {PERSONAL_PREFIX}… and {BASE} are reserved",
            file=file,
            field=WORKSPACE,
            value=label,
            hint="choose another `workspace` in memtui.toml",
        )
    return label
