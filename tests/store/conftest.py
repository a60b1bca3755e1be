"""Every ledger keeps the same promises: the embedded store and its twin in memory."""

from __future__ import annotations

import pytest

from memtui.store.duckdb.ledger import DuckDBLedger
from tests.clocks import SteppingClock
from tests.twins.ledger import TwinLedger


@pytest.fixture
def clock():
    return SteppingClock(step=1000)


@pytest.fixture
def another(request, tmp_path, clock, store):
    """Make one more empty ledger of the same sort."""

    def make(name="another"):
        return TwinLedger(clock) if store == "twin" else DuckDBLedger(tmp_path / name / "memory.duckdb", clock)

    return make


@pytest.fixture(params=["duckdb", "twin"])
def store(request):
    return request.param


@pytest.fixture
def ledger(another):
    return another("first")
