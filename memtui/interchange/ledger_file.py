"""A whole ledger as a file of JSON lines: a header, every version, recall and review; to be replayed as it was.

The bytes depend on the ledger alone: nothing of the place or the hour of writing is in them, and where a text
lies in its file (a content's `line`) is left out. A file is read as a whole or not at all.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, cast

from memtui.errors import Refused
from memtui.interchange.ledger_reviews import check_reviews, read_review, review_as_json, review_order
from memtui.interchange.ledger_rows import LedgerRow, LedgerRows
from memtui.model.documents import content_as_json, instant_as_json
from memtui.model.instants import Instant
from memtui.model.recalls import Recall
from memtui.model.records import Content, RecordKey
from memtui.model.renames import renamed_from
from memtui.model.reviews import Review
from memtui.model.versions import OPERATIONS, Operation, Version, says_anew
from memtui.store.verifying import LATEST_STAMP, verify

FORMAT = "memtui-ledger"
VERSION = 2
"""The newest version of the format; one that is newer is not read."""
_WITHOUT_REVIEWS = 1
"""The version of a file that holds no reviews, so that programs that know none read it too."""

_VERSION_FIELDS = (
    "entry",
    "partition",
    "seq",
    "recorded_at",
    "operation",
    "actor",
    "reason",
    "kind",
    "name",
    "origin_known",
    "content_hash",
    "chain",
    "content",
)
_RECALL_FIELDS = ("entry", "reader", "seq", "recorded_at", "partition", "kind", "name", "cue", "actor")


@dataclass(frozen=True, slots=True)
class LedgerHeader:
    """What a ledger file says of itself: whose ledgers it holds."""

    partitions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LedgerFile:
    """Everything a ledger file holds, verified; versions, recalls and reviews in the order of the file."""

    header: LedgerHeader
    versions: tuple[Version, ...] = ()
    recalls: tuple[Recall, ...] = ()
    reviews: tuple[Review, ...] = ()
    lines: tuple[int, ...] = ()
    """The line of each version, then of each recall, then of each review."""


def is_ledger_line(line: str | bytes) -> bool:
    """Whether this is the first line of a ledger file, of whatever version."""
    try:
        header = json.loads(line.lstrip(b"\xef\xbb\xbf") if isinstance(line, bytes) else line.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return False
    return isinstance(header, dict) and cast("dict[str, Any]", header).get("format") == FORMAT


def ledger_lines(
    partitions: Iterable[str],
    versions: Iterable[Version],
    recalls: Iterable[Recall],
    reviews: Iterable[Review] = (),
) -> Iterator[str]:
    """The lines of a ledger file, each with its line end, to be written as UTF-8 without changing line ends.

    Versions come in the order of (recorded_at, partition, seq), then recalls in that of (recorded_at, reader,
    seq), then reviews as versions do. Raises ValueError, before the first line, for an entry of a partition that is
    not named: nobody's private row gets into another's file by mistake.
    """
    named = sorted(set(partitions))
    steps = sorted(versions, key=_version_order)
    events = sorted(recalls, key=_recall_order)
    decided = sorted(reviews, key=review_order)
    held = {v.key.partition for v in steps}.union(r.reader for r in events).union(r.partition for r in decided)
    foreign = held.difference(named)
    if foreign:
        raise ValueError(f"entries of {sorted(foreign)} among those of {named}")
    # The count tells a file that was cut at the end of a line, which the running hash cannot.
    entries = len(steps) + len(events) + len(decided)
    version = VERSION if decided else _WITHOUT_REVIEWS
    yield _line({"format": FORMAT, "version": version, "partitions": named, "entries": entries})
    for step in steps:
        yield _line(_version_as_json(step))
    for recall in events:
        yield _line(_recall_as_json(recall))
    for review in decided:
        yield _line(review_as_json(review))


def read_ledger(lines: Iterable[str | bytes], *, path: str | None = None) -> LedgerFile:
    """The ledger that lines hold (as a file opened in binary gives them), whole and verified.

    Numbers without gaps, stamps that never go back, contents that have the hash they were sealed with, a running
    hash that fits and reviews of what is there are seen to before anything is given back. Raises InvalidInput
    naming the line, the field and the value; `path` is the file the error names.
    """
    rows = LedgerRows(lines, path)
    header, promised = _read_header(rows)
    versions: list[tuple[int, Version]] = []
    recalls: list[tuple[int, Recall]] = []
    reviews: list[tuple[int, Review]] = []
    contents: dict[RecordKey, Content] = {}
    for row in rows:
        entry = row.text("entry")
        if entry == "version":
            if recalls or reviews:
                row.refuse("entry", "stands after the recalls or reviews; versions come first", entry)
            version = _read_version(row, header)
            origin = renamed_from(version)
            before = contents.get(version.key) or (contents.get(origin) if origin else None)
            versions.append((row.line, replace(version, reinforces=says_anew(before, version.content))))
            contents[version.key] = version.content
        elif entry == "recall":
            if reviews:
                row.refuse("entry", "stands after the reviews; recalls come before them", entry)
            recalls.append((row.line, _read_recall(row, header)))
        elif entry == "review":
            reviews.append((row.line, read_review(row, header.partitions)))
        else:
            row.refuse("entry", "is unknown", entry, ("version", "recall", "review"))
    found = len(versions) + len(recalls) + len(reviews)
    if promised not in (None, found):
        rows.refuse(f"is the last, after {found} of {promised} entries: the file was cut or added to", "entries")
    _verify(rows, versions)
    _check_recalls(rows, recalls)
    check_reviews(rows, reviews, versions)
    _check_order(rows, [(line, _version_order(version)) for line, version in versions])
    _check_order(rows, [(line, _recall_order(recall)) for line, recall in recalls])
    _check_order(rows, [(line, review_order(review)) for line, review in reviews])
    return LedgerFile(
        header,
        tuple(version for _, version in versions),
        tuple(recall for _, recall in recalls),
        tuple(review for _, review in reviews),
        tuple(line for line, _ in (*versions, *recalls, *reviews)),
    )


def _version_order(version: Version) -> tuple[Instant, str, int]:
    return version.recorded_at, version.key.partition, version.seq


def _recall_order(recall: Recall) -> tuple[Instant, str, int]:
    return recall.recorded_at, recall.reader, recall.seq


def _line(shape: Mapping[str, Any]) -> str:
    return json.dumps(shape, ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n"


def _version_as_json(version: Version) -> dict[str, Any]:
    content = content_as_json(version.content)
    content.pop("line", None)
    return {
        "entry": "version",
        "partition": version.key.partition,
        "seq": version.seq,
        "recorded_at": instant_as_json(version.recorded_at),
        "operation": version.operation,
        "actor": version.actor,
        "reason": version.reason,
        "kind": version.key.kind,
        "name": version.key.name,
        "origin_known": version.origin_known,
        "content_hash": version.content_hash,
        "chain": version.chain,
        "content": content,
    }


def _recall_as_json(recall: Recall) -> dict[str, Any]:
    return {
        "entry": "recall",
        "reader": recall.reader,
        "seq": recall.seq,
        "recorded_at": instant_as_json(recall.recorded_at),
        "partition": recall.key.partition,
        "kind": recall.key.kind,
        "name": recall.key.name,
        "cue": recall.cue,
        "actor": recall.actor,
    }


def _read_header(rows: LedgerRows) -> tuple[LedgerHeader, int | None]:
    """The header, and the number of entries it promises if it does."""
    row = next(iter(rows), None)
    if row is None:
        rows.refuse("is missing: the file is empty", line=1)
    if row.get("format") != FORMAT:
        row.refuse("format", f"is not {FORMAT}: this is no ledger file", row.get("format"))
    version = row.count("version")
    if version > VERSION:
        newer = f"version {version} was made by a newer memtui; this one reads version {VERSION}"
        rows.refuse(newer, "version", hint="install the newer memtui; nothing of the file was taken", line=row.line)
    partitions = row.value("partitions")
    values = cast("list[object]", partitions) if isinstance(partitions, list) else []
    names = [name for name in values if isinstance(name, str) and name]
    if not names or len(names) < len(values):
        row.refuse("partitions", "is no list of names", row.get("partitions"))
    if len(set(names)) < len(names):
        row.refuse("partitions", "names one twice", names)
    promised = row.get("entries")
    if promised is not None and (isinstance(promised, bool) or not isinstance(promised, int)):
        row.refuse("entries", "is no number", promised)
    return LedgerHeader(tuple(sorted(names))), promised


def _read_version(row: LedgerRow, header: LedgerHeader) -> Version:
    row.only(_VERSION_FIELDS)
    row.named("partition", header.partitions)
    return Version(
        key=row.key(),
        seq=row.count("seq"),
        recorded_at=row.instant("recorded_at"),
        operation=cast("Operation", row.text("operation", choices=OPERATIONS)),
        actor=row.text("actor", blank=True),
        reason=None if row.value("reason") is None else row.text("reason", blank=True),
        content=row.content("content"),
        content_hash=row.text("content_hash"),
        origin_known=row.flag("origin_known"),
        chain=row.text("chain"),
    )


def _read_recall(row: LedgerRow, header: LedgerHeader) -> Recall:
    row.only(_RECALL_FIELDS)
    return Recall(
        key=row.key(),
        reader=row.named("reader", header.partitions),
        seq=row.count("seq"),
        recorded_at=row.instant("recorded_at"),
        cue=row.text("cue", blank=True),
        actor=row.text("actor", blank=True),
    )


def _verify(rows: LedgerRows, versions: Sequence[tuple[int, Version]]) -> None:
    """The store's own laws, told with the line at which they break."""

    def read() -> Iterator[Version]:
        for rows.line, version in versions:
            yield version

    try:
        verify(read())
    except Refused as error:
        rows.refuse(f"does not fit the ledger: {error.message}", error.field, error.value)


