"""The interface under test: no blinking, no animation, pictures that only change when the look does."""

from __future__ import annotations

import re

import pytest
from pytest_textual_snapshot import SVGImageExtension
from textual.widgets import Input

from memtui.memory.opening import open_memory
from memtui.model.instants import DAY
from memtui.tui.app import MemtuiApp
from tests.clocks import SteppingClock
from tests.tui.driving import LONGEST
from tests.tui.fake_memory import PRESENT, FakeMemory, engram

# pytest-textual-snapshot 1.0.0 sets the name syrupy 4 knew; and it stores an id made from the content,
# so that one changed letter would change some 200 lines.
SVGImageExtension.file_extension = "svg"
_serialize = SVGImageExtension.serialize


def _serialize_without_ids(self, data, **options):
    return _serialize(self, re.sub(r"terminal-\d+", "terminal", data), **options)


SVGImageExtension.serialize = _serialize_without_ids


@pytest.fixture(autouse=True)
def still(monkeypatch):
    """The cursor does not blink and nothing is animated."""
    monkeypatch.setattr(Input, "_toggle_cursor", lambda self: None)
    monkeypatch.setattr("textual.constants.TEXTUAL_ANIMATIONS", "none", raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name in ("TMUX", "STY", "DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def unhurried(monkeypatch):
    """What is said stays, and what is asked is waited for: the machine may be busy meanwhile."""
    monkeypatch.setattr(MemtuiApp, "NOTIFICATION_TIMEOUT", 3600.0)
    monkeypatch.setattr("memtui.tui.widgets.header_line._NOTICE_SECONDS", 3600.0)
    monkeypatch.setattr("memtui.memory.embedders.LONGEST_ANSWER", LONGEST)
    monkeypatch.setattr("memtui.memory.providing.LONGEST_ANSWER", LONGEST)


@pytest.fixture(autouse=True)
def by_words(monkeypatch):
    """No model is loaded unless a test registers an embedder: what is drawn would depend on how far it is."""
    monkeypatch.setenv("MEMTUI_EMBEDDER", "none")


@pytest.fixture
def records():
    """A few memories whose texts differ in one word each."""
    texts = [
        "The scale at the harbour drifts in the cold",
        "Backups run nightly at two",
        "The ledger is kept in DuckDB",
        "Labels for the new mill are printed by hand",
        "A scale must be zeroed on a clean platform",
    ]
    return [engram(f"m-{number}", text, area="Feature/weighing") for number, text in enumerate(texts)]


@pytest.fixture
def fake(records):
    """A memory that answers at once unless told otherwise."""
    return FakeMemory(records)


@pytest.fixture
def memory(vault, records):
    """A real memory that holds the same, the first one recorded last."""
    clock = SteppingClock(PRESENT - DAY, step=1000)
    memory = open_memory(vault, create=True, clock=clock)
    for record in reversed(records):
        memory.remember(record.content.summary, name=record.key.name, area=record.content.area)
    return memory


@pytest.fixture
def app(memory):
    """The program on a real memory at a fixed present."""
    return app_on(memory)


@pytest.fixture
def fake_app(fake):
    """The program on the fake memory, for what the real one cannot do on demand."""
    return app_on(fake)


def app_on(memory, **options):
    """The program on a memory, with the clock of the fake records."""
    app = MemtuiApp(memory, sync_on_start=options.pop("sync_on_start", False), clock=lambda: PRESENT, **options)
    app.animation_level = "none"
    return app
