"""The in-memory twin of the ledger: proves that the port is not shaped like one database.

It keeps versions in a list and computes everything anew when asked; the conformance suite runs
the same tests over it and over every real store.
"""

from __future__ import annotations

import contextlib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from memtui.clock import Clock
from memtui.cognition.decay import LABEL_CODES
from memtui.errors import Refused
from memtui.model.problems import Problem
from memtui.model.recalls import Recall
from memtui.model.records import KINDS, MEMORY_KINDS, RecordKey
from memtui.model.renames import names_held, renamed_from
from memtui.model.reviews import DecisionRecord, Review
from memtui.model.versions import Draft, Head, Version
from memtui.store.appending import make_version, next_review, next_stamp
from memtui.store.columns import (
    OPEN_END,
    UNKNOWN,
    RecallColumns,
    VersionColumns,
    flags_of,
    gaps_of,
    reinforced_at,
)
from memtui.store.port import FileStats, SourceFile, SyncState
from memtui.store.postings import FIELD_WEIGHTS, PostingBlock, TextLengths, smallest
from memtui.store.vectors import EmbeddedText, Space
from memtui.store.verifying import verify
from memtui.text.analysis import ANALYSER, index_text
from memtui.text.searchable import SearchableText, searchable, searchable_hash
from tests.twins.vectors import TwinVectors


def confidence_code(confidence: float | str | None) -> float:
    """A confidence as the number a column holds: labels by `LABEL_CODES`, absent or unknown words as NaN."""
    if isinstance(confidence, str):
        return LABEL_CODES.get(confidence.casefold(), float("nan"))
    return float("nan") if confidence is None else float(confidence)


