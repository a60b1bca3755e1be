"""The chronicle: every record as it stands in any belief state, and the moments at which anything changes."""

from __future__ import annotations

from itertools import product

import pytest

from memtui.errors import NotFound, Refused
from memtui.memory.opening import open_memory
from memtui.model.belief import BeliefState
from memtui.model.instants import DAY
from memtui.model.records import STATES, WORKSPACE, RecordKey
from memtui.search.lanes import LANE_ORDERS, NOT_YET_KNOWN
from tests.clocks import START, SteppingClock, at


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """Only read by the tests."""
    return life(tmp_path_factory.mktemp("life"))


def life(vault):
    """A memory with a life: revived often, superseded, to come, ended before it was known, and a document."""
    (vault / "notes").mkdir()
    (vault / "notes" / "plan.md").write_text("# Plan\n\nThe mill opens in spring.\n", encoding="utf-8")
    clock = SteppingClock(START)
    memory = open_memory(vault, create=True, clock=clock)
    memory.sync()
    clock.forward(DAY)
    memory.remember("The mill opens at six", name="opens", area="Mill/hours")
    for _ in range(3):
        clock.forward(DAY)
        memory.forget("opens")
        clock.forward(DAY)
        memory.revive("opens")
    memory.remember("The gate is green", name="gate", valid_from="2026-01-03", area="Gate")
    clock.forward(DAY)
    memory.supersede("gate", "The gate is blue", name="gate-blue")
    memory.remember("The fair begins", name="fair", valid_from="2026-06-01", valid_to="2026-06-08")
    memory.remember("The old bridge stood", name="bridge", valid_from="1986-01-01", valid_to="1999-01-01")
    clock.forward(DAY)
    memory.update("opens", summary="The mill opens at seven")
    memory.refresh()
    return memory


def moments(memory):
    chronicle = memory.chronicle()
    events = [*chronicle.transactions.tolist(), *chronicle.all_turns.tolist()]
    return sorted({event + step for event in events for step in (-1, 0, 1)})


def test_every_record_stands_as_a_look_at_it_says(told):
    chronicle = told.chronicle()
    present = int(chronicle.transactions[-1])
    known = [moment for moment in moments(told) if moment <= present]
    for known_at, true_at in product(known[::3], moments(told)[::3]):
        lanes = chronicle.lanes(known_at, true_at)
        assert len(lanes) == len(chronicle.numbers)
        keys = {number: key for key, number in chronicle.numbers.items()}
        for record, row, state in zip(lanes.record.tolist(), lanes.row.tolist(), lanes.state.tolist(), strict=True):
            version = chronicle.version(row)
            assert version.key == keys[record]
            try:
                seen = told.show(keys[record], belief=BeliefState(known_at, true_at))
            except NotFound:
                assert state == NOT_YET_KNOWN
                assert version.recorded_at > known_at
            else:
                assert STATES[state] == seen.state
                assert version.seq == seen.seq


def test_a_file_first_seen_later_may_have_been_there_before(told):
    lanes = told.chronicle().lanes(START - DAY, START - DAY)
    blind = [told.chronicle().version(row).key.name for row in lanes.row[lanes.blind].tolist()]
    assert blind == ["notes/plan"]
    assert set(lanes.state.tolist()) == {NOT_YET_KNOWN}


def test_the_moments_are_those_of_what_was_believed_then(told):
    chronicle = told.chronicle()
    before_the_gate = int(chronicle.transactions[1])
    assert at("2026-06-01") not in chronicle.turns(before_the_gate)
    now = chronicle.turns(int(chronicle.transactions[-1])).tolist()
    assert {at("2026-06-01"), at("2026-06-08"), at("1986-01-01"), at("1999-01-01"), at("2026-01-03")} <= set(now)
    assert now == sorted(set(now))
    assert set(now) <= set(chronicle.all_turns.tolist())
    # Each of the three gaps of one memory begins and ends.
    assert len([moment for moment in now if START + DAY <= moment <= START + 8 * DAY]) >= 7


@pytest.mark.parametrize(
    ("order", "first"),
    [
        ("first-known", ["notes/plan", "opens", "gate"]),
        ("name", ["bridge", "fair", "gate"]),
        ("area", ["gate", "gate-blue", "opens"]),
    ],
)
def test_lanes_come_in_an_order(told, order, first):
    chronicle = told.chronicle()
    present = int(chronicle.transactions[-1])
    lanes = chronicle.lanes(present, present, order=order)
    assert [chronicle.version(row).key.name for row in lanes.row.tolist()][:3] == first


def test_by_retention_comes_first_what_is_most_in_mind(told):
    chronicle = told.chronicle()
    present = int(chronicle.transactions[-1])
    for known_at in (present, int(chronicle.transactions[2])):
        lanes = chronicle.lanes(known_at, known_at, order="retention", kinds=["engram"])
        known = [
            row for row, state in zip(lanes.row.tolist(), lanes.state.tolist(), strict=True) if state < NOT_YET_KNOWN
        ]
        seen = [told.show(chronicle.version(row).key, belief=BeliefState(known_at)) for row in known]
        retentions = told.retentions(seen, belief=BeliefState(known_at))
        assert retentions == sorted(retentions, reverse=True)

        assert all(state == NOT_YET_KNOWN for state in lanes.state.tolist()[len(known) :])


def test_what_is_asked_for_stays_in_its_order_and_kinds_leave_out(told):
    chronicle = told.chronicle()
    present = int(chronicle.transactions[-1])
    wanted = [
        chronicle.numbers[RecordKey(WORKSPACE, kind, name)]
        for kind, name in (("engram", "fair"), ("note", "notes/plan"), ("engram", "bridge"))
    ]
    for order in LANE_ORDERS:
        assert chronicle.lanes(present, present, order=order, records=wanted).record.tolist() == wanted
    lanes = chronicle.lanes(present, present, kinds=["note"], records=wanted)
    assert lanes.record.tolist() == wanted[1:2]
    assert lanes.place_of(wanted[1]) == 0
    assert lanes.place_of(wanted[0]) is None


def test_what_is_known_later_is_in_a_later_chronicle_and_nothing_is_held_unasked(vault):
    told = life(vault)
    chronicle = told.chronicle()
    told.recall("mill")
    assert told.chronicle().transactions is chronicle.transactions  # a recall is no version
    told.remember("The gate squeaks", name="squeak")
    told.refresh()
    later = told.chronicle()
    assert len(later.transactions) == len(chronicle.transactions) + 1
    assert [version.key.name for version in later.recorded_in(int(later.transactions[-1]))] == ["squeak"]
    assert [v.operation for v in later.versions_of(later.numbers[RecordKey(WORKSPACE, "engram", "gate")])] == [
        "remember", "supersede"
    ]  # fmt: skip
    with pytest.raises(Refused):
        open_memory(vault, resident=False).chronicle()
