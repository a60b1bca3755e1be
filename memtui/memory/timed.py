"""Calls into what the user of the library registered: in a thread each, for it may hang, and nothing waits for ever."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeGuard, TypeVar

from memtui.errors import MemtuiError, said

T = TypeVar("T")

LONGEST_ANSWER = 2.0
"""Seconds that what was registered, or a loaded model, may take for a query (spec page 4, Degradation)."""


_LONGEST_NAME = 120
"""Characters of what a guest calls itself: it stands in answers, in explanations and beside every vector."""


class NoAnswer(Exception):
    """A call failed, did not come back in time, or one before it still has not; its text goes on from a name."""


def is_name(name: object) -> TypeGuard[str]:
    """Whether what was registered may be called so: text that says something, on one line, without terminal escapes."""
    return isinstance(name, str) and name.isprintable() and bool(name.strip()) and len(name) <= _LONGEST_NAME


NAMES = f"a name is text of at most {_LONGEST_NAME} visible characters"


class Timed:
    """Makes the calls. One that takes longer than it may is left to itself, and until it comes back none is made.

    Its threads do not keep the program from ending.
    """

    def __init__(self, name: str, passes: type[MemtuiError]) -> None:
        """Threads are called by the name; errors of the class `passes` are raised as they are."""
        self._name = name
        self._passes = passes
        self._late: list[threading.Thread] = []
        self._lock = threading.Lock()

    def call(self, work: Callable[[], T], limit: float) -> T:
        """What the work gives, within `limit` seconds. Raises NoAnswer, and of what the work raises what passes."""
        with self._lock:
            self._late = [thread for thread in self._late if thread.is_alive()]
            busy = bool(self._late)
        if busy:
            raise NoAnswer("is still busy with an earlier question")
        outcome: _Outcome[T] = _Outcome(work, self._passes)
        thread = threading.Thread(target=outcome.run, name=self._name, daemon=True)
        thread.start()
        if not outcome.done.wait(limit):
            with self._lock:
                self._late.append(thread)
            raise NoAnswer(f"did not answer within {limit:g} s")
        return outcome.given()


class _Outcome(Generic[T]):
    """What a call gives or raises, told from one thread to another."""

    def __init__(self, work: Callable[[], T], passes: type[MemtuiError]) -> None:
        self._work = work
        self._passes = passes
        self._given: list[T] = []
        self._raised: Exception | None = None
        self.done = threading.Event()

    def run(self) -> None:
        try:
            self._given.append(self._work())
        except BaseException as error:  # also where a guest wants to end the program
            # Put into words here: saying what is wrong may hang or fail like anything else of a guest's.
            self._raised = error if self._may_pass(error) else self._failed(error)
        finally:
            self.done.set()

    def _may_pass(self, error: BaseException) -> TypeGuard[Exception]:
        return isinstance(error, self._passes) and isinstance(getattr(error, "message", None), str)

    @staticmethod
    def _failed(error: BaseException) -> NoAnswer:
        how = "failed" if isinstance(error, Exception) else "wanted to end the program"
        failed = NoAnswer(f"{how}: {said(error)}")
        failed.__cause__ = error
        return failed

    def given(self) -> T:
        if self._raised is not None:
            raise self._raised
        return self._given[0]
