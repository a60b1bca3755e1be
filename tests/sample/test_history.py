"""The sample vault's history: it is what its story makes of the public verbs, and its files agree with it."""

from __future__ import annotations

import shutil
from collections import Counter

import numpy as np
import pytest

import memtui
from memtui.embedding.use_multilingual import UseMultilingual
from memtui.memory.embedding import chunks_in
from memtui.memory.vector_pack import VectorPack
from tests.clocks import SteppingClock, at
from tests.sample.__main__ import HISTORY, SAMPLE, VECTORS, tell
from tests.sample.story import STEPS, ZONE

DAY_AFTER = at("2026-11-28T09:00:00+03:00")


@pytest.fixture
def delice(tmp_path, monkeypatch):
    """A fresh copy of the sample vault with its history replayed, on the day after the story ends."""
    monkeypatch.setenv("MEMTUI_TZ", ZONE)
    vault = shutil.copytree(SAMPLE, tmp_path / "delice", ignore=shutil.ignore_patterns(".memtui"))
    memory = memtui.open(vault, create=True, clock=SteppingClock(DAY_AFTER))
    assert memory.import_(HISTORY).replayed
    return memory


def test_the_files_are_as_the_history_left_them(delice):
    report = delice.sync()
    assert (report.added, report.changed, report.vanished, report.problems) == (0, 0, 0, ())
    assert report.unchanged > 100


def test_every_act_of_the_story_became_a_version(delice):
    acts = Counter(step.verb for step in STEPS if step.verb != "recall")
    names = {step.subject for step in STEPS if step.verb != "recall"}
    names |= {step.said["name"] for step in STEPS if step.verb == "supersede"}
    told = Counter(version.operation for name in names for version in delice.history(name))
    # A supersession writes two versions: of what goes and of what comes.
    assert told == acts + Counter(supersede=acts["supersede"])


def test_a_fault_that_came_back_twice_has_two_gaps(delice):
    versions = delice.history("milas-line-fails-in-rain")
    assert [version.operation for version in versions] == [
        "remember", "forget", "revive", "forget", "revive",
    ]  # fmt: skip
    assert len(versions[-1].content.revivals) == 2
    shown = {
        day: delice.show("milas-line-fails-in-rain", valid_at=day).state
        for day in ("2025-12-01", "2026-01-10", "2026-02-01", "2026-06-01", "2026-11-01")
    }
    assert list(shown.values()) == ["in_force", "forgotten", "in_force", "forgotten", "in_force"]


def test_the_past_did_not_know_how_it_ends(delice):
    def texts(query, **when):
        return [hit.name for hit in delice.search(query, k=10, **when)]

    assert "ghost-kilos-in-total" not in texts("ghost kilos growers", as_of="2025-11-08")
    assert "ghost-kilos-in-total" in texts("ghost kilos growers", as_of="2025-11-10")
    wrong = delice.show("ghost-kilos-in-total", as_of="2025-11-10T00:00:00+03:00")
    assert "226 kg" in wrong.content.summary
    assert "266 kg" in delice.show("ghost-kilos-in-total").content.summary


@pytest.mark.slow
def test_the_story_makes_this_very_history(tmp_path, monkeypatch):
    monkeypatch.setenv("MEMTUI_TZ", ZONE)  # which the telling sets; this puts the old one back
    tell(tmp_path / "delice", tmp_path / "history.jsonl")
    assert (tmp_path / "history.jsonl").read_bytes() == HISTORY.read_bytes()


def test_all_that_the_history_holds_is_embedded_already(delice):
    assert delice.adopt_vectors(VECTORS) == delice.status().index_rows


@pytest.mark.slow
def test_the_vectors_are_those_of_the_model(delice):
    pack = VectorPack.read(VECTORS)
    with delice.ledger.reading() as unit:
        told = {chunk.digest: chunk.text for version in unit.tail({}) for chunk in chunks_in(version)}
    some = sorted(told)[::9]
    made = UseMultilingual().embed([told[digest] for digest in some], purpose="passage")
    kept = np.stack([pack.vectors[digest] for digest in some])
    assert np.abs((made * kept).sum(axis=1) - 1.0).max() < 1e-3
