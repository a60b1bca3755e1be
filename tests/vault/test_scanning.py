"""The walk: what is found, what is left out and why, and that no link catches it."""

import os
import time

import pytest

from memtui.vault import scanning
from memtui.vault.ignoring import IgnoreRules
from memtui.vault.layout import Layout
from memtui.vault.scanning import scan


@pytest.fixture
def vault(tmp_path):
    root = tmp_path / "vault"
    root.mkdir()
    return root


def write(root, *paths, text="words\n"):
    for path in paths:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def found(root, **options):
    return [file.path for file in scan(root, **options).files]


def skipped(root):
    return dict(scan(root).skipped)


def test_files_come_sorted_with_kind_name_size_and_time(vault):
    write(vault, "z.md", "knowledge/b/c.md", "knowledge/a.md", "memory.md", "CHANGELOG.json", "image.png", "x.txt")
    result = scan(vault)
    assert [(f.path, f.kind, f.name) for f in result.files] == [
        ("CHANGELOG.json", "changelog", "CHANGELOG.json"),
        ("knowledge/a.md", "knowledge", "a"),
        ("knowledge/b/c.md", "knowledge", "b/c"),
        ("memory.md", "memory", "memory.md"),
        ("z.md", "note", "z"),
    ]
    status = (vault / "z.md").stat()
    last = result.files[-1]
    assert (last.size, last.mtime_ns, last.absolute) == (
        status.st_size,
        status.st_mtime_ns,
        os.path.realpath(vault / "z.md"),
    )
    assert (result.skipped, result.problems, result.unseen) == ((), (), ())


def test_what_is_left_out_is_listed_with_its_reason(vault):
    write(
        vault, ".hidden.md", ".trash/old.md", "~$lock.md", "a.md.tmp", "B.TMP", "ok.md", "inner/.memtui/x", "inner/y.md"
    )
    write(vault, ".memtui/ledger", ".memtuiignore", text="")
    assert found(vault) == ["ok.md"]
    assert skipped(vault) == {
        ".hidden.md": "its name begins with .",
        ".trash": "its name begins with .",
        "~$lock.md": "an editor's lock file",
        "a.md.tmp": "a temporary file",
        "B.TMP": "a temporary file",
        "inner": "a vault of its own",
    }


def test_rules_leave_out_files_and_whole_folders(vault):
    write(vault, "private/a.md", "b.md", "drafts/c.md", "drafts/keep.md", "knowledge/d.md")
    write(vault, ".memtuiignore", text="private/\ndrafts/*\n!drafts/keep.md\n!\n")
    result = scan(vault, Layout(ignore=("knowledge/d.md",)))
    assert [f.path for f in result.files] == ["b.md", "drafts/keep.md"]
    assert {path for path, _ in result.skipped} == {"private", "drafts/c.md", "knowledge/d.md"}
    assert [p.path for p in result.problems] == [".memtuiignore"]
    assert found(vault, ignore=IgnoreRules()) == [
        "b.md",
        "drafts/c.md",
        "drafts/keep.md",
        "knowledge/d.md",
        "private/a.md",
    ]


def test_a_folder_named_like_a_file_is_a_folder(vault):
    write(vault, "dir.md/inner.md")
    assert found(vault) == ["dir.md/inner.md"]


def test_links_within_the_vault_lead_nowhere_twice(vault, tmp_path):
    write(vault, "note.md", "sub/a.md")
    write(tmp_path, "secret.md", "other/b.md")
    for name, target in {
        "loop": ".", "sub/up": "..", "again": "sub", "twin.md": "note.md", "aaa.md": "sub/a.md",
        "outside": tmp_path / "other", "out.md": tmp_path / "secret.md", "dangling.md": "missing.md", "gone": "nowhere",
        "self.md": "self.md", "pic.png": "note.md",
    }.items():  # fmt: skip
        (vault / name).symlink_to(target)
    result = scan(vault)
    assert [f.path for f in result.files] == ["note.md", "sub/a.md"]
    assert dict(result.skipped) == {
        "loop": "leads to the vault itself, which is read already",
        "sub/up": "leads to the vault itself, which is read already",
        "again": "leads to sub, which is read already",
        "twin.md": "a link to note.md, which is read already",
        "aaa.md": "a link to sub/a.md, which is read already",
        "outside": "a link that leaves the vault",
        "out.md": "a link that leaves the vault",
        "gone": "a link that leads nowhere",
    }
    assert [p.path for p in result.problems] == ["dangling.md", "self.md"]
    assert "self.md" in result.unseen


def test_links_are_followed_to_what_the_walk_leaves_alone(vault):
    write(vault, ".store/deep/x.md", ".store/y.md", "data/words.txt")
    (vault / "knowledge").symlink_to(".store/deep")
    (vault / "all").symlink_to(".store")
    (vault / "words.md").symlink_to("data/words.txt")
    (vault / ".store" / "back").symlink_to("..")
    result = scan(vault)
    assert [(f.path, f.kind) for f in result.files] == [
        ("all/deep/x.md", "note"),
        ("all/y.md", "note"),
        ("words.md", "note"),
    ]
    assert dict(result.skipped)["knowledge"] == "leads to all/deep, which is read already"
    words = result.files[-1]
    assert words.absolute == os.path.realpath(vault / "data/words.txt")
    assert words.size == 6


