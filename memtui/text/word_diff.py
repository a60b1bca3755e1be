"""What changed between two texts, word by word."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Final, Literal, NamedTuple

MOST_PIECES: Final = 4_000
"""Words and signs that are compared one by one; of longer texts only what both begin and end with is told apart."""
_PIECE: Final = re.compile(r"\w+|\s+|[^\w\s]")
_SHORTEST_KEPT: Final = 3
"""Pieces that must be alike between two changes to be told as unchanged: less would be confetti."""


class Part(NamedTuple):
    """A stretch of text that both share, or that only the earlier (`gone`) or the later (`added`) one has."""

    text: str
    change: Literal["same", "gone", "added"]


def word_diff(before: str, after: str) -> list[Part]:
    """The two texts as one: all `same` and `gone` parts are the earlier, all `same` and `added` ones the later."""
    old, new = _PIECE.findall(before), _PIECE.findall(after)
    parts: list[Part] = []
    gone: list[str] = []
    added: list[str] = []

    def tell() -> None:
        if gone:
            parts.append(Part("".join(gone), "gone"))
        if added:
            parts.append(Part("".join(added), "added"))
        gone.clear()
        added.clear()

    codes = _compared(old, new)
    for place, (code, start, end, to_start, to_end) in enumerate(codes):
        inner = 0 < place < len(codes) - 1
        if code == "equal" and not (inner and end - start < _SHORTEST_KEPT):
            tell()
            parts.append(Part("".join(old[start:end]), "same"))
        else:
            gone += old[start:end]
            added += new[to_start:to_end]
    tell()
    return parts


_Code = tuple[str, int, int, int, int]


def _compared(old: list[str], new: list[str]) -> list[_Code]:
    if max(len(old), len(new)) <= MOST_PIECES:
        return [*SequenceMatcher(None, old, new, autojunk=False).get_opcodes()]
    shortest = min(len(old), len(new))
    head = next((i for i in range(shortest) if old[i] != new[i]), shortest)
    tail = next((i for i in range(shortest - head) if old[-1 - i] != new[-1 - i]), shortest - head)
    codes = [
        ("equal", 0, head, 0, head),
        ("replace", head, len(old) - tail, head, len(new) - tail),
        ("equal", len(old) - tail, len(old), len(new) - tail, len(new)),
    ]
    return [code for code in codes if code[2] > code[1] or code[4] > code[3]]
