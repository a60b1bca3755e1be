"""Identifiers typed with other joiners or none: they are taken for what the vault holds, and said to be."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.model.instants import DAY
from memtui.search.rejoining import written_otherwise
from memtui.text.analysis import query_terms
from tests.clocks import START
from tests.search.test_standing_in import CORPORA, add, answers, ledger_of, said

OTHERS = {
    "n1": "a retro after the harvest, 214 sacks",
    "n2": "olv is short for olive",
    "n3": "214 weighings|215 of e mail",
}


@CORPORA
@pytest.mark.parametrize(
    ("typed", "held"),
    [
        ("olv214", "A box must not travel|back in time, OLV-214"),
        ("olv_214", "see OLV-214"),
        ("OLV.214", "see olv214 there"),
        ("e4017", "Error E-4017 on windy days"),
        ("get_user_name", "call getUserName first"),
        ("getUserName", "call get-user-name first"),
        ("pg-vector", "stored in pgvector"),
        ("olv214'ün", "see OLV-214"),
        ("2026.03.12", "on 2026-03-12 it rained"),
        ("v1_2_3-rc4", "released v1.2.3.rc4"),
        ("#olv214", "see olv-214"),
    ],
)
def test_an_identifier_is_taken_for_the_same_characters_joined_otherwise(typed, held, corpus):
    found = answers(ledger_of({"held": held, **OTHERS}), typed, corpus)
    assert next(iter(found)) == "held"
    assert any(label.startswith("taken for ") for label in said(found, "held"))
    assert found["held"][1].spans


@CORPORA
@pytest.mark.parametrize(
    ("typed", "other"),
    [
        ("1.5", "15 and 1/5"),  # a number is what it is
        ("olv215", "olv-214"),  # other characters
        ("olv-214", "olv-214 and olv_214"),  # it stands there
        ("istanbul'da", "istanbulda"),  # an ending, no identifier
    ],
)
def test_what_is_not_taken_for_another(typed, other, corpus):
    found = answers(ledger_of({"other": other}), typed + " ", corpus)
    assert not any(label.startswith("taken for ") for name in found for label in said(found, name))


def test_it_is_also_seen_where_it_begins_other_words():
    texts = {"held": "see OLV-214", "begun": "the build olv2147"}
    assert set(answers(ledger_of(texts), "olv214")) == {"held", "begun"}


@CORPORA
def test_names_are_met_by_stand_ins_and_by_parts(corpus):
    texts = {"olv-214-clock-guard": "a box must not travel back", "n1": "a box must not travel back, olv 214"}
    found = answers(ledger_of(texts), "olv_214", corpus)
    assert next(iter(found)) == "olv-214-clock-guard"
    assert "name, alias or title" in said(found, "olv-214-clock-guard")


@CORPORA
def test_what_cannot_be_seen_stands_in_for_nothing(corpus):
    ledger = ledger_of({"seen": "see olv_214"})
    add(ledger, {"past": "see olv-214 and olv.214"}, until=START + DAY)
    found = answers(ledger, "olv214", corpus)
    assert set(found) == {"seen"}
    assert [label for label in said(found, "seen") if label.startswith("taken")] == ["taken for olv_214"]


@pytest.mark.parametrize("typed", ["a1b2c3d4e5f6", "/".join(f"part{n}" for n in range(60)), "x" * 100 + "1"])
def test_only_a_handful_of_forms_is_looked_up(typed):
    (term,) = query_terms(typed).terms
    assert 1 < len(written_otherwise(term)) <= 36


RUNS = st.lists(
    st.text("qxz", min_size=1, max_size=3) | st.text("0123456789", min_size=1, max_size=4), min_size=2, max_size=3
)
JOINERS = st.sampled_from("-_./:")
TEXTS = st.lists(
    st.lists(st.sampled_from(["the", "box", "of", "Milas", "weighs", "olives", "slowly", "|", "box-of"]), max_size=9),
    max_size=6,
)


@CORPORA
@given(data=st.data(), runs=RUNS, texts=TEXTS, where=st.sampled_from(["{}", "{}: a box|weighs", "the box {} weighs"]))
def test_whatever_joins_an_identifier_that_occurs_once_its_record_is_first(corpus, data, runs, texts, where):
    """Joined by any signs on both sides, or by none where it can be told where the parts end."""

    def joined(without):
        said = runs[0]
        for before, run in pairwise(runs):
            glued = without(before, run) and data.draw(st.booleans())
            said += ("" if glued else data.draw(JOINERS)) + run
        return said

    held = joined(lambda before, run: not (before.isdigit() and run.isdigit()))
    typed = joined(lambda before, run: before.isdigit() != run.isdigit())
    ledger = ledger_of({"held": where.replace("{}", held), **{f"n{i}": " ".join(t) for i, t in enumerate(texts)}})
    found = answers(ledger, typed, corpus)
    assert next(iter(found)) == "held"
