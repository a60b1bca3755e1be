"""Sync through the application core: what becomes a version, what does not, and what is never lost."""

from __future__ import annotations

import os

import pytest

from memtui.errors import MemtuiError, Refused
from memtui.model.instants import DAY
from tests.clocks import at


def names(memory, **options):
    return [f"{record.key.kind}/{record.key.name}" for record in memory.list(**options)]


def states(memory):
    return {record.key.name: record.state for record in memory.list(all=True)}


def test_a_second_sync_writes_nothing(memory, write):
    write("knowledge/a.md", "# A\n\ntext\n")
    write("memory.md", "# Memory\n\n## One\n\n1\n\n## Two\n\n2\n")
    first = memory.sync()
    assert (first.added, first.unchanged) == (3, 0)
    before = memory.ledger.fingerprint()
    second = memory.sync()
    assert (second.added, second.changed, second.vanished, second.unchanged) == (0, 0, 0, 3)
    assert memory.ledger.fingerprint() == before


def test_a_touched_file_is_no_new_version(memory, write):
    file = write("a.md", "text")
    memory.sync()
    os.utime(file, ns=(1, 1))
    report = memory.sync()
    assert (report.changed, report.unchanged) == (0, 1)
    assert memory.stale() == 0
    assert len(memory.history("a")) == 1


