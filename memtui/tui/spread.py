"""How the rows of an answer spread over kinds, areas and tags: counts, of which each narrows the query down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from memtui.model.results import RecordView
from memtui.text.query_filters import WordFilter
from memtui.text.query_language import parse

Among = Literal["kind", "area", "tag"]
AMONG: tuple[Among, ...] = get_args(Among)
MOST_OF_A_FIELD = 8
"""How many areas, and how many tags, are counted."""


@dataclass(frozen=True, slots=True)
class Share:
    """How many of the rows are of one kind or area, or have one tag."""

    field: Among
    value: str
    number: int

    @property
    def filter(self) -> str:
        """The filter that lets just these pass, as it is typed."""
        return str(WordFilter(self.field, self.value))


def spread_of(records: Iterable[RecordView]) -> tuple[Share, ...]:
    """The shares of every kind, then of the most frequent areas and tags; the greatest first, equals by name."""
    kinds: Counter[str] = Counter()
    areas: Counter[str] = Counter()
    tags: Counter[str] = Counter()
    for record in records:
        kinds[record.key.kind] += 1
        if record.content.area:  # not `general`, which stands for none and is shown with no record
            areas[record.content.area] += 1
        tags.update({tag.casefold(): tag for tag in record.content.tags}.values())
    return (
        *_shares("kind", kinds, None),
        *_shares("area", areas, MOST_OF_A_FIELD),
        *_shares("tag", tags, MOST_OF_A_FIELD),
    )


def _shares(field: Among, counts: Counter[str], most: int | None) -> Sequence[Share]:
    """Words that differ only in case are one, as the filters have it, under their most frequent spelling."""
    numbers: Counter[str] = Counter()
    spelling: dict[str, str] = {}
    for word, number in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])):
        spelling.setdefault(word.casefold(), word)
        numbers[word.casefold()] += number
    ranked = sorted(numbers.items(), key=lambda pair: (-pair[1], pair[0]))
    return [Share(field, spelling[word], number) for word, number in ranked[:most]]


def narrowed(query: str, added: str) -> str:
    """A query with one more filter, behind those it begins with: the word being typed stays at the end."""
    at = 0
    for piece in parse(query).pieces:
        if piece.filter is None or query[at : piece.start].strip():
            break
        at = piece.end
    return f"{query[:at].strip()} {added} {query[at:].lstrip()}".lstrip()
