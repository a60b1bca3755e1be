"""A store that changed is followed: what a recall cannot change is kept, and answers are those of reading anew."""

from __future__ import annotations

import sys
import threading

from memtui.memory.following import Follower
from memtui.model.belief import BeliefState
from memtui.model.instants import DAY, HOUR
from memtui.model.records import Content, RecordKey
from memtui.model.versions import Draft
from memtui.search import reinforcing
from memtui.search.policy import DEFAULT_POLICY
from memtui.search.request import SearchRequest
from memtui.search.resident import ResidentCorpus
from memtui.search.searcher import Searcher
from tests.clocks import START, SteppingClock
from tests.twins.ledger import TwinLedger


def ledger_of(clock, *summaries):
    ledger = TwinLedger(clock)
    with ledger.writing() as unit:
        for number, summary in enumerate(summaries):
            content = Content(summary=summary, valid_from=START)
            unit.append(Draft(RecordKey("workspace", "engram", f"e{number}"), "remember", content, "t"))
    return ledger


def recall(ledger, *names):
    with ledger.writing() as unit:
        unit.recall([RecordKey("workspace", "engram", name) for name in names], reader="workspace", cue="c", actor="t")


def follower_of(ledger):
    follower = Follower(ledger, ["workspace"], DEFAULT_POLICY)
    follower.refresh()
    return follower


def ranks(searcher, present):
    request = SearchRequest("olive", limit=50, counts_recalls=True)
    return {hit.name: hit.rank_score for hit in searcher.search(request, present).hits}


def test_a_recall_leaves_columns_and_masks_as_they_are():
    clock = SteppingClock(step=1)
    ledger = ledger_of(clock, "olive mill", "olive press")
    follower = follower_of(ledger)
    before = follower.searcher
    mask = before.mask(BeliefState(), clock())
    recall(ledger, "e1")
    assert follower.refresh()
    after = follower.searcher
    assert after is not before
    assert after.corpus.columns is before.corpus.columns
    assert after.mask(BeliefState(), clock()) is mask
    assert after.corpus.last_stamp > before.corpus.last_stamp
    assert len(before.corpus.recalls()) == 0
    assert len(after.corpus.recalls()) == 1


def test_a_recall_counts_at_once_whatever_was_worked_out_before():
    clock = SteppingClock(step=1)
    ledger = ledger_of(clock, "olive mill", "olive press", "olive grove")
    recall(ledger, "e0")
    follower = follower_of(ledger)
    for names in (("e1",), ("e0", "e2"), ("e1",)):
        clock.forward(3 * DAY)
        ranks(follower.searcher, clock.now)
        recall(ledger, *names)
        follower.refresh()
        clock.forward(20 * DAY)
        with ledger.reading() as unit:
            anew = Searcher(ResidentCorpus.load(unit, ["workspace"]))
        assert ranks(follower.searcher, clock.now) == ranks(anew, clock.now)


def test_a_version_after_a_recall_is_followed_too():
    clock = SteppingClock(step=1)
    ledger = ledger_of(clock, "olive mill")
    follower = follower_of(ledger)
    recall(ledger, "e0")
    follower.refresh()
    with ledger.writing() as unit:
        content = Content(summary="olive oil", valid_from=START)
        unit.append(Draft(RecordKey("workspace", "engram", "new"), "remember", content, "t"))
    follower.refresh()
    assert set(ranks(follower.searcher, clock())) == {"e0", "new"}


def test_only_recalled_memories_are_worked_out_and_only_once(monkeypatch):
    clock = SteppingClock(step=1)
    ledger = ledger_of(clock, *(f"olive {number}" for number in range(40)))
    recall(ledger, "e3", "e5")
    follower = follower_of(ledger)
    asked = []

    def counted(*given):
        asked.append(given)
        return worked_out(*given)

    worked_out = reinforcing.reinforced
    monkeypatch.setattr(reinforcing, "reinforced", counted)
    ranks(follower.searcher, clock() + HOUR)
    assert len(asked) == 2
    ranks(follower.searcher, clock() + HOUR)
    assert len(asked) == 2
    recall(ledger, "e5")
    follower.refresh()
    ranks(follower.searcher, clock() + HOUR)
    assert len(asked) == 3


def test_masks_are_kept_for_many_threads_at_once():
    ledger = ledger_of(SteppingClock(step=1), "olive mill")
    searcher = follower_of(ledger).searcher
    failures = []

    def slide(first):
        try:
            for step in range(1_500):
                searcher.mask(BeliefState(START + first + step), START + DAY)
        except (KeyError, RuntimeError) as error:
            failures.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=slide, args=(number * 10_000,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert failures == []