def _check_recalls(rows: LedgerRows, recalls: Sequence[tuple[int, Recall]]) -> None:
    """Each reader's recalls are numbered without gaps, and no stamp goes back."""
    last: dict[str, tuple[int, Instant]] = {}
    for line, recall in recalls:
        seq, stamp = last.get(recall.reader, (0, recall.recorded_at))
        if not 0 <= recall.recorded_at <= LATEST_STAMP:
            value = instant_as_json(recall.recorded_at)
            rows.refuse("recorded_at is a stamp that no clock shows", "recorded_at", value, (), line)
        if recall.seq != seq + 1:
            rows.refuse(f"seq does not follow {seq}, the recall of {recall.reader} before", "seq", recall.seq, (), line)
        if recall.recorded_at < stamp:
            value = instant_as_json(recall.recorded_at)
            rows.refuse("recorded_at is before the recall it follows", "recorded_at", value, (), line)
        last[recall.reader] = recall.seq, recall.recorded_at


def _check_order(rows: LedgerRows, places: Sequence[tuple[int, tuple[Instant, str, int]]]) -> None:
    """Entries of different partitions stand in the order they were recorded: one ledger, one text."""
    for (_, before), (line, place) in pairwise(places):
        if place <= before:
            reason = "recorded_at is out of order: entries stand in the order of recording"
            rows.refuse(reason, "recorded_at", instant_as_json(place[0]), line=line)
