"""The canonical form: one text for one content, and back again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.model.canonical import content_as_dict, content_from_dict, content_hash
from memtui.model.instants import MAX_INSTANT, MIN_INSTANT, iso
from memtui.model.records import Claim, Content, Revival
from memtui.text.dates import parse_instant
from tests.store.test_conformance import FULL

CONTENT = st.builds(
    Content,
    summary=st.none() | st.text(max_size=5),
    tags=st.lists(st.text(max_size=3), max_size=2).map(tuple),
    pinned=st.booleans(),
    confidence=st.none() | st.sampled_from(["firm", 3.0]),
    valid_from=st.none() | st.integers(0, 9),
    revivals=st.lists(st.builds(Revival, st.integers(0, 3), st.integers(3, 6)), max_size=2).map(tuple),
    claims=st.lists(st.builds(Claim, st.sampled_from("pq"), many=st.booleans()), max_size=2).map(tuple),
)


@given(CONTENT, CONTENT)
def test_equal_contents_and_only_they_share_a_hash(a, b):
    assert (content_hash(a) == content_hash(b)) == (a == b)
    assert content_from_dict(content_as_dict(a)) == a


def test_a_full_content_survives():
    assert content_from_dict(content_as_dict(FULL)) == FULL


def test_where_a_text_lies_is_not_what_it_says():
    assert content_hash(replace(FULL, line=3)) == content_hash(replace(FULL, line=9))
    assert replace(FULL, line=3) == replace(FULL, line=9)


@pytest.mark.parametrize("instant", [MIN_INSTANT, -1, 0, 1, 1_999_999, MAX_INSTANT])
def test_instants_survive_their_text(instant):
    from datetime import timezone

    assert parse_instant(iso(instant), timezone.utc) == instant
