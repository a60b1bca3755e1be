"""A renamed file goes on under its new name: history, recalls, fading, also in other stores and after a replay."""

from __future__ import annotations

import pytest

from memtui.memory.opening import open_memory
from memtui.model.instants import DAY
from memtui.model.records import RecordKey
from memtui.vault.layout import DEFAULT_LAYOUT
from memtui.vault.shelf import Shelf
from tests.clocks import at


def names(memory):
    return [f"{record.key.kind}/{record.key.name}" for record in memory.list()]


def test_a_rename_carries_recalls_and_fading_on(memory, write, vault, clock):
    file = write("engrams/a.md", "---\nsummary: The tide table hangs in the hall\n---\n")
    other = write("engrams/still.md", "---\nsummary: The key lies under the mat\n---\n")
    memory.sync()
    clock.forward(10 * DAY)
    memory.recall("tide table")
    clock.forward(DAY)
    memory.recall("hall")
    clock.forward(20 * DAY)
    before, untouched = memory.details("a"), memory.details("still")
    file.rename(vault / "engrams" / "b.md")
    other.rename(vault / "engrams" / "moved.md")
    memory.sync()
    after, moved = memory.details("b"), memory.details("moved")
    assert [(r.cue, r.key.name) for r in after.recalls] == [("tide table", "a"), ("hall", "a")]
    assert after.strength.counted == before.strength.counted == 2
    assert after.strength.reinforced_at == before.strength.reinforced_at
    assert moved.strength.reinforced_at == untouched.strength.reinforced_at
    assert moved.strength.retention == pytest.approx(untouched.strength.retention, rel=1e-6)
    clock.forward(DAY)
    memory.recall("tide")
    (vault / "engrams" / "b.md").rename(vault / "engrams" / "c.md")
    memory.sync()
    assert [r.key.name for r in memory.details("c").recalls] == ["a", "a", "b"]
    assert memory.details("c").strength.counted == 3


def test_a_name_that_was_given_up_keeps_what_came_after_to_itself(memory, write, vault, clock):
    file = write("engrams/a.md", "---\nsummary: The tide table hangs in the hall\n---\n")
    memory.sync()
    memory.recall("tide")
    clock.forward(DAY)
    file.rename(vault / "engrams" / "b.md")
    memory.sync()
    write("engrams/a.md", "---\nsummary: Another thing about sheep\n---\n")
    memory.sync()
    memory.revive("a")
    clock.forward(DAY)
    memory.recall("sheep")
    assert [r.cue for r in memory.details("b").recalls] == ["tide"]
    assert memory.details("b").strength.counted == 1
    assert [r.cue for r in memory.details("a").recalls] == ["tide", "sheep"]


def test_a_rename_with_other_claims_is_news(memory, write, vault, clock):
    write("engrams/a.md", "---\nsummary: The tide table\n---\n")
    memory.sync()
    clock.forward(10 * DAY)
    (vault / "engrams" / "a.md").unlink()
    write("engrams/b.md", "---\nsummary: The tide table\nclaims: [Hall/one::wall=north]\n---\n")
    memory.sync()
    assert len(memory.history("b")) == 3
    assert memory.details("b").strength.reinforced_at == memory.history("b")[-1].recorded_at


@pytest.mark.parametrize("embedded", [True, False])
def test_every_store_follows_a_rename(vault, write, tmp_path, clock, embedded):
    from memtui.store.duckdb.ledger import DuckDBLedger
    from memtui.text.dates import local_zone
    from memtui.vault.syncing import VaultSync
    from tests.twins.ledger import TwinLedger

    ledger = DuckDBLedger(tmp_path / "memory.duckdb", clock) if embedded else TwinLedger(clock)
    sync = VaultSync(Shelf.of_vault(vault, DEFAULT_LAYOUT), ledger, partition="workspace", actor="x", zone=local_zone())
    write("engrams/a.md", "---\nsummary: The tide table\n---\n")
    write("engrams/other.md", "---\nsummary: Sheep\n---\n")
    sync.run()
    stamps = []
    for old, new in (("a", "b"), ("b", "c")):
        with ledger.writing() as unit:
            unit.recall([RecordKey("workspace", "engram", old)], reader="workspace", cue="tide", actor="x")
            stamps.append(unit.stamp)
        (vault / f"engrams/{old}.md").rename(vault / f"engrams/{new}.md")
        sync.run()
    with ledger.reading() as unit:
        numbers = {key.name: number for number, key, _ in unit.names(["workspace"])}
        recalls, columns = unit.recall_columns(["workspace"]), unit.columns(["workspace"])
    counted = {name: recalls.recorded_at[recalls.record == number].tolist() for name, number in numbers.items()}
    assert counted == {"a": stamps[:1], "b": stamps, "c": stamps, "other": []}
    assert recalls.recorded_at.tolist() == sorted(recalls.recorded_at.tolist())
    assert len(set(columns.reinforced_at.tolist())) == 1


