"""Snippets: the line that answers, as it was written, with marks that cover exactly what matched."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.text import snippets
from memtui.text.analysis import analyse, query_terms
from memtui.text.snippets import make_snippet
from tests.text.test_analysis import ANY_TEXT


def weights_of(query, **worth):
    weights = {}
    for term in query_terms(query).terms:
        for token in (*term.score_tokens, term.exact):
            weights[token] = worth.get(term.exact, 1.0)
    return weights


def snip(text, query, **options):
    return make_snippet(text, weights_of(query), **options)


def marked(snippet):
    return [snippet.text[start:end] for start, end in snippet.spans]


@pytest.mark.parametrize(
    ("query", "text", "expected"),
    [
        ("cagri isinma", "Çağrı merkezi ısınma sorununu çözdü", ["Çağrı", "ısınma"]),
        ("resume cafe", "Re\u0301sume\u0301 for nai\u0308ve cafe\u0301", ["Re\u0301sume\u0301", "cafe\u0301"]),
        ("نبات", "كُتَّابْ بيوت نبات", ["نبات"]),
        ("strasse", "Die Straße und", ["Straße"]),
        ("istanbul", "bugün İstanbul’da.", ["İstanbul"]),
        ("file", "a ﬁle system", ["ﬁle"]),
        ("softhyphen", "a soft\xadhyphen\xad here", ["soft\xadhyphen"]),
        ("投影仪 维修", "会议室的投影仪周三送去维修", ["投影仪", "维修"]),
        ("猫", "👩‍👩‍👧‍👦の猫の薬", ["猫"]),
        ("🎉", "👍🏽 party 🎉🚀", ["🎉"]),
        ("CERT_DATE", "on ERR_CERT_DATE_INVALID", ["CERT", "DATE"]),
        ("err_cert_date_invalid", "on ERR_CERT_DATE_INVALID.", ["ERR_CERT_DATE_INVALID"]),
        ("name c++", "getUserName() in C++", ["Name", "C++"]),
        ("databases", "one database, two Databases", ["database", "Databases"]),
    ],
)
def test_marks_cover_the_matched_letters_of_the_original(query, text, expected):
    snippet = snip(text, query)
    assert snippet.text == text
    assert marked(snippet) == expected


def test_the_best_line_has_the_most_weight_and_the_earliest_wins():
    text = "kettle here\nstove\nkettle and stove\nstove and kettle\n"
    assert snip(text, "kettle stove").text == "stove\nkettle and stove\nstove and kettle"
    heavy = make_snippet(text, {"~kettl": 1.0, "~stove": 9.0})
    assert heavy.line == 2
    assert (
        make_snippet("kettle kettle kettle\nstove\nx", {"~kettl": 1.0, "~stove": 2.0}).text.splitlines()[1] == "stove"
    )


def test_a_line_of_context_on_each_side_skips_blank_lines():
    text = "first\n\n   \nabove\n\n\nthe needle line  \r\n\n\nbelow\nlast"
    snippet = snip(text, "needle")
    assert snippet.text == "above\nthe needle line\nbelow"
    assert (snippet.line, marked(snippet)) == (4, ["needle"])


def test_context_is_marked_too_and_cut_to_what_fits():
    text = f"{'far ' * 60}near needle\nneedle thread\nneedle {'after ' * 60}"
    snippet = snip(text, "needle thread", limit=60)
    assert len(snippet.text) <= 60
    above, line, below = snippet.text.split("\n")
    assert above.startswith("…")
    assert above.endswith("near needle")
    assert line == "needle thread"
    assert below.startswith("needle after")
    assert below.endswith("…")
    assert marked(snippet) == ["needle", "needle", "thread", "needle"]


def test_of_a_long_line_the_best_window_is_shown():
    text = "needle " + "hay " * 400 + "the needle and the thread " + "hay " * 400
    snippet = snip(text, "needle thread")
    assert len(snippet.text) <= 320
    assert marked(snippet) == ["needle", "thread"]
    assert snippet.text.startswith("…hay")
    assert snippet.text.endswith("hay…")


def test_cuts_fall_between_graphemes():
    family = "👩‍👩‍👧‍👦"
    snippet = snip(family * 40 + " needle " + family * 40, "needle", limit=50)
    assert marked(snippet) == ["needle"]
    before, after = snippet.text.split(" needle ")
    assert set(before.removeprefix("…").split(family)) == {""}
    assert set(after.removesuffix("…").split(family)) == {""}
    assert snip("e\u0301" * 300, "é" * 300, limit=20).text == "e\u0301" * 9 + "…"


def test_without_a_match_the_first_lines_that_say_something():
    text = "\n  \n\nfirst\n\nsecond\nthird\nfourth"
    assert make_snippet(text, {"~absent": 1.0}).text == "first\nsecond\nthird"
    assert make_snippet(text, {}).line == 4
    assert make_snippet(text, {}).spans == ()
    assert make_snippet("x" * 500, {}).text == "x" * 319 + "…"
    blank = make_snippet(" \n\u3000\n", {"a": 1.0})
    assert (blank.text, blank.spans, blank.line) == ("", (), None)


def test_a_match_longer_than_the_snippet_is_marked_as_far_as_it_is_shown():
    long = "/".join(["part"] * 100)
    snippet = snip(long, long, limit=40)
    assert len(snippet.text) <= 40
    assert marked(snippet) == [snippet.text.strip("…")]


def test_a_frequent_word_does_not_hide_a_rare_one_far_below():
    text = "kettle here\n" * 12_000 + "the needle\n" + "kettle again\n" * 10
    snippet = make_snippet(text, weights_of("kettle needle", needle=5.0))
    assert "needle" in marked(snippet)
    assert snippet.line == 12_000


@pytest.mark.parametrize("query", ["needle", "needle word", "absent needle", "wordy absent"])
def test_a_hundred_thousand_words_on_one_line_take_moments(query):
    text = "lorem word ipsum kettle dolorem " * 20_000 + "needle" + " stove amet word" * 10_000
    snip(text[:100], query)
    began = time.perf_counter()
    snippet = snip(text, query)
    assert time.perf_counter() - began < 1.0  # some 10 ms; an accident with squares would take minutes
    assert len(snippet.text) <= 320


def test_text_without_a_single_blank_is_bounded():
    assert len(snip("0123456789abcdef" * 60_000, "abc").text) <= 320
    assert marked(snip("漢字" * 50_000 + "猫", "猫")) == ["猫"]


# --- Laws ----------------------------------------------------------------------------------------


@given(ANY_TEXT, st.data(), st.sampled_from([3, 8, 40, 320]))
def test_what_is_found_is_what_the_analyser_says(text, data, limit):
    read = analyse(text)
    emitted = sorted({token for word in read for token in word.tokens})
    chosen = data.draw(st.lists(st.sampled_from(emitted), min_size=1, max_size=3)) if emitted else ["~absent"]
    weights = dict.fromkeys(chosen, 1.0)
    expected = [(match.start, match.end) for match in snippets._inside(read, weights)]
    assert [(match.start, match.end) for match in snippets._matches(text, weights)] == expected

    snippet = make_snippet(text, weights, limit=limit)
    assert len(snippet.text) <= limit
    end = 0
    for start, stop in snippet.spans:
        assert end <= start < stop <= len(snippet.text)
        end = stop
    if limit == 320:
        assert bool(snippet.spans) == bool(emitted)
    if snippet.line is not None:
        assert 1 <= snippet.line <= text.count("\n") + 1
