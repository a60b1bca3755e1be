"""Laws of remembering that hold for any small store: the guard, gaps, priors, masks, idempotence."""

from __future__ import annotations

import contextlib
import json
from dataclasses import replace
from datetime import timezone

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from memtui.errors import Refused
from memtui.memory import reading
from memtui.model.belief import BeliefState
from memtui.model.instants import DAY, HOUR
from memtui.model.records import Claim, Content, HomophonicLink, RecordKey, Revival
from memtui.model.versions import Draft
from memtui.search.fetched import FetchedCorpus
from memtui.search.resident import ResidentCorpus
from memtui.search.searcher import Searcher, SearchRequest
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
        kept = before.revivals
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


@pytest.mark.xfail(strict=True, reason="an empty window opens again when its valid_from is moved back")
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


# What nobody may see -----------------------------------------------------------------------------

WORDS = ("mill", "miller", "port", "porter", "harvest", "Friday", "çay")
TEXT = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
ROW = st.tuples(
    st.sampled_from(["alpha", "beta", "gamma", "delta"]),  # names, shared between partitions
    TEXT,
    st.booleans(),  # forgotten
    st.booleans(),  # origin known
    st.sampled_from([None, "surprise", "regret", "wistful"]),
    st.none() | st.sampled_from(["alpha", "beta", "gamma"]),  # a link
)
ROWS = st.lists(ROW, max_size=5)
OTHERS = st.lists(st.tuples(st.sampled_from(["personal:b", "other"]), ROW), max_size=6)
QUERIES = st.lists(st.sampled_from([*WORDS, "mil", "por", "alph", "gama"]), min_size=1, max_size=3).map(" ".join)
PRESENT = START + 100 * DAY


def row_content(row):
    _, text, forgotten, _, affect, link = row
    links = (HomophonicLink(link, 0.9),) if link else ()
    end = START + DAY if forgotten else None
    return Content(summary=text, valid_from=START, valid_to=end, affect=affect, homophonic_links=links)


def take(ledger, clock, moment, partition, row):
    """One row of somebody, at its own moment whoever else wrote before."""
    clock.now = moment
    with ledger.writing() as unit:
        key = RecordKey(partition, "engram", row[0])
        unit.append(Draft(key, "import", row_content(row), "t", origin_known=row[3]))
        unit.recall([key], reader=partition, cue=row[1], actor="t")


def ledger_of(own, others=()):
    clock = SteppingClock(START)
    ledger = TwinLedger(clock)
    for number in range(max(len(own), len(others))):
        if number < len(others):
            take(ledger, clock, START + number * DAY + HOUR, *others[number])
        if number < len(own):
            take(ledger, clock, START + (number + 1) * DAY, *own[number])
    return ledger


def shown(ledger, readable, query, corpus):
    """All that a reader of these partitions is shown for a query and without one, at several belief states."""
    told = []
    with ledger.reading() as unit:
        searcher = Searcher(corpus(unit, readable))
        for belief in (BeliefState(), BeliefState(START + DAY), BeliefState(true_at=START + HOUR)):
            for everything_ in (False, True):
                request = SearchRequest(
                    query, limit=50, belief=belief, everything=everything_, ecphory=True, counts_recalls=True
                )
                found = reading.find(searcher, request, PRESENT, timezone.utc)
                told.append([(h.record, h.score, h.coverage, h.via, h.passage, h.explanation) for h in found])
                told.append((found.hidden, found.closest, found.as_of_truncated, found.truncated_total, found.reason))
            told.append(reading.list_records(searcher, belief, PRESENT, everything=True).records)
            told.append(reading.counts(searcher, belief, PRESENT))
            told.append(sorted((n.key, n.in_force) for n in reading.named_records(searcher, belief, PRESENT)))
    return told


@settings(max_examples=150)
@given(ROWS, ROWS, OTHERS, QUERIES, st.sampled_from([ResidentCorpus.load, FetchedCorpus]))
def test_nothing_that_is_shown_betrays_what_may_not_be_read(own, base, others, query, corpus):
    for mine, readable in (("workspace", ("workspace",)), ("personal:a", ("personal:a", "base"))):
        shared = [("base", row) for row in base] if "base" in readable else []
        rows = [*shared, *((mine, row) for row in own)]
        strangers = others if mine == "personal:a" else [*others, *(("base", row) for row in base)]
        strangers = [*strangers, *(("workspace" if mine != "workspace" else "personal:a", row) for row in own[:2])]
        alone = shown(ledger_of(rows), readable, query, corpus)
        assert shown(ledger_of(rows, strangers), readable, query, corpus) == alone


@settings(max_examples=60)
@given(TEXT, st.lists(TEXT, min_size=1, max_size=12), st.data())
def test_the_one_live_memory_is_found_at_k_1_among_any_that_may_not_be_seen(text, copies, data):
    others = ["workspace", "personal:b", "base"]
    rows = []
    for number, copied in enumerate(copies):
        partition = data.draw(st.sampled_from(others))
        forgotten = partition == "workspace"
        rows.append((partition, (f"copy-{number}", copied, forgotten, True, "surprise", None)))
    ledger = ledger_of([("workspace", ("live", text, False, True, None, None))], rows)
    asked = data.draw(st.sampled_from(text.split()))
    for corpus in (ResidentCorpus.load, FetchedCorpus):
        with ledger.reading() as unit:
            searcher = Searcher(corpus(unit, ("workspace",)))
            request = SearchRequest(f"{asked} {copies[0]}", limit=1, ecphory=True)
            assert [h.name for h in searcher.search(request, PRESENT).hits] == ["live"]


