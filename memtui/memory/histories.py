"""What was believed before: versions of one record, texts that were ever held, and what changed between two moments."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memtui.errors import InvalidInput
from memtui.model.belief import BeliefState
from memtui.model.changes import BeliefDiff, ChangedRecord, PastText, PastTexts
from memtui.model.details import RecordDetails, Strength
from memtui.model.documents import content_as_json
from memtui.model.instants import Instant, iso
from memtui.model.records import Content, RecordKey
from memtui.model.renames import names_held
from memtui.model.results import RecordView
from memtui.model.versions import Version
from memtui.search.ever import search_ever
from memtui.search.request import SearchRequest
from memtui.search.searcher import Searcher, view
from memtui.store.columns import VersionColumns
from memtui.store.port import ReadUnit

_UNTOLD = frozenset({"line", "encoding_context"})
"""Fields that say where a text lies or what it was first recorded in: no change anyone made."""
_DERIVED = frozenset({"memory_type"})
"""Fields that a first version has from the program unless its author gave them: told only when they change."""
_LIFECYCLE = frozenset({"valid_to", "superseded_by", "revivals"})
"""Fields that change when a memory goes out of force or comes back."""


def versions_of(unit: ReadUnit, key: RecordKey, belief: BeliefState) -> tuple[Version, ...]:
    """Every version of a record by then, oldest first, with those under the names its file had before.

    With a world time only those that held the record true at that moment.
    """
    known_at, true_at = belief.known_at, belief.true_at
    return tuple(
        version
        for name, until in reversed(names_held(key, unit.history))
        for version in unit.history(name)
        if (until is None or version.recorded_at <= until)
        and (known_at is None or version.recorded_at <= known_at)
        and (true_at is None or version.content.validity().contains(true_at))
    )


def details_of(
    unit: ReadUnit, record: RecordView, strength: Strength | None, belief: BeliefState, readers: Sequence[str]
) -> RecordDetails:
    """A record with how many versions it has by then, and the recalls of it by these readers.

    A recall under a name its file had before is one of it, up to when the name was given up.
    """
    versions = versions_of(unit, record.key, belief)
    names = dict(names_held(record.key, unit.history))
    recalls = (recall for recall in unit.recalls(readers) if recall.key in names)
    by_then = tuple(
        recall
        for recall in recalls
        if all(until is None or recall.recorded_at <= until for until in (belief.known_at, names[recall.key]))
    )
    return RecordDetails(record, len(versions), by_then, strength)


def changes_between(before: Content | None, after: Content) -> dict[str, tuple[object, object]]:
    """Field → (before, after) for every field that differs, as JSON values with instants as ISO text."""
    old = {} if before is None else content_as_json(before)
    new = content_as_json(after)
    untold = _UNTOLD | _DERIVED if before is None else _UNTOLD
    fields = [name for name in (*new, *(name for name in old if name not in new)) if name not in untold]
    return {name: (old.get(name), new.get(name)) for name in fields if old.get(name) != new.get(name)}


def search_past(searcher: Searcher, query: str, belief: BeliefState, present: Instant, *, limit: int) -> PastTexts:
    """Texts that were ever believed up to a moment, whether or not they still are; best first.

    A text that was believed, given up and believed again is told once for each time. With a world time only those
    times are told in which some version held the text true at that moment.
    """
    known_at, _ = belief.settle(present)
    columns = searcher.corpus.columns
    runs = _Runs(columns, known_at, belief.true_at)
    hits = search_ever(searcher, SearchRequest(query, limit=limit, belief=belief), present)
    # The mask shows only texts with at least one such time, so as many texts are enough for as many entries.
    told = [(run, snip) for text_id, _, snip in hits for run in runs(text_id)][:limit]
    first = searcher.corpus.versions([run.start for run, _ in told])
    return PastTexts(
        query,
        tuple(
            PastText(
                key=version.key,
                seq=version.seq,
                text=snip(view(version, known_at)),
                known_from=version.recorded_at,
                known_to=None if run.end is None else int(columns.recorded_at[run.end]),
            )
            for (run, snip), version in zip(told, first, strict=True)
        ),
    )


class _Run(NamedTuple):
    """One time a text was a record's: from the row that brought it to the row that replaced it (None: it still is)."""

    start: int
    end: int | None


