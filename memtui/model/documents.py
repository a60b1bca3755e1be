"""A content as a JSON document for people and other programs: every instant is ISO 8601 text in UTC.

The stored form (`memtui.model.canonical`) keeps instants as numbers; this one can be read anywhere, and
loses nothing: what `content_as_json` writes, `content_from_json` gives back equal and with the same hash.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from datetime import datetime, timezone
from typing import Any, cast

from memtui.errors import InvalidInput
from memtui.model.canonical import content_as_dict
from memtui.model.instants import MAX_INSTANT, MIN_INSTANT, Instant, from_datetime, iso
from memtui.model.records import Claim, Content, EncodingContext, Finding, HomophonicLink, Revival

_ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?Z")
_SMALLEST, _LARGEST = -(2**63), 2**63 - 1
_SHOWN = 120


def instant_as_json(instant: Instant) -> str | int:
    """ISO 8601 UTC with Z, exact to the microsecond; a number outside the years 1–9999, which ISO text cannot say."""
    return iso(instant) if MIN_INSTANT <= instant <= MAX_INSTANT else instant


def instant_from_json(value: Any, field: str) -> Instant:
    """The instant `instant_as_json` wrote. Raises InvalidInput for anything else, zones and bare dates included."""
    if isinstance(value, int) and not isinstance(value, bool) and _SMALLEST <= value <= _LARGEST:
        return value
    if isinstance(value, str) and _ISO.fullmatch(value):
        try:
            return from_datetime(datetime.fromisoformat(value).astimezone(timezone.utc))
        except ValueError:
            pass  # a day or an hour that does not exist
    raise _wrong(field, "is no instant in UTC such as 2026-08-01T12:00:00Z", value)


def content_as_json(content: Content) -> dict[str, Any]:
    """A content as JSON values; fields at their defaults and absent parts are left out.

    Equal contents give equal text: the keys of `extra`, which a store may reorder, are sorted.
    """
    return {name: _CONTENT[name].write(value) for name, value in content_as_dict(content).items()}


def content_from_json(shape: Any, field: str = "content") -> Content:
    """The content a mapping from `content_as_json` stands for; absent and null fields take defaults.

    Nothing is mended and nothing guessed. Raises InvalidInput whose `field` is the path below `field` of what
    is unknown, missing or of the wrong type. Whether a memory may say so at all (windows, lengths) is not judged.
    """
    return Content(**_members(shape, _CONTENT, field))


@dataclass(frozen=True, slots=True)
class _Form:
    """How one field is read from JSON and how its canonical value is written to it."""

    read: Callable[[Any, str], Any]
    write: Callable[[Any], Any]


def _wrong(field: str, reason: str, value: Any, choices: tuple[str, ...] = ()) -> InvalidInput:
    shown = value if isinstance(value, str) else repr(value)
    shown = shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + "…"
    return InvalidInput(f"{field} {reason}: {shown!r}", field=field, value=shown, choices=choices)


def _members(shape: Any, forms: Mapping[str, _Form], field: str) -> dict[str, Any]:
    if not isinstance(shape, Mapping):
        raise _wrong(field, "is no mapping of named parts", shape)
    known: dict[str, Any] = {}
    for name, value in cast("Mapping[Any, Any]", shape).items():
        form = forms.get(name)
        if form is None:
            raise _wrong(f"{field}.{name}", "is unknown", value, tuple(forms))
        if value is not None:
            known[name] = form.read(value, f"{field}.{name}")
    return known


def _same(value: Any) -> Any:
    return value


def _text(value: Any, field: str) -> str:
    if not isinstance(value, str):
        raise _wrong(field, "is no text", value)
    return value


def _flag(value: Any, field: str) -> bool:
    if not isinstance(value, bool):
        raise _wrong(field, "is neither true nor false", value)
    return value


def _number(value: Any, field: str) -> float:
    """A finite number as it is: 30 and 30.0 are hashed differently, so neither may become the other."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise _wrong(field, "is no number", value)
    return value


def _confidence(value: Any, field: str) -> float | str:
    return value if isinstance(value, str) else _number(value, field)


