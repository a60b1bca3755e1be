"""The only place that reads the time: everything else is handed a clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeAlias

from memtui.model.instants import Instant

Clock: TypeAlias = Callable[[], Instant]
"""Returns the present as microseconds since 1970-01-01 UTC."""


def system_clock() -> Instant:
    """The machine's present, in microseconds since 1970-01-01 UTC."""
    return time.time_ns() // 1_000


def monotonic_ms() -> float:
    """A steady count of milliseconds, for measuring how long something took."""
    return time.perf_counter() * 1_000
