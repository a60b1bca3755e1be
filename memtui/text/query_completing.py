"""Completing a query while it is typed: the names of fields, and values from what a vault holds. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from memtui.model.records import KINDS, RATINGS
from memtui.text.folding import folded
from memtui.text.likeness import holding
from memtui.text.query_filters import FIELDS, IS_WORDS, Field, field_named, unquoted, written

MOST_COMPLETIONS = 50


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What the records in sight are about, tagged with and claim; the most frequent first."""

    areas: Sequence[str] = ()
    tags: Sequence[str] = ()
    predicates: Sequence[str] = ()


class Completion(NamedTuple):
    """What may stand at `[start, end)` of the text instead, and what that is.

    `whole` is false where something must follow before it says anything: `kind:`, `claim:owner=`.
    """

    start: int
    end: int
    text: str
    what: str
    whole: bool = True


def completions(text: str, cursor: int, vocabulary: Vocabulary) -> list[Completion]:
    """What the word at the cursor may become, best first; nothing inside ordinary text. Never raises.

    The word is what stands before the cursor; what stands after it up to the next blank is replaced along with it.
    """
    cursor = max(0, min(cursor, len(text)))
    before = text[:cursor]
    begun = _BEGUN_VALUE.search(before)
    if begun is not None and (field := field_named(begun["field"])) is not None:
        rest = _REST_OF_QUOTED if begun["open"] else _REST
        end = _end(rest, text, cursor)
        value = unquoted(begun["closed"]) + begun["open"].removeprefix('"').replace('""', '"')
        found = _values(field, value, vocabulary)
        head = f"{field}:"
        return [
            Completion(begun.start("value"), end, written(field, own).removeprefix(head), what, not own.endswith("="))
            for own, what in found
        ][:MOST_COMPLETIONS]
    name = _BEGUN_FIELD.search(before)
    if name is None:
        return []
    wanted, end = folded(name["name"]), _end(_REST, text, cursor)
    return [
        Completion(name.start("name"), end, f"{field}:", what, whole=False)
        for field, what in FIELDS.items()
        if field.startswith(wanted)
    ]


_BEGUN_FIELD = re.compile(r"(?<!\S)-?(?P<name>[^\W\d_](?:[^\W_]|-)*+)\Z")
_BEGUN_VALUE = re.compile(
    r"(?<!\S)-?(?P<field>[^\W\d_](?:[^\W_]|-)*+):"
    r'(?P<value>(?P<closed>(?:[^\s"]++|"(?:[^"]++|"")*+")*+)(?P<open>(?:"(?:[^"]++|"")*+)?))\Z'
)
_REST = re.compile(r'[^\s"]*')
_REST_OF_QUOTED = re.compile(r'[^"]*+"|[^\s"]*')


def _end(rest: re.Pattern[str], text: str, cursor: int) -> int:
    found = rest.match(text, cursor)
    return cursor if found is None else found.end()


def _values(field: Field, value: str, vocabulary: Vocabulary) -> Iterator[tuple[str, str]]:
    """(value, what it is) of everything a field may be followed by."""
    match field:
        case "kind":
            yield from ((kind, "kind") for kind in holding(value, KINDS))
        case "is":
            yield from ((word, IS_WORDS[word]) for word in holding(value, list(IS_WORDS)))
        case "area":
            yield from ((area, "area") for area in holding(value, vocabulary.areas))
        case "tag":
            yield from ((tag, "tag") for tag in holding(value, vocabulary.tags))
        case "claim" if "=" not in value:
            yield from ((f"{predicate}=", "predicate") for predicate in holding(value, vocabulary.predicates))
        case "rating":
            bare = value.lstrip("<>=≥≤")
            sign = value.removesuffix(bare) if bare else value
            yield from ((sign + rating, "rating") for rating in holding(bare, RATINGS))
        case "before" | "after" | "recorded-before" | "recorded-after":
            from memtui.text.spoken_dates import SUGGESTED

            yield from ((said, "a date, or as here") for said in holding(value, SUGGESTED))
        case _:
            return
