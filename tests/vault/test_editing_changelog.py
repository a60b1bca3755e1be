"""An entry is added to a change log; every other character stays."""

import json
from datetime import timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.errors import Refused
from memtui.vault.changelog import read_changelog
from memtui.vault.changelog_edit import with_entry

ENTRY = {"date": "2026-09-01", "type": "note", "scope": "quick", "description": 'Şöyle "oldu"\n[x]: {y}, \\u0041'}
SAMPLE = Path(__file__).parents[2] / "sample_vault" / "CHANGELOG.json"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
DATED = st.fixed_dictionaries(
    {"date": st.sampled_from(["2026-01-01", "2026-02-01T10:00:00Z", "2026-03-01", "soon", None, 5])},
    optional={"description": st.text(max_size=20), "more": JSON},
)
MANNERS = [
    {"indent": 2}, {"indent": 4}, {"indent": "\t"}, {"indent": None}, {"separators": (",", ":")},
    {"indent": 2, "ensure_ascii": False}, {"indent": 1, "separators": (",", ":")},
]  # fmt: skip


def entries(text):
    document = json.loads(text.lstrip("\ufeff"))
    return document["entries"] if isinstance(document, dict) else document


def added(text, result):
    """What came into a text, which must be one stretch."""
    head = next((n for n, (a, b) in enumerate(zip(text, result, strict=False)) if a != b), min(len(text), len(result)))
    tail = len(text) - head
    assert result.startswith(text[:head])
    assert result.endswith(text[head:]) or tail == 0
    return result[head : len(result) - tail]


@given(
    st.lists(DATED, max_size=5), DATED, st.sampled_from(MANNERS), st.booleans(), st.sampled_from([True, False, None])
)
def test_the_result_holds_the_old_entries_and_the_new_one(old, entry, manner, wrapped, newest_first):
    document = {"title": "Log", "entries": old, "entries2": [1]} if wrapped else old
    text = json.dumps(document, **manner) + "\n"
    result = with_entry(text, entry, newest_first=newest_first)
    after = json.loads(result)
    assert entries(result) in ([entry, *old], [*old, entry])
    if newest_first is not None and old:
        assert entries(result) == ([entry, *old] if newest_first else [*old, entry])
    if wrapped:
        assert {**after, "entries": old} == document
    if old:
        assert len(added(text, result)) == len(result) - len(text)
        shown = "," in added(text, result) or len(old) > 1
        if shown and not isinstance(entry.get("more"), (list, dict)) and "\\u" not in json.dumps(after):
            # Written as its neighbours are: the whole file is what the same program would have written.
            assert result == json.dumps(after, **manner) + "\n"
    else:
        assert text.split("[")[0] in result


def test_an_entry_is_written_as_its_neighbours_are():
    old = '  {\n    "date": "2026-02-01",\n    "references": ["a", "b"]\n  },\n'
    text = "[\n" + old + '  {\n    "date": "2026-01-01"\n  }\n]\n'
    result = with_entry(text, {"date": "2026-03-01", "references": ["ş", "d"]})
    new = '  {\n    "date": "2026-03-01",\n    "references": ["ş", "d"]\n  },\n'
    assert result == "[\n" + new + text.removeprefix("[\n")
    assert with_entry(text, {"date": "x"}, newest_first=False) == text.replace(
        "  }\n]", '  },\n  {\n    "date": "x"\n  }\n]'
    )
    lines = '[\n{"a":1},\n{"a":2}\n]'
    assert with_entry(lines, {"a": 3, "b": ["c", "d"]}) == '[\n{"a":1},\n{"a":2},\n{"a":3,"b":["c","d"]}\n]'
    assert with_entry('[{"a": 1}, {"a": 2}]', {"a": 3}, newest_first=True) == '[{"a": 3}, {"a": 1}, {"a": 2}]'


def test_escapes_are_kept_where_the_file_has_them():
    assert with_entry('[{"a": "\\u015f"}]', {"a": "ğ"}) == '[{"a": "\\u015f"}, {"a": "\\u011f"}]'
    assert with_entry('[{"a": "ş"}]', {"a": "ğ"}) == '[{"a": "ş"}, {"a": "ğ"}]'


