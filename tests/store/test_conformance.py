"""One suite for every ledger: the embedded store and the in-memory twin must behave alike."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memtui.errors import Refused
from memtui.model.canonical import chain_hash
from memtui.model.instants import DAY, HOUR
from memtui.model.problems import Problem
from memtui.model.records import Content, RecordKey, Revival
from memtui.store.duckdb.ledger import DuckDBLedger
from memtui.store.port import SourceFile
from tests.clocks import START, SteppingClock
from tests.store.drafts import FULL, KEY, draft
from tests.twins.ledger import TwinLedger


def test_a_content_comes_back_as_it_was_written(ledger):
    with ledger.writing() as unit:
        written = unit.append(draft(FULL))
    with ledger.reading() as unit:
        assert unit.current([KEY])[KEY].content == FULL
        assert [v.content_hash for v in unit.tail({})] == [written.content_hash]


@pytest.mark.parametrize("confidence", [1.0, 7.25, "firm", "Burning", None])
def test_confidence_is_kept_as_its_author_wrote_it(ledger, confidence):
    with ledger.writing() as unit:
        unit.append(draft(Content(summary="x", valid_from=START, confidence=confidence)))
    with ledger.reading() as unit:
        stored = unit.current([KEY])[KEY].content.confidence
    assert stored == confidence
    assert type(stored) is type(confidence)


def test_one_stamp_per_transaction_strictly_growing(ledger, clock):
    stamps = []
    for round_ in range(3):
        clock.now = START - round_ * HOUR  # a clock that is set back again and again
        with ledger.writing() as unit:
            for name in ("a", "b"):
                unit.append(
                    draft(Content(summary=f"{name}{round_}", valid_from=START), RecordKey("workspace", "engram", name))
                )
    with ledger.reading() as unit:
        versions = unit.tail({})
    assert [v.seq for v in versions] == [1, 2, 3, 4, 5, 6]
    stamps = [v.recorded_at for v in versions]
    assert stamps[0] == stamps[1] < stamps[2] == stamps[3] < stamps[4] == stamps[5]


def test_sequence_and_chain_run_per_partition(ledger):
    other = RecordKey("personal:x", "engram", "port")
    with ledger.writing() as unit:
        unit.append(draft(Content(summary="one", valid_from=START)))
        unit.append(draft(Content(summary="mine", valid_from=START), other))
        unit.append(draft(Content(summary="two", valid_from=START)))
    with ledger.reading() as unit:
        versions = unit.tail({})
        heads = unit.heads()
        assert [v.seq for v in unit.tail({"workspace": 1}) if v.key.partition == "workspace"] == [2]
    for partition in ("workspace", "personal:x"):
        chain = ""
        for v in (v for v in versions if v.key.partition == partition):
            chain = chain_hash(
                chain,
                v.key,
                seq=v.seq,
                recorded_at=v.recorded_at,
                operation=v.operation,
                actor=v.actor,
                reason=v.reason,
                content_digest=v.content_hash,
                origin_known=v.origin_known,
            )
            assert v.chain == chain
        assert heads[partition].chain == chain
    assert heads["workspace"].seq == 2
    assert heads["personal:x"].seq == 1


def test_the_same_content_again_writes_nothing(ledger):
    content = Content(summary="same", valid_from=START)
    with ledger.writing() as unit:
        assert unit.append(draft(content)) is not None
        assert unit.append(draft(content)) is None
    with ledger.writing() as unit:
        assert unit.append(draft(content)) is None
    with ledger.reading() as unit:
        assert len(unit.tail({})) == 1


def test_a_write_unit_reads_what_it_appended(ledger):
    with ledger.writing() as unit:
        unit.append(draft(Content(summary="one", valid_from=START)))
        assert [v.content.summary for v in unit.history(KEY)] == ["one"]
        unit.append(draft(Content(summary="two", valid_from=START), operation="update"))
        assert [v.seq for v in unit.tail({"workspace": 1})] == [2]
        assert unit.current([KEY])[KEY].content.summary == "two"
        assert len(unit.columns(["workspace"])) == 2


def test_an_exception_rolls_everything_back(ledger):
    with pytest.raises(RuntimeError), ledger.writing() as unit:
        unit.append(draft(Content(summary="lost", valid_from=START)))
        raise RuntimeError("power cut")
    with ledger.reading() as unit:
        assert list(unit.tail({})) == []
        assert unit.text_count() == 0


def test_a_past_invalidation_is_lifted_only_by_a_quoted_revival(ledger, clock):
    content = Content(summary="x", valid_from=START, valid_to=START + DAY, superseded_by="y")
    clock.now = START + 10 * DAY
    with ledger.writing() as unit:
        unit.append(draft(content))
    for attempt in (None, START + 2 * DAY):
        with ledger.writing() as unit:
            unit.append(
                draft(Content(summary=f"edited {attempt}", valid_from=START, valid_to=attempt), operation="update")
            )
        with ledger.reading() as unit:
            kept = unit.current([KEY])[KEY].content
        assert (kept.valid_to, kept.superseded_by) == (START + DAY, "y")
    quoted = Content(summary="x", valid_from=START, revivals=(Revival(START + DAY, START + 9 * DAY),))
    with ledger.writing() as unit:
        unit.append(draft(quoted, operation="revive"))
        unit.append(draft(Content(summary="forgot the gap", valid_from=START), operation="update"))
    with ledger.reading() as unit:
        current = unit.current([KEY])[KEY].content
    assert current.valid_to is None
    assert current.revivals == quoted.revivals


def test_what_no_record_may_hold_is_refused(ledger):
    with pytest.raises(Refused, match="before or as it begins"), ledger.writing() as unit:
        unit.append(draft(Content(summary="x", valid_from=START, valid_to=START - 1)))
    with pytest.raises(Refused, match="valid_from"), ledger.writing() as unit:
        unit.append(draft(Content(summary="x")))


def test_belief_states_of_the_columns(ledger, clock):
    def record(name, **content):
        clock.forward()
        with ledger.writing() as unit:
            unit.append(draft(Content(summary=name, **content), RecordKey("workspace", "engram", name)))
            return unit.stamp

    first = record("a", valid_from=START)
    second = record("a", valid_from=START, valid_to=START + 5 * HOUR)
    record("b", valid_from=START + 100 * DAY)
    with ledger.reading() as unit:
        columns = unit.columns(["workspace"])
    assert list(columns.rows_at(first - 1)) == []
    assert list(columns.rows_at(first)) == [0]
    assert list(columns.rows_at(second)) == [1]
    rows = columns.rows_at(second + DAY)
    assert list(rows) == [1, 2]
    assert list(columns.in_force(rows, START + 4 * HOUR)) == [True, False]
    assert list(columns.in_force(rows, START + 5 * HOUR)) == [False, False]
    assert list(columns.in_force(rows, START + 100 * DAY)) == [False, True]


def test_gaps_of_a_revived_memory(ledger, clock):
    clock.now = START + 9 * DAY
    gap = Revival(START + 2 * DAY, START + 4 * DAY)
    with ledger.writing() as unit:
        unit.append(draft(Content(summary="x", valid_from=START, revivals=(gap,))))
    with ledger.reading() as unit:
        columns = unit.columns(["workspace"])
    rows = np.array([0])
    inside = [bool(columns.in_force(rows, START + d * DAY)[0]) for d in (-1, 0, 1, 2, 3, 4, 5)]
    assert inside == [False, True, True, False, False, True, True]


def test_bookkeeping_of_files(ledger):
    note = RecordKey("workspace", "note", "a")
    with ledger.writing() as unit:
        unit.append(draft(Content(title="a", valid_from=START, path="a.md"), note))
        unit.note_files(
            "workspace",
            files=[SourceFile("a.md", 3, 5, "d1"), SourceFile("b.md", 4, 6, "d2")],
            gone=[],
            records={"a.md": [(note, 7)], "b.md": []},
            problems={"a.md": [Problem("a.md", "odd", 2, "date", "x")], "b.md": []},
            settings="s1",
        )
    with ledger.reading() as unit:
        state = unit.sync_state("workspace")
        assert state.files["a.md"] == SourceFile("a.md", 3, 5, "d1")
        assert state.records["a.md"] == (note,)
        assert state.problems == (Problem("a.md", "odd", 2, "date", "x"),)
        assert state.last_sync is not None
        assert unit.lines() == {note: 7}
        assert unit.at_rows([("workspace", 1)])[0].content.line == 7
    with ledger.writing() as unit:
        unit.note_files("workspace", files=[], gone=["a.md"], records={}, problems={}, settings="s2")
    with ledger.reading() as unit:
        state = unit.sync_state("workspace")
        assert set(state.files) == {"b.md"}
        assert state.problems == ()
        assert state.settings == "s2"
        assert unit.names(["workspace"]) == [(0, note, ())]


TEXTS = st.text(st.sampled_from("ab çı-1 日本 'x"), max_size=12)


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from("pqr"), TEXTS, TEXTS, TEXTS), min_size=1, max_size=6))
def test_both_ledgers_index_alike(tmp_path_factory, steps):
    folder = tmp_path_factory.mktemp("alike")
    ledgers = [DuckDBLedger(folder / "m.duckdb", SteppingClock(step=1)), TwinLedger(SteppingClock(step=1))]
    seen = []
    for ledger in ledgers:
        for name, title, body, tag in steps:
            with ledger.writing() as unit:
                content = Content(summary=body, title=title, tags=(tag,), valid_from=START)
                unit.append(draft(content, RecordKey("workspace", "engram", name)))
        with ledger.reading() as unit:
            lengths, block, names = unit.text_lengths(), unit.postings(), unit.identity_postings(None)
        seen.append(
            (
                lengths.plain.tolist(),
                lengths.weighted.tolist(),
                block.terms,
                block.offsets.tolist(),
                block.text_id.tolist(),
                block.count.tolist(),
                block.weighted.tolist(),
                names.terms,
                names.text_id.tolist(),
            )
        )
    assert seen[0] == seen[1]
