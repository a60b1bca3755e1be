"""Search by words and meaning together: what each brings, and what neither may take from the other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.model.belief import BeliefState
from memtui.model.explaining import reason
from memtui.model.instants import DAY
from memtui.model.records import Content, RecordKey
from memtui.model.versions import Draft
from memtui.search.dense import Meaning
from memtui.search.fetched import FetchedCorpus
from memtui.search.fusion import dense_weight
from memtui.search.request import SearchRequest
from memtui.search.resident import ResidentCorpus
from memtui.search.searcher import Searcher
from memtui.store.vectors import EmbeddedText, Space
from tests.clocks import START, SteppingClock
from tests.twins.ledger import TwinLedger

SPACE = Space("model-a", 384, "chunks-1")
PRESENT = START + 100 * DAY
FUSIONS = ("adaptive", "rrf", "seed")


def direction(angle):
    """A unit vector whose cosine with `direction(0)` is that of the angle, in degrees."""
    vector = np.zeros(384, dtype=np.float32)
    vector[:2] = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    return vector


QUERY = Meaning(SPACE, direction(0), background=0.1, floor=0.2)


def remembered(*records, embedded=True):
    """A ledger of (name, summary, angle of its meaning, further fields)."""
    ledger = TwinLedger(SteppingClock(step=1000))
    for name, summary, angle, *more in records:
        fields = more[0] if more else {}
        with ledger.writing() as unit:
            key = RecordKey("workspace", fields.pop("kind", "engram"), name)
            content = Content(summary=summary, valid_from=START, **fields)
            unit.append(Draft(key, "remember", content, "t"))
            if embedded and angle is not None:
                text = EmbeddedText(len(unit.texts) - 1, (name,))
                unit.embed(SPACE, [text], {name: direction(angle)})
    return ledger


def asked(ledger, query, corpus=ResidentCorpus.load, *, meaning=QUERY, **options):
    with ledger.reading() as unit:
        held = corpus(unit, ["workspace"])
        if isinstance(held, ResidentCorpus):
            held = held.with_dense(unit, SPACE)
        return Searcher(held).search(SearchRequest(query, **{"limit": 50, "meaning": meaning, **options}), PRESENT)


def names(result):
    return [hit.name for hit in result.hits]


@pytest.mark.parametrize("corpus", [ResidentCorpus.load, FetchedCorpus])
def test_meaning_finds_what_shares_no_word(corpus):
    ledger = remembered(("kettle", "The kettle whistles", 80), ("password", "How a forgotten login is renewed", 20))
    found = asked(ledger, "şifremi unuttum", corpus)
    assert names(found) == ["password"]
    assert found.fused
    assert (found.hits[0].score, found.hits[0].coverage) == (0.0, 0.0)
    assert found.by_meaning_alone
    assert not asked(ledger, "şifremi unuttum whist", corpus).by_meaning_alone, "a word begun is a word"
    assert not asked(ledger, "şifremi kettel", corpus).by_meaning_alone, "and so is one mistyped"
    assert names(asked(ledger, "şifremi unuttum", corpus, meaning=None)) == []


def test_what_means_nothing_near_is_no_hit():
    ledger = remembered(("kettle", "The kettle whistles", 80), ("lamp", "The lamp is lit", 120))
    assert names(asked(ledger, "xqzt")) == []
    assert names(asked(ledger, "kettle")) == ["kettle"]


def test_vectors_of_another_model_say_nothing():
    ledger = remembered(("password", "How a forgotten login is renewed", 0))
    other = Meaning(SPACE._replace(model_id="model-b"), direction(0), 0.1, 0.2)
    found = asked(ledger, "şifre", meaning=other)
    assert (names(found), found.fused) == ([], False)


@pytest.mark.parametrize("fusion", FUSIONS)
def test_who_is_not_embedded_yet_is_found_by_words(fusion):
    ledger = remembered(("kettle", "The red kettle whistles", None), ("pot", "The red pot", 10))
    assert set(names(asked(ledger, "red kettle", fusion=fusion))) == {"kettle", "pot"}


@given(angles=st.lists(st.integers(0, 180), min_size=4, max_size=4), fusion=st.sampled_from(FUSIONS))
@settings(max_examples=60, deadline=None)
def test_a_first_place_decided_by_words_is_kept_whatever_the_vectors_are(angles, fusion):
    summaries = ("Restart the gatekeeper with gk-4017", "The gate is blue", "The mill grinds", "The gate was red")
    ledger = remembered(
        *((f"n{i}", text, angle) for i, (text, angle) in enumerate(zip(summaries, angles, strict=True)))
    )
    found = asked(ledger, "gk-4017", fusion=fusion)
    assert found.decided
    assert found.hits[0].name == "n0"
    first, *others = found.hits
    assert all(other.rank_score <= first.rank_score for other in others)


@pytest.mark.parametrize("fusion", FUSIONS)
@pytest.mark.parametrize("filtered", [{"tags": ("x",)}, {"area": "Zoo"}])
def test_what_a_filter_leaves_out_has_no_say_in_what_words_decide(fusion, filtered):
    x = {"tags": ("x",), "area": "Zoo"}
    ledger = remembered(
        ("louder", "zebra quokka zebra quokka", 60, {"title": "zebra quokka"}),
        ("only", "a zebra beside a quokka", 90, dict(x)),
        ("near", "striped horse of the zoo", 0, dict(x)),
        *((f"f{i}", f"filler {i}", 80 + i) for i in range(4)),
    )
    found = asked(ledger, "zebra quokka", fusion=fusion, **filtered)
    assert found.decided
    assert names(found)[0] == "only"
    assert not asked(ledger, "zebra quokka", tags=("nosuch",)).decided


def weight_of_meaning(found):
    """What meaning weighs in the explanation of the first hit."""
    nodes = [node for _, node in found.hits[0].explanation.walk()]
    place = next(i for i, node in enumerate(nodes) if node.label == "by meaning")
    return nodes[place + 1].value


@pytest.mark.parametrize("typed", ["gatekeepre mast gate", "gate mast gatekee"])
def test_a_word_typed_wrong_or_not_to_its_end_is_understood_all_the_same(typed):
    fillers = [(f"f{i}", f"Nothing but filler number {i}", 40 + i) for i in range(4)]
    ledger = remembered(("one", "The gatekeeper of the mast gate", 60), *fillers)
    told = asked(ledger, typed)
    assert told.hits[0].name == "one"
    stranger = asked(ledger, "gatezzzqqq mast gate")
    assert weight_of_meaning(told) < weight_of_meaning(stranger) - 0.05


@given(
    angles=st.lists(st.none() | st.integers(0, 180), min_size=5, max_size=5),
    query=st.sampled_from(["red gate", "mill", "gate mill kettle", "xyzzy", "red"]),
    fusion=st.sampled_from(FUSIONS),
)
@settings(max_examples=80, deadline=None)
def test_an_explanation_evaluates_to_its_score(angles, query, fusion):
    texts = ("The gate is red", "The mill grinds at the gate", "The kettle", "Red is the mill", "A gate")
    fields = ({}, {"pinned": True}, {"kind": "note", "tags": ("digest",)}, {"kind": "task", "status": "done"}, {})
    ledger = remembered(
        *((f"n{i}", *rest, dict(more)) for i, (*rest, more) in enumerate(zip(texts, angles, fields, strict=True)))
    )
    found = asked(ledger, query, fusion=fusion)
    fetched = asked(ledger, query, FetchedCorpus, fusion=fusion)
    assert [(h.name, h.rank_score) for h in found.hits] == [(h.name, h.rank_score) for h in fetched.hits]
    for hit in found.hits:
        tree = hit.explanation
        # What was fused is told down to its parts, whichever rule did it.
        assert all(node.children for _, node in tree.walk() if node.label.startswith("fused"))
        assert all(node.evaluate() == pytest.approx(node.value, abs=1e-9) for _, node in tree.walk())
        assert tree.evaluate() == pytest.approx(hit.rank_score, abs=1e-9)
        assert tree.value == pytest.approx(hit.rank_score, abs=1e-9)
        assert 0 <= hit.rank_score <= 1
    assert set(names(found)) >= set(names(asked(ledger, query, meaning=None)))


def the(hit, label):
    """The one node of a name in a hit's explanation."""
    (node,) = {node for _, node in hit.explanation.walk() if node.label == label}
    return node