def test_a_replayed_rename_fades_as_the_first_did(memory, write, vault, tmp_path, clock):
    file = write("engrams/a.md", "---\nsummary: The tide table\n---\n")
    memory.sync()
    memory.recall("tide")
    clock.forward(10 * DAY)
    file.rename(vault / "engrams" / "b.md")
    memory.sync()
    memory.export(tmp_path / "ledger.jsonl")
    (tmp_path / "other").mkdir()
    other = open_memory(tmp_path / "other", create=True, clock=clock)
    other.import_(tmp_path / "ledger.jsonl")
    one, two = memory.details("b").strength, other.details("b").strength
    assert (two.counted, two.reinforced_at) == (one.counted, one.reinforced_at) == (1, one.reinforced_at)


def test_an_older_store_learns_what_was_news(memory, write, vault, clock):
    """The step to a schema with news in it finds, in old versions, what is told of new ones as they are written."""
    import duckdb

    from memtui.store.duckdb.migrating import shipped_migrations

    write("engrams/a.md", "---\nsummary: The tide table\n---\n")
    write("engrams/p.md", "---\nsummary: The port\nclaims: [Port/one::number=1]\n---\n")
    write("note.md", "a note")
    memory.sync()
    clock.forward(DAY)
    memory.forget("a")
    memory.revive("a")
    memory.update("p", tags=["ops"])
    for old, new in (("engrams/a.md", "engrams/b.md"), ("note.md", "moved.md")):
        (vault / old).rename(vault / new)
    (vault / "engrams/p.md").unlink()
    write("engrams/q.md", "---\nsummary: The port\nclaims: [Port/one::number=2]\n---\n")
    memory.sync()
    (vault / "engrams/b.md").rename(vault / "engrams/c.md")
    memory.sync()
    store = duckdb.connect(str(vault / ".memtui" / "memory.duckdb"))
    select = "SELECT seq, flags, reason FROM version ORDER BY seq"
    before = store.execute(select).fetchall()
    store.execute("UPDATE version SET flags = flags & ~64")
    (sql,) = (step.sql for step in shipped_migrations() if step.name == "recalls")
    plain = "\n".join(line for line in sql.splitlines() if not line.startswith("--"))
    for statement in plain.split(";\n"):
        if statement.strip().startswith("UPDATE version"):
            store.execute(statement)
    assert store.execute(select).fetchall() == before
    news = {reason: bool(flags & 64) for _, flags, reason in before if (reason or "").startswith("renamed from")}
    assert news == {
        "renamed from engram/a": False, "renamed from engram/b": False, "renamed from engram/p": True,
        "renamed from note/note": True,  # a note without a title is called by its name
    }  # fmt: skip
    store.close()


def test_a_rename_keeps_its_history(memory, write, vault, clock):
    write("old name.md", "---\ndate: 2020-01-02\n---\nunchanged text")
    memory.sync()
    clock.forward(DAY)
    (vault / "old name.md").rename(vault / "new name.md")
    report = memory.sync()
    assert (report.added, report.vanished) == (1, 0)
    assert names(memory) == ["note/new name"]
    assert memory.show("new name").content.valid_from == at("2020-01-02")
    assert memory.show("old name").state == "superseded"
    assert [version.key.name for version in memory.history("new name")] == ["old name", "old name", "new name"]


def test_renaming_what_is_not_yet_true_blocks_nothing(memory, write, vault):
    write("engrams/f.md", "---\nvalid_from: 2099-01-01\nsummary: Future thing\n---\n")
    memory.sync()
    (vault / "engrams/f.md").rename(vault / "engrams/g.md")
    write("other.md", "new")
    report = memory.sync()
    assert (report.added, report.problems) == (2, ())
    assert memory.show("g").state == "not_yet"


def test_a_rename_makes_no_second_truth_and_no_blind_spot(memory, write, vault, clock):
    write("old.md", "the tide table")
    memory.sync()
    first = clock.now
    clock.forward(DAY)
    (vault / "old.md").rename(vault / "new.md")
    memory.sync()
    clock.forward(DAY)
    assert [hit.name for hit in memory.search("tide", valid_at=first + DAY // 2)] == ["new"]
    then = memory.search("tide", as_of=first + DAY // 2)
    assert [hit.name for hit in then] == ["old"]
    assert then.truncated_total == 0


def test_a_rename_does_not_undo_forgetting_and_keeps_the_gaps(memory, write, vault, clock):
    write("engrams/p.md", "---\nsummary: The port is 5433\n---\n")
    memory.sync()
    clock.forward(DAY)
    memory.forget("p")
    clock.forward(DAY)
    memory.revive("p")
    gaps = memory.show("p").content.revivals
    context = memory.show("p").content.encoding_context
    (vault / "engrams/p.md").rename(vault / "engrams/q.md")
    memory.sync()
    assert memory.show("q").content.revivals == gaps
    assert memory.show("q").content.encoding_context == context
    clock.forward(DAY)
    memory.forget("q")
    (vault / "engrams/q.md").rename(vault / "engrams/r.md")
    report = memory.sync()
    assert memory.show("r").state == "forgotten"
    assert report.problems == ()  # the file says itself that it ended


def test_a_note_moved_into_knowledge_keeps_its_history(memory, write, vault):
    write("idea.md", "an idea worth keeping")
    memory.sync()
    (vault / "knowledge").mkdir()
    (vault / "idea.md").rename(vault / "knowledge" / "idea.md")
    memory.sync()
    assert names(memory) == ["knowledge/idea"]
    assert [v.key.kind for v in memory.history("knowledge/idea")] == ["note", "note", "knowledge"]
