"""Front matter: what is a block, what is text, and that nothing is ever lost or run."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.text.frontmatter import split_front_matter


def block(text):
    return split_front_matter(f"---\n{text}\n---\nbody\n")


def only_problem(front):
    (problem,) = front.problems
    return problem


def test_a_block_and_the_text_below_it():
    front = split_front_matter("---\n# a comment\ntitle: One\ntags: [a, b]\n---\n\nwords\n")
    assert front.fields == {"title": "One", "tags": ["a", "b"]}
    assert (front.body, front.body_line) == ("\nwords\n", 6)
    assert front.lines == {"title": 3, "tags": 4}
    assert front.problems == ()
    assert not front.broken


@pytest.mark.parametrize("text", ["", "words", " ---\na: 1\n---\n", "----\na: 1\n----\n", "\n---\na: 1\n---\n"])
def test_a_text_without_a_block_is_all_body(text):
    front = split_front_matter(text)
    assert (front.fields, front.body, front.body_line, front.problems) == ({}, text, 1, ())


@pytest.mark.parametrize(
    "text",
    [
        "---\n\nA rule, not front matter.\n",
        "---\n\nA rule\n\n---\n\nand another\n",
        "---\n\n[not yaml\n\n---\n",
        "---",
        "---\n",
    ],
)
def test_a_rule_is_text_and_no_problem(text):
    front = split_front_matter(text)
    assert (front.fields, front.body, front.problems) == ({}, text, ())


@pytest.mark.parametrize("text", ["---\n---\nx", "---\n# only a comment\n---\nx", "---\n\n---\nx", "---\n...\nx"])
def test_an_empty_block_has_no_fields(text):
    front = split_front_matter(text)
    assert (front.fields, front.body, front.problems, front.broken) == ({}, "x", (), False)


def test_a_second_block_is_text():
    front = split_front_matter("---\na: 1\n---\n\n---\ntitle: Real\n---\n\nbody\n")
    assert front.fields == {"a": 1}
    assert front.body == "\n---\ntitle: Real\n---\n\nbody\n"


@pytest.mark.parametrize(
    ("yaml", "line", "says"),
    [
        ("title: KB: Something", 2, "colon needs quotes"),
        ("ok: 1\nauthor: @handle", 3, "begins with @"),
        ("title: *star*", 2, "begins with *"),
        ("title: *star", 2, "names nothing before it"),
        ("related:\n- [[Other]]suffix", 3, "not valid YAML"),
        ("- just\n- a list", 2, "a list, not fields"),
        ("only words", 2, "a single value, not fields"),
        ("created: {{date}}\ntags: {{tags}}", 2, "template that was never filled in: {{date}}"),
        ("t: <% tp.file.title %>: x", 2, "template that was never filled in"),
        ("tags:\n\t- tab", 3, "not valid YAML"),
        ("? [a]\n: b", 2, "key must be text"),
        ("a: &a 1\n*a : 2", 3, "key must be text"),
        ("a: &a [*a]", 2, "names nothing before it"),
        ("a: " + "[" * 70 + "]" * 70, 2, "nested deeper than 64"),
        ("a: " + "[" * 5000, 2, "depth"),
        ("a: 1\n--- x", 3, "more than one document"),
        ("a: \x01", None, "control characters"),
        ("a: '" + "x" * 300_000 + "'", 1, "256 KiB"),
    ],
)
def test_a_broken_block_stays_searchable_and_says_where(yaml, line, says):
    text = f"---\n{yaml}\n---\nbody\n"
    front = split_front_matter(text)
    assert (front.fields, front.body, front.body_line, front.broken) == ({}, text, 1, True)
    problem = only_problem(front)
    assert says in problem.reason
    assert line is None or problem.line == line


def test_an_unclosed_block_is_text_with_a_problem():
    text = "---\ntitle: x\n\nwords\n"
    front = split_front_matter(text)
    assert (front.body, front.broken) == (text, True)
    assert "not closed" in only_problem(front).reason


def test_a_closing_line_with_text_on_it_still_closes():
    front = split_front_matter("---\ntitle: x\n---```sql\nselect 1\n```\n\n---\n\nmore\n")
    assert front.fields == {"title": "x"}
    assert front.body.startswith("```sql\nselect")
    assert front.body_line == 3
    assert only_problem(front).line == 3


def test_a_bomb_of_aliases_is_refused_at_once():
    rows = ["a: &a [x,x,x,x,x,x,x,x,x]"]
    rows += [f"{b}: &{b} [{','.join([f'*{a}'] * 9)}]" for a, b in zip("abcdefgh", "bcdefghi", strict=True)]
    front = block("\n".join(rows))
    assert front.broken
    assert "aliases" in only_problem(front).reason
    long = "a: &a " + "x" * 100_000 + "\nb: [" + ",".join(["*a"] * 50) + "]"
    assert block(long).broken


def test_a_few_aliases_are_read():
    assert block("a: &a [1, 2]\nb: *a").fields == {"a": [1, 2], "b": [1, 2]}


def test_values_stay_as_they_were_written():
    numbers = ["1.10", "007", "1e3", "0o17", "0x1F", "1_000", "+1", "-0", ".5", ".nan", ".inf", "12:30:45"]
    dates = ["2024-01-02", "2024-13-01", "20240102x", "2024-01-02T03:04:05+03:00"]
    written = [*numbers, *dates, "yes", "no", "on", "Off"]
    assert block("a: [" + ", ".join(written) + "]").fields["a"] == written
    assert block("a: [2024-01-02 03:04, 99999999999999999999]").fields["a"] == ["2024-01-02 03:04", "9" * 20]


def test_plain_numbers_booleans_and_nothing():
    assert block("a: [1, -3, 2.5, true, False, null, ~, '1', \"true\", !!str 5, !!int 6]").fields["a"] == [
        1, -3, 2.5, True, False, None, None, "1", "true", "5", 6,
    ]  # fmt: skip
    assert block("a:\nb: null").fields == {"a": None, "b": None}


def test_keys_are_always_text():
    assert block("1: x\ntrue: y\n2024-01-02: z\nnull: n").fields == {
        "1": "x",
        "true": "y",
        "2024-01-02": "z",
        "null": "n",
    }


def test_an_unknown_tag_runs_nothing_and_is_reported():
    front = block('x: !!python/object/apply:os.system ["true"]\ny: !secret word')
    assert front.fields == {"x": ["true"], "y": "word"}
    assert [(p.line, p.value) for p in front.problems] == [(2, "!!python/object/apply:os.system"), (3, "!secret")]


def test_a_repeated_key_is_reported_and_the_last_one_counts():
    front = block("a: 1\nb: 2\na: 3")
    assert front.fields == {"a": 3, "b": 2}
    assert (only_problem(front).line, only_problem(front).value) == (4, "a")


def test_half_a_character_and_nul_do_not_pass():
    assert block('a: "x\\0y"').fields == {"a": "x y"}
    assert split_front_matter("---\na: \ud800\n---\n").broken


def test_a_mark_before_the_block_does_no_harm():
    assert split_front_matter("\ufeff---\ntitle: x\n---\ny").fields == {"title": "x"}


YAML_ALPHABET = st.sampled_from([*"ab: -[]{}&*!|>'\"#%@,\n\t?~0.", "---\n", "a: ", "\n- ", "é", "\x00", "\u2028"])


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(), st.lists(YAML_ALPHABET, max_size=60).map("".join)))
def test_any_text_is_read_and_none_of_it_lost(rest):
    for text in (rest, "---\n" + rest, f"---\n{rest}\n---\nend"):
        front = split_front_matter(text)
        assert text.endswith(front.body)
        assert text.count("\n", 0, len(text) - len(front.body)) == front.body_line - 1
        json.dumps(front.fields, allow_nan=False)
        if front.broken:
            assert front.body == text
            assert front.problems
