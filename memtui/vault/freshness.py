"""Whether the files are still as the last sync saw them: a walk by size and time, cheap enough for every command."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memtui.errors import Refused
from memtui.vault.ignoring import IGNORE_FILE
from memtui.vault.layout import MARKDOWN
from memtui.vault.scanning import OWN_FOLDER

if TYPE_CHECKING:
    from memtui.store.port import FileStats, SyncState
    from memtui.vault.scanning import FoundFile
    from memtui.vault.shelf import Root, Shelf


def same_stat(file: FoundFile, state: SyncState) -> bool:
    """Whether a file has the size and time that the last sync saw."""
    known = state.files.get(file.path)
    return known is not None and known.size == file.size and known.mtime_ns == file.mtime_ns


def count_stale(shelf: Shelf, seen: FileStats) -> int:
    """How many files differ from what the last sync saw, by size and time alone."""
    if _as_seen(shelf, seen):
        return 0
    found = shelf.scan()
    present = {file.path for file in found.files}
    changed = sum(1 for file in found.files if seen.get(file.path) != (file.size, file.mtime_ns))
    return changed + sum(1 for path in seen if path not in present and not found.hides(path))


def _as_seen(shelf: Shelf, seen: FileStats) -> bool:
    """Whether the files are exactly those of the last sync: then there is nothing to tell of any of them.

    The usual case, at half the cost of a scan. What is out of the ordinary (rules, links, vaults inside, whatever
    cannot be read) is left to that.
    """
    counts = [_count_as_seen(root, seen) for root in shelf.roots]
    return None not in counts and sum(count or 0 for count in counts) == len(seen)


def _count_as_seen(root: Root, seen: FileStats) -> int | None:
    """How many files a folder holds; None where one is not as it was seen, or anything is out of the ordinary."""
    base = os.path.realpath(root.folder)
    if root.layout.ignore or os.path.lexists(os.path.join(base, IGNORE_FILE)):
        return None
    count = 0
    folders = [(base, root.prefix)]
    try:
        while folders:
            folder, below = folders.pop()
            with os.scandir(folder) as entries:
                for entry in entries:
                    path = below + entry.name
                    if (known := seen.get(path)) is not None:
                        status = entry.stat(follow_symlinks=False)
                        if known != (status.st_size, status.st_mtime_ns):
                            return None
                        count += 1
                    elif entry.name[0] == ".":
                        if entry.name == OWN_FOLDER and below != root.prefix:
                            return None
                    elif entry.is_symlink():
                        return None
                    elif entry.is_dir():
                        folders.append((entry.path, path + "/"))
                    elif path[-3:].lower() == MARKDOWN or path == root.prefix + root.layout.changelog:
                        return None
    except OSError:
        return None
    return count


def is_as_seen(shelf: Shelf, path: str, seen: FileStats) -> bool:
    """Whether one file is there with the size and time that the last sync saw; so is one that was never synced."""
    known = seen.get(path)
    if known is None:
        return True
    try:
        real = shelf.real(path)
        status = None if real is None else os.stat(real)
    except (Refused, OSError):
        return False
    return status is not None and known == (status.st_size, status.st_mtime_ns)
