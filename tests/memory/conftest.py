"""The verbs' promises hold over every store, however it is read."""

from __future__ import annotations

import shutil

import pytest

from tests.clocks import SteppingClock
from tests.memory.stores import STORES, opened
from tests.memory.stores import beside as beside_it


@pytest.fixture(autouse=True)
def no_one_in_particular(monkeypatch, tmp_path_factory):
    """Personal stores lie in a folder of this test, and nobody is anybody until the test says so."""
    monkeypatch.setenv("MEMTUI_PERSONAL_DIR", str(tmp_path_factory.mktemp("personal") / "stores"))
    monkeypatch.delenv("MEMTUI_PERSONAL_ID", raising=False)


@pytest.fixture(params=[pytest.param(name, marks=pytest.mark.slow if name == "one-shot" else ()) for name in STORES])
def store(request):
    """Which store, and how it is read."""
    return request.param


@pytest.fixture(scope="session")
def empty_store(tmp_path_factory):
    """The private folder of a vault in which nothing was ever recorded: to be copied, for making one takes long."""
    vault = tmp_path_factory.mktemp("empty")
    opened("one-shot", vault, SteppingClock()).make_store()
    return vault / ".memtui"


@pytest.fixture
def memory(store, vault, clock, empty_store):
    if store != "twin":
        shutil.copytree(empty_store, vault / ".memtui")
    return opened(store, vault, clock)


@pytest.fixture
def beside(store):
    """Another memory on the same store."""

    def open_beside(memory):
        return beside_it(memory, store)

    return open_beside
