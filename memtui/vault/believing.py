"""What a file's record says, against what the ledger believes: the content of the next version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, cast

from memtui.model.instants import Instant, iso
from memtui.model.problems import Problem
from memtui.model.records import MEMORY_KINDS, Content, RecordKey, Revival
from memtui.model.versions import Version
from memtui.text.fields import scalar_text, shorten
from memtui.vault.records import ReadRecord

Told = tuple[Content, tuple[Problem, ...]]
"""A content, and what must be said about it."""

_NOT_SAID_BY_FILES = frozenset({"path", "line", "links", "encoding_context"})
_MOMENTS = frozenset({"valid_from", "valid_to"})


def first_content(record: ReadRecord, now: Instant, origin: Version | None) -> Told:
    """What a record says when it is first seen: true since the earliest trustworthy date, at latest now.

    With an `origin` (the record its file was called before) everything it lived through goes on.
    """
    content = record.content
    if origin is None:
        if content.valid_from is not None:
            return content, ()
        since = now if record.reference is None else min(record.reference, now)
        return replace(content, valid_from=since), ()
    past = origin.content
    carried = replace(content, valid_from=content.valid_from or past.valid_from, encoding_context=past.encoding_context)
    if record.kind in MEMORY_KINDS:
        return engram_update(replace(record, content=carried), past, now)
    return replace(carried, revivals=past.revivals), ()


def document_update(record: ReadRecord, current: Content, now: Instant, actor: str) -> Told:
    """A document's new content: its validity goes on, and a file that came back is a revival."""
    content = replace(record.content, valid_from=current.valid_from, revivals=current.revivals)
    if current.has_ended(now) and current.valid_to is not None:
        gap = Revival(current.valid_to, now, superseded_by=current.superseded_by, revived_by=actor)
        content = replace(content, revivals=(*current.revivals, gap))
    return content, ()


def engram_update(record: ReadRecord, current: Content, now: Instant) -> Told:
    """An engram file's new content: an update under the guard. A forgotten memory stays forgotten.

    That is told when the file says that it lasts: a verb that forgets it writes the end into its file.
    """
    path = record.content.path or record.name
    content = replace(
        record.content,
        valid_from=record.content.valid_from or current.valid_from,
        encoding_context=current.encoding_context,
        revivals=current.revivals,
    )
    if current.has_ended(now):
        problems: tuple[Problem, ...] = ()
        kept = replace(content, valid_to=current.valid_to, superseded_by=current.superseded_by)
        lasts = content.valid_to is None or (current.valid_to is not None and content.valid_to > current.valid_to)
        if lasts:
            reason = f"this memory is forgotten and stays so; `memtui revive {record.name}` brings it back"
            problems = (Problem(path, reason),)
        return kept, problems
    if not current.revivals:
        return content, ()
    last = current.revivals[-1]
    if content.valid_to is None or content.valid_to > last.revived_at:
        return content, ()
    problems = ()
    if content.valid_to not in {revival.valid_to for revival in current.revivals}:
        reason = "valid_to lies before the memory was last revived; it was left as it is"
        problems = (Problem(path, reason, field="valid_to"),)
    # The bound that was lifted still stands in the file: the ledger's word is the newer one.
    return replace(content, valid_to=current.valid_to, superseded_by=current.superseded_by), problems


def undone_by_an_edit(record: ReadRecord, before: Content, recorded: Version, now: Content) -> tuple[Problem, ...]:
    """What a verb recorded and its file never said, where an edit of the old file speaks against it.

    The edit is the later `update`, so it counts (spec page 2); that it undoes something, nobody knew who made it.
    `before` is what the file said, `recorded` what the verb made of it, `now` what the edit leaves.
    """
    name = recorded.key.name
    problems: list[Problem] = []
    for field in fields(Content):
        if field.name in _NOT_SAID_BY_FILES or (field.name == "memory_type" and record.content.memory_type is None):
            continue
        wanted = getattr(recorded.content, field.name)
        if wanted in (getattr(before, field.name), getattr(now, field.name)):
            continue
        value = _shown(field.name, wanted)
        verb, version = recorded.operation, f"(version {recorded.seq})"
        reason = (
            f"{f'is what `{verb}` recorded' if value else f'was taken away by `{verb}`'} {version}, but the file was "
            f"edited before it said so, and its words count; `memtui history {name}` keeps that version, "
            f"`memtui {verb} {name}` records it again"
        )
        problems.append(Problem(record.content.path or record.name, reason, field=field.name, value=value))
    return tuple(problems)


def _shown(field: str, value: Any) -> str | None:
    """A field's value as a problem shows it; None for nothing."""
    if isinstance(value, tuple):
        return shorten(", ".join(map(str, cast("tuple[object, ...]", value)))) or None
    if field in _MOMENTS and value is not None:
        return iso(value)
    return shorten(scalar_text(value) or value)


def taken_over(record: ReadRecord, current: Content) -> Problem | None:
    """Why a file may not become the next version of a memory that was recorded by a verb."""
    if record.kind not in MEMORY_KINDS or current.path is not None or record.content.summary == current.summary:
        return None
    return Problem(
        record.content.path or record.name,
        f"{record.kind}/{record.name} is a memory that was recorded, not read from a file; give the file another name",
        field="name",
        value=record.name,
    )


def renames(
    missing: Sequence[RecordKey], read: Mapping[RecordKey, ReadRecord], currents: Mapping[RecordKey, Version]
) -> dict[RecordKey, RecordKey]:
    """New key → old key, where a file went and another with the very same text came.

    Only unambiguous pairs count: two files with one text tell nothing about which became which.
    """
    old: dict[tuple[bool, str | None, str | None], list[RecordKey]] = {}
    for key in missing:
        version = currents.get(key)
        if version is not None:
            text = (key.kind in MEMORY_KINDS, version.content.summary, version.content.body)
            old.setdefault(text, []).append(key)
    new: dict[tuple[bool, str | None, str | None], list[RecordKey]] = {}
    for key, record in read.items():
        if key not in currents:
            new.setdefault((key.kind in MEMORY_KINDS, record.content.summary, record.content.body), []).append(key)
    return {
        keys[0]: old[text][0]
        for text, keys in new.items()
        if len(keys) == 1 and len(old.get(text, ())) == 1 and (text[1] or text[2])
    }
