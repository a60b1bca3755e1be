"""How far the files are from what a sync saw: the quick look and the whole scan say the same."""

import os
import shutil

import pytest

from memtui.vault.freshness import count_stale
from memtui.vault.layout import DEFAULT_LAYOUT, Layout
from memtui.vault.shelf import Shelf


@pytest.fixture
def vault(tmp_path):
    root = tmp_path / "vault"
    for path in ("a.md", "knowledge/b.md", "knowledge/deep/c.MD", "CHANGELOG.json", "image.png", ".memtui/store"):
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("words\n", encoding="utf-8")
    return root


def seen_of(shelf):
    return {file.path: (file.size, file.mtime_ns) for file in shelf.scan().files}


def touch(file):
    status = file.stat()
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns + 1))


CHANGES = {
    "nothing": (lambda vault: None, 0),
    "what holds no records": (lambda vault: (vault / "more.png").write_text("x"), 0),
    "a hidden file": (lambda vault: (vault / ".x.md").write_text("x"), 0),
    "a temporary file": (lambda vault: (vault / "x.md.tmp").write_text("x"), 0),
    "an editor's lock": (lambda vault: (vault / "~$a.md").write_text("x"), 0),
    "another time": (lambda vault: touch(vault / "a.md"), 1),
    "another size": (lambda vault: (vault / "a.md").write_text("other words\n"), 1),
    "a new file": (lambda vault: (vault / "knowledge/new.md").write_text("x"), 1),
    "a file gone": (lambda vault: (vault / "knowledge/deep/c.MD").unlink(), 1),
    "a file moved": (lambda vault: (vault / "a.md").rename(vault / "z.md"), 2),
    "a folder gone": (lambda vault: shutil.rmtree(vault / "knowledge"), 2),
    "the change log gone": (lambda vault: (vault / "CHANGELOG.json").unlink(), 1),
    "a link to what is read already": (lambda vault: (vault / "link.md").symlink_to("a.md"), 0),
    "a link to a folder of it": (lambda vault: (vault / "link").symlink_to("knowledge"), 0),
    "a folder that is a vault now": (lambda vault: (vault / "knowledge/.memtui").mkdir(), 2),
    "a rule": (lambda vault: (vault / ".memtuiignore").write_text("a.md\n"), 1),
    "a rule that leaves out nothing": (lambda vault: (vault / ".memtuiignore").write_text("b\n"), 0),
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_is_counted(vault, change):
    shelf = Shelf.of_vault(vault, DEFAULT_LAYOUT)
    seen = seen_of(shelf)
    happen, stale = CHANGES[change]
    happen(vault)
    assert count_stale(shelf, seen) == stale


def test_what_is_out_of_the_ordinary_is_fresh_too(vault):
    (vault / "link.md").symlink_to("image.png")
    (vault / "other.md").symlink_to("nowhere")
    (vault / "inner/.memtui").mkdir(parents=True)
    (vault / "inner/y.md").write_text("x")
    shelf = Shelf.of_vault(vault, Layout(ignore=("knowledge/deep",)))
    seen = seen_of(shelf)
    assert "knowledge/deep/c.MD" not in seen
    assert count_stale(shelf, seen) == 0
    touch(vault / "knowledge/b.md")
    assert count_stale(shelf, seen) == 1


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may look everywhere")
def test_what_may_not_be_looked_at_has_not_vanished(vault):
    shelf = Shelf.of_vault(vault, DEFAULT_LAYOUT)
    seen = seen_of(shelf)
    (vault / "knowledge").chmod(0)
    try:
        assert count_stale(shelf, seen) == 0
    finally:
        (vault / "knowledge").chmod(0o700)


def test_the_folders_of_a_base_are_looked_at_together(vault, tmp_path):
    other = tmp_path / "other"
    shutil.copytree(vault, other, ignore=shutil.ignore_patterns(".memtui"))
    shelf = Shelf.of_base((vault, other), DEFAULT_LAYOUT)
    seen = seen_of(shelf)
    assert set(seen) >= {"vault/a.md", "other/a.md", "other/CHANGELOG.json"}
    assert count_stale(shelf, seen) == 0
    (other / "a.md").unlink()
    assert count_stale(shelf, seen) == 1
    assert count_stale(Shelf.of_base((vault,), DEFAULT_LAYOUT), seen) == 4
