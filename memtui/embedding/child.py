"""One worker process as its program sees it: how it is started, asked and ended, and what became of it."""

from __future__ import annotations

import io
import itertools
import logging
import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from queue import SimpleQueue
from typing import IO, NamedTuple, cast

from memtui.embedding.port import Purpose, Vectors
from memtui.embedding.wire import Message, as_bytes, error_from, read_message
from memtui.errors import EmbedderUnavailable

log = logging.getLogger(__name__)

_THREADS = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"), "2")
"""More gain nothing with short texts, and would take the machine from its user, who may set them otherwise."""
_LAST_LINES = 20
_SECONDS_TO_END = 2.0


class Loaded(NamedTuple):
    """What a worker says of its model once it is loaded."""

    model_id: str
    dims: int
    semantic: bool


class ChildEnded(Exception):
    """The worker process ended before it answered."""


class Child:
    """A worker process and the questions it has not answered yet. Safe to be used from several threads.

    No call waits for the worker: a thread writes to it, one reads its answers, one what it prints.
    """

    def __init__(self, arguments: Sequence[str]) -> None:
        """Start it. Raises OSError where it cannot be started."""
        self.loaded: Future[Loaded] = Future()
        self._pending: dict[int, Future[Vectors]] = {}
        self._lock = threading.Lock()
        self._ids = itertools.count(1)
        self._ended: ChildEnded | EmbedderUnavailable | None = None
        self._outbox: SimpleQueue[bytes | None] = SimpleQueue()
        self._printed: deque[str] = deque(maxlen=_LAST_LINES)
        self._owner = os.getpid()
        # -P: neither the working folder nor a script's may put its own modules before the real ones.
        self._process = subprocess.Popen(  # noqa: S603 - this very Python, without a shell
            [sys.executable, "-P", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env=_environment(),
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self.pid = self._process.pid
        self._stderr_thread = threading.Thread(target=self._keep_what_is_printed, daemon=True)
        self._threads = (
            self._stderr_thread,
            threading.Thread(target=self._write, daemon=True),
            threading.Thread(target=self._read, daemon=True),
        )
        for thread in self._threads:
            thread.start()

    def ask(self, texts: Sequence[str], purpose: Purpose) -> tuple[int, Future[Vectors]]:
        """Send texts to be embedded: the request's number and its answer to come.

        Raises ChildEnded if it has ended, EmbedderUnavailable if its model did not load.
        """
        number = next(self._ids)
        message = as_bytes({"id": number, "purpose": purpose, "texts": list(texts)})
        answer: Future[Vectors] = Future()
        with self._lock:
            if self._ended is not None:
                raise self._ended
            self._pending[number] = answer
        self._outbox.put(message)
        return number, answer

    def forget(self, number: int) -> None:
        """Nobody waits for this answer any more."""
        with self._lock:
            self._pending.pop(number, None)
        self._outbox.put(as_bytes({"cancel": number}))

    @property
    def alive(self) -> bool:
        """Whether it has not ended, as far as is known."""
        return self._ended is None

    @property
    def refusal(self) -> EmbedderUnavailable | None:
        """Why its model did not load; None if it did, or is still being loaded."""
        return self._ended if isinstance(self._ended, EmbedderUnavailable) else None

    def end(self) -> None:
        """End it at once: it keeps nothing that could be lost. A fork of the program leaves it alone."""
        if os.getpid() != self._owner:
            return
        self._process.kill()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(_SECONDS_TO_END)

    def let_go(self) -> None:
        """In a fork of the program: close the way to the worker, which would else outlive the program itself."""
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, cast("IO[bytes]", self._process.stdin).fileno())
        os.close(nothing)

    def _write(self) -> None:
        stdin = cast("IO[bytes]", self._process.stdin)
        with stdin:
            while (message := self._outbox.get()) is not None:
                left = memoryview(message)
                try:
                    while left:
                        left = left[stdin.write(left) :]
                except OSError:  # it has ended; the reading thread tells everybody
                    return

    def _read(self) -> None:
        trouble = ""
        with io.BufferedReader(cast("io.RawIOBase", self._process.stdout)) as stdout:
            try:
                while (message := read_message(cast("IO[bytes]", stdout))) is not None:  # pyright: ignore[reportArgumentType]
                    self._receive(message)
            except Exception as error:  # whatever a worker may send, nobody must wait for it for ever
                trouble = f"it did not keep to the protocol ({error}); "
                self._process.kill()
        self._finish(trouble)

    def _receive(self, message: Message) -> None:
        header, vectors = message
        if "loaded" in header:
            self.loaded.set_result(Loaded(**header["loaded"]))
        elif "failed" in header:
            error = error_from(header["failed"])
            with self._lock:
                self._ended = error
            self.loaded.set_exception(error)
            self._process.kill()
            self._fail_all(error)
        else:
            with self._lock:
                answer = self._pending.pop(int(header["id"]), None)
            if answer is None:  # no longer waited for
                return
            if vectors is not None:
                answer.set_result(vectors)
            else:
                answer.set_exception(error_from(header["error"]))

    def _finish(self, trouble: str) -> None:
        """It has closed its output: see that it is gone, and tell everybody who waits."""
        try:
            status = self._process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            status = self._process.wait()
        self._stderr_thread.join(_SECONDS_TO_END)
        said = next((line for line in reversed(self._printed) if line.strip()), "")
        ended = ChildEnded(f"{trouble}it {_how(status)}" + (f": {said.strip()[:200]}" if said else ""))
        self._outbox.put(None)
        with self._lock:
            self._ended = self._ended or ended
        if not self.loaded.done():
            self.loaded.set_exception(ended)
        self._fail_all(ended)

    def _fail_all(self, error: Exception) -> None:
        with self._lock:
            pending, self._pending = self._pending, {}
        for answer in pending.values():
            answer.set_exception(error)

    def _keep_what_is_printed(self) -> None:
        with io.TextIOWrapper(
            io.BufferedReader(cast("io.RawIOBase", self._process.stderr)), encoding="utf-8", errors="replace"
        ) as stderr:
            for line in stderr:
                self._printed.append(line)
                log.debug("embedding worker: %s", line.rstrip())


def _how(status: int) -> str:
    if status >= 0:
        return f"ended with status {status}"
    try:
        return f"was ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"was ended by signal {-status}"


def _environment() -> dict[str, str]:
    """The program's environment, the threads of number crunching bounded, and this very memtui to be found."""
    environment = {**_THREADS, **os.environ}
    root = str(Path(__file__).resolve().parents[2])
    if Path(root).name not in {"site-packages", "dist-packages"}:
        # Run from a checkout that is not installed. Behind what the user has set, and never site-packages, which
        # would then come before the standard library.
        paths = [path for path in environment.get("PYTHONPATH", "").split(os.pathsep) if path]
        environment["PYTHONPATH"] = os.pathsep.join([*paths, root])
    return environment
