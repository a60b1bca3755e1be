"""Read and write units over one open connection."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from memtui.model.instants import Instant
from memtui.model.problems import Problem
from memtui.model.records import KINDS, RecordKey
from memtui.model.versions import Draft, Head, Version
from memtui.store.appending import make_version, next_stamp
from memtui.store.columns import OPEN_END as OPEN
from memtui.store.columns import REVIVED, UNKNOWN, VersionColumns, gaps_of
from memtui.store.duckdb.full_text import FullText, add_texts, clear_index, fetch_columns, known_texts
from memtui.store.duckdb.rows import (
    INSERT_VERSIONS,
    SELECT_VERSIONS,
    SELECT_VERSIONS_WITH_LINE,
    version_as_row,
    version_from_row,
)
from memtui.store.port import SourceFile, SyncState
from memtui.text.analysis import ANALYSER
from memtui.text.searchable import SearchableText, searchable, searchable_hash

_KIND_CASE = "CASE r.kind " + " ".join(f"WHEN '{kind}' THEN {code}" for code, kind in enumerate(KINDS)) + " END"


class DuckDBReadUnit(FullText):
    """One consistent look at the file; `LexicalIndex` comes from `FullText`."""

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
        wanted = [{"p": partition, "s": seq} for partition, seq in partition_seqs]
        rows = self._connection.execute(
            f"{SELECT_VERSIONS_WITH_LINE} JOIN (SELECT unnest(from_json(?, "
            """'[{"p": "VARCHAR", "s": "BIGINT"}]'), max_depth := 2)) w ON w.s = v.seq AND w.p = v.partition""",
            [json.dumps(wanted, ensure_ascii=False)],
        ).fetchall()
        versions = [version_from_row(row[1:], line=row[0]) for row in rows]
        by_place = {(version.key.partition, version.seq): version for version in versions}
        return [by_place[place] for place in partition_seqs]

    def columns(self, partitions: Sequence[str]) -> VersionColumns:
        """The numbers of every version of the partitions."""
        named = list(partitions)
        raw = fetch_columns(
            self._connection,
            f"""SELECT v.record_id AS record, list_position($partitions, v.partition) - 1 AS partition, v.seq,
                v.recorded_at, coalesce(v.valid_from, $unknown) AS valid_from, coalesce(v.valid_to, $open) AS valid_to,
                v.text_id, {_KIND_CASE} AS kind, v.flags, coalesce(v.dated, $unknown) AS dated
                FROM version v JOIN record r USING (record_id) WHERE list_contains($partitions, v.partition)
                ORDER BY v.recorded_at, v.seq""",
            {"partitions": named, "unknown": UNKNOWN, "open": OPEN},
        )
        flags = raw["flags"].astype(np.int16)
        gaps: dict[int, tuple[tuple[Instant, Instant], ...]] = {}
        revived = np.flatnonzero(flags & REVIVED)
        if len(revived):
            places = [(named[int(raw["partition"][row])], int(raw["seq"][row])) for row in revived]
            for row, version in zip(revived, self.at_rows(places), strict=True):
                gaps[int(row)] = gaps_of(version.content)
        record = raw["record"].astype(np.int64)
        return VersionColumns(
            record=record,
            partition=raw["partition"].astype(np.int16),
            seq=raw["seq"].astype(np.int64),
            recorded_at=raw["recorded_at"].astype(np.int64),
            valid_from=raw["valid_from"].astype(np.int64),
            valid_to=raw["valid_to"].astype(np.int64),
            text_id=raw["text_id"].astype(np.int64),
            kind=raw["kind"].astype(np.int8),
            flags=flags,
            dated=raw["dated"].astype(np.int64),
            gaps=gaps,
            partitions=tuple(named),
            records=int(record.max()) + 1 if len(record) else 0,
        )

    def lines(self) -> Mapping[RecordKey, int]:
        """The line at which each document's text begins in its file."""
        rows = self._connection.execute(
            "SELECT r.partition, r.kind, r.name, l.line FROM location l JOIN record r USING (record_id) "
            "WHERE l.line IS NOT NULL"
        ).fetchall()
        return {RecordKey(partition, kind, name): line for partition, kind, name, line in rows}

    def sync_state(self, partition: str) -> SyncState:
        """What the last sync of a partition left behind."""
        files = self._connection.execute(
            "SELECT path, size, mtime_ns, digest FROM source_file WHERE partition = ?", [partition]
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
            files={row[0]: SourceFile(*row) for row in files},
            records={path: tuple(keys) for path, keys in records.items()},
            problems=tuple(Problem(*row) for row in problems),
            last_sync=None if last is None else int(last),
            settings=noted.get(f"settings:{partition}"),
        )

    def names(self, partitions: Sequence[str]) -> Sequence[tuple[int, RecordKey, tuple[str, ...]]]:
        """(record number, key, latest aliases) of every record."""
        rows = self._connection.execute(
            "SELECT r.record_id, r.partition, r.kind, r.name, v.aliases FROM record r JOIN "
            "(SELECT record_id, arg_max(aliases, seq) AS aliases FROM version GROUP BY record_id) v USING (record_id) "
            "WHERE list_contains(?, r.partition) ORDER BY r.record_id",
            [list(partitions)],
        ).fetchall()
        return [(number, RecordKey(*key), tuple(aliases or ())) for number, *key, aliases in rows]

    def name_order(self) -> NDArray[np.int64]:
        """Each record's place (by record number) in the order of name, then kind."""
        query = "SELECT row_number() OVER (ORDER BY name, kind, partition) AS place FROM record ORDER BY record_id"
        return fetch_columns(self._connection, query)["place"].astype(np.int64)

    def text_count(self) -> int:
        """How many index rows there are."""
        row = self._connection.execute("SELECT count(*) FROM indexed_text").fetchone()
        return int(row[0]) if row else 0


