"""The change log: entries by id, hash, line, and what is wrong with each."""

import json
from datetime import datetime, timezone

import pytest

from memtui.model.instants import from_datetime
from memtui.vault.changelog import entry_id, read_changelog

GOOD = {
    "id": "2026-08-17-a",
    "date": "2026-08-17",
    "type": "feat",
    "scope": "search",
    "summary": "Search finds  more",
    "description": "First line.\nSecond line.",
    "references": ["commit:abc", "file:x.py"],
    "supersedes": "2026-08-01-z",
    "breaking": False,
}


def read(entries, indent=None):
    text = entries if isinstance(entries, str) else json.dumps(entries, indent=indent)
    return read_changelog("CHANGELOG.json", text, timezone.utc)


def entry(**changes):
    return {key: value for key, value in (GOOD | changes).items() if value is not ...}


def test_an_entry_with_all_its_fields():
    result = read([GOOD])
    (record,) = result.records
    content = record.content
    assert (record.kind, record.name) == ("changelog", "2026-08-17-a")
    assert (content.title, content.summary) == ("Search finds more", "Search finds more")
    assert content.body == "First line.\nSecond line."
    assert content.tags == ("feat", "search")
    assert (content.doc_type, content.area) == ("feat", None)
    assert content.source_refs == ("commit:abc", "file:x.py")
    assert content.supersedes == "2026-08-01-z"
    assert content.extra == {"breaking": False}
    assert record.reference == content.dated == from_datetime(datetime(2026, 8, 17, tzinfo=timezone.utc))
    assert (content.path, content.line, content.valid_from) == ("CHANGELOG.json", 1, None)
    assert result.problems == ()


def test_without_a_summary_the_first_line_is_the_title():
    (record,) = read([entry(summary=...)]).records
    assert (record.content.title, record.content.summary) == ("First line.", None)


def test_a_mapping_with_entries_and_the_lines_of_entries():
    listed = read([entry(id="a"), entry(id="b")], indent=1)
    assert [r.content.line for r in listed.records] == [2, 16]
    mapped = read({"about": {"entries": []}, "entries": [entry(id="a"), entry(id="b")], "after": 1}, indent=1)
    assert [r.content.line for r in mapped.records] == [6, 20]
    assert [r.name for r in mapped.records] == ["a", "b"]


def test_an_entry_without_an_id_is_named_by_what_it_says():
    first = read([entry(id=...)]).records[0].name
    assert first == entry_id("2026-08-17", "search", "First line.\nSecond line.")
    assert len(first) == 12
    later = read([entry(id=..., description="newer"), entry(id=...)]).records
    assert later[1].name == first


def test_ids_are_taken_verbatim_also_numbers():
    assert [r.name for r in read([entry(id=7), entry(id="Ünï/code x")]).records] == ["7", "Ünï/code x"]


def test_a_repeated_id_is_reported_and_both_entries_are_read():
    result = read([entry(), entry(description="Other.")])
    assert [r.name for r in result.records] == ["2026-08-17-a", entry_id("2026-08-17", "search", "Other.")]
    (problem,) = result.problems
    assert (problem.field, problem.value) == ("entries[1].id", "2026-08-17-a")
    assert "entries[0]" in problem.reason


def test_the_same_entry_twice_is_read_once():
    result = read([entry(id=...), entry(id=...)])
    assert len(result.records) == 1
    assert "repeats entries[0]" in result.problems[0].reason


@pytest.mark.parametrize(
    ("bad", "field", "value"),
    [
        ("text", "entries[1]", "text"),
        (None, "entries[1]", None),
        ({}, "entries[1].description", None),
        (entry(description=["a"], summary=...), "entries[1].description", '["a"]'),
    ],
)
def test_a_malformed_entry_is_told_and_the_others_are_read(bad, field, value):
    result = read([entry(id="a"), bad, entry(id="c")], indent=1)
    assert [r.name for r in result.records] == ["a", "c"]
    assert field in {p.field for p in result.problems}
    assert {p.field: p.value for p in result.problems}[field] == value
    assert {p.line for p in result.problems} == {16}


