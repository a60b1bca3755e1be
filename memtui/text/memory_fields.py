"""The fields of a memory as someone wrote them: each becomes its typed value, or a problem.

A reader of these gives the value and leaves its complaints with the `FieldReader`; whoever reads a memory
takes it only when there are none, for a memory whose window or claims cannot be read would be another one.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from memtui.errors import InvalidInput
from memtui.model.instants import Instant
from memtui.model.records import (
    CONFIDENCE_LABELS,
    LONGEST_SUMMARY,
    LONGEST_TEXT,
    RATINGS,
    SHORTEST_AFFECT_REASON,
    Claim,
    EncodingContext,
    Finding,
    HomophonicLink,
    Revival,
)
from memtui.text.claims import read_claim
from memtui.text.fields import FieldReader, as_number, scalar_text
from memtui.text.naming import check_name, is_blank

_REFERENCES = ("created_at", "created", "date")


def read_summary(fields: FieldReader, *keys: str) -> str | None:
    """The first of the keys that is written down, trimmed; blank and too long ones are problems."""
    key = next((key for key in keys if fields.values.get(key) is not None), keys[0])
    told = len(fields.problems)
    summary = fields.text(key)
    if summary is None and len(fields.problems) == told:
        missing = fields.values.get(key) is None
        fields.problem(key, "is missing" if missing else "is blank: say in a sentence what to remember")
    elif summary is not None and len(summary) > LONGEST_SUMMARY:
        reason = f"has {len(summary)} characters, {LONGEST_SUMMARY} are allowed; keep the gist, the rest goes into body"
        fields.problem(key, reason, summary)
    return summary


def read_name(fields: FieldReader, *keys: str) -> str | None:
    """The first of the keys that holds anything, as a name; None where none does."""
    for key in keys:
        written = fields.text(key)
        if written is None:
            continue
        try:
            return check_name(written)
        except InvalidInput as error:
            return fields.problem(key, f"cannot be a name: {error.message}")
    return None


def read_verbatim(fields: FieldReader, key: str) -> str | None:
    """A text with its blanks and line ends as they are; None when nothing of it can be seen."""
    trimmed = _bounded(fields, key, fields.text(key))
    written = fields.values.get(key)
    return written if trimmed is not None and isinstance(written, str) else trimmed


def read_line(fields: FieldReader, key: str) -> str | None:
    """A text on one line: blanks and line ends collapsed."""
    return _bounded(fields, key, fields.line_of_text(key))


def _bounded(fields: FieldReader, key: str, text: str | None) -> str | None:
    if text is None or len(text) <= LONGEST_TEXT:
        return text
    reason = f"has {len(text):,} characters, {LONGEST_TEXT:,} are allowed; put it into a file of the vault"
    return fields.problem(key, reason)


def read_tags(fields: FieldReader) -> tuple[str, ...]:
    """Tags without their #: a list, or one text parted by commas."""
    bare = (tag.removeprefix("#").strip() for tag in fields.texts("tags", commas=True))
    return tuple(dict.fromkeys(tag for tag in bare if not is_blank(tag)))


def read_affect_reason(fields: FieldReader) -> str | None:
    """Why it is felt so; a problem when too short to be a reason."""
    reason = fields.text("affect_reason")
    if reason is not None and len(reason) < SHORTEST_AFFECT_REASON:
        fields.problem("affect_reason", f"has {len(reason)} characters, at least {SHORTEST_AFFECT_REASON} are needed")
    return reason


def read_confidence(fields: FieldReader) -> float | str | None:
    """A number from 1 to 10, or a label as its author wrote it."""
    value = fields.take("confidence")
    if value is None or (isinstance(value, str) and value.casefold() in CONFIDENCE_LABELS):
        return value
    number = as_number(value)
    if number is None or not 1 <= number <= 10:
        return fields.problem("confidence", f"is neither 1 to 10 nor one of {', '.join(CONFIDENCE_LABELS)}")
    return number


def read_stability(fields: FieldReader) -> float | None:
    """Days, more than 0."""
    days = fields.number("stability_days")
    if days is not None and days <= 0:
        return fields.problem("stability_days", "must be more than 0 days")
    return days


def read_rating(fields: FieldReader, key: str = "rating") -> str | None:
    """A rating: 1 to 5, or one of the words."""
    value = fields.take(key)
    if value is None:
        return None
    number = as_number(value)
    text = str(int(number)) if number is not None and number.is_integer() else str(value).strip().casefold()
    return text if text in RATINGS else fields.problem(key, f"is none of {', '.join(RATINGS)}")


def read_window(
    fields: FieldReader, revivals: tuple[Revival, ...]
) -> tuple[Instant | None, Instant | None, Instant | None]:
    """(valid_from, valid_to, reference): the reference is since when it was true where valid_from is silent.

    A reference is sought only then: in `reference_time`, else in the earliest date the item carries. One that
    is there and cannot be read is a problem, for the memory must not silently begin at the present. The
    references are no fields of a memory, so `extra` keeps them as they are.
    """
    told = len(fields.problems)
    start = fields.instant("valid_from")
    reference = _reference(fields) if start is None and len(fields.problems) == told else None
    end = fields.instant("valid_to")
    begin, named = (start, "valid_from") if start is not None else (reference, "the date it begins with")
    if begin is not None and revivals and revivals[0].valid_to < begin:
        fields.problem("revivals", f"is before {named}", fields.items("revivals")[0], "revivals[0].valid_to")
    if revivals:
        begin, named = revivals[-1].revived_at, "the last revival"
    check_end(fields, begin, end, named)
    return start, end, reference


