"""Texts as models can read them: valid Unicode, and no longer than is worth reading."""

from __future__ import annotations

from collections.abc import Sequence

LONGEST_TEXT = 4_000
"""Characters of a text that are embedded: the longest chunk with its title and description, and some room.

What a model needs grows with the length, for transformers with its square; a text of a million characters must not
take the memory of the machine.
"""


def readable(texts: Sequence[str]) -> list[str]:
    """The texts cut to `LONGEST_TEXT`, halves of a surrogate pair joined, lone ones replaced by U+FFFD."""
    return [_valid(text[:LONGEST_TEXT]) for text in texts]


def _valid(text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
