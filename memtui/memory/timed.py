"""Calls into what the user of the library registered: in a thread each, for it may hang, and nothing waits for ever."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")

LONGEST_ANSWER = 2.0
"""Seconds that what was registered, or a loaded model, may take for a query (spec page 4, Degradation)."""


class TookTooLong(Exception):
    """A call did not come back in time, or one before it still has not."""


class Timed:
    """Makes the calls. One that takes longer than it may is left to itself, and until it comes back none is made.

    Its threads do not keep the program from ending.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._late: list[threading.Thread] = []
        self._lock = threading.Lock()

    def call(self, work: Callable[[], T], limit: float) -> T:
        """What the work gives, within `limit` seconds. Raises TookTooLong, and whatever the work raises."""
        with self._lock:
            self._late = [thread for thread in self._late if thread.is_alive()]
            busy = bool(self._late)
        if busy:
            raise TookTooLong("is still busy with an earlier question")
        outcome: _Outcome[T] = _Outcome(work)
        thread = threading.Thread(target=outcome.run, name=self._name, daemon=True)
        thread.start()
        if not outcome.done.wait(limit):
            with self._lock:
                self._late.append(thread)
            raise TookTooLong(f"did not answer within {limit:g} s")
        return outcome.given()


class _Outcome(Generic[T]):
    """What a call gives or raises, told from one thread to another."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._work = work
        self._given: list[T] = []
        self._raised: Exception | None = None
        self.done = threading.Event()

    def run(self) -> None:
        try:
            self._given.append(self._work())
        except Exception as error:
            self._raised = error
        except BaseException as error:  # who asked must not end because a guest wanted to
            self._raised = RuntimeError(f"it wanted to end the program: {type(error).__name__}")
        finally:
            self.done.set()

    def given(self) -> T:
        if self._raised is not None:
            raise self._raised
        return self._given[0]
