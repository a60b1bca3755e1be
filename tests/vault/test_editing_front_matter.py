"""Front matter is edited field by field; every other byte stays."""

from datetime import datetime, timezone

import pytest
import yaml
from hypothesis import event, given
from hypothesis import strategies as st

from memtui.errors import Refused
from memtui.text.frontmatter import split_front_matter
from memtui.vault.front_matter_edit import edited_front_matter
from memtui.vault.source_text import SourceText
from memtui.vault.yaml_writing import as_read

RICH = """---
# who reads this
title: First  # the title
"second key": 'two'

description: |  # in short
  one line

  another

tags: # topics
- a
# why b
- "b"
flow: [x, {deep: y},
  z] # several lines
empty:
mapping:
    - {a: 1}
    - p: 1
      q: 2
folded: >-
  long
  text
plain: goes
  on
# the last comment
---

Body with --- and : signs.
"""
TRICKY = [
    *("a: b", "a #b", "a# b", "it's", 'say "so"', "[x]", "{x}", "- x", "-", "? x", "! x", "!x", "&x", "*x", "| x", ">"),
    *("% x", "@x", "`x`", "a, b", "\nleading", "trailing\n", "two\nlines", "two\n\n  lines\n", "a\n\n\nb\n\n"),
    *(
        "  blank",
        "blank  ",
        "\ttab",
        "a\tb",
        "",
        " ",
        "yes",
        "No",
        "null",
        "~",
        "true",
        "12",
        "-3",
        "1.5",
        "1e3",
        "0x1f",
    ),
    *("007", "1_000", "12:30", "2026-01-01", "2026-01-01T10:00:00Z", "---", "...", "--- x", "# x", "x:", ":", ": x"),
    *(
        "<<",
        "=",
        "\\",
        "\\n",
        "a\\b",
        "ı İ ş ğ",
        "Şöyle: dedi",
        "naïve",
        "日本語: テスト",
        "😀 # x",
        "'",
        '"',
        "''",
        "|-",
    ),
    *("\u200bzero", "\u00a0nbsp", "\u0085nel", "\u2028ls", "\ufeffbom", "\x1b[0m", "\x7f", "a\r\nb", "a\rb"),
    *("0?", "why? so", "x" * 300, "word " * 60 + "end", "key: |\n  x", "{{ template }}"),
]
TEXTS = st.one_of(
    st.sampled_from(TRICKY),
    st.text(alphabet=st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=40),
    st.text(alphabet=" \n:#'\"[]{}-?!&*|>%@`,\\aZ0ıİ\t", max_size=12),
)
SCALARS = st.one_of(
    TEXTS, st.booleans(), st.integers(-(10**20), 10**20), st.floats(allow_nan=False, allow_infinity=False)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(SCALARS, max_size=4).map(tuple),
        st.dictionaries(st.text(alphabet="abc: #-", min_size=1, max_size=5), inner, max_size=3),
    ),
    max_leaves=8,
)
KEYS = ["title", "second key", "description", "tags", "flow", "empty", "mapping", "folded", "plain", "new"]


def with_line_ends(text, line_end):
    return text.replace("\n", line_end)


def fields(text):
    front = split_front_matter(SourceText(text).text)
    assert not front.broken
    return front.fields


def only_lines(text, changes):
    """The lines that went and the lines that came."""
    before, after = text.splitlines(keepends=True), edited_front_matter(text, changes).splitlines(keepends=True)
    return [line for line in before if line not in after], [line for line in after if line not in before]


@given(TEXTS)
def test_any_text_is_read_back_exactly(text):
    for block in (
        "---\nother: 1\n---\nbody\n",
        "---\nkey: old\n---\n",
        "---\nkey: 'old'\n---\n",
        '---\nkey: "old"\n---\n',
        "",
    ):
        result = edited_front_matter(block, {"key": text})
        assert fields(result)["key"] == text
    result = edited_front_matter("---\nkey: [a, 'b']\nblock:\n- a\n---\n", {"key": ("a", text), "block": [text, "a"]})
    assert (fields(result)["key"], fields(result)["block"]) == (["a", text], [text, "a"])