def check_end(
    fields: FieldReader, begin: Instant | None, end: Instant | None, named: str, *, may_be_empty: bool = False
) -> None:
    """A problem where `valid_to` is not later than the beginning, which a person knows as `named`.

    With `may_be_empty` it may be the very same moment: so ends a memory that never came into force.
    """
    if begin is None or end is None or end > begin or (end == begin and may_be_empty):
        return
    what = "the same moment as" if end == begin else "before"
    fields.problem("valid_to", f"is {what} {named}: a memory cannot be true for no time at all")


def _reference(fields: FieldReader) -> Instant | None:
    told = len(fields.problems)
    stated = fields.instant("reference_time")
    fields.keep("reference_time")
    if stated is not None or len(fields.problems) > told:
        return stated
    found = [moment for key in _REFERENCES if (moment := fields.instant(key)) is not None]
    fields.keep(*_REFERENCES)
    if found:
        del fields.problems[told:]  # one that cannot be read stays as it is: another says since when
    return min(found, default=None)


def read_encoding_context(fields: FieldReader) -> EncodingContext | None:
    """The circumstances of the first recording, where the item brings them."""
    value = fields.take("encoding_context")
    inner = None if value is None else fields.inside("encoding_context", value, "encoding_context.")
    if inner is None:
        return None
    context = EncodingContext(
        area=inner.line_of_text("area"),
        co_topics=inner.texts("co_topics", commas=True),
        source_refs=inner.texts("source_refs"),
        affect=inner.line_of_text("affect"),
        time_of_day=inner.line_of_text("time_of_day"),
        created_at=inner.instant("created_at"),
    )
    _refuse_unknown(inner)
    fields.adopt(inner)
    return context


def read_revivals(fields: FieldReader) -> tuple[Revival, ...]:
    """The gaps, in rising order and apart: between any two of them the memory was in force. Empty with a problem."""
    known = len(fields.problems)
    revivals: tuple[Revival, ...] = fields.each("revivals", _revival)
    if len(fields.problems) > known:
        return ()  # a gap without both its ends cannot be compared
    for number, (before, gap) in enumerate(pairwise(revivals), start=1):
        if gap.valid_to < before.revived_at:
            written = fields.items("revivals")[number]
            reason = f"is before revivals[{number - 1}].revived_at: gaps follow one another and do not overlap"
            fields.problem("revivals", reason, written["valid_to"], f"revivals[{number}].valid_to")
    return revivals


def _revival(inner: FieldReader) -> Revival:
    closed, revived = inner.instant("valid_to"), inner.instant("revived_at")
    for key, moment in (("valid_to", closed), ("revived_at", revived)):
        if moment is None and not inner.problems:
            inner.problem(key, "is missing")
    if closed is not None and revived is not None and revived < closed:
        inner.problem("revived_at", "is before the gap's valid_to")
    revival = Revival(closed or 0, revived or 0, inner.line_of_text("superseded_by"), inner.line_of_text("revived_by"))
    _refuse_unknown(inner)
    return revival


def read_claims(fields: FieldReader, path: str) -> tuple[Claim, ...]:
    """Claims as text in the grammar or as named parts; a malformed one is a problem that says what is allowed."""
    claims: list[Claim] = []
    for number, item in enumerate(fields.items("claims")):
        try:
            claims.append(read_claim(item, fields.zone, field=f"claims[{number}]", file=path))
        except InvalidInput as error:
            reason = error.message if error.hint is None else f"{error.message}. {error.hint}"
            part = (error.field or "").removeprefix("claims")
            fields.problem("claims", reason, item, "claims" + part)
    return tuple(claims)


def read_homophonic_links(fields: FieldReader) -> tuple[HomophonicLink, ...]:
    """Associative links: names, or named parts."""
    links: list[HomophonicLink] = []
    for number, item in enumerate(fields.items("homophonic_links")):
        target = scalar_text(item)
        if target is not None and not is_blank(target):
            links.append(HomophonicLink(target.strip()))
            continue
        inner = fields.inside("homophonic_links", item, f"homophonic_links[{number}].")
        if inner is not None:
            links.append(_homophonic_link(inner))
            fields.adopt(inner)
    return tuple(links)


def _homophonic_link(inner: FieldReader) -> HomophonicLink:
    target = inner.line_of_text("target_name")
    if target is None and not inner.problems:
        inner.problem("target_name", "is missing")
    score: Any = inner.number("resonance_score")
    if score is not None and not 0 <= score <= 1:
        inner.problem("resonance_score", "is not between 0 and 1")
    link = HomophonicLink(target or "", 0.5 if score is None else score, inner.text("basis"))
    _refuse_unknown(inner)
    return link


def read_findings(fields: FieldReader) -> tuple[Finding, ...]:
    """Findings, each a text with a rating (unrated by default) and at least one source."""
    return fields.each("findings", _finding)


def _finding(inner: FieldReader) -> Finding:
    text, rating = inner.text("text"), read_rating(inner)
    refs = inner.texts("source_refs")
    for key, value, reason in (
        ("text", text, "is missing: a finding says something"),
        ("source_refs", refs, "is missing: a finding needs at least one source, such as commit:… or url:…"),
    ):
        if not value and not inner.problems:
            inner.problem(key, reason)
    finding = Finding(text or "", rating or "unrated", refs)
    _refuse_unknown(inner)
    return finding


def _refuse_unknown(inner: FieldReader) -> None:
    """Inside a part there is no `extra` to keep what is unknown, so it must not pass unseen."""
    reported = {problem.field for problem in inner.problems}
    for key in inner.extra():
        if not any((field or "").endswith("." + key) for field in reported):
            inner.problem(key, "is unknown here and could not be kept")
