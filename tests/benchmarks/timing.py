"""How time is taken: what is asked, and what many samples say."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable

Figures = dict[str, float]
"""What was measured, by the key of its row in the table."""

QUERIES = (
    "the",
    "weigh",
    "TKT-17",
    "olive mill",
    "src/m33.py",
    "which display colours",
    "tare thresho",
    "kış bakımı",
    "a",
    "scale clock drift mill hub",
)


def keystrokes(queries: Iterable[str] = QUERIES) -> list[str]:
    """The queries as they grow under the fingers, each text once."""
    return list(dict.fromkeys(query[:end] for query in queries for end in range(1, len(query) + 1)))


def timed(work: Callable[[], object]) -> float:
    """Milliseconds of one call."""
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1_000


def median(samples: Iterable[float]) -> float:
    """The middle of some samples."""
    return statistics.median(samples)


def p95(samples: Iterable[float]) -> float:
    """What 95 of 100 samples do not exceed."""
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
