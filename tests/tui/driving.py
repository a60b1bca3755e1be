"""Driving the interface in tests: wait for workers, never for time."""

from __future__ import annotations

import asyncio

from memtui.clock import monotonic_ms

LONGEST = 60.0
"""Seconds after which what has not come never will, however busy the machine is."""


async def settled(pilot):
    """Wait until no worker runs and nothing is left to paint."""
    quiet, running = 0, []

    def at_rest():
        nonlocal quiet, running
        running = [w.name for w in pilot.app.workers if w.is_running]
        quiet = 0 if running else quiet + 1
        return quiet == 3

    await until(pilot, at_rest, lambda: f"still running: {running}")


async def until(pilot, condition, missing=lambda: "it did not happen"):
    """Let the program run until something is so, other workers or not."""
    began = monotonic_ms()
    while monotonic_ms() - began < LONGEST * 1000:
        await pilot.pause()
        if condition():
            return
        await asyncio.sleep(0.005)
    raise AssertionError(missing())


async def typed(pilot, text):
    """Press the keys of a text, then wait."""
    await pilot.press(*["space" if c == " " else c for c in text])
    await settled(pilot)


async def pressed(pilot, *keys):
    """Press keys one after the other, waiting after each."""
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


def shown(app):
    """Every line of the screen as text."""
    return [strip.text for strip in app.screen._compositor.render_strips(app.size)]


def screen_text(app):
    """The whole screen as one text."""
    return "\n".join(shown(app))


def names(app):
    """The names of the listed records."""
    return [row.key.name for row in app.screen.results.rows]


def toasts(app):
    """The toasts shown so far, as text."""
    return [notification.message for notification in app._notifications]


class Handed:
    """What `App.suspend` gives: a terminal that was handed over, of which a test has none."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None