@pytest.mark.parametrize(("fusion", "weights"), [("rrf", (1.0, 1.0)), ("seed", (0.7, 0.3))])
def test_fusion_by_places_tells_the_places(fusion, weights):
    ledger = remembered(
        ("one", "gate and mill", 60), ("two", "gate kettle lamp", 5), ("far", "lamp", 10), ("none", "mill", None)
    )
    found = asked(ledger, "gate mill x99", fusion=fusion)
    assert not found.decided
    for hit in found.hits:
        places = {}
        for plane, weight in zip(("by words", "by meaning"), weights, strict=True):
            node = the(hit, plane)
            if node.composition == "quotient":
                places[plane] = round(weight / node.value - 60)
                assert node.detail == f"{weight:g} / (60 + place {places[plane]})"
            else:
                assert (node.value, bool(node.detail)) == (0.0, True)
        assert (
            places
            == {
                "one": {"by words": 1, "by meaning": 3},
                "two": {"by words": 3, "by meaning": 1},
                "far": {"by meaning": 2},
                "none": {"by words": 2},
            }[hit.name]
        )
    said = reason(found.hits[0].explanation)
    assert "in place 1" in said
    assert "only the places count" in said
    assert "without a place" in reason(next(hit for hit in found.hits if hit.name == "far").explanation)


