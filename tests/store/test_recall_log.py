"""Recall events: a log of their own beside the versions, counted per reader, in every ledger alike."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memtui.model.instants import DAY, HOUR
from memtui.model.problems import Problem
from memtui.model.recalls import Recall
from memtui.model.records import Claim, Content, RecordKey, Revival
from memtui.store.columns import REINFORCES
from memtui.store.duckdb.ledger import DuckDBLedger
from memtui.store.port import ReplacedFile, SourceFile
from tests.clocks import START, SteppingClock
from tests.store.drafts import KEY, draft
from tests.twins.ledger import TwinLedger

OTHER = RecordKey("base", "engram", "mill")


def record(ledger, *keys):
    with ledger.writing() as unit:
        for key in keys:
            unit.append(draft(Content(summary=f"about {key.name}", valid_from=START), key))
        return unit.stamp


def recall(ledger, *keys, reader="workspace", cue="what was it"):
    with ledger.writing() as unit:
        return unit.recall(keys, reader=reader, cue=cue, actor="ada")


def test_an_event_is_no_version_and_is_stamped_after_all_there_is(ledger, clock):
    first = record(ledger, KEY)
    with ledger.reading() as unit:
        before = unit.heads(), unit.tail({}), unit.text_count()
        assert unit.last_stamp() == first
    clock.now = START - DAY
    (event,) = recall(ledger, KEY)
    assert event == Recall(KEY, "workspace", 1, first + 1, "what was it", "ada")
    with ledger.reading() as unit:
        assert (unit.heads(), unit.tail({}), unit.text_count()) == before
        assert unit.recalls(["workspace"]) == [event]
        assert unit.last_stamp() == event.recorded_at
    assert record(ledger, OTHER) == first + 2  # and the next version after the event


def test_events_are_numbered_per_reader(ledger):
    record(ledger, KEY, OTHER)
    recall(ledger, KEY, OTHER, KEY)
    recall(ledger, OTHER, reader="personal:ada")
    recall(ledger, KEY, reader="workspace")
    with ledger.reading() as unit:
        own = unit.recalls(["workspace"])
        assert [(r.key, r.seq) for r in own] == [(KEY, 1), (OTHER, 2), (KEY, 3)]
        assert own[0].recorded_at == own[1].recorded_at < own[2].recorded_at
        assert [(r.key, r.seq) for r in unit.recalls(["personal:ada"])] == [(OTHER, 1)]
        assert unit.recalls(["personal:bob"]) == []
        everyone = unit.recalls(["personal:ada", "workspace"])
        assert sorted(everyone, key=lambda r: (r.recorded_at, r.reader, r.seq)) == list(everyone)
        columns = unit.recall_columns(["personal:ada", "workspace"])
        numbers = {key: number for number, key, _ in unit.names(["workspace", "base"])}
        assert columns.record.tolist() == [numbers[r.key] for r in everyone]
        assert columns.recorded_at.tolist() == [r.recorded_at for r in everyone]
        assert len(unit.recall_columns(["personal:bob"])) == 0


def test_a_recall_of_what_lies_elsewhere_is_kept_and_not_counted(ledger):
    record(ledger, KEY)
    recall(ledger, OTHER, KEY)
    with ledger.reading() as unit:
        assert [r.key for r in unit.recalls(["workspace"])] == [OTHER, KEY]
        assert len(unit.recall_columns(["workspace"])) == 1


def test_an_exception_takes_the_events_back(ledger):
    record(ledger, KEY)
    with pytest.raises(RuntimeError), ledger.writing() as unit:
        unit.recall([KEY], reader="workspace", cue="x", actor="t")
        raise RuntimeError("power cut")
    with ledger.reading() as unit:
        assert unit.recalls(["workspace"]) == []


@pytest.mark.parametrize("cue", ["", 'it\'s "quoted"', "日本\n\x00 é", "x" * 1000])
def test_a_cue_comes_back_as_it_was(ledger, cue):
    record(ledger, KEY)
    recall(ledger, KEY, cue=cue)
    with ledger.reading() as unit:
        assert [r.cue for r in unit.recalls(["workspace"])] == [cue]


def test_only_what_says_something_new_starts_the_fading_anew(ledger, clock):
    steps = [
        (Content(summary="one", valid_from=START), True),
        (Content(summary="one", valid_from=START, tags=("a",)), False),
        (Content(summary="two", valid_from=START, tags=("a",)), True),
        (Content(summary="two", valid_from=START, tags=("a",), claims=(Claim("port", "1"),)), True),
        (Content(summary="two", valid_from=START, claims=(Claim("port", "1"),), pinned=True), False),
        (Content(summary="two", valid_from=START, valid_to=START + 5 * HOUR, claims=(Claim("port", "1"),)), False),
        (Content(summary="two", valid_from=START, claims=(Claim("port", "1"),), revivals=(GAP,)), True),
        (Content(summary="two", title="T", valid_from=START, claims=(Claim("port", "1"),), revivals=(GAP,)), True),
        (Content(summary="two", title="T", body="b", valid_from=START, revivals=(GAP,)), True),
    ]
    stamps = []
    for content, _ in steps:
        clock.forward(HOUR)
        with ledger.writing() as unit:
            assert unit.append(draft(content, operation="update")) is not None
            stamps.append(unit.stamp)
    with ledger.reading() as unit:
        columns = unit.columns(["workspace"])
        assert [v.reinforces for v in unit.history(KEY)] == [said for _, said in steps]
    assert [bool(flag & REINFORCES) for flag in columns.flags] == [said for _, said in steps]
    last = [max(s for s, (_, said) in zip(stamps[: n + 1], steps, strict=False) if said) for n in range(len(steps))]
    assert columns.reinforced_at.tolist() == last


GAP = Revival(START + 5 * HOUR, START + 7 * HOUR)


def test_a_renamed_record_goes_on(ledger, clock):
    new = RecordKey("workspace", "engram", "port-of-staging")
    said = record(ledger, KEY)
    recall(ledger, KEY)
    clock.forward(DAY)
    with ledger.writing() as unit:
        origin = unit.current([KEY])[KEY]
        content = Content(summary="about port", valid_from=START)
        unit.append(draft(content, new, "sync", reason="renamed from engram/port", goes_on=origin))
    recall(ledger, new)
    with ledger.reading() as unit:
        columns, events = unit.columns(["workspace"]), unit.recall_columns(["workspace"])
        numbers = {key: number for number, key, _ in unit.names(["workspace"])}
    assert columns.reinforced_at.tolist() == [said, said]
    assert sorted(events.record.tolist()) == sorted([numbers[KEY], numbers[new], numbers[new]])
    assert np.all(np.diff(events.recorded_at) >= 0)


def test_shadows_pair_records_of_one_kind_and_name(ledger):
    mine, shared = RecordKey("personal:a", "engram", "mill"), RecordKey("base", "engram", "mill")
    research = RecordKey("base", "research", "mill")
    alone = RecordKey("base", "engram", "port")
    strange = RecordKey("personal:b", "engram", "port")
    record(ledger, shared, alone, research)
    record(ledger, mine, strange)
    with ledger.reading() as unit:
        numbers = {key: number for number, key, _ in unit.names(["personal:a", "base"])}
        columns = unit.columns(["personal:a", "base"])
        assert columns.shadows.T.tolist() == [[numbers[shared], numbers[mine]]]
        turned = unit.columns(["base", "personal:a"])
        assert turned.shadows.T.tolist() == [[numbers[mine], numbers[shared]]]
        assert unit.columns(["base"]).shadows is None
        both = unit.columns(["personal:b", "base"])
        assert len(both.shadows.T) == 1
    seen = {int(n) for n in columns.record[columns.rows_at(START + DAY)]}
    assert seen == {numbers[mine], numbers[alone], numbers[research]}


def test_a_file_memtui_is_about_to_write_is_noted_whole(ledger):
    with ledger.writing() as unit:
        unit.append(draft(Content(summary="x", valid_from=START, path="a.md")))
        unit.note_files(
            "workspace",
            files=[SourceFile("a.md", 1, 2, "old"), SourceFile("b.md", 1, 2, "b")],
            gone=[],
            records={"a.md": [(KEY, 3)]},
            problems={"a.md": [Problem("a.md", "odd")], "b.md": [Problem("b.md", "odd")]},
            settings="s",
        )
        synced = unit.stamp
    fresh = SourceFile("a.md", 9, 8, "new", replaces=ReplacedFile("old", 1, 2))
    with ledger.writing() as unit:
        unit.note_file("workspace", fresh, [(KEY, 5)], [Problem("a.md", "still odd", 1, "x", "y")])
    with ledger.reading() as unit:
        state = unit.sync_state("workspace")
        assert state.files == {"a.md": fresh, "b.md": SourceFile("b.md", 1, 2, "b")}
        assert unit.lines() == {KEY: 5}
        assert state.problems == (Problem("a.md", "still odd", 1, "x", "y"), Problem("b.md", "odd"))
        assert (state.settings, state.last_sync) == ("s", synced)
    with pytest.raises(RuntimeError), ledger.writing() as unit:
        unit.note_file("workspace", SourceFile("a.md", 0, 0, ""), [], [])
        raise RuntimeError("power cut")
    with ledger.reading() as unit:
        assert unit.sync_state("workspace") == state


def test_names_are_found_by_name_and_by_their_latest_aliases(ledger):
    with ledger.writing() as unit:
        unit.append(draft(Content(summary="x", valid_from=START, aliases=("old", "kept"))))
    with ledger.writing() as unit:
        unit.append(draft(Content(summary="x", valid_from=START, aliases=("kept", "new"))))
        unit.append(draft(Content(summary="y", valid_from=START, aliases=("port",)), OTHER))
    with ledger.reading() as unit:
        number = {key: n for n, key, _ in unit.names(["workspace", "base"])}
        kept = (number[KEY], KEY, ("kept", "new"))
        for asked in ("port", "kept", "new"):
            assert list(unit.find([asked], ["workspace"])) == [kept]
        assert list(unit.find(["old", "x", ""], ["workspace"])) == []
        assert set(unit.find(["port"], ["workspace", "base"])) == {kept, (number[OTHER], OTHER, ("port",))}


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["a", "b"]),
        st.sampled_from(["one", "two"]),
        st.none() | st.sampled_from(["firm", "FAINT", "burning", 1.0, 7.25, "quite"]),
        st.none() | st.sampled_from([0.5, 12.5]),
        st.none() | st.sampled_from(["regret", "Regret", "SURPRISE", "ünheimlich"]),
        st.booleans(),
        st.booleans(),
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(STEPS)
def test_both_ledgers_tell_the_same_numbers(tmp_path_factory, steps):
    folder = tmp_path_factory.mktemp("alike")
    told = []
    for ledger in (DuckDBLedger(folder / "m.duckdb", SteppingClock(step=HOUR)), TwinLedger(SteppingClock(step=HOUR))):
        for name, text, confidence, stability, affect, pinned, recalled in steps:
            key = RecordKey("workspace", "engram", name)
            content = Content(
                summary=text,
                valid_from=START,
                confidence=confidence,
                stability_days=stability,
                affect=affect,
                pinned=pinned,
            )
            with ledger.writing() as unit:
                unit.append(draft(content, key, "update"))
                if recalled:
                    unit.recall([key], reader="workspace", cue=text, actor="t")
        with ledger.reading() as unit:
            columns, events = unit.columns(["workspace"]), unit.recall_columns(["workspace"])
            told.append(
                {
                    **{
                        name: np.nan_to_num(getattr(columns, name), nan=-99.0).tolist()
                        for name in (
                            "record",
                            "seq",
                            "recorded_at",
                            "flags",
                            "reinforced_at",
                            "confidence",
                            "stability_days",
                        )
                    },
                    "affect": [columns.affects[place] if place >= 0 else None for place in columns.affect],
                    "recalls": (events.record.tolist(), events.recorded_at.tolist()),
                    "stamp": unit.last_stamp(),
                }
            )
    assert told[0] == told[1]
