"""What queries mean: the program's embedder, loaded once and only when something can be compared with it."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from memtui.memory.embedders import NamedEmbedder, Readiness, Source, registered
from memtui.search.dense import Meaning
from memtui.store.vectors import Space
from memtui.text.chunking import CHUNKER

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memtui.embedding.names import Chosen
    from memtui.embedding.port import EmbeddingPort

_KEPT = 64
"""Queries whose vectors are kept: who types goes back and forth."""


class Meanings:
    """The meanings of queries and passages, as one program's embedder tells them. Thread-safe."""

    def __init__(self, name: str | None) -> None:
        """`name` is the setting's; None stands for the default."""
        self._source: Source = NamedEmbedder(name)
        self._lock = threading.Lock()
        self._known: dict[tuple[str, str], NDArray[np.float32]] = {}

    def register(self, embedder: EmbeddingPort) -> None:
        """From now on this one embeds; what another embedded is kept and not compared with it."""
        self._source = registered(embedder)
        self.forget()

    def forget(self) -> None:
        """Let go of what queries meant: the model is another one now, whatever it is called."""
        with self._lock:
            self._known.clear()

    @property
    def readiness(self) -> Readiness:
        """How the embedder stands now; nothing is loaded for that."""
        return self._source.readiness

    def embedder(self) -> EmbeddingPort:
        """The embedder, for bulk work. Raises EmbedderUnavailable where there is none, InvalidInput."""
        return self._source.port()

    def wake(self) -> None:
        """Begin to load the model, without waiting for it. Raises EmbedderUnavailable, InvalidInput."""
        self._source.wake()

    def asked(self) -> tuple[Chosen | None, Space | None]:
        """What is known of the embedder without loading it, and the space of its vectors.

        No embedder where there is to be none; no space there, or where only the model itself tells its width. Raises
        InvalidInput, EmbedderUnavailable, also for a width that no store has a table for.
        """
        choice = self._source.choice
        return choice, None if choice is None or choice.dims is None else _space(choice.model_id, choice.dims)

    def of(self, query: str) -> Meaning:
        """What a query means; waits for the model if it is not loaded. Raises EmbedderUnavailable, InvalidInput."""
        from memtui.embedding.nearness import nearness

        source = self._source
        choice = source.choice
        model_id = source.port().model_id if choice is None else choice.model_id
        vector = self._known.get((model_id, query))
        if vector is None:
            vector = source.vectors([query], "query")[0]
            with self._lock:
                if len(self._known) >= _KEPT:
                    del self._known[next(iter(self._known))]
                self._known[model_id, query] = vector
        near = nearness(model_id)
        return Meaning(_space(model_id, len(vector)), vector, near.background, near.floor)

    def passages(self, texts: list[str], seconds: float | None = None) -> NDArray[np.float32]:
        """The vectors of some passages, in time. Shape: (texts, width). Raises EmbedderUnavailable, InvalidInput."""
        return self._source.vectors(texts, "passage", seconds)

    def close(self) -> None:
        """End what the embedder runs."""
        self._source.close()


def _space(model_id: str, dims: int) -> Space:
    from memtui.embedding.checking import check_width

    return Space(model_id, check_width(dims), CHUNKER)