class _Runs:
    """The times each text was believed, of those rows that were recorded by `known_at`."""

    def __init__(self, columns: VersionColumns, known_at: Instant, true_at: Instant | None) -> None:
        self._columns, self._true_at = columns, true_at
        until = int(np.searchsorted(columns.recorded_at, known_at, side="right"))
        self._record, self._text_id = columns.record[:until], columns.text_id[:until]

    def __call__(self, text_id: int) -> Iterator[_Run]:
        rows = np.flatnonzero(self._text_id == text_id)
        steps = np.flatnonzero(self._record == self._record[rows[0]])
        run: list[int] = []
        for row in steps.tolist():
            if self._text_id[row] == text_id:
                run.append(row)
            elif run:
                yield from self._told(run, row)
                run = []
        if run:
            yield from self._told(run, None)

    def _told(self, run: list[int], end: int | None) -> Iterator[_Run]:
        rows = np.array(run, dtype=np.int64)
        if self._true_at is None or self._columns.in_force(rows, self._true_at).any():
            yield _Run(run[0], end)


def belief_diff(
    searcher: Searcher,
    earlier: Instant,
    later: Instant,
    true_at: Instant | None,
    among: Collection[int] | None = None,
) -> BeliefDiff:
    """What changed in what was believed; each state is asked about its own moment, or both about `true_at`.

    With `among` only of these records, by number.
    """
    if later < earlier:
        raise InvalidInput(
            f"the later moment ({iso(later)}) lies before the earlier ({iso(earlier)})",
            field="to",
            value=iso(later),
            hint="give the earlier moment first",
        )
    columns = searcher.corpus.columns
    before, after = (dict(_rows_by_record(columns.record, columns.rows_at(t))) for t in (earlier, later))
    changed_rows = {record: row for record, row in after.items() if before.get(record) != row}
    # What no version touched may still have begun or ended as time went on.
    lasting = [record for record in after if record not in changed_rows]
    if true_at is None and lasting:
        rows = np.array([after[record] for record in lasting], dtype=np.int64)
        turned = columns.in_force(rows, earlier) != columns.in_force(rows, later)
        changed_rows.update({record: after[record] for record, t in zip(lasting, turned.tolist(), strict=True) if t})
    if among is not None:
        changed_rows = {record: row for record, row in changed_rows.items() if record in among}
    order = searcher.corpus.name_order()
    records = sorted(changed_rows, key=lambda r: (int(columns.kind[changed_rows[r]]), int(order[r])))
    then, now = (earlier, later) if true_at is None else (true_at, true_at)
    see = partial(_views, searcher)
    olds = see([before[r] for r in records if r in before], then)
    news = see([changed_rows[r] for r in records], now)
    return _sorted_out(earlier, later, records, set(before), olds, news)


def _rows_by_record(record: NDArray[np.int64], rows: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    return zip(record[rows].tolist(), rows.tolist(), strict=True)


def _views(searcher: Searcher, rows: list[int], true_at: Instant) -> list[RecordView]:
    return [view(version, true_at) for version in searcher.corpus.versions(rows)]


def _sorted_out(
    earlier: Instant,
    later: Instant,
    records: list[int],
    known: set[int],
    olds: list[RecordView],
    news: list[RecordView],
) -> BeliefDiff:
    learned: list[RecordView] = []
    forgotten: list[RecordView] = []
    changed: list[ChangedRecord] = []
    revived: list[RecordView] = []
    began: list[RecordView] = []
    before = iter(olds)
    for record, new in zip(records, news, strict=True):
        if record not in known:
            learned.append(new)
            continue
        old = next(before)
        same_force = (old.state == "in_force") == (new.state == "in_force")
        if not same_force and new.state != "in_force":
            forgotten.append(new)
        elif not same_force:
            (began if old.state == "not_yet" else revived).append(new)
        changes = changes_between(old.content, new.content)
        if changes if same_force else set(changes) - _LIFECYCLE:
            changed.append(ChangedRecord(new, changes))
    return BeliefDiff(earlier, later, tuple(learned), tuple(forgotten), tuple(changed), tuple(revived), tuple(began))
