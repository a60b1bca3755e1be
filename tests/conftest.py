"""Every test runs in a zone, a home and an environment of its own."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import threading
from types import ModuleType
from typing import cast

import pytest
from hypothesis import settings

from memtui.memory.opening import open_memory
from memtui.store.duckdb import migrating
from memtui.store.duckdb.migrating import create
from memtui.text.analysis import ANALYSER
from tests.clocks import SteppingClock

# As `__main__` has it: the database engine looks for it at each value it is given.
sys.modules.setdefault("pandas", cast("ModuleType", None))

# Laws are about answers, not about the speed of a busy machine.
settings.register_profile("quick", deadline=None, max_examples=25)
settings.register_profile("thorough", deadline=None, max_examples=100)
settings.load_profile(os.environ.get("MEMTUI_LAWS", "quick"))


@pytest.fixture(autouse=True, scope="session")
def made_once(tmp_path_factory):
    """A new store is a copy of one that was really made: most tests need one, and few are about making it."""
    template = tmp_path_factory.mktemp("made") / "memory.duckdb"
    create(template, analyser=ANALYSER)

    def copied(path, *, analyser):
        assert analyser == ANALYSER
        fresh = path.with_name(f".{path.name}.{threading.get_ident()}.copy")
        shutil.copy2(template, fresh)
        with contextlib.suppress(FileExistsError):
            os.link(fresh, path)
        fresh.unlink()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(migrating, "create", copied)
        yield


@pytest.fixture(autouse=True)
def isolated(monkeypatch, tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("MEMTUI_TZ", "UTC")
    monkeypatch.setenv("MEMTUI_ACTOR", "tester")
    monkeypatch.setenv("MEMTUI_EMBEDDER", "none")  # a test that is about meaning says so
    for name in ("MEMTUI_VAULT", "MEMTUI_CONFIG", "MEMTUI_THEME", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def clock():
    return SteppingClock(step=1000)


@pytest.fixture
def vault(tmp_path):
    folder = tmp_path / "vault"
    folder.mkdir()
    return folder


@pytest.fixture(params=["resident", pytest.param("one-shot", marks=pytest.mark.slow)])
def memory(request, vault, clock):
    """The same promises hold for a long-lived reader and, among the slow tests, for a one-shot command."""
    return open_memory(vault, create=True, clock=clock, resident=request.param == "resident")


@pytest.fixture
def write(vault):
    """Write a file of the vault."""

    def write(path, text, **options):
        file = vault / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(text, bytes):
            file.write_bytes(text)
        else:
            file.write_text(text, encoding="utf-8", newline="")
        return file

    return write
