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
    assert memory.at().list(all=True).total == 0
    memory.sync()
    with pytest.raises(Refused):
        memory.sync(strict=True)


def test_cancelling_records_nothing(memory, write):
    for number in range(5):
        write(f"{number}.md", "x")
    with pytest.raises(MemtuiError, match="cancelled"):
        memory.sync(cancelled=lambda: True)
    assert memory.at().list().total == 0


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


def test_a_file_that_could_not_be_read_is_tried_again(memory, write, monkeypatch):
    import memtui.vault.surveying as surveying
    from memtui.model.problems import Problem

    write("a.md", "zebra")
    memory.sync()
    write("a.md", "giraffe")
    load = surveying.load
    monkeypatch.setattr(surveying, "load", lambda found: Problem(found.path, "cannot be read"))
    assert [p.reason for p in memory.sync().problems] == ["cannot be read"]
    before = memory.ledger.fingerprint()
    memory.sync()
    assert memory.ledger.fingerprint() == before
    assert len(memory.search("zebra")) == 1
    monkeypatch.setattr(surveying, "load", load)
    report = memory.sync()
    assert (report.changed, report.problems) == (1, ())
    assert len(memory.search("giraffe")) == 1


def test_a_sync_that_another_overtook_starts_again(memory, write, vault, clock, monkeypatch):
    from memtui.memory.opening import open_memory

    write("a.md", "v1")
    memory.sync()
    other = open_memory(vault, clock=clock)
    write("a.md", "v2 is longer")
    writing = memory.ledger.writing
    overtaken = []

    def overtake():
        if not overtaken:
            overtaken.append(True)
            write("a.md", "v3 is longer still")
            other.sync()
        return writing()

    monkeypatch.setattr(memory.ledger, "writing", overtake)
    memory.sync()
    assert [version.content.body for version in memory.history("a")] == ["v1", "v3 is longer still"]


def test_when_the_owner_of_a_name_goes_the_other_file_takes_it(memory, write, vault):
    write("engrams/a.md", "---\nname: same\nsummary: from a\n---\n")
    write("engrams/b.md", "---\nname: same\nsummary: from b\n---\n")
    memory.sync()
    before = memory.ledger.fingerprint()
    memory.sync()
    assert memory.ledger.fingerprint() == before
    (vault / "engrams/a.md").unlink()
    report = memory.sync()
    assert memory.show("same").content.summary == "from b"
    assert memory.show("same").state == "in_force"
    assert report.problems == ()


def test_a_problem_of_the_walk_does_not_lose_a_record(memory, write, vault):
    file = write("a.md", "small")
    memory.sync()
    with file.open("r+b") as stream:
        stream.truncate(33 * 1024 * 1024)
    assert "too large" in memory.sync().problems[0].reason
    assert states(memory) == {"a": "in_force"}
    file.unlink()
    report = memory.sync()
    assert (report.vanished, report.problems) == (1, ())


def test_another_layout_reads_every_file_anew(vault, write, clock):
    from memtui.memory.opening import open_memory

    write("docs/a.md", "text")
    open_memory(vault, create=True, clock=clock).sync()
    write("memtui.toml", '[layout]\nknowledge = "docs"\n')
    memory = open_memory(vault, clock=clock)
    memory.sync()
    assert names(memory) == ["knowledge/a"]


def test_a_file_does_not_take_over_a_recorded_memory(memory, write, vault):
    memory.remember("memory by an agent about ports", name="port")
    file = write("engrams/port.md", "---\nsummary: totally other text\n---\n")
    report = memory.sync()
    assert memory.show("port").content.summary == "memory by an agent about ports"
    assert "another name" in report.problems[0].reason
    file.unlink()
    memory.sync()
    assert states(memory) == {"port": "in_force"}


def test_reviving_settles_the_problem_and_lines_survive_a_broken_edit(memory, write):
    write("engrams/port.md", "---\nsummary: The port\n---\n\nbody with needle\n")
    memory.sync()
    memory.forget("port")
    write("engrams/port.md", "---\nsummary: The port\n---\n\nbody with needle, edited\n")
    assert memory.sync().problems
    memory.revive("port")
    assert memory.status().problems == ()
    assert memory.sync().problems == ()
    line = memory.search("needle").hits[0].line
    write("engrams/port.md", "---\nsummary: [broken\n---\n\nbody\n")
    memory.sync()
    assert memory.search("needle").hits[0].line == line


def test_a_past_text_claims_no_line_of_todays_file(memory, write, clock):
    write("a.md", "the needle\n")
    memory.sync()
    then = clock.now
    clock.forward(DAY)
    write("a.md", "# A title\n\nmuch later\n\nthe needle\n")
    memory.sync()
    assert memory.search("needle", as_of=then + 1).hits[0].line is None
    assert memory.search("needle").hits[0].line is not None


def test_a_vault_that_is_gone_loses_nothing(memory, write, vault):
    write("sub/a.md", "the tide")
    memory.sync()
    os.rename(vault / "sub", vault / ".hidden")
    os.symlink(vault / "nowhere", vault / "sub")
    memory.sync()
    assert next(v.content.body for v in memory.history("sub/a")) == "the tide"
    assert memory.show("sub/a").state == "forgotten"
    os.unlink(vault / "sub")
    os.rename(vault / ".hidden", vault / "sub")
    memory.sync()
    assert memory.show("sub/a").state == "in_force"


def test_forgetting_what_a_file_says_is_no_trouble_of_the_file(memory, write):
    write("engrams/port.md", "---\nsummary: The port is 5433\n---\n")
    memory.sync()
    memory.forget("port")
    memory.revive("port")
    memory.forget("port")
    report = memory.sync(strict=True)
    assert (report.changed, report.problems) == (0, ())
