"""Sync: files into the ledger. Reads outside any lock, then records everything in one transaction."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from pathlib import Path

from memtui.cognition.encoding import encoded
from memtui.errors import MemtuiError, Refused
from memtui.model.instants import Instant
from memtui.model.problems import Problem
from memtui.model.records import MEMORY_KINDS, Content, RecordKey, Revival
from memtui.model.results import SyncReport
from memtui.model.versions import Draft, Version
from memtui.store.port import LedgerPort, SourceFile, SyncState, WriteUnit
from memtui.vault.layout import Layout
from memtui.vault.reading import ReadRecord, load, read_file
from memtui.vault.scanning import FoundFile, Scan, scan

Progress = Callable[[int, int, str], None]
"""Told (done, of how many, path) as files are read."""


RENAMED_FROM = "renamed from "
"""How the first version of a renamed file's record names the record it goes on from."""


class SyncCancelled(MemtuiError):
    """The person cancelled; nothing was recorded."""

    code = "cancelled"


@dataclass(frozen=True, slots=True)
class _Reading:
    """One changed file as read: its bookkeeping, its records, what was wrong with it."""

    source: SourceFile
    records: tuple[ReadRecord, ...]
    problems: tuple[Problem, ...]
    refused: bool
    """What the file holds could not be taken: the records it gave before stay as they were."""


@dataclass(slots=True)
class _Tally:
    added: int = 0
    changed: int = 0
    vanished: int = 0
    unchanged: int = 0


