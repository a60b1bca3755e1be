"""forget and revive: how memories go out of force and come back, without anything being lost."""

from __future__ import annotations

from dataclasses import replace

from memtui.errors import InvalidInput, NotFound, Refused
from memtui.model.instants import Instant, iso
from memtui.model.outcomes import Written
from memtui.model.records import MEMORY_KINDS, RecordKey, Revival
from memtui.model.versions import Draft, Version
from memtui.model.windows import window_start
from memtui.store.port import WriteUnit

_RETIRED_BY_FILE = (
    "set `status: archived` in {path}, move the file out of the vault, or `memtui delete {name} --force`; "
    "the ledger keeps its history"
)
_DOCUMENT_WAYS = {
    "forget": _RETIRED_BY_FILE,
    "supersede": f"write what is so now into {{path}}; or {_RETIRED_BY_FILE}",
    "revive": "put {path} back as it was and sync; `memtui history {name}` shows what it said",
    "update": "change {path}, and sync",
}
"""What to do instead, where a verb about memories is asked to change a document."""


def forget(
    unit: WriteUnit,
    key: RecordKey,
    *,
    actor: str,
    superseded_by: RecordKey | None = None,
    reason: str | None = None,
    at: Instant | None = None,
) -> Written:
    """Set `valid_to`; the memory stays, with its history. Out of force already: no write, and it says so.

    Raises Refused for documents and for a ring of successors.
    """
    current = living_memory(unit, key, "forget")
    content = current.content
    start = content.valid_from if content.valid_from is not None else current.recorded_at
    if content.valid_to is not None and content.has_ended(unit.stamp):
        never = content.valid_to <= start
        note = "it never came into force" if never else f"forgotten since {iso(content.valid_to)}"
        if content.superseded_by:
            note += f", superseded by {content.superseded_by}"
        return Written("already_forgotten", key, current.seq, current.recorded_at, note=note)
    if at is not None and at > unit.stamp:
        raise InvalidInput(f"{iso(at)} lies in the future", field="at", value=iso(at), hint=planned_end(key))
    if superseded_by is not None:
        check_successor(unit, key, superseded_by)
    content = content.without_empty_gaps()
    end = max(unit.stamp if at is None else at, start, *(r.revived_at for r in content.revivals))
    retired = replace(content, valid_to=end, superseded_by=superseded_by.name if superseded_by else None)
    written = unit.append(Draft(key, "forget", retired, actor, reason))
    assert written is not None, "valid_to of a memory in force always differs"  # noqa: S101
    return Written("forgotten", key, written.seq, written.recorded_at, note=_until(start, end))


def planned_end(key: RecordKey) -> str:
    """How an end that has not come is told to a memory."""
    return f"an end that is to come is planned with `memtui update {key.name} --valid-to …`"


def _until(start: Instant, end: Instant) -> str:
    return f"true until {iso(end)}" if end > start else f"it never came into force: it is true only from {iso(start)}"


def revive(unit: WriteUnit, key: RecordKey, *, actor: str, revived_by: str | None = None) -> Written:
    """Bring a forgotten memory back: the gap is dated and kept for ever. In force: no write.

    Raises Refused for documents.
    """
    current = living_memory(unit, key, "revive")
    content = current.content
    bound = content.valid_to
    if bound is None or not content.has_ended(unit.stamp):
        start = window_start(content)
        to_come = start is not None and start > unit.stamp
        note = f"its time comes at {iso(start)}" if start is not None and to_come else "it is in force already"
        return Written("already_in_force", key, current.seq, current.recorded_at, note=note)
    # A memory whose time has not come is revived to its own beginning, not to an earlier one.
    since = max(unit.stamp, content.valid_from) if content.valid_from is not None else unit.stamp
    gap = Revival(bound, since, superseded_by=content.superseded_by, revived_by=revived_by or actor)
    returned = replace(content, valid_to=None, superseded_by=None, revivals=(*content.revivals, gap))
    written = unit.append(Draft(key, "revive", returned, actor))
    assert written is not None, "a revival always differs"  # noqa: S101
    to_come = since > unit.stamp
    note = f"its time comes at {iso(since)}" if to_come else f"it was out of force from {iso(bound)} until now"
    return Written("revived", key, written.seq, written.recorded_at, note=note)


def living_memory(unit: WriteUnit, key: RecordKey, verb: str) -> Version:
    """The current version of a memory that lives by the verbs.

    Raises NotFound; Refused for a document, naming the ways there are for it.
    """
    current = unit.current([key]).get(key)
    if current is None:
        raise NotFound(f"no record is named {key.kind}/{key.name}", value=key.name)
    if key.kind not in MEMORY_KINDS:
        path = current.content.path or key.name
        raise Refused(
            f"{key.kind}/{key.name} is a document, which `{verb}` does not change: its file decides what is so",
            file=path,
            value=key.name,
            hint=_DOCUMENT_WAYS[verb].format(path=path, name=key.name),
        )
    return current


def check_successor(unit: WriteUnit, key: RecordKey, successor: RecordKey) -> None:
    """A successor must exist, be another memory, and not lead back here."""
    if successor.kind != key.kind:
        raise Refused(
            f"{key.kind}/{key.name} cannot be superseded by a {successor.kind}, {successor.name}",
            field="superseded_by",
            value=f"{successor.kind}/{successor.name}",
            hint="a memory is superseded by one of its own kind; name the other in its source_refs",
        )
    if unit.current([successor]).get(successor) is None:
        raise NotFound(
            f"no record is named {successor.kind}/{successor.name}", field="superseded_by", value=successor.name
        )
    seen = {key}
    step: RecordKey | None = successor
    while step is not None:
        if step in seen:
            raise Refused(
                f"{key.name} cannot be superseded by {successor.name}: that leads back to {step.name}",
                field="superseded_by",
                value=successor.name,
            )
        seen.add(step)
        version = unit.current([step]).get(step)
        onward = version.content.superseded_by if version is not None else None
        step = RecordKey(step.partition, step.kind, onward) if onward else None
