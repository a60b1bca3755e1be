"""where: it answers for every vault, also for none and for a broken one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

PLACES = {
    "vault", "store", "log", "vault_settings", "user_settings", "personal_folder", "personal_store", "themes",
    "sample_vault",
}  # fmt: skip


def test_in_a_vault(memtui, vault, monkeypatch):
    places = memtui("where", "--json").json
    assert set(places) == PLACES
    assert places["vault"] == str(vault)
    assert Path(places["store"]).is_file()
    assert places["vault_settings"] == str(vault / "memtui.toml")
    assert places["personal_folder"] == os.environ["MEMTUI_PERSONAL_DIR"]
    assert places["personal_store"] is None
    assert any(Path(places["themes"]).glob("*.toml"))
    assert (Path(places["sample_vault"]) / "memory.md").is_file()
    monkeypatch.setenv("MEMTUI_PERSONAL_ID", "ada@example.org")
    memtui("--personal", "remember", "x")
    assert Path(memtui("where", "--json").json["personal_store"]).is_file()
    assert dict(memtui("where", "--plain").rows) == memtui("where", "--json").json
    human = memtui("where").out
    assert f"vault           {vault}\n" in human
    assert "not there yet" in human


def test_without_a_vault(door, vault):
    places = door("where", "--json").json
    assert [name for name in ("vault", "store", "log", "vault_settings") if places[name] is not None] == []
    assert list(vault.iterdir()) == []
    assert "vault           none\n" in door("where").out


def test_with_settings_that_cannot_be_read(memtui, write):
    write("memtui.toml", "this is = = no toml")
    assert memtui("list").status == 2
    assert memtui("where").status == 0


def test_a_vault_that_is_not_there(door, tmp_path):
    assert door("--vault", str(tmp_path / "nowhere"), "where", "--json").json["vault"] == str(tmp_path / "nowhere")


def _put(place, what, beside):
    if what == "pipe":
        os.mkfifo(place)
    elif what == "folder":
        place.mkdir()
    else:
        place.symlink_to(place if what == "loop" else beside / "nowhere" / "there")


ODD = ["pipe", "folder", "loop", "dangling"]


@pytest.mark.parametrize(
    "command",
    [
        ["status"],
        ["remember", "One text more"],
        *(pytest.param(command, marks=pytest.mark.slow) for command in (["search", "mill"], ["list"], ["sync"])),
    ],
)
@pytest.mark.parametrize("what", ODD)
def test_a_store_that_is_no_file_is_named_and_nobody_waits_for_it(memtui, vault, tmp_path, what, command):
    store = vault / ".memtui" / "memory.duckdb"
    assert memtui("remember", "The mill grinds at six").status == 0
    store.rename(tmp_path / "kept.duckdb")
    _put(store, what, tmp_path)
    told = memtui(*command)
    assert told.status == 3
    assert str(store) in told.err
    assert "went wrong" not in told.err
    assert "missing" not in told.err  # nothing was lost: it is elsewhere
    store.rmdir() if what == "folder" else store.unlink()
    (tmp_path / "kept.duckdb").rename(store)
    assert "mill" in memtui("search", "mill").out


@pytest.mark.parametrize("what", ODD)
def test_settings_that_are_no_file_are_refused_by_name(memtui, vault, tmp_path, what):
    assert memtui("remember", "The mill grinds at six").status == 0
    _put(vault / "memtui.toml", what, tmp_path)
    told = memtui("search", "mill")
    assert told.status == 2
    assert "memtui.toml" in told.err
    assert "cannot be read" in told.err


@pytest.mark.parametrize(
    ("layout", "named"),
    [('tasks = "../.."', "the layout's tasks is '../..'"), ('tasks = "knowledge"', "share one folder: knowledge/")],
)
def test_a_layout_that_makes_no_sense_is_told_with_its_file(memtui, write, vault, layout, named):
    write("memtui.toml", f"[layout]\n{layout}\n")
    told = memtui("sync")
    assert told.status == 2
    assert f"{vault / 'memtui.toml'}: " in told.err
    assert named in told.err


def test_a_strict_sync_names_fields_as_they_stand_in_the_file(memtui, write):
    write("engrams/x.md", "---\nvalid_from: yesterdayish\n---\n\nThe mill\n")
    told = memtui("sync", "--strict")
    assert told.status != 0
    assert "valid_from" in told.err
    assert "--valid-from" not in told.err
