"""The index kept by plain SQL is the very index the extension would build, and scores like it."""

from __future__ import annotations

import math
import time

import duckdb
import pytest

from memtui.model.belief import BeliefState
from memtui.model.instants import DAY
from memtui.model.records import Content, RecordKey
from memtui.model.versions import Draft
from memtui.search.fetched import FetchedCorpus
from memtui.search.request import SearchRequest
from memtui.search.searcher import Searcher
from memtui.store.duckdb.connection import connect, load_full_text
from memtui.store.duckdb.ledger import DuckDBLedger
from memtui.text.analysis import query_terms
from tests.clocks import START, SteppingClock

TEXTS = {
    "tide": ("Tide gauge", "The tide gauge at the harbour reads 12 cm too high after the storm"),
    "storm": ("Storm plan", "When a storm is announced, close the gates and read the tide tables twice"),
    "gate": ("Gate 7", "Gate-7 sticks; grease v2.1 helps, see src/gates.py and getGateState"),
    "çay": ("Çay saati", "Toplantıda çay içilir, kapı 7'nin anahtarı İstanbul'da"),
    "empty": ("", ""),
    "日本": ("港の潮位", "潮位計は港にある"),
}
FTS = "fts_main_indexed_text"


@pytest.fixture
def ledger(tmp_path):
    clock = SteppingClock(step=1000)
    ledger = DuckDBLedger(tmp_path / "memory.duckdb", clock)
    for round_ in range(2):  # the second round adds past texts, which must not count at the present
        for name, (title, body) in TEXTS.items():
            clock.forward()
            with ledger.writing() as unit:
                content = Content(title=title, body=body + (" storm tide" * round_), tags=("sea",), valid_from=START)
                unit.append(Draft(RecordKey("workspace", "note", name), "sync", content, "t"))
    return ledger


def snapshot(connection: duckdb.DuckDBPyConnection):
    postings = connection.execute(
        f"SELECT term, docs.name, fieldid, count(*) FROM {FTS}.terms JOIN {FTS}.dict USING (termid) "
        f"JOIN {FTS}.docs USING (docid) GROUP BY ALL ORDER BY ALL"
    ).fetchall()
    dictionary = connection.execute(f"SELECT term, df FROM {FTS}.dict WHERE df > 0 ORDER BY term").fetchall()
    documents = connection.execute(f"SELECT name, len FROM {FTS}.docs ORDER BY name").fetchall()
    count, average = connection.execute(f"SELECT num_docs, avgdl FROM {FTS}.stats").fetchone()
    return postings, dictionary, documents, count, pytest.approx(average, rel=1e-12)


def check_that_following_equals_a_rebuild(store):
    with connect(store, read_only=False) as connection:
        followed = snapshot(connection)
        load_full_text(connection)
        connection.execute(
            "PRAGMA create_fts_index('indexed_text', 'text_id', 'title', 'description', 'tags', 'body', "
            "stemmer='none', stopwords='none', ignore='(\\s)+', lower=0, strip_accents=0, overwrite=1)"
        )
        assert snapshot(connection) == followed


def test_following_equals_a_rebuild(ledger, tmp_path):
    check_that_following_equals_a_rebuild(tmp_path / "memory.duckdb")


def record_bodies(ledger, bodies):
    with ledger.writing() as unit:
        for name, body in bodies.items():
            content = Content(title=name, body=body, valid_from=START)
            unit.append(Draft(RecordKey("workspace", "note", name), "sync", content, "t"))


def test_following_equals_a_rebuild_beside_a_very_long_text(ledger, tmp_path):
    record_bodies(ledger, {"log": " ".join(f"ölçüm{number % 700} tide" for number in range(20_000))})
    check_that_following_equals_a_rebuild(tmp_path / "memory.duckdb")


