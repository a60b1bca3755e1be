"""hash-v1: vectors of the words themselves, by feature hashing. Needs no model and knows no meaning.

After Weinberger et al., "Feature Hashing for Large Scale Multitask Learning" (2009): each token adds or takes
sqrt(its count) at one of the dimensions; a hash of the token decides which and whether. Only operations that round
alike everywhere, so that every machine has the same vectors.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from memtui.embedding.checking import checked
from memtui.embedding.names import HASHING
from memtui.embedding.port import Purpose, Vectors
from memtui.embedding.readable import readable
from memtui.text.analysis import index_text

DIMS = 384
_NOTHING = ""
"""The feature of a text without words: every text has a vector."""


class HashEmbedder:
    """The embedder without a model."""

    model_id = HASHING.model_id
    dims = DIMS
    semantic = HASHING.semantic

    def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:
        """The vectors of some texts; a query's is that of a passage with the same words."""
        rows = np.zeros((len(texts), DIMS), dtype=np.float64)
        for row, text in zip(rows, readable(texts), strict=True):
            _add_features(row, index_text(text).split())
        return checked(rows, len(texts), DIMS)


def _add_features(row: np.ndarray[tuple[int, ...], np.dtype[np.float64]], tokens: Sequence[str]) -> None:
    for token, count in Counter(tokens).items():
        place, sign = _feature(token)
        row[place] += sign * math.sqrt(count)
    if not row.any():  # no words, or words that cancel each other out
        place, sign = _feature(_NOTHING)
        row[place] = sign
    # Summed in the order of the dimensions, exactly rounded: numpy's own order depends on the machine.
    row /= math.sqrt(math.fsum(value * value for value in row.tolist()))


@lru_cache(maxsize=1 << 16)
def _feature(token: str) -> tuple[int, float]:
    """Which dimension a token counts at, and in which direction."""
    value = int.from_bytes(hashlib.blake2b(token.encode("utf-8"), digest_size=8).digest(), "little")
    return (value >> 1) % DIMS, 1.0 if value & 1 else -1.0