@given(TEXTS)
def test_other_yaml_readers_take_it_for_the_same_text(text):
    block = edited_front_matter("", {"key": text, "list": (text,), "map": [{"in": text}]}).split("---\n", 1)[1]
    loaded = yaml.safe_load(block.rsplit("---\n", 1)[0])
    assert loaded == {"key": text, "list": [text], "map": [{"in": text}]}


@given(st.sampled_from(KEYS), VALUES, st.sampled_from(["\n", "\r\n", "\r"]), st.sampled_from(["", "\ufeff"]))
def test_a_set_field_says_what_it_should_and_all_else_what_it_said(key, value, line_end, mark):
    text = mark + with_line_ends(RICH, line_end)
    before = fields(text)
    if key == "tags" and not (isinstance(value, (list, tuple)) and value) and as_read(value) != before["tags"]:
        with pytest.raises(Refused, match="a comment inside its value"):
            edited_front_matter(text, {key: value})
        return
    result = edited_front_matter(text, {key: value})
    assert fields(result) == {**before, key: as_read(value)}
    assert result.startswith(mark)
    if line_end != "\n":
        assert "\n" not in result.replace(line_end, "")
    # Whatever stands before the field's lines and after them is there as it was.
    lines = RICH.split("\n")
    starts = {name: n for n, line in enumerate(lines) if (name := line.split(":")[0].strip('"')) in KEYS}
    first = starts.get(key, lines.index("---", 1))
    after = min((n for n in starts.values() if n > first), default=lines.index("---", 1))
    assert result.startswith(mark + with_line_ends("".join(line + "\n" for line in lines[:first]), line_end))
    assert result.endswith(with_line_ends("\n".join(lines[after:]), line_end))


@given(st.sampled_from(KEYS[:-1]), VALUES)
def test_a_new_field_that_is_taken_out_again_leaves_the_same_bytes(key, value):
    added = edited_front_matter(RICH, {"new": value, "more": value})
    assert edited_front_matter(added, {"more": None, "new": None}) == RICH
    gone = edited_front_matter(RICH, {key: None})
    assert key not in fields(gone)
    assert set(gone.splitlines()) <= set(RICH.splitlines())


@given(TEXTS, TEXTS)
def test_setting_a_text_back_gives_the_same_bytes(old, new):
    text = edited_front_matter("---\nfirst: 1\nkey:\n# c\nlast: 2\n---\nbody\n", {"key": old})
    changed = edited_front_matter(text, {"key": new})
    if "\n" not in old + new and '"' not in text + changed:
        assert edited_front_matter(changed, {"key": old}) == text
    assert fields(edited_front_matter(changed, {"key": old}))["key"] == old


@given(st.lists(TEXTS, min_size=1, max_size=6), st.lists(TEXTS, max_size=6))
def test_a_block_list_keeps_the_lines_of_what_stays(old, new):
    text = edited_front_matter("---\nz: 1\n---\n", {"list": old})
    result = edited_front_matter(text, {"list": new})
    assert fields(result) == {"z": 1, "list": new}
    assert fields(edited_front_matter(result, {"list": old}))["list"] == old


def test_only_the_lines_of_a_field_change():
    assert only_lines(RICH, {"title": "Second: now"}) == (
        ["title: First  # the title\n"],
        ['title: "Second: now"  # the title\n'],
    )
    assert only_lines(RICH, {"second key": "it's"}) == (["\"second key\": 'two'\n"], ["\"second key\": 'it''s'\n"])
    assert only_lines(RICH, {"tags": ("a", "b", "c")}) == ([], ['- "c"\n'])
    assert only_lines(RICH, {"tags": ("a",)}) == (['- "b"\n'], [])
    assert only_lines(RICH, {"empty": "now not"}) == (["empty:\n"], ["empty: now not\n"])
    assert only_lines(RICH, {"mapping": [{"a": 1}, {"n": 2}, {"p": 1, "q": 2}]}) == ([], ['    - "n": 2\n'])
    assert only_lines(RICH, {"description": "short"}) == (
        ["description: |  # in short\n", "  one line\n", "  another\n"],
        ["description: short  # in short\n"],
    )
    assert only_lines(RICH, {"plain": None, "new": "x"}) == (["plain: goes\n", "  on\n"], ["new: x\n"])


