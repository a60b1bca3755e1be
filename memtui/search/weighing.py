"""Weighing: what one token is worth, by BM25 and by its field-weighted sister, in the rows under a mask."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memtui.search.mask import BeliefMask
from memtui.search.policy import K1
from memtui.search.postings import TermPostings

Scores = NDArray[np.float64]


def idf(total: int, frequency: int) -> float:
    """ln(1 + (N - df + 0.5) / (df + 0.5)): never negative, also in a tiny vault (spec page 4)."""
    return math.log(1.0 + (total - frequency + 0.5) / (frequency + 0.5))


@dataclass(frozen=True, slots=True)
class TokenMatch:
    """One query token under the mask: where it occurs and what it is worth there. Shapes: (p,)."""

    token: str
    idf: float
    text_id: NDArray[np.int64]
    count: Scores
    weighted: Scores
    plain: Scores
    """BM25 contribution to each row."""
    fielded: Scores
    """BM25F contribution to each row."""

    def worth(self, text_id: int, contributions: Scores) -> float:
        """The contribution to one row; 0 where the token does not occur."""
        place = int(np.searchsorted(self.text_id, text_id))
        if place < len(self.text_id) and int(self.text_id[place]) == text_id:
            return float(contributions[place])
        return 0.0


def weigh(token: str, postings: TermPostings, mask: BeliefMask, *, most_idf: float = math.inf) -> TokenMatch:
    """What a token is worth wherever it is visible; its idf counts for at most `most_idf`."""
    seen = mask.visible[postings.text_id]
    text_id = postings.text_id[seen].astype(np.int64)
    # Kept small in memory, reckoned in full precision: scores must agree with the reference to 1e-9.
    count = postings.count[seen].astype(np.float64)
    weighted = postings.weighted[seen].astype(np.float64)
    worth = min(idf(mask.total, len(text_id)), most_idf)
    gain = worth * (K1 + 1.0)
    return TokenMatch(
        token=token,
        idf=worth,
        text_id=text_id,
        count=count,
        weighted=weighted,
        plain=gain * count / (count + mask.plain_norm[text_id]),
        fielded=gain * weighted / (weighted + mask.weighted_norm[text_id]),
    )
