"""What a request asks of a record's own fields: a tag, an area, a claim, a rating, an exact phrase."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from memtui.model.records import Content, area_of
from memtui.model.versions import Version
from memtui.text.likeness import compared
from memtui.text.phrases import spelled, stands_in
from memtui.text.query_filters import ClaimFilter, Filter, RatingFilter, WordFilter
from memtui.text.searchable import searchable

_PLAIN_PHRASE = re.compile(r"[a-z0-9]+(?: [a-z0-9]+)*")
_MOST_PATTERNS = 256


@dataclass(frozen=True, slots=True)
class Group:
    """Filters of one field of which any must hold, or none where they exclude."""

    field: str
    excludes: bool
    filters: tuple[Filter, ...]

    def holds(self, value: str) -> bool:
        """Whether a value of the field passes."""
        return any(word_of(asked) == value for asked in self.filters) != self.excludes

    def admits(self, version: Version) -> bool:
        """Whether a record passes, as its fields have it."""
        kind, content = version.key.kind, version.content
        return any(holds(asked, kind, content) for asked in self.filters) != self.excludes


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase, as `spelled`, that must stand in a record, or must not where it excludes."""

    spelled: str
    excludes: bool = False

    def may_stand_in(self, texts: Iterable[str]) -> bool:
        """Whether it could stand in any of the texts as they are written: only those need be spelled."""
        pattern = _in_plain_text(self.spelled)
        return pattern is None or any(pattern.search(_in_ascii(text).lower()) for text in texts)

    def stands_in(self, texts: Iterable[str]) -> bool:
        """Whether it stands in any of the texts, which are `spelled` too."""
        return any(stands_in(self.spelled, text) for text in texts)

    def admits(self, version: Version) -> bool:
        """Whether a record passes, as its searchable fields have it."""
        texts = fields_of(version)
        held = self.may_stand_in(texts) and self.stands_in([spelled(text) for text in texts])
        return held != self.excludes


Condition: TypeAlias = Group | Phrase
"""What holds for a version or not, whatever else is asked and whenever."""


def fields_of(version: Version) -> list[str]:
    """The searchable fields of a record in which a phrase may stand."""
    return [field for field in searchable(version.key, version.key.name, version.content) if field]


def of_options(area: str | None, tags: Sequence[str]) -> tuple[Condition, ...]:
    """What the `area` and `tags` of a request ask."""
    asked: list[Filter] = [WordFilter("tag", tag) for tag in tags]
    if area is not None:
        asked.append(WordFilter("area", area))
    return tuple(Group(each.field, False, (each,)) for each in asked)


def word_of(asked: Filter) -> str:
    """The word a filter asks for; empty where it asks for something else."""
    return asked.value if isinstance(asked, WordFilter) else ""


@lru_cache(maxsize=_MOST_PATTERNS)
def _in_plain_text(phrase: str) -> re.Pattern[str] | None:
    """What a text `_in_ascii` must hold in lower case for a phrase to stand in it; None where that cannot be said.

    Spelling an ASCII text changes letters to lower case and takes signs away, but none from inside a word.
    """
    if _PLAIN_PHRASE.fullmatch(phrase) is None:
        return None
    return re.compile("[^a-z0-9]+".join(phrase.split(" ")))


def _in_ascii(text: str) -> str:
    """A text of which only the words that hold other signs are spelled: the costly ones, and mostly few."""
    if text.isascii():
        return text
    return " ".join([word if word.isascii() else spelled(word) for word in text.split()])


def holds(asked: Filter, kind: str, content: Content) -> bool:
    """Whether a filter that needs a record's fields holds for it."""
    match asked:
        case ClaimFilter():
            about = area_of(kind, content)
            return any(asked.admits(claim, about) for claim in content.claims)
        case RatingFilter():
            return any(asked.admits(rating) for rating in _ratings(content))
        case _:
            wanted = compared(word_of(asked))
            if asked.field == "area":
                return _lies_in(compared(area_of(kind, content) or ""), wanted.rstrip("/") or wanted)
            return any(compared(tag) == wanted for tag in content.tags)


def _lies_in(area: str, wanted: str) -> bool:
    """Whether an area is the one that is wanted or lies under it: `Feature/login/form` under `Feature/login`."""
    return area == wanted or area.startswith(f"{wanted}/")


def _ratings(content: Content) -> Iterable[str]:
    """How a record is rated: itself, its findings, and what a document says of itself."""
    if content.rating is not None:
        yield content.rating
    for finding in content.findings:
        yield finding.rating
    own = content.extra.get("rating")
    if isinstance(own, (str, int, float)) and not isinstance(own, bool):
        yield str(int(own)) if isinstance(own, float) and own.is_integer() else str(own)
