"""hook install and uninstall: an agent's settings with our hook, and without it as they were."""

from __future__ import annotations

import json
import os
import shlex
import stat
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

QUIET = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=80)
THEIRS = {
    "$schema": "https://example.org/settings.json",
    "permissions": {"allow": ["Bash(ls:*)"], "deny": []},
    "hooks": {
        "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "check.sh", "timeout": 5}]}],
        "UserPromptSubmit": [{"hooks": [{"type": "command", "command": "echo 'çay' | cat"}], "own": 1.5}],
        "Stop": [],
    },
    "unknown": [1, 2.5, None, True, {"zeytin": "yağı"}],
}


@pytest.fixture
def file(vault):
    return vault / ".claude" / "settings.json"


@pytest.fixture
def put(file):
    """Give the agent settings: a value, or text as it stands."""

    def put(given):
        file.parent.mkdir(exist_ok=True)
        text = given if isinstance(given, (str, bytes)) else json.dumps(given, indent=2, ensure_ascii=False) + "\n"
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return text

    return put


def ours(file):
    """The commands of the event's hooks, in order."""
    groups = json.loads(file.read_text(encoding="utf-8-sig"))["hooks"]["UserPromptSubmit"]
    return [entry["command"] for group in groups for entry in group["hooks"]]


def test_where_there_are_no_settings_they_are_made_and_go_again(door, file):
    first = door("hook", "install")
    assert first.status == 0
    assert first.out.startswith(f"installed  {file}\n")
    assert "`memtui hook uninstall`" in first.out
    (command,) = ours(file)
    assert json.loads(file.read_text()) == {
        "hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": command}]}]}
    }
    assert shlex.split(command)[-2:] == ["hook", "prompt"]
    assert f"`{command}`" in first.out
    before = file.read_bytes()
    again = door("hook", "install")
    assert again.out.startswith(f"unchanged  {file}\n")
    assert file.read_bytes() == before
    gone = door("hook", "uninstall")
    assert gone.out.splitlines()[0] == f"uninstalled  {file}"
    assert not file.exists()
    assert door("hook", "uninstall").out == f"nothing to remove  {file}\n"


@pytest.mark.parametrize("found", [None, "empty", "other files", "a link"])
def test_the_agents_folder_goes_only_if_install_made_it_and_nothing_else_lies_there(door, file, vault, found):
    folder = file.parent
    if found == "a link":
        (vault / "elsewhere").mkdir()
        folder.symlink_to(vault / "elsewhere")
    elif found is not None:
        folder.mkdir()
    if found == "other files":
        (folder / "notes.md").write_text("mine")
    door("hook", "install")
    door("hook", "install")
    folder_too = ", and its folder with it" in door("hook", "uninstall", "--dry-run").out
    assert door("hook", "uninstall").out.startswith(f"uninstalled  {file}\n")
    assert not file.exists()
    assert folder.exists() == (found is not None)
    assert folder_too == (found is None)


def test_what_is_put_into_a_folder_that_install_made_stays(door, file):
    door("hook", "install")
    (file.parent / "notes.md").write_text("mine")
    door("hook", "uninstall")
    assert [path.name for path in file.parent.iterdir()] == ["notes.md"]


def test_folders_of_other_names_stay(door, vault):
    named = vault / "deep" / "there" / "settings.json"
    door("hook", "install", "--settings", str(named))
    assert door("hook", "uninstall", "--settings", str(named)).status == 0
    assert list(named.parent.iterdir()) == []


