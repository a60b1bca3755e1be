"""Whose memories: identity from the environment alone, and no way into another partition."""

from __future__ import annotations

import json

import pytest

from memtui.errors import InvalidInput, NotFound, Refused, VaultNotFound
from memtui.memory.memory import Memory
from memtui.memory.opening import open_memory
from memtui.model.instants import DAY
from memtui.model.records import RecordKey
from tests.memory.stores import everything


@pytest.fixture(params=["one-shot", "twin"])
def store(request):
    return request.param


def names(found):
    return [hit.name for hit in found]


@pytest.mark.parametrize("identity", [None, "", "  ", "a\x1bb", "half \udc80"])
def test_without_an_identity_nothing_personal_is_done(memory, monkeypatch, identity, tmp_path):
    if identity is not None:
        monkeypatch.setenv("MEMTUI_PERSONAL_ID", identity)
    mine = {"personal": True}
    calls = [
        lambda: memory.remember("x", **mine),
        lambda: memory.update("x", tags=["y"], **mine),
        lambda: memory.supersede("x", "y", **mine),
        lambda: memory.forget("x", **mine),
        lambda: memory.revive("x", **mine),
        lambda: memory.delete("x", **mine),
        lambda: memory.recall("x", **mine),
        lambda: memory.search("x", **mine),
        lambda: memory.list(**mine),
        lambda: memory.show("x", **mine),
        lambda: memory.history("x", **mine),
        lambda: memory.status(**mine),
        lambda: memory.sync(**mine),
        lambda: memory.export(tmp_path / "out.jsonl", **mine),
        lambda: memory.import_(tmp_path / "in.jsonl", **mine),
    ]
    for call in calls:
        with pytest.raises(Refused) as refusal:
            call()
        assert refusal.value.field == "MEMTUI_PERSONAL_ID"
    assert everything(memory) == ((), ())
    assert not (tmp_path / "out.jsonl").exists()


def test_a_name_cannot_reach_into_another_partition(memory, monkeypatch, tmp_path):
    monkeypatch.setenv("MEMTUI_PERSONAL_ID", "ada")
    memory.remember("I take tea", name="tea", personal=True)
    theirs = RecordKey("personal:ada", "engram", "tea")
    for verb in (
        lambda: memory.update(theirs, tags=["x"]),
        lambda: memory.forget(theirs),
        lambda: memory.revive(theirs),
        lambda: memory.supersede(theirs, "I take coffee"),
    ):
        with pytest.raises(NotFound):
            verb()
    with pytest.raises(NotFound):
        memory.show(theirs)
    items = [
        {"name": "a", "summary": "mine", "scope": scope} for scope in ("personal:bob", "PERSONAL:bob", "workspace")
    ]
    file = tmp_path / "items.jsonl"
    file.write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
    told = memory.import_(file)
    assert (told.added, [p.line for p in told.problems]) == (1, [1, 2])
    only_personal = Memory(None, clock=memory.clock)
    with pytest.raises(VaultNotFound, match="only personal memories"):
        only_personal.list()
    assert names(only_personal.search("tea", personal=True)) == ["tea"]


@pytest.mark.parametrize("label", ["personal:ada", "Personal:x", " base ", "BASE"])
def test_a_workspace_cannot_look_like_anything_else(vault, label, clock):
    from memtui.memory.opening import open_memory

    (vault / "memtui.toml").write_text(f"workspace = {json.dumps(label)}\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match="reserved"):
        open_memory(vault, create=True, clock=clock).status()


@pytest.mark.parametrize("store", ["twin"])
def test_the_history_of_another_partitions_record_is_not_told(memory):
    from memtui.model.records import Content
    from tests.memory.stores import put

    memory.remember("The port is 5433", name="port")
    put(memory, {"secret": Content(summary="I take tea")}, partition="personal:bob")
    with pytest.raises(NotFound):
        memory.history(RecordKey("personal:bob", "engram", "secret"))


def test_a_replay_into_a_personal_store_beside_a_younger_base(monkeypatch, tmp_path):
    from tests.clocks import START, SteppingClock

    shared = tmp_path / "shared"
    (shared / "knowledge").mkdir(parents=True)
    (shared / "knowledge" / "house.md").write_text("# House rules\n\nShoes off.\n", encoding="utf-8")
    (tmp_path / "own.toml").write_text(f"base = [{json.dumps(str(shared))}]\n", encoding="utf-8")
    monkeypatch.setenv("MEMTUI_CONFIG", str(tmp_path / "own.toml"))
    monkeypatch.setenv("MEMTUI_PERSONAL_ID", "ada")
    before = Memory(None, clock=SteppingClock(START, step=1))
    for drink in ("tea", "coffee"):
        before.remember(f"I take {drink}", name=drink, personal=True)
    before.export(tmp_path / "ada.jsonl", personal=True)
    monkeypatch.setenv("MEMTUI_PERSONAL_DIR", str(tmp_path / "new machine"))
    after = Memory(None, clock=SteppingClock(START + 900 * DAY, step=1))
    after.sync(personal=True)
    assert after.list(personal=True).total == 1
    assert after.import_(tmp_path / "ada.jsonl", personal=True).replayed == 2
    assert names(after.search("coffee", personal=True)) == ["coffee"]


@pytest.mark.parametrize("resident", [True, False])
def test_who_only_reads_leaves_no_store_behind(vault, clock, monkeypatch, tmp_path, resident):
    """An identity that is mistyped finds nothing, and makes nothing that would have to be cleared away."""
    stores = tmp_path / "stores"
    monkeypatch.setenv("MEMTUI_PERSONAL_DIR", str(stores))
    monkeypatch.setenv("MEMTUI_PERSONAL_ID", "adda")
    (vault / ".memtui").mkdir()
    items = tmp_path / "items.jsonl"
    items.write_text('{"name": "tea", "summary": "I take tea"}\n', encoding="utf-8")
    for mine, made in (({}, vault / ".memtui" / "memory.duckdb"), ({"personal": True}, stores)):
        memory = open_memory(vault, clock=clock, resident=resident)
        assert (memory.recall("tea", **mine).hits, memory.list(**mine).total) == ((), 0)
        assert memory.status(**mine).states == {"in_force": 0}
        assert memory.import_(items, dry_run=True, **mine).added == 1
        with pytest.raises(NotFound):
            memory.details("tea", **mine)
        assert not made.exists()
        memory.remember("I take tea", name="tea", **mine)
        assert memory.list(**mine).total == 1
        assert made.exists()
