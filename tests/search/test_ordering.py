"""Sorting by something else than relevance: all hits, before any limit; what has no date or does not fade is last."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from memtui.model.instants import DAY
from memtui.model.records import Content, RecordKey
from memtui.model.versions import Draft
from memtui.search.filters import Standing
from memtui.search.ordering import arranged
from memtui.search.resident import ResidentCorpus
from memtui.search.searcher import Searcher
from memtui.store.columns import UNKNOWN
from tests.clocks import START, SteppingClock
from tests.search.test_filters import CORPORA, PRESENT, asked, names
from tests.twins.ledger import TwinLedger

RECORDS = (
    # name, kind, true since, days of stability, what makes it less relevant
    ("plain", "note", START - 400 * DAY, None, ""),
    ("old", "engram", START - 300 * DAY, 40.0, " and much else that nobody asked for"),
    ("firm", "engram", START - 200 * DAY, 9000.0, " and more of it"),
    ("young", "engram", START - 3 * DAY, 2.0, " and a little more, and something else, and so on"),
    ("doc", "note", START - 100 * DAY, None, ""),
)


@pytest.fixture
def shed():
    """Recorded a day apart, in this order; `other` holds no word of the query."""
    ledger = TwinLedger(SteppingClock(step=DAY))
    for name, kind, since, stability, more in (*RECORDS, ("other", "engram", START, 500.0, None)):
        text = "a ladder" if more is None else f"the olive press{more}"
        content = Content(summary=text, valid_from=since, stability_days=stability)
        with ledger.writing() as unit:
            unit.append(Draft(RecordKey("workspace", kind, name), "sync", content, "t"))
    return ledger


@CORPORA
def test_every_hit_is_sorted_before_the_limit(shed, corpus):
    def by(order, query="olive press", limit=50):
        return names(asked(shed, query, corpus, order=order, limit=limit))

    recorded = ["doc", "young", "firm", "old", "plain"]
    assert by("recorded") == recorded
    assert by("true-since") == ["young", "doc", "firm", "old", "plain"]
    assert by("retention") == ["firm", "old", "young", "doc", "plain"]
    assert set(by("relevance")[:2]) == {"doc", "plain"}
    for order in ("recorded", "true-since", "retention"):
        assert by(order, limit=2) == by(order)[:2]
        assert by(order, '"olive press" -little') == [name for name in by(order) if name != "young"]
    assert by("recorded", "kind:note") == ["doc", "plain"]
    assert by("retention", "*")[:2] == ["firm", "other"]
    assert by("relevance", "*") == by("recorded", "*") == ["other", *recorded]


@CORPORA
def test_equals_lie_by_when_they_were_recorded_and_then_by_name(corpus):
    ledger = TwinLedger(SteppingClock(step=DAY))
    for together in (("c",), ("b", "a"), ("d",)):
        with ledger.writing() as unit:
            for name in together:
                content = Content(summary="olive", valid_from=START)
                unit.append(Draft(RecordKey("workspace", "note", name), "sync", content, "t"))
    for order in ("recorded", "true-since", "retention"):
        assert names(asked(ledger, "olive", corpus, order=order)) == ["d", "a", "b", "c"]


def test_what_is_true_since_no_known_moment_comes_last(shed):
    with shed.reading() as unit:
        searcher = Searcher(ResidentCorpus.load(unit, ["workspace"]))
    columns = searcher.corpus.columns
    since = columns.valid_from.copy()
    since[3] = UNKNOWN
    rows = np.arange(len(columns))
    standing = Standing(
        replace(columns, valid_from=since),
        PRESENT,
        PRESENT,
        priors=lambda _: pytest.fail("nothing fades"),
        contradicted=lambda _: pytest.fail("nobody asked"),
    )
    places = arranged("true-since", rows, standing, lambda: rows, None).tolist()
    assert places == [5, 4, 2, 1, 0, 3]


def test_retention_counts_what_recalls_kept_in_mind():
    ledger = TwinLedger(SteppingClock(step=DAY))
    for name in ("recalled", "later"):
        with ledger.writing() as unit:
            content = Content(summary="olive", valid_from=START, stability_days=10.0)
            unit.append(Draft(RecordKey("workspace", "engram", name), "remember", content, "t"))
    assert names(asked(ledger, "olive", order="retention")) == ["later", "recalled"]
    with ledger.writing() as unit:
        unit.recall([RecordKey("workspace", "engram", "recalled")], reader="workspace", cue="olive", actor="t")
    assert names(asked(ledger, "olive", order="retention")) == ["recalled", "later"]