class TwinUnit(TwinVectors):
    """Read unit, write unit and index over plain lists."""

    def __init__(self, ledger: TwinLedger, stamp: int = 0) -> None:
        self._ledger = ledger
        self.stamp = stamp
        self.versions = list(ledger.versions)
        self.texts = list(ledger.texts)
        self.recalled = list(ledger.recalled)
        self.reviewed = list(ledger.reviewed)
        self.steps: list[tuple[Version | None, Version]] = []
        self.records = dict(ledger.records)
        self.sync = dict(ledger.sync)
        self.synced = dict(ledger.synced)
        self.settings = dict(ledger.settings)
        self.embedded_texts = list(ledger.embedded_texts)
        self.chunk_vectors = dict(ledger.chunk_vectors)
        self.outdated = dict(ledger.outdated)

    def heads(self) -> Mapping[str, Head]:
        heads: dict[str, Head] = {}
        for version in self.versions:
            heads[version.key.partition] = Head(version.seq, version.recorded_at, version.chain)
        return heads

    def _oldest_first(self) -> list[Version]:
        """A ledger that was replayed may be older than what was here before it."""
        return sorted(self.versions, key=lambda version: (version.recorded_at, version.seq))

    def tail(self, after: Mapping[str, int]) -> Sequence[Version]:
        return [version for version in self._oldest_first() if version.seq > after.get(version.key.partition, 0)]

    def current(self, keys: Iterable[RecordKey]) -> Mapping[RecordKey, Version]:
        wanted = set(keys)
        return {version.key: version for version in self.versions if version.key in wanted}

    def history(self, key: RecordKey) -> Sequence[Version]:
        return [version for version in self.versions if version.key == key]

    def at_rows(self, partition_seqs: Sequence[tuple[str, int]]) -> Sequence[Version]:
        by_place = {(version.key.partition, version.seq): version for version in self.versions}
        lines = self.lines()
        latest = {v.key: v.seq for v in self.versions}
        found = [by_place[place] for place in partition_seqs]
        placed = [lines.get(v.key) if v.seq == latest[v.key] else None for v in found]
        return [replace(v, content=replace(v.content, line=line)) for v, line in zip(found, placed, strict=True)]

    def columns(self, partitions: Sequence[str]) -> VersionColumns:
        rows = [version for version in self._oldest_first() if version.key.partition in partitions]
        contents = [version.content for version in rows]
        record = np.array([self.records[version.key] for version in rows], dtype=np.int64)
        stamps = np.array([version.recorded_at for version in rows], dtype=np.int64)
        flags = np.array(
            [flags_of(v.key.kind, v.content, origin_known=v.origin_known, reinforces=v.reinforces) for v in rows],
            dtype=np.int16,
        )
        affects = sorted({c.affect.lower() for c in contents if c.affect is not None})
        return VersionColumns(
            record=record,
            partition=np.array([partitions.index(version.key.partition) for version in rows], dtype=np.int16),
            seq=np.array([version.seq for version in rows], dtype=np.int64),
            recorded_at=stamps,
            valid_from=np.array([UNKNOWN if c.valid_from is None else c.valid_from for c in contents], dtype=np.int64),
            valid_to=np.array([OPEN_END if c.valid_to is None else c.valid_to for c in contents], dtype=np.int64),
            text_id=np.array([version.text_id for version in rows], dtype=np.int64),
            kind=np.array([KINDS.index(version.key.kind) for version in rows], dtype=np.int8),  # type: ignore[arg-type]
            flags=flags,
            dated=np.array([UNKNOWN if c.dated is None else c.dated for c in contents], dtype=np.int64),
            confidence=np.array([confidence_code(c.confidence) for c in contents], dtype=np.float64),
            stability_days=np.array(
                [np.nan if c.stability_days is None else c.stability_days for c in contents], dtype=np.float64
            ),
            affect=np.array(
                [-1 if c.affect is None else affects.index(c.affect.lower()) for c in contents], dtype=np.int16
            ),
            reinforced_at=reinforced_at(record, stamps, flags, self._renamed()),
            gaps={i: gaps_of(c) for i, c in enumerate(contents) if c.revivals},
            partitions=tuple(partitions),
            records=max((self.records[version.key] for version in rows), default=-1) + 1,
            affects=tuple(affects),
            shadows=self._shadows(partitions),
            supersedes=self._supersedes(rows),
        )

    def _supersedes(self, rows: Sequence[Version]) -> np.ndarray | None:
        pairs = []
        for row, version in enumerate(rows):
            name = unicodedata.normalize("NFC", version.content.supersedes or "")
            own = version.key._replace(name=name)
            kinds = [own.kind] if own in self.records and own != version.key else MEMORY_KINDS
            named = [own._replace(kind=kind) for kind in kinds]
            pairs += sorted((row, self.records[key]) for key in named if key in self.records and key != version.key)
        return np.array(pairs, dtype=np.int64).T if pairs else None

    def _renamed(self) -> list[tuple[int, int]]:
        found = [(version, renamed_from(version)) for version in self._oldest_first()]
        return [(self.records[v.key], self.records[origin]) for v, origin in found if origin in self.records]

    def _shadows(self, partitions: Sequence[str]) -> np.ndarray | None:
        pairs = [
            (number, self.records[above])
            for key, number in self.records.items()
            if key.partition in partitions
            for partition in partitions[: partitions.index(key.partition)]
            if (above := key._replace(partition=partition)) in self.records
        ]
        return np.array(pairs, dtype=np.int64).T if pairs else None

    def last_stamp(self) -> int | None:
        stamps = [entry.recorded_at for entry in (*self.versions, *self.recalled)]
        return max([*stamps, *(review.decided_at for review in self.reviewed)], default=None)

    def reviews(self, partitions: Sequence[str]) -> Sequence[Review]:
        own = [review for review in self.reviewed if review.partition in partitions]
        undone = {(review.partition, review.undoes): review.seq for review in own if review.undoes is not None}
        told = [replace(review, undone_by=undone.get((review.partition, review.seq))) for review in own]
        return sorted(told, key=lambda review: (review.decided_at, review.partition, review.seq))

    def review(
        self, partition: str, decisions: Sequence[DecisionRecord], *, actor: str, undoes: int | None = None
    ) -> Review:
        review = next_review(self.reviews([partition]), partition, decisions, actor, undoes, self.stamp)
        self.reviewed.append(review)
        return review

    def recalls(self, readers: Sequence[str]) -> Sequence[Recall]:
        own = [recall for recall in self.recalled if recall.reader in readers]
        return sorted(own, key=lambda recall: (recall.recorded_at, recall.reader, recall.seq))

    def recall_columns(self, readers: Sequence[str]) -> RecallColumns:
        every = self.recalls(readers)
        known = sorted(
            (recall.recorded_at, place, record)
            for key, record in self.records.items()
            for name, until in names_held(key, self.history)
            for place, recall in enumerate(every)
            if recall.key == name and (until is None or recall.recorded_at <= until)
        )
        return RecallColumns(
            np.array([record for _, _, record in known], dtype=np.int64),
            np.array([recorded_at for recorded_at, _, _ in known], dtype=np.int64),
        )

    def recall(self, keys: Iterable[RecordKey], *, reader: str, cue: str, actor: str) -> Sequence[Recall]:
        last = max((recall.seq for recall in self.recalls([reader])), default=0)
        events = [
            Recall(key, reader, last + number, self.stamp, cue, actor)
            for number, key in enumerate(dict.fromkeys(keys), start=1)
        ]
        self.recalled += events
        return events

    def replay(self, versions: Sequence[Version], recalls: Sequence[Recall], reviews: Sequence[Review] = ()) -> None:
        verify(versions)
        partitions = {version.key.partition for version in versions} | {recall.reader for recall in recalls}
        partitions |= {review.partition for review in reviews}
        named = sorted(partitions)
        if partitions & set(self.heads()) or self.recalls(named) or self.reviews(named):
            raise Refused("a ledger is here already")
        for version in versions:
            self._take(version)
        self.recalled += recalls
        self.reviewed += reviews
        for partition in partitions:
            self.synced.pop(partition, None)

    def lines(self) -> Mapping[RecordKey, int]:
        return {
            key: line
            for _, _, placed in self.sync.values()
            for rows in placed.values()
            for key, line in rows
            if line is not None
        }

    def sync_state(self, partition: str) -> SyncState:
        files, problems, placed = self.sync.get(partition, ({}, {}, {}))
        return SyncState(
            files=files,
            records={path: tuple(sorted(key for key, _ in rows)) for path, rows in placed.items() if rows},
            problems=tuple(p for path in sorted(problems) for p in problems[path]),
            last_sync=self.synced.get(partition),
            settings=self.settings.get(partition),
        )

    def file_stats(self, partition: str) -> FileStats:
        return {path: (file.size, file.mtime_ns) for path, file in self.sync_state(partition).files.items()}

    def append(self, draft: Draft) -> Version | None:
        current = self.current([draft.key]).get(draft.key)
        head = self.heads().get(draft.key.partition, Head())
        version = make_version(draft, current=current, head=head, stamp=self.stamp)
        if version is None:
            return None
        self.steps.append((current, version))
        return self._take(version)

    def _take(self, version: Version) -> Version:
        record = self.records.setdefault(version.key, len(self.records))
        text = searchable(version.key.kind, version.key.name, version.content)
        place = (record, searchable_hash(text))
        known = next((i for i, (owner, digest, _) in enumerate(self.texts) if (owner, digest) == place), None)
        if known is None:
            self.texts.append((*place, text))
            known = len(self.texts) - 1
        version = replace(version, text_id=known)
        self.versions.append(version)
        return version

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
        self.settings[partition] = settings
        old_files, old_problems, old_placed = self.sync.get(partition, ({}, {}, {}))
        seen = list(files)
        dropped = set(gone)
        keep = []
        for old, fresh in (
            (old_files, {f.path for f in seen}),
            (old_problems, set(problems)),
            (old_placed, set(records)),
        ):
            keep.append({path: v for path, v in old.items() if path not in fresh | dropped})
        keep[0].update({file.path: file for file in seen})
        keep[1].update({path: list(found) for path, found in problems.items()})
        keep[2].update({path: list(rows) for path, rows in records.items()})
        self.sync[partition] = (keep[0], keep[1], keep[2])
        self.synced[partition] = self.stamp

    def note_file(
        self,
        partition: str,
        file: SourceFile,
        lines: Iterable[tuple[RecordKey, int | None]],
        problems: Iterable[Problem],
    ) -> None:
        files, known, placed = self.sync.get(partition, ({}, {}, {}))
        self.sync[partition] = (
            {**files, file.path: file},
            {**known, file.path: list(problems)},
            {**placed, file.path: list(lines)},
        )

    def chain_at(self, partition: str, seq: int) -> str | None:
        return next((v.chain for v in self.versions if (v.key.partition, v.seq) == (partition, seq)), None)

    def names(self, partitions: Sequence[str]) -> Sequence[tuple[int, RecordKey, tuple[str, ...]]]:
        latest = {version.key: version.content.aliases for version in self.versions}
        return [(number, key, latest[key]) for key, number in self.records.items() if key.partition in partitions]

    def find(self, names: Sequence[str], partitions: Sequence[str]) -> Sequence[tuple[int, RecordKey, tuple[str, ...]]]:
        return [entry for entry in self.names(partitions) if {entry[1].name, *entry[2]} & set(names)]

    def analyser(self) -> str:
        return ANALYSER

    def index_trouble(self) -> str | None:
        return None

    def _tokens(self, text: SearchableText, field: str) -> list[str]:
        return _analysed(getattr(text, field)).split()

    def text_lengths(self, after: int = -1) -> TextLengths:
        ids = [i for i in range(len(self.texts)) if i > after]
        lengths = [{f: len(self._tokens(self.texts[i][2], f)) for f in FIELD_WEIGHTS} for i in ids]
        return TextLengths(
            np.array(ids, dtype=np.int64),
            np.array([sum(n.values()) for n in lengths], dtype=np.float64),
            np.array([sum(FIELD_WEIGHTS[f] * n[f] for f in n) for n in lengths], dtype=np.float64),
        )

    def postings(self, after: int = -1, before: int | None = None) -> PostingBlock:
        rows: list[tuple[str, int, float, float]] = []
        for i, (_, _, text) in enumerate(self.texts):
            if i <= after or (before is not None and i >= before):
                continue
            count: Counter[str] = Counter()
            weighted: Counter[str] = Counter()
            for field, weight in FIELD_WEIGHTS.items():
                for token in self._tokens(text, field):
                    count[token] += 1
                    weighted[token] += weight  # type: ignore[assignment]
            rows += [(token, i, count[token], weighted[token]) for token in count]
        return _block(rows)

    def postings_of(self, terms: Sequence[str], prefixes: Sequence[str]) -> PostingBlock:
        return _only(self.postings(), lambda term: term in terms or term.startswith(tuple(prefixes)))

    def words(self, shortest: int, longest: int) -> Sequence[str]:
        return [term for term in self.postings().terms if shortest <= len(term) <= longest]

    def identity_postings(
        self, terms: Sequence[str] | None, after: int = -1, prefixes: Sequence[str] = ()
    ) -> PostingBlock:
        rows = [
            (token, i, 1.0, 1.0)
            for i, (_, _, text) in enumerate(self.texts)
            if i > after
            for token in set(_analysed(f"{text.identity}\n{text.title}").split())
        ]
        block = _block(rows)
        return block if terms is None else _only(block, lambda term: term in terms or term.startswith(tuple(prefixes)))

    def name_order(self) -> np.ndarray:
        order = sorted(self.records, key=lambda key: (key.name, key.kind, key.partition))
        places = np.zeros(len(order), dtype=np.int64)
        for place, key in enumerate(order):
            places[self.records[key]] = place + 1
        return places

    def text_count(self) -> int:
        return len(self.texts)

    def refill_index(self) -> None:
        """The index is read off the texts themselves: there is none to fill."""