def test_everything_else_stays_in_its_order(door, file, put):
    before = put(THEIRS)
    assert door("hook", "install").status == 0
    held = json.loads(file.read_text(encoding="utf-8"))
    assert ours(file)[0] == "echo 'çay' | cat"
    added = held["hooks"]["UserPromptSubmit"].pop()
    assert added == {"hooks": [{"type": "command", "command": ours(file)[1]}]}
    assert json.dumps(held) == json.dumps(THEIRS)
    assert door("hook", "uninstall").status == 0
    assert file.read_text(encoding="utf-8") == before


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8")),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner, max_size=3)
    ),
    max_leaves=8,
)
GROUPS = st.lists(
    st.fixed_dictionaries(
        {"hooks": st.lists(st.dictionaries(st.sampled_from(["type", "command", "timeout"]), JSON), max_size=2)},
        optional={"matcher": st.text(st.characters(codec="utf-8"))},
    ),
    max_size=3,
)
HOOKS = st.dictionaries(st.sampled_from(["PreToolUse", "Stop"]), JSON).flatmap(
    lambda others: st.fixed_dictionaries({}, optional={"UserPromptSubmit": GROUPS}).map(lambda ours: {**others, **ours})
)
SETTINGS = st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=5), JSON, max_size=3).flatmap(
    lambda root: st.fixed_dictionaries({}, optional={"hooks": HOOKS}).map(
        lambda hooks: {**{key: value for key, value in root.items() if key != "hooks"}, **hooks}
    )
)


@QUIET
@given(SETTINGS, st.sampled_from([None, 1, 2, 4, "\t"]), st.booleans(), st.booleans())
@example({}, 2, True, False)
@example({"hooks": {}}, 2, True, False)
@example({"hooks": {"UserPromptSubmit": []}}, 2, True, False)
@example({"hooks": {"UserPromptSubmit": [{"hooks": []}]}}, 2, True, False)
@example({"model": "x", "hooks": {"UserPromptSubmit": [], "Stop": []}}, 2, True, False)
def test_settings_mean_the_same_after_install_and_uninstall(door, file, put, given, indent, escaped, twice):
    put(json.dumps(given, indent=indent, ensure_ascii=escaped))
    assert door("hook", "install").status == 0
    if twice:
        before = file.read_bytes()
        assert door("hook", "install", "--json").json["outcome"] == "unchanged"
        assert file.read_bytes() == before
    assert sum("hook prompt" in str(command) for command in ours_of(file)) == 1
    assert door("hook", "uninstall", "--json").json["outcome"] == "uninstalled"
    # As text too: True is not 1, and the order of keys is theirs.
    assert json.dumps(json.loads(file.read_text(encoding="utf-8"))) == json.dumps(given)


def ours_of(file):
    groups = json.loads(file.read_text(encoding="utf-8"))["hooks"]["UserPromptSubmit"]
    return [entry.get("command") for group in groups for entry in group["hooks"]]


@pytest.mark.parametrize(
    "text",
    [
        '{\n\t"model": "x"\n}',
        '{\r\n    "model": "x"\r\n}\r\n',
        '\ufeff{\n  "model": "x"\n}\n',
        '{\n  "model": "\\u00e7ay"\n}\n',
        '{\n  "model": "çay"\n}\n',
    ],
    ids=["tabs", "CRLF", "mark", "escapes", "letters"],
)
def test_the_manner_of_the_file_stays(door, file, put, text):
    put(text)
    door("hook", "install")
    held = file.read_bytes()
    assert held.count(b"\r\n") == (held.count(b"\n") if "\r\n" in text else 0)
    assert held.startswith(text.encode()[:10])
    door("hook", "uninstall")
    assert file.read_bytes() == text.encode()


def test_a_dry_run_shows_the_rows_and_writes_nothing(door, file, put):
    dry = door("hook", "install", "--dry-run")
    assert dry.out.startswith(f"would be installed  {file}\n")
    assert '+    "UserPromptSubmit": [' in dry.out
    assert not file.parent.exists()
    before = put(THEIRS)
    dry = door("hook", "install", "--dry-run", "--read-only")
    assert not any(row.startswith("  -") for row in dry.out.splitlines()), "rows are only added"
    assert file.read_text() == before
    door("hook", "install")
    installed = file.read_bytes()
    dry = door("hook", "uninstall", "--dry-run")
    assert dry.out.startswith(f"would be uninstalled  {file}\n")
    assert "hook prompt" in dry.out
    assert file.read_bytes() == installed
    file.unlink()
    door("hook", "install")
    assert "the file would be removed" in door("hook", "uninstall", "--dry-run").out
    assert file.exists()