@given(ROWS, ROWS)
def test_ones_own_record_shadows_the_base_from_when_it_is_there(own, base):
    ledger = ledger_of([*(("base", row) for row in base), *(("personal:a", row) for row in own)])
    with ledger.reading() as unit:
        versions = unit.tail({})
        searcher = Searcher(ResidentCorpus.load(unit, ("personal:a", "base")))
    for moment in (START - 1, *(v.recorded_at for v in versions), PRESENT):
        known = {v.key: v for v in versions if v.recorded_at <= moment}
        mine = {key.name for key in known if key.partition == "personal:a"}
        expected = {v.key: v.seq for v in known.values() if v.key.partition == "personal:a" or v.key.name not in mine}
        told = reading.list_records(searcher, BeliefState(moment), PRESENT, everything=True)
        assert {r.key: r.seq for r in told} == expected


# Priors ------------------------------------------------------------------------------------------

MEMORY = st.tuples(
    TEXT,
    st.sampled_from([None, "surprise", "ominous", "regret", "triumph", "wistful", "unheard of"]),
    st.none() | st.sampled_from(["faint", "firm", "burning", 1.0, 7.5, 10.0]),
    st.integers(0, 90),  # days ago
    st.booleans(),  # pinned
)
MEMORIES = st.lists(MEMORY, min_size=2, max_size=7)


def priors_ledger(memories, recalls=()):
    clock = SteppingClock(START)
    ledger = TwinLedger(clock)
    for number, (text, affect, confidence, days, pinned) in enumerate(sorted(memories, key=lambda m: -m[3])):
        clock.now = PRESENT - days * DAY + number
        content = Content(summary=text, valid_from=START, affect=affect, confidence=confidence, pinned=pinned)
        with ledger.writing() as unit:
            unit.append(Draft(RecordKey("workspace", "engram", f"m{number}"), "remember", content, "t"))
    for days, name in sorted(recalls):
        clock.now = PRESENT + days * DAY
        with ledger.writing() as unit:
            unit.recall([RecordKey("workspace", "engram", name)], reader="workspace", cue="x", actor="t")
    return ledger


def ranked(ledger, query, now, *, counts_recalls=True):
    with ledger.reading() as unit:
        searcher = Searcher(ResidentCorpus.load(unit, ("workspace",)))
        request = SearchRequest(query, limit=50, ecphory=True, counts_recalls=counts_recalls)
        return searcher.search(request, now).hits


@settings(max_examples=150)
@given(MEMORIES, st.lists(st.integers(0, 30), min_size=1, max_size=5), st.integers(0, 40), QUERIES)
def test_a_recalled_memory_never_ranks_below_itself_unrecalled(memories, days, later, query):
    now = PRESENT + (max(days) + later) * DAY
    plain = ranked(priors_ledger(memories), query, now)
    assume(plain)
    for name in {hit.name for hit in plain}:
        recalled = ranked(priors_ledger(memories, [(day, name) for day in days]), query, now)
        before, after = ({h.name: (-h.rank_score, place) for place, h in enumerate(hits)} for hits in (plain, recalled))
        assert before.keys() == after.keys()
        assert after[name] <= before[name]
        assert after[name][1] <= before[name][1]
        assert {n: s for n, (s, _) in after.items() if n != name} == {n: s for n, (s, _) in before.items() if n != name}
        searched = ranked(priors_ledger(memories, [(day, name) for day in days]), query, now, counts_recalls=False)
        assert [(h.name, h.rank_score) for h in searched] == [(h.name, h.rank_score) for h in plain]


def part(explanation, label):
    return next(node for _, node in explanation.walk() if node.label == label)


@settings(max_examples=150)
@given(MEMORIES, QUERIES, st.integers(0, 300))
def test_neither_affect_nor_age_lifts_a_weaker_match_over_a_decisive_one(memories, query, later):
    hits = ranked(priors_ledger(memories), query, PRESENT + later * DAY)
    worth = [(part(h.explanation, "relevance").value, h.rank_score) for h in hits]
    for stronger in worth:
        for weaker in worth:
            if stronger[0] >= 1.35 * weaker[0] > 0:
                assert stronger[1] > weaker[1]
    calm = priors_ledger([(text, None, *rest) for text, _, *rest in memories])
    scores = {h.name: h.score for h in ranked(calm, query, PRESENT + later * DAY)}
    assert {h.name: h.score for h in hits} == scores


@settings(max_examples=100)
@given(ROWS, QUERIES, st.integers(0, 300))
def test_an_explanation_is_the_score(rows, query, later):
    ledger = ledger_of([("workspace", row) for row in rows])
    for counts in (True, False):
        for hit in ranked(ledger, query, PRESENT + later * DAY, counts_recalls=counts):
            event("via" if hit.via else "own")
            assert hit.explanation.evaluate() == pytest.approx(hit.rank_score, abs=1e-9)
            assert hit.explanation.value == pytest.approx(hit.rank_score, abs=1e-9)


def test_an_explanation_tells_by_way_of_what_and_after_which_recalls(memory, clock):
    memory.remember("The press is rinsed weekly", name="press", area="Machine/press", homophonic_links=["song"])
    memory.remember("A tune about water", name="song")
    clock.forward(20 * DAY)
    for _ in range(3):
        found = memory.recall("machine press")
        clock.forward(2 * DAY)
    assert [(h.name, h.via) for h in found] == [("press", None), ("song", "press")]
    for hit in found:
        assert hit.explanation.evaluate() == pytest.approx(hit.rank_score, abs=1e-9)
        labels = [node.label for _, node in hit.explanation.walk()]
        assert "association" in labels
        assert ("by way of" in labels) == (hit.via is not None)
    retention = part(found.hits[0].explanation, "retention")
    assert 0 < retention.value < 1
    assert "stability" in retention.detail


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