def test_a_new_field_goes_to_the_end_and_a_removed_one_leaves_its_neighbours():
    assert (
        edited_front_matter("---\na: 1\n# end\n---\nbody", {"b": 2, "c": None}) == "---\na: 1\n# end\nb: 2\n---\nbody"
    )
    assert edited_front_matter("---\na: 1\nb: 2\n---\nbody", {"a": None}) == "---\nb: 2\n---\nbody"
    assert edited_front_matter("---\n  a: 1\n---\n", {"b": [{"c": 2}]}) == "---\n  a: 1\n  b:\n    - c: 2\n---\n"
    assert (
        edited_front_matter("---\ntags:\n- a\n---\n", {"new": 1, "tags": ["a", "b"]})
        == "---\ntags:\n- a\n- b\nnew: 1\n---\n"
    )


def test_a_text_without_a_block_gets_one_only_if_there_is_something_to_set():
    assert edited_front_matter("Body\n", {"title": None}) == "Body\n"
    assert edited_front_matter("", {"title": "A"}) == "---\ntitle: A\n---\n"
    assert edited_front_matter("\ufeffBody\r\n", {"title": "A"}) == "\ufeff---\r\ntitle: A\r\n---\r\nBody\r\n"
    assert edited_front_matter("---\n\nA rule.\n", {"title": "A"}) == "---\ntitle: A\n---\n---\n\nA rule.\n"
    assert edited_front_matter("---\n---\nBody", {"title": "A"}) == "---\ntitle: A\n---\nBody"


def test_blocks_that_end_in_other_ways():
    assert edited_front_matter("---\na: 1\n...\nbody", {"a": 2}) == "---\na: 2\n...\nbody"
    assert edited_front_matter("---\na: 1\n---", {"b": 2}) == "---\na: 1\nb: 2\n---"
    assert edited_front_matter("---\na: 1\n---glued body\n", {"a": None, "b": 2}) == "---\nb: 2\n---glued body\n"
    inside = "---\na: '--- x'\nb: |\n  ---\n  c: 1\n---\nbody\n"
    assert edited_front_matter(inside, {"a": "y"}) == inside.replace("--- x", "y")
    assert fields(edited_front_matter(inside, {"c": "---"})) == {"a": "--- x", "b": "---\nc: 1\n", "c": "---"}


def test_of_a_repeated_field_the_last_counts_and_all_are_removed():
    text = "---\na: 1\nb: 2\na: 3\n---\n"
    assert edited_front_matter(text, {"a": 4}) == "---\na: 1\nb: 2\na: 4\n---\n"
    assert edited_front_matter(text, {"a": None}) == "---\nb: 2\n---\n"


def test_an_unchanged_value_changes_nothing_however_it_is_written():
    same = {
        "title": "First",
        "tags": ["a", "b"],
        "flow": ("x", {"deep": "y"}, "z"),
        "folded": "long text",
        "gone": None,
    }
    assert edited_front_matter(RICH, same) == RICH


def test_values_of_all_shapes():
    moment = datetime(2026, 8, 1, 12, tzinfo=timezone.utc)
    changes = {
        "valid_from": moment, "tags": ("a", "b: c"), "claims": ["S::p=o"],
        "revivals": [{"valid_to": moment, "by": "x"}],
        "context": {"area": "A/b", "co_topics": ("a",)}, "none": (), "pinned": True, "text": "one\n\ntwo",
    }  # fmt: skip
    assert edited_front_matter("", changes) == (
        '---\nvalid_from: 2026-08-01T12:00:00Z\ntags: [a, "b: c"]\nclaims:\n  - S::p=o\n'
        "revivals:\n  - valid_to: 2026-08-01T12:00:00Z\n    by: x\n"
        "context:\n  area: A/b\n  co_topics: [a]\nnone: []\npinned: true\ntext: |-\n  one\n\n  two\n---\n"
    )


