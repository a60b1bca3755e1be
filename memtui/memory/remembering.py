"""remember: from what a person or agent says to the content of a new memory, and what may stand in the way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields as dataclass_fields
from dataclasses import replace
from datetime import tzinfo
from typing import Any

from memtui.cognition.encoding import encoded
from memtui.errors import InvalidInput, Refused
from memtui.model.instants import Instant, iso
from memtui.model.intervals import Interval
from memtui.model.records import CONFIDENCE_LABELS, LONGEST_SUMMARY, SHORTEST_AFFECT_REASON, Content, RecordKey
from memtui.model.results import Written
from memtui.model.versions import Draft, Version
from memtui.store.port import WriteUnit
from memtui.text.claims import parse_claim
from memtui.text.dates import parse_instant
from memtui.text.naming import check_name, clean_text, is_blank, normalise_summary, unnamed_engram

_GIVEN = (
    "title",
    "body",
    "area",
    "tags",
    "source_refs",
    "owner",
    "affect",
    "affect_reason",
    "confidence",
    "stability_days",
    "pinned",
    "memory_type",
    "valid_from",
    "valid_to",
    "claims",
)
"""Fields a caller may give beside the summary."""


def content_from(summary: str, given: Mapping[str, Any], zone: tzinfo) -> Content:
    """A validated content from a summary and the given fields (None means not given).

    Raises InvalidInput naming the field and the value.
    """
    unknown = sorted(set(given) - set(_GIVEN) - {"reference_time"})
    if unknown:
        raise InvalidInput(f"an engram has no field {unknown[0]!r}", field=unknown[0], choices=_GIVEN)
    values = {name: value for name, value in given.items() if value is not None}
    reference = values.pop("reference_time", None)
    shaped = {name: _shaped(name, value, zone) for name, value in values.items()}
    if reference is not None and "valid_from" not in shaped:
        shaped["valid_from"] = parse_instant(reference, zone, field="reference_time")
    content = Content(summary=checked_summary(summary), **shaped)
    _check_window(content)
    return content


def checked_summary(summary: str) -> str:
    """A summary fit to be remembered. Raises InvalidInput for a blank or too long one."""
    text = _clean(summary.strip())
    if is_blank(text):
        raise InvalidInput("the summary is blank", field="summary", hint="say in a sentence what to remember")
    if len(text) > LONGEST_SUMMARY:
        raise InvalidInput(
            f"the summary has {len(text)} characters; at most {LONGEST_SUMMARY} are allowed",
            field="summary",
            hint="keep the gist in the summary and put the rest into the body",
        )
    return text


def _clean(text: str) -> str:
    cleaned, replaced = clean_text(text)
    if replaced:
        raise InvalidInput(
            "the text holds half a character (a lone surrogate), which cannot be stored",
            field="text",
            hint="send it as valid UTF-8",
        )
    return cleaned


def _shaped(name: str, value: Any, zone: tzinfo) -> Any:
    if name in ("valid_from", "valid_to"):
        return parse_instant(value, zone, field=name)
    if name in ("tags", "source_refs"):
        items = [value] if isinstance(value, str) else list(value)
        return tuple(dict.fromkeys(_clean(str(item)).strip() for item in items if str(item).strip()))
    if name == "claims":
        items = [value] if isinstance(value, str) else list(value)
        return tuple(parse_claim(item) if isinstance(item, str) else item for item in items)
    if name == "confidence":
        return _confidence(value)
    if name == "stability_days":
        return _positive(name, value)
    if name == "pinned":
        return bool(value)
    text = _clean(str(value))
    if name == "affect_reason" and len(text.strip()) < SHORTEST_AFFECT_REASON:
        raise InvalidInput(
            f"affect_reason has {len(text.strip())} characters; at least {SHORTEST_AFFECT_REASON} are needed",
            field=name,
            value=text,
        )
    return text


def _confidence(value: Any) -> float | str:
    if isinstance(value, str) and value.casefold() in CONFIDENCE_LABELS:
        return value
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = 0.0
    if not 1 <= number <= 10:
        raise InvalidInput(
            f"confidence {value!r} is neither a number from 1 to 10 nor a label",
            field="confidence",
            value=value,
            choices=CONFIDENCE_LABELS,
        )
    return number


def _positive(name: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = 0.0
    if not 0 < number < float("inf"):
        raise InvalidInput(f"{name} {value!r} is not a number above 0", field=name, value=value)
    return number


def _check_window(content: Content) -> None:
    start, end = content.valid_from, content.valid_to
    if start is not None and content.revivals:
        start = max(start, content.revivals[-1].revived_at)
    if start is not None and end is not None and end <= start:
        raise InvalidInput(
            f"valid_to ({iso(end)}) is not later than valid_from ({iso(start)})",
            field="valid_to",
            value=iso(end),
            hint="the window is closed-open: it must end after it begins",
        )


def remember(
    unit: WriteUnit,
    content: Content,
    *,
    partition: str,
    name: str | None,
    actor: str,
    zone: tzinfo,
) -> Written:
    """Record a memory, or say that it is known already.

    Raises Refused when the name holds another text, or a forgotten memory.
    """
    period_given = content.valid_from is not None
    since = content.valid_from if content.valid_from is not None else unit.stamp
    if content.valid_to is not None and content.valid_to <= since:
        raise InvalidInput(
            f"valid_to ({iso(content.valid_to)}) is not later than valid_from, which is now",
            field="valid_to",
            hint="give the valid_from of the time when it was true",
        )
    if name is not None:
        key = RecordKey(partition, "engram", check_name(name))
    else:
        key = _free_name(unit, partition, content, since, period_given)
    current = unit.current([key]).get(key)
    if current is None:
        fresh = encoded(replace(content, valid_from=since, owner=content.owner or actor), at=unit.stamp, zone=zone)
        written = unit.append(Draft(key, "remember", fresh, actor))
        assert written is not None, "a record without a version always differs"  # noqa: S101
        return Written("remembered", key, written.seq, written.recorded_at)
    return _remember_again(unit, key, current, content, actor)


def _free_name(unit: WriteUnit, partition: str, content: Content, since: Instant, period_given: bool) -> RecordKey:
    """The name of an unnamed engram: the same fact in another period is another memory."""
    base = unnamed_engram(content.summary or "")
    period = Interval(since, content.valid_to)
    number = 1
    while True:
        key = RecordKey(partition, "engram", base if number == 1 else f"{base}-{number}")
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
            hint="give the new memory another --name, and forget the old one if it no longer holds",
        )
    defaults = Content()
    given = {
        field.name: value
        for field in dataclass_fields(Content)
        if field.name != "summary" and (value := getattr(content, field.name)) != getattr(defaults, field.name)
    }
    merged = replace(stored, **given)
    _check_window(merged)
    written = unit.append(Draft(key, "remember", merged, actor))
    if written is None:
        return Written("unchanged", key, current.seq, current.recorded_at, note="known already; nothing was written")
    return Written("updated", key, written.seq, written.recorded_at)
