"""Postings as arrays: which index rows hold a term, and how often."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from memtui.text.analysis import index_text
from memtui.text.searchable import SearchableText

FIELD_WEIGHTS: dict[str, float] = {"title": 3.0, "description": 2.0, "tags": 2.0, "body": 1.0}
"""How much an occurrence counts in BM25F, by field (spec page 4; short fields say more)."""


Occurrences: TypeAlias = NDArray[np.uint16 | np.float32]
"""How often, in the smallest type that holds it exactly: of a large vault there are tens of millions."""


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
    text_id: NDArray[np.int32]
    count: Occurrences
    weighted: Occurrences


@dataclass(frozen=True, slots=True)
class AnalysedText:
    """What an index row holds of a text: blank-separated tokens, and how many there are."""

    fields: Mapping[str, str]
    """Tokens by field, in the order of `FIELD_WEIGHTS`."""
    identity: str
    """Tokens of names, aliases and title; one may stand there more than once."""
    plain: int
    weighted: float


def analysed(text: SearchableText) -> AnalysedText:
    """A text as the index holds it, whoever keeps that index."""
    fields: dict[str, str] = {field: index_text(getattr(text, field)) for field in FIELD_WEIGHTS}
    lengths = {field: tokens.count(" ") + 1 if tokens else 0 for field, tokens in fields.items()}
    return AnalysedText(
        fields,
        # A title names its record as much as the name does; it counts for identity too.
        index_text(f"{text.identity}\n{text.title}"),
        sum(lengths.values()),
        sum(FIELD_WEIGHTS[field] * length for field, length in lengths.items()),
    )


def posting_block(
    named: Iterable[tuple[int, str]],
    term_id: NDArray[np.int64],
    text_id: NDArray[np.int64],
    count: NDArray[np.float32],
    weighted: NDArray[np.float32],
) -> PostingBlock:
    """Postings in any order, one for each term and text, grouped by term in alphabetical order.

    `named` pairs each term's id with the term; ids that have no posting are left out.
    """
    present = np.flatnonzero(np.bincount(term_id)) if len(term_id) else term_id
    held = set(present.tolist())
    ordered = sorted(((term, identifier) for identifier, term in named if identifier in held))
    rank = np.zeros(int(present[-1]) + 1 if len(present) else 0, dtype=np.int64)
    rank[np.array([identifier for _, identifier in ordered], dtype=np.int64)] = np.arange(len(ordered))
    ranks = rank[term_id]
    # One number for both is sorted in half the time of two keys; index rows are far fewer than 2^31.
    order = np.argsort((ranks << 31) | text_id)
    offsets = np.concatenate([[0], np.cumsum(np.bincount(ranks, minlength=len(ordered)))]).astype(np.int64)
    return PostingBlock(
        tuple(term for term, _ in ordered),
        offsets,
        text_id[order].astype(np.int32),
        smallest(count[order]),
        smallest(weighted[order]),
    )


def smallest(occurrences: NDArray[np.float32]) -> Occurrences:
    """Whole numbers all (so are the weights of fields): exact in 16 bits unless a text says one word very often."""
    fits = not len(occurrences) or float(occurrences.max()) <= np.iinfo(np.uint16).max
    return occurrences.astype(np.uint16) if fits else occurrences
