"""Meaning through the verbs: what is embedded, when it has a say, and what is told when it cannot."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import memtui
from memtui.clock import monotonic_ms
from memtui.errors import EmbedderUnavailable, InvalidInput
from memtui.memory.meanings import Meanings
from memtui.model.instants import iso
from memtui.text.folding import fold_accents

TOPICS = {
    "login": ("password", "sifre", "parola", "login", "sign"),
    "water": ("kettle", "tea", "cay", "boil"),
    "olive": ("olive", "mill", "zeytin", "press"),
}


class TopicEmbedder:
    """Knows three topics in two languages: enough to tell what a text is about."""

    model_id = "topics-1"
    dims = 384
    semantic = True

    def __init__(self):
        self.passages, self.failing, self.topics = [], None, TOPICS

    def embed(self, texts, *, purpose):
        if self.failing is not None:
            raise self.failing
        if purpose == "passage":
            self.passages.extend(texts)
        return np.stack([self._vector(fold_accents(text.casefold())) for text in texts])

    def _vector(self, text):
        vector = np.full(self.dims, 0.01, dtype=np.float32)
        for place, words in enumerate(self.topics.values()):
            vector[place] += sum(word in text for word in words)
        return vector / np.linalg.norm(vector)


@pytest.fixture
def embedder(memory):
    made = TopicEmbedder()
    memory.register_embedder(made)
    return made


@pytest.fixture
def three(memory, clock):
    memory.remember("How a forgotten password is renewed", name="password")
    clock.forward()
    memory.remember("The kettle is on the second shelf", name="kettle", body="For tea at four")
    clock.forward()
    memory.remember("The mill presses olives until midnight", name="mill")


def names(found):
    return [hit.name for hit in found]


def test_what_is_embedded_is_found_by_its_meaning(memory, three, embedder):
    before = memory.search("zeytin ezmesi")
    assert (names(before), before.plane, before.degraded) == ([], "lexical", False)
    assert names(memory.search("zeytin ezmesi", semantic=True)) == []
    assert memory.embed().texts == 3
    found = memory.recall("zeytin ezmesi")
    assert names(found)[0] == "mill"
    assert (found.plane, found.semantic, found.degraded, found.fusion) == ("hybrid", True, False, "adaptive")
    assert found.reason is None
    assert names(memory.recall("zeytin ezmesi", semantic=False)) == []
    assert memory.search("çay", fusion="rrf").fusion == "rrf"
    assert memory.at(as_of=memory.show("mill").recorded_at).recall("zeytin").hits[0].name == "mill"


def test_what_says_next_to_nothing_is_near_to_nothing(memory, three, embedder):
    """A model that finds a letter near to anything is never asked about one."""
    memory.remember("kettle", name="letter")
    memory.note("tea")
    assert memory.embed().texts == 5
    assert not {"kettle", "tea"} & set(embedder.passages)
    assert names(memory.search("çay")) == ["kettle"]
    assert memory.status().embedding["embedded"] == 5
    assert memory.embed().waiting == 0
    assert set(names(memory.search("kettle"))) == {"kettle", "letter"}


def test_what_was_cut_in_an_earlier_way_counts_no_more_and_is_not_embedded_anew(memory, three, embedder, monkeypatch):
    memory.embed()
    told = len(embedder.passages)
    for module in ("embedding", "meanings", "health"):
        monkeypatch.setattr(f"memtui.memory.{module}.CHUNKER", "later")
    assert names(memory.search("zeytin")) == []
    assert memory.embed().texts == 3
    assert len(embedder.passages) == told
    assert names(memory.search("zeytin")) == ["mill"]


def test_only_what_is_new_is_embedded(memory, three, embedder, clock):
    done = memory.embed()
    assert (done.texts, done.chunks, done.waiting) == (3, 3, 0)
    assert [text.splitlines()[0] for text in embedder.passages].count("The mill presses olives until midnight") == 1
    clock.forward()
    memory.update("mill", tags=["night"])  # not what is embedded
    memory.update("kettle", summary="The kettle is on the first shelf")
    embedder.passages.clear()
    assert memory.search("kettle", semantic=True).reason == "60% embedded"
    done = memory.embed()
    assert (done.texts, len(embedder.passages)) == (2, 1)
    assert memory.embed().texts == 0
    assert memory.recall("kettle", semantic=True).reason is None


def test_a_recall_takes_along_what_was_remembered_a_moment_ago(memory, three, embedder, clock):
    assert names(memory.recall("zeytin ezmesi"))[0] == "mill"
    clock.forward()
    memory.remember("Tea is boiled in the samovar", name="samovar")
    found = memory.recall("çay")
    assert "samovar" in names(found)
    assert (found.semantic, found.reason) == (True, None)
    assert memory.embed().texts == 0


@pytest.mark.slow
def test_a_recall_takes_along_a_little_of_much_and_the_newest_first(memory, embedder, clock):
    for number in range(40):
        clock.forward()
        memory.remember(f"Olives of the year {1900 + number}", name=f"n{number}")
    found = memory.recall("zeytin")
    assert (found.semantic, found.reason, embedder.passages) == (False, None, [])  # too much for a search to help
    memory.embed(cancelled=lambda: bool(embedder.passages))
    embedder.passages.clear()
    assert memory.recall("zeytin").reason is None
    assert len(embedder.passages) == 8


def test_what_takes_too_long_is_not_taken_along(memory, three, embedder):
    embed = embedder.embed
    gate = threading.Event()
    embedder.embed = lambda texts, *, purpose: embed(texts, purpose=purpose) if purpose == "query" else gate.wait(30)
    began = monotonic_ms()
    found = memory.recall("kettle shelf")
    took = monotonic_ms() - began
    gate.set()
    assert names(found)[0] == "kettle"
    assert took < 2_000


def test_a_search_takes_nothing_along(memory, three, embedder):
    memory.search("kettle", semantic=True)
    assert embedder.passages == []


@pytest.mark.slow
def test_a_run_that_is_cancelled_keeps_what_it_did_newest_first(memory, embedder, clock):
    for number in range(70):
        memory.remember(f"Olive number {number}", name=f"n{number:02d}")
    seen = []
    done = memory.embed(progress=lambda *count: seen.append(count), cancelled=lambda: bool(seen))
    assert (done.texts, done.waiting, seen) == (32, 38, [(32, 70)])
    assert "Olive number 69" in embedder.passages
    assert "Olive number 0" not in embedder.passages
    assert memory.embed().texts == 38


@pytest.mark.parametrize("trouble", [EmbedderUnavailable("the model is gone"), EmbedderUnavailable("it took 2 s")])
def test_an_embedder_that_fails_is_named_and_words_answer(memory, three, embedder, trouble):
    memory.embed()
    embedder.failing = trouble
    found = memory.recall("kettle shelf now", semantic=True)
    assert names(found) == ["kettle"]
    assert (found.plane, found.semantic, found.degraded) == ("lexical", False, True)
    assert found.reason.startswith(trouble.message)
    with pytest.raises(EmbedderUnavailable):
        memory.remember("The olive is green", name="green")
        memory.embed()
    assert memory.show("green").content.summary == "The olive is green"


def test_another_embedder_compares_nothing_with_what_the_first_made(memory, three, embedder):
    memory.embed()
    other = TopicEmbedder()
    other.model_id = "topics-2"
    memory.register_embedder(other)
    found = memory.search("zeytin ezmesi", semantic=True)
    assert (names(found), found.degraded) == ([], True)
    assert "memtui embed refresh" in found.reason
    assert memory.embed().texts == 3
    assert names(memory.recall("zeytin ezmesi"))[0] == "mill"
    memory.register_embedder(embedder)
    assert memory.embed().texts == 0  # the old vectors are kept


def test_what_is_not_semantic_says_so(memory, three, embedder):
    embedder.semantic = False
    memory.embed()
    found = memory.recall("çay", semantic=True)
    assert (found.plane, found.semantic, found.degraded) == ("hybrid", False, True)
    assert "topics-1 is not semantic" in found.reason


def test_where_words_decide_a_single_command_loads_no_model(memory, three, embedder, store):
    memory.embed()
    embedder.failing = EmbedderUnavailable("it was asked")
    found = memory.recall("kettle on the second shelf")
    assert names(found)[0] == "kettle"
    if store == "one-shot":
        assert (found.semantic, found.degraded, found.reason) == (False, False, "decided by words")
    else:
        assert (found.degraded, found.reason) == (True, "it was asked")


def test_meaning_has_no_say_in_what_is_not_asked(memory, three, embedder):
    memory.embed()
    embedder.failing = EmbedderUnavailable("it was asked")
    assert memory.recall("  ", semantic=True).reason is None


def test_none_is_an_embedder_that_says_nothing(memory, three, monkeypatch):
    monkeypatch.setattr(memory._realms, "meanings", Meanings("none"))
    found = memory.recall("kettle", semantic=True)
    assert (names(found), found.degraded, found.reason) == (["kettle"], True, "no embedder is set")
    assert not memory.recall("kettle").degraded
    with pytest.raises(EmbedderUnavailable, match="no embedder"):
        memory.embed()


class Unsayable(Exception):
    """Says nothing of itself, and fails at that."""

    def __str__(self):
        raise RuntimeError

    __repr__ = __str__


@pytest.mark.parametrize(
    "failing",
    [RuntimeError("boom"), ValueError(), MemoryError("no room"), Unsayable()],
    ids=lambda failing: type(failing).__name__,
)
def test_an_embedder_that_breaks_in_its_own_way_is_named_too(memory, three, embedder, failing):
    memory.embed()
    embedder.failing = failing
    found = memory.recall("kettle shelf now", semantic=True)
    assert (names(found), found.plane, found.degraded) == (["kettle"], "lexical", True)
    assert f"topics-1 failed: {type(failing).__name__}" in found.reason
    with pytest.raises(EmbedderUnavailable, match=f"topics-1 failed: {type(failing).__name__}"):
        memory.embed(anew=True)


def test_what_is_embedded_anew_is_compared_by_its_new_vectors(memory, three, embedder):
    memory.embed()
    assert names(memory.search("zeytin", semantic=True))[0] == "mill"
    turned = {"login": "olive", "olive": "login"}
    renamed = {turned.get(topic, topic): words for topic, words in TOPICS.items()}
    told = dict(zip(TOPICS, [renamed[topic] for topic in TOPICS], strict=True))
    embedder.topics = told  # the model's file was replaced
    memory.embed(anew=True)
    memory.register_embedder(embedder)
    found = memory.search("zeytin", semantic=True)
    assert names(found)[0] == "mill"
    assert found.hits[0].explanation.evaluate() == pytest.approx(found.hits[0].rank_score)


@pytest.mark.parametrize("name", [None, 5, "", " ", "a\ud800", "a\nb", "\x1b[2J", "x" * 121])
def test_a_model_without_a_name_says_no_meaning(memory, three, embedder, name):
    embedder.model_id = name
    found = memory.recall("kettle", semantic=True)
    assert (names(found), found.degraded) == (["kettle"], True)
    assert "no name" in found.reason


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        *(("model_id", name, "no name") for name in (None, 5, "", "a\ud800", "\x1b[2J", "a\0b", "x" * 5_000)),
        ("dims", 512.0, "'512.0' wide"),
        ("dims", None, "'None' wide"),
        ("dims", "512", "'512' wide"),
        ("dims", True, "1 wide"),
        ("dims", 10**30, "stores have tables"),
        ("semantic", "yes", "True or False"),
    ],
)
def test_what_says_nonsense_of_itself_embeds_nothing_and_words_answer(memory, three, embedder, field, value, said):
    setattr(embedder, field, value)
    with pytest.raises(EmbedderUnavailable, match=said):
        memory.embed()
    with pytest.raises(EmbedderUnavailable, match=said):
        memory.embed(anew=True)
    found = memory.recall("kettle", semantic=True)
    assert (names(found), found.degraded) == (["kettle"], True)
    assert said in found.reason
    assert memory.status().embedding["embedded"] == 0


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt(), GeneratorExit()])
def test_an_embedder_that_wants_to_end_the_program_does_not(memory, three, embedder, error):
    embedder.failing = error
    with pytest.raises(EmbedderUnavailable, match="wanted to end the program"):
        memory.embed()
    assert memory.recall("kettle", semantic=True).degraded


def test_a_bulk_that_is_never_answered_ends(memory, three, embedder, monkeypatch):
    monkeypatch.setattr("memtui.memory.embedders._LONGEST_BATCH", 0.2)
    gate = threading.Event()
    embedder.embed = lambda texts, *, purpose: gate.wait(30)
    with pytest.raises(EmbedderUnavailable, match="did not answer within"):
        memory.embed()
    gate.set()


def test_nothing_is_let_go_for_a_model_that_does_not_answer(memory, three, embedder):
    memory.embed()
    embedder.failing = RuntimeError("boom")
    with pytest.raises(EmbedderUnavailable, match="boom"):
        memory.embed(anew=True)
    embedder.failing = None
    assert memory.embed().texts == 0


def test_another_embedder_of_the_same_name_is_asked_for_itself(memory, three, embedder):
    memory.embed()
    memory.search("zeytin", semantic=True)
    other = TopicEmbedder()
    other.failing = EmbedderUnavailable("it was asked")
    memory.register_embedder(other)
    assert "it was asked" in memory.search("zeytin", semantic=True).reason


def test_a_query_without_words_asks_no_model(memory, three, embedder):
    memory.embed()
    embedder.failing = EmbedderUnavailable("it was asked")
    found = memory.recall("?! kind:engram", semantic=True)
    assert len(found) == 3
    assert found.reason is None


def test_a_read_only_recall_takes_nothing_along(vault, clock):
    written = memtui.open(vault, create=True, clock=clock)
    written.remember("The mill presses olives until midnight", name="mill")
    reader = memtui.open(vault, clock=clock, read_only=True)
    embedder = TopicEmbedder()
    reader.register_embedder(embedder)
    assert reader.recall("zeytin mill", semantic=True).degraded
    assert embedder.passages == []


def test_a_past_recall_takes_nothing_along(memory, three, embedder, clock):
    moment = memory.show("mill").recorded_at
    memory.recall("zeytin", as_of=iso(moment))
    memory.at(as_of=iso(moment)).recall("zeytin")
    assert embedder.passages == []


@pytest.mark.slow
def test_an_embedder_that_hangs_is_waited_for_once(memory, three, embedder):
    memory.embed()
    gate, embed = threading.Event(), embedder.embed
    embedder.embed = lambda texts, *, purpose: (gate.wait(30), embed(texts, purpose=purpose))[1]
    began = monotonic_ms()
    slow, after = (memory.recall(query, semantic=True) for query in ("kettle shelf", "olive kettle"))
    took = monotonic_ms() - began
    gate.set()
    assert names(slow)[0] == "kettle"
    assert slow.degraded
    assert after.degraded
    assert "2 s" in slow.reason
    assert "busy" in after.reason
    assert took < 4_000


def test_a_width_without_a_table_is_told_and_words_answer_ever_after(memory, three, embedder):
    embedder.dims = 100
    for _ in range(2):
        found = memory.recall("kettle", semantic=True)
        assert (names(found), found.degraded) == (["kettle"], True)
        assert "100" in found.reason
    with pytest.raises(EmbedderUnavailable, match="100"):
        memory.embed()
    assert memory.status().states == {"in_force": 3}
    embedder.dims = 384
    assert memory.embed().texts == 3
    assert names(memory.recall("zeytin ezmesi"))[0] == "mill"


def test_asking_of_the_future_is_refused_whatever_embeds(memory, three, embedder, caplog):
    with pytest.raises(InvalidInput, match="future"):
        memory.recall("kettle", as_of="2031-01-01")
    assert "went by words" not in caplog.text
