"""remember: a new memory, or one that is known already; and what may stand in its way."""

from __future__ import annotations

from dataclasses import fields as dataclass_fields
from dataclasses import replace
from datetime import tzinfo

from memtui.cognition.encoding import encoded
from memtui.errors import InvalidInput, Refused
from memtui.memory.given import check_window
from memtui.model.instants import Instant, iso
from memtui.model.intervals import Interval
from memtui.model.outcomes import Written
from memtui.model.records import Content, RecordKey
from memtui.model.versions import Draft, Version
from memtui.store.port import WriteUnit
from memtui.text.naming import check_name, normalise_summary, unnamed_engram


def remember(
    unit: WriteUnit,
    content: Content,
    *,
    partition: str,
    kind: str = "engram",
    name: str | None,
    actor: str,
    zone: tzinfo,
) -> Written:
    """Record a memory, or say that it is known already.

    Raises Refused when the name holds another text, or a forgotten memory.
    """
    period_given = content.valid_from is not None
    since = content.valid_from if content.valid_from is not None else unit.stamp
    if name is not None:
        key = RecordKey(partition, kind, check_name(name))
    else:
        key = free_name(
            unit, RecordKey(partition, kind, unnamed_engram(content.summary or "")), content, since, period_given
        )
    current = unit.current([key]).get(key)
    if current is None:
        if content.valid_to is not None and content.valid_to <= since:
            raise InvalidInput(
                f"valid_to ({iso(content.valid_to)}) is not later than valid_from, which is now",
                field="valid_to",
                hint="give the valid_from of the time when it was true",
            )
        fresh = replace(content, valid_from=since, owner=content.owner or actor)
        if kind == "engram":
            fresh = encoded(fresh, at=unit.stamp, zone=zone)
        written = unit.append(Draft(key, "remember", fresh, actor))
        assert written is not None, "a record without a version always differs"  # noqa: S101
        return Written("remembered", key, written.seq, written.recorded_at)
    return _remember_again(unit, key, current, content, actor)


def free_name(unit: WriteUnit, base: RecordKey, content: Content, since: Instant, period_given: bool) -> RecordKey:
    """The name of an unnamed memory: the same fact in another period is another memory."""
    period = Interval(since, content.valid_to)
    number = 1
    while True:
        key = base if number == 1 else base._replace(name=f"{base.name}-{number}")
        current = unit.current([key]).get(key)
        if current is None or not period_given:
            return key
        validity = current.content.validity()
        if any(period.overlaps(interval) or period.meets(interval) for interval in validity):
            return key
        number += 1


def _remember_again(unit: WriteUnit, key: RecordKey, current: Version, content: Content, actor: str) -> Written:
    stored = current.content
    if stored.valid_to is not None and stored.has_ended(unit.stamp):
        raise Refused(
            f"{key.kind}/{key.name} was forgotten (since {iso(stored.valid_to)})",
            value=key.name,
            hint=f"`memtui revive {key.name}` brings it back; another --name makes another memory",
        )
    if normalise_summary(stored.summary or "") != normalise_summary(content.summary or ""):
        raise Refused(
            f"{key.kind}/{key.name} already says something else: {stored.summary!r}",
            value=key.name,
            hint=f"`memtui update {key.name} --summary …` corrects it, `memtui supersede {key.name} …` replaces it; "
            "another --name makes another memory",
        )
    defaults = Content()
    given = {
        field.name: value
        for field in dataclass_fields(Content)
        if field.name != "summary" and (value := getattr(content, field.name)) != getattr(defaults, field.name)
    }
    merged = replace(stored, **given)
    check_window(merged)
    written = unit.append(Draft(key, "remember", merged, actor))
    if written is None:
        return Written("unchanged", key, current.seq, current.recorded_at, note="known already; nothing was written")
    return Written("updated", key, written.seq, written.recorded_at)
