"""Documents through the verbs: their files are changed, and the ledger follows."""

from __future__ import annotations

import json

import pytest

from memtui.errors import InvalidInput, NotFound, Refused
from memtui.model.instants import DAY


@pytest.fixture(params=["one-shot", "twin"])
def store(request):
    return request.param


def names(found):
    return [hit.name for hit in found]


def test_a_document_is_changed_in_its_file(memory, write, vault, clock):
    file = write("knowledge/house.md", "---\ntitle: House\nkeep: this # and this\n---\n\nShoes off.\n")
    memory.sync()
    clock.forward(DAY)
    assert memory.update("house", tags=["rules"], append="Hats off.").outcome == "updated"
    text = file.read_text(encoding="utf-8")
    assert "keep: this # and this" in text
    assert text.endswith("Shoes off.\n\nHats off.\n")
    assert names(memory.search("hats")) == ["house"]
    assert len(memory.history("house")) == 2
    assert not memory.sync().wrote
    file.write_text(text + "\nby hand\n", encoding="utf-8")
    for verb in (lambda: memory.update("house", title="x"), lambda: memory.delete("house", force=True)):
        with pytest.raises(Refused, match="changed since"):
            verb()
    for verb, way in (
        (memory.forget, "status: archived"),
        (memory.revive, "as it was and sync"),
        (lambda name: memory.supersede(name, "y"), "what is so now"),
    ):
        with pytest.raises(Refused, match="document") as ways:
            verb("house")
        assert way in ways.value.hint
    memory.sync()
    with pytest.raises(Refused, match="removes the file"):
        memory.delete("house")
    clock.forward(DAY)
    assert memory.delete("house", force=True).outcome == "deleted"
    assert not file.exists()
    assert len(memory.history("house")) == 4
    assert names(memory.search("shoes")) == []


def test_a_note_is_an_entry_of_the_change_log(memory, vault, clock):
    first = memory.note("The port moved", summary="Port", references=["commit:a"])
    clock.forward(DAY)
    second = memory.note("It moved back", type="fix", scope="net", supersedes=first.key.name)
    log = json.loads((vault / "CHANGELOG.json").read_text(encoding="utf-8"))
    entries = log if isinstance(log, list) else log["entries"]
    assert {entry["description"] for entry in entries} == {"The port moved", "It moved back"}
    assert (second.outcome, second.key.kind) == ("remembered", "changelog")
    assert memory.show(second.key).content.supersedes == first.key.name
    with pytest.raises(NotFound):
        memory.note("x", supersedes="nothing")
    assert not memory.sync().wrote
    with pytest.raises(Refused):
        memory.delete(first.key, force=True)


def test_a_document_that_is_a_link_is_changed_where_it_leads(memory, write, vault, tmp_path):
    real = write("shared/.house.md", "# House\n\nShoes off.\n")
    link = vault / "knowledge" / "house.md"
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(real)
    memory.sync()
    assert memory.update("house", append="Hats off.").outcome == "updated"
    assert link.is_symlink()
    assert real.read_text(encoding="utf-8").endswith("Hats off.\n")
    link.unlink()
    with pytest.raises(Refused, match="gone"):
        memory.update("house", append="Coats off.")
    outside = tmp_path / "outside.md"
    outside.write_text("# House\n", encoding="utf-8")
    link.symlink_to(outside)
    with pytest.raises(Refused, match="leaves the vault"):
        memory.update("house", append="Coats off.")
    assert outside.read_text(encoding="utf-8") == "# House\n"


def test_a_note_is_an_entry_and_not_a_document(memory, vault):
    for bounds in ({"summary": "x" * 201}, {"text": "x" * 500_001}):
        with pytest.raises(InvalidInput, match="characters") as refusal:
            memory.note(**{"text": "It moved", **bounds})
        assert refusal.value.field in bounds
    assert not (vault / "CHANGELOG.json").exists()
