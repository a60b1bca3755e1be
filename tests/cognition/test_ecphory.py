"""Ecphory: known values of the partial match, and the laws of direct hits and their neighbours."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.cognition.ecphory import (
    Cue,
    Ecphory,
    Encoded,
    Part,
    adjusted,
    direct_hits,
    ecphory,
    ecphory_relevance,
    neighbours,
)
from memtui.model.instants import DAY, HOUR
from memtui.model.records import Content, EncodingContext, HomophonicLink

KNOWN = json.loads((Path(__file__).parent / "known_values.json").read_text(encoding="utf-8"))
NOW = 1000 * DAY

WORDS = ["plan", "gate", "gate-3", "Kernel/cache", "the", "general", "çay", "s_1"]
TEXT = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)
TOPICS = st.lists(st.sampled_from(WORDS), max_size=4).map(tuple)
MOOD = st.sampled_from([None, "", "neutral", "Neutral", "regret", "Triumph"])
HOURS = st.sampled_from([None, "", "morning", "Night"])
CUES = st.builds(Cue, TEXT, st.none() | TEXT, TOPICS, TOPICS, MOOD, HOURS)
CONTEXTS = st.builds(EncodingContext, st.none() | TEXT, TOPICS, TOPICS, MOOD, HOURS)
CONTENTS = st.builds(
    Content,
    summary=TEXT,
    title=st.none() | TEXT,
    body=st.none() | TEXT,
    area=st.none() | TEXT,
    source_refs=TOPICS,
    affect=MOOD,
    confidence=st.none() | st.floats(1, 10) | st.sampled_from(["faint", "Burning"]),
    encoding_context=st.none() | CONTEXTS,
)
SCORES = st.dictionaries(st.sampled_from("abcdefghijklmnop"), st.floats(0, 1.5))
LINKS = st.dictionaries(
    st.sampled_from("abcdefghijklmnop"),
    st.lists(st.builds(HomophonicLink, st.sampled_from("aimnopqrstuvwxyz"), st.floats(-0.5, 1.5)), max_size=5),
)


def content_of(fields):
    fields = {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}
    context = fields.get("encoding_context")
    if context:
        listed = {name: tuple(value) if isinstance(value, list) else value for name, value in context.items()}
        fields["encoding_context"] = EncodingContext(**listed)
    return Content(**fields)


def cue_of(fields):
    return Cue(**{name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()})


@pytest.mark.parametrize("row", KNOWN["ecphory"])
def test_agrees_with_known_values(row):
    got = ecphory(Encoded.of(content_of(row["content"])), cue_of(row["cue"]), cosine=row["cosine"])
    assert got.score == pytest.approx(row["expected"], abs=1e-9)


@pytest.mark.parametrize("row", KNOWN["adjusted"])
def test_adjustments_agree_with_known_values(row):
    before = Ecphory.of((Part("meaning", row["score"]),), ())
    hours = 10_000 if row["hours_ago"] is None else row["hours_ago"]
    content = Content(confidence=row["confidence"])
    got = adjusted(before, content, recorded_at=NOW - round(hours * HOUR), now=NOW)
    assert got.score == pytest.approx(row["expected"], abs=1e-9)


@pytest.mark.parametrize(
    ("area", "query", "worth"),
    [
        ("Feature/search-index", "Feature/search-index", 0.55),
        ("Feature/search-index", "the SEARCH index feature is slow", 0.55),
        ("Feature/search-index", "search", 0.55),
        ("Feature/search-index", "search engine", 0.55 / 4),
        ("Issue/i-7", "Issue/i-8", 0.55 / 2),
        ("general", "general", 0.55),
        ("general", "general settings", 0.0),
        ("Feature/search-index", "", 0.0),
        (None, "search", 0.0),
    ],
)
def test_area(area, query, worth):
    assert ecphory(Encoded.of(Content(area=area)), Cue(query)).score == pytest.approx(worth)


@pytest.mark.parametrize(
    ("query", "worth"),
    [
        ("wet  Platform", 0.55),
        ("wet platf", 0.55),
        ("platform wet", 0.28),
        ("scale platform", 0.28),
        ("scale wat", 0.0),
        ("İÇ platform", 0.28),
        ("?", 0.0),
        ("   ", 0.0),
    ],
)
def test_the_words_of_the_query(query, worth):
    content = Content(summary="A wet\nplatform? Wait.", title="Scale", body="iç kapı")
    assert ecphory(Encoded.of(content), Cue(query)).score == pytest.approx(worth)


def test_a_given_area_takes_the_place_of_the_query():
    content = Content(summary="zero the scale", area="Tool/scale")
    assert ecphory(Encoded.of(content), Cue("zero the", area="Plan/north")).score == 0
    assert ecphory(Encoded.of(content), Cue("anything", area="Tool/scale")).score == pytest.approx(0.55)
    assert ecphory(Encoded.of(content), Cue("zero the", area=" ")).score == pytest.approx(0.55)


def test_the_encoding_context_speaks_before_the_memory_itself():
    moved = Content(
        area="Plan/south", affect="regret", encoding_context=EncodingContext("Plan/north", affect="triumph")
    )
    assert ecphory(Encoded.of(moved), Cue("Plan/north", affect="Triumph")).score == pytest.approx(0.60)
    assert ecphory(Encoded.of(moved), Cue("south", affect="regret")).score == 0
    silent = Content(area="Plan/south", source_refs=("url:x",), encoding_context=EncodingContext())
    assert ecphory(Encoded.of(silent), Cue("south", source_refs=("url:x",))).score == pytest.approx(0.70)
    assert ecphory(Encoded.of(Content(tags=("gate",))), Cue("", co_topics=("gate",))).score == 0


def test_the_best_content_counts_and_all_circumstances_add_up():
    content = Content(
        summary="zero the scale",
        area="Tool/scale",
        encoding_context=EncodingContext("Tool/scale", ("mill", "wet"), ("task:a",), "regret", "night"),
    )
    cue = Cue("zero the scale", None, ("mill", "dry"), ("task:a",), "REGRET", "Night")
    got = ecphory(Encoded.of(content), cue, cosine=0.98)
    assert {part.label for part in got.content} == {"area", "phrase", "meaning"}
    assert got.score == pytest.approx(0.61 * 0.98 + 0.20 / 3 + 0.15 + 0.05 + 0.05)


@given(content=CONTENTS, cue=CUES, cosine=st.none() | st.floats(-1, 1), hours=st.integers(-50, 100))
def test_scores_are_sums_of_named_parts_that_explain_themselves(content, cue, cosine, hours):
    bare = ecphory(Encoded.of(content), cue, cosine=cosine)
    full = adjusted(bare, content, recorded_at=NOW - hours * HOUR, now=NOW)
    for got in (bare, full):
        assert all(part.value > 0 for part in (*got.content, *got.circumstances, *got.adjustments))
        assert got.explanation().value == got.explanation().evaluate() == got.score
    assert 0 <= bare.score <= 0.61 + 0.20 + 0.15 + 0.05 + 0.05 + 1e-12
    assert bare.score <= full.score <= bare.score + 0.15 + 1e-12


@given(content=CONTENTS, cue=CUES, cosine=st.none() | st.floats(-1, 1))
def test_a_vector_never_lowers_a_score(content, cue, cosine):
    assert ecphory(Encoded.of(content), cue, cosine=cosine).score >= ecphory(Encoded.of(content), cue).score


@pytest.mark.parametrize(
    ("age", "confidence", "labels"),
    [
        (DAY, None, ["fresh"]),
        (DAY + 1, None, []),
        (0, 5, ["fresh", "sure"]),
        (-1, 4.9, []),
        (2 * DAY, "Burning", ["sure"]),
        (2 * DAY, "firm", []),
    ],
)
def test_fresh_and_sure(age, confidence, labels):
    got = adjusted(Ecphory.of((), ()), Content(confidence=confidence), recorded_at=NOW - age, now=NOW)
    assert [part.label for part in got.adjustments] == labels
    assert got.score == pytest.approx(0.10 * ("fresh" in labels) + 0.05 * ("sure" in labels))


def test_adjusting_twice_is_adjusting_once():
    content = Content(confidence=7)
    once = adjusted(Ecphory.of((Part("area", 0.55),), ()), content, recorded_at=NOW, now=NOW)
    assert adjusted(once, content, recorded_at=NOW, now=NOW) == once


@given(scores=SCORES)
def test_direct_hits_reach_the_floor_best_first_at_most_eight(scores):
    hits = direct_hits(scores)
    reached = {name for name, score in scores.items() if score >= 0.30}
    assert len(hits) == min(8, len(reached))
    assert hits == sorted(hits, key=lambda name: (-scores[name], name))
    assert all(scores[hits[-1]] >= scores[name] for name in reached - set(hits))


@given(direct=SCORES, links=LINKS)
def test_neighbours_stay_below_their_source_and_are_no_direct_hits(direct, links):
    found = neighbours(direct, links)
    assert len(found) <= 6
    assert found == sorted(found, key=lambda one: (-one.score, one.name))
    assert len({one.name for one in found}) == len(found)
    for one in found:
        assert one.name not in direct
        assert 0 < one.score <= direct[one.via] * 0.7 + 1e-12
        assert any(link.target_name == one.name for link in links[one.via])


@given(direct=SCORES, links=LINKS)
def test_neighbours_do_not_depend_on_the_order_given(direct, links):
    backwards = {name: direct[name] for name in reversed(direct)}
    mirrored = {name: list(reversed(links[name])) for name in reversed(links)}
    assert neighbours(backwards, mirrored) == neighbours(direct, links)


def test_a_neighbour_comes_by_the_link_that_gives_it_most():
    direct = {"a": 0.6, "b": 0.9, "c": 0.9}
    links = {
        "a": [HomophonicLink("far", 1.0), HomophonicLink("b", 1.0)],
        "c": [HomophonicLink("far", 0.8), HomophonicLink("mute", 0.0)],
        "b": [HomophonicLink("far", 0.8), HomophonicLink("near")],
        "no hit": [HomophonicLink("elsewhere", 1.0)],
    }
    found = neighbours(direct, links)
    assert [(one.name, one.via) for one in found] == [("far", "b"), ("near", "b")]
    assert [one.score for one in found] == pytest.approx([0.9 * 0.7 * 0.8, 0.9 * 0.7 * 0.5])


@given(score=st.floats(0, 3))
def test_ecphory_counts_for_half_of_the_best_at_most(score):
    assert math.isclose(ecphory_relevance(score), min(0.5, score / 2))
