"""Engrams kept as files: read whole or not at all."""

from datetime import datetime, timezone

import pytest

from memtui.model.instants import from_datetime
from memtui.model.records import Claim, EncodingContext, HomophonicLink, Revival
from memtui.vault.engram_files import read_engram_file

PATH = "engrams/team/plan.md"


def read(block, body="The team moved to Izmir.\n"):
    text = f"---\n{block}\n---\n{body}" if block is not None else body
    return read_engram_file(PATH, "team/plan", text, timezone.utc)


def taken(block, body="The team moved to Izmir.\n"):
    result = read(block, body)
    assert result.problems == ()
    (record,) = result.records
    return record


def day(*parts):
    return from_datetime(datetime(*parts, tzinfo=timezone.utc))


def test_all_fields():
    record = taken(
        "name: office-move\nsummary: ' The office moved to Izmir '\ntitle: The move\narea: Company/acme\n"
        "tags: office, izmir\nsource_refs: ['commit:abc']\nowner: deniz\naffect: triumph\n"
        "affect_reason: it took three years of planning\nconfidence: firm\nstability_days: 30\npinned: true\n"
        "memory_type: semantic\nvalid_from: 2026-01-01\nvalid_to: 2026-06-01\nsuperseded_by: later\n"
        "revivals:\n- {valid_to: 2026-02-01, revived_at: 2026-03-01, revived_by: deniz}\n"
        "claims:\n- Company/acme::city=Izmir\n- {predicate: city, object: Ankara, polarity: denies}\n"
        "homophonic_links:\n- other\n- {target_name: third, resonance_score: 0.9, basis: sound}\n"
        "encoding_context: {area: Company/acme, co_topics: [a, b], source_refs: [], affect: triumph, "
        "time_of_day: morning, created_at: 2026-01-01T08:00:00Z}\naliases: [umzug]\nmood: sunny\n",
        "Some [[body]].\n",
    )
    content = record.content
    assert (record.kind, record.name) == ("engram", "office-move")
    assert (content.summary, content.title, content.body) == (
        "The office moved to Izmir",
        "The move",
        "Some [[body]].\n",
    )
    assert (content.area, content.tags, content.source_refs) == ("Company/acme", ("office", "izmir"), ("commit:abc",))
    assert (content.owner, content.affect, content.confidence) == ("deniz", "triumph", "firm")
    assert (content.stability_days, content.pinned, content.memory_type) == (30.0, True, "semantic")
    assert (content.valid_from, content.valid_to) == (day(2026, 1, 1), day(2026, 6, 1))
    assert content.superseded_by == "later"
    assert content.revivals == (Revival(day(2026, 2, 1), day(2026, 3, 1), None, "deniz"),)
    assert content.claims == (
        Claim("city", "Izmir", "Company/acme"),
        Claim("city", "Ankara", polarity="denies"),
    )
    assert content.homophonic_links == (HomophonicLink("other"), HomophonicLink("third", 0.9, "sound"))
    assert content.encoding_context == EncodingContext(
        "Company/acme", ("a", "b"), (), "triumph", "morning", day(2026, 1, 1, 8)
    )
    assert content.aliases == ("umzug", "team/plan", "plan")
    assert content.extra == {"mood": "sunny"}
    assert content.links == ("body",)
    assert content.path == PATH


def test_the_first_paragraph_is_the_summary_and_the_rest_the_body():
    record = taken("tags: [a]", "\n\nThe team\nmoved.\n\nSecond paragraph.\n")
    assert (record.name, record.content.summary, record.content.body) == (
        "team/plan",
        "The team moved.",
        "Second paragraph.\n",
    )
    assert record.content.line == 9
    assert taken("tags: [a]", "\n\nOnly this.").content.line == 6
    assert taken(None, "Only this.").content.summary == "Only this."
    assert taken(None, "Only this.").content.body is None


def test_a_heading_above_the_first_paragraph_is_the_title():
    content = taken("tags: [a]", "# The move\n\nThe team moved.\n \nMore.\n").content
    assert (content.title, content.summary, content.body, content.line) == ("The move", "The team moved.", "More.\n", 8)


def test_gaps_that_follow_one_another_are_taken():
    block = "revivals: [{valid_to: 2024-01-01, revived_at: 2024-01-05}, {valid_to: 2024-01-05, revived_at: 2024-01-09}]"
    assert len(taken(block).content.revivals) == 2


def test_the_reference_is_what_the_file_says():
    assert taken("date: 2026-02-01\ncreated: 2026-01-01").reference == day(2026, 1, 1)
    assert taken("reference_time: 2025-05-04\ncreated: 2026-01-01").reference == day(2025, 5, 4)
    assert taken("owner: x").reference is None
    content = taken("updated: 2026-03-01\ncreated: 2026-01-01").content
    assert (content.dated, content.extra) == (None, {"updated": "2026-03-01", "created": "2026-01-01"})


