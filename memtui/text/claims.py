"""Claims as people write them: `SUBJECT::predicate=object`, and the same as named parts in a file."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import tzinfo
from typing import Any, cast

from memtui.errors import InvalidInput
from memtui.model.instants import Instant
from memtui.model.records import Claim, Polarity
from memtui.text.dates import parse_instant
from memtui.text.naming import is_blank

GRAMMAR = "SUBJECT::predicate=object (SUBJECT:: may be left out; !object denies; += accumulates; no =object: it exists)"
_PARTS = ("subject", "predicate", "object", "polarity", "many", "valid_from", "valid_to")
_POLARITIES: tuple[Polarity, ...] = ("asserts", "denies")


def parse_claim(text: str, *, field: str = "claim", file: str | None = None) -> Claim:
    """The claim a line of text states; parts are trimmed and otherwise kept as written.

    The first `=` ends the predicate and `::` counts only before it, so objects may hold both. A `!`
    denies: before the object, or before the predicate of an existence claim. Raises InvalidInput
    naming the part that is wrong and what is allowed.
    """
    head, equals, tail = text.partition("=")
    subject, colons, predicate = head.rpartition("::")
    predicate = predicate.strip()
    many = False
    value: str | None = None
    if equals:
        many = predicate.endswith("+")
        predicate = predicate[:-1].rstrip() if many else predicate
        value = tail.strip()
    denies, value, predicate = _denial(value, predicate)
    if colons and is_blank(subject):
        raise _malformed(field, "subject", "is blank", text, "write one before :: or leave :: out", file)
    claim = Claim(
        predicate=predicate,
        object=value,
        subject=subject.strip() if colons else None,
        polarity="denies" if denies else "asserts",
        many=many,
    )
    return _checked(claim, text, field, file)


def read_claim(value: Any, zone: tzinfo, *, field: str = "claim", file: str | None = None) -> Claim:
    """The claim an item of a file states: text in the grammar, or a mapping of its parts.

    Raises InvalidInput naming the part that is wrong, its value and what is allowed.
    """
    if isinstance(value, str):
        return parse_claim(value, field=field, file=file)
    if not isinstance(value, Mapping):
        raise _malformed(field, None, "is neither text nor named parts", value, GRAMMAR, file)
    parts = cast("Mapping[str, Any]", value)
    for name in parts:
        if name not in _PARTS:
            raise _malformed(field, str(name), "is no part of a claim", parts[name], ", ".join(_PARTS), file)
    polarity = parts.get("polarity") or "asserts"
    if polarity not in _POLARITIES:
        raise _malformed(field, "polarity", "is unknown", polarity, " or ".join(_POLARITIES), file)
    many = parts.get("many")
    if many is not None and not isinstance(many, bool):
        raise _malformed(field, "many", "is neither true nor false", many, "true or false", file)
    claim = Claim(
        predicate=_part(parts, "predicate", field, file) or "",
        object=_part(parts, "object", field, file),
        subject=_part(parts, "subject", field, file),
        polarity="denies" if polarity == "denies" else "asserts",
        many=bool(many),
        valid_from=_instant(parts, "valid_from", zone, field, file),
        valid_to=_instant(parts, "valid_to", zone, field, file),
    )
    if claim.valid_from is not None and claim.valid_to is not None and claim.valid_to <= claim.valid_from:
        reason = "is not after valid_from"
        raise _malformed(field, "valid_to", reason, parts["valid_to"], "a later moment, or none", file)
    return _checked(claim, parts, field, file)


def _denial(value: str | None, predicate: str) -> tuple[bool, str | None, str]:
    if value is None:
        return predicate.startswith("!"), None, predicate.removeprefix("!").lstrip()
    return value.startswith("!"), value.removeprefix("!").lstrip(), predicate


def _checked(claim: Claim, written: object, field: str, file: str | None) -> Claim:
    if is_blank(claim.predicate):
        raise _malformed(field, "predicate", "is missing", written, GRAMMAR, file)
    if claim.predicate[0] == "!":
        allowed = "put ! before the object" if claim.object is not None else "one ! at most"
        raise _malformed(field, "predicate", "begins with !", written, allowed, file)
    if claim.predicate[-1] == "+" or "=" in claim.predicate or "::" in claim.predicate:
        allowed = "any word that does not end in + and holds neither = nor ::"
        raise _malformed(field, "predicate", "cannot be told from the signs around it", written, allowed, file)
    if claim.object is not None and is_blank(claim.object):
        raise _malformed(
            field, "object", "is missing", written, "a value after =, or no = for an existence claim", file
        )
    if claim.object is None and claim.many:
        raise _malformed(field, "many", "needs an object", written, "predicate+=object", file)
    for name, part in (("subject", claim.subject), ("predicate", claim.predicate)):
        if part is not None and any(ord(c) < 32 or ord(c) == 127 for c in part):
            raise _malformed(field, name, "holds a control character", written, "one line of text", file)
    return claim


def _part(parts: Mapping[str, Any], name: str, field: str, file: str | None) -> str | None:
    """A part as text: booleans as true and false, whole numbers without a fraction."""
    value = parts.get(name)
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, (int, float)):
        return str(value)
    if not isinstance(value, str):
        raise _malformed(field, name, "is neither text, number nor true or false", value, "one value", file)
    trimmed = value.strip()
    if not trimmed and name != "object":
        return None
    return trimmed


def _instant(parts: Mapping[str, Any], name: str, zone: tzinfo, field: str, file: str | None) -> Instant | None:
    value = parts.get(name)
    if value is None:
        return None
    return parse_instant(str(value), zone, field=f"{field}.{name}", file=file)


def _malformed(
    field: str, part: str | None, reason: str, value: object, allowed: str, file: str | None
) -> InvalidInput:
    named = f"{part} of {field}" if part else field
    shown = value if isinstance(value, str) else str(value)
    return InvalidInput(
        f"{named} {reason}: {shown[:120]!r}",
        hint=f"Allowed: {allowed}.",
        field=f"{field}.{part}" if part else field,
        value=shown[:120],
        file=file,
    )