class VaultSync:
    """Brings one partition of a ledger up to the files of one folder."""

    def __init__(
        self, root: Path, layout: Layout, ledger: LedgerPort, *, partition: str, actor: str, zone: tzinfo
    ) -> None:
        self._root = root
        self._layout = layout
        self._ledger = ledger
        self._partition = partition
        self._actor = actor
        self._zone = zone

    def stale(self) -> int:
        """How many files differ from what the last sync saw, by size and time alone."""
        with self._ledger.reading() as unit:
            state = unit.sync_state(self._partition)
        found = scan(self._root, self._layout)
        present = {file.path for file in found.files}
        changed = sum(1 for file in found.files if not _same_stat(file, state))
        return changed + sum(1 for path in state.files if path not in present and not found.hides(path))

    def run(
        self,
        progress: Progress | None = None,
        cancelled: Callable[[], bool] | None = None,
        *,
        strict: bool = False,
    ) -> SyncReport:
        """Sync once. Writes nothing when no file changed.

        With `strict`, Refused for any problem, new or known, before anything is recorded.
        Raises SyncCancelled when `cancelled` says so; StoreBusy and StoreUnreadable as the ledger does.
        """
        with self._ledger.reading() as unit:
            state = unit.sync_state(self._partition)
        found = scan(self._root, self._layout)
        candidates = [file for file in found.files if not _same_stat(file, state)]
        readings: list[_Reading] = []
        for number, file in enumerate(candidates):
            if cancelled is not None and cancelled():
                raise SyncCancelled("the sync was cancelled; nothing was recorded")
            if progress is not None:
                progress(number, len(candidates), file.path)
            readings.append(self._read(file))
        gone = self._gone(found, state)
        tally = _Tally(unchanged=self._untouched(state, candidates, gone))
        if self._anything_to_note(found, state, readings, gone):
            with self._ledger.writing() as writing:
                noted = self._record(writing, state, readings, gone, tally, found)
                if strict:
                    _refuse_problems(noted)
        elif strict:
            _refuse_problems(state.problems)
        with self._ledger.reading() as unit:
            problems = unit.sync_state(self._partition).problems
        return SyncReport(
            added=tally.added,
            changed=tally.changed,
            vanished=tally.vanished,
            unchanged=tally.unchanged,
            skipped=len(found.skipped),
            problems=problems,
            skipped_paths=found.skipped,
        )

    def _read(self, file: FoundFile) -> _Reading:
        data = load(file)
        if isinstance(data, Problem):
            return _Reading(SourceFile(file.path, file.size, file.mtime_ns, ""), (), (data,), refused=True)
        source = SourceFile(file.path, file.size, file.mtime_ns, hashlib.sha256(data).hexdigest())
        read = read_file(file, data, self._zone)
        return _Reading(source, read.records, read.problems, read.refused)

    def _gone(self, found: Scan, state: SyncState) -> list[str]:
        """Files that were there at the last sync and are not now.

        What could not be looked at now has not gone: a folder without permission, an unmounted vault.
        """
        present = {file.path for file in found.files}
        return [path for path in state.files if path not in present and not found.hides(path)]

    def _untouched(self, state: SyncState, candidates: Sequence[FoundFile], gone: Sequence[str]) -> int:
        read = {file.path for file in candidates} | set(gone)
        return sum(len(keys) for path, keys in state.records.items() if path not in read)

    def _anything_to_note(
        self, found: Scan, state: SyncState, readings: Sequence[_Reading], gone: Sequence[str]
    ) -> bool:
        if readings or gone or state.last_sync is None:
            return True
        scanned = {problem.path for problem in found.problems}
        known = {problem.path for problem in state.problems if problem.path not in state.files}
        return scanned != known

    def _record(
        self,
        unit: WriteUnit,
        state: SyncState,
        readings: Sequence[_Reading],
        gone: Sequence[str],
        tally: _Tally,
        found: Scan,
    ) -> tuple[Problem, ...]:
        """One transaction: a version for whatever differs, and the bookkeeping of the files.

        Returns the problems the vault has now.
        """
        held = {path: state.records.get(path, ()) for path in (*gone, *(r.source.path for r in readings))}
        unreadable = {r.source.path for r in readings if r.refused}
        taken = self._taken(state, readings, gone)
        read_keys = {
            self._key(record): record
            for r in readings
            for record in r.records
            if taken[self._key(record)] == r.source.path
        }
        currents = unit.current({*read_keys, *(key for keys in held.values() for key in keys)})
        problems: dict[str, list[Problem]] = {r.source.path: list(r.problems) for r in readings}
        # A file that cannot be read now has not stopped saying what it said.
        missing = [key for path, keys in held.items() if path not in unreadable for key in keys if key not in read_keys]
        moved = _renames(missing, read_keys, currents)
        for reading in readings:
            for record in reading.records:
                owner = taken[self._key(record)]
                if owner != reading.source.path:
                    problems[reading.source.path].append(
                        Problem(reading.source.path, f"{record.kind}/{record.name} is already {owner}", field="name")
                    )
                    continue
                self._take(unit, record, currents, moved, problems[reading.source.path], tally)
        for key in missing:
            if key not in moved.values():
                self._vanish(unit, currents.get(key), tally)
        for problem in found.problems:
            problems.setdefault(problem.path, []).append(problem)
        stale_notes = {p.path for p in state.problems if p.path not in state.files and p.path not in problems}
        unit.note_files(
            self._partition,
            files=[r.source for r in readings],
            gone=[*gone, *stale_notes],
            records={
                r.source.path: [(key, currents[key].content.line) for key in held[r.source.path] if key in currents]
                if r.refused
                else [
                    (self._key(record), record.content.line)
                    for record in r.records
                    if taken[self._key(record)] == r.source.path
                ]
                for r in readings
            },
            problems=problems,
        )
        return unit.sync_state(self._partition).problems

    def _taken(self, state: SyncState, readings: Sequence[_Reading], gone: Sequence[str]) -> dict[RecordKey, str]:
        """Which file each record is read from: two files may give themselves the same name."""
        reread = {r.source.path for r in readings if not r.refused} | set(gone)
        taken = {key: path for path, keys in state.records.items() if path not in reread for key in keys}
        for reading in readings:
            for record in reading.records:
                taken.setdefault(self._key(record), reading.source.path)
        return taken

    def _key(self, record: ReadRecord) -> RecordKey:
        return RecordKey(self._partition, record.kind, record.name)

    def _take(
        self,
        unit: WriteUnit,
        record: ReadRecord,
        currents: Mapping[RecordKey, Version],
        moved: Mapping[RecordKey, RecordKey],
        problems: list[Problem],
        tally: _Tally,
    ) -> None:
        """Record what one read record says, against what the ledger believes."""
        key = self._key(record)
        current = currents.get(key)
        origin = currents.get(moved[key]) if key in moved else None
        if current is None:
            content = _first_content(record, unit.stamp, origin)
            if record.kind == "engram":
                content = encoded(content, at=unit.stamp, zone=self._zone)
        elif record.kind in MEMORY_KINDS:
            content = _engram_update(record, current.content, unit.stamp, problems)
            content = encoded(content, at=unit.stamp, zone=self._zone)
        else:
            content = _document_update(record, current.content, unit.stamp, self._actor)
        draft = Draft(
            key=key,
            operation="sync",
            content=content,
            actor=self._actor,
            reason=f"{RENAMED_FROM}{origin.key.name}" if origin is not None else None,
            origin_known=False,
        )
        try:
            written = unit.append(draft)
        except MemtuiError as error:
            path = record.content.path or key.name
            problems.append(Problem(path, error.message, field=error.field, value=_text(error.value)))
            return
        if written is None:
            tally.unchanged += 1
        elif current is None:
            tally.added += 1
        else:
            tally.changed += 1
        if origin is not None:
            retired = replace(origin.content, valid_to=unit.stamp, superseded_by=key.name)
            unit.append(Draft(origin.key, "sync", retired, self._actor, f"renamed to {key.name}"))

    def _vanish(self, unit: WriteUnit, current: Version | None, tally: _Tally) -> None:
        """A file is gone: its records end now; what memory they were is kept."""
        if current is None or _ended(current.content, unit.stamp):
            return
        start = current.content.valid_from
        end = unit.stamp if start is None else max(unit.stamp, start)
        operation = "forget" if current.key.kind in MEMORY_KINDS else "sync"
        content = replace(current.content, valid_to=end)
        unit.append(Draft(current.key, operation, content, self._actor, reason="file removed"))
        tally.vanished += 1


