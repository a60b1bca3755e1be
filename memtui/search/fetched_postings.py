"""Postings fetched term by term: for one-shot commands, whose queries need a handful of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from memtui.search.postings import Postings, Segment
from memtui.search.spelling import Spellings, lengths_near
from memtui.store.postings import PostingBlock


class FetchedPostings(Postings):
    """The postings of some terms and of all that begin with a prefix; others are read when they are needed."""

    def __init__(
        self,
        terms: Iterable[str],
        prefixes: Sequence[str],
        *,
        fetch: Callable[[Sequence[str], Sequence[str]], PostingBlock],
        words: Callable[[int, int], Sequence[str]],
    ) -> None:
        """`fetch(terms, prefixes)` reads postings, `words(shortest, longest)` the dictionary, as `LexicalIndex`."""
        self._held = set(terms)
        self._prefixes = tuple(prefixes)
        self._fetch, self._words = fetch, words
        super().__init__([fetch(sorted(self._held), prefixes)])

    def need(self, terms: Iterable[str]) -> None:
        """Read the postings of those terms that are not held."""
        missing = sorted({term for term in terms if not term.startswith(self._prefixes)} - self._held)
        if missing:
            self._held.update(missing)
            self.segments = (*self.segments, Segment(self._fetch(missing, ())))

    def near(self, spelling: str, most: int) -> dict[str, int]:
        """As of all postings; of the dictionary only words of about that length are read."""
        return dict(Spellings(self._words(*lengths_near(spelling, most))).near(spelling, most))