@pytest.mark.parametrize(
    ("text", "changes", "said", "hint"),
    [
        ("---\na: [1\n---\n", {"b": 1}, "not valid YAML", "mend the front matter"),
        ("---\na: 1\n", {"b": 1}, "is not closed", "mend the front matter"),
        ("---\n{a: 1}\n---\n", {"a": 2}, "a block written between braces", "write each field on a line"),
        ("---\n? a\n: 1\n---\n", {"a": 2}, "does not begin its line", "write it as `a: value`"),
        ("---\na: &x [1]\nb: *x\n---\n", {"a": None}, "what `*x` in another field stands for", "in place of `*x`"),
        ("---\na:\n  k: 1 # why\n  l: 2\n---\n", {"a": 1}, "a comment inside its value", "move the comment above"),
        ("---\na:\n  # why\n  k: 1\n---\n", {"a": 1}, "a comment above its value", "move the comment above"),
        ("---\n~\n---\n", {"a": 1}, "would break the front matter", "by hand"),
        ("", {"a": "half \ud800"}, "no text file can keep", "another value"),
        ("", {"a": ["nul \0"]}, "no text file can keep", "another value"),
        ("", {"a": float("nan")}, "no finite number", "another value"),
        ("", {"a": "x" * 300_000}, "would break the front matter", "by hand"),
    ],
)
def test_what_cannot_be_done_without_harm_is_refused(text, changes, said, hint):
    with pytest.raises(Refused) as refused:
        edited_front_matter(text, changes, path="knowledge/x.md")
    assert said in refused.value.message
    assert "knowledge/x.md" in refused.value.message
    assert refused.value.file == "knowledge/x.md"
    assert hint in (refused.value.hint or "")
    assert refused.value.field in (*changes, None)


def test_an_alias_may_be_replaced_and_its_anchor_kept():
    text = "---\na: &x [1, 2]\nb: *x\n---\n"
    assert edited_front_matter(text, {"b": (3,)}) == "---\na: &x [1, 2]\nb: [3]\n---\n"
    assert edited_front_matter(text, {"c": 1}) == "---\na: &x [1, 2]\nb: *x\nc: 1\n---\n"


def test_mixed_line_ends_stay_mixed():
    text = "---\r\na: 1\nb: 2\r\nc: 3\r---\nbody\r\nx\ry\n"
    assert edited_front_matter(text, {"b": 5, "d": 6}) == "---\r\na: 1\nb: 5\r\nc: 3\rd: 6\r\n---\nbody\r\nx\ry\n"


LINES = st.sampled_from(
    [
        *(
            "a: 1",
            "a: x # c",
            "b:",
            "- x",
            "  - y",
            "  k: v",
            "c: |",
            "  deep",
            "",
            "# c",
            "d: [1,",
            "  2]",
            "e: {x: 1}",
        ),
        *("'f': *n", "g: &n q", "? h", ": i", "a:\tb", "j: 'multi", "  line'", "---", "...", "k: !t 1", "<<: *n"),
        *("{l: 1}", "- - z", "m: >-"),
    ]
)


@given(st.lists(LINES, max_size=9), st.sampled_from("abcdefghjkm"), st.none() | SCALARS | st.lists(SCALARS, max_size=3))
def test_any_block_is_edited_rightly_or_refused(lines, key, value):
    text = "---\n" + "".join(line + "\n" for line in lines) + "---\nbody\n"
    before = split_front_matter(text)
    try:
        result = edited_front_matter(text, {key: value})
    except Refused:
        event("refused")
        return
    assert not before.broken
    after = split_front_matter(result)
    expected = {k: v for k, v in before.fields.items() if k != key} | ({} if value is None else {key: as_read(value)})
    assert (after.fields, after.body) == (expected, before.body)
