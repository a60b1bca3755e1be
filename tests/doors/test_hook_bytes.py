"""hook install and uninstall: what a person wrote keeps its bytes, in whatever manner they wrote it."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.doors.hook.command import HookCommand
from memtui.doors.hook.settings import with_hook, without_hook
from tests.doors.test_hook_settings import QUIET, SETTINGS

COMMAND = HookCommand(("memtui",), "/a vault")


@pytest.fixture
def file(tmp_path):
    return tmp_path / "settings.json"


@pytest.fixture
def installed(file):
    """What becomes of some settings, text for text."""

    def install(before):
        file.write_bytes(before.encode())
        with_hook(file, COMMAND).apply()
        return file.read_bytes().decode()

    return install


@pytest.fixture
def uninstalled(file):
    """What is left of the settings without the hook."""

    def uninstall():
        without_hook(file).apply()
        return file.read_bytes().decode()

    return uninstall


def written(value, blanks):
    """JSON with blanks as a person may leave them, but none in brackets that hold nothing."""
    before = next(blanks)
    if isinstance(value, dict) and value:
        members = [f"{next(blanks)}{json.dumps(key)}{next(blanks)}:{written(it, blanks)}" for key, it in value.items()]
        said = "{" + ",".join(members) + "}"
    elif isinstance(value, list) and value:
        said = "[" + ",".join(written(it, blanks) for it in value) + "]"
    else:
        said = json.dumps(value, ensure_ascii=False)
    return before + said + next(blanks)


def is_more_of(before, after):
    """Whether a text is another with one stretch put into it."""
    start = next((place for place, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), len(before))
    return after.endswith(before[start:])


@QUIET
@given(SETTINGS, st.lists(st.sampled_from(["", " ", "\n", "\n    ", "\t", "\r\n  "]), min_size=1, max_size=12))
def test_something_is_put_in_and_taken_out_and_no_other_byte_changes(installed, uninstalled, given, blanks):
    before = written(given, itertools.cycle(blanks))
    after = installed(before)
    assert is_more_of(before, after)
    assert "memtui hook prompt --vault '/a vault'" in after
    assert uninstalled() == before


MIXED = """{
  "permissions": { "allow": ["Bash(ls:*)", "Read"],
                   "deny": [] },
  "cost": 1.50, "of": 1E3, "path": "\\u00e7ay\\/çay",
  "hooks": {"UserPromptSubmit": [
      { "hooks": [ {"type": "command", "command": "echo"} ] }
  ], "Stop": [] }
}"""
ADDED = """,
      {
        "hooks": [
          {
            "type": "command",
            "command": "memtui hook prompt --vault '/a vault'"
          }
        ]
      }"""


def test_a_file_of_mixed_manners_gains_rows_that_stand_like_their_neighbours(file, installed, uninstalled):
    end = MIXED.index("\n  ], ")
    after = installed(MIXED)
    assert after == MIXED[:end] + ADDED + MIXED[end:]
    file.write_text(after.replace("'/a vault'", "/gone"), encoding="utf-8")
    change = with_hook(file, COMMAND)
    assert (change.outcome, change.after.decode()) == ("updated", after)
    change.apply()
    assert uninstalled() == MIXED


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"a":1}', '{"a":1,"hooks":{"UserPromptSubmit":[{"hooks":[HOOK]}]}}'),
        ('{ "a": 1 }\n', '{ "a": 1, "hooks": {"UserPromptSubmit": [{"hooks": [HOOK]}]} }\n'),
        ('{"hooks": {}, "b": []}', '{"hooks": {"UserPromptSubmit": [{"hooks": [HOOK]}]}, "b": []}'),
        ('{"hooks": {"Stop": []}}', '{"hooks": {"Stop": [], "UserPromptSubmit": [{"hooks": [HOOK]}]}}'),
    ],
)
def test_a_file_of_one_line_stays_one(installed, uninstalled, before, after):
    held = installed(before)
    (group,) = json.loads(held)["hooks"]["UserPromptSubmit"]
    hook = json.dumps(group["hooks"][0], separators=(",", ":") if ":1" in before else None)
    assert held == after.replace("HOOK", hook)
    assert uninstalled() == before


@pytest.mark.parametrize("blank", ["{ }", "{\n}\n"])
def test_blanks_in_brackets_that_held_nothing_are_all_that_is_lost(installed, uninstalled, blank):
    assert json.loads(installed(blank))["hooks"]
    assert uninstalled() == blank.replace(" ", "").replace("{\n", "{")


def test_of_several_only_the_first_stays_and_the_others_go_from_wherever_they_stand(file, uninstalled):
    ours = '{"type": "command", "command": "memtui hook prompt"}'
    rest = '{"hooks": {"UserPromptSubmit": [{"hooks": [%s{"command": "x"}%s]}%s]}, "n": 1.0}'
    file.write_text(rest % (ours + ",  ", ", " + ours, ', {"hooks": [' + ours + "]}"))
    with_hook(file, COMMAND).apply()
    corrected = ours.replace("prompt", "prompt --vault '/a vault'")
    assert file.read_text() == rest % (corrected + ",  ", "", "")
    assert uninstalled() == rest % ("", "", "")
