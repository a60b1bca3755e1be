"""A realm: one store, and the partitions of it that one sort of request reads and writes."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Hashable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from memtui.clock import Clock
from memtui.errors import FilesUnusable, Refused, StoreGone
from memtui.model.instants import Instant
from memtui.model.records import RecordKey
from memtui.search.fetched import FetchedCorpus
from memtui.search.policy import RankingPolicy
from memtui.search.searcher import Searcher

if TYPE_CHECKING:
    from datetime import tzinfo

    from memtui.memory.following import Follower
    from memtui.model.outcomes import Written
    from memtui.model.versions import Version
    from memtui.search.chronicle import Chronicle
    from memtui.store.port import FileStats, IndexedLedger, IndexedWriteUnit, SyncState, WriteUnit
    from memtui.store.vectors import Space
    from memtui.vault.following_up import FileFollowUp
    from memtui.vault.shelf import Shelf
    from memtui.vault.syncing import VaultSync

Answer = TypeVar("Answer")


class Realm:
    """A vault's workspace, or a person's memories with the base they share. Thread-safe.

    Writes go to `partition`; reads see it and the `shared` ones, whose records of the same kind and name
    it shadows. Files of `shelf` fill `filled`, which is the partition itself or a shared one.
    """

    def __init__(
        self,
        ledger: IndexedLedger,
        clock: Clock,
        *,
        partition: str,
        shared: tuple[str, ...] = (),
        filled: str | None = None,
        shelf: Callable[[], Shelf],
        prepare: Callable[[], object],
        policy: RankingPolicy,
        resident: bool,
        zone: tzinfo,
        file_zone: Callable[[], tzinfo],
    ) -> None:
        self.ledger = ledger
        self.partition = partition
        self.readable = (partition, *shared)
        self.filled = filled or partition
        self.resident = resident
        self.zone = zone
        self._file_zone = file_zone
        self._clock = clock
        self._shelf = shelf
        self._prepare = prepare
        self.policy = policy
        self._follower: Follower | None = None
        if resident:
            from memtui.memory.following import Follower

            self._follower = Follower(ledger, self.readable, policy)
        self._seen: FileStats | None = None

    @property
    def shelf(self) -> Shelf:
        """The files this realm is filled from. Raises InvalidInput for a layout that leaves its folder."""
        return self._shelf()

    @property
    def held(self) -> Searcher | None:
        """The searcher over the state that was read last, or None; a realm that is not resident holds none."""
        return None if self._follower is None else self._follower.searcher

    @property
    def chronicle(self) -> Chronicle | None:
        """The history of what is held, or None as `held`."""
        return None if self._follower is None else self._follower.chronicle

    def hold_vectors(self, space: Space) -> None:
        """A resident realm holds the vectors of a space too, from its next refresh on."""
        if self._follower is not None:
            self._follower.hold_vectors(space)

    def refresh(self) -> bool:
        """Follow the store if it changed since the last look; whether it had. Raises StoreBusy, StoreUnreadable."""
        return self._follower is not None and self._follower.refresh()

    @contextlib.contextmanager
    def searching(self) -> Generator[tuple[Searcher, Instant], None, None]:
        """A searcher over the present state of the store, and that present.

        What is held stays when the store has gone: `refresh` says so.
        """
        if self.resident:
            try:
                self.refresh()
            except StoreGone:
                if self.held is None:
                    raise
            searcher = self.held
            assert searcher is not None, "refresh leaves a searcher"  # noqa: S101
            yield searcher, self.present(searcher)
            return
        with self.ledger.reading() as unit:
            searcher = Searcher(FetchedCorpus(unit, self.readable), self.policy)
            self._seen = unit.file_stats(self.filled)
            yield searcher, self.present(searcher)

    def present(self, searcher: Searcher) -> Instant:
        """The present of both clocks: the clock's, but never before what was recorded last."""
        last = searcher.corpus.last_stamp
        return self._clock() if last is None else max(self._clock(), last)

    @contextlib.contextmanager
    def writing(self, *, wait: float | None = None, trial: bool = False) -> Generator[IndexedWriteUnit, None, None]:
        """One transaction of this realm, given up when it is a `trial`.

        Raises Refused (read-only), StoreBusy, StoreUnreadable.
        """
        self.check_writable()
        if not trial:
            self._prepare_folder()
        with self.ledger.writing(wait=wait, trial=trial) as unit:
            yield unit

    def make_store(self) -> None:
        """Make the store where there is none, also in the place of one that has gone: only when that was asked for.

        Raises Refused (read-only), StoreBusy, StoreUnreadable.
        """
        self.check_writable()
        self._prepare()
        self.ledger.make()

    def _prepare_folder(self) -> None:
        """Make the folder ready to be written to; one that has gone with its store is not made unasked."""
        if not self.ledger.is_gone():
            self._prepare()

    def check_writable(self) -> None:
        """Raises Refused where nothing may be recorded."""
        if self.ledger.read_only:
            raise Refused(
                f"{self.ledger.location} is read-only here, so nothing can be recorded",
                file=self.ledger.location,
                hint="it was opened with --read-only, or its folder may not be written to: check its permissions",
            )

    def edit(self, keys: Iterable[RecordKey], verb: Callable[[WriteUnit], Written]) -> Written:
        """Let a verb change records in one transaction; where one is kept in a file, the file follows.

        `keys` are those the caller named. Raises what the verb does, and Refused for a record of another partition
        and for a file that changed since its last sync or cannot be written.
        """
        written, left = self.change(keys, verb)
        return replace(written, note="; ".join(filter(None, (written.note, *left)))) if left else written

    def change(self, keys: Iterable[RecordKey], verb: Callable[[IndexedWriteUnit], Answer]) -> tuple[Answer, list[str]]:
        """As `edit`, for a verb with an answer of its own: that, and what is to be said of the files besides."""
        self._check_own(keys)
        follow_up: FileFollowUp | None = None
        try:
            with self.writing() as unit:
                answer = verb(unit)
                changed = [(old, new) for old, new in _first_to_last(unit.steps) if new.content.path is not None]
                if changed:
                    follow_up = self._follow_up()
                    self._prepare_files(follow_up, unit, changed)
        except BaseException:
            if follow_up is not None:
                follow_up.discard()
            raise
        return answer, [] if follow_up is None else follow_up.commit()

    @staticmethod
    def _prepare_files(follow_up: FileFollowUp, unit: WriteUnit, changed: Sequence[tuple[Version, Version]]) -> None:
        """Prepare every file; raises FilesUnusable, with all that cannot be."""
        refusals: dict[Hashable, Refused] = {}
        for old, new in changed:
            try:
                follow_up.prepare(unit, old, new)
            except Refused as error:
                refusals[new.key] = error
        if refusals:
            raise FilesUnusable(refusals)

    def _follow_up(self) -> FileFollowUp:
        from memtui.vault.following_up import FileFollowUp

        return FileFollowUp(self.shelf, self.filled, self._file_zone())

    def _check_own(self, keys: Iterable[RecordKey]) -> None:
        for key in keys:
            if key.partition != self.partition:
                raise Refused(
                    f"{key.kind}/{key.name} belongs to {key.partition}, which cannot be changed from {self.partition}",
                    field="scope",
                    value=key.partition,
                    hint="a record of the base is changed in its folder; your own of the same name shadows it",
                )

    @property
    def seen(self) -> FileStats:
        """The files as the last sync had seen them when the last one-shot read looked."""
        return self.file_stats() if self._seen is None else self._seen

    def file_stats(self) -> FileStats:
        """The files as the last sync saw them."""
        with self.ledger.reading() as unit:
            return unit.file_stats(self.filled)

    def sync_state(self) -> SyncState:
        """What the last sync left behind."""
        with self.ledger.reading() as unit:
            return unit.sync_state(self.filled)

    def sync(self, actor: str) -> VaultSync:
        """The sync of this realm's files, in a folder that is ready to be written to. Raises Refused."""
        self.check_writable()
        self._prepare_folder()
        from memtui.vault.syncing import VaultSync  # reading files is not needed to answer a query

        return VaultSync(self.shelf, self.ledger, partition=self.filled, actor=actor, zone=self._file_zone())


def _first_to_last(steps: Iterable[tuple[Version | None, Version]]) -> list[tuple[Version, Version]]:
    """Each record that was there before a transaction: its version then, and its last one after all the steps."""
    before: dict[RecordKey, Version | None] = {}
    after: dict[RecordKey, Version] = {}
    for old, new in steps:
        before.setdefault(new.key, old)
        after[new.key] = new
    return [(old, after[key]) for key, old in before.items() if old is not None]