@lru_cache(maxsize=1 << 16)
def _analysed(text: str) -> str:
    return index_text(text)


def _block(rows: list[tuple[str, int, float, float]]) -> PostingBlock:
    rows = sorted(rows)
    terms = [(term, len(list(run))) for term, run in groupby(row[0] for row in rows)]
    return PostingBlock(
        tuple(term for term, _ in terms),
        np.cumsum([0, *(length for _, length in terms)], dtype=np.int64),
        np.array([row[1] for row in rows], dtype=np.int32),
        smallest(np.array([row[2] for row in rows], dtype=np.float32)),
        smallest(np.array([row[3] for row in rows], dtype=np.float32)),
    )


def _only(block: PostingBlock, wanted) -> PostingBlock:
    rows = [
        (term, int(block.text_id[i]), float(block.count[i]), float(block.weighted[i]))
        for place, term in enumerate(block.terms)
        if wanted(term)
        for i in range(block.offsets[place], block.offsets[place + 1])
    ]
    return _block(rows)


class TwinLedger:
    """`LedgerPort` in memory."""

    location = "memory"
    warnings: Sequence[str] = ()

    def __init__(self, clock: Clock, *, read_only: bool = False) -> None:
        self._clock = clock
        self._commits = 0
        self.read_only = read_only
        self.versions: list[Version] = []
        self.texts: list[tuple[int, str, SearchableText]] = []
        self.recalled: list[Recall] = []
        self.reviewed: list[Review] = []
        self.records: dict[RecordKey, int] = {}
        self.sync: dict[str, tuple[dict, dict, dict]] = {}
        self.synced: dict[str, int] = {}
        self.settings: dict[str, str] = {}
        self.embedded_texts: list[tuple[Space, EmbeddedText]] = []
        self.chunk_vectors: dict[tuple[str, int, str], NDArray[np.float32]] = {}
        self.outdated: dict[str, int] = {}

    def fingerprint(self) -> object:
        return self._commits

    def exists(self) -> bool:
        return True

    def is_gone(self) -> bool:
        return False

    def make(self) -> None:
        return None

    def migrate(self) -> None:
        return None

    def size_bytes(self) -> int:
        return 0

    def mend_index(self) -> bool:
        return False

    @contextlib.contextmanager
    def reading(self) -> Iterator[TwinUnit]:
        yield TwinUnit(self)

    @contextlib.contextmanager
    def writing(self, *, wait: float | None = None, trial: bool = False) -> Iterator[TwinUnit]:
        if self.read_only:
            raise Refused("memory is opened read-only, so nothing can be recorded")
        unit = TwinUnit(self, next_stamp(self._clock(), TwinUnit(self).last_stamp()))
        yield unit
        if trial:
            return
        self._commits += 1
        for part in (
            "versions",
            "texts",
            "recalled",
            "reviewed",
            "records",
            "sync",
            "synced",
            "settings",
            "embedded_texts",
            "chunk_vectors",
            "outdated",
        ):
            setattr(self, part, getattr(unit, part))