def test_line_ends_and_marks_are_kept():
    text = '\ufeff{\r\n\t"entries": [\r\n\t\t{\r\n\t\t\t"a": 1\r\n\t\t}\r\n\t]\r\n}\r\n'
    result = with_entry(text, {"a": 2, "b": "c"})
    assert result == text.replace("\t\t}\r\n", '\t\t},\r\n\t\t{\r\n\t\t\t"a": 2,\r\n\t\t\t"b": "c"\r\n\t\t}\r\n')


def test_an_empty_log_or_none_gets_its_first_entry():
    first = '[\n  {\n    "a": ["b", "c"]\n  }\n]\n'
    for text in (None, "", " \n", "[]\n", "[ ]\n"):
        assert with_entry(text, {"a": ["b", "c"]}) == first
    assert with_entry("\ufeff", {"a": ["b", "c"]}) == "\ufeff" + first
    assert with_entry('{\n  "entries": []\n}', {"a": 1}) == '{\n  "entries": [\n    {\n      "a": 1\n    }\n  ]\n}'
    assert json.loads(with_entry('{"entries": [], "x": 1}', {"a": 1})) == {"entries": [{"a": 1}], "x": 1}


@pytest.mark.parametrize(
    ("dates", "first"),
    [
        (["2026-03-01", "2026-02-01", "2026-01-01"], True),
        (["2026-01-01", "2026-02-01"], False),
        (["2026-02-01T10:00:00Z", "nonsense", None, "2026-02-01T09:59:59+00:00"], True),
        (["2026-02-01", "2026-02-01"], False),
        (["2026-02-01"], False),
        ([7, "2026-02-01", 8, "2026-01-01", "2026-03-01", "2026-02-01"], True),
    ],
)
def test_which_way_a_log_runs_is_told_by_its_dates(dates, first):
    text = json.dumps([{"date": date} for date in dates])
    assert (entries(with_entry(text, ENTRY))[0] == ENTRY) == first


def test_the_sample_vault_s_log_takes_an_entry_that_reads_well():
    text = SAMPLE.read_text(encoding="utf-8")
    result = with_entry(text, ENTRY)
    assert added(text, result).count("\n") > 4
    read = read_changelog("CHANGELOG.json", result, timezone.utc)
    old = read_changelog("CHANGELOG.json", text, timezone.utc)
    assert (read.problems, read.refused) == (old.problems, False)
    assert read.records[0].content.body == ENTRY["description"]
    assert [r.content for r in read.records[1:]] == [r.content for r in old.records]


def test_repeated_keys_and_large_numbers_stay():
    text = '{"entries": [1], "entries": [{"a": 1, "a": 2, "n": 123456789012345678901234567890, "x": 1.10}]}'
    result = with_entry(text, {"b": 1})
    assert result == text.replace("1.10}", '1.10}, {"b": 1}')


@pytest.mark.parametrize(
    ("text", "said", "hint"),
    [
        ('[{"a": 1},]', "not valid JSON", "mend that place"),
        ("{", "not valid JSON", "mend that place"),
        ("[1] x", "not valid JSON", "mend that place"),
        ('"text"', "holds no list", "entries"),
        ('{"entries": {}}', "holds no list", "entries"),
        ("{}", "holds no list", "entries"),
        ('{"entries": [], "entries": 1}', "holds no list", "entries"),
        ("[" * 100_000, "nested too deeply", "entries"),
        ('[{"a": "\0"}]', "not valid JSON", "mend that place"),
    ],
)
def test_what_is_no_change_log_is_refused(text, said, hint):
    with pytest.raises(Refused) as refused:
        with_entry(text, ENTRY, path="log/CHANGELOG.json")
    assert said in refused.value.message
    assert refused.value.message.startswith("log/CHANGELOG.json")
    assert refused.value.file == "log/CHANGELOG.json"
    assert hint in (refused.value.hint or "")


@pytest.mark.parametrize("value", [float("nan"), "half \ud800", {1, 2}, b"x"])
def test_an_entry_that_json_cannot_hold_is_refused(value):
    with pytest.raises(Refused, match="cannot be written as JSON"):
        with_entry("[]", {"a": value})
