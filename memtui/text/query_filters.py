"""The filters of the query language: what each asks for, how it is written, and how its value is read."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from memtui.errors import InvalidInput
from memtui.model.instants import Instant
from memtui.model.records import KINDS, RATED_AS, RATINGS, Claim
from memtui.text.claims import parse_claim
from memtui.text.likeness import compared, nearest

if TYPE_CHECKING:
    from memtui.text.spoken_dates import When

WordField = Literal["kind", "area", "tag", "is"]
MomentField = Literal["before", "after", "recorded-before", "recorded-after"]
Field: TypeAlias = WordField | MomentField | Literal["claim", "rating"]

FIELDS: Mapping[Field, str] = {
    "kind": "only records of this kind",
    "area": "only what is about this, or about what lies under it",
    "tag": "only what has this tag",
    "is": "only what is forgotten, superseded, contradicted, pinned, stale or captured",
    "claim": "only what claims this: predicate=object",
    "rating": "only what is rated so: strong, 4, >=3",
    "before": "only what became true before this: 2026-08, yesterday, 3w",
    "after": "only what became true on this date or later: 2026-08, yesterday, 3w",
    "recorded-before": "only what was last recorded before this date",
    "recorded-after": "only what was last recorded on this date or later",
}
"""The names of all fields, and what each does."""

IS_WORDS: Mapping[str, str] = {
    "forgotten": "no longer true, and nothing took its place",
    "superseded": "no longer true: something took its place",
    "contradicted": "at odds with another memory",
    "pinned": "never proposed for expiry",
    "stale": "hardly any of it is left in mind",
    "capture": "captured automatically: a digest, a bookmark",
}
"""What may follow `is:`, and what it means."""


@dataclass(frozen=True, slots=True)
class WordFilter:
    """A record of this kind, area or tag, or in this state. `excludes`: anything but that."""

    field: WordField
    value: str
    excludes: bool = False

    def __str__(self) -> str:
        return written(self.field, self.value, excludes=self.excludes)


@dataclass(frozen=True, slots=True)
class MomentFilter:
    """True since (or last recorded) before a moment, or from it on; `value` is how it was written."""

    field: MomentField
    when: When
    value: str
    excludes: bool = False

    def at(self, now: Instant) -> Instant:
        """The moment, where the present is `now`: yesterday is another one every day."""
        return self.when if isinstance(self.when, int) else self.when.at(now)

    def __str__(self) -> str:
        return written(self.field, self.value, excludes=self.excludes)


@dataclass(frozen=True, slots=True)
class ClaimFilter:
    """A record that claims this; without an object, anything by that predicate."""

    claim: Claim
    excludes: bool = False
    field: Literal["claim"] = "claim"

    def __str__(self) -> str:
        return written(self.field, str(self.claim), excludes=self.excludes)

    def admits(self, claim: Claim, about: str | None) -> bool:
        """Whether a claim of a record about `about` is one of those; compared as all values are."""
        asked = self.claim
        if _same(claim.predicate) != _same(asked.predicate):
            return False
        if asked.subject is not None and _same(claim.subject or about) != _same(asked.subject):
            return False
        if asked.object is None:
            return asked.polarity == "asserts" or claim.polarity == "denies"
        return _same(claim.object) == _same(asked.object) and claim.polarity == asked.polarity


@dataclass(frozen=True, slots=True)
class RatingFilter:
    """A record, or a finding of one, that is rated so, in words or numbers: they are of one scale (`RATED_AS`)."""

    sign: str
    rating: str
    excludes: bool = False
    field: Literal["rating"] = "rating"

    def __str__(self) -> str:
        return written(self.field, f"{self.sign if self.sign != '=' else ''}{self.rating}", excludes=self.excludes)

    def admits(self, rating: str) -> bool:
        """Whether a rating, as its author wrote it, is one of those."""
        if (word := rating.strip().casefold()) == _UNRATED or self.rating == _UNRATED:
            return word == self.rating and _SIGNS[self.sign](0.0, 0.0)
        own, asked = _place(word), _place(self.rating)
        return own is not None and asked is not None and _SIGNS[self.sign](own, asked)


Filter: TypeAlias = WordFilter | MomentFilter | ClaimFilter | RatingFilter


def read_filter(field: Field, value: str, zone: tzinfo, *, excludes: bool = False) -> Filter:
    """The filter a field and its value (not blank) ask for; a date without a zone is one of `zone`.

    Raises InvalidInput that says what the value is not, and how it is written or what there is to choose from.
    """
    value = value.strip()
    match field:
        case "kind" | "is":
            word = compared(value)
            if word not in (KINDS if field == "kind" else IS_WORDS):
                choices = KINDS if field == "kind" else list(IS_WORDS)
                reason = f"there is no kind {value!r}" if field == "kind" else f"{value!r} is nothing a record can be"
                raise _unusable(reason, field, value, choices, excludes=excludes)
            return WordFilter(field, word, excludes)
        case "area" | "tag":
            return WordFilter(field, value, excludes)
        case "claim":
            return ClaimFilter(parse_claim(value), excludes)
        case "rating":
            return _read_rating(value, excludes=excludes)
        case "before" | "after" | "recorded-before" | "recorded-after":
            from memtui.text.spoken_dates import read_when  # few queries say when

            return MomentFilter(field, read_when(value, zone), value, excludes)


def _unusable(reason: str, field: Field, value: str, choices: Sequence[str], *, excludes: bool) -> InvalidInput:
    """Why a value cannot be used, with the way to write what was meant; else with all there is to choose from."""
    bare = value.lstrip(_ORDERS)
    sign, words = value.removesuffix(bare), _SEVERAL.split(bare)
    meant = [near for word in words if (near := _meant(word, choices))]
    if len(meant) < len(words):
        return InvalidInput(reason, field=field, value=value, choices=choices)
    right = " ".join(written(field, sign + word, excludes=excludes) for word in meant)
    hint = f"did you mean {right}?" if len(meant) == 1 else f"several are written {right}"
    return InvalidInput(reason, field=field, value=value, hint=hint)


def _meant(word: str, choices: Sequence[str]) -> str | None:
    """The choice that a word is or was meant to be."""
    plain = compared(word)
    return plain if plain in choices else next(iter(nearest(word, choices, 1)), None)


def written(field: Field, value: str, *, excludes: bool = False) -> str:
    """A filter as a person would write it: quoted where it holds a blank, a quote within written twice."""
    if _NEEDS_QUOTES.search(value):
        value = '"' + value.replace('"', '""') + '"'
    return f"{'-' if excludes else ''}{field}:{value}"


def unquoted(value: str) -> str:
    """The value as it is meant, from how it was written."""
    return _QUOTED.sub(lambda found: found[1].replace('""', '"'), value) if '"' in value else value


_SEVERAL = re.compile(r"\s*[,;|]\s*")
_NEEDS_QUOTES = re.compile(r'[\s"]|^:|^$')
_QUOTED = re.compile(r'"((?:[^"]++|"")*+)"')
_ORDERS = "<>=≥≤ "
_RATING = re.compile(r"(>=|<=|=|>|<|≥|≤)?\s*([0-9]+(?:\.[0-9]+)?|[^\W\d]+)")
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_SIGNS: Mapping[str, Callable[[float, float], bool]] = {
    "=": operator.eq,
    ">": operator.gt,
    "<": operator.lt,
    ">=": operator.ge,
    "<=": operator.le,
}
_OTHERWISE_WRITTEN = {"≥": ">=", "≤": "<=", "": "="}
_UNRATED = "unrated"


def _read_rating(value: str, *, excludes: bool) -> RatingFilter:
    found = _RATING.fullmatch(value)
    word = "" if found is None else found[2].casefold()
    if found is None or (word != _UNRATED and _place(word) is None):
        raise _unusable(
            f"{value!r} is no rating, as rating:4 and rating:>=3 are", "rating", value, RATINGS, excludes=excludes
        )
    sign = found[1] or ""
    return RatingFilter(_OTHERWISE_WRITTEN.get(sign, sign), word, excludes)


def _place(word: str) -> float | None:
    """Where a rating stands on the scale; None for what is not on it."""
    return float(word) if _NUMBER.fullmatch(word) else RATED_AS.get(word)


def _same(text: str | None) -> str:
    return "" if text is None else compared(text)


def field_named(name: str) -> Field | None:
    """The field of that name, in any case and also from a Turkish keyboard (`İS`, `KIND`); None for no field's."""
    plain = name.casefold().replace("i\u0307", "i").replace("ı", "i")
    return cast("Field", plain) if plain in FIELDS else None
