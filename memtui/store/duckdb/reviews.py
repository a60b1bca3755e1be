"""Reviews as rows: what people decided, written once and read back as it was."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, cast

from memtui.model.proposals import Fact
from memtui.model.records import RecordKey
from memtui.model.reviews import DecisionRecord, Review, Touched
from memtui.store.duckdb.engine import duckdb

_MEMBER = {"kind": "VARCHAR", "name": "VARCHAR"}
_SHAPE = {
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
_COLUMNS = ", ".join(_SHAPE)
_INSERT = (
    f"INSERT INTO review_decision ({_COLUMNS}) SELECT {', '.join(f'd.{name}' for name in _SHAPE)} "
    f"FROM (SELECT unnest(from_json(?, '{json.dumps([_SHAPE])}')) AS d)"
)


def read_reviews(connection: duckdb.DuckDBPyConnection, partitions: Sequence[str]) -> list[Review]:
    """Every review of the partitions, oldest first, each with the one that took it back."""
    named = [list(partitions)]
    rows = connection.execute(
        "SELECT partition, seq, recorded_at, actor, undoes FROM review WHERE list_contains(?, partition) "
        "ORDER BY recorded_at, partition, seq",
        named,
    ).fetchall()
    if not rows:
        return []
    decided: dict[tuple[str, int], list[DecisionRecord]] = {}
    for partition, seq, _, *cells in connection.execute(
        f"SELECT {_COLUMNS} FROM review_decision WHERE list_contains(?, partition) ORDER BY partition, seq, position",
        named,
    ).fetchall():
        decided.setdefault((partition, seq), []).append(_decision(partition, cells))
    undone = {(partition, undoes): seq for partition, seq, _, _, undoes in rows if undoes is not None}
    return [
        Review(
            partition,
            seq,
            recorded_at,
            actor,
            tuple(decided.get((partition, seq), ())),
            undoes=undoes,
            undone_by=undone.get((partition, seq)),
        )
        for partition, seq, recorded_at, actor, undoes in rows
    ]


def write_reviews(connection: duckdb.DuckDBPyConnection, reviews: Sequence[Review]) -> None:
    """Add reviews as they are."""
    for review in reviews:
        connection.execute(
            "INSERT INTO review VALUES (?, ?, ?, ?, ?)",
            [review.partition, review.seq, review.decided_at, review.actor, review.undoes],
        )
    rows = [_row(review, position, d) for review in reviews for position, d in enumerate(review.decisions)]
    if rows:
        connection.execute(_INSERT, [json.dumps(rows, ensure_ascii=False)])


def _row(review: Review, position: int, decision: DecisionRecord) -> dict[str, object]:
    return {
        "partition": review.partition,
        "seq": review.seq,
        "position": position,
        "proposal": decision.proposal,
        "kind": decision.kind,
        "about": decision.about,
        "verb": decision.verb,
        "effect": decision.effect,
        "at_survivor": decision.at_survivor,
        "keep": None if decision.keep is None else _member(decision.keep),
        "members": [_member(key) for key in decision.keys],
        "facts": [{"label": fact.label, "value": fact.value} for fact in decision.facts],
        "touched": [{**_member(t.key), "seq": t.seq, "before": t.before} for t in decision.touched],
    }


def _member(key: RecordKey) -> dict[str, object]:
    return {"kind": key.kind, "name": key.name}


def _decision(partition: str, cells: Sequence[Any]) -> DecisionRecord:
    proposal, kind, about, verb, effect, at_survivor, keep, members, facts, touched = cells

    def key(shape: object) -> RecordKey:
        named = cast("dict[str, str]", shape)
        return RecordKey(partition, named["kind"], named["name"])

    return DecisionRecord(
        proposal=proposal,
        kind=kind,
        about=about,
        keys=tuple(key(member) for member in members),
        verb=verb,
        facts=tuple(Fact(fact["label"], fact["value"]) for fact in facts),
        effect=effect,
        keep=None if keep is None else key(keep),
        at_survivor=at_survivor,
        touched=tuple(Touched(key(step), step["seq"], step["before"]) for step in touched),
    )
