"""What changed in a vault's files since the last sync: read outside any lock, before anything is recorded."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from pathlib import Path

from memtui.errors import MemtuiError
from memtui.model.problems import Problem
from memtui.model.records import RecordKey
from memtui.store.port import SourceFile, SyncState
from memtui.vault.freshness import same_stat
from memtui.vault.reading import ReadRecord, load, read_file
from memtui.vault.replacing import lies_beside
from memtui.vault.scanning import FoundFile, Scan
from memtui.vault.shelf import Shelf

READER = "2"
"""The version of the readers: a change in what a file is taken to say must have every file read again."""

UNREAD = ""
"""The digest of a file that could not be read, or must be read again whatever its size and time."""

Progress = Callable[[int, int, str], None]
"""Told (done, of how many, path) as files are read."""


class SyncCancelled(MemtuiError):
    """The person cancelled; nothing was recorded."""

    code = "cancelled"


@dataclass(frozen=True, slots=True)
class Reading:
    """One file as read: its bookkeeping, its records, what was wrong with it."""

    found: FoundFile
    source: SourceFile
    records: tuple[ReadRecord, ...]
    problems: tuple[Problem, ...]
    refused: bool
    """What the file holds could not be taken: the records it gave before stay as they were."""

    @property
    def path(self) -> str:
        """The file's path in the vault."""
        return self.source.path


@dataclass(frozen=True, slots=True)
class Survey:
    """Everything a sync has to record."""

    state: SyncState
    scan: Scan
    readings: tuple[Reading, ...]
    restated: tuple[SourceFile, ...]
    """Files with another time but the very same bytes: nothing in them is new."""
    gone: tuple[str, ...]
    settings: str
    unfinished: tuple[Reading, ...]
    """Files as they were before memtui itself changed them: a writing was cut short."""
    overtaken: frozenset[str]
    """Files that were edited or moved, as they were before, after such a writing was cut short."""
    owners: Mapping[RecordKey, str]
    """Which file each record is read from: two files may give themselves the same name."""

    @property
    def unchanged(self) -> int:
        """How many records lie in files that were not read again."""
        touched = {reading.path for reading in self.readings} | set(self.gone)
        return sum(len(keys) for path, keys in self.state.records.items() if path not in touched)

    @property
    def stray_problems(self) -> dict[str, tuple[Problem, ...]]:
        """Problems of the walk itself, by path."""
        found: dict[str, tuple[Problem, ...]] = {}
        for problem in self.scan.problems:
            found[problem.path] = (*found.get(problem.path, ()), problem)
        return found

    @property
    def forgotten_problems(self) -> frozenset[str]:
        """Paths whose problems of the walk are no longer so."""
        known = {problem.path for problem in self.state.problems if problem.path not in self.state.files}
        return frozenset(known - set(self.stray_problems))

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to record, not even that a sync took place."""
        known: dict[str, tuple[Problem, ...]] = {}
        for problem in self.state.problems:
            known[problem.path] = (*known.get(problem.path, ()), problem)
        strays_known = all(set(found) <= set(known.get(path, ())) for path, found in self.stray_problems.items())
        return (
            self.state.last_sync is not None
            and self.state.settings == self.settings
            and not (self.readings or self.restated or self.gone or self.forgotten_problems)
            and strays_known
        )


def settings_of(shelf: Shelf, zone: tzinfo) -> str:
    """What, besides the files, decides what they are taken to say."""
    return hashlib.sha256(repr((READER, shelf.reading, str(zone))).encode("utf-8", "surrogatepass")).hexdigest()


def survey(
    shelf: Shelf,
    state: SyncState,
    *,
    partition: str,
    zone: tzinfo,
    progress: Progress | None,
    cancelled: Callable[[], bool] | None,
) -> Survey:
    """Walk the vault and read what changed. Raises SyncCancelled when `cancelled` says so."""
    found = shelf.scan()
    settings = settings_of(shelf, zone)
    all_anew = state.settings != settings
    troubled = {problem.path for problem in state.problems}
    wanted = [f for f in found.files if all_anew or not same_stat(f, state) or _is_open(state.files[f.path], troubled)]
    looked = _Looked()
    for number, file in enumerate(wanted):
        if cancelled is not None and cancelled():
            raise SyncCancelled("the sync was cancelled; nothing was recorded")
        if progress is not None:
            progress(number, len(wanted), file.path)
        looked.take(_read(file, zone), state.files.get(file.path), anew=all_anew or file.path in troubled)
    # A file that is seen as memtui wrote it is finished: the old bytes, found later, are someone's own wish.
    seen_anew = {file.path for file in wanted}
    finished = (f for f in found.files if f.path not in seen_anew and state.files[f.path].replaces)
    restated = [*looked.restated, *(replace(state.files[f.path], replaces=None) for f in finished)]
    present = {file.path for file in found.files}
    # What could not be looked at now has not gone: a folder without permission, an unmounted vault.
    gone = tuple(path for path in state.files if path not in present and not found.hides(path))
    moved = (p for p in gone if shelf.holds(p) and _still_waits(shelf.absolute(p), state.files[p]))
    owners = _owners(state, looked.readings, gone, partition)
    readings = [_told_of_conflicts(reading, owners, partition) for reading in looked.readings]
    return Survey(
        state=state,
        scan=found,
        readings=tuple(r for r in readings if all_anew or not _known_trouble(r, state)),
        restated=tuple(restated),
        gone=gone,
        settings=settings,
        unfinished=tuple(looked.unfinished),
        overtaken=frozenset((*looked.overtaken, *moved)),
        owners=owners,
    )


@dataclass(slots=True)
class _Looked:
    """What became of the files that were read."""

    readings: list[Reading] = field(default_factory=list[Reading])
    restated: list[SourceFile] = field(default_factory=list[SourceFile])
    unfinished: list[Reading] = field(default_factory=list[Reading])
    overtaken: list[str] = field(default_factory=list[str])

    def take(self, reading: Reading, known: SourceFile | None, *, anew: bool) -> None:
        """Sort a file in, against what is known of it; `anew` where the same bytes may now be read differently."""
        if known is None:
            self.readings.append(reading)
            return
        digest = reading.source.digest
        if _is_unfinished(reading.found, digest, known):
            self.unfinished.append(reading)
            return
        if digest != known.digest and _still_waits(Path(reading.found.absolute), known):
            self.overtaken.append(reading.path)
        if reading.refused and known.replaces is not None:
            # What cannot be taken yet tells nothing of what became of a writing of our own: that stays as known.
            self.readings.append(replace(reading, source=known))
        elif digest == known.digest != UNREAD and not anew:
            self.restated.append(reading.source)
        else:
            self.readings.append(reading)


def _is_open(known: SourceFile, troubled: set[str]) -> bool:
    """Whether a file that has the size and time it should have must be read all the same.

    One that was left unread is tried each time: a permission that came back changes no time. And what was said of
    one while memtui's own text had not reached it is no longer so.
    """
    return known.digest == UNREAD or (known.replaces is not None and known.path in troubled)


def still_so(reading: Reading) -> bool:
    """Whether a file is still as it was when it was read."""
    try:
        now = os.stat(reading.found.absolute)
    except OSError:
        return not reading.source.digest
    return now.st_size == reading.found.size and now.st_mtime_ns == reading.found.mtime_ns


def _read(file: FoundFile, zone: tzinfo) -> Reading:
    data = load(file)
    if isinstance(data, Problem):
        return Reading(file, SourceFile(file.path, file.size, file.mtime_ns, UNREAD), (), (data,), refused=True)
    source = SourceFile(file.path, file.size, file.mtime_ns, hashlib.sha256(data).hexdigest())
    read = read_file(file, data, zone)
    return Reading(file, source, () if read.refused else read.records, read.problems, read.refused)


def _is_unfinished(file: FoundFile, digest: str, known: SourceFile) -> bool:
    """Whether a file is still the one that memtui was about to replace, and not one whose old text was brought back.

    It has the old bytes, and either their size and time as well, or what was to replace it still lies beside it.
    """
    old = known.replaces
    if old is None or old.digest != digest:
        return False
    return (file.size, file.mtime_ns) == (old.size, old.mtime_ns) or lies_beside(Path(file.absolute), known.digest)


def _still_waits(real: Path, known: SourceFile) -> bool:
    """Whether what memtui was about to put in a file's place never got there: it still lies beside it."""
    return known.replaces is not None and real.parent.is_dir() and lies_beside(real, known.digest)


