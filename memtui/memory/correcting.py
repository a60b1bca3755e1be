"""update and supersede: the same memory said better, or another memory in its place. Only the caller knows which."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import tzinfo
from typing import Any

from memtui.cognition.encoding import encoded
from memtui.errors import InvalidInput, Refused
from memtui.memory.given import check_sources, check_window, checked_summary, given_fields
from memtui.memory.remembering import free_name
from memtui.memory.retiring import living_memory, planned_end
from memtui.model.instants import Instant, iso
from memtui.model.outcomes import Written
from memtui.model.records import Content, RecordKey
from memtui.model.versions import Draft, Version
from memtui.model.windows import never_came_into_force, window_start
from memtui.store.port import WriteUnit
from memtui.text.naming import check_name, unnamed_engram

_TAKEN_OVER = ("area", "tags", "source_refs", "homophonic_links", "owner")
"""What a replacement has of the memory it replaces, unless it is given its own."""


def update(unit: WriteUnit, key: RecordKey, given: Mapping[str, Any], *, actor: str, zone: tzinfo) -> Written:
    """A new version of the same memory; fields not given stay, lists that are given replace the old ones.

    Raises InvalidInput for a field that cannot be, Refused for what only another verb may change.
    """
    current = living_memory(unit, key, "update")
    values = dict(given)
    summary = values.pop("summary", None)
    changes = given_fields(key.kind, values, zone)
    if summary is not None:
        changes["summary"] = checked_summary(summary)
    if changes.get("affect", "") is None:
        changes.setdefault("affect_reason", None)  # the reason goes with what it was the reason for
    if not changes:
        raise InvalidInput("nothing to update was given", hint="name at least one field, such as --summary or --tag")
    if changes.get("body") and current.content.path is not None:
        from memtui.vault.editing import laid_out

        changes["body"] = laid_out(changes["body"], current.content.body)
    content = replace(current.content, **changes)
    lifts = content.valid_to != current.content.valid_to or (
        content.valid_from != current.content.valid_from and never_came_into_force(current.content)
    )
    if lifts and current.content.has_ended(unit.stamp):
        raise Refused(
            f"{key.kind}/{key.name} ended at {iso(current.content.valid_to or 0)}; "
            "a past end is not moved by a correction",
            field="valid_to",
            value=key.name,
            hint=f"`memtui revive {key.name}` brings it back, and the gap stays on record",
        )
    if {"valid_from", "valid_to"} & changes.keys():
        check_window(content)
    check_sources(key.kind, content)
    written = unit.append(Draft(key, "update", content, actor))
    if written is None:
        return Written(
            "unchanged", key, current.seq, current.recorded_at, note="it says so already; nothing was written"
        )
    return Written("updated", key, written.seq, written.recorded_at)


def supersede(
    unit: WriteUnit,
    key: RecordKey,
    summary: str,
    given: Mapping[str, Any],
    *,
    actor: str,
    zone: tzinfo,
    name: str | None = None,
    at: Instant | None = None,
    keep_claims: bool = False,
    reason: str | None = None,
) -> Written:
    """Record the new memory and retire the old one in its favour, in one transaction.

    The old one is true until `at` (default: now), the new one from then on. Raises Refused for a memory that is
    out of force already and for a name that is taken; InvalidInput for a moment that lies before the old one began.
    """
    current = living_memory(unit, key, "supersede")
    old = current.content
    moment = unit.stamp if at is None else at
    if old.has_ended(unit.stamp):
        raise Refused(
            f"{key.kind}/{key.name} is out of force since {iso(old.valid_to or 0)}"
            + (f", superseded by {old.superseded_by}" if old.superseded_by else ""),
            value=key.name,
            hint="remember the new memory by itself, or revive the old one first",
        )
    if moment > unit.stamp:
        raise InvalidInput(f"{iso(moment)} lies in the future", field="at", value=iso(moment), hint=planned_end(key))
    old = old.without_empty_gaps()
    start = window_start(old)
    if at is not None and start is not None and moment <= start:
        raise InvalidInput(
            f"{iso(moment)} is not later than the beginning of {key.name} ({iso(start)})",
            field="at",
            value=iso(moment),
            hint=f"if it was true before that, say since when: `memtui update {key.name} --valid-from …`; "
            "if it was never true, correct it with `update`",
        )
    fresh = _replacement(key.kind, old, summary, given, zone, keep_claims=keep_claims)
    fresh = replace(fresh, valid_from=moment if fresh.valid_from is None else fresh.valid_from)
    check_window(fresh)
    check_sources(key.kind, fresh)
    if key.kind == "engram":
        fresh = encoded(fresh, at=unit.stamp, zone=zone)
    if name is None:
        # Back to what was so before: the same fact in another period is another memory.
        base = key._replace(name=unnamed_engram(fresh.summary or ""))
        successor = free_name(unit, base, fresh, fresh.valid_from or moment, period_given=True)
    else:
        successor = key._replace(name=check_name(name))
    if successor == key:
        raise Refused(
            f"{key.kind}/{key.name} exists already: it is the very memory to be replaced",
            value=key.name,
            hint=f"`memtui update {key.name} …` corrects what else is wrong about it",
        )
    taken = unit.current([successor]).get(successor)
    if taken is not None:
        raise _taken(key, taken, unit.stamp)
    written = unit.append(Draft(successor, "supersede", fresh, actor, reason))
    assert written is not None, "a record without a version always differs"  # noqa: S101
    end = moment if start is None else max(moment, start)
    ended = f"is true until {iso(end)}" if start is None or end > start else "never came into force"
    unit.append(Draft(key, "supersede", replace(old, valid_to=end, superseded_by=successor.name), actor, reason))
    return Written(
        "superseded",
        successor,
        written.seq,
        written.recorded_at,
        note=f"{key.name} {ended}",
    )


def _taken(key: RecordKey, taken: Version, now: Instant) -> Refused:
    name = taken.key.name
    if taken.content.has_ended(now):
        way_out = f"`memtui revive {name}` brings it back"
    else:
        way_out = f"`memtui forget {key.name} --superseded-by {name}` retires the old one in its favour"
    return Refused(
        f"{taken.key.kind}/{name} exists already: {taken.content.summary!r}",
        field="name",
        value=name,
        hint=f"{way_out}; or give the new one another --name",
    )


def _replacement(
    kind: str, old: Content, summary: str, given: Mapping[str, Any], zone: tzinfo, *, keep_claims: bool
) -> Content:
    own = given_fields(kind, given, zone)
    kept = {field: getattr(old, field) for field in _TAKEN_OVER}
    if keep_claims:
        kept["claims"] = old.claims
    if kind == "evidence":
        kept.update(rating=old.rating, supports=old.supports, refutes=old.refutes)
    return Content(summary=checked_summary(summary), **{**kept, **own})
