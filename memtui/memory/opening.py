"""Opening a vault's memory from a path."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from memtui.clock import Clock, system_clock
from memtui.errors import VaultNotFound
from memtui.log import LOGGER
from memtui.memory.home import existing_vault
from memtui.memory.memory import Memory


def open_memory(
    path: str | os.PathLike[str],
    *,
    create: bool = False,
    clock: Clock | None = None,
    actor: str | None = None,
    read_only: bool = False,
    resident: bool = True,
    warn: Callable[[str], None] = LOGGER.warning,
) -> Memory:
    """The memory of the vault at `path`.

    Without `create` there must be a vault (VaultNotFound); with it, folder and `.memtui` are made.
    `warn` is told what a person must know about the store itself, such as a shortened log.
    `clock` gives microseconds since 1970 UTC and is what makes a run reproducible.
    """
    root = Path(path).expanduser()
    if create and not read_only:
        try:
            root.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise VaultNotFound(f"{root} cannot be made: {error.strerror or error}", file=str(root)) from error
    home = existing_vault(root)
    if create and not read_only:
        home.make()
    elif not home.is_made:
        raise VaultNotFound(
            f"{root} is a folder, but no vault", file=str(root), hint=f"make it one with `memtui init {root}`"
        )
    return Memory(home, clock=clock or system_clock, actor=actor, read_only=read_only, resident=resident, warn=warn)
