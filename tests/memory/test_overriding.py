"""A change log's `supersedes` through the verbs: what is replaced says so from the moment that is known."""

from __future__ import annotations

import json

from memtui.model.instants import DAY

MOVED = {"id": "p", "date": "2025-07-01", "type": "note", "scope": "net", "description": "The port moved"}
BACK = {"id": "b", "date": "2025-07-02", "type": "fix", "scope": "net", "description": "Moved back", "supersedes": "p"}


def badges(found):
    return {hit.name: hit.overridden for hit in found}


def test_an_entry_is_overridden_from_the_sync_that_read_the_later_one(memory, vault, clock):
    log = vault / "CHANGELOG.json"
    log.write_text(json.dumps([MOVED]), encoding="utf-8")
    memory.sync()
    assert badges(memory.recall("moved")) == {"p": False}
    before = clock.forward(DAY)
    clock.forward(DAY)
    log.write_text(json.dumps([BACK, MOVED]), encoding="utf-8")
    memory.sync()
    assert badges(memory.recall("moved")) == {"b": False, "p": True}
    assert {record.key.name: record.overridden for record in memory.list(kinds="changelog")} == {"b": False, "p": True}
    assert memory.show("p").overridden
    assert not memory.show("p", as_of=before).overridden
    assert badges(memory.recall("moved", as_of=before)) == {"p": False}
    clock.forward(DAY)
    log.write_text(json.dumps([MOVED]), encoding="utf-8")
    memory.sync()
    assert badges(memory.recall("moved")) == {"p": False}


def test_a_note_overrides_what_it_replaces_at_once(memory, clock):
    first = memory.note("The port moved")
    clock.forward()
    memory.note("The port moved back", supersedes=first.key.name)
    assert badges(memory.search("port"))[first.key.name]
