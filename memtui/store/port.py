"""The ledger port: what memtui asks of any store, in units of work.

A unit of work is short: it opens, does one transaction and closes, so that several processes can
share one store. A read unit sees one consistent state; a write unit commits as a whole or not at all.
Nothing here speaks of postings: how a store searches is the business of a search provider
(`memtui.search.port`), and an embedded store offers `LexicalIndex` besides for the resident one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from memtui.model.instants import Instant
from memtui.model.problems import Problem
from memtui.model.recalls import Recall
from memtui.model.records import RecordKey
from memtui.model.reviews import DecisionRecord, Review
from memtui.model.versions import Draft, Head, Version
from memtui.store.columns import RecallColumns, VersionColumns
from memtui.store.postings import PostingBlock, TextLengths
from memtui.store.vectors import VectorIndex, VectorWriting


@dataclass(frozen=True, slots=True)
class ReplacedFile:
    """A file as it lay there before memtui itself wrote it."""

    digest: str
    """SHA-256 (hex) of the bytes."""
    size: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class SourceFile:
    """What a sync remembers of one file, to tell next time whether it must be read again."""

    path: str
    size: int
    mtime_ns: int
    digest: str
    """SHA-256 (hex) of the bytes, or empty when the file could not be read."""
    replaces: ReplacedFile | None = None
    """What memtui was about to replace: found again exactly so, the writing was cut short. A sync that sees the
    file as it was to be clears this, for then whoever brings the old bytes back does so on purpose."""


@dataclass(frozen=True, slots=True)
class SyncState:
    """The bookkeeping of the last sync: files, their records, what was wrong with them."""

    files: Mapping[str, SourceFile]
    records: Mapping[str, tuple[RecordKey, ...]]
    """Records that each file held, by path."""
    problems: tuple[Problem, ...]
    last_sync: Instant | None
    settings: str | None = None
    """What, besides the files, decided what they were taken to say (see `memtui.vault.surveying`)."""


FileStats = Mapping[str, tuple[int, int]]
"""Size in bytes and time of the last change in nanoseconds of files, by path."""


class ReadUnit(Protocol):
    """One consistent look at the ledger."""

    def heads(self) -> Mapping[str, Head]:
        """Where each partition stands; partitions without versions are absent."""
        ...

    def tail(self, after: Mapping[str, int]) -> Sequence[Version]:
        """All versions beyond the given `seq` of their partition, oldest first."""
        ...

    def current(self, keys: Iterable[RecordKey]) -> Mapping[RecordKey, Version]:
        """The latest version of each record that exists."""
        ...

    def chain_at(self, partition: str, seq: int) -> str | None:
        """The running hash of a partition as of one version; None if there is no such version."""
        ...

    def history(self, key: RecordKey) -> Sequence[Version]:
        """Every version of one record, oldest first; empty if there is no such record."""
        ...

    def last_stamp(self) -> Instant | None:
        """The latest transaction time of anything recorded, recalls and reviews included; None for an empty store."""
        ...

    def reviews(self, partitions: Sequence[str]) -> Sequence[Review]:
        """Every review of the partitions, oldest first, each with the one that took it back."""
        ...

    def columns(self, partitions: Sequence[str]) -> VersionColumns:
        """The numbers of every version: enough to tell any belief state without reading a text.

        A partition named earlier shadows the records of the same kind and name in those named later.
        """
        ...

    def recalls(self, readers: Sequence[str]) -> Sequence[Recall]:
        """Every recall by these readers, oldest first."""
        ...

    def recall_columns(self, readers: Sequence[str]) -> RecallColumns:
        """The numbers of every recall by these readers, of records that are here."""
        ...

    def at_rows(self, partition_seqs: Sequence[tuple[str, int]]) -> Sequence[Version]:
        """The versions with these (partition, seq), in the order asked."""
        ...

    def names(self, partitions: Sequence[str]) -> Sequence[tuple[int, RecordKey, tuple[str, ...]]]:
        """(record number, key, latest aliases) of every record."""
        ...

    def find(self, names: Sequence[str], partitions: Sequence[str]) -> Sequence[tuple[int, RecordKey, tuple[str, ...]]]:
        """The entries of `names(partitions)` that have one of these as their name or among their latest aliases."""
        ...

    def lines(self) -> Mapping[RecordKey, int]:
        """The line at which each document's text begins in its file, as of the last sync."""
        ...

    def sync_state(self, partition: str) -> SyncState:
        """What the last sync of a partition left behind."""
        ...

    def file_stats(self, partition: str) -> FileStats:
        """The files of that alone: enough to tell whether any of them changed since."""
        ...


