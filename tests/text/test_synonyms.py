"""Synonyms: what the shipped table holds is found, in any form of a word; what a person's own gets wrong is told."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.clock import monotonic_ms
from memtui.text import synonyms
from memtui.text.analysis import query_terms
from memtui.text.folding import folded
from memtui.text.stopwords import STOP_WORDS
from memtui.text.synonyms import FILE_NAME, SHIPPED, Synonyms

SHIPPED_FILE = resources.files("memtui.text") / FILE_NAME
TABLE = tomllib.loads(SHIPPED_FILE.read_text(encoding="utf-8"))
LINES = [(kind, line) for kind, lines in TABLE.items() for line in lines]


def tokens_of(text):
    return tuple(term.score_tokens[0] for term in query_terms(text).terms)


def token_of(word):
    return tokens_of(word)[0]


def of(word, table=SHIPPED):
    return {synonym.text for synonym in table.of(token_of(word))}


def own(tmp_path, text):
    file = tmp_path / FILE_NAME
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return Synonyms(file)


def told(table):
    return [(problem.path, problem.line, problem.field, problem.value) for problem in table.problems]


# --- The shipped table ---------------------------------------------------------------------------


def test_the_shipped_table_is_in_order(tmp_path):
    assert own(tmp_path, SHIPPED_FILE.read_text(encoding="utf-8")).problems == ()
    assert len(TABLE["translations"]) > 500


def test_every_simple_word_of_the_shipped_table_is_found():
    for kind, line in LINES:
        for place, word in enumerate(line):
            if len(query_terms(word).terms) == 1:
                others = line[:place] + line[place + 1 :] if kind == "same" or place == 0 else [line[0]]
                tokens = {synonym.tokens for synonym in SHIPPED.of(token_of(word))}
                assert {tokens_of(other) for other in others} <= tokens, word


def test_no_line_names_one_word_twice():
    for _, line in LINES:
        tokens = [tokens_of(word) for word in line]
        assert len(set(tokens)) == len(tokens), line


def test_no_translation_turns_a_word_into_one_that_every_english_text_holds():
    """A Turkish word that, folded, is a common English one (iş: is) would match everything."""
    common = {"~" + word for word in STOP_WORDS if word.isascii()} | {"~not", "~sure", "~say", "~sec", "~new", "~no"}
    for line in TABLE["translations"]:
        terms = query_terms(line[0]).terms
        assert len(terms) > 1 or line[0] in STOP_WORDS or terms[0].score_tokens[0] not in common, line


@pytest.mark.parametrize(
    ("word", "synonym"),
    [
        ("kurulumu", "installation"),
        ("kurulumunda", "installation"),
        ("kuruluma", "installation"),
        ("kurulumun", "installation"),
        ("ayarları", "setting"),
        ("ayarlarının", "setting"),
        ("hatayı", "error"),
        ("hatalar", "error"),
        ("yedeğe", "backup"),
        ("yedeğini", "backup"),
        ("isteğin", "request"),
        ("veritabanına", "database"),
        ("veritabanının", "database"),
        ("kullanıcıların", "user"),
        ("SUNUCUDA", "server"),
        ("şifremi", "password"),
        ("sifremi", "password"),
        ("errors", "hata"),
        ("servers", "sunucu"),
        ("configs", "configuration"),
        ("repositories", "repo"),
        ("authentication", "auth"),
        ("k8s", "kubernetes"),
        ("e-mail", "email"),
        ("pr", "pull request"),
    ],
)
def test_inflected_words_meet_their_synonyms(word, synonym):
    assert synonym in of(word)


@pytest.mark.parametrize("word", ["plane", "kara", "model", "basil", "zzz", "日本", "🙂"])
def test_words_of_no_line_have_none(word):
    assert of(word) == set()


def test_translations_do_not_stand_for_one_another():
    assert "fault" not in of("error")
    assert {"error", "fault"} <= of("hata")


def test_synonyms_of_several_words_ask_for_them_all():
    assert ("~pull", "~request") in {synonym.tokens for synonym in SHIPPED.of(token_of("pr"))}


@given(st.text(max_size=20))
def test_any_word_may_be_looked_up(text):
    for term in query_terms(text).terms:
        for token in term.score_tokens:
            assert all(synonym.tokens and (token,) != synonym.tokens for synonym in SHIPPED.of(token))


def test_the_table_is_not_read_before_a_word_is_looked_up():
    script = (
        "import sys; from memtui.text import synonyms; from memtui.search.policy import DEFAULT_POLICY\n"
        "assert synonyms._shipped_lines.cache_info().currsize == 0 and 'tomllib' not in sys.modules\n"
        "assert DEFAULT_POLICY.synonyms.of('~hata') and synonyms._shipped_lines.cache_info().currsize == 1"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


# --- A person's own ------------------------------------------------------------------------------


def test_own_lines_add_to_the_shipped_ones(tmp_path):
    table = own(tmp_path, 'same = [["olive", "zeytinlik"]]\ntranslations = [["hata", "boo-boo"]]')
    assert table.problems == ()
    assert of("zeytinlikte", table) == {"olive"}
    assert {"error", "boo-boo"} <= of("hatayı", table)
    assert of("boo-boo", table) == {"hata"}
    assert "boo-boo" not in of("hata")


def test_without_a_file_of_its_own_a_table_is_the_shipped_one(tmp_path):
    table = Synonyms(tmp_path / FILE_NAME)
    assert table.problems == ()
    assert of("hata", table) == of("hata")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('same = [\n["a1", "b1"\nx', (3, None, None)),
        (b"same = [['\xff', 'b']]", (None, None, None)),
        ("same = " + "[" * 5_000, (None, None, None)),
    ],
)
def test_a_file_that_is_no_table_is_told_and_the_shipped_one_goes_on(tmp_path, text, place):
    table = own(tmp_path, text)
    assert told(table) == [(FILE_NAME, *place)]
    assert of("hata", table) == of("hata")


def test_a_folder_of_that_name_is_told(tmp_path):
    (tmp_path / FILE_NAME).mkdir()
    table = Synonyms(tmp_path / FILE_NAME)
    assert told(table) == [(FILE_NAME, None, None, None)]
    assert of("hata", table)


def test_what_is_no_file_is_neither_waited_for_nor_read(tmp_path):
    os.mkfifo(tmp_path / FILE_NAME)
    table = Synonyms(tmp_path / FILE_NAME)
    assert of("staging", table) == of("staging")
    (problem,) = table.problems
    assert "no regular file" in problem.reason
    endless = Synonyms(Path("/dev/zero"))
    assert of("staging", endless) == of("staging")
    assert "no regular file" in endless.problems[0].reason


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("same = [" + '["harbour", "quay"],' * 100_000 + "]", "larger than 256 KiB"),
        ("same = [" + '["harbour", "quay"],' * 10_000 + "]", "left out with all after it"),
        ("same = [[" + '"harbour",' * 20_000 + "]]", "left out with all after it"),
        ("same = [" + "[1]," * 50_000 + "]", "left out with all after it"),
        ("".join(f"k{n} = 1\n" for n in range(20_000)), "not known here"),
        (f"same = 0x{'f' * 5_000}", "must be a list of lists of words"),
        (f"same = {'9' * 5_000}", "not valid TOML"),
    ],
)
def test_a_table_out_of_all_measure_holds_no_search_up(tmp_path, text, said):
    table = own(tmp_path, text)
    began = monotonic_ms()
    assert of("staging", table) == of("staging")
    assert monotonic_ms() - began < 2_000
    assert said in table.problems[-1].reason
    assert len(table.problems) <= 5_001


def test_of_a_long_line_the_first_words_count(tmp_path):
    table = own(tmp_path, f"same = [{[f'harbour{number}' for number in range(60)]}]")
    assert len(of("harbour1", table)) == 49
    assert "the first 50 count" in table.problems[0].reason


def test_what_is_wrong_in_a_table_is_told_by_its_place_and_the_rest_counts(tmp_path):
    table = own(
        tmp_path,
        """
groups = [["a1", "a2"]]
same = [
  "olive",
  ["mill"],
  ["press", 7, "grinder"],
  ["basket", "!!", "crate"],
  ["jar", "log in", "pot"],
  ["good", "fine"],
]
translations = "none"
""",
    )
    assert told(table) == [
        (FILE_NAME, None, "groups", None),
        (FILE_NAME, None, "same, entry 1", "olive"),
        (FILE_NAME, None, "same, entry 2", "['mill']"),
        (FILE_NAME, None, "same, entry 3", "7"),
        (FILE_NAME, None, "same, entry 4", "!!"),
        (FILE_NAME, None, "same, entry 5", "log in"),
        (FILE_NAME, None, "translations", "none"),
    ]
    for one, other in [("press", "grinder"), ("basket", "crate"), ("jar", "pot"), ("good", "fine")]:
        assert other in of(one, table)


def test_the_shipped_table_reads_line_by_line_as_it_does_whole():
    lines = synonyms._shipped_lines()
    assert [line.row() for line in lines] == [(tuple(words), kind == "translations") for kind, words in LINES]
    for line in lines:
        for word in line.row().words:
            assert f'"{folded(word)[:2]}' in line.plain