def _refuse_problems(problems: Sequence[Problem]) -> None:
    if problems:
        raise Refused(
            f"{len(problems)} problems, so nothing was recorded (--strict): " + "; ".join(map(str, problems[:10])),
            hint="mend them, or sync without --strict",
        )


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _ended(content: Content, now: Instant) -> bool:
    return content.valid_to is not None and content.valid_to <= now


def _same_stat(file: FoundFile, state: SyncState) -> bool:
    known = state.files.get(file.path)
    return known is not None and known.size == file.size and known.mtime_ns == file.mtime_ns


def _first_content(record: ReadRecord, now: Instant, origin: Version | None) -> Content:
    """What a record says when it is first seen: true since the earliest trustworthy date, at latest now."""
    content = record.content
    if content.valid_from is not None:
        return content
    if origin is not None and origin.content.valid_from is not None:
        return replace(content, valid_from=origin.content.valid_from)
    since = now if record.reference is None else min(record.reference, now)
    return replace(content, valid_from=since)


def _document_update(record: ReadRecord, current: Content, now: Instant, actor: str) -> Content:
    """A document's new content: its validity goes on, and a file that came back is a revival."""
    content = replace(record.content, valid_from=current.valid_from, revivals=current.revivals)
    if _ended(current, now) and current.valid_to is not None:
        gap = Revival(current.valid_to, now, superseded_by=current.superseded_by, revived_by=actor)
        content = replace(content, revivals=(*current.revivals, gap))
    return content


def _engram_update(record: ReadRecord, current: Content, now: Instant, problems: list[Problem]) -> Content:
    """An engram file's new content: an update under the guard. A forgotten memory stays forgotten."""
    content = replace(
        record.content,
        valid_from=record.content.valid_from or current.valid_from,
        encoding_context=current.encoding_context,
        revivals=current.revivals,
    )
    path = record.content.path or record.name
    if _ended(current, now):
        if content.valid_to is None or (current.valid_to is not None and content.valid_to > current.valid_to):
            problems.append(
                Problem(path, f"this memory is forgotten and stays so; `memtui revive {record.name}` brings it back")
            )
        return replace(content, valid_to=current.valid_to, superseded_by=current.superseded_by)
    if current.revivals:
        # The file may still carry the bound that was lifted; the ledger's word is the newer one.
        return replace(content, valid_to=current.valid_to, superseded_by=current.superseded_by)
    return content


def _renames(
    missing: Sequence[RecordKey],
    read: Mapping[RecordKey, ReadRecord],
    currents: Mapping[RecordKey, Version],
) -> dict[RecordKey, RecordKey]:
    """New key → old key, where a file went and another with the very same text came.

    Only unambiguous pairs count: two files with one text tell nothing about which became which.
    """
    old: dict[tuple[str, str | None, str | None], list[RecordKey]] = {}
    for key in missing:
        version = currents.get(key)
        if version is not None and version.content.valid_to is None:
            old.setdefault((key.kind, version.content.summary, version.content.body), []).append(key)
    new: dict[tuple[str, str | None, str | None], list[RecordKey]] = {}
    for key, record in read.items():
        if key not in currents:
            new.setdefault((key.kind, record.content.summary, record.content.body), []).append(key)
    return {
        keys[0]: old[text][0]
        for text, keys in new.items()
        if len(keys) == 1 and len(old.get(text, ())) == 1 and (text[1] or text[2])
    }
