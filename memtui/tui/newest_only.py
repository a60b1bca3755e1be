"""Work in threads where only the newest request matters.

A thread cannot be stopped, so of an exclusive worker's older runs the slow ones would answer last.
Here at most one run is under way; of the requests that arrive meanwhile only the newest is kept and
runs next. Nothing waits for a pause in typing, and nothing piles up.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from textual.dom import DOMNode
from textual.widget import Widget

Request = TypeVar("Request")


class NewestOnly(Generic[Request]):
    """Runs `work(request)` in a thread of `host`, one at a time, newest request next."""

    def __init__(self, host: Widget, name: str, work: Callable[[Request], None]) -> None:
        self._host: DOMNode = host
        self._name = name
        self._work = work
        self._lock = threading.Lock()
        self._running = False
        self._waiting: list[Request] = []

    def ask(self, request: Request) -> None:
        """Run with this request as soon as the run under way ends; an older waiting one is dropped."""
        with self._lock:
            self._waiting = [request]
            if self._running:
                return
            self._running = True
        self._host.run_worker(
            self._run, name=self._name, group=self._name, description=self._name, thread=True, exit_on_error=False
        )

    @property
    def superseded(self) -> bool:
        """Whether a newer request waits, so that the rest of the run under way is for nothing."""
        return bool(self._waiting)

    @property
    def running(self) -> bool:
        """Whether a run is under way."""
        return self._running

    def _run(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._running = False
                    return
                request = self._waiting.pop()
            try:
                self._work(request)
            except BaseException:
                # `work` reports its own failures; whatever else escapes must not leave us busy for ever.
                with self._lock:
                    self._running = False
                raise
