"""Reciprocal rank fusion: several rankings made into one by places alone, whatever their scores mean."""

from __future__ import annotations

import math
from collections.abc import Sequence

RRF_K = 60
"""How soon the first places stop standing out (spec page 4)."""


def reciprocal_rank_fusion(lists: Sequence[Sequence[str]], k: float = RRF_K) -> list[tuple[str, float]]:
    """Names with Σ 1 / (k + place), places from 1: best first, then by name.

    A name that a list repeats counts there once, at its first place; the others keep the places they have.
    The sum is rounded once, so names that stand alike are alike in whichever lists they stand.
    """
    terms: dict[str, list[float]] = {}
    for ranking in lists:
        seen: set[str] = set()
        for place, name in enumerate(ranking, start=1):
            if name not in seen:
                seen.add(name)
                terms.setdefault(name, []).append(1.0 / (k + place))
    scores = {name: math.fsum(parts) for name, parts in terms.items()}
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))
