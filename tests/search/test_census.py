"""The census: what is counted is what a walk over all records counts, in any belief state."""

from __future__ import annotations

from collections import Counter

import pytest

from memtui.memory.opening import open_memory
from memtui.model.belief import BeliefState
from memtui.model.instants import DAY
from tests.clocks import SteppingClock, at

START = at("2026-01-05T10:00:00Z")


@pytest.fixture
def told(vault):
    """A memory that grew, lost and superseded, with the moments between."""
    clock = SteppingClock(START, step=0)
    memory = open_memory(vault, create=True, clock=clock)
    moments = []
    (vault / "notes").mkdir()
    (vault / "notes" / "a.md").write_text("# A note\n\ntext\n", encoding="utf-8")
    memory.sync()
    for number in range(6):
        memory.remember(f"Scale {number} is checked at dawn by someone else", name=f"scale-{number}")
        moments.append(clock())
        clock.forward(DAY)
    memory.forget("scale-1")
    moments.append(clock())
    clock.forward(DAY)
    memory.supersede("scale-2", "Scale two was sold to a farm", name="sold")
    memory.remember("Scale nine arrives later", name="later", valid_from="2027-01-01")
    moments.append(clock())
    clock.forward(30 * DAY)
    return memory, moments


def test_it_counts_what_a_listing_lists(told):
    memory, moments = told
    for known_at in [*moments, None]:
        belief = BeliefState(known_at)
        census = memory.census(belief)
        listed = memory.list(belief=belief, all=True)
        states = Counter(record.state for record in listed)
        kinds = Counter(record.key.kind for record in listed if record.state == "in_force")
        assert dict(census.states) == dict(states)
        assert census.kinds == {"workspace": dict(kinds)}
        assert census.in_force == kinds.total()
        assert len(census.first_known) == len(listed)
        assert list(census.first_known) == sorted(census.first_known)


def test_retention_is_that_of_the_memories_in_force(told):
    memory, _ = told
    records = list(memory.list(kinds="engram"))
    expected = sorted(level for level in memory.retentions(records) if level is not None)
    assert sorted(memory.census().retention.tolist()) == pytest.approx(expected)
    assert len(expected) == 5


def test_a_record_counts_from_its_first_version(told):
    memory, _ = told
    memory.update("scale-0", summary="Scale zero is checked at dusk")
    assert memory.census().first_known[0] == START
    assert len(memory.census().first_known) == len(memory.list(all=True))


def test_an_empty_vault_counts_nothing(vault):
    census = open_memory(vault, create=True, clock=SteppingClock(START)).census()
    assert census.in_force == 0
    assert not census.kinds
    assert not len(census.first_known)
    assert not len(census.retention)
