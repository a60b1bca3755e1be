"""Settings: where they come from, and what happens where they cannot be read."""

from __future__ import annotations

import contextlib
import os

import pytest

from memtui.config import load_config, user_config_file
from memtui.errors import InvalidInput

pytestmark = pytest.mark.skipif(os.name != "posix", reason="permissions as POSIX has them")


@contextlib.contextmanager
def ordinary_user():
    """Permissions do not hold the superuser back: be someone else for a while."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch):
    monkeypatch.delenv("MEMTUI_EMBEDDER")


@pytest.fixture
def closed(tmp_path):
    """A folder that may not be looked into, with settings inside."""
    folder = tmp_path / "closed"
    (folder / "memtui").mkdir(parents=True)
    for file in (folder / "memtui.toml", folder / "memtui" / "memtui.toml"):
        file.write_text('theme = "secret"\n')
    folder.chmod(0)
    yield folder
    folder.chmod(0o700)


def test_a_users_folder_that_is_closed_is_as_good_as_none(closed, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(closed))
    with ordinary_user():
        assert load_config(None).values == {}


@pytest.mark.parametrize("home", ["x" * 5000, "/dev/null"])
def test_a_home_that_cannot_be_one_is_as_good_as_none(home, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", home)
    assert load_config(None).values == {}


def test_a_user_without_a_home_has_no_settings(monkeypatch):
    monkeypatch.delenv("HOME")
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setattr("os.getuid", lambda: 2_000_111)  # in no password file
    assert load_config(None).values == {}
    assert user_config_file().name == "memtui.toml"


def test_a_vaults_settings_that_cannot_be_read_are_an_error_that_names_them(closed):
    with ordinary_user(), pytest.raises(InvalidInput, match="Permission denied") as caught:
        load_config(closed)
    assert caught.value.file == str(closed / "memtui.toml")


def test_a_users_file_that_is_there_and_cannot_be_read_is_an_error(monkeypatch, tmp_path):
    (tmp_path / "memtui").mkdir()
    file = tmp_path / "memtui" / "memtui.toml"
    file.write_text("")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))

    def refuse(path, limit):
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr("memtui.config.read_regular", refuse)
    with pytest.raises(InvalidInput, match="Permission denied") as caught:
        load_config(None)
    assert caught.value.file == str(file)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"theme = {'9' * 5_000}", "not valid TOML"),
        (f"theme = 0x{'f' * 5_000}", "must be text, not a number of thousands of digits"),
        (f"{'k' * 5_000} = 1", "unknown setting 'kkk"),
        (f"theme = {list(range(5_000))}", "must be text, not"),
        ("#" * 2_000_000, "too large"),
    ],
)
def test_what_no_one_can_mean_is_refused_in_a_sentence(tmp_path, text, said):
    (tmp_path / "memtui.toml").write_text(text)
    with pytest.raises(InvalidInput, match=said) as caught:
        load_config(tmp_path)
    assert len(str(caught.value.as_dict())) < 1_000 + 2 * len(str(tmp_path))


def test_settings_named_by_the_environment_were_meant(closed, monkeypatch):
    monkeypatch.setenv("MEMTUI_CONFIG", str(closed / "memtui.toml"))
    with ordinary_user(), pytest.raises(InvalidInput, match="Permission denied"):
        load_config(None)


def test_settings_nested_beyond_reason_are_a_sentence(tmp_path):
    (tmp_path / "memtui.toml").write_text("a = " + "[" * 100_000)
    with pytest.raises(InvalidInput, match=r"memtui\.toml"):
        load_config(tmp_path)
