"""Versions as rows: what is written into the `version` table and read back from it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from sys import intern
from typing import Any, TypeVar, cast

from memtui.model.canonical import content_as_dict, content_from_dict
from memtui.model.records import CONTENT_FIELDS, RecordKey
from memtui.model.versions import Version
from memtui.store.columns import REINFORCES, flags_of

_TEXTS = "VARCHAR"
_STAMP = "BIGINT"
_CONTENT_TYPES: dict[str, object] = {
    "summary": _TEXTS,
    "title": _TEXTS,
    "body": _TEXTS,
    "area": _TEXTS,
    "tags": [_TEXTS],
    "source_refs": [_TEXTS],
    "aliases": [_TEXTS],
    "owner": _TEXTS,
    "affect": _TEXTS,
    "affect_reason": _TEXTS,
    "confidence": _TEXTS,
    "stability_days": "DOUBLE",
    "pinned": "BOOLEAN",
    "memory_type": _TEXTS,
    "encoding_context": {
        "area": _TEXTS,
        "co_topics": [_TEXTS],
        "source_refs": [_TEXTS],
        "affect": _TEXTS,
        "time_of_day": _TEXTS,
        "created_at": _STAMP,
    },
    "valid_from": _STAMP,
    "valid_to": _STAMP,
    "superseded_by": _TEXTS,
    "revivals": [{"valid_to": _STAMP, "revived_at": _STAMP, "superseded_by": _TEXTS, "revived_by": _TEXTS}],
    "claims": [
        {
            "predicate": _TEXTS,
            "object": _TEXTS,
            "subject": _TEXTS,
            "polarity": _TEXTS,
            "many": "BOOLEAN",
            "valid_from": _STAMP,
            "valid_to": _STAMP,
        }
    ],
    "homophonic_links": [{"target_name": _TEXTS, "resonance_score": "DOUBLE", "basis": _TEXTS}],
    "findings": [{"text": _TEXTS, "rating": _TEXTS, "source_refs": [_TEXTS]}],
    "rating": _TEXTS,
    "supports": [_TEXTS],
    "refutes": [_TEXTS],
    "path": _TEXTS,
    "status": _TEXTS,
    "priority": _TEXTS,
    "doc_type": _TEXTS,
    "dated": _STAMP,
    "links": [_TEXTS],
    "supersedes": _TEXTS,
    "extra": "JSON",
}
_VERSION_TYPES: dict[str, object] = {
    "record_id": "BIGINT",
    "partition": _TEXTS,
    "seq": "BIGINT",
    "recorded_at": _STAMP,
    "operation": _TEXTS,
    "actor": _TEXTS,
    "reason": _TEXTS,
    "content_hash": _TEXTS,
    "origin_known": "BOOLEAN",
    "chain": _TEXTS,
    "text_id": "BIGINT",
    "flags": "SMALLINT",
}
_STRUCTURE = json.dumps([{**_VERSION_TYPES, **_CONTENT_TYPES}])
_COLUMNS = ", ".join((*_VERSION_TYPES, *_CONTENT_TYPES))

# A row travels as JSON text and becomes typed columns inside the database: binding nested values one
# by one costs more per row than parsing a thousand of them.
INSERT_VERSIONS = (
    f"INSERT INTO version ({_COLUMNS}) SELECT {_COLUMNS} "
    f"FROM (SELECT unnest(from_json(?, '{_STRUCTURE}'), max_depth := 2))"
)

_READ_CONTENT = tuple(name for name in CONTENT_FIELDS if name != "line")
_BEYOND_KEY = (
    "v.seq, v.recorded_at, v.operation, v.actor, v.reason, v.content_hash, "
    f"v.origin_known, v.chain, v.text_id, v.flags, {', '.join('v.' + name for name in _READ_CONTENT)}"
)
_VERSION_COLUMNS = f"v.partition, r.kind, r.name, {_BEYOND_KEY}"
SELECT_VERSIONS = f"SELECT {_VERSION_COLUMNS} FROM version v JOIN record r USING (record_id)"
SELECT_STORED = f"SELECT v.record_id, v.flags, {_VERSION_COLUMNS} FROM version v JOIN record r USING (record_id)"
"""The same, each with its record's number and its flags before it."""
SELECT_BARE = f"SELECT v.record_id, v.partition, {_BEYOND_KEY} FROM version v"
"""The same without the record's kind and name, which stand between partition and seq: joining is slow over so many."""
_FIXED = 13
_FEW_VALUES = frozenset({"area", "owner", "affect", "memory_type", "rating", "status", "priority", "doc_type"})
_FEW = 64
"""Numbers up to which comparing each value with each of them is the faster way."""


def among(column: str, numbers: Collection[int]) -> str:
    """The condition that a column of numbers holds one of these.

    What `list_contains` says is asked while a table is scanned, so that of the other columns only what it admits is
    unpacked; `IN` is asked when all of them have been.
    """
    listed = ", ".join(map(str, numbers))
    if not numbers:
        return "false"
    if len(numbers) <= _FEW:
        return f"list_contains([{listed}], {column})"
    return f"""{column} IN (SELECT unnest(from_json('[{listed}]', '["BIGINT"]')))"""


PORTION = 1_000
"""Rows that are written by one statement: the engine takes some 100 KB for each while it reads them."""

Row = TypeVar("Row")


def portions(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """The rows in order, as many at a time as one statement should write."""
    for start in range(0, len(rows), PORTION):
        yield rows[start : start + PORTION]


def version_as_row(version: Version, record_id: int) -> Mapping[str, object]:
    """One version as the JSON object `INSERT_VERSIONS` expects."""
    content = content_as_dict(version.content)
    content.pop("line", None)
    if "confidence" in content:
        content["confidence"] = json.dumps(content["confidence"], ensure_ascii=False)
    return {
        "record_id": record_id,
        "partition": version.key.partition,
        "seq": version.seq,
        "recorded_at": version.recorded_at,
        "operation": version.operation,
        "actor": version.actor,
        "reason": version.reason,
        "content_hash": version.content_hash,
        "origin_known": version.origin_known,
        "chain": version.chain,
        "text_id": version.text_id,
        "flags": flags_of(
            version.key.kind,
            version.content,
            origin_known=version.origin_known,
            reinforces=version.reinforces,
        ),
        **content,
    }


def version_from_row(row: Sequence[Any], *, line: int | None = None) -> Version:
    """The version a row of `SELECT_VERSIONS` stands for."""
    partition, kind, name, seq, recorded_at, operation, actor, reason, digest, origin_known, chain, text_id, flags = (
        row[:_FIXED]
    )
    shape = {n: v for n, v in zip(_READ_CONTENT, row[_FIXED:], strict=True) if v is not None}
    # The engine makes a new text for each value, and of these there are a handful in a hundred thousand rows.
    for field in _FEW_VALUES & shape.keys():
        shape[field] = intern(shape[field])
    if "confidence" in shape:
        shape["confidence"] = json.loads(shape["confidence"])
    if "extra" in shape:
        shape["extra"] = cast("dict[str, Any]", json.loads(shape["extra"]))
    key = RecordKey(intern(partition), intern(kind), name)
    if line is not None:
        shape["line"] = line
    content = content_from_dict(shape)
    return Version(
        key=key,
        seq=seq,
        recorded_at=recorded_at,
        operation=operation,
        actor=intern(actor),
        reason=reason,
        content=content,
        content_hash=digest,
        origin_known=origin_known,
        chain=chain,
        text_id=text_id,
        reinforces=bool(flags & REINFORCES),
    )
