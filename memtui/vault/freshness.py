"""Whether the files are still as the last sync saw them: a walk by size and time, cheap enough for every command."""

from __future__ import annotations

from memtui.store.port import SyncState
from memtui.vault.scanning import FoundFile
from memtui.vault.shelf import Shelf


def same_stat(file: FoundFile, state: SyncState) -> bool:
    """Whether a file has the size and time that the last sync saw."""
    known = state.files.get(file.path)
    return known is not None and known.size == file.size and known.mtime_ns == file.mtime_ns


def count_stale(shelf: Shelf, state: SyncState) -> int:
    """How many files differ from what the last sync saw, by size and time alone."""
    found = shelf.scan()
    present = {file.path for file in found.files}
    changed = sum(1 for file in found.files if not same_stat(file, state))
    return changed + sum(1 for path in state.files if path not in present and not found.hides(path))
