"""The document form of a content: read anywhere, nothing lost, nothing guessed."""

from __future__ import annotations

import json
from dataclasses import fields

import pytest
from hypothesis import given

from memtui.errors import InvalidInput
from memtui.model.canonical import content_hash
from memtui.model.documents import content_as_json, content_from_json, instant_as_json, instant_from_json
from memtui.model.instants import MAX_INSTANT, MIN_INSTANT
from memtui.model.records import Content, Revival
from tests.interchange.contents import CONTENTS, INSTANT


@given(CONTENTS)
def test_a_content_survives_its_document(content):
    document = json.loads(json.dumps(content_as_json(content), ensure_ascii=False, allow_nan=False))
    again = content_from_json(document)
    assert again == content
    assert again.line == content.line
    assert content_hash(again) == content_hash(content)


@given(INSTANT)
def test_an_instant_survives_and_is_text_in_every_year_that_has_one(instant):
    written = instant_as_json(instant)
    assert isinstance(written, str) == (MIN_INSTANT <= instant <= MAX_INSTANT)
    assert instant_from_json(written, "at") == instant


def test_instants_are_utc_to_the_microsecond_wherever_they_stand():
    content = Content(valid_from=0, dated=1, revivals=(Revival(2, 3_000_000),))
    assert content_as_json(content) == {
        "valid_from": "1970-01-01T00:00:00Z",
        "revivals": [{"valid_to": "1970-01-01T00:00:00.000002Z", "revived_at": "1970-01-01T00:00:03Z"}],
        "dated": "1970-01-01T00:00:00.000001Z",
    }


def test_equal_contents_give_one_text():
    one, other = Content(extra={"b": 1, "a": {"d": 1, "c": 2}}), Content(extra={"a": {"c": 2, "d": 1}, "b": 1})
    assert one == other
    assert json.dumps(content_as_json(one)) == json.dumps(content_as_json(other))


@pytest.mark.parametrize("field", fields(Content), ids=lambda field: field.name)
def test_every_field_refuses_what_it_is_not(field):
    with pytest.raises(InvalidInput) as refused:
        content_from_json({field.name: object()})
    assert refused.value.field == f"content.{field.name}"


@pytest.mark.parametrize(
    ("shape", "field"),
    [
        ([], "content"),
        ({"mood": 1}, "content.mood"),
        ({"tags": ["a", 1]}, "content.tags[1]"),
        ({"pinned": "yes"}, "content.pinned"),
        ({"confidence": True}, "content.confidence"),
        ({"stability_days": float("nan")}, "content.stability_days"),
        ({"extra": {"a": [float("inf")]}}, "content.extra.a[0]"),
        ({"claims": [{"object": "x"}]}, "content.claims[0].predicate"),
        ({"claims": [{"predicate": "x", "polarity": "maybe"}]}, "content.claims[0].polarity"),
        ({"revivals": [{"valid_to": "2026-01-01T00:00:00Z"}]}, "content.revivals[0].revived_at"),
        ({"valid_from": "2026-01-01"}, "content.valid_from"),
        ({"valid_from": "2026-01-01T00:00:00"}, "content.valid_from"),
        ({"valid_from": "2026-01-01T00:00:00+03:00"}, "content.valid_from"),
        ({"valid_from": "2026-02-29T00:00:00Z"}, "content.valid_from"),
        ({"valid_from": True}, "content.valid_from"),
        ({"valid_from": 2**63}, "content.valid_from"),
        ({"encoding_context": {"created_at": "now"}}, "content.encoding_context.created_at"),
    ],
)
def test_what_is_wrong_is_named(shape, field):
    with pytest.raises(InvalidInput) as refused:
        content_from_json(shape)
    assert refused.value.field == field
