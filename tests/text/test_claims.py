"""Claims as people write them."""

from datetime import datetime, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.errors import InvalidInput
from memtui.model.instants import from_datetime
from memtui.model.records import Claim
from memtui.text.claims import parse_claim, read_claim


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("plan=pro", Claim("plan", "pro")),
        (" Company/acme :: plan = pro ", Claim("plan", "pro", "Company/acme")),
        ("Company/acme::plan=!pro", Claim("plan", "pro", "Company/acme", "denies")),
        ("plan=! pro", Claim("plan", "pro", polarity="denies")),
        ("speaks+=Turkish", Claim("speaks", "Turkish", many=True)),
        ("speaks +=!Turkish", Claim("speaks", "Turkish", polarity="denies", many=True)),
        ("archived", Claim("archived")),
        ("Project/x::!archived", Claim("archived", None, "Project/x", "denies")),
        ("formula=a=b::c", Claim("formula", "a=b::c")),
        ("Lib/x::uses=std::vector", Claim("uses", "std::vector", "Lib/x")),
        ("Şehir/İzmir::nüfus=4,4 Milyon", Claim("nüfus", "4,4 Milyon", "Şehir/İzmir")),
    ],
)
def test_the_grammar(text, claim):
    assert parse_claim(text) == claim


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "predicate"),
        ("=x", "predicate"),
        ("a::=x", "predicate"),
        ("::plan=x", "subject"),
        ("\u200b::plan=x", "subject"),
        ("plan=", "object"),
        ("plan=!", "object"),
        ("plan= \u200b", "object"),
        ("!plan=x", "predicate"),
        ("!!plan", "predicate"),
        ("plan+", "predicate"),
        ("two\nlines=x", "predicate"),
        ("a\tb::p=x", "subject"),
    ],
)
def test_what_is_malformed_is_named(text, part):
    with pytest.raises(InvalidInput) as caught:
        parse_claim(text, field="claims[3]", file="engrams/a.md")
    error = caught.value
    assert (error.field, error.file) == (f"claims[3].{part}", "engrams/a.md")
    assert part in error.message
    assert error.hint


def test_named_parts():
    start = from_datetime(datetime(2026, 1, 1, tzinfo=timezone.utc))
    parts = {
        "subject": "A/b",
        "predicate": "p",
        "object": " x ",
        "polarity": "denies",
        "many": True,
        "valid_from": "2026-01-01",
    }
    assert read_claim(parts, timezone.utc) == Claim("p", "x", "A/b", "denies", True, start)
    assert read_claim("A/b::p=x", timezone.utc) == Claim("p", "x", "A/b")
    assert read_claim({"predicate": "p", "object": "!x", "subject": None}, timezone.utc).object == "!x"


@pytest.mark.parametrize(
    ("value", "text"), [(True, "true"), (False, "false"), (3, "3"), (3.0, "3"), (2.5, "2.5"), ("3.0", "3.0")]
)
def test_objects_as_text(value, text):
    assert read_claim({"predicate": "p", "object": value}, timezone.utc).object == text


@pytest.mark.parametrize(
    ("value", "field"),
    [
        (7, "claim"),
        ([], "claim"),
        ({}, "claim.predicate"),
        ({"predicate": "p", "colour": 1}, "claim.colour"),
        ({"predicate": ["p"]}, "claim.predicate"),
        ({"predicate": "p", "object": {}}, "claim.object"),
        ({"predicate": "p", "object": ""}, "claim.object"),
        ({"predicate": "p", "polarity": "maybe"}, "claim.polarity"),
        ({"predicate": "p", "object": "x", "many": "yes"}, "claim.many"),
        ({"predicate": "p", "many": True}, "claim.many"),
        ({"predicate": "a=b", "object": "x"}, "claim.predicate"),
        ({"predicate": "p", "valid_to": "next spring"}, "claim.valid_to"),
        ({"predicate": "p", "valid_from": "2024-02-01", "valid_to": "2024-01-01"}, "claim.valid_to"),
        ({"predicate": "p", "valid_from": "2024-02-01", "valid_to": "2024-02-01"}, "claim.valid_to"),
    ],
)
def test_named_parts_that_are_wrong(value, field):
    with pytest.raises(InvalidInput) as caught:
        read_claim(value, timezone.utc)
    assert caught.value.field == field


@given(st.text())
def test_what_was_understood_is_written_the_same_way_again(text):
    try:
        claim = parse_claim(text)
    except InvalidInput:
        return
    if claim.object is None or not claim.object.startswith("!"):
        assert parse_claim(str(claim)) == claim
