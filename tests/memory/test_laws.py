"""Laws of what is shown and in which order, for any small store: masks, shadows, priors, explanations."""

from __future__ import annotations

from datetime import timezone

import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from memtui.memory import reading
from memtui.model.belief import BeliefState
from memtui.model.instants import DAY, HOUR
from memtui.model.records import Content, HomophonicLink, RecordKey
from memtui.model.versions import Draft
from memtui.search.fetched import FetchedCorpus
from memtui.search.request import SearchRequest
from memtui.search.resident import ResidentCorpus
from memtui.search.searcher import Searcher
from tests.clocks import START, SteppingClock
from tests.twins.ledger import TwinLedger

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
                found, _ = reading.find(searcher, request, PRESENT, timezone.utc)
                told.append([(h.record, h.score, h.coverage, h.via, h.passage, h.explanation) for h in found])
                told.append((found.hidden, found.closest, found.as_of_truncated, found.truncated_total, found.reason))
            told.append(
                reading.list_records(searcher, SearchRequest("", belief=belief, everything=True), PRESENT).records
            )
            told.append(reading.counts(searcher, belief, PRESENT))
            told.append(sorted((n.key, n.in_force) for n in reading.named_records(searcher, belief, PRESENT)))
    return told


@pytest.mark.slow
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
        told = reading.list_records(searcher, SearchRequest("", belief=BeliefState(moment), everything=True), PRESENT)
        assert {r.key: r.seq for r in told} == expected


def test_what_is_shadowed_is_no_blind_spot():
    own, shared = ("alpha", "mill", False, True, None, None), ("alpha", "port", False, False, None, None)
    ledger = ledger_of([("personal:a", own), ("base", shared), ("base", ("beta", *shared[1:]))])
    with ledger.reading() as unit:
        searcher = Searcher(ResidentCorpus.load(unit, ("personal:a", "base")))
    named, _ = reading.blind_spots(searcher, BeliefState(START + DAY))
    assert [key.name for key in named] == ["beta"]


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
