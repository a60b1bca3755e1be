"""The guard of the past: what ended stays ended, gaps stay gaps, and doing a thing twice does it once."""

from __future__ import annotations

import contextlib
import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from memtui.errors import Refused
from memtui.model.instants import DAY, HOUR
from memtui.model.records import Claim, Content, HomophonicLink, RecordKey, Revival
from memtui.model.versions import Draft
from tests.clocks import START, SteppingClock
from tests.memory.stores import everything, opened
from tests.twins.ledger import TwinLedger

KEY = RecordKey("workspace", "engram", "port")
QUIET = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much])

# The guard ---------------------------------------------------------------------------------------

HOURS = st.integers(-6, 12).map(lambda hour: START + hour * HOUR)
LINE = [START + quarter * HOUR // 4 for quarter in range(-28, 52)]
GAPS = st.lists(st.builds(Revival, HOURS, HOURS), max_size=2).map(tuple)
CONTENTS = st.builds(
    Content,
    summary=st.sampled_from(["one", "two"]),
    valid_from=HOURS,
    valid_to=st.none() | HOURS,
    superseded_by=st.none() | st.just("next"),
    revivals=GAPS,
)
OPERATIONS = st.sampled_from(["remember", "update", "forget", "import", "sync", "supersede", "review"])
WRITERS = st.sampled_from(["heedless", "careful", "reviving"])
DRAFTS = st.tuples(CONTENTS, OPERATIONS, WRITERS)


def proposal(content, writer, current):
    """What a writer proposes: whatever it likes, the known gaps and more, or a revival of what ended."""
    if current is None or writer == "heedless":
        return content
    if writer == "reviving" and current.valid_to is not None:
        back = Revival(current.valid_to, max(current.valid_to, content.valid_from))
        return replace(content, valid_from=current.valid_from, revivals=(*current.revivals, back))
    return replace(content, revivals=(*current.revivals, *content.revivals))


def written(drafts):
    """Write drafts one by one; (before, after, stamp) of those that changed something."""
    ledger = TwinLedger(SteppingClock(START, step=HOUR // 2))
    for content, operation, writer in drafts:
        with ledger.reading() as unit:
            before = unit.current([KEY]).get(KEY)
        draft = Draft(KEY, operation, proposal(content, writer, before and before.content), "t")
        try:
            with ledger.writing() as unit:
                after = unit.append(draft)
        except Refused:
            continue
        if before is not None and after is not None:
            yield before.content, after.content, after.recorded_at


@settings(max_examples=300)
@given(st.lists(DRAFTS, min_size=2, max_size=7))
def test_no_write_but_a_quoted_revival_lifts_or_moves_a_past_end(drafts):
    for before, after, stamp in written(drafts):
        kept = tuple(gap for gap in before.revivals if not gap.is_empty or gap in after.revivals)
        assert after.revivals[: len(kept)] == kept
        appended = after.revivals[len(kept) :]
        if appended:
            event("revived")
            assert before.has_ended(stamp)
            assert appended[0].valid_to == before.valid_to <= appended[0].revived_at
        elif before.has_ended(stamp):
            event("kept")
            assert (after.valid_to, after.superseded_by) == (before.valid_to, before.superseded_by)
        for gap in after.revivals:
            assert not any(after.validity().contains(t) for t in LINE if gap.valid_to <= t < gap.revived_at)


def test_an_older_gap_that_is_imported_later_does_not_fill_the_newer_one(memory, tmp_path):
    memory.remember("The mill is let", name="let", valid_from="2020-01-01")
    memory.forget("let", at="2021-01-01")
    memory.revive("let")
    gap = {"valid_to": "2020-03-01T00:00:00Z", "revived_at": "2020-04-01T00:00:00Z"}
    item = {"name": "let", "summary": "The mill is let", "valid_from": "2020-01-01", "revivals": [gap]}
    (tmp_path / "items.jsonl").write_text(json.dumps(item) + "\n", encoding="utf-8")
    assert memory.show("let", valid_at="2022-01-01").state == "forgotten"
    memory.import_(tmp_path / "items.jsonl")
    assert memory.show("let", valid_at="2022-01-01").state == "forgotten"


def test_a_memory_that_was_forgotten_before_it_began_is_not_begun_by_a_correction(memory):
    memory.remember("The new mill is open", name="new", valid_from="2099-01-01")
    memory.forget("new")
    with contextlib.suppress(Refused):
        memory.update("new", valid_from="2020-01-01")
    assert memory.show("new").state != "in_force"


def test_a_memory_that_was_forgotten_before_it_began_can_be_corrected(memory):
    memory.remember("The new mil is open", name="new", valid_from="2099-01-01")
    memory.forget("new")
    assert memory.update("new", summary="The new mill is open", tags=["stone"]).outcome == "updated"
    assert memory.update("new", tags=["stone"]).outcome == "unchanged"
    assert memory.show("new").state == "forgotten"


def test_forget_then_revive_restores_everything_but_the_dated_gap_in_every_store(memory, clock):
    content = Content(
        summary="The port is 5433",
        title="Port",
        body="Since the move.",
        area="Service/db",
        tags=("ops", "net"),
        source_refs=("commit:abc",),
        affect="regret",
        affect_reason="nobody had asked for it at all",
        confidence="burning",
        stability_days=12.5,
        pinned=True,
        claims=(Claim("port", "5433", "Service/db"),),
        homophonic_links=(HomophonicLink("other", 0.25, "sound"),),
    )
    names = (
        "area",
        "tags",
        "source_refs",
        "affect",
        "affect_reason",
        "confidence",
        "stability_days",
        "pinned",
        "claims",
    )
    memory.remember("another", name="other")
    memory.remember(
        content.summary,
        name="port",
        title=content.title,
        body=content.body,
        homophonic_links=[{"target_name": "other", "resonance_score": 0.25, "basis": "sound"}],
        **{field: getattr(content, field) for field in names},
    )
    before = memory.show("port").content
    assert all(getattr(before, field) == getattr(content, field) for field in names)
    found = [(h.name, h.score, h.coverage) for h in memory.search("port since the move")]
    clock.forward(DAY)
    gone = memory.forget("port", superseded_by="other", reason="moved").recorded_at
    clock.forward(DAY)
    back = memory.revive("port", by="ada").recorded_at
    after = memory.show("port").content
    assert after.revivals == (Revival(gone, back, superseded_by="other", revived_by="ada"),)
    assert replace(after, revivals=()) == before
    assert [(h.name, h.score, h.coverage) for h in memory.search("port since the move")] == found
    for moment in (gone - 1, gone, back - 1, back):
        assert after.validity().contains(moment) == (not gone <= moment < back)


@QUIET
@given(st.data(), st.lists(st.sampled_from([-400, -20, -3, 0]), min_size=1, max_size=4))
def test_forget_then_revive_leaves_dated_gaps_and_nothing_else(tmp_path_factory, data, offsets):
    clock = SteppingClock(START)
    memory = opened("twin", tmp_path_factory.mktemp("gaps"), clock)
    memory.remember("The port is 5433", name="port", valid_from=START - 100 * DAY)
    before = memory.show("port").content
    for offset in offsets:
        clock.forward(data.draw(st.sampled_from([0, 1, DAY])))
        memory.forget("port", at=None if offset == 0 else clock() + offset * DAY)
        clock.forward(data.draw(st.sampled_from([0, 1, 2 * DAY])))
        memory.revive("port")
    after = memory.show("port").content
    assert replace(after, revivals=()) == before
    out = [(gap.valid_to, gap.revived_at) for gap in after.revivals]
    assert len(out) == len(offsets)
    edges = [before.valid_from, *(edge for gap in out for edge in gap)]
    for moment in (edge + step for edge in edges for step in (-1, 0, 1)):
        expected = moment >= before.valid_from and not any(a <= moment < b for a, b in out)
        assert after.validity().contains(moment) == expected
        assert (memory.show("port", valid_at=moment).state == "in_force") == expected


# Once is enough ----------------------------------------------------------------------------------

VERBS = {
    "remember": lambda m: m.remember("The scale is exact", name="scale", tags=["a"], valid_from="2025-01-01"),
    "remember unnamed": lambda m: m.remember("The scale is new"),
    "remember in a period": lambda m: m.remember("Closed", valid_from="2026-08-01", valid_to="2026-09-01"),
    "update": lambda m: m.update("mill", summary="The mill is old", tags=["stone"], claims=["age=old"]),
    "forget": lambda m: m.forget("mill", reason="sold", superseded_by="shop"),
    "forget at": lambda m: m.forget("mill", at="2025-05-01"),
    "revive": lambda m: m.revive("gone"),
    "supersede": lambda m: m.supersede("mill", "The mill is a shop", name="store"),
    "import": lambda m: m.import_(m.vault / "items.jsonl"),
    "sync": lambda m: m.sync(),
    "update a document": lambda m: m.update("house", tags=["rules"]),
    "delete a document": lambda m: m.delete("knowledge/house", force=True),
}
AGAIN = {"forget": "already_forgotten", "forget at": "already_forgotten", "revive": "already_in_force"}
REFUSED = ("supersede", "delete a document")


@pytest.mark.parametrize("store", ["one-shot", "twin"])
@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_that_is_repeated_writes_nothing_and_says_so(memory, verb, write):
    write("knowledge/house.md", "# House rules\n\nShoes off.\n")
    write("items.jsonl", json.dumps({"name": "item", "summary": "It came from elsewhere", "tags": ["x"]}) + "\n")
    memory.remember("The mill is built", name="mill", valid_from="2025-01-01")
    memory.remember("The mill is a shop", name="shop", valid_from="2025-01-01")
    memory.remember("The press is gone", name="gone")
    memory.forget("gone")
    if "document" in verb:
        memory.sync()
    count = len(everything(memory)[0])
    VERBS[verb](memory)
    held = everything(memory)
    assert len(held[0]) > count
    if verb in REFUSED:
        with pytest.raises(Refused) as refusal:
            VERBS[verb](memory)
        assert refusal.value.hint
    else:
        again = VERBS[verb](memory)
        if verb == "import":
            assert (again.added, again.updated, again.unchanged) == (0, 0, 1)
        elif verb == "sync":
            assert not again.wrote
        else:
            assert (again.outcome, bool(again.note)) == (AGAIN.get(verb, "unchanged"), True)
    assert everything(memory) == held
