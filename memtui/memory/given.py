"""The fields a caller gives for a memory, checked: every refusal names the field and the value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import tzinfo
from typing import Any, cast

from memtui.errors import InvalidInput
from memtui.memory.asking import instant
from memtui.model.instants import iso
from memtui.model.records import (
    CONFIDENCE_LABELS,
    LONGEST_SUMMARY,
    LONGEST_TEXT,
    MEMORY_KINDS,
    RATINGS,
    SHORTEST_AFFECT_REASON,
    Claim,
    Content,
    Finding,
    HomophonicLink,
)
from memtui.model.windows import window_flaw
from memtui.text.claims import read_claim
from memtui.text.dates import parse_instant
from memtui.text.naming import clean_text, is_blank

_EVERY_KIND = (
    "title",
    "body",
    "area",
    "tags",
    "source_refs",
    "owner",
    "confidence",
    "pinned",
    "valid_from",
    "valid_to",
    "claims",
)
FIELDS: dict[str, tuple[str, ...]] = {
    "engram": (*_EVERY_KIND, "affect", "affect_reason", "stability_days", "memory_type", "homophonic_links"),
    "research": (*_EVERY_KIND, "findings"),
    "evidence": (*_EVERY_KIND, "rating", "supports", "refutes"),
}
"""The fields a caller may give beside the summary, by kind."""

OPEN = "open"
"""What stands for "no end" where a `valid_to` is corrected."""


def memory_kind(kind: str) -> str:
    """A kind that lives by the verbs. Raises InvalidInput with the choices for any other."""
    if kind not in MEMORY_KINDS:
        raise InvalidInput(
            f"{kind!r} is not a kind that can be remembered",
            field="kind",
            value=kind,
            choices=sorted(MEMORY_KINDS),
            hint="documents come from the files of a vault: write one there and `memtui sync`",
        )
    return kind


def given_content(kind: str, summary: str, given: Mapping[str, Any], zone: tzinfo) -> Content:
    """A whole content from a summary and the given fields (None means not given). Raises InvalidInput."""
    values = dict(given)
    reference = values.pop("reference_time", None)
    shaped = given_fields(kind, values, zone)
    if reference is not None and "valid_from" not in shaped:
        shaped["valid_from"] = parse_instant(reference, zone, field="reference_time")
    content = Content(summary=checked_summary(summary), **shaped)
    check_window(content)
    check_sources(kind, content)
    return content


def given_fields(kind: str, given: Mapping[str, Any], zone: tzinfo) -> dict[str, Any]:
    """The given fields in the types of a content; those that are None are left out. Raises InvalidInput."""
    allowed = FIELDS[memory_kind(kind)]
    for name in given:
        if name not in allowed:
            article = "an" if kind[0] in "aeiou" else "a"
            raise InvalidInput(f"{article} {kind} has no field {name!r}", field=name, choices=allowed)
    return {
        name: None if name in _CLEARED and value == "" else _shaped(name, value, zone)
        for name, value in given.items()
        if value is not None
    }


_CLEARED = frozenset({"affect_reason", "confidence", "stability_days"})
"""Fields that an empty text takes away, though it would be no value of theirs."""


def checked_summary(summary: str) -> str:
    """A summary fit to be remembered. Raises InvalidInput for a blank or too long one."""
    text = _clean(summary.strip(), "summary")
    if is_blank(text):
        raise InvalidInput("the summary is blank", field="summary", hint="say in a sentence what to remember")
    if len(text) > LONGEST_SUMMARY:
        raise InvalidInput(
            f"the summary has {len(text)} characters; at most {LONGEST_SUMMARY} are allowed",
            field="summary",
            hint="keep the gist in the summary and put the rest into the body",
        )
    return text


def check_window(content: Content, *, may_be_empty: bool = False) -> None:
    """Raises InvalidInput for a window that cannot be, or holds no instant."""
    flaw = window_flaw(content, may_be_empty=may_be_empty)
    if flaw is not None:
        raise InvalidInput(
            f"{flaw.field} ({iso(flaw.value)}) {flaw.reason}",
            field=flaw.field,
            value=iso(flaw.value),
            hint="the window is closed-open: it must end after it begins, and gaps lie within it",
        )


def check_sources(kind: str, content: Content) -> None:
    """Evidence and findings stand on sources. Raises InvalidInput naming what lacks one."""
    if kind == "evidence":
        if not content.source_refs:
            raise InvalidInput(
                "evidence needs at least one source", field="source_refs", hint="give one, such as commit:… or url:…"
            )
        if content.rating is None:
            raise InvalidInput("evidence needs a rating", field="rating", choices=RATINGS)
    for number, finding in enumerate(content.findings):
        if not finding.source_refs:
            raise InvalidInput(
                f"finding {number + 1} has no source: {finding.text!r}",
                field=f"findings[{number}].source_refs",
                hint="a finding needs at least one source, such as commit:… or url:…",
            )


def _clean(text: str, field: str) -> str:
    cleaned, replaced = clean_text(text)
    if replaced:
        raise InvalidInput(
            "the text holds half a character (a lone surrogate), which cannot be stored",
            field=field,
            hint="send it as valid UTF-8",
        )
    return cleaned


def _shaped(name: str, value: Any, zone: tzinfo) -> Any:
    match name:
        case "valid_from" | "valid_to":
            if name == "valid_to" and isinstance(value, str) and value.strip().casefold() == OPEN:
                return None
            return instant(value, zone, name)
        case "tags":
            tags = (tag.removeprefix("#").strip() for tag in _texts(name, value))
            return tuple(dict.fromkeys(tag for tag in tags if not is_blank(tag)))
        case "source_refs" | "supports" | "refutes":
            return _texts(name, value)
        case "claims":
            return tuple(_claim(number, item, zone) for number, item in enumerate(_items(name, value)))
        case "homophonic_links":
            return tuple(_link(number, item) for number, item in enumerate(_items(name, value)))
        case "findings":
            return tuple(_finding(number, item) for number, item in enumerate(_items(name, value)))
        case "rating":
            return checked_rating(value, "rating")
        case "confidence":
            return checked_confidence(value)
        case "stability_days":
            return _positive(name, value)
        case "pinned":
            if not isinstance(value, bool):
                raise InvalidInput(f"pinned is neither true nor false: {value!r}", field=name, value=value)
            return value
        case _:
            return _text(name, str(value))


def _items(name: str, value: Any) -> list[Any]:
    """The members of a list, or the one that was given instead of a list. Raises InvalidInput for a bare value."""
    if isinstance(value, (str, Mapping, Claim, HomophonicLink, Finding)):
        return [value]
    if not isinstance(value, Iterable):
        raise InvalidInput(f"{name} is neither one item nor a list of items: {value!r}", field=name, value=value)
    return list(cast("Iterable[Any]", value))


def _texts(name: str, value: Any) -> tuple[str, ...]:
    """A list of texts, trimmed, each once. Raises InvalidInput for what is no text."""
    texts: dict[str, None] = {}
    for number, item in enumerate(_items(name, value)):
        if not isinstance(item, (str, int, float)):
            raise InvalidInput(f"{name}[{number}] is no text: {item!r}", field=f"{name}[{number}]", value=item)
        texts[_clean(str(item), name).strip()] = None
    return tuple(text for text in texts if text)


def _claim(number: int, item: Any, zone: tzinfo) -> Claim:
    field = f"claims[{number}]"
    if not isinstance(item, Claim):
        return read_claim(item, zone, field=field)
    said = {part: getattr(item, part) for part in ("predicate", "object", "subject", "polarity", "many")}
    begin = instant(item.valid_from, zone, f"{field}.valid_from")
    end = instant(item.valid_to, zone, f"{field}.valid_to")
    if begin is not None and end is not None and end <= begin:
        raise InvalidInput(f"{field} ends before or as it begins", field=f"{field}.valid_to", value=iso(end))
    return replace(read_claim(said, zone, field=field), valid_from=begin, valid_to=end)


def _text(name: str, value: str) -> str | None:
    text = _clean(value, name)
    if name == "affect_reason" and len(text.strip()) < SHORTEST_AFFECT_REASON:
        raise InvalidInput(
            f"affect_reason has {len(text.strip())} characters; at least {SHORTEST_AFFECT_REASON} are needed",
            field=name,
            value=text,
        )
    if len(text) > LONGEST_TEXT:
        raise InvalidInput(
            f"{name} has {len(text):,} characters; at most {LONGEST_TEXT:,} are allowed",
            field=name,
            hint="put the text into a file of the vault, and a gist into the memory",
        )
    return None if is_blank(text) else text


def checked_confidence(value: Any) -> float | str:
    """A confidence as its author wrote it. Raises InvalidInput for what is neither 1 to 10 nor a label."""
    if isinstance(value, str) and value.casefold() in CONFIDENCE_LABELS:
        return value
    number = _number(value)
    if number is None or not 1 <= number <= 10:
        raise InvalidInput(
            f"confidence {value!r} is neither a number from 1 to 10 nor a label",
            field="confidence",
            value=value,
            choices=CONFIDENCE_LABELS,
        )
    return number


def checked_rating(value: Any, field: str) -> str:
    """A rating as text. Raises InvalidInput for what is neither 1 to 5 nor one of the words."""
    text = str(value).strip().casefold()
    number = _number(text)
    if number is not None and number.is_integer():
        text = str(int(number))
    if text not in RATINGS:
        raise InvalidInput(f"{value!r} is no rating", field=field, value=value, choices=RATINGS)
    return text


def _number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def _positive(name: str, value: Any) -> float:
    number = _number(value)
    if number is None or not 0 < number < float("inf"):
        raise InvalidInput(f"{name} {value!r} is not a number above 0", field=name, value=value)
    return number


def _link(number: int, item: Any) -> HomophonicLink:
    field = f"homophonic_links[{number}]"
    if isinstance(item, HomophonicLink):
        link = item
    else:
        parts = {"target_name": item} if isinstance(item, str) else _parts(item, field)
        _only(parts, ("target_name", "resonance_score", "basis"), field)
        score = parts.get("resonance_score")
        basis = parts.get("basis")
        link = HomophonicLink(
            target_name=str(parts.get("target_name") or "").strip(),
            resonance_score=0.5 if score is None else _share(score, field),
            basis=None if basis is None else _clean(str(basis), field),
        )
    if is_blank(link.target_name):
        raise InvalidInput(f"{field} names no memory", field=f"{field}.target_name", value=item)
    return replace(link, resonance_score=_share(link.resonance_score, field))


def _share(value: Any, field: str) -> float:
    number = _number(value)
    if number is None or not 0 <= number <= 1:
        raise InvalidInput(
            f"resonance_score {value!r} is not between 0 and 1", field=f"{field}.resonance_score", value=value
        )
    return number


def _finding(number: int, item: Any) -> Finding:
    field = f"findings[{number}]"
    if isinstance(item, Finding):
        item = {"text": item.text, "rating": item.rating, "source_refs": item.source_refs}
    parts = parse_finding(item, field) if isinstance(item, str) else _parts(item, field)
    _only(parts, ("text", "rating", "source_refs"), field)
    text = _clean(str(parts.get("text") or ""), field).strip()
    if is_blank(text):
        raise InvalidInput(f"{field} says nothing", field=f"{field}.text", value=item)
    rating = parts.get("rating")
    refs = _texts(f"{field}.source_refs", parts.get("source_refs") or ())
    return Finding(text, "unrated" if rating is None else checked_rating(rating, f"{field}.rating"), refs)


FINDING = "TEXT | RATING | SOURCE, SOURCE (the rating may be left out)"


def parse_finding(line: str, field: str) -> dict[str, Any]:
    """The parts of a finding written on one line. Raises InvalidInput showing the grammar."""
    text, *rest = (part.strip() for part in f" {line}".rsplit(" | ", 2))
    if len(rest) == 2 and rest[0].casefold() not in RATINGS and _number(rest[0]) is None:
        text, rest = f"{text} | {rest[0]}", rest[1:]  # the bar belongs to the sentence
    if not rest or rest[-1].casefold() in RATINGS:
        raise InvalidInput(f"{field} names no source; a finding is written {FINDING}", field=field, value=line)
    refs = [ref for ref in rest[-1].replace(",", " ").split() if ref]
    return {"text": text, "rating": rest[0] if len(rest) == 2 else None, "source_refs": refs}


def _parts(item: Any, field: str) -> dict[str, Any]:
    if not isinstance(item, Mapping):
        raise InvalidInput(f"{field} is neither text nor named parts: {item!r}", field=field, value=item)
    return dict(cast("Mapping[str, Any]", item))


def _only(parts: Mapping[str, Any], known: tuple[str, ...], field: str) -> None:
    for name in parts:
        if name not in known:
            raise InvalidInput(f"{field} has no part {name!r}", field=f"{field}.{name}", choices=known)
