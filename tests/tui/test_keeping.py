"""What returns on the next start, and what does when its file is not as it was left."""

from __future__ import annotations

import json
import os
from dataclasses import replace

import pytest

from memtui.log import LOGGER
from memtui.model.records import WORKSPACE, RecordKey
from memtui.model.reviews import Accept, Defer, Many, Reject
from memtui.tui.keeping import MOST_OPENED, Keeping, Kept, Opened

KEYS = [RecordKey(WORKSPACE, "note", f"ö{number}") for number in range(MOST_OPENED + 5)]


def test_what_was_kept_returns(tmp_path):
    file = tmp_path / "interface.json"
    keeping = Keeping(file)
    assert keeping.kept == Kept()
    keeping.kept = Kept("retention").having_opened(KEYS[0], 1).having_opened(KEYS[1], 2).having_opened(KEYS[0], 3)
    keeping.save()
    assert Keeping(file).kept == Kept("retention", (Opened(KEYS[0], 3), Opened(KEYS[1], 2)))
    assert [path.name for path in tmp_path.iterdir()] == ["interface.json"]


def test_only_the_last_are_kept():
    kept = Kept()
    for number, key in enumerate(KEYS):
        kept = kept.having_opened(key, number)
    assert [opened.key for opened in kept.opened] == KEYS[: -MOST_OPENED - 1 : -1]


@pytest.mark.parametrize("held", ["", "{", "[]", "7", '{"order": "age", "opened": 3}', "\udce9", "[" * 100_000])
def test_what_makes_no_sense_is_the_usual(tmp_path, held):
    file = tmp_path / "interface.json"
    file.write_bytes(held.encode("utf-8", "surrogateescape"))
    assert Keeping(file).kept == Kept()


def test_of_a_list_with_nonsense_the_rest_is_taken(tmp_path):
    file = tmp_path / "interface.json"
    good = {"partition": WORKSPACE, "kind": "note", "name": "a", "at": 5}
    bad = [None, 3, {}, {**good, "at": "x"}, {**good, "name": None}]
    file.write_text(json.dumps({"order": "recorded", "opened": [*bad, good]}))
    assert Keeping(file).kept == Kept("recorded", (Opened(RecordKey(WORKSPACE, "note", "a"), 5),))


def test_nothing_is_written_where_nothing_may_be(tmp_path, caplog):
    file = tmp_path / "interface.json"
    Keeping(file, read_only=True).save()
    Keeping(None).save()
    assert list(tmp_path.iterdir()) == []
    Keeping(tmp_path / "gone" / "interface.json").save()
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def log(monkeypatch):
    """What is survived is heard."""
    monkeypatch.setattr(LOGGER, "propagate", True)


@pytest.mark.parametrize("entries", [17_000_000, 1])
def test_what_is_too_large_or_no_file_is_the_usual_and_is_named_in_the_log(tmp_path, caplog, log, entries):
    file = tmp_path / "interface.json"
    if entries == 1:
        os.mkfifo(file)
    else:
        file.write_text(json.dumps({"order": "recorded", "opened": [{}] * entries}))
    keeping = Keeping(file)
    assert keeping.kept == Kept()
    assert "cannot be read" in caplog.text
    keeping.kept = Kept("recorded")
    keeping.save()
    assert Keeping(file).kept == keeping.kept
    assert list(tmp_path.iterdir()) == [file]


def test_a_name_that_cannot_be_written_down_is_left_out(tmp_path):
    file = tmp_path / "interface.json"
    name = {"partition": WORKSPACE, "kind": "engram", "at": 1}
    file.write_text(json.dumps({"opened": [{**name, "name": "a\ud800"}, {**name, "name": "b"}]}))
    assert [opened.key.name for opened in Keeping(file).kept.opened] == ["b"]


@pytest.mark.parametrize("odd", ["folder", "name"])
def test_what_cannot_be_saved_leaves_nothing_behind(tmp_path, caplog, log, odd):
    file = tmp_path / "interface.json"
    keeping = Keeping(file)
    if odd == "folder":
        file.mkdir()
    else:
        keeping.kept = Kept().having_opened(RecordKey(WORKSPACE, "engram", "a\ud800"), 1)
    keeping.save()
    assert "was not kept" in caplog.text
    assert [left for left in tmp_path.iterdir() if left != file] == []


def test_however_many_decisions_there_are_they_return(tmp_path):
    file = tmp_path / "interface.json"
    keeping = Keeping(file)
    decisions = {f"{number:010x}": Accept(keep=f"memory-{number}", at_survivor=True) for number in range(20_000)}
    keeping.kept = replace(Kept("recorded"), decisions=decisions)
    keeping.save()
    assert Keeping(file).kept == keeping.kept
    assert list(Keeping(file).kept.decisions) == list(decisions)


def test_two_programs_keep_each_others_decisions_and_take_their_own_away(tmp_path):
    file = tmp_path / "interface.json"
    ours, theirs = Keeping(file), Keeping(file)
    ours.kept = replace(ours.kept, decisions={"a": Accept(), "b": Reject()})
    ours.save()
    theirs.kept = replace(theirs.kept, decisions={"c": Defer()})
    theirs.save()
    assert Keeping(file).kept.decisions == {"a": Accept(), "b": Reject(), "c": Defer()}
    ours.kept = replace(ours.kept, decisions={"b": Many()})
    ours.save()
    assert Keeping(file).kept.decisions == {"b": Many(), "c": Defer()}


def test_a_file_that_somebody_took_away_is_written_whole_again(tmp_path):
    file = tmp_path / "interface.json"
    keeping = Keeping(file)
    keeping.kept = replace(keeping.kept, decisions={"a": Accept()})
    keeping.save()
    file.unlink()
    keeping.kept = replace(keeping.kept, order="recorded")
    keeping.save()
    assert Keeping(file).kept.decisions == {"a": Accept()}


@pytest.mark.parametrize(
    "entry", [{"verb": []}, {"verb": {}}, {"verb": None}, {"verb": "accept", "keep": 3}, {"id": 7}]
)
def test_a_decision_that_makes_no_sense_is_left_out(tmp_path, entry):
    file = tmp_path / "interface.json"
    file.write_text(json.dumps({"decisions": [{"id": "x", "verb": "reject", **entry}, {"id": "y", "verb": "many"}]}))
    assert Keeping(file).kept.decisions == {"y": Many()}