@pytest.mark.parametrize(
    ("change", "field", "value"),
    [
        ({"date": "2024-13-01"}, "date", "2024-13-01"),
        ({"date": None}, "date", None),
        ({"date": {"y": 1}}, "date", '{"y": 1}'),
        ({"type": ["x"]}, "type", '["x"]'),
        ({"scope": ...}, "scope", None),
        ({"references": {"a": 1}}, "references", '{"a": 1}'),
        ({"supersedes": ["a", "b"]}, "supersedes", '["a", "b"]'),
        ({"id": "..", "summary": ...}, "id", ".."),
        ({"id": "a\nb"}, "id", "a\nb"),
        ({"id": {"x": 1}}, "id", '{"x": 1}'),
    ],
)
def test_a_field_that_cannot_be_read_costs_only_that_field(change, field, value):
    result = read([entry(**change)])
    (record,) = result.records
    (problem,) = result.problems
    assert (problem.field, problem.value) == (f"entries[0].{field}", value)
    assert record.content.body == GOOD["description"]
    if field == "date":
        assert (record.reference, record.content.dated) == (None, None)
    if value is not None and not isinstance(change[field], type(None)):
        assert record.content.extra[field] == change[field]


def test_text_in_place_of_a_description_is_read_and_said():
    result = read([entry(description=..., summary=..., text="only text")])
    assert result.records[0].content.body == "only text"
    assert "`text` was read" in result.problems[0].reason


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ('[\n {"id": "a",\n  "date": }\n]', 3, "column 11"),
        ("[{}", 1, "not valid JSON"),
        ("nonsense", 1, "no entry could be read"),
        ("[" * 100_000, None, "nested too deeply"),
        ('{"a": 1}', 1, "no list of entries"),
        ("3", 1, "no list of entries"),
        ("[] []", 1, "not valid JSON"),
    ],
)
def test_a_file_that_is_no_change_log_is_refused_whole(text, line, says):
    result = read(text)
    assert (result.records, result.refused) == ((), True)
    (problem,) = result.problems
    assert problem.line == line
    assert says in problem.reason
    assert "no entry could be read" in problem.reason


@pytest.mark.parametrize("text", ["", " \n", "[]", '{"entries": []}', "\n[ ]\n"])
def test_no_entries_are_no_problem(text):
    result = read(text)
    assert (result.records, result.problems, result.refused) == ((), (), False)


def test_values_no_store_can_keep_are_replaced_and_said():
    text = json.dumps([entry(id="a", description="half \ud83d and \0 nul", odd=1)]).replace(
        '"odd": 1', '"odd": [NaN, 1e999, ' + "9" * 40 + "]"
    )
    result = read(text)
    content = result.records[0].content
    assert content.body == "half \ufffd and   nul"
    assert content.extra["odd"] == ["NaN", "1e999", "9" * 40]
    assert "half characters" in result.problems[0].reason
    whole = read(json.dumps([entry(description="whole 🗂️ and\nline")]))
    assert whole.records[0].content.body == "whole 🗂️ and\nline"
    assert whole.problems == ()


def test_a_key_written_twice_is_told_with_the_value_that_is_lost():
    text = (
        '[{"date": "2026-01-01", "type": "a", "scope": "b", "description": "kept"},\n'
        ' {"description": "first", "date": "2026-01-01", "type": "a", "scope": "b", "description": "last",'
        ' "more": [{"x": null, "x": 1, "x": 2}]}]'
    )
    result = read(text)
    assert [r.content.body for r in result.records] == ["kept", "last"]
    assert result.records[1].content.extra == {"more": [{"x": 2}]}
    assert [(p.line, p.field, p.value) for p in result.problems] == [
        (2, "entries[1].description", "first"),
        (2, "entries[1].more[0].x", "null"),
        (2, "entries[1].more[0].x", "1"),
    ]
    assert all("left out" in p.reason for p in result.problems)


def test_a_second_list_of_entries_is_told_and_the_last_one_is_read():
    text = '{"entries": [%s], "about": {"a": "\\ud800", "a": 2}, "entries": [%s]}'
    result = read(text % (json.dumps(entry(id="lost")), json.dumps(entry(id="kept"))))
    assert [r.name for r in result.records] == ["kept"]
    assert [p.field for p in result.problems] == ["entries", "about.a"]
    assert '"lost"' in result.problems[0].value
    assert result.problems[1].value == "\ufffd"