def test_json_is_one_document(door, file):
    told = door("hook", "install", "--json").json
    assert told == {
        "outcome": "installed",
        "dry_run": False,
        "settings": str(file),
        "commands": ours(file),
        "by_hand": [],
        "undo": "memtui hook uninstall",
    }
    assert door("hook", "install", "--json", "--dry-run").json["outcome"] == "unchanged"
    told = door("hook", "uninstall", "--json").json
    assert (told["outcome"], told["commands"], told["undo"]) == ("uninstalled", told["commands"], None)
    assert door("hook", "uninstall", "--json").json["outcome"] == "nothing_to_remove"


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("", "line 1, column 1", "nothing"),
        ("{'a': 1}", "line 1, column 2", "'a': 1}"),
        ('{\n  "a": 1,\n}', "line 3, column 1", "}"),
        ('{"a": 1} // mine', "line 1, column 10", "// mine"),
        (b'{"a": "\xff"}', None, None),
        ("[1, 2]", "the whole file", "[1, 2]"),
        ("null", "the whole file", "null"),
        ('{"a": 1, "a": 2}', "a", "2"),
        ('{"a": NaN}', None, "NaN"),
        ('{"a": 1e999}', None, "1e999"),
        ('{"hooks": []}', "hooks", "[]"),
        ('{"hooks": null}', "hooks", "null"),
        ('{"hooks": {"UserPromptSubmit": {}}}', "hooks.UserPromptSubmit", "{}"),
        ('{"hooks": {"UserPromptSubmit": ["x"]}}', "hooks.UserPromptSubmit[0]", '"x"'),
        ('{"hooks": {"UserPromptSubmit": [{}]}}', "hooks.UserPromptSubmit[0].hooks", "missing"),
        ('{"hooks": {"UserPromptSubmit": [{"hooks": [7]}]}}', "hooks.UserPromptSubmit[0].hooks[0]", "7"),
        ("[" * 100_000, None, None),
    ],
)
@pytest.mark.parametrize("verb", ["install", "uninstall"])
def test_what_settings_are_not_is_refused_and_left(door, file, put, verb, text, field, value):
    put(text)
    before = file.read_bytes()
    error = door("hook", verb, "--json").error
    assert error["code"] == "refused"
    assert error["file"] == str(file)
    assert error["hint"]
    assert str(file) in error["message"]
    assert field is None or error["field"] == field
    assert value is None or error["value"] == value
    assert value is None or value in error["message"]
    assert file.read_bytes() == before
    assert os.listdir(file.parent) == [file.name]


def test_no_file_and_no_regular_file(door, file, vault):
    file.mkdir(parents=True)
    assert str(file) in door("hook", "install").err
    file.rmdir()
    file.symlink_to(vault / "nowhere.json")
    refused = door("hook", "install")
    assert refused.status == 1
    assert str(file) in refused.err
    file.unlink()
    file.symlink_to(file)
    assert door("hook", "uninstall").status == 1


def test_a_link_stays_and_its_file_is_changed(door, file, vault):
    real = vault / "dotfiles.json"
    real.write_text("{}\n")
    real.chmod(0o640)
    file.parent.mkdir()
    file.symlink_to(real)
    door("hook", "install")
    assert file.is_symlink()
    assert len(ours(real)) == 1
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    door("hook", "uninstall")
    assert file.is_symlink()
    assert real.read_text() == "{}\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_that_may_not_be_written_is_left(door, file, put):
    before = put(THEIRS)
    file.chmod(0o400)
    assert door("hook", "install").status == 1
    assert file.read_text() == before


@pytest.mark.parametrize("verb", ["install", "uninstall"])
def test_read_only_and_personal_are_refused(door, file, put, verb):
    before = put(THEIRS)
    refused = door("hook", verb, "--read-only", "--json")
    assert refused.error["code"] == "refused"
    assert "is read-only here" in refused.error["message"]
    assert door("--personal", "hook", verb, "--json").error["field"] == "--personal"
    assert door("hook", verb, "--user", "--settings", "x", "--json").error["field"] == "--user"
    assert door("hook", verb, "--settings", "", "--json").error["field"] == "--settings"
    assert file.read_text() == before


