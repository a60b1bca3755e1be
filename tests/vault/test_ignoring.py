"""`.memtuiignore` and the settings' globs, in gitignore syntax."""

from memtui.vault.ignoring import IgnoreRules, read_rules


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