@pytest.mark.slow
def test_a_long_text_costs_what_as_many_words_in_short_ones_do(ledger):
    """Of a sign that NFKC writes out as eighteen letters: megabytes of tokens from a few hundred kilobytes."""
    began = time.process_time()
    record_bodies(ledger, {f"page{number}": "\ufdfa" * 1_000 for number in range(160)})
    short = time.process_time() - began
    record_bodies(ledger, {"log": "\ufdfa" * 160_000})
    assert time.process_time() - began - short < 3 * short


QUERIES = ["tide", "storm tide gauge", "gate-7", "çay kapı", "潮位", "v2.1 getGateState", "sea sea"]


@pytest.mark.parametrize("known", ["present", "past"])
def test_score_is_match_bm25_over_the_same_rows(ledger, tmp_path, known):
    with ledger.reading() as unit:
        searcher = Searcher(FetchedCorpus(unit, ["workspace"]))
        columns = searcher.corpus.columns
        belief = BeliefState() if known == "present" else BeliefState(int(columns.recorded_at[7]), START + DAY * 400)
        present = int(columns.recorded_at[-1])
        ours = [
            {hit.name: hit.score for hit in searcher.search(request, present).hits if hit.score > 0}
            for request in (SearchRequest(query, limit=50, belief=belief) for query in QUERIES)
        ]
        mask = searcher.mask(belief, present)
    visible = [int(i) for i in mask.visible.nonzero()[0]]
    with connect(tmp_path / "memory.duckdb", read_only=False) as connection:
        load_full_text(connection)
        connection.execute(
            "CREATE TABLE under_mask AS SELECT * FROM indexed_text WHERE list_contains(?, text_id)", [visible]
        )
        connection.execute(
            "PRAGMA create_fts_index('under_mask', 'text_id', 'title', 'description', 'tags', 'body', stemmer='none', "
            "stopwords='none', ignore='(\\s)+', lower=0, strip_accents=0)"
        )
        for query, mine in zip(QUERIES, ours, strict=True):
            tokens = dict.fromkeys(token for term in query_terms(query).terms for token in term.score_tokens)
            rows = connection.execute(
                "SELECT r.name, fts_main_under_mask.match_bm25(u.text_id, ?, k := 1.5, b := 0.75) AS bm "
                "FROM under_mask u JOIN record r USING (record_id) WHERE bm IS NOT NULL",
                [" ".join(tokens)],
            ).fetchall()
            theirs = {name: score * math.log(10) for name, score in rows}
            assert theirs, query
            assert mine == pytest.approx(theirs, abs=1e-9), query


def test_refilling_for_another_analyser_gives_the_same_index(ledger, tmp_path):
    with connect(tmp_path / "memory.duckdb", read_only=False) as connection:
        before = snapshot(connection)
        connection.execute("UPDATE meta SET value = 'older' WHERE key = 'analyser'")
    with ledger.reading() as unit:
        assert "older" in unit.index_trouble()
    assert ledger.mend_index()
    with connect(tmp_path / "memory.duckdb", read_only=False) as connection:
        assert snapshot(connection) == before
    with ledger.reading() as unit:
        assert unit.index_trouble() is None
    assert not ledger.mend_index()


def test_rows_that_several_texts_came_to_share_are_parted_again(ledger, tmp_path):
    texts = "SELECT text_id FROM version ORDER BY partition, seq"
    with connect(tmp_path / "memory.duckdb", read_only=False) as connection:
        before, numbers = snapshot(connection), connection.execute(texts).fetchall()
        connection.execute("UPDATE version SET text_id = text_id // 3")
    with ledger.reading() as unit:
        assert "12 of 4 texts" in unit.index_trouble()
    assert ledger.mend_index()
    with connect(tmp_path / "memory.duckdb", read_only=False) as connection:
        assert len({number for (number,) in connection.execute(texts).fetchall()}) == len(set(numbers))
        assert snapshot(connection)[3:] == before[3:]
        assert not connection.execute(
            "SELECT * FROM version v JOIN indexed_text t USING (text_id) WHERE t.record_id <> v.record_id"
        ).fetchall()
