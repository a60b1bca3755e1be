"""Gathering: the memories of a partition as a consolidation pass looks at them, out of one state of the store."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from memtui.cognition.claims import object_of, same, subject_of
from memtui.cognition.decay import derived_confidence
from memtui.cognition.expiry import names_used
from memtui.cognition.members import Learned, Member
from memtui.cognition.policy import MemoryPolicy
from memtui.cognition.turning import Turning, turning
from memtui.model.instants import Instant
from memtui.model.proposals import Stated
from memtui.model.records import MEMORY_KINDS, Content, RecordKey
from memtui.model.renames import renamed_from
from memtui.model.versions import Version
from memtui.search.searcher import Searcher
from memtui.store.columns import KIND_CODE

if TYPE_CHECKING:
    from memtui.cognition.merging import Nearness
    from memtui.search.neighbours import Neighbours
    from memtui.store.vectors import Space

Rows = NDArray[np.int64]
Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Gathered:
    """The members of one partition at a belief state, and what the pass needs to know beside them."""

    members: Sequence[Member]
    named: frozenset[str]
    """Every name that a record in force uses of another."""
    rows: Rows
    """The version row of each member."""


class Gatherer:
    """Reads the memories of one partition from a searcher, believed at `known_at` of the world at `true_at`."""

    def __init__(
        self, searcher: Searcher, partition: str, known_at: Instant, true_at: Instant, policy: MemoryPolicy
    ) -> None:
        self._searcher, self._policy = searcher, policy
        self._columns = searcher.corpus.columns
        self._known_at, self._true_at = known_at, true_at
        code = self._columns.partitions.index(partition)
        rows = self._columns.rows_at(known_at)
        self._rows = rows[self._columns.partition[rows] == code]

    def everything(self, *, gone: bool = False) -> Gathered:
        """All memories in force; with `gone` also those that are not."""
        columns = self._columns
        in_force = columns.in_force(self._rows, self._true_at)
        memories = np.isin(columns.kind[self._rows], [KIND_CODE[kind] for kind in MEMORY_KINDS])
        read = self._rows[in_force | (memories if gone else False)]
        versions = dict(zip(read.tolist(), self._searcher.corpus.versions(read.tolist()), strict=True))
        named: set[str] = set()
        for row in self._rows[in_force].tolist():
            named.update(names_used(versions[row].key, versions[row].content))
        wanted = self._rows[memories & (in_force | gone)]
        members = self._members(wanted, [versions[row] for row in wanted.tolist()])
        return Gathered(members, frozenset(named), wanted)

    def named_since(self, stamp: Instant) -> frozenset[str]:
        """The names that records use which were recorded, or came into force, after a moment."""
        columns, rows = self._columns, self._rows
        late = (columns.recorded_at[rows] > stamp) | (columns.valid_from[rows] > stamp)
        rows = rows[late & columns.in_force(rows, self._true_at)]
        named: set[str] = set()
        for version in self._searcher.corpus.versions(rows.tolist()):
            named.update(names_used(version.key, version.content))
        return frozenset(named)

    def of(self, keys: Collection[RecordKey]) -> dict[RecordKey, Member]:
        """Some memories as they stand now, by key; those that are not known are absent."""
        entries = self._searcher.corpus.find(sorted({key.name for key in keys}))
        numbers = [number for number, key, _ in entries if key in keys]
        rows = self._rows[np.isin(self._columns.record[self._rows], numbers)]
        members = self._members(rows, self._searcher.corpus.versions(rows.tolist()))
        return {member.key: member for member in members}

    def _members(self, rows: Rows, versions: Sequence[Version]) -> list[Member]:
        in_force: list[bool] = self._columns.in_force(rows, self._true_at).tolist()
        said: list[Instant] = self._columns.reinforced_at[rows].tolist()
        reinforced = self._searcher.reinforcements.of_each(rows, self._known_at)
        return [
            Member(
                version.key,
                version.content,
                said_at,
                is_true,
                derived_confidence(version.content.confidence, after.counted, self._policy),
                after if version.key.kind == "engram" else None,
                self._true_at,
            )
            for version, said_at, is_true, after in zip(versions, said, in_force, reinforced, strict=True)
        ]

    # When claims were learned

    def learned(self, claims: Sequence[Stated]) -> Learned:
        """When each memory began to carry each of these claims, without a break up to now."""
        histories = self._histories({claim.key for claim in claims})

        def when(claim: Stated) -> tuple[Instant | None, bool]:
            history = histories.get(claim.key, ())
            first: Version | None = None
            for version in reversed(history):
                if not _carries(version.content, claim):
                    break
                first = version
            if first is None:
                return None, False
            return first.recorded_at, first is history[0] and not first.origin_known

        return when

    def _histories(self, keys: Collection[RecordKey]) -> dict[RecordKey, Sequence[Version]]:
        """The versions up to `known_at` of records, oldest first; a renamed file's go on from its earlier name."""
        found: dict[RecordKey, Sequence[Version]] = {}
        wanted = set(keys)
        while wanted:
            entries = self._searcher.corpus.find(sorted({key.name for key in wanted}))
            numbers = [number for number, key, _ in entries if key in wanted]
            rows = np.flatnonzero(
                np.isin(self._columns.record, numbers) & (self._columns.recorded_at <= self._known_at)
            )
            read: dict[RecordKey, list[Version]] = {}
            for version in self._searcher.corpus.versions(rows.tolist()):
                read.setdefault(version.key, []).append(version)
            found.update(read)
            origins = {renamed_from(versions[0]) for versions in read.values()}
            wanted = {origin for origin in origins if origin is not None and origin not in found}
        return {key: _with_origin(key, found) for key in keys if key in found}

    # Who is near whom

    def nearness(self, gathered: Gathered, space: Space, merge: float) -> Nearby | None:
        """Who says the same by meaning, for memories in an order; None where nothing is embedded.

        `merge` is the cosine from which two passages say the same in that space. What it needs is read at once.
        """
        index = self._searcher.corpus.dense(space)
        if index is None or not index.chunks:
            return None
        text_ids = self._columns.text_id[gathered.rows].tolist()
        vectors = {m.key: index.vectors_of(text) for m, text in zip(gathered.members, text_ids, strict=True)}
        # What has several chunks says several things.
        single = {key: own[0] for key, own in vectors.items() if len(own) == 1}
        said = {member.key: member.said for member in gathered.members if member.key in single}
        return Nearby(single, said, merge)


