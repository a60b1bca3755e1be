"""Likeness of values (tags, areas, what claims say): when two are the same, and which are most like one. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from memtui.text.folding import folded

_LEAST_LIKE = 65.0
"""Share of letters, of 100, that two words must have in common, in their order: rather nothing than an odd word."""
_ABOUT_AS_LIKE = 15.0
"""What another may have less in common than the likest and still be meant."""
_REMEMBERED = 8_192


@lru_cache(maxsize=_REMEMBERED)
def compared(value: str) -> str:
    """A value as filters compare it: blind to case, accents and blanks around it."""
    return folded(value.strip())


def holding(value: str, choices: Iterable[str]) -> list[str]:
    """The choices that begin so, then those that hold it, blind to case and accents; not what is there already."""
    wanted = compared(value)
    begun: list[str] = []
    within: list[str] = []
    for choice in choices:
        own = folded(choice)
        if choice == value or wanted not in own:
            continue
        (begun if own.startswith(wanted) else within).append(choice)
    return begun + within


def nearest(value: str, choices: Sequence[str], limit: int) -> list[str]:
    """The choices that a value was meant to be, best first: what it is a part of, then what is spelt like it."""
    if not compared(value):
        return []
    found = holding(value, choices)[:limit]
    if len(found) < limit:
        from rapidfuzz import fuzz, process  # hardly ever needed

        like = process.extract(
            value, choices, scorer=fuzz.ratio, processor=folded, limit=limit, score_cutoff=_LEAST_LIKE
        )
        alike = [choice for choice, share, _ in like if share >= like[0][1] - _ABOUT_AS_LIKE]
        found = list(dict.fromkeys([*found, *alike]))
    return found[:limit]
