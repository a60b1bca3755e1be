"""Verbs on documents and the change log: what was done to a file is said, also when the ledger is busy."""

from __future__ import annotations

import pytest

from memtui.errors import InvalidInput, StoreBusy


def test_the_same_note_twice_within_a_second_is_two_entries(memory, clock):
    first, second = memory.note("The kettle sings"), memory.note("The kettle sings")
    assert first.key != second.key
    assert len(first.key.name) == len(second.key.name) == 12
    assert memory.show(second.key).content.body == "The kettle sings"
    assert memory.list(kinds=["changelog"]).total == 2
    assert memory.sync().problems == ()
    assert second.key == memory.history(second.key)[0].key


@pytest.mark.parametrize("text", ["", "  \n", "\u200b"])
def test_a_blank_note_leaves_no_change_log(memory, vault, text):
    with pytest.raises(InvalidInput):
        memory.note(text)
    assert not (vault / "CHANGELOG.json").exists()


@pytest.mark.parametrize(
    ("verb", "path"),
    [
        (lambda m: m.update("db", append="x"), "knowledge/db.md"),
        (lambda m: m.note("The kettle sings"), "CHANGELOG.json"),
        (lambda m: m.delete("db", force=True), "knowledge/db.md"),
    ],
)
def test_a_busy_ledger_does_not_hide_that_a_file_was_changed(memory, write, vault, monkeypatch, verb, path):
    write("knowledge/db.md", "It runs.\n")
    memory.sync()
    before = {p: p.read_bytes() for p in vault.rglob("*.[mj]*") if ".memtui" not in p.parts}

    def busy(**_):
        raise StoreBusy("the store is busy", hint="nothing was recorded")

    with monkeypatch.context() as patched:
        patched.setattr(memory.ledger, "writing", busy)
        with pytest.raises(StoreBusy) as told:
            verb(memory)
    assert path in told.value.message
    assert "nothing was" not in f"{told.value.message} {told.value.hint}"
    assert "memtui sync" in (told.value.hint or "")
    assert {p: p.read_bytes() for p in vault.rglob("*.[mj]*") if ".memtui" not in p.parts} != before
    assert memory.sync().wrote


def test_one_text_of_tags_is_parted_by_commas(memory, write):
    write("knowledge/db.md", "It runs.\n")
    memory.sync()
    memory.update("db", tags="ops")
    assert memory.show("db").content.tags == ("ops",)
    memory.update("db", tags="ops, #db")
    assert memory.show("db").content.tags == ("ops", "db")
