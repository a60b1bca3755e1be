"""The embedder programs use: its model lives in one worker process, so that loading it and bulk work hold up nothing.

Importing and starting it loads no model and no runtime in this process.
"""

from __future__ import annotations

import os
import sys
import threading
import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import TypeVar

import numpy as np

from memtui.clock import monotonic_ms
from memtui.embedding.checking import checked
from memtui.embedding.child import Child, ChildEnded, Loaded
from memtui.embedding.names import Chosen
from memtui.embedding.port import Purpose, Vectors
from memtui.embedding.readable import LONGEST_TEXT
from memtui.errors import EmbedderUnavailable

_T = TypeVar("_T")
_RESTARTS = 1
_HINT = "search goes by words meanwhile"
_LONGEST_ANSWER = 120.0
"""Seconds that so many texts may take, loading included, where who asked sets no limit: a model in this state hangs."""
_TEXTS = 16


class WorkerEmbedder:
    """An EmbeddingPort whose model is loaded and run in a process of its own.

    The worker starts with the first text, or with `start`. If it dies it is started again once, what was asked of it
    is asked anew; when that one dies too, or the model does not load, every later call raises the reason at once until
    `start` is called. Safe to be used from several threads. It ends with `close`, with this object, and with this
    process, also when that is killed. In a fork of the process, the first text starts a worker of the fork's own.
    """

    def __init__(self, choice: Chosen, arguments: Sequence[str] | None = None) -> None:
        """`arguments` start another worker than memtui's own that speaks the same protocol."""
        self.choice = choice
        self.model_id = choice.model_id
        self.semantic = choice.semantic
        self._dims = choice.dims
        self._arguments = tuple(arguments or ("-m", "memtui.embedding.worker", choice.name))
        self._lock = threading.Lock()
        self._children: list[Child] = []
        """The running worker; empty if there is none."""
        self._restarts = _RESTARTS
        self._failure: EmbedderUnavailable | None = None
        self._closed = False
        self._finalizer = weakref.finalize(self, _end_all, self._children)
        _OPEN.add(self)

    @property
    def dims(self) -> int:
        """Width of the vectors; where only the model tells, waits until it is loaded. Raises EmbedderUnavailable."""
        if self._dims is None:
            self._dims = self._with_worker(lambda child, left: self._known(child, left), None).dims
        return self._dims

    @property
    def ready(self) -> bool:
        """Whether the model is loaded, so that an answer takes milliseconds."""
        return any(child.alive and _succeeded(child.loaded) for child in self._running())

    @property
    def loading(self) -> bool:
        """Whether the worker has been started and its model is not loaded yet."""
        return any(child.alive and not child.loaded.done() for child in self._running())

    @property
    def failure(self) -> EmbedderUnavailable | None:
        """Why there will be no vectors until `start` is called; None if nothing is known to be wrong."""
        return self._failure or next((child.refusal for child in self._running() if child.refusal is not None), None)

    @property
    def closed(self) -> bool:
        """Whether it was ended for good."""
        return self._closed

    @property
    def pid(self) -> int | None:
        """The worker's process; None if there is none."""
        return next((child.pid for child in self._running() if child.alive), None)

    def start(self) -> None:
        """Start the worker if it does not run, without waiting; after a failure, anew. Raises EmbedderUnavailable."""
        with self._lock:
            if self._children and self._children[0].alive and self._failure is None:
                return
            self._failure = None
            self._restarts = _RESTARTS
            self._drop()
            self._begin()

    def embed(self, texts: Sequence[str], *, purpose: Purpose, timeout: float | None = None) -> Vectors:
        """The vectors of some texts.

        A query does not wait behind passages. `timeout` is in seconds, loading included; beyond it
        EmbedderUnavailable is raised and the worker goes on with what others asked of it. With None it may take two
        minutes for each 16 texts; a worker that takes longer hangs, and is ended.
        """
        if not texts and self._dims is not None:
            return np.empty((0, self._dims), dtype=np.float32)
        cut = [text[:LONGEST_TEXT] for text in texts]

        def ask(child: Child, left: Callable[[], float]) -> Vectors:
            number, answer = child.ask(cut, purpose)
            try:
                vectors = answer.result(left())
            except TimeoutError:
                child.forget(number)
                raise
            return checked(vectors, len(cut), self._known(child, left).dims)

        return self._with_worker(ask, timeout, texts=len(cut))

    def close(self) -> None:
        """End the worker. Later calls raise EmbedderUnavailable."""
        with self._lock:
            self._closed = True
            self._drop()

    def _with_worker(self, do: Callable[[Child, Callable[[], float]], _T], timeout: float | None, texts: int = 1) -> _T:
        """Do something with a running worker, once more if it dies. `left` tells the seconds that remain."""
        seconds = _LONGEST_ANSWER * max(1, -(-texts // _TEXTS)) if timeout is None else timeout
        until = monotonic_ms() + seconds * 1_000

        def left() -> float:
            return max(0.0, (until - monotonic_ms()) / 1_000)

        while True:
            child = self._worker()
            try:
                return do(child, left)
            except TimeoutError as error:
                doing = "did not answer" if child.loaded.done() else "was still being loaded"
                late = EmbedderUnavailable(f"The model {doing} after {seconds:g} s.", hint=_HINT)
                if timeout is None:
                    self._note_hanging(child, late)
                raise late from error
            except ChildEnded as ended:
                self._note_end(child, ended)
            except EmbedderUnavailable as error:
                if child.loaded.done() and child.loaded.exception() is error:
                    self._note_failure(child, error)
                raise

    def _worker(self) -> Child:
        """The running worker, started if need be. Raises EmbedderUnavailable with the reason why there is none."""
        with self._lock:
            if self._failure is not None:
                raise _again(self._failure) from self._failure
            return self._children[0] if self._children else self._begin()

    def _begin(self) -> Child:
        if self._closed:
            raise EmbedderUnavailable("The embedder is closed.")
        try:
            if not sys.executable:
                raise OSError("it is not known which Python runs this program")
            child = Child(self._arguments)
        except (OSError, ValueError) as error:  # a zero byte in an argument is a ValueError
            self._failure = EmbedderUnavailable(f"The model's process does not start: {error}", hint=_HINT)
            raise self._failure from error
        self._children.append(child)
        return child

    def _known(self, child: Child, left: Callable[[], float]) -> Loaded:
        """What the worker says of its model, if it is the model this embedder stands for."""
        loaded = child.loaded.result(left())
        if loaded.model_id != self.model_id or self._dims not in (None, loaded.dims):
            raise EmbedderUnavailable(
                f"The model is {loaded.model_id} of width {loaded.dims}, no longer {self.model_id}: its files changed.",
                hint="choose the model again",
            )
        return loaded

    def _note_end(self, child: Child, ended: ChildEnded) -> None:
        """A worker died: it may be started again, or was the last. Several threads may tell of the same."""
        with self._lock:
            if child not in self._children:
                return
            self._drop()
            if self._restarts == 0:
                self._failure = EmbedderUnavailable(
                    f"The model's process died again after it had been restarted: {ended}.", hint=_HINT
                )
            self._restarts -= 1

    def _note_failure(self, child: Child, error: EmbedderUnavailable) -> None:
        with self._lock:
            if child in self._children:
                self._drop()
                self._failure = error

    def _note_hanging(self, child: Child, error: EmbedderUnavailable) -> None:
        """A worker hangs. One that never came to answer is not tried again; over some text, the next has a new one."""
        if not child.loaded.done():
            self._note_failure(child, error)
            return
        with self._lock:
            if child in self._children:
                self._drop()

    def _drop(self) -> None:
        _end_all(self._children)

    def _running(self) -> tuple[Child, ...]:
        return tuple(self._children)

    def _forked(self) -> None:
        """In a fork: the worker is the program's, and so may be a lock that was held."""
        self._lock = threading.Lock()
        for child in self._children:
            child.let_go()
        self._children.clear()


_SHARED: dict[Chosen, WorkerEmbedder] = {}
_SHARING = threading.Lock()


def shared_worker(choice: Chosen) -> WorkerEmbedder:
    """The program's one worker for a model, whoever asks: a model is loaded once, however many memories are open."""
    with _SHARING:
        worker = _SHARED.get(choice)
        if worker is None or worker.closed:
            worker = _SHARED[choice] = WorkerEmbedder(choice)
        return worker


def running_worker(choice: Chosen) -> WorkerEmbedder | None:
    """The same, if anyone asked for it yet."""
    worker = _SHARED.get(choice)
    return None if worker is None or worker.closed else worker


def _end_all(children: list[Child]) -> None:
    while children:
        children.pop().end()


def _succeeded(loaded: Future[Loaded]) -> bool:
    return loaded.done() and loaded.exception() is None


def _again(error: EmbedderUnavailable) -> EmbedderUnavailable:
    """The same error for another caller, with a traceback of its own."""
    return EmbedderUnavailable(error.message, hint=error.hint, file=error.file, choices=error.choices)


_OPEN: weakref.WeakSet[WorkerEmbedder] = weakref.WeakSet()


def _let_go_in_fork() -> None:
    for embedder in list(_OPEN):
        embedder._forked()  # pyright: ignore[reportPrivateUsage]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go_in_fork)
