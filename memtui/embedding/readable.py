"""Texts as models can read them: valid Unicode, and no longer than is worth reading."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.model.normal_forms import nfkc

LONGEST_TEXT = 4_000
"""Characters of a text that are embedded: the longest chunk with its title and description, and some room.

What a model needs grows with the length, for transformers with its square; a text of a million characters must not
take the memory of the machine.
"""
_LONGEST_WRITTEN_OUT = 2 * LONGEST_TEXT
"""Characters that it may come to under NFKC, which models apply: one sign may stand for eighteen."""


def readable(texts: Sequence[str]) -> list[str]:
    """The texts cut to `LONGEST_TEXT`, halves of a surrogate pair joined, lone ones replaced by U+FFFD.

    Shorter where NFKC, which models apply, would make much more of them.
    """
    return [_valid(_bounded(text[:LONGEST_TEXT])) for text in texts]


def _bounded(text: str) -> str:
    if text.isascii() or len(nfkc(text)) <= _LONGEST_WRITTEN_OUT:
        return text
    room = _LONGEST_WRITTEN_OUT
    for place, char in enumerate(text):
        room -= len(nfkc(char))
        if room < 0:
            return text[:place]
    return text


def _valid(text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