def _line(value: Any, field: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise _wrong(field, "is no line of a file", value)
    return value


def _polarity(value: Any, field: str) -> str:
    if value not in ("asserts", "denies"):
        raise _wrong(field, "is neither asserts nor denies", value, ("asserts", "denies"))
    return value


def _extra(value: Any, field: str) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise _wrong(field, "is no mapping of named parts", value)
    plain = cast("Mapping[str, Any]", value)
    _check_numbers(plain, field)
    return dict(plain)


def _check_numbers(value: Any, field: str) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        raise _wrong(field, "is a number JSON cannot hold", value)
    if isinstance(value, Mapping):
        for name, item in cast("Mapping[str, Any]", value).items():
            _check_numbers(item, f"{field}.{name}")
    elif isinstance(value, list):
        for number, item in enumerate(cast("list[Any]", value)):
            _check_numbers(item, f"{field}[{number}]")


def _sorted(value: Any) -> Any:
    if isinstance(value, Mapping):
        plain = cast("Mapping[str, Any]", value)
        return {name: _sorted(plain[name]) for name in sorted(plain)}
    return [_sorted(item) for item in cast("list[Any]", value)] if isinstance(value, (list, tuple)) else value


def _group(cls: type, **forms: _Form) -> _Form:
    """A nested value of a class, as a mapping of its parts."""
    required = [f.name for f in fields(cls) if f.default is MISSING and f.default_factory is MISSING]

    def read(value: Any, field: str) -> Any:
        known = _members(value, forms, field)
        for name in required:
            if name not in known:
                raise _wrong(f"{field}.{name}", "is missing in", value)
        return cls(**known)

    def write(value: Mapping[str, Any]) -> dict[str, Any]:
        return {name: forms[name].write(part) for name, part in value.items() if part is not None}

    return _Form(read, write)


def _list(form: _Form) -> _Form:
    def read(value: Any, field: str) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise _wrong(field, "is no list", value)
        return tuple(form.read(item, f"{field}[{n}]") for n, item in enumerate(cast("list[Any]", value)))

    def write(value: list[Any]) -> list[Any]:
        return [form.write(item) for item in value]

    return _Form(read, write)


_TEXT = _Form(_text, _same)
_TEXTS = _list(_TEXT)
_NUMBER = _Form(_number, _same)
_FLAG = _Form(_flag, _same)
_INSTANT = _Form(instant_from_json, instant_as_json)

_CONTENT: dict[str, _Form] = {
    **dict.fromkeys(("summary", "title", "body", "area", "owner", "affect", "affect_reason", "memory_type"), _TEXT),
    **dict.fromkeys(("superseded_by", "rating", "path", "status", "priority", "doc_type", "supersedes"), _TEXT),
    **dict.fromkeys(("tags", "source_refs", "aliases", "supports", "refutes", "links"), _TEXTS),
    **dict.fromkeys(("valid_from", "valid_to", "dated"), _INSTANT),
    "confidence": _Form(_confidence, _same),
    "stability_days": _NUMBER,
    "pinned": _FLAG,
    "line": _Form(_line, _same),
    "extra": _Form(_extra, _sorted),
    "encoding_context": _group(
        EncodingContext,
        area=_TEXT,
        co_topics=_TEXTS,
        source_refs=_TEXTS,
        affect=_TEXT,
        time_of_day=_TEXT,
        created_at=_INSTANT,
    ),
    "revivals": _list(
        _group(Revival, valid_to=_INSTANT, revived_at=_INSTANT, superseded_by=_TEXT, revived_by=_TEXT),
    ),
    "claims": _list(
        _group(
            Claim,
            predicate=_TEXT,
            object=_TEXT,
            subject=_TEXT,
            polarity=_Form(_polarity, _same),
            many=_FLAG,
            valid_from=_INSTANT,
            valid_to=_INSTANT,
        )
    ),
    "homophonic_links": _list(_group(HomophonicLink, target_name=_TEXT, resonance_score=_NUMBER, basis=_TEXT)),
    "findings": _list(_group(Finding, text=_TEXT, rating=_TEXT, source_refs=_TEXTS)),
}
