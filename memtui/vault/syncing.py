"""Sync: files into the ledger. What changed is read outside any lock, then recorded in one transaction."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from pathlib import Path

from memtui.clock import system_clock
from memtui.cognition.encoding import encoded
from memtui.errors import MemtuiError, Refused, StoreBusy
from memtui.log import survived
from memtui.model.outcomes import SyncReport
from memtui.model.problems import Problem
from memtui.model.records import MEMORY_KINDS, RecordKey
from memtui.model.renames import renaming
from memtui.model.versions import Draft, Version
from memtui.store.port import LedgerPort, WriteUnit
from memtui.vault.believing import document_update, engram_update, first_content, renames, taken_over, undone_by_an_edit
from memtui.vault.freshness import count_stale
from memtui.vault.records import ReadRecord
from memtui.vault.shelf import Shelf
from memtui.vault.surveying import Progress, Reading, Survey, SyncCancelled, still_so, survey

__all__ = ["Progress", "SyncCancelled", "VaultSync"]

_MOST_ATTEMPTS = 5
"""How often a survey is taken anew when another process synced meanwhile."""
_LEFTOVER_AFTER_NS = 3_600 * 1_000_000_000
"""The age of a temporary file that no process can still be writing, whatever its number says."""


@dataclass(slots=True)
class _Tally:
    added: int = 0
    changed: int = 0
    vanished: int = 0
    unchanged: int = 0
    problems: dict[str, list[Problem]] = field(default_factory=dict[str, list[Problem]])
    blocked: set[RecordKey] = field(default_factory=set[RecordKey])
    """Records that their file may not speak for."""


class VaultSync:
    """Brings one partition of a ledger up to the files of one folder."""

    def __init__(self, shelf: Shelf, ledger: LedgerPort, *, partition: str, actor: str, zone: tzinfo) -> None:
        self._shelf = shelf
        self._ledger = ledger
        self._partition = partition
        self._actor = actor
        self._zone = zone

    def stale(self) -> int:
        """How many files differ from what the last sync saw, by size and time alone."""
        with self._ledger.reading() as unit:
            seen = unit.file_stats(self._partition)
        return count_stale(self._shelf, seen)

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
        told: dict[str, Problem] = {}  # of files that could not be finished: each is tried once
        finished: dict[str, str] = {}
        for _ in range(_MOST_ATTEMPTS):
            with self._ledger.reading() as unit:
                state = unit.sync_state(self._partition)
            seen = survey(
                self._shelf,
                state,
                partition=self._partition,
                zone=self._zone,
                progress=progress,
                cancelled=cancelled,
            )
            untried = [reading for reading in seen.unfinished if reading.path not in told]
            if untried:
                self._finish(untried, told, finished)
                continue  # what they say now, a new look will find
            unfinished = [told[reading.path] for reading in seen.unfinished]
            for reading in seen.unfinished:
                finished.pop(reading.path, None)
            if seen.is_empty:
                if strict:
                    _refuse_problems(state.problems)
                self._sweep(seen.scan.leftovers)
                return _report(seen, _Tally(unchanged=seen.unchanged), (*state.problems, *unfinished), finished)
            with self._ledger.writing() as unit:
                # What was read is worth only as much as the state it was read against.
                if unit.sync_state(self._partition) != state:
                    continue
                tally = self._record(unit, seen)
                state = unit.sync_state(self._partition)
                if strict:
                    _refuse_problems(state.problems)
            self._sweep(seen.scan.leftovers)
            return _report(seen, tally, (*state.problems, *unfinished), finished)
        raise StoreBusy(
            f"{self._ledger.location} was synced by another process again and again",
            hint="nothing was recorded here; the other sync has done it, or try again",
        )

    def _finish(self, unfinished: Sequence[Reading], told: dict[str, Problem], finished: dict[str, str]) -> None:
        """Write the files that a writing of our own was cut short in.

        By path, `finished` gets what they say now, and `told` what to say if that was in vain.
        """
        from memtui.vault.following_up import FileFollowUp  # only ever needed after a crash

        files = FileFollowUp(self._shelf, self._partition, self._zone)
        for reading in unfinished:
            reason = "still says what it did before memtui changed it, and could not be brought up to the ledger"
            told[reading.path] = Problem(reading.path, f"{reason}; edit it by hand, and its words count")
            with self._ledger.reading() as unit:
                keys = unit.sync_state(self._partition).records.get(reading.path, ())
                steps = [unit.history(key)[-2:] for key in keys]
            for before, after in (pair for pair in steps if len(pair) == 2):
                try:
                    files.finish(reading.path, before, after)
                    what = f"`{after.operation}` of {after.key.kind}/{after.key.name} (version {after.seq})"
                    finished[reading.path] = f"{what}, which had been recorded but not written into it"
                except (MemtuiError, OSError) as error:
                    survived(f"{reading.path} could not be finished", error)
                    told[reading.path] = Problem(reading.path, f"does not yet say what the ledger does: {error}")

    def _sweep(self, leftovers: Sequence[str]) -> None:
        """Remove the temporary files of runs that ended before they could.

        What a file is still to become stays: it tells how far its writing came.
        """
        if not leftovers:
            return
        from memtui.vault.replacing import abandoned, sweep

        # A file's own time is the machine's, whatever clock the ledger is given.
        left = abandoned(map(Path, leftovers), before_ns=system_clock() * 1_000 - _LEFTOVER_AFTER_NS)
        if not left:
            return
        with self._ledger.reading() as unit:  # only now: what a run committed before it ended is in it
            state = unit.sync_state(self._partition)
        sweep(left, {file.digest for file in state.files.values() if file.replaces is not None})

    def _record(self, unit: WriteUnit, seen: Survey) -> _Tally:
        """One transaction: a version for whatever differs, and the bookkeeping of the files."""
        # A file that changed since it was read is left for the next sync, as it was.
        readings = [reading for reading in seen.readings if still_so(reading)]
        gone = [path for path in seen.gone if not self._is_there(path)]
        tally = _Tally(
            unchanged=seen.unchanged,
            problems={r.path: list(r.problems) for r in readings},
        )
        held = {path: seen.state.records.get(path, ()) for path in (*gone, *(r.path for r in readings))}
        if seen.state.last_sync is None:
            held.update(self._replayed(unit, seen, {r.path for r in readings}))
        read = {self._key(record): record for r in readings for record in r.records}
        currents = unit.current({*read, *(key for keys in held.values() for key in keys)})
        refused = {r.path for r in readings if r.refused}
        missing = [
            key
            for path, keys in held.items()
            if path not in refused
            for key in keys
            if key not in read and seen.owners.get(key, path) == path
        ]
        moved = renames(missing, read, currents)
        for key, record in read.items():
            self._take(unit, record, currents.get(key), currents.get(moved[key]) if key in moved else None, tally)
        for key in missing:
            if key not in moved.values():
                self._vanish(unit, currents.get(key), tally)
        called_now = {old: new for new, old in moved.items()}
        for path in seen.overtaken:
            for old in held.get(path, ()):
                record = read.get(called_now.get(old, old))
                if record is not None:
                    self._tell_undone(unit, record, currents[old], tally)
        self._note(unit, seen, readings, gone, tally)
        return tally

    def _is_there(self, path: str) -> bool:
        return self._shelf.holds(path) and os.path.lexists(self._shelf.absolute(path))

    def _replayed(self, unit: WriteUnit, seen: Survey, read: set[str]) -> dict[str, tuple[RecordKey, ...]]:
        """Records of files that came in with a ledger and not from here, by the paths that are read now or not there.

        No sync has seen those files, so nothing else would ever tell that they are gone.
        """
        keys = [key for _, key, _ in unit.names([self._partition])]
        found: dict[str, list[RecordKey]] = {}
        for key, version in unit.current(keys).items():
            path = version.content.path
            if path is None:
                continue
            left = seen.scan.hides(path) or self._is_there(path) or version.content.has_ended(unit.stamp)
            if path in read or not left:
                found.setdefault(path, []).append(key)
        return {path: tuple(keys) for path, keys in found.items()}

    def _key(self, record: ReadRecord) -> RecordKey:
        return RecordKey(self._partition, record.kind, record.name)

    def _take(
        self, unit: WriteUnit, record: ReadRecord, current: Version | None, origin: Version | None, tally: _Tally
    ) -> None:
        """Record what one read record says, against what the ledger believes."""
        path = record.content.path or record.name
        problems = tally.problems.setdefault(path, [])
        blocked = None if current is None else taken_over(record, current.content)
        if blocked is not None:
            problems.append(blocked)
            tally.blocked.add(self._key(record))
            return
        if current is None:
            content, told = first_content(record, unit.stamp, origin)
        elif record.kind in MEMORY_KINDS:
            content, told = engram_update(record, current.content, unit.stamp)
        else:
            content, told = document_update(record, current.content, unit.stamp, self._actor)
        if record.kind == "engram":
            content = encoded(content, at=unit.stamp, zone=self._zone)
        problems.extend(told)
        key = self._key(record)
        reason = None if origin is None else renaming(origin.key)
        known = origin is not None  # what was renamed did not begin unseen
        try:
            draft = Draft(key, "sync", content, self._actor, reason, origin_known=known, goes_on=origin)
            written = unit.append(draft)
            if origin is not None:
                self._retire(unit, origin, key)
        except MemtuiError as error:
            value = None if error.value is None else str(error.value)
            problems.append(Problem(path, error.message, field=error.field, value=value))
            return
        if written is None:
            tally.unchanged += 1
        elif current is None:
            tally.added += 1
        else:
            tally.changed += 1

    def _tell_undone(self, unit: WriteUnit, record: ReadRecord, recorded: Version, tally: _Tally) -> None:
        """Say what an edit took back that a verb had recorded and its file never said."""
        before = [version for version in unit.history(recorded.key) if version.seq < recorded.seq]
        key = self._key(record)
        if before:
            undone = undone_by_an_edit(record, before[-1].content, recorded, unit.current([key])[key].content)
            tally.problems.setdefault(record.content.path or record.name, []).extend(undone)

    def _retire(self, unit: WriteUnit, origin: Version, successor: RecordKey) -> None:
        """A renamed record's old name was, in today's view, never its name: its window closes where it opened."""
        if origin.content.has_ended(unit.stamp):
            return
        start = origin.content.valid_from
        if origin.content.revivals and start is not None:
            start = max(start, origin.content.revivals[-1].revived_at)
        retired = replace(origin.content, valid_to=start, superseded_by=successor.name)
        reason = f"renamed to {successor.kind}/{successor.name}"
        unit.append(Draft(origin.key, "sync", retired, self._actor, reason))

    def _vanish(self, unit: WriteUnit, current: Version | None, tally: _Tally) -> None:
        """A file is gone: its records end now; what memory they were is kept."""
        if current is None or current.content.has_ended(unit.stamp):
            return
        starts = [current.content.valid_from or unit.stamp, *(r.revived_at for r in current.content.revivals)]
        content = replace(current.content, valid_to=max(unit.stamp, *starts))
        operation = "forget" if current.key.kind in MEMORY_KINDS else "sync"
        unit.append(Draft(current.key, operation, content, self._actor, reason="file removed"))
        tally.vanished += 1

    def _note(
        self, unit: WriteUnit, seen: Survey, readings: Sequence[Reading], gone: Sequence[str], tally: _Tally
    ) -> None:
        lines: Mapping[RecordKey, int] = unit.lines() if any(r.refused for r in readings) else {}
        placed: dict[str, list[tuple[RecordKey, int | None]]] = {}
        for reading in readings:
            if reading.refused:
                placed[reading.path] = [(key, lines.get(key)) for key in seen.state.records.get(reading.path, ())]
            else:
                own = [(self._key(record), record.content.line) for record in reading.records]
                placed[reading.path] = [(key, line) for key, line in own if key not in tally.blocked]
        problems: dict[str, Sequence[Problem]] = {**dict.fromkeys(seen.forgotten_problems, ()), **tally.problems}
        for path, found in seen.stray_problems.items():
            problems[path] = (*problems.get(path, ()), *found)
        unit.note_files(
            self._partition,
            files=[*(r.source for r in readings), *seen.restated],
            gone=gone,
            records=placed,
            problems=problems,
            settings=seen.settings,
        )


def _refuse_problems(problems: Sequence[Problem]) -> None:
    if problems:
        raise Refused(
            f"{len(problems)} problem{'' if len(problems) == 1 else 's'}, so nothing was recorded (--strict): "
            + "; ".join(map(str, problems[:10])),
            hint="mend them, or sync without --strict",
            file=problems[0].path,
        )


def _report(seen: Survey, tally: _Tally, problems: tuple[Problem, ...], finished: Mapping[str, str]) -> SyncReport:
    return SyncReport(
        added=tally.added,
        changed=tally.changed,
        vanished=tally.vanished,
        unchanged=tally.unchanged,
        skipped=len(seen.scan.skipped),
        problems=problems,
        skipped_paths=seen.scan.skipped,
        finished=tuple(sorted(finished.items())),
    )
