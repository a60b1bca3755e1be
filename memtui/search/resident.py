"""The resident corpus: postings and versions of a store held in memory, following it by its tail."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from memtui.model.instants import Instant
from memtui.model.records import RecordKey
from memtui.model.versions import Version
from memtui.search.dense import DenseIndex
from memtui.search.postings import Postings
from memtui.search.scanned import indexed, scanned
from memtui.store.columns import RecallColumns, VersionColumns
from memtui.store.port import IndexedReadUnit
from memtui.store.postings import TextLengths
from memtui.store.vectors import Space
from memtui.text.analysis import QueryTerms

_Entry = tuple[int, RecordKey, tuple[str, ...]]

MOST_SEGMENTS = 8
"""Beyond this many small segments the postings are read anew as one."""
MOST_SCANNED = 64
"""The same where that means to scan everything again."""


class ResidentCorpus:
    """One state of a store in memory. Never changed: following makes a new one that shares the old arrays."""

    def __init__(
        self,
        *,
        columns: VersionColumns,
        lengths: TextLengths,
        texts: Postings,
        names: Postings,
        versions: tuple[Version, ...],
        lines: Mapping[RecordKey, int],
        analyser: str,
        trouble: str | None,
        recalls: RecallColumns,
        last_stamp: Instant | None,
    ) -> None:
        self.columns = columns
        self.lengths = lengths
        self.analyser = analyser
        self.trouble = trouble
        """Why the index could not be used, so that everything was scanned; None where it was."""
        self.last_stamp = last_stamp
        self.partitions = columns.partitions
        self._recalls = recalls
        self._texts = texts
        self._names = names
        self._versions = versions
        self._lines = lines
        self._latest = np.full(columns.records, -1, dtype=np.int64)
        self._latest[columns.record] = np.arange(len(columns))
        self._with_line: dict[int, Version] = {}
        self._name_order: NDArray[np.int64] | None = None
        self._called: Mapping[str, Sequence[_Entry]] | None = None
        self._dense: DenseIndex | None = None

    @classmethod
    def load(cls, unit: IndexedReadUnit, partitions: Sequence[str]) -> ResidentCorpus:
        """Read everything; where the index cannot be used, scan everything."""
        trouble = unit.index_trouble()
        every = unit.tail({})
        rows = indexed(unit) if trouble is None else scanned(every, trouble)
        return cls(
            columns=unit.columns(partitions),
            lengths=rows.lengths,
            texts=Postings([rows.texts]),
            names=Postings([rows.names]),
            versions=_of(partitions, every),
            lines=unit.lines(),
            analyser=unit.analyser(),
            trouble=trouble,
            recalls=unit.recall_columns(partitions),
            last_stamp=unit.last_stamp(),
        )

    def followed(self, unit: IndexedReadUnit) -> ResidentCorpus:
        """The same store later: reads only the tail, or everything when the tail does not fit."""
        partitions = self.columns.partitions
        last_of: dict[str, Version] = {}
        for version in reversed(self._versions):
            last_of.setdefault(version.key.partition, version)
            if len(last_of) == len(partitions):
                break
        if any(unit.chain_at(partition, v.seq) != v.chain for partition, v in last_of.items()):
            return ResidentCorpus.load(unit, partitions)  # another store lies there now
        seen = {partition: version.seq for partition, version in last_of.items()}
        heads = unit.heads()
        as_before = unit.analyser() == self.analyser and unit.index_trouble() == self.trouble
        if as_before and {p: heads[p].seq for p in partitions if p in heads} == seen:
            return self._with_recalls(unit)
        columns = unit.columns(partitions)
        every = unit.tail(seen)
        tail = _of(partitions, every)
        versions = (*self._versions, *tail)
        last = len(self.lengths.text_id) - 1
        # A ledger that was replayed beside another may be older than what is held: then rows lie between rows.
        in_order = not self._versions or not tail or tail[0].recorded_at > self._versions[-1].recorded_at
        fits = in_order and len(columns) == len(versions) and as_before
        if not fits or len(self._texts.segments) >= (MOST_SEGMENTS if self.trouble is None else MOST_SCANNED):
            return ResidentCorpus.load(unit, partitions)
        later = indexed(unit, last) if self.trouble is None else scanned(every, self.trouble, last)
        grew = len(later.lengths.text_id) > 0
        return ResidentCorpus(
            columns=columns,
            lengths=_joined(self.lengths, later.lengths) if grew else self.lengths,
            texts=self._texts.followed_by(later.texts) if grew else self._texts,
            names=self._names.followed_by(later.names) if grew else self._names,
            versions=versions,
            lines=unit.lines(),
            analyser=self.analyser,
            trouble=self.trouble,
            recalls=unit.recall_columns(partitions),
            last_stamp=unit.last_stamp(),
        )

    def _with_recalls(self, unit: IndexedReadUnit) -> ResidentCorpus:
        """The same versions later: what is no version may have been noted since, recalls and where texts lie."""
        later = copy(self)
        later.last_stamp = unit.last_stamp()
        later._recalls = unit.recall_columns(self.columns.partitions)
        later._lines = unit.lines()
        if later._lines != self._lines:
            later._with_line = {}
        return later

    def recalls(self) -> RecallColumns:
        """The recall events of these readers."""
        return self._recalls

    def postings(self, query: QueryTerms) -> tuple[Postings, Postings]:
        """All postings: a query needs no file."""
        return self._texts, self._names

    def dense(self, space: Space) -> DenseIndex | None:
        """The vectors of one space, if it is the one that is held."""
        return self._dense if self._dense is not None and self._dense.space == space else None

    def embedded(self, space: Space) -> int:
        """How many texts are embedded in a space, if it is the one that is held."""
        index = self.dense(space)
        return 0 if index is None else index.texts

    def with_dense(self, unit: IndexedReadUnit, space: Space, earlier: ResidentCorpus | None = None) -> ResidentCorpus:
        """The same corpus with the vectors of a space; those that an `earlier` one holds are not read again."""
        # Another analyser may have numbered the texts anew, and vectors are held by these numbers.
        known = None if earlier is None or earlier.analyser != self.analyser else earlier.dense(space)
        later = copy(self)
        later._dense = DenseIndex.load(unit, space) if known is None else known.followed(unit)
        return later

    def versions(self, rows: Sequence[int]) -> Sequence[Version]:
        """The versions in these rows, each with the line at which its text begins."""
        return [self._placed(row) for row in rows]

    def _placed(self, row: int) -> Version:
        """One version with its line; remembered, because rows on a screen are asked for at every keystroke."""
        placed = self._with_line.get(row)
        if placed is None:
            version = self._versions[row]
            # The line belongs to the text the file holds now; an earlier text lay elsewhere.
            latest = row == self._latest[self.columns.record[row]]
            line = self._lines.get(version.key) if latest else None
            placed = version if line is None else replace(version, content=replace(version.content, line=line))
            self._with_line[row] = placed
        return placed

    def names(self) -> Sequence[tuple[int, RecordKey, tuple[str, ...]]]:
        """(record number, key, latest aliases) of every record."""
        rows = [int(row) for row in self._latest if row >= 0]
        return [
            (int(self.columns.record[row]), self._versions[row].key, self._versions[row].content.aliases)
            for row in rows
        ]

    def find(self, names: Sequence[str]) -> Sequence[tuple[int, RecordKey, tuple[str, ...]]]:
        """The records that have one of these as their name or among their latest aliases."""
        if self._called is None:
            called: dict[str, list[_Entry]] = {}
            for entry in self.names():
                for name in dict.fromkeys((entry[1].name, *entry[2])):
                    called.setdefault(name, []).append(entry)
            self._called = called
        found = {entry[0]: entry for name in names for entry in self._called.get(name, ())}
        return [found[number] for number in sorted(found)]

    def name_order(self) -> NDArray[np.int64]:
        """Each record's place in the order of name, then kind."""
        if self._name_order is None:
            keys: dict[int, tuple[str, str, str]] = {}
            for row, version in enumerate(self._versions):
                record = int(self.columns.record[row])
                keys.setdefault(record, (version.key.name, version.key.kind, version.key.partition))
            order = np.zeros(self.columns.records, dtype=np.int64)
            for place, record in enumerate(sorted(keys, key=keys.__getitem__)):
                order[record] = place
            self._name_order = order
        return self._name_order


def _of(partitions: Sequence[str], versions: Iterable[Version]) -> tuple[Version, ...]:
    wanted = set(partitions)
    return tuple(version for version in versions if version.key.partition in wanted)


def _joined(earlier: TextLengths, later: TextLengths) -> TextLengths:
    return TextLengths(
        np.concatenate([earlier.text_id, later.text_id]),
        np.concatenate([earlier.plain, later.plain]),
        np.concatenate([earlier.weighted, later.weighted]),
    )