class WriteUnit(ReadUnit, Protocol):
    """One transaction: read what is there, append versions, commit on leaving."""

    @property
    def stamp(self) -> Instant:
        """The transaction time of everything written here: later than any stamp before it."""
        ...

    @property
    def steps(self) -> Sequence[tuple[Version | None, Version]]:
        """What was appended here so far: each version with the one it follows, or None."""
        ...

    def append(self, draft: Draft) -> Version | None:
        """Record one change under the guard; None when nothing would differ.

        Raises Refused if the draft would break a law of the ledger.
        """
        ...

    def recall(self, keys: Iterable[RecordKey], *, reader: str, cue: str, actor: str) -> Sequence[Recall]:
        """Record that these were recalled, one event each; no version is written."""
        ...

    def review(
        self, partition: str, decisions: Sequence[DecisionRecord], *, actor: str, undoes: int | None = None
    ) -> Review:
        """Record what was decided, or that an earlier review is taken back; the next number of its partition.

        Every record that is named is of that partition. Raises Refused where `undoes` names no review of the
        partition, one that was taken back already, or one that is itself a taking back.
        """
        ...

    def replay(self, versions: Sequence[Version], recalls: Sequence[Recall], reviews: Sequence[Review] = ()) -> None:
        """Take over a ledger as it was: numbers, stamps, actors and hashes stay, nothing else is written.

        Raises Refused, before anything is written, for a chain that does not verify and for a partition
        that has versions, recalls or reviews already.
        """
        ...

    def note_files(
        self,
        partition: str,
        *,
        files: Iterable[SourceFile],
        gone: Iterable[str],
        records: Mapping[str, Sequence[tuple[RecordKey, int | None]]],
        problems: Mapping[str, Sequence[Problem]],
        settings: str,
    ) -> None:
        """Replace a sync's bookkeeping, each part for the paths it names; `gone` ones are dropped whole."""
        ...

    def note_file(
        self,
        partition: str,
        file: SourceFile,
        lines: Iterable[tuple[RecordKey, int | None]],
        problems: Iterable[Problem],
    ) -> None:
        """What memtui itself is about to write into one file: where its records will stand, and what is odd in it."""
        ...


class LedgerPort(Protocol):
    """A place where versions are kept for ever."""

    @property
    def warnings(self) -> Sequence[str]:
        """Sentences a person must know about the store itself."""
        ...

    def exists(self) -> bool:
        """Whether the store has been made; writing makes it where that is allowed."""
        ...

    def is_gone(self) -> bool:
        """Whether the store has gone since it was seen: then none is made unasked, and every unit raises StoreGone."""
        ...

    def make(self) -> None:
        """Make the store where there is none, also in the place of one that has gone. Raises as a write unit does."""
        ...

    def migrate(self) -> object:
        """Bring an older store up to date."""
        ...

    def size_bytes(self) -> int:
        """How much room the store takes."""
        ...

    @property
    def location(self) -> str:
        """Where the store is, as a person would write it."""
        ...

    def reading(self) -> AbstractContextManager[ReadUnit]:
        """A read unit. Raises StoreBusy, StoreUnreadable."""
        ...

    @property
    def read_only(self) -> bool:
        """Whether nothing may be recorded here."""
        ...

    def writing(self, *, wait: float | None = None, trial: bool = False) -> AbstractContextManager[WriteUnit]:
        """A write unit, committed on leaving and rolled back by an exception.

        `wait` bounds, in seconds, how long another process is waited for; None stands for the store's own bound.
        A `trial` is always rolled back, and makes no store where there is none.
        Raises StoreBusy, StoreUnreadable, Refused (read-only).
        """
        ...

    def fingerprint(self) -> object:
        """Something cheap to compare that differs once the store has changed."""
        ...


class LexicalIndex(Protocol):
    """The inverted index of an embedded store, as a read unit gives it to the resident searcher."""

    def analyser(self) -> str:
        """Version and settings of the analyser that filled the index."""
        ...

    def index_trouble(self) -> str | None:
        """Why the index cannot be searched as it stands, as a clause: another analyser filled it, or it is damaged.

        None where it can; else nothing but `analyser` and `text_count` may be asked of it.
        """
        ...

    def text_lengths(self, after: int = -1) -> TextLengths:
        """Lengths of every index row beyond `after`, counted in tokens."""
        ...

    def postings(self, after: int = -1, before: int | None = None) -> PostingBlock:
        """All postings of the index rows in (after, before)."""
        ...

    def postings_of(self, terms: Sequence[str], prefixes: Sequence[str]) -> PostingBlock:
        """Only the postings of these terms, and of dictionary terms that begin with a prefix."""
        ...

    def words(self, shortest: int, longest: int) -> Sequence[str]:
        """The dictionary's terms of that many characters, the mark `~` counted; at least those in use."""
        ...

    def identity_postings(
        self, terms: Sequence[str] | None, after: int = -1, prefixes: Sequence[str] = ()
    ) -> PostingBlock:
        """Postings of names, aliases and titles: all beyond `after`, or those of the terms and prefixes."""
        ...

    def text_count(self) -> int:
        """How many index rows there are."""
        ...

    def name_order(self) -> NDArray[np.int64]:
        """Each record's place (by its number in `VersionColumns.record`) in the order of name, then kind."""
        ...


class IndexedReadUnit(ReadUnit, LexicalIndex, VectorIndex, Protocol):
    """A read unit of a store that also offers its inverted index and its vectors."""


class IndexedWriteUnit(WriteUnit, LexicalIndex, VectorWriting, Protocol):
    """A write unit of a store that also offers its inverted index and its vectors."""

    def refill_index(self) -> None:
        """Fill the index anew with this program's analyser, over every text ever recorded.

        What is told of versions from their texts is told anew with it; vectors stay, but which text they are of is
        forgotten where the text may have changed.
        """
        ...


class IndexedLedger(LedgerPort, Protocol):
    """A ledger that offers its inverted index besides: what an embedded store is."""

    def mend_index(self) -> bool:
        """Make the index anew where it cannot be searched as it stands; whether that was needed.

        Raises StoreBusy, StoreUnreadable naming what must be installed, Refused (read-only).
        """
        ...

    def reading(self) -> AbstractContextManager[IndexedReadUnit]:
        """A read unit, with the index as it stands there."""
        ...

    def writing(self, *, wait: float | None = None, trial: bool = False) -> AbstractContextManager[IndexedWriteUnit]:
        """A write unit, with the index as it stands there."""
        ...


__all__ = [
    "IndexedLedger",
    "IndexedReadUnit",
    "IndexedWriteUnit",
    "LedgerPort",
    "LexicalIndex",
    "ReadUnit",
    "SourceFile",
    "SyncState",
    "WriteUnit",
]
