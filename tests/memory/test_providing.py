"""A search engine of the user's own: what it ranks is what is found, and nothing it does can harm an answer."""

from __future__ import annotations

import math
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import memtui
from memtui.clock import monotonic_ms
from memtui.model.instants import iso
from memtui.search.provider import checked_ranking

WORDS = "kettle"


class Shelf:
    """An engine that answers with what it was given."""

    name, semantic = "shelf-1", True

    def __init__(self, *ranked):
        self.ranked, self.asked = ranked, []

    def search(self, query):
        self.asked.append(query)
        if isinstance(self.ranked[0], BaseException):
            raise self.ranked[0]
        return self.ranked


def record(name, score, *, scope="workspace", kind="engram"):
    return memtui.RankedRecord(scope, kind, name, score)


@pytest.fixture
def known(memory, clock):
    memory.remember("The kettle is on the second shelf", name="kettle", tags=["kitchen"])
    clock.forward()
    memory.remember("The mill presses olives", name="mill")
    clock.forward()
    memory.remember("The lamp stands by the door", name="lamp")


def names(found):
    return [hit.name for hit in found]


def test_what_it_ranks_is_found_in_its_order(memory, known):
    memory.register_search_provider(Shelf(record("lamp", 0.5), record("mill", 2.0), record("nobody", 9.0)))
    found = memory.search(WORDS)
    assert names(found) == ["mill", "lamp"]
    assert (found.plane, found.semantic, found.degraded) == ("hybrid", True, False)
    assert "shelf-1" in found.reason
    for hit in found:
        assert hit.explanation.evaluate() == pytest.approx(hit.rank_score, abs=1e-9)
    assert found.hits[0].score == 0.0  # plain BM25 is never anyone else's number
    assert any(node.label == "by shelf-1" for _, node in found.hits[0].explanation.walk())


def test_it_is_told_what_is_asked_and_registering_again_replaces_it(memory, known):
    first, second = Shelf(record("lamp", 1)), Shelf(record("mill", 1))
    memory.register_search_provider(first)
    memory.register_search_provider(second)
    assert names(memory.search(f"kind:engram {WORDS}", k=3)) == ["mill"]
    assert first.asked == []
    (query,) = second.asked
    assert (query.words, query.partitions, query.known_at) == (WORDS, ("workspace",), None)
    assert query.limit >= 3


def test_words_alone_do_not_ask_it(memory, known):
    shelf = Shelf(record("lamp", 1))
    memory.register_search_provider(shelf)
    assert names(memory.search(WORDS, semantic=False)) == ["kettle"]
    assert shelf.asked == []


def test_belief_and_filters_hold_for_it_too(memory, known, clock):
    memory.register_search_provider(Shelf(record("lamp", 3), record("mill", 2), record("kettle", 1)))
    before = clock()
    clock.forward()
    memory.forget("lamp")
    assert names(memory.search(WORDS)) == ["mill", "kettle"]
    assert names(memory.search(WORDS, as_of=iso(before))) == ["lamp", "mill", "kettle"]
    assert names(memory.search(WORDS, tags=["kitchen"])) == ["kettle"]
    assert names(memory.search("tag:kitchen kettle")) == ["kettle"]
    assert names(memory.search(WORDS, k=1)) == ["mill"]


class Unsayable(Exception):
    """Says nothing of itself, and fails at that."""

    def __str__(self):
        raise SystemExit if self.args else RuntimeError

    __repr__ = __str__


class Escaping(Exception):
    """Writes to whoever reads of it."""

    def __str__(self):
        return "\x1b[2J" + "gone\n" * 10_000


BROKEN = [
    (RuntimeError("boom"),),
    (SystemExit(),),
    (Unsayable(),),
    (Unsayable(1),),
    (record("\x1b[2J", "\x1b[2J"),),
    (Escaping(),),
    ("kettle",),
    (record("kettle", math.nan),),
    (record("kettle", -1.0),),
    (record("kettle", True),),
    (("kettle", 1.0),),
    ((1, 2, 3, 4),),
    (None,),
]


@pytest.mark.parametrize("ranked", BROKEN, ids=lambda ranked: type(ranked[0]).__name__)
def test_whatever_is_wrong_with_it_words_answer_and_it_is_named(memory, known, ranked):
    memory.register_search_provider(Shelf(*ranked))
    found = memory.search(WORDS)
    assert names(found) == ["kettle"]
    assert (found.degraded, found.plane) == (True, "lexical")
    assert found.reason.startswith("shelf-1 ")
    assert found.reason.isprintable()
    assert len(found.reason) < 400
    if isinstance(ranked[0], Exception):
        assert f"failed: {type(ranked[0]).__name__}" in found.reason


@pytest.mark.parametrize("name", ["", " ", "a\nb", "\x1b[31mred", "\u202egnp", "a\ud800", "x" * 121, None, 7])
def test_what_cannot_be_told_is_no_name(memory, known, name):
    shelf = Shelf(record("lamp", 1))
    shelf.name = name
    with pytest.raises(memtui.InvalidInput, match="name of a Shelf cannot be told") as refused:
        memory.register_search_provider(shelf)
    assert "at most 120 visible characters" in refused.value.hint
    assert names(memory.search(WORDS)) == ["kettle"]
    assert not memory.has_search_provider


def test_one_that_cannot_say_its_name_is_refused(memory, known):
    class Nameless(Shelf):
        @property
        def name(self):
            raise Unsayable

    with pytest.raises(memtui.InvalidInput, match="asked for its name it failed: Unsayable"):
        memory.register_search_provider(Nameless(record("lamp", 1)))


def test_it_is_called_as_it_was_when_it_was_registered(memory, known):
    shelf = Shelf(record("lamp", 1))
    memory.register_search_provider(shelf)
    shelf.name = "\x1b[31mred"
    assert memory.search(WORDS).reason == "ranked by shelf-1"


@pytest.mark.slow
def test_one_that_hangs_is_waited_for_once(memory, known):
    gate = threading.Event()

    class Hanging(Shelf):
        def search(self, query):
            gate.wait(30)
            return [record("mill", 1)]

    memory.register_search_provider(Hanging())
    began = monotonic_ms()
    slow, after = memory.search(WORDS), memory.search(WORDS)
    took = monotonic_ms() - began
    gate.set()
    assert names(slow) == names(after) == ["kettle"]
    assert "2 s" in slow.reason
    assert "busy" in after.reason
    assert took < 4_000


@given(found=st.recursive(st.none() | st.integers() | st.text() | st.floats(), st.lists, max_leaves=8))
@settings(max_examples=50)
def test_no_answer_at_all_breaks_more_than_itself(found):
    if found == [] or found == ():
        assert checked_ranking("any", found) == ()
        return
    with pytest.raises(memtui.ProviderUnavailable, match="any answered"):
        checked_ranking("any", found)
