"""The write unit over one open connection: one transaction."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memtui.errors import IndexUnusable, Refused
from memtui.model.instants import Instant
from memtui.model.problems import Problem
from memtui.model.recalls import Recall
from memtui.model.records import RecordKey
from memtui.model.versions import Draft, Head, Version
from memtui.store.appending import make_version, next_stamp
from memtui.store.columns import VersionColumns
from memtui.store.duckdb.engine import duckdb
from memtui.store.duckdb.full_text import add_texts, known_texts
from memtui.store.duckdb.rows import INSERT_VERSIONS, portions, version_as_row
from memtui.store.duckdb.units import DuckDBReadUnit
from memtui.store.duckdb.vectors import WritableVectors
from memtui.text.analysis import ANALYSER
from memtui.text.searchable import searchable, searchable_hash

if TYPE_CHECKING:
    from memtui.model.reviews import DecisionRecord, Review
    from memtui.store.port import SourceFile


def _file_as_row(partition: str, file: SourceFile) -> tuple[object, ...]:
    old = file.replaces
    replaced = (None, None, None) if old is None else (old.digest, old.size, old.mtime_ns)
    return (partition, file.path, file.size, file.mtime_ns, file.digest, *replaced)


class DuckDBWriteUnit(DuckDBReadUnit, WritableVectors):
    """One transaction. Versions are gathered and written together on `flush`, before the commit."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, now: Instant) -> None:
        super().__init__(connection)
        self._heads = dict(super().heads())
        self._stamp = next_stamp(now, super().last_stamp())
        self._order: list[Version] = []
        self._steps: list[tuple[Version | None, Version]] = []
        self._loaded: dict[RecordKey, Version | None] = {}
        self._numbers: dict[RecordKey, int] = {}
        self._sound = False
        """Whether the index was found fit to be added to: nobody else writes meanwhile."""
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
        self._steps.append((current, version))
        return version

    @property
    def steps(self) -> Sequence[tuple[Version | None, Version]]:
        """What was appended here so far, each with what it follows."""
        return self._steps

    def recall(self, keys: Iterable[RecordKey], *, reader: str, cue: str, actor: str) -> Sequence[Recall]:
        """Record that these were recalled, one event each."""
        row = self._connection.execute("SELECT coalesce(max(seq), 0) FROM recall WHERE reader = ?", [reader]).fetchone()
        last = int(row[0]) if row else 0
        events = [
            Recall(key, reader, last + number, self._stamp, cue, actor)
            for number, key in enumerate(dict.fromkeys(keys), start=1)
        ]
        self._insert_recalls(events)
        return events

    def _insert_recalls(self, recalls: Iterable[Recall]) -> None:
        self._insert("recall", [(r.reader, r.seq, r.recorded_at, *r.key, r.cue, r.actor) for r in recalls])

    def review(
        self, partition: str, decisions: Sequence[DecisionRecord], *, actor: str, undoes: int | None = None
    ) -> Review:
        """Record what was decided, or that an earlier review is taken back."""
        from memtui.store.appending import next_review
        from memtui.store.duckdb.reviews import bare_reviews, write_reviews

        earlier = bare_reviews(self._connection, [partition])
        review = next_review(earlier, partition, decisions, actor, undoes, self._stamp)
        write_reviews(self._connection, [review])
        return review

    def replay(self, versions: Sequence[Version], recalls: Sequence[Recall], reviews: Sequence[Review] = ()) -> None:
        """Take over a ledger as it was."""
        from memtui.store.duckdb.reviews import bare_reviews, write_reviews
        from memtui.store.verifying import verify  # few transactions replay, or fill an index anew

        verify(versions)
        partitions = {version.key.partition for version in versions}
        partitions |= {recall.reader for recall in recalls} | {review.partition for review in reviews}
        held = set(self._heads) | {recall.reader for recall in self.recalls(sorted(partitions))}
        held |= {review.partition for review in bare_reviews(self._connection, sorted(partitions))}
        taken = sorted(partitions & held)
        if taken:
            raise Refused(
                f"{taken[0]} holds a ledger already, so no other can be replayed into it",
                field="partition",
                value=taken[0],
                hint="replay into an empty store; into this one its memories can be imported as new ones",
            )
        for version in versions:
            self._heads[version.key.partition] = Head(version.seq, version.recorded_at, version.chain)
        self._order.extend(versions)
        self.flush()
        self._insert_recalls(recalls)
        write_reviews(self._connection, reviews)
        # The files of these records were not seen by any sync here, were there one before.
        for partition in partitions:
            self._connection.execute("DELETE FROM meta WHERE key = ?", [f"synced:{partition}"])

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
        self._insert("source_file", [_file_as_row(partition, file) for file in seen])
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
        self._insert_problems(partition, (problem for found in problems.values() for problem in found))
        self._set_meta(f"synced:{partition}", str(self._stamp))
        self._set_meta(f"settings:{partition}", settings)

    def note_file(
        self,
        partition: str,
        file: SourceFile,
        lines: Iterable[tuple[RecordKey, int | None]],
        problems: Iterable[Problem],
    ) -> None:
        """What memtui itself is about to write into one file."""
        self.flush()
        for table in ("source_file", "location", "problem"):
            self._connection.execute(f"DELETE FROM {table} WHERE partition = ? AND path = ?", [partition, file.path])
        self._insert("source_file", [_file_as_row(partition, file)])
        placed = dict(lines)
        identifiers = self._record_ids(placed)
        self._insert("location", [(identifiers[key], partition, file.path, line) for key, line in placed.items()])
        self._insert_problems(partition, problems)

    def _insert_problems(self, partition: str, problems: Iterable[Problem]) -> None:
        self._insert("problem", [(partition, p.path, p.line, p.field, p.value, p.reason) for p in problems])

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
        from memtui.store.duckdb.refilling import refill

        self.flush()
        refill(self._connection, same_analyser=self.analyser() == ANALYSER)
        self._set_meta("analyser", ANALYSER)
        self._loaded.clear()

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
        for portion in portions(placed):
            rows = [version_as_row(version, identifiers[version.key]) for version in portion]
            self._connection.execute(INSERT_VERSIONS, [json.dumps(rows, ensure_ascii=False)])
        for version in placed:
            self._loaded[version.key] = version

    def _index(self, versions: Sequence[Version], identifiers: Mapping[RecordKey, int]) -> list[Version]:
        """Give each version its index row, adding rows for texts not seen before. Raises IndexUnusable."""
        self._check_index()
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

    def _check_index(self) -> None:
        """Raises IndexUnusable where rows would be numbered wrongly, or could not be told from those that are lost."""
        if self._sound:
            return
        found = self.index_damage()
        if found is not None:
            raise IndexUnusable(
                f"{found.sentence}, so nothing can be recorded",
                hint="what is recorded is whole: `memtui sync` (for personal memories `memtui sync --personal`) makes "
                "the index anew; then try again",
            )
        stored = self.analyser()
        if ANALYSER not in stored.split("+"):
            # From now on it holds tokens of both, and neither program may take it for its own.
            self._set_meta("analyser", f"{stored}+{ANALYSER}")
        self._sound = True
