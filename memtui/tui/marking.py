"""Which words of a text a query matched: the highlight of titles and previews.

The searcher marks its own snippet. Elsewhere the words of the query and the word forms the snippet
matched (stems, synonyms and typos included) are looked for, blind to case and accents.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from memtui.model.results import Snippet
from memtui.text.folding import folded
from memtui.text.query_language import parse
from memtui.tui.display import Span

_WORD: Final = re.compile(r"[^\W_]+(?:[-_.:/@+&'’#][^\W_]+)*[+#]{0,2}")
_PART: Final = re.compile(r"[^\W_]+")
_UNSPACED: Final = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SHORTEST_PREFIX: Final = 3
_LONGEST_MARKED: Final = 200_000


@dataclass(frozen=True, slots=True)
class Marker:
    """Finds the matched words of a query in any text."""

    words: frozenset[str] = frozenset()
    prefixes: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    """Stretches in scripts written without blanks: looked for as they stand."""

    @classmethod
    def of(cls, query: str, passage: Snippet | None = None) -> Marker:
        """The marker of a query and, where it is known, of what its snippet matched."""
        words: set[str] = set()
        prefixes: list[str] = []
        runs: set[str] = set()
        for word in _words(parse(query).words):
            if _UNSPACED.search(word):
                runs.add(word)
                continue
            words.add(word)
            if len(word) >= _SHORTEST_PREFIX:
                prefixes.append(word)
        if passage is not None:
            for start, end in passage.spans:
                form = passage.text[start:end]
                (runs if _UNSPACED.search(form) else words).add(folded(form))
        return cls(frozenset(words), tuple(prefixes), tuple(sorted(runs)))

    def __bool__(self) -> bool:
        return bool(self.words or self.runs)

    def spans(self, text: str) -> tuple[Span, ...]:
        """The matched words of a text, in code points; nothing beyond the first 200,000."""
        if not self:
            return ()
        if len(text) > _LONGEST_MARKED:
            text = text[:_LONGEST_MARKED]
        found = list(self._word_spans(text))
        for run in self.runs:
            start = text.find(run)
            while start >= 0:
                found.append((start, start + len(run)))
                start = text.find(run, start + len(run))
        return tuple(sorted(found))

    def _word_spans(self, text: str) -> Iterable[Span]:
        for match in _WORD.finditer(text):
            if self._matches(match.group()):
                yield match.span()
                continue
            for part in _PART.finditer(text, *match.span()):
                if part.span() != match.span() and self._matches(part.group()):
                    yield part.span()

    def _matches(self, word: str) -> bool:
        plain = folded(word)
        return plain in self.words or plain.startswith(self.prefixes)


def _words(query: str) -> Iterable[str]:
    for match in _WORD.finditer(query):
        word = folded(match.group())
        yield word
        yield from (part for part in _PART.findall(word) if part != word)
