"""The read unit over one open connection."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from memtui.cognition.decay import LABEL_CODES
from memtui.model.instants import Instant
from memtui.model.problems import Problem
from memtui.model.recalls import Recall
from memtui.model.records import CONFIDENCE_LABELS, KINDS, MEMORY_KINDS, RecordKey
from memtui.model.renames import RENAMED_FROM, origin_of
from memtui.model.versions import Head, Version
from memtui.store.columns import OPEN_END as OPEN
from memtui.store.columns import (
    REVIVED,
    UNKNOWN,
    RecallColumns,
    VersionColumns,
    carried_over,
    gaps_of,
    reinforced_at,
)
from memtui.store.duckdb.engine import duckdb
from memtui.store.duckdb.full_text import FullText, fetch_columns
from memtui.store.duckdb.rows import SELECT_BARE, SELECT_VERSIONS, among, version_from_row
from memtui.store.duckdb.vectors import StoredVectors

if TYPE_CHECKING:
    from memtui.model.reviews import Review
    from memtui.store.port import FileStats, SyncState

# A confidence is stored as JSON text, `7.5` or `"firm"`: labels become their codes, unknown words nothing.
_CONFIDENCE = (
    "CASE lower(v.confidence) "
    + " ".join(f"""WHEN '"{label}"' THEN {LABEL_CODES[label]}::DOUBLE""" for label in CONFIDENCE_LABELS)
    + " ELSE try_cast(v.confidence AS DOUBLE) END"
)
_KIND_CASE = "CASE r.kind " + " ".join(f"WHEN '{kind}' THEN {code}" for code, kind in enumerate(KINDS)) + " END"

# The latest aliases, also where they are none: an aggregate passes over NULL to what was there before.
_NAMES = (
    "SELECT r.record_id, r.partition, r.kind, r.name, arg_max(coalesce(v.aliases, []), v.seq) AS aliases "
    "FROM record r JOIN version v USING (record_id) WHERE list_contains(?, r.partition)"
)


class DuckDBReadUnit(FullText, StoredVectors):
    """One consistent look at the file; `LexicalIndex` comes from `FullText`, `VectorIndex` from `StoredVectors`."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        super().__init__(connection)
        self._connection = connection

    def heads(self) -> Mapping[str, Head]:
        """Where each partition stands."""
        rows = self._connection.execute(
            "SELECT partition, max(seq), max(recorded_at), arg_max(chain, seq) FROM version GROUP BY partition"
        ).fetchall()
        return {partition: Head(seq, recorded_at, chain) for partition, seq, recorded_at, chain in rows}

    def chain_at(self, partition: str, seq: int) -> str | None:
        """The running hash of a partition as of one version."""
        row = self._connection.execute(
            "SELECT chain FROM version WHERE partition = ? AND seq = ?", [partition, seq]
        ).fetchone()
        return str(row[0]) if row else None

    def tail(self, after: Mapping[str, int]) -> Sequence[Version]:
        """All versions beyond the given `seq` of their partition, oldest first."""
        known = [{"p": partition, "s": seq} for partition, seq in after.items()]
        rows = self._connection.execute(
            f"{SELECT_VERSIONS} LEFT JOIN (SELECT unnest(from_json(?, "
            """'[{"p": "VARCHAR", "s": "BIGINT"}]'), max_depth := 2)) k ON k.p = v.partition """
            "WHERE v.seq > coalesce(k.s, 0) ORDER BY v.recorded_at, v.seq",
            [json.dumps(known, ensure_ascii=False)],
        ).fetchall()
        return [version_from_row(row) for row in rows]

    def current(self, keys: Iterable[RecordKey]) -> Mapping[RecordKey, Version]:
        """The latest version of each record that exists."""
        identifiers = self._record_ids(keys)
        if not identifiers:
            return {}
        rows = self._connection.execute(
            f"""{SELECT_VERSIONS} WHERE v.record_id IN (SELECT unnest(from_json(?, '["BIGINT"]'))) """
            "QUALIFY row_number() OVER (PARTITION BY v.record_id ORDER BY v.seq DESC) = 1",
            [json.dumps(sorted(identifiers.values()))],
        ).fetchall()
        versions = [version_from_row(row) for row in rows]
        return {version.key: version for version in versions}

    def _record_ids(self, keys: Iterable[RecordKey]) -> dict[RecordKey, int]:
        wanted = [{"p": key.partition, "k": key.kind, "n": key.name} for key in keys]
        rows = self._connection.execute(
            "SELECT r.partition, r.kind, r.name, r.record_id FROM record r JOIN (SELECT unnest(from_json(?, "
            """'[{"p": "VARCHAR", "k": "VARCHAR", "n": "VARCHAR"}]'), max_depth := 2)) w """
            "ON w.n = r.name AND w.k = r.kind AND w.p = r.partition",
            [json.dumps(wanted, ensure_ascii=False)],
        ).fetchall()
        return {RecordKey(partition, kind, name): identifier for partition, kind, name, identifier in rows}

    def history(self, key: RecordKey) -> Sequence[Version]:
        """Every version of one record, oldest first."""
        rows = self._connection.execute(
            f"{SELECT_VERSIONS} WHERE r.partition = ? AND r.kind = ? AND r.name = ? ORDER BY v.seq", list(key)
        ).fetchall()
        return [version_from_row(row) for row in rows]

    def at_rows(self, partition_seqs: Sequence[tuple[str, int]]) -> Sequence[Version]:
        """The versions with these (partition, seq), in the order asked."""
        wanted = set(partition_seqs)
        found = self._connection.execute(f"{SELECT_BARE} WHERE {among('v.seq', {seq for _, seq in wanted})}").fetchall()
        rows = [row for row in found if (row[1], row[2]) in wanted]
        records = self._places({row[0] for row in rows})
        by_place: dict[tuple[str, int], Version] = {}
        for number, partition, seq, *others in rows:
            kind, name, latest, line = records[number]
            # The line belongs to the text the file holds now; an earlier text lay elsewhere.
            now = line if seq == latest else None
            by_place[partition, seq] = version_from_row((partition, kind, name, seq, *others), line=now)
        return [by_place[place] for place in partition_seqs]

    def _places(self, records: Collection[int]) -> dict[int, tuple[str, str, int, int | None]]:
        """(kind, name, latest seq, line of the latest text) of records by number."""
        rows = self._connection.execute(
            f"""SELECT r.record_id, r.kind, r.name, latest.seq, l.line FROM record r
                JOIN (SELECT record_id, max(seq) AS seq FROM version WHERE {among("record_id", records)}
                    GROUP BY record_id) latest USING (record_id)
                LEFT JOIN location l USING (record_id)"""
        ).fetchall()
        return {number: (kind, name, seq, line) for number, kind, name, seq, line in rows}

    def last_stamp(self) -> Instant | None:
        """The latest transaction time of anything recorded."""
        row = self._connection.execute(
            "SELECT greatest((SELECT max(recorded_at) FROM version), (SELECT max(recorded_at) FROM recall), "
            "(SELECT max(recorded_at) FROM review))"
        ).fetchone()
        return None if row is None or row[0] is None else int(row[0])

    def reviews(self, partitions: Sequence[str]) -> Sequence[Review]:
        """Every review of the partitions, oldest first."""
        from memtui.store.duckdb.reviews import read_reviews  # few commands ask

        return read_reviews(self._connection, partitions)

    def recalls(self, readers: Sequence[str]) -> Sequence[Recall]:
        """Every recall by these readers, oldest first."""
        rows = self._connection.execute(
            "SELECT partition, kind, name, reader, seq, recorded_at, cue, actor FROM recall "
            "WHERE list_contains(?, reader) ORDER BY recorded_at, reader, seq",
            [list(readers)],
        ).fetchall()
        return [Recall(RecordKey(*row[:3]), *row[3:]) for row in rows]

    def recall_columns(self, readers: Sequence[str]) -> RecallColumns:
        """The numbers of every recall by these readers."""
        raw = fetch_columns(
            self._connection,
            "SELECT r.record_id AS record, c.recorded_at FROM recall c "
            "JOIN record r ON r.name = c.name AND r.kind = c.kind AND r.partition = c.partition "
            "WHERE list_contains($readers, c.reader) ORDER BY c.recorded_at, c.reader, c.seq",
            {"readers": list(readers)},
        )
        recalls = RecallColumns(raw["record"].astype(np.int64), raw["recorded_at"].astype(np.int64))
        return carried_over(recalls, self._renames()) if len(recalls) else recalls

    def _renames(self) -> list[tuple[int, int, Instant]]:
        """(record, the one it goes on from, the stamp of the rename) of every renamed file, earlier renames first."""
        rows = self._connection.execute(
            "SELECT v.record_id, v.partition, v.reason, v.recorded_at FROM version v "
            "WHERE v.operation = 'sync' AND starts_with(v.reason, ?) ORDER BY v.recorded_at, v.seq",
            [RENAMED_FROM],
        ).fetchall()
        named = [(record, origin_of(partition, reason), stamp) for record, partition, reason, stamp in rows]
        renames = [(record, origin, stamp) for record, origin, stamp in named if origin is not None]
        numbers = self._record_ids({origin for _, origin, _ in renames}) if renames else {}
        return [(record, numbers[origin], stamp) for record, origin, stamp in renames if origin in numbers]

    def columns(self, partitions: Sequence[str]) -> VersionColumns:
        """The numbers of every version of the partitions."""
        named = list(partitions)
        affects = [
            str(row[0])
            for row in self._connection.execute(
                "SELECT DISTINCT lower(affect) AS affect FROM version "
                "WHERE affect IS NOT NULL AND list_contains(?, partition) ORDER BY affect",
                [named],
            ).fetchall()
        ]
        raw = fetch_columns(
            self._connection,
            f"""SELECT v.record_id AS record, list_position($partitions, v.partition) - 1 AS partition, v.seq,
                v.recorded_at, coalesce(v.valid_from, $unknown) AS valid_from, coalesce(v.valid_to, $open) AS valid_to,
                v.text_id, {_KIND_CASE} AS kind, v.flags, coalesce(v.dated, $unknown) AS dated,
                coalesce({_CONFIDENCE}, 'nan') AS confidence, coalesce(v.stability_days, 'nan') AS stability_days,
                coalesce(list_position($affects, lower(v.affect)), 0) - 1 AS affect,
                v.supersedes IS NOT NULL AS supersedes
                FROM version v JOIN record r USING (record_id) WHERE list_contains($partitions, v.partition)
                ORDER BY v.recorded_at, v.seq""",
            {"partitions": named, "unknown": UNKNOWN, "open": OPEN, "affects": affects},
        )
        flags = raw["flags"].astype(np.int16)
        record, recorded_at = raw["record"].astype(np.int64), raw["recorded_at"].astype(np.int64)
        return VersionColumns(
            record=record,
            partition=raw["partition"].astype(np.int16),
            seq=raw["seq"].astype(np.int64),
            recorded_at=recorded_at,
            valid_from=raw["valid_from"].astype(np.int64),
            valid_to=raw["valid_to"].astype(np.int64),
            text_id=raw["text_id"].astype(np.int64),
            kind=raw["kind"].astype(np.int8),
            flags=flags,
            dated=raw["dated"].astype(np.int64),
            confidence=raw["confidence"].astype(np.float64),
            stability_days=raw["stability_days"].astype(np.float64),
            affect=raw["affect"].astype(np.int16),
            reinforced_at=reinforced_at(record, recorded_at, flags, [pair[:2] for pair in self._renames()]),
            gaps=self._gaps(named, raw["partition"], raw["seq"], flags),
            partitions=tuple(named),
            records=int(record.max()) + 1 if len(record) else 0,
            affects=tuple(affects),
            shadows=self._shadows(named) if len(named) > 1 else None,
            supersedes=self._supersedes(named, raw["partition"], raw["seq"], np.flatnonzero(raw["supersedes"])),
        )

    def _gaps(
        self, partitions: Sequence[str], partition: NDArray[np.int64], seq: NDArray[np.int64], flags: NDArray[np.int16]
    ) -> Mapping[int, tuple[tuple[Instant, Instant], ...]]:
        """The validity intervals of the rows that were ever revived."""
        revived = np.flatnonzero(flags & REVIVED)
        if not len(revived):
            return {}
        places = [(partitions[int(partition[row])], int(seq[row])) for row in revived]
        return {int(row): gaps_of(v.content) for row, v in zip(revived, self.at_rows(places), strict=True)}

    def _shadows(self, partitions: Sequence[str]) -> NDArray[np.int64] | None:
        """Pairs (hidden, hiding) of records with one kind and name, where the hiding one's partition comes first."""
        raw = fetch_columns(
            self._connection,
            "SELECT h.record_id AS hidden, o.record_id AS hiding FROM record h JOIN record o "
            "ON o.kind = h.kind AND o.name = h.name "
            "WHERE list_position($partitions, o.partition) < list_position($partitions, h.partition)",
            {"partitions": list(partitions)},
        )
        pairs = np.stack([raw["hidden"], raw["hiding"]]).astype(np.int64)
        return pairs if pairs.shape[1] else None

    def _supersedes(
        self, partitions: Sequence[str], partition: NDArray[np.int64], seq: NDArray[np.int64], rows: NDArray[np.int64]
    ) -> NDArray[np.int64] | None:
        """Pairs (version row, record) of the rows that name a record which they replace, where there is one.

        It is of their own partition, and of their own kind if such a one has the name; else it is a memory.
        """
        if not len(rows):
            return None
        named = self._connection.execute(
            "SELECT list_position($partitions, r.partition) - 1, v.seq, o.record_id, o.kind = r.kind "
            "FROM version v JOIN record r USING (record_id) "
            "JOIN record o ON o.partition = r.partition AND o.name = nfc_normalize(v.supersedes) "
            "WHERE v.supersedes IS NOT NULL AND list_contains($partitions, r.partition) "
            "AND o.record_id <> v.record_id AND (o.kind = r.kind OR list_contains($memories, o.kind))",
            {"partitions": list(partitions), "memories": list(MEMORY_KINDS)},
        ).fetchall()
        places = {(int(partition[row]), int(seq[row])): int(row) for row in rows}
        found = [(places[place, number], record, alike) for place, number, record, alike in named]
        with_one_alike = {row for row, _, alike in found if alike}
        pairs = sorted((row, record) for row, record, alike in found if alike or row not in with_one_alike)
        return np.array(pairs, dtype=np.int64).T if pairs else None

    def lines(self) -> Mapping[RecordKey, int]:
        """The line at which each document's text begins in its file."""
        rows = self._connection.execute(
            "SELECT r.partition, r.kind, r.name, l.line FROM location l JOIN record r USING (record_id) "
            "WHERE l.line IS NOT NULL"
        ).fetchall()
        return {RecordKey(partition, kind, name): line for partition, kind, name, line in rows}

    def sync_state(self, partition: str) -> SyncState:
        """What the last sync of a partition left behind."""
        from memtui.store.port import ReplacedFile, SourceFile, SyncState

        files = self._connection.execute(
            "SELECT path, size, mtime_ns, digest, replaces, replaces_size, replaces_mtime_ns "
            "FROM source_file WHERE partition = ?",
            [partition],
        ).fetchall()
        places = self._connection.execute(
            "SELECT l.path, r.partition, r.kind, r.name FROM location l JOIN record r USING (record_id) "
            "WHERE l.partition = ? ORDER BY l.path, r.kind, r.name",
            [partition],
        ).fetchall()
        problems = self._connection.execute(
            "SELECT path, reason, line, field, value FROM problem WHERE partition = ? ORDER BY path, line, field",
            [partition],
        ).fetchall()
        noted = dict(
            self._connection.execute(
                "SELECT key, value FROM meta WHERE key IN (?, ?)", [f"synced:{partition}", f"settings:{partition}"]
            ).fetchall()
        )
        last = noted.get(f"synced:{partition}")
        records: dict[str, list[RecordKey]] = {}
        for path, *key in places:
            records.setdefault(path, []).append(RecordKey(*key))
        return SyncState(
            files={
                row[0]: SourceFile(*row[:4], replaces=None if row[4] is None else ReplacedFile(*row[4:]))
                for row in files
            },
            records={path: tuple(keys) for path, keys in records.items()},
            problems=tuple(Problem(*row) for row in problems),
            last_sync=None if last is None else int(last),
            settings=noted.get(f"settings:{partition}"),
        )

    def file_stats(self, partition: str) -> FileStats:
        """Size and time of each file as the last sync of a partition saw it."""
        rows = self._connection.execute(
            "SELECT path, size, mtime_ns FROM source_file WHERE partition = ?", [partition]
        ).fetchall()
        return {path: (size, mtime_ns) for path, size, mtime_ns in rows}

    def names(self, partitions: Sequence[str]) -> Sequence[tuple[int, RecordKey, tuple[str, ...]]]:
        """(record number, key, latest aliases) of every record."""
        return self._named(f"{_NAMES} GROUP BY ALL ORDER BY r.record_id", [list(partitions)])

    def find(self, names: Sequence[str], partitions: Sequence[str]) -> Sequence[tuple[int, RecordKey, tuple[str, ...]]]:
        """The entries of `names(partitions)` that have one of these as their name or among their latest aliases."""
        return self._named(
            f"""WITH asked AS (SELECT unnest(from_json(?, '["VARCHAR"]')) AS name),
                once AS (SELECT DISTINCT record_id FROM version
                    WHERE aliases IS NOT NULL AND list_has_any(aliases, (SELECT list(name) FROM asked)))
            SELECT * FROM ({_NAMES} AND (r.name IN (FROM asked) OR r.record_id IN (FROM once)) GROUP BY ALL)
            WHERE name IN (FROM asked) OR list_has_any(aliases, (SELECT list(name) FROM asked)) ORDER BY record_id""",
            [json.dumps(list(names), ensure_ascii=False), list(partitions)],
        )

    def _named(self, query: str, parameters: list[object]) -> Sequence[tuple[int, RecordKey, tuple[str, ...]]]:
        rows = self._connection.execute(query, parameters).fetchall()
        return [(number, RecordKey(*key), tuple(aliases)) for number, *key, aliases in rows]

    def name_order(self) -> NDArray[np.int64]:
        """Each record's place (by record number) in the order of name, then kind."""
        query = "SELECT row_number() OVER (ORDER BY name, kind, partition) AS place FROM record ORDER BY record_id"
        return fetch_columns(self._connection, query)["place"].astype(np.int64)

    def text_count(self) -> int:
        """How many index rows there are."""
        try:
            row = self._connection.execute("SELECT count(*) FROM indexed_text").fetchone()
        except duckdb.CatalogException:  # no table, no rows: `index_trouble` says so
            return 0
        return int(row[0]) if row else 0
