"""What the Vault mode tells, as lines: complete, harmless, and within any width."""

from __future__ import annotations

from datetime import timezone

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.model.instants import DAY
from memtui.model.problems import Problem
from memtui.model.proposals import Fact
from memtui.model.records import KINDS, RecordKey
from memtui.model.reviews import VERBS, DecisionRecord, Review
from memtui.model.status import Status
from memtui.search.census import Census
from memtui.tui.display import width_of
from memtui.tui.plots import bar, column_rows
from memtui.tui.styled_lines import lay_out
from memtui.tui.vault_board import Survey, VaultBoard, VaultEntry, size
from memtui.tui.vault_lines import details
from tests.clocks import at

UTC = timezone.utc
NOW = at("2026-08-01T10:00:00Z")
TEXT = st.text(max_size=40)


def census(kinds=None, states=None, known=(), retention=()):
    kinds = kinds if kinds is not None else {"workspace": {"engram": 3}}
    states = {"in_force": 3} if states is None else states
    return Census(NOW, NOW, kinds, states, np.array(sorted(known), dtype=np.int64), np.array(retention))


def status(**given_):
    base = {
        "vault": "/v", "workspace": "v", "store": "/v/.memtui/memory.duckdb", "counts": {"engram": 3}, "states": {},
        "problems": (), "stale": 0, "last_sync": None, "analyser": "1", "index_rows": 3, "size_bytes": 1_234_567,
    }  # fmt: skip
    return Status(**{**base, **given_})


def survey(*, reviews=(), counted=None, **given_):
    return Survey(status(**given_), counted or census(known=[NOW - DAY]), tuple(reviews), NOW)


def entry(board, id_):
    found = board.find(id_)
    assert isinstance(found, VaultEntry)
    return found


def texts(found, width=70, **given_):
    return [line.text for line in details(found, width=width, zone=UTC, **given_).lines]


def key(name):
    return RecordKey("workspace", "engram", name)


def decision(verb="accept", names=("a", "b"), about="x · port", kind="contradiction", effect="b stays"):
    return DecisionRecord("0123456789", kind, about, tuple(map(key, names)), verb, (Fact("a", "1"),), effect)


def review(seq=1, *decisions, undoes=None, undone_by=None, when=NOW - DAY):
    return Review("workspace", seq, when, "ada", tuple(decisions), undoes=undoes, undone_by=undone_by)


# The list


def test_the_newest_review_stands_first_and_says_what_came_of_it():
    reviews = [review(1, decision(), decision("reject"), undone_by=2), review(2, undoes=1), review(3, decision("many"))]
    board = VaultBoard(survey(reviews=reviews))
    told = [(each.title, each.is_over) for each in board.entries if each.group == "reviews"]
    assert told == [
        ("r3  1 many-valued", False),
        ("r2  took r1 back", True),
        ("r1  1 accepted · 1 rejected; taken back", True),
    ]


def test_two_problems_of_one_line_are_two_entries():
    twice = Problem("a.md", "is no date", 3, "valid_from", "x")
    entries = VaultBoard(survey(problems=(twice, twice, Problem("b.md", "is empty")))).entries
    assert len({each.id for each in entries}) == len(entries) == 5
    assert [each.title for each in entries if each.group == "problems"] == ["a.md:3", "a.md:3", "b.md"]


def test_a_review_is_found_by_what_it_decided():
    board = VaultBoard(survey(reviews=[review(1, decision(names=("tare", "gate"))), review(2, decision(about="y"))]))
    shown = VaultBoard(board.survey, query="TARE gate").lines
    assert [line.id for line in shown if line.id] == ["review 1"]


@pytest.mark.parametrize(
    ("count", "told"),
    [
        (0, "0 bytes"), (999, "999 bytes"), (1_000, "1.0 KB"), (99_499, "99.5 KB"), (7_123_456, "7.1 MB"),
        (3 * 10**12, "3.0 TB"),
    ],
)  # fmt: skip
def test_sizes_read_as_people_write_them(count, told):
    assert size(count) == told


# What is told


def test_counts_stand_by_kind_and_partition():
    kinds = {"workspace": {"engram": 1_200, "note": 3}, "base": {"engram": 4}}
    counted = census(kinds, {"in_force": 1_207, "forgotten": 2}, [NOW])
    said = texts(entry(VaultBoard(survey(counted=counted)), "memories"))
    (engrams,) = [line for line in said if line.strip().startswith("engram")]
    (notes,) = [line for line in said if line.strip().startswith("note")]
    assert engrams.split() == ["engram", "1,200", "4"]
    assert notes.split() == ["note", "3", "·"]
    assert "  1,207 true · 2 forgotten" in said


def test_an_empty_vault_says_so():
    nothing = census({}, {}, [], [])
    said = texts(entry(VaultBoard(survey(counted=nothing)), "memories"))
    assert said.count("  Nothing is recorded yet.") == 2
    assert "How present they are" not in said


