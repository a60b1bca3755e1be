"""Importing through the core: what no line may be, and the line that every refusal and problem names."""

from __future__ import annotations

import json
import tracemalloc

import pytest

from memtui.errors import InvalidInput
from memtui.interchange.ledger_file import ledger_lines, read_ledger
from memtui.memory.opening import open_memory
from memtui.model.instants import MAX_INSTANT
from memtui.model.recalls import Recall
from memtui.model.records import Content, RecordKey
from memtui.model.reviews import Accept, Reject
from tests.interchange.contents import sealed

MIB = 1024 * 1024
PORT = Content(summary="The port is 5433", valid_from=0)


def item(**fields):
    return json.dumps(fields).encode() + b"\n"


def names(memory):
    return [record.key.name for record in memory.list(all=True)]


@pytest.fixture
def other(tmp_path, clock):
    """A second vault, to import into."""
    (tmp_path / "other").mkdir()
    return open_memory(tmp_path / "other", create=True, clock=clock)


def test_a_line_that_is_too_long_is_told_and_not_held_in_memory(memory, tmp_path):
    path = tmp_path / "items.jsonl"
    with path.open("wb") as file:
        file.write(item(name="before", summary="Stands before it"))
        file.seek(200 * MIB, 1)  # a hole reads as NUL bytes
        file.write(b"\n" + item(summary=" ") + item(name="after", summary="Stands after it"))
    memory.status()
    tracemalloc.start()
    report = memory.import_(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (report.added, sorted(names(memory))) == (2, ["after", "before"])
    assert [(p.path, p.line, p.field) for p in report.problems] == [(str(path), 2, None), (str(path), 3, "summary")]
    assert "16 MiB" in report.problems[0].reason
    assert "line of its own" in report.problems[0].reason
    assert peak < 64 * MIB


@pytest.mark.slow
def test_a_line_as_long_as_may_be_is_taken(memory, tmp_path):
    path = tmp_path / "items.jsonl"
    for spare, taken in ((0, 1), (1, 0)):
        line = item(summary=f"With {spare} more", note="")
        path.write_bytes(line.replace(b'""', b'"' + b"x" * (16 * MIB - len(line) + spare) + b'"'))
        report = memory.import_(path)
        assert (report.added, len(report.problems)) == (taken, 1 - taken)


def test_a_list_with_a_line_that_gives_no_text_is_refused_in_one_sentence(memory, tmp_path):
    path = tmp_path / "items.json"
    path.write_bytes(
        b"[\n" + item(summary="a").rstrip() + b",\n" + b'{"summary": "\xff"},\n' + item(summary="c") + b"]"
    )
    report = memory.import_(path)
    assert (report.added, names(memory)) == (0, [])
    assert [(p.line, "no item is taken" in p.reason) for p in report.problems] == [(3, True)]


def test_a_ledger_with_a_line_that_is_too_long_is_refused_whole(memory, tmp_path, monkeypatch):
    monkeypatch.setattr("memtui.interchange.ledger_rows.LONGEST_ENTRY", MIB)
    long = Content(body="x" * MIB, valid_from=0, path="long.md")
    steps = [("workspace", "engram", "port", PORT), ("workspace", "note", "long", long)]
    path = tmp_path / "ledger.jsonl"
    path.write_text(
        "".join(ledger_lines(["workspace"], sealed([(*s, "sync", "ada", None, True, 1) for s in steps]), ()))
    )
    with pytest.raises(InvalidInput, match=r"^line 3 is longer than 1 MiB; export") as refused:
        memory.import_(path)
    assert refused.value.file == str(path)
    assert names(memory) == []


def test_a_ledger_may_hold_a_text_that_no_item_may():
    long = Content(body="x" * 20 * MIB, valid_from=0, path="long.md")
    versions = sealed([("workspace", "note", "long", long, "sync", "ada", None, True, 1)])
    assert read_ledger(ledger_lines(["workspace"], versions, ())).versions == tuple(versions)


def test_a_recall_from_beyond_all_clocks_is_refused_by_its_line(memory, tmp_path):
    """Taken, it would leave no later moment to stamp anything with."""
    versions = sealed([("workspace", "engram", "port", PORT, "remember", "ada", None, True, 1)])
    for stamp in (MAX_INSTANT, -1):
        recall = Recall(RecordKey("workspace", "engram", "port"), "workspace", 1, stamp, "port", "ada")
        path = tmp_path / "ledger.jsonl"
        path.write_text("".join(ledger_lines(["workspace"], versions, [recall])))
        with pytest.raises(InvalidInput, match=r"^line 3 recorded_at is a stamp that no clock shows") as refused:
            memory.import_(path)
        assert refused.value.field == "recorded_at"
    assert memory.remember("It works all the same").outcome == "remembered"


def test_what_is_not_taken_of_a_ledger_is_told_by_its_line(memory, other, write, tmp_path):
    write("engrams/port.md", "---\nsummary: The port is 5433\n---\n")
    memory.sync()
    memory.remember("Tea is at four", name="tea")
    path = tmp_path / "ledger.jsonl"
    memory.export(path)
    (other.vault / "engrams").mkdir()
    (other.vault / "engrams/port.md").write_text("---\nsummary: The port is 6000\n---\n")
    other.sync()
    report = other.import_(path)
    assert [(p.path, p.line, p.value) for p in report.problems] == [(str(path), 2, "port")]
    assert names(other) == ["port", "tea"]


def test_a_ledger_from_the_future_is_told_by_its_last_line(memory, other, clock, tmp_path):
    for summary in ("The port is 5433", "Tea is at four"):
        memory.remember(summary)
    memory.export(tmp_path / "ledger.jsonl")
    clock.now = 0
    (problem,) = other.import_(tmp_path / "ledger.jsonl").problems
    assert (problem.line, "future" in problem.reason) == (3, True)


@pytest.fixture
def decided(memory, clock):
    """A memory in which a contradiction was decided, taken back and decided anew."""
    memory.remember("Staging listens on 8080", name="old", area="Feature/staging", claims=["port=8080"])
    memory.remember("Staging listens on 8087", name="new", area="Feature/staging", claims=["port=8087"])
    for decision in (Accept(), Reject()):
        clock.forward()
        plan = memory.consolidate()
        memory.apply(plan, {plan.proposals[0].id: decision})
        if isinstance(decision, Accept):
            clock.forward()
            memory.undo_review()
    return memory


def test_reviews_go_with_the_ledger_and_are_counted(decided, other, tmp_path):
    paths = [tmp_path / name for name in ("one.jsonl", "two.jsonl")]
    exported = decided.export(paths[0])
    assert (exported.versions, exported.reviews, exported.as_dict()["reviews"]) == (4, 3, 3)
    dry = other.import_(paths[0], dry_run=True)
    assert (dry.replayed, dry.reviews, other.reviews()) == (4, 3, ())
    taken = other.import_(paths[0])
    assert (taken.replayed, taken.reviews, taken.as_dict()["reviews"]) == (4, 3, 3)
    assert other.reviews() == decided.reviews()
    assert [(each.undoes, each.undone_by) for each in other.reviews()] == [(None, 2), (1, None), (None, None)]
    other.export(paths[1])
    assert paths[1].read_bytes() == paths[0].read_bytes()
    assert other.consolidate().proposals == ()  # what was rejected there is rejected here


def test_an_export_of_the_past_leaves_out_later_reviews(decided, tmp_path):
    path = tmp_path / "ledger.jsonl"
    reviews = decided.reviews()
    known = [decided.export(path, as_of=review.decided_at, force=True).reviews for review in reviews]
    assert known == [1, 2, 3]
    assert decided.export(path, as_of=reviews[0].decided_at - 1, force=True).reviews == 0
    assert json.loads(path.read_text().splitlines()[0])["version"] == 1
    decided.export(path, as_of=reviews[0].decided_at, force=True)
    assert read_ledger(path.open("rb")).reviews[0].decisions == reviews[0].decisions


def test_into_a_partition_that_has_reviews_a_ledger_comes_item_by_item(decided, other, tmp_path):
    path = tmp_path / "ledger.jsonl"
    decided.export(path)
    with other.ledger.writing() as unit:
        unit.review("workspace", (), actor="ada")
    taken = other.import_(path)
    assert (taken.replayed, taken.reviews, taken.added) == (0, 0, 2)
    assert len(other.reviews()) == 1


def test_a_review_from_the_future_is_told_by_its_line(decided, other, clock, tmp_path):
    path = tmp_path / "ledger.jsonl"
    decided.export(path)
    clock.now = 0
    (problem,) = other.import_(path).problems
    assert (problem.line, "future" in problem.reason) == (8, True)