def _owners(state: SyncState, readings: Iterable[Reading], gone: Iterable[str], partition: str) -> dict[RecordKey, str]:
    """The file each record belongs to: the one it was read from before, else the first by path."""
    read = list(readings)
    reread = {r.path for r in read if not r.refused} | set(gone)
    owners = {key: path for path, keys in state.records.items() if path not in reread for key in keys}
    before = {key: path for path, keys in state.records.items() for key in keys}
    for reading in read:
        for record in reading.records:
            key = RecordKey(partition, record.kind, record.name)
            if before.get(key) == reading.path:
                owners[key] = reading.path
    for reading in read:
        for record in reading.records:
            owners.setdefault(RecordKey(partition, record.kind, record.name), reading.path)
    return owners


def _told_of_conflicts(reading: Reading, owners: Mapping[RecordKey, str], partition: str) -> Reading:
    """The reading without records that belong to another file; it is read again until that is resolved."""
    own = tuple(r for r in reading.records if owners[RecordKey(partition, r.kind, r.name)] == reading.path)
    if len(own) == len(reading.records):
        return reading
    told = tuple(
        Problem(
            reading.path,
            f"{r.kind}/{r.name} is already {owners[RecordKey(partition, r.kind, r.name)]}; rename one of them",
            field="name",
            value=r.name,
        )
        for r in reading.records
        if r not in own
    )
    source = SourceFile(reading.path, reading.source.size, reading.source.mtime_ns, UNREAD)
    return Reading(reading.found, source, own, (*reading.problems, *told), reading.refused)


def _known_trouble(reading: Reading, state: SyncState) -> bool:
    """Whether a file that is tried again each time is as troubled as it was: then nothing is new."""
    tried_each_time = reading.source.digest == UNREAD or reading.source.replaces is not None
    if not tried_each_time or state.files.get(reading.path) != reading.source:
        return False
    known = {problem for problem in state.problems if problem.path == reading.path}
    same_records = reading.refused or len(reading.records) == len(state.records.get(reading.path, ()))
    return known == set(reading.problems) and same_records
