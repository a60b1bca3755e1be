"""The worker process: loads one model and embeds what it is asked over its pipes, until its input ends.

Started as `python -m memtui.embedding.worker NAME`. It ends with the program that started it, however that ends.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import BinaryIO, NamedTuple

import numpy as np

from memtui.embedding.batching import batches
from memtui.embedding.checking import check_width, checked
from memtui.embedding.port import EmbeddingPort, Purpose, Vectors
from memtui.embedding.wire import as_bytes, read_message
from memtui.errors import EmbedderUnavailable, said

_SLICE_TEXTS = 16
_SLICE_CHARACTERS = 8_000
"""What is embedded of a bulk at a time: then questions come first, and a bulk nobody waits for any more is left."""
_SWITCH = 0.0005
"""Seconds after which a thread lets another run: a question must not wait 5 ms for each step of a bulk's tokenizer."""


class Request(NamedTuple):
    """Texts to be embedded."""

    id: int
    purpose: Purpose
    texts: Sequence[str]


def main() -> None:
    """Serve the embedder named by the first argument."""
    from memtui.embedding.choosing import chosen, in_process

    name = sys.argv[1]
    # Whatever a library would like to ask the network at its import or later, it must not make a search wait.
    os.environ.setdefault("HF_HUB_OFFLINE", "1")

    def make() -> EmbeddingPort:
        choice = chosen(name)
        if choice is None:
            raise EmbedderUnavailable(f"{name!r} is no model.")
        return in_process(choice)

    run(make)


def run(make: Callable[[], EmbeddingPort]) -> None:
    """Serve an embedder over this process's standard input and output, then end the process. Does not return."""
    # Ctrl-C at a terminal reaches every process there; the program itself decides whether it ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.excepthook = _end
    sys.setswitchinterval(_SWITCH)
    requests, answers = _take_pipes()
    status = 1
    try:
        serve(make, requests, answers)
        status = 0
    except BaseException:  # a panic of a runtime's is no Exception
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(status)  # without waiting for what is being embedded: nobody reads it any more


def serve(make: Callable[[], EmbeddingPort], requests: BinaryIO, answers: BinaryIO) -> None:
    """Load an embedder and answer requests until their stream ends. Raises ValueError if they are none."""
    desk = _Desk(answers)
    threading.Thread(target=desk.open, args=(make,), daemon=True).start()
    while (message := read_message(requests)) is not None:
        header = message.header
        if "cancel" in header:
            desk.cancel(int(header["cancel"]))
        else:
            desk.take(Request(int(header["id"]), header["purpose"], header["texts"]))


class _Desk:
    """What waits to be embedded: questions in one queue, everything else in another, each with its thread."""

    def __init__(self, answers: BinaryIO) -> None:
        self._answers = answers
        self._answering = threading.Lock()
        self._questions: SimpleQueue[Request] = SimpleQueue()
        self._passages: SimpleQueue[Request] = SimpleQueue()
        self._waiting: set[int] = set()
        """Requests that were neither answered nor taken back."""
        self._open_questions = 0
        self._changed = threading.Condition()

    def open(self, make: Callable[[], EmbeddingPort]) -> None:
        """Load the model, say so, and begin to answer; this thread goes on with the passages."""
        try:
            embedder = make()
            dims = check_width(embedder.embed(["Is it loaded?"], purpose="query").shape[1])
            loaded = {"model_id": embedder.model_id, "dims": dims, "semantic": embedder.semantic}
        except BaseException as error:  # panics of tokenizers written in Rust derive from it, and nobody else hears
            self._tell({"failed": _told(error)})
            return
        self._tell({"loaded": loaded})
        threading.Thread(target=self._answer_questions, args=(embedder,), daemon=True).start()
        while True:
            request = self._passages.get()
            self._answer(request, lambda request: self._embed_bulk(embedder, request, dims))

    def take(self, request: Request) -> None:
        """A new request."""
        with self._changed:
            self._waiting.add(request.id)
            self._open_questions += request.purpose == "query"
        (self._questions if request.purpose == "query" else self._passages).put(request)

    def cancel(self, request_id: int) -> None:
        """Nobody waits for this answer any more."""
        with self._changed:
            self._waiting.discard(request_id)

    def _answer_questions(self, embedder: EmbeddingPort) -> None:
        while True:
            request = self._questions.get()
            try:
                self._answer(request, lambda request: embedder.embed(request.texts, purpose="query"))
            finally:
                with self._changed:
                    self._open_questions -= 1
                    self._changed.notify_all()

    def _answer(self, request: Request, embed: Callable[[Request], Vectors | None]) -> None:
        if request.id not in self._waiting:
            return
        try:
            vectors = embed(request)
            message = b"" if vectors is None else _answer_of(request, vectors)
        except BaseException as error:  # whatever it is, somebody waits for this answer
            message = as_bytes({"id": request.id, "error": _told(error)})
        self._send(message)
        self.cancel(request.id)

    def _embed_bulk(self, embedder: EmbeddingPort, request: Request, dims: int) -> Vectors | None:
        """The vectors of many texts, slice by slice; None if they were taken back meanwhile."""
        texts = request.texts
        vectors = np.zeros((len(texts), dims), dtype=np.float32)
        for rows in batches(texts, _SLICE_TEXTS, _SLICE_CHARACTERS):
            with self._changed:
                self._changed.wait_for(lambda: not self._open_questions)
            if request.id not in self._waiting:
                return None
            # Checked here, or rows of another shape would be spread over those that are wanted.
            vectors[rows] = checked(embedder.embed([texts[row] for row in rows], purpose="passage"), len(rows), dims)
        return vectors

    def _tell(self, header: dict[str, object]) -> None:
        self._send(as_bytes(header))

    def _send(self, message: bytes) -> None:
        with self._answering:
            self._answers.write(message)
            self._answers.flush()


def _answer_of(request: Request, vectors: Vectors) -> bytes:
    """The message that answers a request. Raises ValueError where an embedder's answer is no table of numbers."""
    rows, dims = np.shape(vectors)
    return as_bytes({"id": request.id, "rows": rows, "dims": dims}, vectors)


def _end(crash: threading.ExceptHookArgs) -> None:
    """End the process where one of its threads dies: who waits for it is told so, and may start another."""
    traceback.print_exception(crash.exc_type, crash.exc_value, crash.exc_traceback)
    sys.stderr.flush()
    os._exit(1)


def _told(error: BaseException) -> dict[str, object]:
    """An error as it is told to the program; one that nobody foresaw also goes to the log with its place."""
    if isinstance(error, EmbedderUnavailable):
        return error.as_dict()
    traceback.print_exception(error)
    return EmbedderUnavailable(f"The model failed: {said(error)}").as_dict()


def _take_pipes() -> tuple[BinaryIO, BinaryIO]:
    """The pipes of this process, for the protocol alone: what else reads finds nothing, what prints goes to stderr."""
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return requests, answers


if __name__ == "__main__":
    main()
