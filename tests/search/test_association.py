"""What answers by its circumstances is filtered before the best are chosen, and so are the memories it links to."""

from __future__ import annotations

import pytest

from memtui.model.records import Content, EncodingContext, HomophonicLink, RecordKey
from memtui.model.versions import Draft
from memtui.search.fetched import FetchedCorpus
from memtui.search.request import SearchRequest
from memtui.search.resident import ResidentCorpus
from memtui.search.searcher import Searcher
from tests.clocks import START, SteppingClock
from tests.twins.ledger import TwinLedger

PRESENT = START + 1_000_000_000


@pytest.fixture(params=[ResidentCorpus.load, FetchedCorpus], ids=["resident", "fetched"])
def search(request):
    ledger = TwinLedger(SteppingClock(step=1))
    crowd = [(f"a-crowd-{number}", ("other",), (HomophonicLink("linked", 1.0),)) for number in range(12)]
    with ledger.writing() as unit:
        for name, tags, links in [*crowd, ("z-wanted", ("mine",), ())]:
            content = Content(
                summary="olive press",
                area="Place/olive",
                tags=tags,
                encoding_context=EncodingContext(area="Place/olive"),
                homophonic_links=links,
                valid_from=START,
            )
            unit.append(Draft(RecordKey("workspace", "engram", name), "remember", content, "t"))
        linked = Content(summary="a stone wheel", tags=("mine",), valid_from=START)
        unit.append(Draft(RecordKey("workspace", "engram", "linked"), "remember", linked, "t"))
    with ledger.reading() as unit:
        searcher = Searcher(request.param(unit, ["workspace"]))

        def find(query, **options):
            asked = SearchRequest(query, limit=50, ecphory=True, **options)
            return {hit.name: hit for hit in searcher.search(asked, PRESENT).hits}

        yield find


def associated(hit):
    return any(node.label == "association" for _, node in hit.explanation.walk())


def test_a_filter_leaves_no_place_to_what_it_leaves_out(search):
    found = search("olive", tags=("mine",))
    assert set(found) == {"z-wanted"}
    assert associated(found["z-wanted"])


def test_without_a_filter_the_best_eight_by_name_are_direct(search):
    found = search("olive")
    assert [name for name in sorted(found) if associated(found[name])] == [
        *sorted(f"a-crowd-{number}" for number in range(12))[:8],
        "linked",
    ]
    assert found["linked"].via == "a-crowd-0"


def test_a_link_from_what_is_left_out_brings_nothing(search):
    assert "linked" not in search("olive", tags=("mine",))


def test_another_kind_asks_for_no_association(search):
    assert search("olive", kinds=("note",)) == {}


def test_what_is_forgotten_takes_no_neighbour_s_place():
    ledger = TwinLedger(SteppingClock(step=1))
    links = (*(HomophonicLink(f"gone-{number}", 1.0) for number in range(8)), HomophonicLink("kept", 0.5))
    with ledger.writing() as unit:
        for name, content in [
            ("cue", Content(summary="olive press", area="olive", homophonic_links=links, valid_from=START)),
            ("kept", Content(summary="a stone wheel", valid_from=START)),
            *((f"gone-{n}", Content(summary="lost", valid_from=START, valid_to=START + 1)) for n in range(8)),
        ]:
            unit.append(Draft(RecordKey("workspace", "engram", name), "remember", content, "t"))
    with ledger.reading() as unit:
        searcher = Searcher(ResidentCorpus.load(unit, ["workspace"]))
    found = searcher.search(SearchRequest("olive", limit=50, ecphory=True), PRESENT).hits
    assert [hit.name for hit in found] == ["cue", "kept"]
