"""The near-duplicate gate: what it advises by meaning and by words, and what it says it could not compare."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memtui.embedding import nearness
from memtui.embedding.nearness import Nearness
from memtui.errors import EmbedderUnavailable, InvalidInput, MemtuiError, Refused
from memtui.memory.meanings import Meanings
from tests.memory.stores import everything

SAME = {"reachable": "listens", "renewed": "made", "erişilir": "listens", "brew": "boil", "tea": "kettle"}


class WordEmbedder:
    """A direction for each word, words that mean the same in one: what two texts share is known exactly."""

    model_id = "words-1"
    dims = 1024
    semantic = True

    def __init__(self):
        self.places, self.asked, self.failing = {}, [], None

    def embed(self, texts, *, purpose):
        assert purpose == "passage"
        if self.failing is not None:
            raise self.failing
        self.asked.extend(texts)
        return np.stack([self._vector(text) for text in texts])

    def _vector(self, text):
        vector = np.zeros(self.dims, dtype=np.float32)
        for word in re.findall(r"\w+", text.casefold()) or ["."]:
            vector[self.places.setdefault(SAME.get(word, word), len(self.places))] += 1
        return vector / np.linalg.norm(vector)


@pytest.fixture
def embedder(memory, monkeypatch):
    """An embedder in whose space near was measured."""
    known = {**nearness._MEASURED, "words-1": Nearness(0.1, 0.2, merge=0.95, review=0.6, review_passages=0.8)}
    monkeypatch.setattr(nearness, "_MEASURED", known)
    made = WordEmbedder()
    memory.register_embedder(made)
    return made


@pytest.fixture
def known(memory, clock):
    memory.remember("The staging gate listens on port 5433", name="port", area="Ops")
    clock.forward()
    memory.remember("The kettle boils at noon for the whole team", name="kettle", title="Tea time")


def told(found):
    return [(near.key.name, near.by, near.verdict) for near in found.nearest]


def test_a_rewording_is_to_be_merged_and_nothing_is_written(memory, known, embedder):
    memory.embed()
    before = everything(memory)
    found = memory.dedup("The staging gate ops reachable on port 5433")
    assert (found.verdict, found.by, found.checked, found.reason) == ("MERGE", "meaning", True, None)
    assert told(found)[0] == ("port", "meaning", "MERGE")
    near, second = found.nearest
    assert near.similarity == pytest.approx(1.0)
    assert near.margin == pytest.approx(near.similarity - second.similarity)
    assert second.margin == pytest.approx(second.similarity)
    assert found.as_dict()["nearest"][0] == {
        "scope": "workspace", "kind": "engram", "name": "port", "similarity": 1.0,
        "margin": round(near.margin, 4), "by": "meaning", "verdict": "MERGE", "verbatim": False,
        "title": "The staging gate listens on port 5433", "path": None,
    }  # fmt: skip
    assert everything(memory) == before


@pytest.mark.parametrize(
    "turned", ["The staging gate ops listens on port 5434", "The staging gate ops not listens on port 5433"]
)
def test_what_turns_it_round_is_for_a_person(memory, known, embedder, turned):
    memory.embed()
    embedder.places["5434"] = embedder.places["5433"]  # to a model a figure is a figure
    embedder.places["not"] = embedder.places["on"]
    found = memory.dedup(turned)
    assert found.nearest[0].similarity > 0.95
    assert (found.verdict, found.nearest[0].key.name) == ("REVIEW", "port")


def test_of_those_that_are_about_as_near_the_one_that_nothing_turns_round_comes_first(memory, known, embedder):
    memory.remember("The staging gate of ours listens on port 5434", name="other", area="Ops")
    memory.remember("Gate of ours: 5433", name="far", area="Ops")
    memory.embed()
    embedder.places["5434"] = embedder.places["5433"]  # to a model a figure is a figure
    for text, order in (
        ("The staging gate of ours ops listens on port 5433", ["port", "other", "far"]),
        ("The staging gate of ours ops listens on port 5434", ["other", "port", "far"]),
    ):
        near = memory.dedup(text).nearest
        assert [each.key.name for each in near if each.key.name != "kettle"] == order, near


def test_of_two_that_are_as_near_neither_is_to_be_merged(memory, known, embedder):
    memory.remember("The staging gate reachable on port 5433", name="again", area="Ops")
    memory.embed()
    found = memory.dedup("The gate of staging ops listens on port 5433")
    assert (found.verdict, [near.verdict for near in found.nearest[:2]]) == ("REVIEW", ["REVIEW", "REVIEW"])
    assert found.nearest[0].margin < 0.02


def test_what_is_new_is_told_with_the_nearest(memory, known, embedder):
    memory.embed()
    found = memory.dedup("Olives are pressed at the mill in Edremit")
    assert found.verdict == "CREATE"
    assert [verdict for _, _, verdict in told(found)] == ["CREATE", "CREATE"]


@pytest.mark.parametrize("plane", ["none", "nothing embedded", "half embedded", "embedded"])
def test_word_for_word_is_the_same_in_every_plane(memory, known, embedder, write, monkeypatch, plane):
    page = "# Backups\n\nThey run at **three** at night, and never on the last day.\n"
    write("knowledge/backups.md", page)
    write("knowledge/unnamed.md", "Growers are paid on the first Monday of the month.\n")
    memory.sync()
    if plane == "none":
        monkeypatch.setattr(memory._realms, "meanings", Meanings("none"))
    elif plane != "nothing embedded":
        memory.embed()
    memory.remember("The sun is bright today", name="sun", body="Nobody minds")
    if plane == "embedded":
        memory.embed()
    for text, name in (
        ("the STAGING  gate listens on port 5433.", "port"),
        ("The kettle boils at noon for the whole team", "kettle"),
        ("The sun is bright today", "sun"),
        ("The sun is bright today\nNobody minds", "sun"),
        (page, "backups"),
        ("---\ntitle: Backups\ntags: [ops]\n---\n" + page, "backups"),
        ("Growers are paid on the first Monday of the month", "unnamed"),
    ):
        found = memory.dedup(text)
        assert (found.verdict, found.nearest[0].key.name, found.nearest[0].verbatim) == ("MERGE", name, True), text


def test_the_same_text_under_another_title_is_not_word_for_word(memory, write):
    stub = "## Why\n\n## What\n"
    write("tasks/a.md", f"---\ntitle: Lay the cable\n---\n{stub}")
    memory.sync()
    found = memory.dedup(f"---\ntitle: Paint the wall\n---\n{stub}")
    assert not any(near.verbatim for near in found.nearest)


@pytest.mark.slow
def test_what_is_not_embedded_is_compared_by_words_and_that_is_said(memory, known, embedder):
    memory.embed()
    memory.remember("The olive mill at Edremit presses until midnight", name="mill")
    found = memory.dedup("The olive mill at Edremit presses until midnight now")
    assert (found.verdict, found.by) == ("MERGE", "meaning")
    assert told(found)[0] == ("mill", "words", "MERGE")
    assert found.reason.startswith("1 record is not embedded yet and compared by words, `memtui embed refresh`")
    assert {by for _, by, _ in told(found)} == {"words", "meaning"}
    memory.embed()
    assert memory.dedup("The olive mill at Edremit presses").reason is None


def test_of_a_very_long_text_the_beginning_is_compared_and_that_is_said(memory, known, embedder, write, vault):
    memory.embed()
    paragraph = " ".join(["word"] * 150)
    told_first = "The staging gate listens on port 5433.\n\n"
    text = told_first + "\n\n".join(f"{paragraph} {number}" for number in range(400))
    embedder.asked.clear()
    found = memory.dedup(text)
    assert len(embedder.asked) == 32
    assert re.match(r"compared by the first 32 of \d+ passages", found.reason)
    write("knowledge/long.md", text)
    memory.sync()
    memory.embed()
    embedder.asked.clear()
    assert memory.dedup(vault / "knowledge/long.md").reason is None  # what is embedded already costs nothing
    assert embedder.asked == []


@pytest.mark.slow
def test_by_words_a_turned_copy_is_for_a_person_and_a_reworded_one_is_not_seen(memory, known, embedder):
    assert memory.dedup("The staging gate listens on port 5433 now").verdict == "MERGE"
    assert memory.dedup("The staging gate listens on port 5434 now").verdict == "REVIEW"
    assert memory.dedup("Gate: reachable, 5433").verdict == "CREATE"
    found = memory.dedup("The staging gate listens on port 5433 now")
    assert (found.by, found.checked) == ("words", True)
    assert found.reason.startswith("compared by words: nothing is embedded yet, `memtui embed refresh`")


@pytest.mark.slow
@pytest.mark.parametrize("trouble", ["no embedder", "nothing embedded", "model gone", "model broken", "unmeasured"])
def test_by_meaning_or_not_at_all(memory, known, embedder, monkeypatch, trouble):
    if trouble != "nothing embedded":
        memory.embed()
    if trouble == "no embedder":
        monkeypatch.setattr(memory._realms, "meanings", Meanings("none"))
    elif trouble == "model gone":
        embedder.failing = EmbedderUnavailable("the model is gone")
    elif trouble == "model broken":
        embedder.failing = RuntimeError("boom")
    elif trouble == "unmeasured":
        monkeypatch.setattr(nearness, "_MEASURED", {})
    why = {
        "no embedder": "no embedder is set",
        "nothing embedded": "nothing is embedded yet",
        "model gone": "the model is gone",
        "model broken": "words-1 failed: RuntimeError: boom",
        "unmeasured": "words-1 was never measured",
    }[trouble]
    text = "The staging gate listens on port 5433 now"
    found = memory.dedup(text, if_present=True)
    assert (found.verdict, found.checked, found.by, found.nearest) == ("CREATE", False, None, ())
    assert why in found.reason
    found = memory.dedup(text)
    assert (found.verdict, found.checked, found.by) == ("MERGE", True, "words")
    assert why in found.reason


@pytest.mark.slow
def test_what_is_not_semantic_compares_nothing_by_meaning(memory, known, embedder):
    embedder.semantic = False
    memory.embed()
    assert "words-1 is not semantic" in memory.dedup("The kettle").reason
    assert not memory.dedup("The kettle", if_present=True).checked


@pytest.mark.slow
def test_a_file_is_not_its_own_duplicate_but_a_copy_elsewhere_is(memory, embedder, write, vault, tmp_path):
    page = "# Kettle\n\nIt boils at noon, and the tea is kept for the whole team.\n"
    mine = write("notes/kettle.md", page)
    write("notes/press.md", "# Press\n\nOlives are pressed until midnight.\n")
    memory.sync()
    memory.embed()
    embedder.failing = EmbedderUnavailable("its passages are known already")
    found = memory.dedup(mine)
    assert (found.verdict, [near.key.name for near in found.nearest]) == ("CREATE", ["notes/press"])
    copy = tmp_path / "copy.md"
    copy.write_text(page, encoding="utf-8")
    found = memory.dedup(copy)
    assert (found.verdict, found.nearest[0].key.name, found.nearest[0].path) == (
        "MERGE",
        "notes/kettle",
        "notes/kettle.md",
    )
    (vault / "link.md").symlink_to(mine)
    assert memory.dedup(vault / "link.md").verdict == "CREATE"


@pytest.mark.slow
def test_one_section_of_many_is_enough(memory, embedder, write):
    filler = [" ".join(f"{theme}{number}" for number in range(110)) for theme in ("alpha", "beta", "gamma")]
    said = " ".join(f"backup{number}" for number in range(110))
    write("knowledge/long.md", f"## Oil\n\n{filler[0]}\n\n## Copies\n\n{said}\n")
    memory.sync()
    candidate = f"## Water\n\n{filler[1]}\n\n## Copies\n\n{said} tonight\n\n## Paper\n\n{filler[2]}\n"
    by_words = memory.dedup(candidate)
    memory.embed()
    by_meaning = memory.dedup(candidate)
    for found in (by_words, by_meaning):
        assert (found.verdict, found.nearest[0].key.name) == ("MERGE", "long")
        assert found.nearest[0].similarity > 0.95
    assert (by_words.by, by_meaning.by) == ("words", "meaning")


@pytest.mark.slow
def test_only_what_is_in_force_and_asked_about_is_compared(memory, known, embedder, write, clock):
    write("tasks/port.md", "# Port\n\nThe staging gate listens on port 5433\n")
    memory.sync()
    memory.embed()
    text = "The staging gate listens on port 5433"
    assert {near.key.kind for near in memory.dedup(text).nearest} == {"engram", "task"}
    assert [near.key.name for near in memory.dedup(text, kinds="task").nearest] == ["port"]
    assert len(memory.dedup(text, k=1).nearest) == 1
    with pytest.raises(InvalidInput, match="no kind"):
        memory.dedup(text, kinds="tsk")
    then = clock.now
    clock.forward()
    memory.forget("kettle")
    clock.forward()
    assert "kettle" not in [near.key.name for near in memory.dedup("The kettle boils").nearest]
    assert "kettle" in [near.key.name for near in memory.at(as_of=then).dedup("The kettle boils").nearest]


@pytest.mark.slow
def test_personal_memories_are_compared_with_themselves_alone(memory, known, monkeypatch):
    monkeypatch.setenv("MEMTUI_PERSONAL_ID", "ada")
    text = "The staging gate listens on port 5433"
    assert memory.dedup(text, personal=True).nearest == ()
    memory.remember(text, name="mine", personal=True)
    assert [near.key.partition for near in memory.dedup(text, personal=True).nearest] == ["personal:ada"]


@pytest.mark.slow
def test_an_empty_vault_knows_nothing(memory):
    found = memory.dedup("Anything")
    assert (found.verdict, found.checked, found.nearest) == ("CREATE", True, ())


@pytest.mark.slow
def test_files_that_changed_are_told(memory, write, store):
    write("notes/new.md", "A note of today")
    assert memory.dedup("A note of today").stale == (1 if store == "one-shot" else 0)
    assert everything(memory) == ((), ())


@pytest.mark.slow
@pytest.mark.parametrize("text", ["", "  \n", "---\ntitle: Only a title\n---\n"])
def test_what_says_nothing_is_refused(memory, text):
    with pytest.raises(InvalidInput, match="says nothing"):
        memory.dedup(text)


@pytest.mark.slow
def test_what_cannot_be_read_is_refused(memory, tmp_path):
    (tmp_path / "picture.md").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    with pytest.raises(InvalidInput, match="no text"):
        memory.dedup(tmp_path / "picture.md")
    for missing in (tmp_path / "missing.md", tmp_path, Path("a\0b")):
        with pytest.raises(InvalidInput, match="cannot be read") as caught:
            memory.dedup(missing)
        assert caught.value.field == "FILE"


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["olmak ya da olmamak", "to be or not to be", "🙂🙂", "東京都は晴れ", "a", "E-4017: x"]
)
def test_any_text_is_found_again(memory, text):
    memory.remember(text, name="it")
    assert memory.dedup(text).verdict == "MERGE"


@pytest.mark.slow
@pytest.mark.parametrize("store", ["twin"])
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(known=st.text(min_size=1, max_size=40), text=st.text(max_size=60))
def test_no_text_breaks_the_gate(memory, known, text):
    with contextlib.suppress(MemtuiError):  # no text that a memory can hold
        memory.remember(known)
    for candidate in (text, known):
        found, refusal = None, ""
        try:
            found = memory.dedup(candidate)
        except InvalidInput as error:
            refusal = error.message
        assert found is not None or re.search("says nothing|no text", refusal)
        if found is not None:
            order = [("MERGE", "REVIEW", "CREATE").index(near.verdict) for near in found.nearest]
            assert order == sorted(order)
            assert found.verdict == (found.nearest[0].verdict if found.nearest else "CREATE")


def test_who_remembers_is_told_what_is_near_by_meaning_where_the_model_is_loaded(memory, known, embedder, store):
    said = "The staging gate ops reachable on port 5433"
    assert [near.by for near in memory.remember(said, name="before", gate="warn").near] == ["words"]
    memory.forget("before")
    memory.embed()
    if store == "one-shot":  # which never loads it for that
        assert [near.by for near in memory.remember(said, name="again", gate="refuse").near] == ["words"]
        return
    with pytest.raises(Refused, match=r"port says nearly the same \(1.00 by meaning\)"):
        memory.remember(said, name="again", gate="refuse")
    warned = memory.remember(said, name="again", gate="warn")
    assert [(near.name, near.by, near.verdict) for near in warned.near] == [("port", "meaning", "MERGE")]
    assert memory.remember("Nothing of all that", name="other", gate="refuse").near == ()


def test_what_words_tell_is_told_also_where_the_model_fails(memory, known, embedder):
    memory.embed()
    embedder.failing = RuntimeError("gone")
    warned = memory.remember("The kettle boils at noon for the whole team now", name="kettles", gate="warn")
    assert [(near.name, near.by) for near in warned.near] == [("kettle", "words")]
    assert memory.remember("The gate ops reachable on 5433", name="gate", gate="warn").near == ()
