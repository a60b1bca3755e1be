"""Where a program's vectors come from: a model that a setting names, or an embedder that its user registered."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar, cast

from memtui.errors import EmbedderUnavailable, InvalidInput
from memtui.memory.timed import LONGEST_ANSWER, NAMES, NoAnswer, Timed, is_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memtui.embedding.names import Chosen
    from memtui.embedding.port import EmbeddingPort, Purpose
    from memtui.embedding.process import WorkerEmbedder

T = TypeVar("T")

LONGEST_LOAD = 30.0
"""Seconds that a model may take until it answers for the first time."""
_LONGEST_BATCH = 120.0
"""Seconds that an embedder of the user's may take for a batch of a bulk, or to load its model for it."""
NO_EMBEDDER = "no embedder is set"
NOTHING_EMBEDDED = "nothing is embedded yet, `memtui embed refresh` does it"


def not_semantic(model_id: str) -> str:
    """Why what a model finds near says nothing of meaning."""
    return f"{model_id} is not semantic"


@dataclass(frozen=True, slots=True)
class Readiness:
    """How a program's embedder stands: `asleep` is not started yet; `none` and `failed` have a reason."""

    state: Literal["none", "asleep", "loading", "ready", "failed"]
    reason: str | None = None


class Source(Protocol):
    """Where vectors come from. Thread-safe."""

    @property
    def choice(self) -> Chosen | None:
        """What is known of the embedder without loading it; None where there is to be none.

        Raises InvalidInput for a name that no embedder has, EmbedderUnavailable.
        """
        ...

    @property
    def readiness(self) -> Readiness:
        """How it stands now; nothing is loaded for that."""
        ...

    def port(self) -> EmbeddingPort:
        """The embedder, for bulk work that may take its time. Raises EmbedderUnavailable, InvalidInput."""
        ...

    def vectors(self, texts: list[str], purpose: Purpose, seconds: float | None = None) -> NDArray[np.float32]:
        """The checked vectors of some texts, in time. Shape: (texts, width). Raises EmbedderUnavailable, InvalidInput.

        Without `seconds` in the time that a query may take, loading included.
        """
        ...

    def wake(self) -> None:
        """Begin to load the model, without waiting for it. Raises EmbedderUnavailable, InvalidInput."""
        ...

    def close(self) -> None:
        """End what it runs."""
        ...


class _InWorker(ABC):
    """What both sources share whose model lives in a worker process."""

    @property
    @abstractmethod
    def choice(self) -> Chosen | None:
        """See `Source`."""

    @abstractmethod
    def port(self) -> WorkerEmbedder:
        """The worker, started when it is needed. Raises EmbedderUnavailable, InvalidInput."""

    @abstractmethod
    def _running(self) -> WorkerEmbedder | None:
        """The worker, if there is one yet."""

    @property
    def readiness(self) -> Readiness:
        """How the worker stands."""
        try:
            choice = self.choice
        except (EmbedderUnavailable, InvalidInput) as error:
            return Readiness("failed", error.message)
        if choice is None:
            return Readiness("none", NO_EMBEDDER)
        worker = self._running()
        if worker is None:
            return Readiness("asleep")
        if worker.failure is not None:
            return Readiness("failed", worker.failure.message)
        return Readiness("ready" if worker.ready else "loading" if worker.loading else "asleep")

    def vectors(self, texts: list[str], purpose: Purpose, seconds: float | None = None) -> NDArray[np.float32]:
        """As the protocol says: a model that is not loaded yet is waited for."""
        worker = self.port()
        if seconds is None:
            seconds = LONGEST_ANSWER if worker.ready else LONGEST_LOAD
        return worker.embed(texts, purpose=purpose, timeout=seconds)

    def wake(self) -> None:
        """Start the worker."""
        self.port().start()

    def close(self) -> None:
        """End the worker, whoever else uses it."""
        worker = self._running()
        if worker is not None:
            worker.close()


class NamedEmbedder(_InWorker):
    """The embedder of a setting, in the worker process that all of a program's memories share."""

    def __init__(self, name: str | None) -> None:
        self._name = name

    @property
    def choice(self) -> Chosen | None:
        """What the name says. Raises InvalidInput, EmbedderUnavailable for a folder without a model."""
        from memtui.embedding.choosing import chosen
        from memtui.embedding.names import DEFAULT

        return chosen(self._name or DEFAULT)

    def port(self) -> WorkerEmbedder:
        """The shared worker. Raises EmbedderUnavailable where there is to be none, InvalidInput."""
        from memtui.embedding.process import shared_worker

        choice = self.choice
        if choice is None:
            raise EmbedderUnavailable(
                f"{NO_EMBEDDER} (`embedder = none`)", hint="set another `embedder` in memtui.toml"
            )
        return shared_worker(choice)

    def _running(self) -> WorkerEmbedder | None:
        from memtui.embedding.process import running_worker

        choice = self.choice
        return None if choice is None else running_worker(choice)


