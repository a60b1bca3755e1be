"""Clocks for tests: the present is passed in, so every test chooses its own."""

from __future__ import annotations

from memtui.model.instants import HOUR, Instant
from memtui.text.dates import parse_instant

START = 1_767_225_600_000_000  # 2026-01-01T00:00:00Z


class SteppingClock:
    """A clock that stands still until it is moved, or steps by a fixed amount at each reading."""

    def __init__(self, start: Instant = START, step: Instant = 0) -> None:
        self.now = start
        self.step = step

    def __call__(self) -> Instant:
        self.now += self.step
        return self.now

    def forward(self, amount: Instant = HOUR) -> Instant:
        self.now += amount
        return self.now


def at(text: str) -> Instant:
    """An instant from ISO text in UTC."""
    from datetime import timezone

    return parse_instant(text, timezone.utc)
