"""What a later entry says it replaces: it ranks lower in both planes, says so, and only while that entry holds."""

from __future__ import annotations

import numpy as np
import pytest

from memtui.model.belief import BeliefState
from memtui.model.instants import DAY
from memtui.model.records import Content, RecordKey
from memtui.model.versions import Draft
from memtui.search.factors import FactorPlane
from memtui.search.fetched import FetchedCorpus
from memtui.search.policy import DEFAULT_POLICY
from memtui.search.request import SearchRequest
from memtui.search.resident import ResidentCorpus
from memtui.search.searcher import Searcher
from tests.clocks import START
from tests.search.test_meaning import asked, names, remembered

ENTRY = {"kind": "changelog", "dated": START}
LATER = {"kind": "changelog", "dated": START + DAY, "supersedes": "old"}
BOTH = pytest.mark.parametrize("corpus", [ResidentCorpus.load, FetchedCorpus])


def badges(result):
    return {hit.name: hit.overridden for hit in result.hits}


def factor(hit, label):
    """Every value of a named factor in a hit's explanation."""
    return [node.value for _, node in hit.explanation.walk() if node.label == label]


@BOTH
def test_an_entry_that_a_later_one_replaces_ranks_below_its_like(corpus):
    ledger = remembered(
        ("old", "The port moved", 0, dict(ENTRY)),
        ("other", "The port moved", 0, dict(ENTRY)),
        ("new", "It moved back", 60, dict(LATER)),
    )
    for meaning in (None, ...):
        options = {} if meaning is ... else {"meaning": meaning}
        found = asked(ledger, "port moved", corpus, **options)
        assert badges(found) == {"other": False, "old": True, "new": False}
        hit = {hit.name: hit for hit in found.hits}
        assert hit["old"].rank_score < hit["other"].rank_score
        assert hit["old"].score == hit["other"].score
        assert set(factor(hit["old"], "overridden")) == {0.85}
        assert factor(hit["other"], "overridden") == []
        assert hit["old"].explanation.evaluate() == pytest.approx(hit["old"].rank_score, abs=1e-9)
        assert hit["old"].as_dict()["overridden"] is True


def test_by_meaning_alone_it_counts_for_less_too():
    ledger = remembered(
        ("old", "The port moved", 20, dict(ENTRY)),
        ("other", "The door opened", 25, dict(ENTRY)),
        ("new", "It moved back", 80, dict(LATER)),
    )
    found = asked(ledger, "xyzzy")
    assert names(found)[:2] == ["other", "old"]
    assert set(factor(found.hits[1], "overridden")) == {0.85}


@BOTH
def test_a_memory_can_be_overridden_as_well(corpus):
    ledger = remembered(("old", "The port is 4017", None), ("new", "Another port", None, dict(LATER)))
    assert badges(asked(ledger, "port", corpus)) == {"old": True, "new": False}


@BOTH
def test_an_earlier_entry_overrides_nothing(corpus):
    ledger = remembered(
        ("old", "The port moved", None, {"kind": "changelog", "dated": START + 2 * DAY}),
        ("new", "The port moved", None, dict(LATER)),
    )
    assert badges(asked(ledger, "port", corpus)) == {"old": False, "new": False}


@BOTH
def test_it_is_overridden_from_the_moment_that_is_known_until_it_no_longer_holds(corpus):
    ledger = remembered(("old", "The port moved", None, dict(ENTRY)))
    with ledger.reading() as unit:
        before = unit.last_stamp()
    key = RecordKey("workspace", "changelog", "new")
    content = Content(summary="It moved back", valid_from=START + DAY, dated=START + DAY, supersedes="old")
    with ledger.writing() as unit:
        unit.append(Draft(key, "sync", content, "t"))
        known = unit.stamp
    with ledger.writing() as unit:
        gone = Content(**{**fields(content), "valid_to": START + 50 * DAY})
        unit.append(Draft(key, "sync", gone, "t"))

    def is_overridden(known_at=None, true_at=None):
        return badges(asked(ledger, "port", corpus, belief=BeliefState(known_at, true_at)))["old"]

    assert not is_overridden(before, START + 10 * DAY)  # not known yet
    assert not is_overridden(known, START)  # known, but not true yet
    assert is_overridden(known, START + 10 * DAY)
    assert is_overridden(None, START + 10 * DAY)
    assert is_overridden(known, START + 60 * DAY)
    assert not is_overridden()  # the entry was taken out again


def fields(content):
    return {name: getattr(content, name) for name in ("summary", "valid_from", "dated", "supersedes")}


def test_nothing_is_worked_out_again_while_someone_types():
    """The same belief state has the same numbers: one mask serves every keystroke."""
    ledger = remembered(("old", "The port moved", None, dict(ENTRY)), ("new", "It moved", None, dict(LATER)))
    with ledger.reading() as unit:
        held = ResidentCorpus.load(unit, ["workspace"])
    searcher = Searcher(held)
    present = START + 100 * DAY
    mask = searcher.mask(BeliefState(), present)
    plane, rows = FactorPlane(held.columns, DEFAULT_POLICY), np.arange(2)
    first, again = (plane.of(rows, now=present, overridden=mask.overridden) for _ in range(2))
    assert first.standing is again.standing
    for query in ("p", "po", "por", "port"):
        assert badges(searcher.search(SearchRequest(query), present))["old"]
    assert searcher.mask(BeliefState(), present) is mask
