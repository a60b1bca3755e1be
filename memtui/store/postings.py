"""Postings as arrays: which index rows hold a term, and how often."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FIELD_WEIGHTS: dict[str, float] = {"title": 3.0, "description": 2.0, "tags": 2.0, "body": 1.0}
"""How much an occurrence counts in BM25F, by field (spec page 4; short fields say more)."""


@dataclass(frozen=True, slots=True)
class TextLengths:
    """Lengths of index rows in tokens: `plain` for BM25, `weighted` (fields times weight) for BM25F.

    Shapes: all (n,); `text_id` rises.
    """

    text_id: NDArray[np.int64]
    plain: NDArray[np.float64]
    weighted: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PostingBlock:
    """Postings grouped by term: those of `terms[i]` lie in `[offsets[i], offsets[i + 1])`.

    `terms` is sorted; within a term `text_id` rises. `count` is occurrences over all fields,
    `weighted` the same with field weights. Shapes: offsets (t + 1,), the others (p,).
    """

    terms: tuple[str, ...]
    offsets: NDArray[np.int64]
    text_id: NDArray[np.int64]
    count: NDArray[np.float32]
    weighted: NDArray[np.float32]
