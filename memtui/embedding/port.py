"""The port behind which every model that embeds texts stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Purpose: TypeAlias = Literal["query", "passage"]
"""What a text is for: models trained for search embed a question otherwise than the passage that answers it."""

Vectors: TypeAlias = NDArray[np.float32]


@runtime_checkable
class EmbeddingPort(Protocol):
    """A model that gives each text a vector of unit length, so that near vectors mean near texts.

    `model_id` names the model and everything that decides its vectors: those of two ids are never compared.
    `dims` is the width of its vectors. `semantic` tells whether nearness is nearness of meaning, or only of words.

    `embed` returns an array of shape (number of texts, dims), row i for text i, each row finite and of unit length.
    It takes any text at all: one that says nothing, no valid Unicode, or more than the model reads, of which the
    beginning counts. The same text gives the same vector, up to rounding, whatever it is embedded with. It may be
    called from several threads at once. Whatever keeps it from answering is an EmbedderUnavailable; `dims` and
    `model_id` may have to load the model and then raise the same.
    """

    @property
    def model_id(self) -> str:
        """Names the model and everything that decides its vectors."""
        ...

    @property
    def dims(self) -> int:
        """Width of the vectors."""
        ...

    @property
    def semantic(self) -> bool:
        """Whether nearness is nearness of meaning."""
        ...

    def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:
        """The vectors of some texts, one row each. Raises EmbedderUnavailable."""
        ...