def test_other_places(door, vault, tmp_path, file):
    named = tmp_path / "a b" / "settings.json"
    told = door("hook", "install", "--settings", str(named), "--json").json
    assert told["undo"] == f"memtui hook uninstall --settings '{named}'"
    assert len(ours(named)) == 1
    assert door("hook", "uninstall", "--settings", "../a b/settings.json").status == 0
    assert not named.exists()
    told = door("hook", "install", "--user", "--json").json
    assert told["settings"] == os.path.expanduser("~/.claude/settings.json")
    assert told["undo"] == "memtui hook uninstall --user"
    assert door("hook", "uninstall", "--user").out.startswith("uninstalled")
    assert not file.exists()


def test_a_vault_is_written_with_its_whole_path(memtui, file, vault):
    memtui("hook", "install", "--vault", ".")
    (command,) = ours(file)
    assert shlex.split(command)[-2:] == ["--vault", str(vault)]
    told = memtui("hook", "install", "--json").json
    assert told["outcome"] == "updated"
    assert "--vault" not in ours(file)[0]
    refused = memtui("hook", "install", "--vault", "/no/such/vault", "--json")
    assert refused.error["code"] == "vault_not_found"
    (vault / "plain").mkdir()
    assert "memtui init" in memtui("hook", "install", "--vault", "plain").err
    assert "--vault" not in ours(file)[0]


def test_what_was_found_empty_is_remembered_when_the_command_changes(memtui, file, put):
    put('{"hooks": {}}')
    memtui("hook", "install", "--vault", ".")
    memtui("hook", "install")
    assert ours(file)[0].endswith(" hook prompt --found-empty hooks")
    memtui("hook", "uninstall")
    assert json.loads(file.read_text()) == {"hooks": {}}


def test_only_what_memtui_wrote_is_taken_out(door, file, put):
    entry = {"type": "command", "command": "/opt/memtui/bin/memtui hook prompt --vault '/a b'", "timeout": 3}
    by_hand = [
        "memtui hook prompt 2>/dev/null || true",
        "cd / && memtui --vault /v hook prompt",
        "memtui hook prompt --vault /v; rm -f lock",
        "memtui hook prompt --vault '/v",
    ]
    others = ["memtuition hook prompt", "memtui hook promptly", "echo hook prompt", "memtui recall hook"]
    hooks = [{"type": "command", "command": command} for command in [*by_hand, *others]]
    put({"hooks": {"UserPromptSubmit": [{"matcher": "", "hooks": [hooks[0], entry, *hooks[1:]]}]}})
    told = door("hook", "uninstall", "--json").json
    assert told["commands"] == [entry["command"]]
    assert told["by_hand"] == by_hand
    assert ours(file) == [*by_hand, *others]
    again = door("hook", "install")
    assert again.out.startswith("unchanged")
    assert by_hand[0] in again.out
    assert ours(file) == [*by_hand, *others]


def test_one_that_is_there_is_corrected_in_its_place(door, file, put):
    old = {"type": "command", "command": "/gone/python -m memtui hook prompt", "timeout": 3}
    put({"hooks": {"UserPromptSubmit": [{"hooks": [old, {"command": "x"}]}, {"hooks": [dict(old)]}]}})
    assert door("hook", "install").out.startswith("updated")
    (group,) = json.loads(file.read_text())["hooks"]["UserPromptSubmit"]
    assert (group["hooks"][0]["timeout"], group["hooks"][1]) == (3, {"command": "x"})
    assert "/gone" not in group["hooks"][0]["command"]


def test_the_command_it_writes_runs(memtui, file, shell, vault):
    memtui("hook", "install", "--vault", ".")
    event = json.dumps({"prompt": "aslan uyuyor mu, Löwe?", "cwd": "/"})
    (vault / "event.json").write_text(event)
    status, out, err = shell(f"{ours(file)[0]} < event.json", PYTHONPATH=str(Path(__file__).parents[2]))
    assert (status, err) == (0, b"")
    assert b"engram/lion" in out


def test_the_program_is_named_as_it_can_be_called(shell, vault, tmp_path, monkeypatch):
    from memtui.doors.hook.command import program_here

    program = tmp_path / "bin" / "memtui"
    monkeypatch.setattr("sys.argv", [str(program)])
    assert program_here() == (str(program),)
    monkeypatch.setenv("PATH", str(program.parent))
    assert program_here() == ("memtui",)
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr("sys.argv", ["-c"])
    assert program_here() == (sys.executable, "-m", "memtui")