def test_the_seed_adds_numbers_where_words_are_decisive():
    words = (
        "kettle lamp anchor button candle dagger engine feather garden hammer island jacket kitten ladder magnet needle"
    )
    fillers = [(f"f{i}", "nothing of it", 90) for i in range(60)]
    found = asked(remembered(("one", words, 60), ("two", words + " too", 5), *fillers), words, fusion="seed")
    assert max(hit.score for hit in found.hits) >= 18
    assert the(found.hits[0], "by meaning").children[0].value == pytest.approx(0.3)
    assert "meaning weighs 0.30" in reason(found.hits[0].explanation)


def test_the_weight_of_meaning_tells_what_it_is_made_of():
    ledger = remembered(("one", "The gate and the mill", 60), ("two", "A kettle", 5), ("three", "A lamp", 40))
    found = asked(ledger, "gate mill anchor")
    weight = the(found.hits[0], "by meaning").children[0]
    understood, distinct = the(found.hits[0], "understood").value, the(found.hits[0], "distinct").value
    assert 0 < understood < 1
    assert 0 < distinct < 1
    assert weight.value == pytest.approx(dense_weight(understood, distinct), abs=1e-12)
    assert [part.value for part in weight.children] == pytest.approx([0.58, -0.4 * understood, 0.2 * distinct])


def test_filters_come_before_limits():
    """One that is asked for among very many that are nearer."""
    crowd = [(f"near-{number}", f"thing {number}", number % 20) for number in range(150)]
    ledger = remembered(*crowd, ("far", "another", 60, {"tags": ("wanted",), "area": "Mill"}))
    assert names(asked(ledger, "xyzzy", tags=("wanted",), limit=1)) == ["far"]
    assert names(asked(ledger, "xyzzy", area="mill", limit=1)) == ["far"]
    kinds = remembered(*crowd, ("note", "another", 60, {"kind": "note"}))
    assert names(asked(kinds, "xyzzy", kinds=("note",), limit=1)) == ["note"]


def test_meaning_too_is_asked_of_what_was_believed_then():
    ledger = remembered(("door", "The door is green", 10))
    with ledger.reading() as unit:
        then = unit.last_stamp()
    with ledger.writing() as unit:
        key = RecordKey("workspace", "engram", "door")
        unit.append(Draft(key, "update", Content(summary="The door is closed", valid_from=START), "t"))
        unit.embed(SPACE, [EmbeddedText(1, ("later",))], {"later": direction(85)})
    assert names(asked(ledger, "şifre")) == []
    past = asked(ledger, "şifre", belief=BeliefState(then))
    assert [hit.record.content.summary for hit in past.hits] == ["The door is green"]


@pytest.mark.parametrize(
    "lesser",
    [
        {"tags": ("digest",)},
        {"path": "maps/rota.excalidraw.md"},
        {"path": "Archive/2025/rota.md"},
        {"tags": ("kind:archive",)},
        {"status": "Archived"},
    ],
)
def test_both_planes_are_moved_by_what_a_record_is(lesser):
    fields = {"kind": "note", **lesser}
    ledger = remembered(("lesser", "one mast", 0, fields), ("written", "two masts", 20, {"kind": "note"}))
    assert names(asked(ledger, "xyzzy"))[0] == "written"
    assert names(asked(ledger, "mast", meaning=None))[0] == "written"


def test_a_file_called_archive_lies_in_no_archive():
    fields = {"kind": "note", "path": "notes/archive.md"}
    ledger = remembered(("archive", "one mast", 0, fields), ("written", "two masts", 20, {"kind": "note"}))
    assert names(asked(ledger, "xyzzy"))[0] == "archive"
