"""What queries mean: the program's embedder, loaded once and only when something can be compared with it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeVar

from memtui.errors import EmbedderUnavailable, InvalidInput
from memtui.memory.timed import Timed, TookTooLong
from memtui.search.dense import Meaning
from memtui.store.vectors import Space
from memtui.text.chunking import CHUNKER

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memtui.embedding.names import Chosen
    from memtui.embedding.port import EmbeddingPort

T = TypeVar("T")

LONGEST_LOAD = 30.0
"""Seconds that a model may take until it answers for the first time."""
LONGEST_QUERY = 2.0
"""Seconds that a loaded model, or an embedder that was registered, may take for a query."""
_KEPT = 64
"""Queries whose vectors are kept: who types goes back and forth."""
NO_EMBEDDER = "no embedder is set"


@dataclass(frozen=True, slots=True)
class Readiness:
    """How a program's embedder stands: `asleep` is not started yet; `none` and `failed` have a reason."""

    state: Literal["none", "asleep", "loading", "ready", "failed"]
    reason: str | None = None


class Meanings:
    """The embedder of one program, by the name of a setting or registered by its user. Thread-safe."""

    def __init__(self, name: str | None) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._embedder: EmbeddingPort | None = None
        self._registered: _Registered | None = None
        self._known: dict[tuple[str, str], NDArray[np.float32]] = {}

    def register(self, embedder: EmbeddingPort) -> None:
        """From now on this one embeds; what another embedded is kept and not compared with it."""
        with self._lock:
            self._embedder, self._registered = embedder, _Registered(embedder)

    @property
    def choice(self) -> Chosen | None:
        """What is known of the embedder without loading it; None where there is to be none.

        Raises InvalidInput, and EmbedderUnavailable of a registered one that does not say what it is.
        """
        from memtui.embedding.choosing import chosen

        if self._registered is not None:
            return self._registered.choice()
        return chosen(self._name or _default())

    def embedder(self) -> EmbeddingPort:
        """The embedder; it loads its model with its first text. Raises EmbedderUnavailable where there is none."""
        choice = self.choice
        if choice is None:
            raise EmbedderUnavailable(
                f"{NO_EMBEDDER} (`embedder = none`)", hint="set another `embedder` in memtui.toml"
            )
        with self._lock:
            if self._embedder is None:
                self._embedder = _started_when_needed(choice)
            return self._embedder

    def wake(self) -> None:
        """Begin to load the model, without waiting for it. Raises EmbedderUnavailable, InvalidInput."""
        from memtui.embedding.process import WorkerEmbedder

        embedder = self.embedder()
        if isinstance(embedder, WorkerEmbedder):
            embedder.start()

    @property
    def readiness(self) -> Readiness:
        """How the embedder stands now; nothing is loaded for that."""
        from memtui.embedding.process import WorkerEmbedder

        try:
            choice = self.choice
        except (EmbedderUnavailable, InvalidInput) as error:
            return Readiness("failed", error.message)
        embedder = self._embedder
        if choice is None:
            return Readiness("none", NO_EMBEDDER)
        if not isinstance(embedder, WorkerEmbedder):
            return Readiness("asleep" if embedder is None else "ready")
        if embedder.failure is not None:
            return Readiness("failed", embedder.failure.message)
        return Readiness("ready" if embedder.ready else "loading" if embedder.loading else "asleep")

    def space(self) -> Space | None:
        """The space of the embedder's vectors; None where there is none, or only the model itself tells its width.

        Raises EmbedderUnavailable for a width that no store has a table for.
        """
        from memtui.embedding.checking import check_width

        choice = self.choice
        if choice is None or choice.dims is None:
            return None
        return Space(choice.model_id, check_width(choice.dims), CHUNKER)

    def of(self, query: str) -> Meaning:
        """What a query means; waits for the model if it is not loaded. Raises EmbedderUnavailable."""
        from memtui.embedding.checking import check_width
        from memtui.embedding.nearness import nearness

        embedder, registered = self.embedder(), self._registered
        choice = None if registered is None else registered.choice()
        model_id = embedder.model_id if choice is None else choice.model_id
        vector = self._known.get((model_id, query))
        if vector is None:
            if registered is None or choice is None:
                vector = _vector(embedder, query)
            else:
                vector = registered.vector(query, choice.dims)
            with self._lock:
                if len(self._known) >= _KEPT:
                    del self._known[next(iter(self._known))]
                self._known[model_id, query] = vector
        near = nearness(model_id)
        return Meaning(Space(model_id, check_width(len(vector)), CHUNKER), vector, near.background, near.floor)

    def close(self) -> None:
        """End what the embedder runs."""
        with self._lock:
            embedder, self._embedder, self._registered = self._embedder, None, None
        close = getattr(embedder, "close", None)
        if close is not None:
            close()


def _default() -> str:
    from memtui.embedding.names import DEFAULT

    return DEFAULT


def _started_when_needed(choice: Chosen) -> EmbeddingPort:
    """Its model lives in a worker process; one that has nothing to load is asked here."""
    from memtui.embedding.process import WorkerEmbedder

    return WorkerEmbedder(choice)


def _vector(embedder: EmbeddingPort, query: str) -> NDArray[np.float32]:
    from memtui.embedding.checking import checked
    from memtui.embedding.process import WorkerEmbedder

    assert isinstance(embedder, WorkerEmbedder), "what a setting names runs in a process of its own"  # noqa: S101
    limit = LONGEST_QUERY if embedder.ready else LONGEST_LOAD
    return checked(embedder.embed([query], purpose="query", timeout=limit), 1, embedder.dims)[0]


class _Registered:
    """An embedder of the program's user: whatever is wrong with it, it says no meaning, and words answer."""

    def __init__(self, embedder: EmbeddingPort) -> None:
        self._embedder = embedder
        self._calls = Timed("memtui-embedder")
        self._called = type(embedder).__name__

    def choice(self) -> Chosen:
        """What it says of itself. Raises EmbedderUnavailable."""
        from memtui.embedding.names import Chosen

        own = self._embedder
        choice = self._asked(lambda: Chosen(own.model_id, own.model_id, own.dims, semantic=own.semantic))
        self._called = choice.model_id
        return choice

    def vector(self, query: str, dims: int | None) -> NDArray[np.float32]:
        """What a query means, in the width it says its vectors have. Raises EmbedderUnavailable."""
        from memtui.embedding.checking import check_width, checked

        made = self._asked(lambda: self._embedder.embed([query], purpose="query"))
        return checked(made, 1, check_width(dims or 0))[0]

    def _asked(self, work: Callable[[], T]) -> T:
        try:
            return self._calls.call(work, LONGEST_QUERY)
        except EmbedderUnavailable:
            raise
        except TookTooLong as error:
            raise EmbedderUnavailable(f"{self._called} {error}") from error
        except Exception as error:
            raise EmbedderUnavailable(f"{self._called} failed: {type(error).__name__}: {error}") from error