class Nearby:
    """Finds neighbours by meaning of which nothing turns one round: no cosine tells a rewording from a turned sentence.

    Only those of one kind that agree in what would turn them are compared at all: of a thousand readings of a sensor
    each is near every other, and none says the same.
    """

    def __init__(self, vectors: Mapping[RecordKey, Vector], said: Mapping[RecordKey, str], merge: float) -> None:
        self._vectors, self._said, self._merge = vectors, said, merge

    def __call__(self, keys: Sequence[RecordKey]) -> Nearness | None:
        """Who says the same among these, called by their places."""
        from memtui.search.neighbours import Neighbours

        alike: defaultdict[tuple[str, Turning], list[int]] = defaultdict(list)
        for place, key in enumerate(keys):
            if key in self._vectors:
                alike[key.kind, turning(self._said[key])].append(place)
        groups = [
            (places, Neighbours(places, np.stack([self._vectors[keys[place]] for place in places]), self._merge))
            for places in alike.values()
            if len(places) > 1
        ]
        return _Near({place: found for places, found in groups for place in places}) if groups else None


class _Near:
    """Neighbours of memories, each among those it is compared with."""

    def __init__(self, groups: Mapping[int, Neighbours]) -> None:
        self._groups = groups

    def near(self, place: int) -> Sequence[tuple[int, float]]:
        """(place, cosine) of those that say the same."""
        group = self._groups.get(place)
        return () if group is None else group.near(place)


def _carries(content: Content, claim: Stated) -> bool:
    """Whether a content makes the same claim, in whatever window."""
    wanted = (same(claim.subject), same(claim.claim.predicate), object_of(claim.claim), claim.claim.polarity)
    for own in content.claims:
        subject = subject_of(own, content)
        if subject is not None and (same(subject), same(own.predicate), object_of(own), own.polarity) == wanted:
            return True
    return False


def _with_origin(key: RecordKey, found: dict[RecordKey, Sequence[Version]]) -> Sequence[Version]:
    history = list(found[key])
    seen = {key}
    while (origin := renamed_from(history[0])) is not None and origin in found and origin not in seen:
        seen.add(origin)
        until = history[0].recorded_at
        history = [*(version for version in found[origin] if version.recorded_at < until), *history]
    return history