def test_an_edit_is_a_version_and_the_old_words_are_gone(memory, write, clock):
    write("a.md", "old words here")
    memory.sync()
    clock.forward(DAY)
    write("a.md", "new words there, and longer")
    assert memory.sync().changed == 1
    assert len(memory.search("old")) == 0
    assert len(memory.search("new")) == 1
    assert len(memory.search("old", as_of=clock.now - DAY // 2)) == 1


def test_only_the_section_that_changed_is_a_version_and_lines_follow(memory, write):
    write("memory.md", "## One\n\nfirst\n\n## Two\n\nsecond\n")
    memory.sync()
    before = memory.search("second").hits[0].line
    write("memory.md", "## One\n\nfirst\nand more lines\nand more\n\n## Two\n\nsecond\n")
    report = memory.sync()
    assert (report.changed, report.unchanged) == (1, 1)
    assert memory.search("second").hits[0].line == before + 2


def test_a_vanished_file_ends_and_a_returning_one_is_revived(memory, write, vault, clock):
    write("a.md", "the tide table")
    memory.sync()
    clock.forward(DAY)
    (vault / "a.md").unlink()
    assert memory.sync().vanished == 1
    assert states(memory) == {"a": "forgotten"}
    gone = clock.now
    clock.forward(DAY)
    write("a.md", "the tide table")
    assert memory.sync().changed == 1
    assert states(memory) == {"a": "in_force"}
    (gap,) = memory.show("a").content.revivals
    assert gap.valid_to < gone + DAY < gap.revived_at
    assert len(memory.search("tide", valid_at=gone + DAY // 2)) == 0


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


def test_dates_are_the_files_own_and_never_later_than_the_first_sync(memory, write, clock):
    clock.now = at("2026-05-01")
    write("dated.md", "---\ndate: 2019-05-04\n---\nx")
    write("future.md", "---\ndate: 2031-01-01\n---\nx")
    write("bad.md", "---\ndate: 2024-13-01\n---\nx")
    write("none.md", "x")
    report = memory.sync()
    shown = {record.key.name: record.content.valid_from for record in memory.list()}
    assert shown["dated"] == at("2019-05-04")
    assert shown["future"] == shown["none"] == shown["bad"] == memory.show("none").recorded_at
    assert [(p.path, p.field, p.value) for p in report.problems] == [("bad.md", "date", "2024-13-01")]


def test_a_forgotten_engram_file_stays_forgotten(memory, write, clock):
    write("engrams/port.md", "---\nsummary: The port is 5433\n---\n")
    memory.sync()
    clock.forward(DAY)
    memory.forget("port")
    write("engrams/port.md", "---\nsummary: The port is 5433 for sure\n---\n")
    report = memory.sync()
    assert states(memory) == {"port": "forgotten"}
    assert "revive" in report.problems[0].reason
    assert memory.show("port").content.summary == "The port is 5433 for sure"


def test_a_removed_engram_file_is_a_forget_and_one_that_returns_stays_forgotten(memory, write, vault, clock):
    write("engrams/port.md", "---\nsummary: The port is 5433\n---\n")
    memory.sync()
    clock.forward(DAY)
    (vault / "engrams/port.md").unlink()
    memory.sync()
    last = memory.history("port")[-1]
    assert (last.operation, last.reason) == ("forget", "file removed")
    write("engrams/port.md", "---\nsummary: The port is 5433\n---\n")
    report = memory.sync()
    assert states(memory) == {"port": "forgotten"}
    assert any("revive" in problem.reason for problem in report.problems)
    memory.revive("port")
    assert memory.sync().changed == 0
    assert states(memory) == {"port": "in_force"}


def test_a_broken_engram_file_keeps_what_was_known(memory, write):
    write("engrams/port.md", "---\nsummary: The port is 5433\n---\n")
    memory.sync()
    write("engrams/port.md", "---\nsummary: [broken\n---\nnothing")
    report = memory.sync()
    assert report.problems
    assert (report.vanished, report.changed) == (0, 0)
    assert memory.show("port").content.summary == "The port is 5433"
    assert states(memory) == {"port": "in_force"}


def test_a_broken_change_log_keeps_its_entries(memory, write):
    write(
        "CHANGELOG.json",
        '[{"id": "a", "date": "2025-01-01", "type": "fix", "scope": "x", "description": "tide fixed"}]',
    )
    memory.sync()
    write("CHANGELOG.json", '[{"id": "a", ')
    report = memory.sync()
    assert report.problems
    assert report.vanished == 0
    assert len(memory.search("tide fixed")) == 1


def test_two_files_with_one_name_are_both_told(memory, write):
    write("engrams/a.md", "---\nname: same\nsummary: from a\n---\n")
    write("engrams/b.md", "---\nname: same\nsummary: from b\n---\n")
    report = memory.sync()
    assert report.added == 1
    assert memory.show("same").content.summary == "from a"
    assert [(p.path, "engrams/a.md" in p.reason) for p in report.problems] == [("engrams/b.md", True)]
    write("engrams/b.md", "---\nname: same\nsummary: from b, edited\n---\n")
    memory.sync()
    assert memory.show("same").content.summary == "from a"


def test_strict_records_nothing(memory, write):
    write("good.md", "fine")
    write("bad.md", "---\ntitle: [x\n---\n")
    with pytest.raises(Refused, match=r"bad\.md"):
        memory.sync(strict=True)
    assert memory.list(all=True).total == 0
    memory.sync()
    with pytest.raises(Refused):
        memory.sync(strict=True)


def test_cancelling_records_nothing(memory, write):
    for number in range(5):
        write(f"{number}.md", "x")
    with pytest.raises(MemtuiError, match="cancelled"):
        memory.sync(cancelled=lambda: True)
    assert memory.list().total == 0


def test_progress_is_told(memory, write):
    for number in range(3):
        write(f"{number}.md", "x")
    told = []
    memory.sync(progress=lambda *step: told.append(step))
    assert told == [(0, 3, "0.md"), (1, 3, "1.md"), (2, 3, "2.md")]


def test_blind_spots_are_named(memory, write, clock):
    clock.now = at("2026-05-01")
    memory.remember("known since May", name="may")
    clock.now = at("2026-06-01")
    write("a.md", "x")
    memory.sync()
    found = memory.search("known", as_of="2026-05-10")
    assert [hit.name for hit in found] == ["may"]
    assert [key.name for key in found.as_of_truncated] == ["a"]
    assert found.truncated_total == 1
    assert memory.search("known").truncated_total == 0


def test_a_vault_that_is_gone_loses_nothing(memory, write, vault):
    write("sub/a.md", "the tide")
    memory.sync()
    os.rename(vault / "sub", vault / ".hidden")
    os.symlink(vault / "nowhere", vault / "sub")
    memory.sync()
    assert names(memory, all=True) == ["note/sub/a"]
    assert len(memory.history("sub/a")) >= 1
