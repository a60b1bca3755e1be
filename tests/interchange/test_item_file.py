"""Items that others wrote: the good ones get in, the bad ones are told by line."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.interchange.item_file import ledger_as_items, read_items, refusal
from memtui.interchange.ledger_file import ledger_lines, read_ledger
from memtui.model.instants import from_datetime
from memtui.model.records import Claim, Content, EncodingContext, Finding, HomophonicLink, Revival
from tests.interchange.contents import JSON, sealed


def day(*parts):
    return from_datetime(datetime(*parts, tzinfo=timezone.utc))


def read(*rows, **more):
    """Rows as JSON lines: text as it is, anything else dumped."""
    lines = [row if isinstance(row, (str, bytes)) else json.dumps(row) for row in rows]
    return read_items(lines, more.pop("zone", timezone.utc), path="in.jsonl", **more)


def taken(**row):
    result = read(row)
    assert result.problems == ()
    (item,) = result.items
    return item


def told(row, **more):
    """(field, reason) of the one problem of a row that was not taken."""
    result = read(row, **more)
    assert result.items == ()
    (problem,) = result.problems
    assert (problem.path, problem.line) == ("in.jsonl", 1)
    return problem.field, problem.reason


def test_a_minimal_item():
    item = taken(summary="The port is 5433")
    assert (item.kind, item.name, item.reference, item.line, item.scope) == ("engram", None, None, 1, None)
    assert item.content == Content(summary="The port is 5433")


def test_id_and_text_stand_for_name_and_summary():
    item = taken(id=7, text="  The port ")
    assert (item.name, item.content.summary, item.content.extra) == ("7", "The port", {})
    item = taken(name="a", id="b", summary="s", text="t")
    assert (item.name, item.content.summary, item.content.extra) == ("a", "s", {"id": "b", "text": "t"})
    assert taken(name="e\u0301", summary="s").name == "é"


def test_all_fields_of_an_engram():
    item = taken(
        kind="engram",
        scope="workspace",
        name="office",
        summary="The office moved",
        title="The\nmove",
        body="  two\n\nparagraphs\n",
        area="Company/acme",
        tags="office, #izmir",
        source_refs="commit:abc, d",
        aliases=["umzug", "office"],
        owner="deniz",
        affect="triumph",
        affect_reason="it took three years of planning",
        confidence="Firm",
        stability_days="30",
        pinned=True,
        memory_type="semantic",
        valid_from="2026-01-01",
        valid_to="2026-06-01T00:00:00Z",
        superseded_by="later",
        revivals=[{"valid_to": "2026-02-01", "revived_at": "2026-03-01", "revived_by": "deniz"}],
        claims=["Company/acme::city=Izmir", {"predicate": "city", "object": "Ankara", "polarity": "denies"}],
        homophonic_links=["other", {"target_name": "third", "resonance_score": 0.9, "basis": "sound"}],
        encoding_context={"area": "Company/acme", "co_topics": ["a"], "created_at": "2026-01-01T08:00:00Z"},
        mood={"sunny": [1, None, "é"]},
    )
    assert (item.name, item.scope) == ("office", "workspace")
    assert item.content == Content(
        summary="The office moved",
        title="The move",
        body="  two\n\nparagraphs\n",
        area="Company/acme",
        tags=("office", "izmir"),
        source_refs=("commit:abc, d",),
        aliases=("umzug",),
        owner="deniz",
        affect="triumph",
        affect_reason="it took three years of planning",
        confidence="Firm",
        stability_days=30.0,
        pinned=True,
        memory_type="semantic",
        valid_from=day(2026, 1, 1),
        valid_to=day(2026, 6, 1),
        superseded_by="later",
        revivals=(Revival(day(2026, 2, 1), day(2026, 3, 1), None, "deniz"),),
        claims=(Claim("city", "Izmir", "Company/acme"), Claim("city", "Ankara", polarity="denies")),
        homophonic_links=(HomophonicLink("other"), HomophonicLink("third", 0.9, "sound")),
        encoding_context=EncodingContext("Company/acme", ("a",), created_at=day(2026, 1, 1, 8)),
        extra={"mood": {"sunny": [1, None, "é"]}},
    )


def test_a_tag_is_what_stands_after_its_sign():
    assert taken(summary="s", tags="#db, #, # net,db, #\u200b").content.tags == ("db", "net")


def test_research_and_evidence():
    finding = {"text": "it listens", "rating": 3, "source_refs": "url:x"}
    item = taken(kind="research", summary="s", findings=[finding, {"text": "t", "source_refs": ["a", "b"]}])
    assert item.content.findings == (Finding("it listens", "3", ("url:x",)), Finding("t", "unrated", ("a", "b")))
    item = taken(kind="evidence", summary="s", rating="Strong", source_refs=["url:x"], supports="a", refutes=["b", "c"])
    assert (item.content.rating, item.content.supports, item.content.refutes) == ("strong", ("a",), ("b", "c"))
    item = taken(kind="research", summary="s", affect="joy")
    assert (item.content.affect, item.content.extra) == (None, {"affect": "joy"})


@pytest.mark.parametrize(
    ("row", "field", "said"),
    [
        ({}, "summary", "missing"),
        ({"summary": None}, "summary", "missing"),
        ({"summary": " \u200b "}, "summary", "blank"),
        ({"summary": ["a"]}, "summary", "a list"),
        ({"text": "x" * 281}, "text", "281"),
        ({"summary": "s", "name": ".."}, "name", "cannot be a name"),
        ({"summary": "s", "kind": "knowledge"}, "kind", "put it into the vault and sync"),
        ({"summary": "s", "kind": "Engram"}, "kind", "engram, research, evidence"),
        ({"summary": "s", "scope": "personal:bob"}, "scope", "--personal"),
        ({"summary": "s", "scope": " Personal:bob"}, "scope", "--personal"),
        ({"summary": "s", "partition": "personal:bob"}, "partition", "--personal"),
        ({"summary": "s", "valid_from": "2024-13-01"}, "valid_from", "month"),
        ({"summary": "s", "valid_from": 1_700_000_000}, "valid_from", "ISO 8601"),
        ({"summary": "s", "valid_from": "2024-02-01", "valid_to": "2024-01-01"}, "valid_to", "before valid_from"),
        ({"summary": "s", "valid_from": "2024-01-01", "valid_to": "2024-01-01"}, "valid_to", "same moment"),
        ({"summary": "s", "date": "2024-02-01", "valid_to": "2024-01-01"}, "valid_to", "before"),
        ({"summary": "s", "reference_time": "next spring", "date": "2024-01-01"}, "reference_time", "ISO 8601"),
        ({"summary": "s", "created_at": 1_700_000_000}, "created_at", "ISO 8601"),
        ({"summary": "s", "claims": ["=x"]}, "claims[0].predicate", "Allowed"),
        ({"summary": "s", "claims": [{"predicate": "p", "until": 1}]}, "claims[0].until", "no part of a claim"),
        ({"summary": "s", "claims": [{"predicate": "p", "valid_to": "soon"}]}, "claims[0].valid_to", "date"),
        ({"summary": "s", "revivals": [{"valid_to": "2024-01-01"}]}, "revivals[0].revived_at", "missing"),
        ({"summary": "s", "revivals": ["2024-01-01"]}, "revivals[0]", "named parts"),
        ({"summary": "s", "title": "t" * 500_001}, "title", "500,001"),
        ({"summary": "s", "body": "t" * 500_001}, "body", "500,000 are allowed"),
        ({"summary": "s", "affect_reason": "short"}, "affect_reason", "at least 20"),
        ({"summary": "s", "confidence": 11}, "confidence", "1 to 10"),
        ({"summary": "s", "stability_days": 0}, "stability_days", "more than 0"),
        ({"summary": "s", "pinned": "perhaps"}, "pinned", "true nor false"),
        ({"summary": "s", "homophonic_links": [{"basis": "b"}]}, "homophonic_links[0].target_name", "missing"),
        ({"summary": "s", "encoding_context": {"mood": 1}}, "encoding_context.mood", "unknown"),
        ({"summary": "s", "kind": "research", "findings": ["it listens"]}, "findings[0]", "named parts"),
        ({"summary": "s", "kind": "research", "findings": [{"text": "t"}]}, "findings[0].source_refs", "at least one"),
        (
            {"summary": "s", "kind": "research", "findings": [{"text": "t", "rating": 6, "source_refs": "a"}]},
            "findings[0].rating",
            "strong",
        ),
        ({"summary": "s", "kind": "evidence", "source_refs": ["a"]}, "rating", "missing"),
        ({"summary": "s", "kind": "evidence", "rating": 3, "source_refs": [" "]}, "source_refs", "at least one"),
        ({"summary": "half \ud800"}, "summary", "half a character"),
        ({"summary": "s", "tags": ["a", "nul\0"]}, "tags[1]", "NUL"),
        ('{"summary": "s", "summary": "t"}', "summary", "more than once"),
        ('{"summary": "s", "stability_days": NaN}', None, "no number"),
        ('{"summary": "s"', None, "not JSON"),
        (b'{"summary": "\xff"}', None, "not UTF-8"),
        ("3", None, "named fields"),
        ('{"summary": "s", "x": ' + "[" * 70 + "]" * 70 + "}", None, "nested"),
        ('{"summary": "s", "x": ' + "[" * 100_000, None, "nested"),
    ],
)
def test_a_bad_item_is_told_by_field(row, field, said):
    found, reason = told(row)
    assert said in reason
    if field is not None:
        assert found == field


def test_gaps_lie_within_the_window_and_apart():
    def gap(closed, revived):
        return {"valid_to": closed, "revived_at": revived}

    row = {"summary": "s", "valid_from": "2024-02-01"}
    assert told({**row, "revivals": [gap("2024-01-01", "2024-03-01")]})[0] == "revivals[0].valid_to"
    overlapping = [gap("2024-03-01", "2024-05-01"), gap("2024-04-01", "2024-06-01")]
    assert told({**row, "revivals": overlapping})[0] == "revivals[1].valid_to"
    field, reason = told({**row, "valid_to": "2024-02-15", "revivals": [gap("2024-02-10", "2024-03-01")]})
    assert (field, "last revival" in reason) == ("valid_to", True)


def test_the_good_get_in_and_the_bad_are_listed():
    result = read(
        {"id": "ok", "text": "fine", "valid_from": "2024-01-01", "valid_to": "2024-02-01"},
        "",
        {"id": "inv", "text": "inverted", "valid_from": "2024-02-01", "valid_to": "2024-01-01"},
        "{",
        b"\xff",
        {"id": "far", "text": "far", "valid_from": "0360-01-01", "valid_to": "9999-12-31"},
    )
    assert [(item.line, item.name) for item in result.items] == [(1, "ok"), (6, "far")]
    assert [(problem.line, problem.field, problem.value) for problem in result.problems] == [
        (3, "valid_to", "2024-01-01"),
        (4, None, "{"),
        (5, None, None),
    ]


def test_dates_without_a_zone_are_taken_in_the_zone_given():
    east = timezone(timedelta(hours=3))
    (item,) = read({"summary": "s", "valid_from": "2025-03-01T10:30:00", "valid_to": "2025-03-02"}, zone=east).items
    assert item.content.valid_from == day(2025, 3, 1, 7, 30)
    assert item.content.valid_to == day(2025, 3, 1, 21)


@pytest.mark.parametrize(
    ("dates", "reference"),
    [
        ({"reference_time": "2019-05-04", "date": "2018-01-01"}, day(2019, 5, 4)),
        ({"created_at": "2020-01-01", "created": "2019-01-01", "date": "2021-01-01"}, day(2019, 1, 1)),
        ({"created_at": 1_700_000_000, "date": "2021-01-01"}, day(2021, 1, 1)),
        ({"valid_from": "", "date": "2021-01-01"}, day(2021, 1, 1)),
        ({"valid_from": "2024-01-01", "created_at": "nonsense"}, None),
        ({}, None),
    ],
)
def test_since_when_it_was_true_comes_from_what_the_item_tells(dates, reference):
    item = taken(summary="s", **dates)
    assert item.reference == reference
    assert item.content.extra == {key: value for key, value in dates.items() if key != "valid_from"}


def test_an_extra_goes_back_to_where_it_was():
    assert taken(summary="s", extra={"a": 1}, b=2).content.extra == {"a": 1, "b": 2}
    assert taken(summary="s", extra={"b": 1}, b=2).content.extra == {"extra": {"b": 1}, "b": 2}
    assert taken(summary="s", extra=[1]).content.extra == {"extra": [1]}


@given(st.dictionaries(st.sampled_from("xyz"), JSON.filter(lambda v: "\0" not in repr(v) and "\\x00" not in repr(v))))
def test_unknown_fields_are_kept_as_they_are(unknown):
    assert taken(summary="s", **unknown).content.extra == unknown


def test_a_private_row_is_for_its_owner_alone():
    row = {"summary": "s", "scope": "personal:ada"}
    assert told(row)[0] == "scope"
    assert told(row, own="personal:bob")[0] == "scope"
    (item,) = read(row, own="personal:ada").items
    assert (item.scope, item.content.extra) == ("personal:ada", {})
    (item,) = read({"summary": "s", "scope": "workspace"}, own="personal:ada").items
    assert item.content.extra == {}
    assert taken(summary="s", scope="quick").content.extra == {"scope": "quick"}


def test_a_list_and_a_single_mapping_are_read_as_well():
    rows = [{"summary": "a"}, {"summary": " "}, {"summary": "c"}]
    for text in (json.dumps(rows), json.dumps(rows, indent=1), "\n" + json.dumps(rows)):
        result = read(*text.split("\n"))
        assert [item.content.summary for item in result.items] == ["a", "c"]
        assert [problem.field for problem in result.problems] == ["summary"]
    assert [item.line for item in read(*json.dumps(rows, indent=1).split("\n")).items] == [2, 8]
    assert read(*json.dumps(rows[0], indent=2).split("\n")).items[0].content.summary == "a"
    assert read("[]") == read("") == read()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('[{"summary": "a"},\n{"summary": "b"}', 2),
        ('[{"summary": "a"},\n{"summary": }]', 2),
        ('[{"summary": "a"}\n{"summary": "b"}]', 2),
        ('[{"summary": "a"},\n]', 2),
        ('[{"summary": "a"}\n]\n{}', 3),
        ('{\n"summary": "a"\n"body": 3\n}', 3),
    ],
)
def test_of_a_broken_list_or_mapping_nothing_is_taken(text, line):
    result = read(*text.split("\n"))
    assert result.items == ()
    assert [problem.line for problem in result.problems] == [line]
    assert "not JSON" in result.problems[0].reason


def test_flaws_within_a_list_touch_their_item_alone():
    result = read('[{"summary": "a", "x": 1, "x": 2}, {"summary": "b"}]')
    assert [item.content.summary for item in result.items] == ["b"]
    assert [problem.field for problem in result.problems] == ["x"]


BLANKS = (" \t\r\n", b" \t\r\n")


@given(st.lists(st.binary(max_size=20) | st.text(max_size=20) | JSON.map(json.dumps), max_size=4))
def test_nothing_a_file_holds_stops_the_reading(lines):
    good = json.dumps({"summary": "whatever stands beside it"})
    alone = [item.content.summary for item in read_items([good], timezone.utc, path="in.jsonl").items]
    result = read_items([good, *lines, good], timezone.utc, path="in.jsonl")
    assert [item.content.summary for item in result.items if item.line in (1, len(lines) + 2)] == alone * 2
    assert all(problem.path == "in.jsonl" and problem.reason for problem in result.problems)
    lost = {number for number, line in enumerate(lines, start=2) if line.strip(BLANKS[isinstance(line, bytes)])}
    assert {problem.line for problem in result.problems} | {item.line for item in result.items} >= lost
    json.dumps([problem.as_dict() for problem in result.problems], ensure_ascii=False).encode()


def test_a_ledger_can_be_imported_as_items():
    before = Content(summary="The port is 5432", valid_from=0)
    after = replace(before, summary="The port is 5433", path="engrams/port.md", extra={"mood": "fine", "origin": 3})
    note = Content(body="Hello", valid_from=0, path="hello.md")
    versions = sealed(
        [
            ("workspace", "engram", "port", before, "remember", "ada", None, True, 0),
            ("workspace", "note", "hello.md", note, "sync", "ada", None, False, 1),
            ("workspace", "engram", "port", after, "update", "bob", None, True, 1),
        ]
    )
    port, hello = ledger_as_items(read_ledger(ledger_lines(["workspace"], versions, ())))
    assert (port.kind, port.name, port.scope) == ("engram", "port", "workspace")
    origin = {
        "partition": "workspace",
        "seq": 3,
        "recorded_at": "1970-01-01T00:00:01.000002Z",
        "operation": "update",
        "actor": "bob",
        "path": "engrams/port.md",
        "origin": 3,
    }
    assert port.content == replace(after, path=None, extra={"mood": "fine", "origin": origin})
    assert refusal(port.kind, port.scope, "workspace") is None
    assert refusal(hello.kind, hello.scope, "workspace")[0] == "kind"
    assert refusal("engram", "personal:bob", "personal:ada")[0] == "scope"
