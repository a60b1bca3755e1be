"""A file is replaced whole or not at all, and what it will be is known before."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.vault.replacing import abandoned, prepare, sweep, unfinished
from memtui.vault.scanning import TEMPORARY, scan

unix_only = pytest.mark.skipif(os.name == "nt", reason="permissions and links of Unix")


@pytest.fixture
def note(tmp_path):
    path = tmp_path / "not ş.md"
    path.write_bytes(b"old\r\n")
    return path


def digest(data):
    return hashlib.sha256(data).hexdigest()


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_what_a_file_will_be_is_known_before_and_true_after(note):
    prepared = prepare(note, b"new text\n", expected=b"old\r\n")
    assert note.read_bytes() == b"old\r\n"
    assert prepared.temporary.read_bytes() == b"new text\n"
    assert (prepared.size, prepared.digest, prepared.expected) == (9, digest(b"new text\n"), digest(b"old\r\n"))
    status = prepared.commit()
    assert note.read_bytes() == b"new text\n"
    assert (status.st_size, status.st_mtime_ns) == (prepared.size, prepared.mtime_ns)
    assert os.stat(note).st_mtime_ns == prepared.mtime_ns
    assert names(note.parent) == [note.name]
    prepared.discard()
    assert note.read_bytes() == b"new text\n"


def test_a_discarded_write_leaves_nothing(note):
    before = os.stat(note)
    prepared = prepare(note, b"new", expected=b"old\r\n")
    prepared.discard()
    prepared.discard()
    assert (names(note.parent), os.stat(note).st_mtime_ns) == ([note.name], before.st_mtime_ns)


def test_a_file_that_changed_meanwhile_is_left_as_it_is(note):
    prepared = prepare(note, b"new", expected=b"old\r\n")
    note.write_bytes(b"edited by hand")
    with pytest.raises(Refused, match="changed meanwhile") as refused:
        prepared.commit()
    assert (note.read_bytes(), names(note.parent)) == (b"edited by hand", [note.name])
    assert "memtui sync" in (refused.value.hint or "")
    with pytest.raises(Refused, match="does not hold what was read"):
        prepare(note, b"new", expected=b"old\r\n")
    prepared = prepare(note, b"new", expected=b"edited by hand")
    note.unlink()
    with pytest.raises(Refused, match="changed meanwhile"):
        prepared.commit()
    assert names(note.parent) == []


def test_a_new_file_is_made_only_where_there_is_none(tmp_path):
    path = tmp_path / "CHANGELOG.json"
    prepared = prepare(path, b"[]", expected=None)
    assert not path.exists()
    late = prepare(path, b"[1]", expected=None)
    assert prepared.temporary != late.temporary
    prepared.commit()
    with pytest.raises(Refused, match="changed meanwhile"):
        late.commit()
    assert (path.read_bytes(), names(tmp_path)) == (b"[]", ["CHANGELOG.json"])
    with pytest.raises(Refused, match="exists already"):
        prepare(path, b"[2]", expected=None)
    with pytest.raises(Refused, match="cannot be written"):
        prepare(tmp_path / "missing" / "x.md", b"", expected=None)


@unix_only
def test_permissions_stay_and_a_new_file_gets_the_usual_ones(note):
    for mode in (0o600, 0o644, 0o664, 0o755):
        os.chmod(note, mode)
        prepare(note, b"x%o" % mode, expected=note.read_bytes()).commit()
        assert os.stat(note).st_mode & 0o7777 == mode
    usual = note.with_name("usual")
    usual.touch()
    new = note.with_name("new")
    prepare(new, b"", expected=None).commit()
    assert os.stat(new).st_mode == os.stat(usual).st_mode


@unix_only
def test_a_read_only_file_is_left_alone(note, monkeypatch):
    os.chmod(note, 0o444)
    if os.geteuid() == 0:  # root may write anywhere; anyone else is told so by the system
        monkeypatch.setattr(os, "access", lambda path, mode: bool(os.stat(path).st_mode & 0o200))
    with pytest.raises(Refused, match="read-only") as refused:
        prepare(note, b"new", expected=b"old\r\n")
    assert "chmod u+w" in (refused.value.hint or "")
    assert names(note.parent) == [note.name]


@unix_only
def test_a_link_stays_a_link_and_its_file_is_written(note):
    folder = note.parent / "far"
    folder.mkdir()
    link = folder / "link.md"
    link.symlink_to(os.path.join("..", note.name))
    prepared = prepare(link, b"through", expected=b"old\r\n")
    assert prepared.temporary.parent == note.parent
    prepared.commit()
    assert link.is_symlink()
    assert note.read_bytes() == link.read_bytes() == b"through"
    assert names(folder) == ["link.md"]
    broken = folder / "broken.md"
    broken.symlink_to("nowhere.md")
    with pytest.raises(Refused, match="leads nowhere"):
        prepare(broken, b"x", expected=None)


@unix_only
def test_what_is_no_regular_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe.md")
    with pytest.raises(Refused, match="no regular file"):
        prepare(tmp_path / "pipe.md", b"x", expected=b"")
    with pytest.raises(Refused):
        prepare(tmp_path, b"x", expected=b"")


def test_size_and_time_always_tell_the_new_file_from_the_old(note):
    for number in range(300):
        before = os.stat(note)
        old = note.read_bytes()
        prepared = prepare(note, b"%05d" % number, expected=old)
        assert (prepared.size, prepared.mtime_ns) != (before.st_size, before.st_mtime_ns)
        prepared.commit()


def test_a_time_that_would_be_the_same_is_moved_on(note, monkeypatch):
    before = os.stat(note)
    real = os.utime

    def stopped_clock(path, times=None, *, ns=None, **more):
        real(path, ns=ns or (before.st_atime_ns, before.st_mtime_ns))

    monkeypatch.setattr(os, "utime", stopped_clock)
    prepared = prepare(note, b"new\r\n", expected=b"old\r\n")
    assert prepared.size == before.st_size
    assert before.st_mtime_ns < prepared.mtime_ns <= before.st_mtime_ns + 2_000_000_000
    assert prepared.commit().st_mtime_ns == prepared.mtime_ns


def test_too_large_a_file_is_refused_before_anything_is_written(note):
    with pytest.raises(Refused, match="32 MiB"):
        prepare(note, bytes(33 * 1024 * 1024), expected=b"old\r\n")
    assert names(note.parent) == [note.name]


def test_long_names_have_room(tmp_path):
    for name in ("x" * 250 + ".md", "ş" * 125 + ".md"):
        path = tmp_path / name
        path.write_bytes(b"1")
        prepared = prepare(path, b"2", expected=b"1")
        assert unfinished(path, digest(b"2"), expected=digest(b"1")) == prepared
        prepared.commit()
        assert path.read_bytes() == b"2"


def test_temporary_files_are_no_part_of_the_vault(tmp_path):
    folder = tmp_path / "knowledge"
    folder.mkdir()
    (folder / "a.md").write_bytes(b"1")
    prepare(folder / "a.md", b"2", expected=b"1")
    assert [file.path for file in scan(tmp_path).files] == ["knowledge/a.md"]


CRASH = """
import os, sys
from pathlib import Path
from memtui.vault.replacing import prepare
prepare(Path(sys.argv[1]), b"new", expected=b"old\\r\\n")
os._exit(9)
"""


def leftovers(folder):
    return [Path(place) for place in scan(folder).leftovers]


def test_what_a_crashed_run_left_can_be_finished_or_swept(note):
    run = subprocess.run([sys.executable, "-c", CRASH, str(note)], check=False)
    assert run.returncode == 9
    (note.parent / "deep").mkdir()
    other = note.parent / "deep" / "other.md"
    other.write_bytes(b"a")
    mine = prepare(other, b"b", expected=b"a")
    (note.parent / f".foreign{TEMPORARY}").touch()
    assert len(leftovers(note.parent)) == 2, "a name that is not ours is none of ours"
    assert unfinished(note, digest(b"other"), expected=digest(b"old\r\n")) is None
    assert unfinished(other, digest(b"new"), expected=digest(b"a")) is None
    found = unfinished(note, digest(b"new"), expected=digest(b"old\r\n"))
    assert found is not None
    assert abandoned(leftovers(note.parent), before_ns=0) == (found.temporary,), "this process still runs"
    assert sweep([found.temporary], {digest(b"new")}) == ()
    assert (found.commit().st_mtime_ns, note.read_bytes()) == (found.mtime_ns, b"new")
    assert abandoned(leftovers(note.parent), before_ns=mine.mtime_ns + 1) == (mine.temporary,)
    assert sweep([mine.temporary], {digest(b"new")}) == (mine.temporary,)
    assert names(note.parent / "deep") == ["other.md"]
    assert f".foreign{TEMPORARY}" in names(note.parent)


def test_a_failed_write_leaves_nothing_behind(note, monkeypatch):
    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Refused, match="No space left"):
        prepare(note, b"new", expected=b"old\r\n")
    assert (names(note.parent), note.read_bytes()) == ([note.name], b"old\r\n")


def test_a_rename_that_fails_keeps_both_files(note, monkeypatch):
    prepared = prepare(note, b"new", expected=b"old\r\n")

    def held(source, target):
        raise PermissionError(13, "held by another program")

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", held)
        with pytest.raises(Refused, match="held by another program"):
            prepared.commit()
    assert (note.read_bytes(), prepared.temporary.read_bytes()) == (b"old\r\n", b"new")
    prepared.commit()
    assert note.read_bytes() == b"new"
