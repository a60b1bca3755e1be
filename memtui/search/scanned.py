"""The scan plane: what an index would hold, made in memory from the versions themselves.

For a store whose index was filled by another analyser, or is damaged: every text of every record is analysed as the
index would have it, so that no search fails or finds less; it only takes longer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import count

import numpy as np

from memtui.log import LOGGER
from memtui.model.versions import Version
from memtui.store.port import LexicalIndex
from memtui.store.postings import FIELD_WEIGHTS, PostingBlock, TextLengths, analysed, posting_block
from memtui.text.searchable import searchable


@dataclass(frozen=True, slots=True)
class IndexRows:
    """Index rows as arrays: their lengths, the postings of their texts, and those of names, aliases and titles."""

    lengths: TextLengths
    texts: PostingBlock
    names: PostingBlock


def indexed(unit: LexicalIndex, after: int = -1) -> IndexRows:
    """The rows beyond `after` as a sound index holds them."""
    return IndexRows(unit.text_lengths(after), unit.postings(after), unit.identity_postings(None, after))


def scanned(versions: Iterable[Version], trouble: str, after: int = -1) -> IndexRows:
    """The rows beyond `after`, read off all versions that have them, oldest first; the log says what for.

    A row is told by its latest version: that all of them say the same is what the analyser that numbered them saw.
    """
    latest = {version.text_id: version for version in versions if version.text_id > after}
    if latest:
        LOGGER.warning("%d texts are searched without an index: %s", len(latest), trouble)
    last = max(latest, default=after)
    plain, weighted = np.zeros(last - after), np.zeros(last - after)
    texts, names = _Occurrences(), _Occurrences()
    for number in sorted(latest):
        version = latest[number]
        row = analysed(searchable(version.key.kind, version.key.name, version.content))
        for field, tokens in row.fields.items():
            texts.add(number, tokens.split(), FIELD_WEIGHTS[field])
        names.add(number, set(row.identity.split()), 1.0)
        plain[number - after - 1], weighted[number - after - 1] = row.plain, row.weighted
    lengths = TextLengths(np.arange(after + 1, last + 1, dtype=np.int64), plain, weighted)
    return IndexRows(lengths, texts.block(), names.block())


class _Occurrences:
    """Tokens as they come, gathered into postings."""

    def __init__(self) -> None:
        self._numbers: defaultdict[str, int] = defaultdict(count().__next__)
        self._terms: list[int] = []
        self._runs: list[tuple[int, int, float]] = []
        """(index row, how many tokens, what each weighs), in the order of `_terms`."""

    def add(self, text_id: int, tokens: Collection[str], weight: float) -> None:
        """Some tokens of one index row."""
        self._terms.extend(map(self._numbers.__getitem__, tokens))
        self._runs.append((text_id, len(tokens), weight))

    def block(self) -> PostingBlock:
        """One posting for each term and row."""
        rows = np.array([row for row, _, _ in self._runs], dtype=np.int64)
        lengths = np.array([length for _, length, _ in self._runs], dtype=np.int64)
        weights = np.array([weight for _, _, weight in self._runs], dtype=np.float64)
        width = int(rows.max(initial=0)) + 1
        places = np.array(self._terms, dtype=np.int64) * width + np.repeat(rows, lengths)
        found, place = np.unique(places, return_inverse=True)
        return posting_block(
            ((number, term) for term, number in self._numbers.items()),
            found // width,
            found % width,
            np.bincount(place, minlength=len(found)).astype(np.float32),
            np.bincount(place, np.repeat(weights, lengths), minlength=len(found)).astype(np.float32),
        )
