"""Where a vault keeps its store, and how a vault is found."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.config import Config, load_config
from memtui.errors import InvalidInput, Refused, VaultNotFound
from memtui.memory.identity import check_workspace_label
from memtui.text.dates import local_zone, named_zone

if TYPE_CHECKING:
    from memtui.vault.layout import Layout
    from memtui.vault.shelf import Shelf

HOME = ".memtui"
STORE_FILE = "memory.duckdb"


@dataclass(frozen=True, slots=True)
class VaultHome:
    """A vault's folder and the private folder of memtui inside it."""

    root: Path
    config: Config

    @property
    def folder(self) -> Path:
        """The private folder."""
        return self.root / HOME

    @property
    def store(self) -> Path:
        """The store's file."""
        return self.folder / STORE_FILE

    @property
    def workspace(self) -> str:
        """The label of the vault's partition."""
        named = self.config.text("workspace")
        if named is not None:
            return check_workspace_label(named, self.config.origins.get("workspace", ""))
        return self.root.name or str(self.root)

    @property
    def layout(self) -> Layout:
        """Which file is which kind of record. Raises InvalidInput for a place outside the vault."""
        places = {
            name: value
            for name in ("knowledge", "features", "tasks", "engrams", "memory", "changelog")
            if (value := self.config.text(f"layout.{name}")) is not None
        }
        from memtui.vault.layout import Layout

        try:
            return Layout(**places, ignore=self.config.texts("ignore"))
        except InvalidInput as error:
            origins = self.config.origins
            set_by = origins.get(error.field or "") or next(
                origins[key] for key in origins if key.startswith("layout.")
            )
            error.message, error.file = f"{set_by}: {error.message}", set_by
            raise

    @property
    def zone(self) -> tzinfo:
        """The zone in which dates of the vault's files are meant that name none.

        A vault that says so means the same to whoever reads it. Raises InvalidInput for an unknown zone.
        """
        named = self.config.text("timezone")
        return local_zone() if named is None else named_zone(named, self.config.origins["timezone"])

    @property
    def shelf(self) -> Shelf:
        """The vault's files. Raises InvalidInput for a place outside the vault."""
        from memtui.vault.shelf import Shelf

        return Shelf.of_vault(self.root, self.layout)

    @property
    def is_made(self) -> bool:
        """Whether the private folder is there."""
        return os.path.lexists(self.folder)

    @property
    def writable(self) -> bool:
        """Whether memtui may write here."""
        return os.access(self.folder if self.folder.exists() else self.root, os.W_OK)

    def make(self) -> bool:
        """Make the private folder, which ignores itself in git; whether it was new.

        One that is there and may not be written to is left as it is: what lies in it can be read.
        """
        if self.folder.is_dir() and not self.writable:
            return False
        fresh = not self.folder.exists()
        try:
            self.folder.mkdir(mode=0o700, exist_ok=True)
            with contextlib.suppress(PermissionError):  # a folder of another owner keeps its own mode
                self.folder.chmod(0o700)
            ignore = self.folder / ".gitignore"
            if not ignore.exists():
                ignore.write_text("*\n", encoding="utf-8")
        except OSError as error:
            raise Refused(
                f"{self.folder} cannot be made: {error.strerror or error}",
                file=str(self.folder),
                hint="check the permissions of the folder, or open it with --read-only",
            ) from error
        return fresh


def home_of(root: Path) -> VaultHome:
    """The home of a vault at `root`, with its settings. Raises InvalidInput for a bad setting."""
    absolute = Path(os.path.abspath(root))
    return VaultHome(absolute, load_config(absolute))


def find_vault(start: Path) -> Path | None:
    """The nearest folder upwards that holds `.memtui/`, or None."""
    folder = Path(os.path.abspath(start))
    for candidate in (folder, *folder.parents):
        if (candidate / HOME).is_dir():
            return candidate
    return None


def existing_vault(root: Path) -> VaultHome:
    """The home of a folder that must exist.

    Raises VaultNotFound otherwise: opening never creates a folder by a slip of the pen.
    """
    if not root.is_dir():
        what = "is a file, not a folder" if root.exists() else "does not exist"
        raise VaultNotFound(
            f"{root} {what}", file=str(root), hint=f"name an existing folder, or make one with `memtui init {root}`"
        )
    return home_of(root)
