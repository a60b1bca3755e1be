"""Stand-ins: they find what a word misses, say so, and never change what the words themselves are worth."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.model.instants import DAY
from memtui.model.records import Content, RecordKey
from memtui.model.versions import Draft
from memtui.search.fetched import FetchedCorpus
from memtui.search.policy import DEFAULT_POLICY
from memtui.search.request import SearchRequest
from memtui.search.resident import ResidentCorpus
from memtui.search.searcher import Searcher
from memtui.text.synonyms import Synonyms
from tests.clocks import START, SteppingClock
from tests.twins.ledger import TwinLedger

PRESENT = START + 100 * DAY
LITERAL = replace(DEFAULT_POLICY, typo=0.0, synonym=0.0)
CORPORA = pytest.mark.parametrize("corpus", [ResidentCorpus.load, FetchedCorpus], ids=["resident", "fetched"])


def ledger_of(texts, *, until=None):
    ledger = TwinLedger(SteppingClock(step=1))
    add(ledger, texts, until=until)
    return ledger


def add(ledger, texts, *, until=None):
    with ledger.writing() as unit:
        for name, text in texts.items():
            title, _, body = text.rpartition("|")
            content = Content(title=title or None, body=body, valid_from=START, valid_to=until)
            unit.append(Draft(RecordKey("workspace", "note", name), "sync", content, "t"))


def answers(ledger, query, corpus=ResidentCorpus.load, policy=DEFAULT_POLICY):
    with ledger.reading() as unit:
        searcher = Searcher(corpus(unit, ["workspace"]), policy)
        hits = searcher.search(SearchRequest(query, limit=50), PRESENT).hits
        return {hit.name: (hit, hit.passage, hit.explanation) for hit in hits}


def said(found, name):
    return [node.label for _, node in found[name][2].walk()]


@CORPORA
@pytest.mark.parametrize(
    ("query", "held"),
    [
        ("databse ", "the databases grow"),
        ("authentcation ", "authentication by key"),
        ("tolantı ", "Toplantılar pazartesi"),
        ("toplantıfa ", "dün toplantıda konuşuldu"),
        ("kuberntes", "kubernetes in short"),
    ],
)
def test_a_mistyped_word_is_taken_for_the_nearest(query, held, corpus):
    found = answers(ledger_of({"held": held, "other": "nothing of it"}), query, corpus)
    assert set(found) == {"held"}
    hit, passage, _ = found["held"]
    assert (hit.score, hit.coverage) == (0, 0)
    assert hit.rank_score > 0
    assert any(label.startswith("taken for ") for label in said(found, "held"))
    assert passage.spans


def test_of_a_compound_the_part_that_occurs_nowhere_is_corrected():
    found = answers(ledger_of({"held": "call getUserName first"}), "getUsreName")
    assert "taken for user" in said(found, "held")
    assert "taken for name" not in said(found, "held")


@CORPORA
@pytest.mark.parametrize(
    ("query", "held"),
    [
        ("map ", "mop the floor"),  # too short
        ("e-4018 ", "error e-4017"),  # a number is never meant otherwise
        ("note", "notebook and vote"),  # it may still become what it begins
        ("vote ", "vote and note"),  # it stands there
    ],
)
def test_what_is_not_taken_for_another_word(query, held, corpus):
    found = answers(ledger_of({"held": held, "other": "cote"}), query, corpus)
    assert "other" not in found
    for name in found:
        assert not any(label.startswith("taken for ") for label in said(found, name))


@CORPORA
def test_the_nearest_is_taken_and_of_these_the_most_frequent(corpus):
    texts = {f"n{i}": word for i, word in enumerate(["notation"] * 3 + ["rotation"] * 2 + ["national"])}
    found = answers(ledger_of(texts), "potation ", corpus)
    assert set(found) == {"n0", "n1", "n2", "n3", "n4"}
    few = answers(ledger_of(texts), "potation ", corpus, replace(DEFAULT_POLICY, typo_terms=1))
    assert set(few) == {"n0", "n1", "n2"}


@CORPORA
def test_what_cannot_be_seen_is_neither_met_nor_in_the_way(corpus):
    plain = ledger_of({"seen": "the harbour office"})
    hiding = ledger_of({"seen": "the harbour office"})
    add(hiding, {"h1": "harbuor", "h2": "harbur harbuor", "h3": "toplantıda"}, until=START + DAY)
    for query in ("harbuor ", "harbur ", "toplantıfa "):
        told = [
            [(name, hit.rank_score) for name, (hit, _, _) in answers(ledger, query, corpus).items()]
            for ledger in (plain, hiding)
        ]
        assert told[0] == told[1]


def test_a_pasted_page_is_not_spelt_through():
    ledger = ledger_of({"held": "harbour"})
    page = " ".join(f"{word}qqqq" for word in "abcdefgh")
    assert answers(ledger, page + " harbuor ") == {}
    assert set(answers(ledger, "harbuor " + page)) == {"held"}


# --- Synonyms ------------------------------------------------------------------------------------


@CORPORA
@pytest.mark.parametrize(
    ("query", "held"),
    [
        ("kurulumu nasıl", "Installation guide"),
        ("hatayı", "an error on Monday"),
        ("errors", "üç hata çıktı"),
        ("config ", "the configuration"),
        ("pr", "request to pull"),
        ("e-mail", "eposta gönder"),
        ("config'in ", "the configuration"),
    ],
)
def test_a_synonym_finds_what_the_word_misses(query, held, corpus):
    found = answers(ledger_of({"held": held, "other": "pull no strings"}), query, corpus)
    assert set(found) == {"held"}
    hit, passage, _ = found["held"]
    assert (hit.score, hit.coverage) == (0, 0)
    assert any(label.startswith("synonym ") for label in said(found, "held"))
    assert passage.spans


@CORPORA
@pytest.mark.parametrize(
    ("query", "held"),
    [
        ("müdür", "the manager"),  # a stop word
        ("config-file", "the configuration"),  # a part of an identifier
        ("doc", "docker, not documentation of it"),  # it may still become what it begins
        ("hata ", "data data"),  # a word of the table is spelt right
    ],
)
def test_what_is_not_expanded(query, held, corpus):
    found = answers(ledger_of({"held": held}), query, corpus)
    labels = [label for name in found for label in said(found, name)]
    assert not any(label.startswith(("synonym ", "taken for ")) for label in labels)


@CORPORA
def test_a_table_of_ones_own_counts_besides(tmp_path, corpus):
    (tmp_path / "synonyms.toml").write_text('same = [["gadget", "olive press", "error"]]', encoding="utf-8")
    policy = replace(DEFAULT_POLICY, synonyms=Synonyms(tmp_path / "synonyms.toml"))
    ledger = ledger_of({"both": "press the olive", "one": "olive", "named": "gadget", "shipped": "hata"})
    assert set(answers(ledger, "gadget ", corpus, policy)) == {"named", "both"}
    assert set(answers(ledger, "error ", corpus, policy)) == {"named", "both", "shipped"}
    assert set(answers(ledger, "error ", corpus)) == {"shipped"}


def test_a_word_begun_that_stands_there_whole_has_its_synonyms():
    found = answers(ledger_of({"doc": "doc", "docker": "docker", "docs": "the documentation"}), "doc")
    assert set(found) == {"doc", "docker", "docs"}


EQUAL = st.sampled_from(
    ["{}", "{}|the rest", "the rest|{}", "{} {}|{} and more of the same", "a long text with {} in it"]
)
COMMON = st.lists(st.sampled_from(["error", "hata", "bug", "fault", "other", "error|error error"]), max_size=8)


@CORPORA
@given(where=EQUAL, common=COMMON, word=st.sampled_from(["error", "hata"]), rest=st.sampled_from(["", "rest "]))
def test_a_synonym_never_outranks_the_word_itself(corpus, where, common, word, rest):
    """Whatever else is in the vault, and however much rarer the synonym is."""
    synonym = {"error": "hata", "hata": "fault"}[word]
    texts = {f"n{i}": text for i, text in enumerate(common)}
    texts |= {"word": where.replace("{}", word), "synonym": where.replace("{}", synonym)}
    found = answers(ledger_of(texts), f"{rest}{word} ", corpus)
    assert found["word"][0].rank_score > found["synonym"][0].rank_score


def test_of_several_synonyms_in_one_record_the_best_counts():
    texts = {"one": "error and so on and on", "many": "error and bug and fault on", "word": "hata and so on and on"}
    found = answers(ledger_of(texts), "hata ")
    assert next(iter(found)) == "word"
    (node,) = [node for _, node in found["many"][2].walk() if node.label == "hata"]
    assert [child.label for child in node.children] == ["synonym error", "synonym bug", "synonym fault"]
    assert node.evaluate() == max(child.evaluate() for child in node.children)


# --- Laws ----------------------------------------------------------------------------------------


WORDS = [
    "error",
    "hatalar",
    "harbour",
    "harbor",
    "mill",
    "mile",
    "storage",
    "storages",
    "toplantı",
    "toplantıda",
    "tide",
]
TEXTS = st.lists(st.lists(st.sampled_from([*WORDS, "|"]), max_size=5).map(" ".join), max_size=6)
QUERIES = st.lists(
    st.sampled_from([*WORDS, "hata", "bug", "errro", "harbuor", "mlil", "storaeg", "toplntı", "tdie", "mil"]),
    min_size=1,
    max_size=4,
).map(" ".join)


@given(TEXTS, QUERIES, st.sampled_from(["", " "]))
def test_stand_ins_change_no_score_and_lose_no_hit(texts, query, end):
    ledger = ledger_of({f"n{i}": text for i, text in enumerate(texts)})
    with_them, without = answers(ledger, query + end), answers(ledger, query + end, policy=LITERAL)
    assert set(without) <= set(with_them)
    for name, (hit, _, explanation) in with_them.items():
        assert explanation.evaluate() == pytest.approx(hit.rank_score, abs=1e-9)
        plain = without[name][0] if name in without else None
        assert hit.score == (plain.score if plain else 0)
        assert hit.coverage == (plain.coverage if plain else 0)


@given(TEXTS, QUERIES)
def test_they_are_the_same_each_time_and_in_both_corpora(texts, query):
    ledger = ledger_of({f"n{i}": text for i, text in enumerate(texts)})
    told = [
        [(name, hit.rank_score, passage) for name, (hit, passage, _) in answers(ledger, query, corpus).items()]
        for corpus in (ResidentCorpus.load, ResidentCorpus.load, FetchedCorpus)
    ]
    assert told[0] == told[1] == told[2]
