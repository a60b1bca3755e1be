"""What a filter needs of records' fields is read once: typing on behind it costs what it costs without."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.model.instants import DAY
from memtui.model.records import Content, RecordKey
from memtui.model.versions import Draft, Version
from memtui.search import verdicts
from memtui.search.conditions import Phrase, of_options
from memtui.search.filters import RecordFilters
from memtui.search.request import SearchRequest
from memtui.search.resident import ResidentCorpus
from memtui.search.searcher import Searcher
from memtui.search.verdicts import FAILS, PASSES, UNKNOWN, Verdicts
from memtui.text.phrases import spelled, stands_in
from memtui.text.query_language import parse
from tests.clocks import START, SteppingClock
from tests.twins.ledger import TwinLedger

PRESENT = START + 400 * DAY


def version(title="", *, tags=(), area=None):
    content = Content(title=title, tags=tags, area=area, valid_from=START)
    key = RecordKey("workspace", "engram", "r")
    return Version(
        key=key,
        seq=1,
        recorded_at=START,
        operation="remember",
        actor="t",
        reason=None,
        content=content,
        content_hash="",
        origin_known=True,
        chain="",
    )


class Counting:
    """A resident corpus that counts which rows are read."""

    def __init__(self, corpus):
        self.corpus, self.read = corpus, []

    def __getattr__(self, name):
        return getattr(self.corpus, name)

    def versions(self, rows):
        self.read += rows
        return self.corpus.versions(rows)


@pytest.fixture
def ledger():
    made = TwinLedger(SteppingClock(step=DAY))
    with made.writing() as unit:
        for number in range(200):
            gone = {"valid_to": START + DAY} if number % 10 == 0 else {}
            content = Content(
                title=f"alpha beta {number}",
                body="alpha, then beta" if number % 50 else "beta alpha",
                tags=(f"t{number % 7}",),
                area="Feature/x" if number % 3 else None,
                valid_from=START,
                **gone,
            )
            unit.append(Draft(RecordKey("workspace", "engram", f"r{number}"), "remember", content, "t"))
    return made


def search(searcher, query, **options):
    request = SearchRequest(query, **{"limit": 4, "filters": RecordFilters.of(parse(query)), **options})
    return searcher.search(request, PRESENT)


@pytest.mark.parametrize(
    ("first", "later", "options"),
    [
        ("alpha tag:nosuch", "alpha bet tag:nosuch", {}),
        ("alpha tag:t5", "alpha bet tag:t5", {}),
        ("alpha -tag:t5", "alpha bet -tag:t5", {}),
        ("alpha area:zz", "alpha bet area:zz", {}),
        ("alpha claim:owner", "alpha bet claim:owner", {}),
        ("alpha rating:strong", "alpha bet rating:strong", {}),
        ("alpha", "alpha bet", {"tags": ("t5",)}),
        ("alpha", "alpha bet", {"area": "Feature/x", "tags": ("t1",)}),
        ('alpha "beta alpha"', 'alpha bet "beta alpha"', {}),
        ('alpha "then alpha"', 'alpha bet "then alpha"', {}),
        ('alpha -"then beta"', 'alpha bet -"then beta"', {}),
        ("tag:nosuch", "tag:nosuch", {}),
    ],
)
def test_a_second_keystroke_reads_only_what_it_shows(ledger, first, later, options):
    with ledger.reading() as unit:
        corpus = Counting(ResidentCorpus.load(unit, ["workspace"]))
    searcher = Searcher(corpus)
    search(searcher, first, limit=200, **options)
    assert len(corpus.read) > 150
    corpus.read.clear()
    found = search(searcher.over(corpus), later, **options)
    assert len(corpus.read) == len(found.hits)
    fresh = search(Searcher(corpus.corpus), later, **options)
    told = [[(hit.name, hit.rank_score, hit.explanation) for hit in result.hits] for result in (found, fresh)]
    assert told[0] == told[1]
    assert (found.hidden, found.filtered_out) == (fresh.hidden, fresh.filtered_out)


def test_a_store_that_grew_is_read_anew(ledger):
    with ledger.reading() as unit:
        corpus = ResidentCorpus.load(unit, ["workspace"])
    searcher = Searcher(corpus)
    assert search(searcher, "alpha bet tag:new").filtered_out == 180
    with ledger.writing() as unit:
        content = Content(title="alpha", tags=("new",), valid_from=START)
        unit.append(Draft(RecordKey("workspace", "engram", "r7"), "remember", content, "t"))
    with ledger.reading() as unit:
        later = searcher.over(corpus.followed(unit))
    assert [hit.name for hit in search(later, "alpha bet tag:new").hits] == ["r7"]


def test_threads_that_ask_at_once_are_told_the_same(ledger):
    with ledger.reading() as unit:
        searcher = Searcher(ResidentCorpus.load(unit, ["workspace"]))
    queries = [f"alpha tag:t{number % 7} -tag:x{number}" for number in range(60)]
    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(lambda query: search(searcher, query, limit=200), queries))
    alone = [search(Searcher(searcher.corpus), query, limit=200) for query in queries]
    assert [[hit.name for hit in result] for result in (each.hits for each in together)] == [
        [hit.name for hit in each.hits] for each in alone
    ]


def test_what_is_known_of_several_is_the_least():
    (tag, area) = of_options("Feature/X", ["A"])
    made = Verdicts(3)
    both = made.on((tag, area))
    assert both.told(np.arange(3)).tolist() == [UNKNOWN] * 3
    assert both.admits(0, version(tags=("a",), area="feature/x"))
    assert not both.admits(1, version(tags=("b",), area="feature/x"))
    assert both.told(np.arange(3)).tolist() == [PASSES, FAILS, UNKNOWN]
    assert made.on((tag,)).told(np.arange(3)).tolist() == [PASSES, FAILS, UNKNOWN]


def test_only_so_many_conditions_and_texts_are_kept(monkeypatch):
    monkeypatch.setattr(verdicts, "_MOST_CONDITIONS", 2)
    monkeypatch.setattr(verdicts, "_MOST_CHARACTERS", 20)
    made = Verdicts(2)
    phrases = [Phrase(spelled(text)) for text in ("çay var", "bir çay", "çay yok")]
    one, other = version("bir çay var"), version("bir çay yok artık")
    for _ in range(2):
        for phrase, expected in zip(phrases, [(True, False), (True, True), (False, True)], strict=True):
            asked = made.on((phrase,))
            assert (asked.admits(0, one), asked.admits(1, other)) == expected
    assert made.on(phrases[2:]).told(np.arange(2)).tolist() == [FAILS, PASSES]
    assert made.on(phrases[:1]).told(np.arange(2)).tolist() == [UNKNOWN, UNKNOWN]


SIGNS = st.text(st.sampled_from("abAB1 -_./:#@+&'\\\"(,\n\t\x00\x1f?äıİ—’京\u0301\u00ad\u2028\x85"), max_size=12)


@given(SIGNS, SIGNS)
def test_no_text_a_phrase_stands_in_is_passed_over(phrase, text):
    plain = spelled(phrase)
    if plain and stands_in(plain, spelled(text)):
        assert Phrase(plain).may_stand_in([text])


@given(st.text(max_size=4), st.text(max_size=4), st.text(max_size=4))
def test_a_phrase_stands_where_it_was_written(before, phrase, after):
    plain = spelled(phrase)
    text = f"{before} {phrase}\n{after}"
    if plain and stands_in(plain, spelled(text)):
        assert Phrase(plain).admits(version(text))
