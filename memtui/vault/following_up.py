"""Files that follow the ledger: a memory kept in a file is changed by a verb, and its file says so too.

The ledger commits first, with the size, time and digest the file will have; then the file is replaced. A run that
ends between the two leaves the old file under the newer version: the next sync knows it by `replaces`, and finishes.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path

from memtui.errors import Refused
from memtui.log import survived
from memtui.model.records import Content
from memtui.model.versions import Version
from memtui.regular_files import read_regular
from memtui.store.port import ReplacedFile, SourceFile, WriteUnit
from memtui.vault.engram_files import read_engram_file
from memtui.vault.engram_writing import engram_file_text
from memtui.vault.records import ReadFile
from memtui.vault.replacing import Prepared, prepare, unfinished
from memtui.vault.scanning import LARGEST
from memtui.vault.shelf import Shelf
from memtui.vault.source_text import SourceText, editable_text, file_bytes


@dataclass(frozen=True, slots=True)
class _Held:
    """A file as it lies there."""

    real: Path
    """The file itself, links resolved: what is to be replaced."""
    data: bytes
    digest: str
    status: os.stat_result


class FileFollowUp:
    """The files that one transaction changes: prepared inside it, replaced after its commit."""

    def __init__(self, shelf: Shelf, partition: str, zone: tzinfo) -> None:
        self._shelf = shelf
        self._partition = partition
        self._zone = zone
        self._prepared: list[Prepared] = []
        self._files: Mapping[str, SourceFile] | None = None
        """The files as the last sync saw them, read once in a transaction."""

    def prepare(self, unit: WriteUnit, old: Version, new: Version) -> None:
        """Write what a memory's file will say beside it, and note in the transaction how it will look.

        Raises Refused for a file that changed since its last sync, is gone, or cannot be edited or written.
        """
        path = new.content.path
        if self._files is None:
            self._files = unit.sync_state(self._partition).files
        known = None if path is None else self._files.get(path)
        if path is None or known is None:
            return  # recorded by a verb in the place of a file that was never synced here
        held = self._held(path)
        if held is None:
            if old.content.has_ended(unit.stamp) or new.content.has_ended(unit.stamp):
                return  # its file is gone, and so is it
            raise Refused(f"{path} is gone", file=path, hint="`memtui sync` takes note of that; then try again")
        if held.digest != known.digest:
            raise Refused(
                f"{path} changed since its last sync, so {new.key.kind}/{new.key.name} cannot be changed here",
                file=path,
                value=new.key.name,
                hint="`memtui sync` reads the file; then try again",
            )
        text, says = self._edited(path, held.data, old.content, new.content)
        data = file_bytes(path, text)
        if data == held.data:
            return
        prepared = prepare(held.real, data, expected=held.data, keep=True)
        self._prepared.append(prepared)
        old_file = ReplacedFile(held.digest, held.status.st_size, held.status.st_mtime_ns)
        file = SourceFile(path, prepared.size, prepared.mtime_ns, prepared.digest, replaces=old_file)
        unit.note_file(self._partition, file, [(new.key, r.content.line) for r in says.records], says.problems)

    def commit(self) -> list[str]:
        """Replace the files; a sentence for each that could not be, which the next sync finishes or tells of.

        The ledger is committed by now, so nothing is raised.
        """
        left: list[str] = []
        for prepared in self._prepared:
            try:
                prepared.commit()
            except Refused as error:
                survived("a file could not be replaced; the next sync finishes it or tells of it", error)
                left.append(f"recorded, but its file does not say so yet: {error.message}; `memtui sync` sees to it")
        return left

    def discard(self) -> None:
        """Take back what was prepared."""
        for prepared in self._prepared:
            prepared.discard()

    def finish(self, path: str, old: Version, new: Version) -> None:
        """Finish a writing that was cut short: the file still says `old`, the ledger holds `new`.

        Raises Refused where the file cannot be edited or written.
        """
        held = self._held(path)
        if held is None:
            return
        text, _ = self._edited(path, held.data, old.content, new.content)
        data = file_bytes(path, text)
        left = unfinished(held.real, hashlib.sha256(data).hexdigest(), expected=held.digest)
        (left or prepare(held.real, data, expected=held.data, keep=True)).commit()

    def _held(self, path: str) -> _Held | None:
        """A file as it is now; None where there is none. Raises Refused for one that cannot be read."""
        real = self._shelf.real(path)
        if real is None:
            return None
        try:
            status = os.stat(real)  # before its bytes: one that is written in between is then never taken for it
            data = read_regular(str(real), LARGEST)
        except FileNotFoundError:
            return None
        except OSError as error:
            hint = "make it a file that may be read, then try again"
            raise Refused(f"{path} cannot be read: {error.strerror or error}", file=path, hint=hint) from error
        return _Held(real, data, hashlib.sha256(data).hexdigest(), status)

    def _edited(self, path: str, data: bytes, old: Content, new: Content) -> tuple[str, ReadFile]:
        """The text of a file that says `new`, and what is read from it. Raises Refused."""
        name = self._shelf.name_by_place(path)
        edited = engram_file_text(path, name, editable_text(path, data), old, new, self._zone)
        return edited, read_engram_file(path, name, SourceText(edited).text, self._zone)
