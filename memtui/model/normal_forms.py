"""Unicode's normal forms, in time that grows with the length of a text whatever it holds.

CPython brings the marks of a letter into their order by insertion: one letter with 100,000 of them takes minutes.
Long runs of marks are therefore ordered beforehand, by sorting; the normal form of what comes of it is the same.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby
from typing import Literal

_SHORT = 64
"""Code points of a text, or of a run of marks, whose order is no matter of time."""
_RUN = re.compile(f"(?:[^\\w\x00-\x7f]|[\uff9e\uff9f]){{{_SHORT},}}")
"""A run that may be one of marks: no mark is a letter but two of Katakana's, as NFKC has them."""


def nfc(text: str) -> str:
    """Composed, what looks alike being kept apart."""
    return _normal("NFC", text)


def nfkc(text: str) -> str:
    """Composed, signs that stand for others written out."""
    return _normal("NFKC", text)


def _normal(form: Literal["NFC", "NFKC"], text: str) -> str:
    if len(text) > _SHORT and not text.isascii():
        apart: Literal["NFD", "NFKD"] = "NFD" if form == "NFC" else "NFKD"
        text = _RUN.sub(lambda run: _in_order(apart, run[0]), text)
    return unicodedata.normalize(form, text)


def _in_order(form: Literal["NFD", "NFKD"], run: str) -> str:
    """A run decomposed, the marks between any two signs that are none in canonical order."""
    decomposed = "".join([unicodedata.normalize(form, char) for char in run])
    ordered: list[str] = []
    for _, stretch in groupby(decomposed, lambda char: unicodedata.combining(char) > 0):
        ordered += sorted(
            stretch, key=unicodedata.combining
        )  # signs that are none are all alike: they keep their places
    return "".join(ordered)