class OwnWorker(_InWorker):
    """A worker process that the program's user started."""

    def __init__(self, worker: WorkerEmbedder) -> None:
        self._worker = worker

    @property
    def choice(self) -> Chosen:
        """What it was started for."""
        return self._worker.choice

    def port(self) -> WorkerEmbedder:
        """The worker."""
        return self._worker

    def _running(self) -> WorkerEmbedder:
        return self._worker


@dataclass(frozen=True, slots=True)
class _Guarded:
    """An `EmbeddingPort` for bulk work whose every answer was checked, and is waited for only so long."""

    model_id: str
    dims: int
    semantic: bool
    embedded: Callable[[Sequence[str], Purpose, int], NDArray[np.float32]]

    def embed(self, texts: Sequence[str], *, purpose: Purpose) -> NDArray[np.float32]:
        """The checked vectors of some texts. Raises EmbedderUnavailable."""
        return self.embedded(texts, purpose, self.dims)


class RegisteredEmbedder:
    """An embedder of the program's user: whatever is wrong with it, it says no meaning, and words answer.

    Its code runs in threads of its own: where it wants to end the program, or hangs, that is no answer and no more.
    """

    def __init__(self, embedder: EmbeddingPort) -> None:
        self._embedder = embedder
        self._calls = Timed("memtui-embedder", EmbedderUnavailable)
        self._bulk = Timed("memtui-embedder-bulk", EmbedderUnavailable)
        self._called = type(embedder).__name__

    @property
    def choice(self) -> Chosen:
        """What it says of itself. Raises EmbedderUnavailable."""
        return self._chosen(self._calls, LONGEST_ANSWER)

    def _chosen(self, calls: Timed, seconds: float) -> Chosen:
        choice = self._asked(lambda: _described(self._embedder, self._called), calls, seconds)
        self._called = choice.model_id
        return choice

    @property
    def readiness(self) -> Readiness:
        """Ready, as far as can be told without asking it."""
        return Readiness("ready")

    def port(self) -> EmbeddingPort:
        """Itself, guarded; it may have to load its model to tell its width. Raises EmbedderUnavailable."""
        choice = self._chosen(self._bulk, _LONGEST_BATCH)

        def embedded(texts: Sequence[str], purpose: Purpose, dims: int) -> NDArray[np.float32]:
            return self._asked(lambda: _vectors(self._embedder, texts, purpose, dims), self._bulk, _LONGEST_BATCH)

        return _Guarded(choice.model_id, choice.dims or 0, choice.semantic, embedded)

    def vectors(self, texts: list[str], purpose: Purpose, seconds: float | None = None) -> NDArray[np.float32]:
        """As the protocol says, but never waited for longer than a query may take."""
        limit = min(seconds or LONGEST_ANSWER, LONGEST_ANSWER)
        return self._asked(lambda: _vectors(self._embedder, texts, purpose, None), self._calls, limit)

    def wake(self) -> None:
        """Nothing: it is its user's to load it."""

    def close(self) -> None:
        """Nothing: it is its user's."""

    def _asked(self, work: Callable[[], T], calls: Timed, seconds: float) -> T:
        try:
            return calls.call(work, seconds)
        except NoAnswer as error:
            raise EmbedderUnavailable(f"{self._called} {error}") from error


def _described(embedder: EmbeddingPort, called: str) -> Chosen:
    """What an embedder says of itself. Raises EmbedderUnavailable where that cannot be."""
    from memtui.embedding.checking import check_width
    from memtui.embedding.names import Chosen

    name, semantic = cast("tuple[object, object]", (embedder.model_id, embedder.semantic))
    if not is_name(name):
        raise EmbedderUnavailable(f"{called} calls its model what is no name: {NAMES}", field="model_id")
    if not isinstance(semantic, bool):
        raise EmbedderUnavailable(f"{name} does not say by True or False whether it is semantic", field="semantic")
    return Chosen(name, name, check_width(embedder.dims), semantic=semantic)


def _vectors(embedder: EmbeddingPort, texts: Sequence[str], purpose: Purpose, dims: int | None) -> NDArray[np.float32]:
    """The checked vectors of some texts, as wide as asked or as it says. Raises EmbedderUnavailable."""
    from memtui.embedding.checking import check_width, checked

    made = embedder.embed(list(texts), purpose=purpose)
    return checked(made, len(texts), check_width(embedder.dims) if dims is None else dims)


def registered(embedder: EmbeddingPort) -> Source:
    """The source that an embedder of the program's user is. Raises InvalidInput for what is none."""
    from memtui.embedding.process import WorkerEmbedder

    missing = [name for name in ("model_id", "dims", "semantic", "embed") if name not in dir(embedder)]
    if missing:
        raise InvalidInput(
            f"a {type(embedder).__name__} is no embedder: it has no {', '.join(missing)}",
            hint="memtui.EmbeddingPort says what an embedder has",
        )
    return OwnWorker(embedder) if isinstance(embedder, WorkerEmbedder) else RegisteredEmbedder(embedder)
