"""Exact phrases: whether one stands in a text, blind to case, accents, typography and line breaks, not to endings."""

from __future__ import annotations

import re
from functools import lru_cache

from memtui.text.folding import CAPITAL, CLASSES, DIGIT, JOINERS, LETTER, MARK, SEPARATOR, folded

_SPACED = frozenset((LETTER, CAPITAL, DIGIT, MARK))
_REMEMBERED = 32_768
_LONGEST_REMEMBERED = 64
_LOOSE_JOINERS = re.compile(r"(?<!\S)[-_./:#@+&'\\]+|[-_./:@&'\\]+(?!\S)")
"""Signs that join nothing: before a word, and after one but for `C++` and `C#`."""


class _Spelling(dict[int, str]):
    """Code point → itself, its plain form if it joins, or a blank if it parts; filled as characters are met."""

    def __missing__(self, code_point: int) -> str:
        kind = CLASSES[code_point]
        found = self[code_point] = " " if kind == SEPARATOR else kind if kind in JOINERS else chr(code_point)
        return found


_SPELLING = _Spelling()


def spelled(text: str) -> str:
    """The text as phrases are compared: each word in its plainest form, one blank between any two.

    Signs inside a word (`src/app.ts`, `don't`) stay. Folding what is spelled already changes nothing.
    """
    words = [_remembered(word) if len(word) <= _LONGEST_REMEMBERED else _spell(word) for word in text.split()]
    return " ".join([word for word in words if word])


def _spell(word: str) -> str:
    return " ".join(_LOOSE_JOINERS.sub("", folded(word).translate(_SPELLING)).split())


_remembered = lru_cache(maxsize=_REMEMBERED)(_spell)


def stands_in(phrase: str, text: str) -> bool:
    """Whether a phrase stands in a text, both `spelled`, beginning and ending where a word or a part of one does.

    Scripts written without blanks have no such places: there any stretch counts.
    """
    start = text.find(phrase)
    while start >= 0:
        if _parts(text, start) and _parts(text, start + len(phrase)):
            return True
        start = text.find(phrase, start + 1)
    return False


def _parts(text: str, place: int) -> bool:
    """Whether no word of a script with blanks runs on across a place."""
    if not 0 < place < len(text):
        return True
    return CLASSES[ord(text[place - 1])] not in _SPACED or CLASSES[ord(text[place])] not in _SPACED
