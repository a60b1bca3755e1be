"""The words a query may be completed with: what the records in sight are about, tagged with and claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from memtui.model.records import area_of
from memtui.model.versions import Version
from memtui.search.corpus import Corpus
from memtui.search.mask import BeliefMask
from memtui.text.likeness import compared
from memtui.text.query_completing import Vocabulary


def vocabulary_of(corpus: Corpus, mask: BeliefMask) -> Vocabulary:
    """Areas, tags and predicates of everything visible under a mask; what nobody may see betrays no word."""
    return words_of(corpus.versions(mask.row_of_text[mask.visible].tolist()))


def words_of(versions: Iterable[Version]) -> Vocabulary:
    """Areas, tags and predicates of some versions, the most frequent first."""
    areas: Counter[str] = Counter()
    tags: Counter[str] = Counter()
    predicates: Counter[str] = Counter()
    for version in versions:
        if area := area_of(version.key.kind, version.content):
            areas[area] += 1
        tags.update(set(version.content.tags))
        predicates.update({claim.predicate for claim in version.content.claims})
    return Vocabulary(_most_frequent(areas), _most_frequent(tags), _most_frequent(predicates))


def _most_frequent(counts: Counter[str]) -> tuple[str, ...]:
    """The words, the most frequent first, equals by the alphabet; of words that filters take for one the first."""
    best: dict[str, str] = {}
    for word, _ in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])):
        best.setdefault(compared(word), word)
    return tuple(best.values())
