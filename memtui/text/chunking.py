"""Chunks: the passages of a text that are embedded, so that a long document is found by what one part of it says.

A text is cut at its headings; neighbours that are too short to mean much alone stand together, and what is too
long is cut at a paragraph, a line, or at last between words. The title goes with every chunk.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from memtui.model.normal_forms import nfc
from memtui.text.folding import CLASSES, SCRIPT, SCRIPT_MARK, SCRIPT_VOWEL
from memtui.text.markdown import headings
from memtui.text.searchable import SearchableText

CHUNKER = "chunks-2"
"""Names this way of cutting and leaving out; stored with what was cut, so that a change of it is noticed."""
LEAST_WORDS = 100
"""Words from which a chunk stands by itself."""
MOST_WORDS = 380
"""Words of the longest chunk."""
_LEAST_SAID = 2
"""Words of the shortest text that has a meaning to compare: a model finds a single letter near to anything."""
_LEAST_LETTERS = 4
"""Letters they must have together."""
_LETTERS_A_SIGN = 2
"""Letters that one sign of a script without blanks counts for; as many signs count for a word."""
_UNSPACED = (SCRIPT, SCRIPT_MARK, SCRIPT_VOWEL)
_RUN = re.compile(r"[^\W\d_]+")
_LETTERS_A_WORD = 7
"""Characters that count for one word at least: where no blanks part the words, or none end a run of signs."""
_BREAKS = (re.compile(r"\n[ \t]*\n"), re.compile(r"\n"), re.compile(r"[ \t]+"))
"""Where a long stretch is cut, best first: after a paragraph, a line, a word."""


class Chunk(NamedTuple):
    """One passage of a body: where it lies, in characters, and the text that is embedded for it."""

    start: int
    end: int
    text: str

    @property
    def digest(self) -> str:
        """SHA-256 (hex) of the embedded text: what does not change is not embedded again."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()


def chunks_of(text: SearchableText, *, whole: bool = False) -> tuple[Chunk, ...]:
    """The chunks of a record, in reading order; none where it says nothing. With `whole` just one: an engram's."""
    head = "\n".join(part for part in (text.title, text.description) if part.strip())
    if whole:
        said = "\n".join(part for part in (head, text.body) if part.strip())
        return (Chunk(0, len(text.body), said[: MOST_WORDS * _LETTERS_A_WORD]),) if said.strip() else ()
    places = _merged(text.body, list(_passages(text.body)))
    if not places:
        return (Chunk(0, 0, head),) if head else ()
    found: list[Chunk] = []
    for start, end in places:
        # The description tells what the beginning is about; the title goes with all.
        title = head if not found else text.title
        passage = text.body[start:end].strip()
        said = passage if not title.strip() or passage.startswith(title) else f"{title}\n{passage}"
        found.append(Chunk(start, end, said))
    return tuple(found)


def embeddable(chunks: tuple[Chunk, ...]) -> tuple[Chunk, ...]:
    """The chunks that are embedded: all of a text, or none where it says next to nothing."""
    return chunks if any(says_something(chunk.text) for chunk in chunks) else ()


def says_something(text: str) -> bool:
    """Whether a text has a meaning that could be near to another's: two words and four letters at least."""
    words = letters = signs = 0
    for found in _RUN.finditer(nfc(text)):
        shape = found.group().translate(CLASSES)
        unspaced = sum(map(shape.count, _UNSPACED))
        words += unspaced < len(shape)
        letters += len(shape) - unspaced
        signs += unspaced
        said = words + signs // _LETTERS_A_SIGN, letters + signs * _LETTERS_A_SIGN
        if said[0] >= _LEAST_SAID and said[1] >= _LEAST_LETTERS:
            return True
    return False


def words_in(text: str, start: int = 0, end: int | None = None) -> int:
    """How many words a stretch counts for: those that blanks part, but never less than its length says."""
    stretch = text[start:end]
    return max(len(stretch.split()), len(stretch) // _LETTERS_A_WORD)


def _passages(body: str) -> Iterator[tuple[int, int]]:
    """Stretches between headings, those that are too long cut further; blank ones left out."""
    bounds = sorted({0, *(heading.start for heading in headings(body)), len(body)})
    for start, end in pairwise(bounds):
        for piece in _cut(body, start, end):
            if body[piece[0] : piece[1]].strip():
                yield piece


def _cut(body: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while _is_too_long(body, start, end):
        place = _cutting_place(body, start, end)
        yield start, place
        start = place
    yield start, end


def _is_too_long(body: str, start: int, end: int) -> bool:
    """Whether a stretch is longer than a chunk may be; of a very long one its length says so at once."""
    return (end - start) // _LETTERS_A_WORD > MOST_WORDS or words_in(body, start, end) > MOST_WORDS


def _cutting_place(body: str, start: int, end: int) -> int:
    """Where the next chunk ends: at the last good break within its longest, in its latter half if it can be."""
    reach = min(end, start + MOST_WORDS * _LETTERS_A_WORD)
    while words_in(body, start, reach) > MOST_WORDS:
        reach = start + (reach - start) * MOST_WORDS // words_in(body, start, reach)
    half = start + (reach - start) // 2
    for form in _BREAKS:
        places = [found.end() for found in form.finditer(body, half, reach)]
        if places:
            return places[-1]
    return max(reach, start + 1)


def _merged(body: str, places: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Neighbours put together while one of them is short and both fit."""
    merged: list[tuple[int, int]] = []
    for start, end in places:
        if merged:
            first, last = merged[-1]
            short = min(words_in(body, first, last), words_in(body, start, end)) < LEAST_WORDS
            if short and words_in(body, first, end) <= MOST_WORDS:
                merged[-1] = (first, end)
                continue
        merged.append((start, end))
    return merged
