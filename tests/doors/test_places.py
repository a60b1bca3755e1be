"""where: it answers for every vault, also for none and for a broken one."""

from __future__ import annotations

import os
from pathlib import Path

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
