"""Laws of the lexical plane, over random small ledgers."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.model.instants import DAY
from memtui.model.records import Content, RecordKey
from memtui.model.versions import Draft
from memtui.search.fetched import FetchedCorpus
from memtui.search.request import SearchRequest
from memtui.search.resident import ResidentCorpus
from memtui.search.searcher import Searcher
from tests.clocks import START, SteppingClock
from tests.twins.ledger import TwinLedger

WORDS = [
    "olive",
    "olives",
    "mill",
    "scale",
    "E-4017",
    "src/a.py",
    "getUserName",
    "çay",
    "cay",
    "日本",
    "port",
    "porter",
    "hata",
    "errors",
]
TEXT = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
RECORDS = st.lists(st.tuples(TEXT, TEXT, st.booleans(), st.sampled_from(["note", "engram", "changelog"])), max_size=8)
MISTYPED = ["olvie", "mlil", "poretr", "scael", "e-4018", "getUsreName", "src/a.pz", "hatayı", "bug", "errro"]
QUERY = st.lists(st.sampled_from([*WORDS, *MISTYPED, "ol", "por", "the"]), min_size=1, max_size=4).map(" ".join)
PRESENT = START + 100 * DAY


def ledger_of(records, partition="workspace", ledger=None):
    ledger = ledger or TwinLedger(SteppingClock(step=1))
    for number, (title, body, forgotten, kind) in enumerate(records):
        with ledger.writing() as unit:
            content = Content(
                title=title,
                body=body,
                tags=("t",),
                dated=START - number * 50 * DAY,
                valid_from=START,
                valid_to=START + DAY if forgotten else None,
            )
            unit.append(Draft(RecordKey(partition, kind, f"{kind}-{number}"), "sync", content, "t"))
    return ledger


def answers(ledger, query, corpus=ResidentCorpus.load, **options):
    with ledger.reading() as unit:
        searcher = Searcher(corpus(unit, ["workspace"]))
        return searcher.search(SearchRequest(query, limit=50, **options), PRESENT)


def told(result):
    return [(h.kind, h.name, h.score, h.rank_score, h.coverage) for h in result.hits]


@given(RECORDS, QUERY)
def test_an_explanation_evaluates_to_the_shown_score(records, query):
    for hit in answers(ledger_of(records), query).hits:
        assert hit.explanation.evaluate() == pytest.approx(hit.rank_score, abs=1e-9)
        assert hit.explanation.value == pytest.approx(hit.rank_score, abs=1e-9)
        assert 0 <= hit.coverage <= 1
        assert hit.rank_score > 0


@given(RECORDS, QUERY)
def test_both_corpora_answer_alike(records, query):
    ledger = ledger_of(records)
    assert told(answers(ledger, query)) == told(answers(ledger, query, FetchedCorpus))


@given(RECORDS, RECORDS, QUERY)
def test_following_answers_like_reading_anew(first, later, query):
    ledger = ledger_of(first)
    with ledger.reading() as unit:
        corpus = ResidentCorpus.load(unit, ["workspace"])
    ledger_of(later, ledger=ledger)
    with ledger.reading() as unit:
        followed = Searcher(corpus.followed(unit)).search(SearchRequest(query, limit=50), PRESENT)
    assert told(followed) == told(answers(ledger, query))


@given(RECORDS, RECORDS, QUERY)
def test_what_is_hidden_betrays_nothing(records, hidden, query):
    plain = answers(ledger_of(records), query)
    ledger = ledger_of(records)
    ledger_of([(title, body, True, "engram") for title, body, _, _ in hidden], "personal:other", ledger)
    gone = [(title, body, True, "note") for title, body, _, _ in hidden]
    with ledger.writing() as unit:
        for number, (title, body, _, kind) in enumerate(gone):
            content = Content(title=title, body=body, valid_from=START, valid_to=START + DAY)
            unit.append(Draft(RecordKey("workspace", kind, f"gone-{number}"), "forget", content, "t"))
    assert told(answers(ledger, query)) == told(plain)


@given(RECORDS, QUERY, st.integers(1, 4))
def test_filters_come_before_limits(records, query, limit):
    ledger = ledger_of(records)
    full = [h.name for h in answers(ledger, query).hits if h.kind == "note"]
    with ledger.reading() as unit:
        searcher = Searcher(ResidentCorpus.load(unit, ["workspace"]))
        few = searcher.search(SearchRequest(query, limit=limit, kinds=("note",), tags=("T",)), PRESENT).hits
    assert [h.name for h in few] == full[:limit]


@settings(max_examples=300)
@given(st.text())
def test_no_query_makes_it_fail(query):
    result = answers(ledger_of([("olive mill", "port", False, "note")]), query)
    assert all(hit.passage.text is not None for hit in result.hits)


def test_a_recorded_word_is_found_however_it_is_begun():
    ledger = ledger_of([("Threshold", "the tare threshold is 4 kg", False, "note"), ("Other", "thread", False, "note")])
    for end in range(1, len("threshold") + 1):
        names = [hit.name for hit in answers(ledger, "threshold"[:end]).hits]
        assert "note-0" in names
    assert [hit.name for hit in answers(ledger, "threshold").hits] == ["note-0"]
    begun = answers(ledger, "thresh").hits[0]
    assert begun.score == 0
    assert begun.rank_score > 0


def test_a_name_makes_a_candidate_but_never_a_score():
    ledger = TwinLedger(SteppingClock())
    with ledger.writing() as unit:
        content = Content(summary="nothing to see", aliases=("secret-door",), valid_from=START)
        unit.append(Draft(RecordKey("workspace", "engram", "hidden-gem"), "remember", content, "t"))
    for query in ("hidden-gem", "secret-door"):
        (hit,) = answers(ledger, query).hits
        assert hit.score == 0
        assert hit.rank_score > 0
        assert hit.coverage == 0