def test_growth_tells_what_came_lately():
    known = [NOW - 100 * DAY] * 5 + [NOW - 20 * DAY] * 3 + [NOW - 7 * DAY, NOW - 6 * DAY]
    said = "\n".join(texts(entry(VaultBoard(survey(counted=census(known=known))), "memories")))
    assert "10 known, 1 in the last 7 days, 5 in the last 30 days." in said


def test_each_retention_is_in_one_group_with_its_upper_bound_outside():
    levels = [1.0, 0.9, 0.89, 0.15, 0.1499, 1e-9]
    said = texts(entry(VaultBoard(survey(counted=census(known=[NOW], retention=levels))), "memories"))
    counted = [(line.split()[0], line.split()[2], line.split()[-1]) for line in said if "–" in line]
    assert counted == [
        ("90%", "100%", "2"), ("70%", "90%", "1"), ("50%", "70%", "·"), ("30%", "50%", "·"), ("15%", "30%", "1"),
        ("0%", "15%", "2"),
    ]  # fmt: skip
    assert any("is:stale" in line for line in said)


def test_the_store_tells_its_index_its_model_and_every_warning():
    embedding = {"model_id": "m-v1", "dims": 512, "chunks": 9, "embedded": 2}
    found = survey(embedding=embedding, warnings=("the log is shortened",), stale=2, last_sync=NOW)
    said = "\n".join(texts(entry(VaultBoard(found), "store"), answering="Searches go by words."))
    for part in ("1.2 MB", "3 texts, analyser 1", "m-v1, 512 numbers", "2 of 3 texts in 9 chunks", "2 files newer"):
        assert part in said
    assert "Searches go by words." in said
    assert "the log is shortened" in said


def test_a_problem_marks_its_line():
    problem = Problem("a.md", "cannot be read as a date", 3, "valid_from", "soon")
    lines = details(
        entry(VaultBoard(survey(problems=(problem,))), "problem a.md:3 1"),
        width=60, zone=UTC, excerpt=[(2, "summary: x"), (3, "valid_from: soon")],
    ).lines  # fmt: skip
    marked = [line.text[span.start : span.end] for line in lines for span in line.spans if span.look == "mark"]
    assert marked == ["valid_from: soon"]


def test_of_a_huge_review_what_is_not_told_is_counted():
    huge = review(1, *(decision() for _ in range(1_000)))
    said = texts(entry(VaultBoard(survey(reviews=[huge])), "review 1"))
    assert said[-1] == "and 700 more: `memtui review log` tells all."


# Laws


@given(
    known=st.lists(st.integers(NOW - 4_000 * DAY, NOW), max_size=20),
    retention=st.lists(st.floats(0, 1, exclude_min=True), max_size=20),
    counts=st.dictionaries(st.sampled_from(KINDS), st.integers(1, 10**9)),
    width=st.integers(1, 160),
)
def test_the_page_of_the_memories_can_always_be_laid_out(known, retention, counts, width):
    counted = census({"workspace": counts, "a-long-partition": counts} if counts else {}, {}, known, retention)
    lines = details(entry(VaultBoard(survey(counted=counted)), "memories"), width=width, zone=UTC).lines
    assert lay_out(lines, width).rows
    if width >= 40:
        plots = [line.text for line in lines if set(line.text) & set("▁▂▃▄▅▆▇█▏▎▍▌▋▊▉")]
        assert all(width_of(text) <= width for text in plots)


@given(
    verbs=st.lists(st.sampled_from(VERBS), max_size=5),
    about=TEXT,
    effect=TEXT,
    names=st.lists(TEXT, min_size=1, max_size=9, unique=True),
    path=TEXT,
    width=st.integers(1, 120),
)
def test_whatever_was_written_down_is_told(verbs, about, effect, names, path, width):
    problem = Problem(path, effect, 1, about, about)
    written = review(1, *(decision(verb, names, about, effect=effect) for verb in verbs))
    for found in VaultBoard(survey(reviews=[written], problems=(problem,))).entries:
        assert lay_out(details(found, width=width, zone=UTC).lines, width).rows


@given(st.lists(st.floats(0, 1), min_size=1, max_size=50), st.integers(1, 8))
def test_columns_are_as_high_as_they_should_be_and_nothing_is_hidden(levels, height):
    rows = column_rows(levels, height)
    assert [len(row) for row in rows] == [len(levels)] * height
    for level, column in zip(levels, zip(*rows, strict=True), strict=True):
        eighths = sum(" ▁▂▃▄▅▆▇█".index(sign) for sign in column)
        assert abs(eighths - level * height * 8) <= 1
        assert (eighths > 0) == (level > 0)


@given(st.floats(0, 1), st.integers(1, 100))
def test_a_bar_fits_and_is_seen(share, width):
    assert len(bar(share, width)) <= width
    assert bool(bar(share, width)) == (share > 0)
