"""Memories whose files are links, or cannot be read: followed where the walk follows, else refused cleanly."""

from __future__ import annotations

import os

import pytest

from memtui.errors import Refused
from memtui.vault.replacing import Prepared
from memtui.vault.scanning import TEMPORARY

pytestmark = pytest.mark.slow

PORT = "---\nsummary: The port is 5433\n---\n"
unix_only = pytest.mark.skipif(os.name == "nt", reason="links, pipes and permissions of Unix")


@pytest.fixture
def untouched(memory, vault):
    """See that a refused verb did nothing at all."""

    def check(versions=1):
        assert len(memory.history("port")) == versions
        assert [path for path in vault.parent.rglob("*") if path.name.endswith(TEMPORARY)] == []

    return check


def refusal(memory, **fields):
    with pytest.raises(Refused) as refused:
        memory.update("port", **(fields or {"summary": "The port is 6000"}))
    assert refused.value.file == "engrams/port.md"
    assert refused.value.hint
    return refused.value.message


@unix_only
@pytest.mark.parametrize("folder", [False, True])
def test_a_link_within_the_vault_stays_and_its_file_is_written(memory, write, vault, monkeypatch, folder):
    real = write("kept/.notes/port.md", PORT)
    (vault / "engrams").mkdir()
    link = vault / ("engrams/notes" if folder else "engrams/port.md")
    link.symlink_to("../kept/.notes" + ("" if folder else "/port.md"))
    assert memory.sync().added == 1
    name = memory.list().records[0].key.name
    memory.update(name, summary="The port is 6000")
    assert link.is_symlink()
    assert "6000" in real.read_text()
    report = memory.sync()
    assert (report.wrote, report.problems, memory.stale()) == (False, (), 0)
    with monkeypatch.context() as patched:
        patched.setattr(Prepared, "commit", lambda self: None)
        memory.forget(name)
    assert memory.sync().problems == ()
    assert "valid_to" in real.read_text()
    memory.revive(name)
    assert (memory.sync().problems, memory.show(name).state) == ((), "in_force")
    assert link.is_symlink()


@unix_only
def test_a_link_that_leads_elsewhere_by_now_is_refused(memory, write, vault, untouched):
    file = write("engrams/port.md", PORT)
    memory.sync()
    outside = vault.parent / "outside.md"
    outside.write_text(PORT)
    file.unlink()
    file.symlink_to(outside)
    assert "leaves the vault" in refusal(memory)
    assert outside.read_text() == PORT
    file.unlink()
    file.symlink_to("nowhere.md")
    assert "leads nowhere" in refusal(memory)
    untouched()
    file.unlink()
    assert "is gone" in refusal(memory)
    untouched()


@unix_only
def test_a_folder_that_leads_out_of_the_vault_by_now_is_refused(memory, write, vault, untouched):
    file = write("engrams/port.md", PORT)
    memory.sync()
    file.parent.rename(vault.parent / "outside")
    (vault / "engrams").symlink_to(vault.parent / "outside")
    assert "leaves the vault" in refusal(memory)
    untouched()
    assert (vault.parent / "outside/port.md").read_text() == PORT


@unix_only
@pytest.mark.parametrize("made", ["pipe", "folder", "loop"])
def test_what_is_no_file_any_more_is_refused(memory, write, untouched, made):
    file = write("engrams/port.md", PORT)
    memory.sync()
    file.unlink()
    if made == "pipe":
        os.mkfifo(file)
    elif made == "folder":
        file.mkdir()
    else:
        file.symlink_to("port.md")
    assert "cannot be read" in refusal(memory)
    untouched()


@unix_only
def test_a_file_that_may_not_be_read_is_refused_and_nothing_is_half_done(memory, write, untouched, monkeypatch):
    file = write("engrams/port.md", PORT)
    memory.sync()
    with monkeypatch.context() as patched:
        file.chmod(0)
        if os.geteuid() == 0:  # permissions do not hold the superuser back
            opened = os.open

            def denied(path, *how, **more):
                if os.fspath(path) == str(file):
                    raise PermissionError(13, "Permission denied", str(path))
                return opened(path, *how, **more)

            patched.setattr(os, "open", denied)
        assert "Permission denied" in refusal(memory)
        with pytest.raises(Refused, match="Permission denied"):
            memory.forget("port")
        with pytest.raises(Refused, match="Permission denied"):
            memory.supersede("port", "The port is 7000", name="gate")
    file.chmod(0o600)
    untouched()
    assert [record.key.name for record in memory.list(all=True)] == ["port"]
    assert memory.update("port", summary="The port is 6000").outcome == "updated"
    assert "6000" in file.read_text()