def test_an_unreadable_date_of_the_file_is_unknown_and_the_memory_is_read():
    result = read("created: last week")
    assert result.records[0].reference is None
    assert not result.refused
    assert (result.problems[0].field, result.problems[0].value, result.problems[0].line) == ("created", "last week", 2)


@pytest.mark.parametrize("confidence", ["1", "10", "2.50", "'7'", "faint", "burning"])
def test_confidence_as_number_or_label(confidence):
    kept = taken(f"confidence: {confidence}").content.confidence
    assert kept == (confidence if confidence.isalpha() else float(confidence.strip("'")))


@pytest.mark.parametrize(
    ("block", "field", "value"),
    [
        ("summary: '\u200b'", "summary", "\u200b"),
        ("summary: " + "x" * 281, "summary", "x" * 119 + "…"),
        ("affect_reason: too short", "affect_reason", "too short"),
        ("confidence: 0", "confidence", "0"),
        ("confidence: 11", "confidence", "11"),
        ("confidence: sure", "confidence", "sure"),
        ("confidence: [3]", "confidence", "[3]"),
        ("confidence: .nan", "confidence", ".nan"),
        ("stability_days: 0", "stability_days", "0"),
        ("stability_days: soon", "stability_days", "soon"),
        ("valid_from: 2024-13-01", "valid_from", "2024-13-01"),
        ("valid_from: 2024-02-01\nvalid_to: 2024-01-01", "valid_to", "2024-01-01"),
        (
            "valid_from: 2024-01-01\nvalid_to: 2024-03-01\nrevivals: [{valid_to: 2024-02-01, revived_at: 2024-04-01}]",
            "valid_to",
            "2024-03-01",
        ),
        ("pinned: maybe", "pinned", "maybe"),
        ("name: ..", "name", ".."),
        ("tags: {a: 1}", "tags", '{"a": 1}'),
        ("claims: ['plan=']", "claims[0].object", "plan="),
        ("claims: [ok=1, {object: x}]", "claims[1].predicate", '{"object": "x"}'),
        (
            "claims: [{predicate: a, valid_from: soon}]",
            "claims[0].valid_from",
            '{"predicate": "a", "valid_from": "soon"}',
        ),
        ("claims: [[a]]", "claims[0]", '["a"]'),
        ("homophonic_links: [{basis: x}]", "homophonic_links[0].target_name", None),
        ("homophonic_links: [{target_name: x, resonance_score: 2}]", "homophonic_links[0].resonance_score", "2"),
        ("revivals: [{valid_to: 2024-01-01}]", "revivals[0].revived_at", None),
        ("revivals: [{valid_to: 2024-01-02, revived_at: 2024-01-01}]", "revivals[0].revived_at", "2024-01-01"),
        (
            "revivals: [{valid_to: 2024-01-01, revived_at: 2024-01-05}, "
            "{valid_to: 2024-01-04, revived_at: 2024-01-09}]",
            "revivals[1].valid_to",
            "2024-01-04",
        ),
        (
            "revivals: [{valid_to: 2024-03-01, revived_at: 2024-03-02}, "
            "{valid_to: 2024-01-01, revived_at: 2024-01-02}]",
            "revivals[1].valid_to",
            "2024-01-01",
        ),
        ("revivals: [x]", "revivals[0]", "x"),
        ("encoding_context: morning", "encoding_context", "morning"),
        ("encoding_context: {created_at: x}", "encoding_context.created_at", "x"),
        ("encoding_context: {weather: sun}", "encoding_context.weather", "sun"),
    ],
)
def test_what_cannot_be_read_refuses_the_file_and_names_field_and_value(block, field, value):
    result = read(block)
    assert (result.records, result.refused) == ((), True)
    problem, last = result.problems
    assert (problem.path, problem.field, problem.value) == (PATH, field, value)
    assert problem.line == (3 if "\n" in block else 2)
    assert "not taken as a memory" in last.reason


def test_all_that_is_wrong_is_told_at_once():
    fields = [p.field for p in read("confidence: 99\nstability_days: -1\nclaims: ['=x', '::p=x']").problems]
    assert fields == ["confidence", "stability_days", "claims[0].predicate", "claims[1].subject", None]


def test_a_blank_file_is_no_memory():
    result = read(None, "")
    assert result.refused
    assert result.problems[0].field == "summary"


def test_a_broken_block_refuses_the_file():
    result = read("summary: KB: two")
    assert (result.records, result.refused) == ((), True)
    assert len(result.problems) == 2
