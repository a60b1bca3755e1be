"""A star after a word: the last word is the beginning of others, as while it is typed; elsewhere it says nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.search.filters import RecordFilters
from memtui.search.request import SearchRequest
from memtui.search.resident import ResidentCorpus
from memtui.search.searcher import Searcher
from memtui.text.query_language import parse
from tests.search.test_standing_in import CORPORA, PRESENT, ledger_of

WORDS = ["deploy", "deployment", "deep", "depot", "tide", "tidal", "mill-02", "note", "otel", "*", "yağış"]
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join), min_size=1, max_size=6)
BEGUN = st.sampled_from(["dep", "depl", "deploy", "ti", "mil", "yag", "no", "x", "C++", "mill-0"])


def ranked(corpus, ledger, query):
    with ledger.reading() as unit:
        searcher = Searcher(corpus(unit, ["workspace"]))
        request = SearchRequest(query, limit=50, filters=RecordFilters.of(parse(query)))
        return request.words, [(hit.name, hit.rank_score) for hit in searcher.search(request, PRESENT).hits]


@CORPORA
@given(TEXTS, st.lists(st.sampled_from(WORDS[:-2]), max_size=2), BEGUN)
def test_a_star_after_the_last_word_is_the_same_as_typing_on(corpus, texts, before, begun):
    ledger = ledger_of({f"n{i}": text for i, text in enumerate(texts)})
    query = " ".join([*before, begun])
    assert ranked(corpus, ledger, query + "*") == ranked(corpus, ledger, query)


@CORPORA
@given(TEXTS, BEGUN, st.sampled_from(WORDS[:-2]))
def test_a_star_after_another_word_changes_nothing(corpus, texts, begun, last):
    ledger = ledger_of({f"n{i}": text for i, text in enumerate(texts)})
    assert ranked(corpus, ledger, f"{begun}* {last}") == ranked(corpus, ledger, f"{begun} {last}")


@pytest.mark.parametrize("query", ["depl* kind:note", "kind:note depl*", "depl* -tide", "depl*  "])
def test_it_holds_whatever_signs_follow(query):
    ledger = ledger_of({"held": "the deployment", "other": "a depot"})
    _, found = ranked(ResidentCorpus.load, ledger, query)
    assert [name for name, _ in found] == ["held"]