class DuckDBWriteUnit(DuckDBReadUnit):
    """One transaction. Versions are gathered and written together on `flush`, before the commit."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, now: Instant) -> None:
        super().__init__(connection)
        self._heads = dict(super().heads())
        last = max((head.recorded_at for head in self._heads.values()), default=None)
        self._stamp = next_stamp(now, last)
        self._order: list[Version] = []
        self._loaded: dict[RecordKey, Version | None] = {}
        self._numbers: dict[RecordKey, int] = {}
        self._numbered: set[RecordKey] = set()
        """Keys whose record number was asked for, found or not: nobody else writes meanwhile."""

    @property
    def stamp(self) -> Instant:
        """The transaction time of everything written here."""
        return self._stamp

    def current(self, keys: Iterable[RecordKey]) -> Mapping[RecordKey, Version]:
        """The latest version of each record, those appended here included."""
        wanted = list(keys)
        unseen = [key for key in wanted if key not in self._loaded]
        if unseen:
            stored = super().current(unseen)
            self._loaded.update({key: stored.get(key) for key in unseen})
        return {key: version for key in wanted if (version := self._loaded[key]) is not None}

    def _record_ids(self, keys: Iterable[RecordKey]) -> dict[RecordKey, int]:
        wanted = set(keys)
        unseen = wanted - self._numbered
        if unseen:
            self._numbers.update(super()._record_ids(unseen))
            self._numbered |= unseen
        return {key: self._numbers[key] for key in wanted if key in self._numbers}

    def heads(self) -> Mapping[str, Head]:
        """Where each partition stands, appended versions included."""
        return dict(self._heads)

    def tail(self, after: Mapping[str, int]) -> Sequence[Version]:
        """All versions beyond the given `seq`, appended ones included."""
        self.flush()
        return super().tail(after)

    def history(self, key: RecordKey) -> Sequence[Version]:
        """Every version of one record, appended ones included."""
        self.flush()
        return super().history(key)

    def columns(self, partitions: Sequence[str]) -> VersionColumns:
        """The numbers of every version, appended ones included."""
        self.flush()
        return super().columns(partitions)

    def append(self, draft: Draft) -> Version | None:
        """Record one change under the guard; None when nothing would differ."""
        current = self.current([draft.key]).get(draft.key)
        head = self._heads.get(draft.key.partition, Head())
        version = make_version(draft, current=current, head=head, stamp=self._stamp)
        if version is None:
            return None
        self._heads[draft.key.partition] = Head(version.seq, version.recorded_at, version.chain)
        self._loaded[draft.key] = version
        self._order.append(version)
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
        """Replace a sync's bookkeeping, each part for the paths it names."""
        self.flush()
        seen = list(files)
        dropped = set(gone)
        touched_by = {
            "source_file": {file.path for file in seen} | dropped,
            "location": set(records) | dropped,
            "problem": set(problems) | dropped,
        }
        for table, paths in touched_by.items():
            self._connection.execute(
                f"DELETE FROM {table} WHERE partition = ? "
                """AND path IN (SELECT unnest(from_json(?, '["VARCHAR"]')))""",
                [partition, json.dumps(sorted(paths), ensure_ascii=False)],
            )
        self._insert("source_file", [(partition, f.path, f.size, f.mtime_ns, f.digest) for f in seen])
        identifiers = self._record_ids(key for placed in records.values() for key, _ in placed)
        self._insert(
            "location",
            [
                (identifiers[key], partition, path, line)
                for path, placed in records.items()
                for key, line in placed
                if key in identifiers
            ],
        )
        self._insert(
            "problem",
            [(partition, p.path, p.line, p.field, p.value, p.reason) for found in problems.values() for p in found],
        )
        self._set_meta(f"synced:{partition}", str(self._stamp))
        self._set_meta(f"settings:{partition}", settings)

    def must_read_again(self, partition: str, path: str) -> None:
        """What is noted of a file no longer holds: its problems go, and the next sync reads it."""
        self._connection.execute("DELETE FROM problem WHERE partition = ? AND path = ?", [partition, path])
        self._connection.execute(
            "UPDATE source_file SET digest = '' WHERE partition = ? AND path = ?", [partition, path]
        )

    def _insert(self, table: str, rows: Sequence[tuple[object, ...]]) -> None:
        """Many rows of a flat table as one statement."""
        if not rows:
            return
        # As JSON arrays of text: the table's own column types do the casting.
        width = len(rows[0])
        picks = ", ".join(f"row[{i + 1}]" for i in range(width))
        shapes = [[None if cell is None else str(cell) for cell in row] for row in rows]
        self._connection.execute(
            f"""INSERT INTO {table} SELECT {picks} FROM (SELECT unnest(from_json(?, '[["VARCHAR"]]')) AS row)""",
            [json.dumps(shapes, ensure_ascii=False)],
        )

    def _set_meta(self, key: str, value: str) -> None:
        self._connection.execute("DELETE FROM meta WHERE key = ?", [key])
        self._connection.execute("INSERT INTO meta VALUES (?, ?)", [key, value])

    def refill_index(self) -> None:
        """Fill the index anew with this program's analyser, over every text ever recorded."""
        self.flush()
        rows = self._connection.execute(
            f"{SELECT_VERSIONS} QUALIFY row_number() OVER (PARTITION BY v.text_id ORDER BY v.seq) = 1 "
            "ORDER BY v.text_id"
        ).fetchall()
        owners = dict(self._connection.execute("SELECT text_id, record_id FROM indexed_text").fetchall())
        texts: list[tuple[int, int, str, SearchableText]] = []
        for version in map(version_from_row, rows):
            text = searchable(version.key.kind, version.key.name, version.content)
            texts.append((version.text_id, owners[version.text_id], searchable_hash(text), text))
        clear_index(self._connection)
        add_texts(self._connection, texts, after=-1)
        self._set_meta("analyser", ANALYSER)

    def flush(self) -> None:
        """Write what was appended: records, index rows, versions."""
        if not self._order:
            return
        versions, self._order = self._order, []
        identifiers = self._record_ids({version.key for version in versions})
        fresh = [key for key in dict.fromkeys(v.key for v in versions) if key not in identifiers]
        if fresh:
            row = self._connection.execute("SELECT coalesce(max(record_id), -1) FROM record").fetchone()
            first = (int(row[0]) if row else -1) + 1
            identifiers.update({key: first + offset for offset, key in enumerate(fresh)})
            self._numbers.update(identifiers)
            self._insert("record", [(identifiers[key], *key) for key in fresh])
        placed = self._index(versions, identifiers)
        rows = [version_as_row(version, identifiers[version.key]) for version in placed]
        self._connection.execute(INSERT_VERSIONS, [json.dumps(rows, ensure_ascii=False)])
        for version in placed:
            self._loaded[version.key] = version

    def _index(self, versions: Sequence[Version], identifiers: Mapping[RecordKey, int]) -> list[Version]:
        """Give each version its index row, adding rows for texts not seen before."""
        known = known_texts(self._connection, (identifiers[version.key] for version in versions))
        row = self._connection.execute("SELECT coalesce(max(text_id), -1) FROM indexed_text").fetchone()
        last = int(row[0]) if row else -1
        fresh: list[Any] = []
        placed: list[Version] = []
        for version in versions:
            text = searchable(version.key.kind, version.key.name, version.content)
            place = (identifiers[version.key], searchable_hash(text))
            if place not in known:
                known[place] = last + 1 + len(fresh)
                fresh.append((known[place], *place, text))
            placed.append(replace(version, text_id=known[place]))
        add_texts(self._connection, fresh, after=last)
        return placed
