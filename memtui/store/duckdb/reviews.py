"""Reviews as rows: what people decided, written once and read back as it was."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from memtui.model.proposals import Fact
from memtui.model.records import RecordKey
from memtui.model.reviews import DecisionRecord, Review, Touched, decision_as_dict
from memtui.store.duckdb.engine import duckdb
from memtui.store.duckdb.full_text import fetch_columns

_MEMBER = {"kind": "VARCHAR", "name": "VARCHAR"}
_REVIEW = {"partition": "VARCHAR", "seq": "BIGINT", "recorded_at": "BIGINT", "actor": "VARCHAR", "undoes": "BIGINT"}
_DECISION = {
    "partition": "VARCHAR",
    "seq": "BIGINT",
    "position": "BIGINT",
    "proposal": "VARCHAR",
    "kind": "VARCHAR",
    "about": "VARCHAR",
    "verb": "VARCHAR",
    "effect": "VARCHAR",
    "at_survivor": "BOOLEAN",
    "keep": _MEMBER,
    "members": [_MEMBER],
    "facts": [{"label": "VARCHAR", "value": "VARCHAR"}],
    "touched": [{**_MEMBER, "seq": "BIGINT", "before": "BIGINT"}],
}
_FLAT = (
    "proposal, kind, about, verb, effect, at_survivor, keep.kind AS keep_kind, keep.name AS keep_name, "
    "len(members) AS members, len(facts) AS facts, len(touched) AS touched"
)


def bare_reviews(connection: duckdb.DuckDBPyConnection, partitions: Sequence[str]) -> list[Review]:
    """Every review of the partitions, oldest first, each with the one that took it back; without the decisions."""
    rows = connection.execute(
        "SELECT partition, seq, recorded_at, actor, undoes FROM review WHERE list_contains(?, partition) "
        "ORDER BY recorded_at, partition, seq",
        [list(partitions)],
    ).fetchall()
    undone = {(partition, undoes): seq for partition, seq, _, _, undoes in rows if undoes is not None}
    return [
        Review(partition, seq, recorded_at, actor, undoes=undoes, undone_by=undone.get((partition, seq)))
        for partition, seq, recorded_at, actor, undoes in rows
    ]


def read_reviews(connection: duckdb.DuckDBPyConnection, partitions: Sequence[str]) -> list[Review]:
    """Every review of the partitions, oldest first, with what was decided."""
    reviews = bare_reviews(connection, partitions)
    decided = {partition: _decisions(connection, partition) for partition in {each.partition for each in reviews}}
    return [replace(each, decisions=tuple(decided[each.partition].get(each.seq, ()))) for each in reviews]


def _decisions(connection: duckdb.DuckDBPyConnection, partition: str) -> dict[int, list[DecisionRecord]]:
    """The decisions of a partition by the number of their review, each review's in their order.

    The nested lists come as columns of their own: as one value a row they take the engine ten times as long.
    """
    rows, members, facts, touched = (
        _columns(connection, partition, picked)
        for picked in (_FLAT, *(f"unnest({name}, recursive := true)" for name in ("members", "facts", "touched")))
    )
    keys = _Keys(partition)
    named = iter(keys.of(members))
    told = map(Fact, facts["label"], facts["value"])
    steps = map(Touched, keys.of(touched), touched["seq"], touched["before"])
    records = map(
        DecisionRecord,
        rows["proposal"],
        rows["kind"],
        rows["about"],
        _shared(named, rows["members"]),
        rows["verb"],
        _shared(told, rows["facts"]),
        rows["effect"],
        [None if keep[0] is None else keys[keep] for keep in zip(rows["keep_kind"], rows["keep_name"], strict=True)],
        rows["at_survivor"],
        _shared(steps, rows["touched"]),
    )
    decided: dict[int, list[DecisionRecord]] = {}
    for review, record in zip(rows["review"], records, strict=True):
        decided.setdefault(review, []).append(record)
    return decided


def _columns(connection: duckdb.DuckDBPyConnection, partition: str, picked: str) -> dict[str, list[Any]]:
    """Columns of a partition's decisions, in their order."""
    raw = fetch_columns(
        connection,
        f"SELECT seq AS review, position, {picked} FROM review_decision WHERE partition = $partition",
        {"partition": partition},
    )
    order = np.lexsort((raw["position"], raw["review"]))  # stable: the items of one list stay as they stand in it
    return {name: column[order].tolist() for name, column in raw.items()}


def _shared(items: Iterator[Any], counts: Iterable[int]) -> list[tuple[Any, ...]]:
    """The items, so many for each."""
    return [tuple(islice(items, count)) for count in counts]


class _Keys(dict[tuple[str, str], RecordKey]):
    """The keys of a partition by kind and name: each is made once, however many decisions name it."""

    def __init__(self, partition: str) -> None:
        super().__init__()
        self._partition = partition

    def __missing__(self, named: tuple[str, str]) -> RecordKey:
        key = self[named] = RecordKey(self._partition, *named)
        return key

    def of(self, columns: Mapping[str, Iterable[str]]) -> list[RecordKey]:
        """The keys of these kinds and names."""
        return [self[named] for named in zip(columns["kind"], columns["name"], strict=True)]


def write_reviews(connection: duckdb.DuckDBPyConnection, reviews: Sequence[Review]) -> None:
    """Add reviews as they are."""
    _insert(
        connection,
        "review",
        _REVIEW,
        [
            {
                "partition": review.partition,
                "seq": review.seq,
                "recorded_at": review.decided_at,
                "actor": review.actor,
                "undoes": review.undoes,
            }
            for review in reviews
        ],
    )
    rows = [_row(review, position, d) for review in reviews for position, d in enumerate(review.decisions)]
    _insert(connection, "review_decision", _DECISION, rows)


def _insert(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    shape: Mapping[str, object],
    rows: Sequence[Mapping[str, object]],
) -> None:
    """Add rows as one statement, however many."""
    if rows:
        connection.execute(
            f"INSERT INTO {table} ({', '.join(shape)}) SELECT {', '.join(f'row.{name}' for name in shape)} "
            f"FROM (SELECT unnest(from_json(?, '{json.dumps([shape])}')) AS row)",
            [json.dumps(rows, ensure_ascii=False)],
        )


def _row(review: Review, position: int, decision: DecisionRecord) -> dict[str, object]:
    return {
        "partition": review.partition,
        "seq": review.seq,
        "position": position,
        **decision_as_dict(decision),
    }