def test_a_file_reached_by_two_links_is_read_once(vault):
    write(vault, ".store/x.md")
    (vault / "a.md").symlink_to(".store/x.md")
    (vault / "b").symlink_to(".store")
    assert found(vault) == ["a.md"]
    assert skipped(vault)["b/x.md"] == "a link to .store/x.md, which is read already"


def test_a_link_opens_neither_another_vault_nor_what_is_ignored(vault):
    write(vault, "inner/.memtui/x", "inner/deep/y.txt", "private/a.txt", ".memtui/z.txt")
    write(vault, ".memtuiignore", text="private/\n")
    (vault / "one.md").symlink_to("inner/deep/y.txt")
    (vault / "two.md").symlink_to("private/a.txt")
    (vault / "three.md").symlink_to(".memtui/z.txt")
    assert found(vault) == []
    assert {p: r for p, r in skipped(vault).items() if p.endswith(".md")} == dict.fromkeys(
        ("one.md", "two.md", "three.md"), "a link to what is left out"
    )


def test_names_that_differ_by_case_are_two_names(vault):
    write(vault, "Case.md")
    if (vault / "case.md").exists():
        pytest.skip("this file system does not tell them apart")
    write(vault, "case.md")
    assert found(vault) == ["Case.md", "case.md"]


def test_of_two_files_with_one_name_the_second_is_a_problem(vault):
    write(vault, "knowledge/O\u0308.md")
    if (vault / "knowledge/\u00d6.md").exists():
        pytest.skip("this file system does not tell them apart")
    write(vault, "knowledge/\u00d6.md", "a.md", "a.MD")
    result = scan(vault)
    assert [f.path for f in result.files] == ["a.MD", "knowledge/O\u0308.md"]
    assert [(p.path, p.field) for p in result.problems] == [("a.md", "name"), ("knowledge/\u00d6.md", "name")]
    assert "'a.MD'" in result.problems[0].reason


def test_what_cannot_be_read_is_a_problem_and_has_not_vanished(vault, monkeypatch):
    write(vault, "ok.md", "locked/a.md")
    real = os.scandir

    def scandir(path):
        if str(path).endswith("locked"):
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    monkeypatch.setattr(scanning.os, "scandir", scandir)
    result = scan(vault)
    assert [f.path for f in result.files] == ["ok.md"]
    assert (result.problems[0].path, result.problems[0].reason) == (
        "locked",
        "the folder cannot be read (Permission denied)",
    )
    assert result.hides("locked/a.md")
    assert not result.hides("lockedness.md")


def test_a_vault_that_is_not_there_hides_everything(vault):
    result = scan(vault / "absent")
    assert result.files == ()
    assert result.problems[0].path == "."
    assert result.hides("anything/at/all.md")


def test_files_too_large_and_no_files_at_all(vault, monkeypatch):
    monkeypatch.setattr(scanning, "LARGEST", 10)
    write(vault, "big.md", text="x" * 11)
    write(vault, "fits.md", text="x" * 10)
    os.mkfifo(vault / "pipe.md")
    result = scan(vault)
    assert [f.path for f in result.files] == ["fits.md"]
    assert [(p.path, p.reason[:9]) for p in result.problems] == [("big.md", "too large"), ("pipe.md", "is no reg")]
    assert result.hides("big.md")


def test_twenty_megabytes_are_not_too_large(vault):
    with (vault / "huge.md").open("wb") as file:
        file.truncate(20 * 1024 * 1024)
    assert found(vault) == ["huge.md"]


@pytest.mark.parametrize("name", [b"caf\xe9.md", b"two\nlines.md", ("x" * 100 + "/" + "y" * 120).encode() + b".md"])
def test_names_no_record_can_have_are_problems(vault, name):
    path = os.fsencode(vault) + b"/" + name
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb"):
            pass
    except OSError:
        pytest.skip("this file system refuses such a name")
    result = scan(vault)
    assert result.files == ()
    (problem,) = result.problems
    problem.path.encode("utf-8")
    assert problem.path.isprintable()


def test_hostile_but_legal_names_are_read(vault):
    names = [
        "# hash^caret [x] |pipe.md",
        "emoji 🗂️ 家.md",
        "ends with blank .md",
        "note (conflicted copy 2024-01-02).md",
    ]
    write(vault, *names)
    assert sorted(found(vault)) == sorted(names)


def test_a_thousand_files_in_twenty_milliseconds(vault):
    write(vault, *(f"knowledge/{n % 20}/file-{n}.md" for n in range(1000)))
    best = 1.0
    for _ in range(5):
        began = time.perf_counter()
        assert len(scan(vault).files) == 1000
        best = min(best, time.perf_counter() - began)
    assert best < 0.06  # 20 ms on a quiet machine; what must not happen is three times that
