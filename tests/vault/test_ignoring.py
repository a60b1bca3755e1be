"""`.memtuiignore` and the settings' globs, in gitignore syntax."""

import os

import pytest

from memtui.vault.ignoring import LARGEST_RULES, IgnoreRules, read_rules


def rules(*lines):
    return IgnoreRules(("x", number, line) for number, line in enumerate(lines, 1))


def test_no_rules_cover_nothing(tmp_path):
    found = read_rules(str(tmp_path))
    assert not found
    assert not found.covers("a.md")
    assert found.problems == ()


def test_gitignore_syntax():
    found = rules("# comment", "", "private/", "*.bak.md", "!keep.bak.md", "/top.md", "a/**/z.md")
    assert found.covers("private", folder=True)
    assert found.covers("deep/private", folder=True)
    assert not found.covers("private")
    assert found.covers("x/y.bak.md")
    assert not found.covers("keep.bak.md")
    assert found.covers("top.md")
    assert not found.covers("sub/top.md")
    assert found.covers("a/b/c/z.md")


def test_the_file_has_the_last_word(tmp_path):
    (tmp_path / ".memtuiignore").write_bytes(b"\xef\xbb\xbf!draft-keep.md\r\nother.md\r\n")
    found = read_rules(str(tmp_path), ("draft-*.md",))
    assert found.covers("draft-1.md")
    assert not found.covers("draft-keep.md")
    assert found.covers("other.md")


def test_a_rule_that_cannot_be_read_is_reported_and_the_others_hold(tmp_path):
    (tmp_path / ".memtuiignore").write_text("a.md\n!\n", encoding="utf-8")
    found = read_rules(str(tmp_path))
    assert found.covers("a.md")
    (problem,) = found.problems
    assert (problem.path, problem.line, problem.value) == (".memtuiignore", 2, "!")


def test_a_file_of_rules_that_cannot_be_opened_is_reported(tmp_path):
    (tmp_path / ".memtuiignore").mkdir()
    (problem,) = read_rules(str(tmp_path)).problems
    assert "cannot be read" in problem.reason


@pytest.mark.timeout(10)
@pytest.mark.parametrize("made", ["pipe", "device", "link out of the vault", "link to a folder", "broken", "too large"])
def test_only_a_small_regular_file_of_the_vault_holds_rules(tmp_path, made):
    vault = tmp_path / "vault"
    (vault / "folder").mkdir(parents=True)
    rules_file = vault / ".memtuiignore"
    if made == "pipe":
        os.mkfifo(rules_file)
    elif made == "device":
        rules_file.symlink_to("/dev/zero")
    elif made == "link out of the vault":
        (tmp_path / "secret").write_text("secret words\n!\n", encoding="utf-8")
        rules_file.symlink_to(tmp_path / "secret")
    elif made == "link to a folder":
        rules_file.symlink_to("folder")
    elif made == "broken":
        rules_file.symlink_to("nothing-here")
    else:
        rules_file.write_bytes(b"a.md\n" + b"#" * LARGEST_RULES)
    found = read_rules(str(vault))
    assert not found
    (problem,) = found.problems
    assert (problem.path, problem.value) == (".memtuiignore", None)
    assert "its rules do not hold" in problem.reason


def test_a_link_to_rules_inside_the_vault_is_followed(tmp_path):
    (tmp_path / "rules.txt").write_text("a.md\n", encoding="utf-8")
    (tmp_path / ".memtuiignore").symlink_to("rules.txt")
    assert read_rules(str(tmp_path)).covers("a.md")
