"""Claims as a text to be edited: what is not touched stays, whatever it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.errors import InvalidInput
from memtui.model.records import Claim, RecordKey
from memtui.text.claims import parse_claim
from memtui.tui.claims_text import Claiming, claims_text, read_claims
from tests.clocks import at

WINDOWED = Claim("port", "8080", valid_from=at("2026-01-01T00:00:00Z"))


def claiming(name, *claims, said="It says so"):
    return Claiming(RecordKey("workspace", "engram", name), said, claims)


def edited(memories, *changes):
    """What is read after some lines were put in the place of others."""
    text = claims_text("Feature/press", memories)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return {key.name: [str(claim) for claim in claims] for key, claims in read_claims(text, memories).items()}


def test_a_claim_that_was_added_is_read():
    memories = (claiming("night"), claiming("loud", Claim("noise", "high")))
    assert edited(memories, ("[1] engram/night\n", "[1] engram/night\nFeature/press::hours=night\n")) == {
        "night": ["Feature/press::hours=night"]
    }


def test_what_was_taken_out_is_claimed_no_more():
    assert edited((claiming("loud", Claim("noise", "high")),), ("noise=high\n", "")) == {"loud": []}


def test_what_is_not_touched_keeps_its_window():
    memories = (claiming("old", WINDOWED),)
    text = claims_text("x", memories).replace("port=8080", "port=8080\nhost=h")
    ((key, claims),) = read_claims(text, memories).items()
    assert key.name == "old"
    assert claims == (WINDOWED, Claim("host", "h"))


def test_what_cannot_stand_on_a_line_is_told_and_stays():
    odd = (Claim("#x", "1"), Claim("p", "a\nb"), Claim("[1] y"))
    memories = (claiming("odd", *odd),)
    text = claims_text("x", memories)
    assert text.count("# stays as it is: ") == 3
    assert not read_claims(text, memories)
    ((_, claims),) = read_claims(text + "q=1\n", memories).items()
    assert claims == (*odd, Claim("q", "1"))


def test_a_memory_whose_heading_is_gone_stays_as_it_is():
    memories = (claiming("a", Claim("p", "1")), claiming("b", Claim("p", "2")))
    assert edited(memories, ("[2] engram/b\n", "")) == {"a": ["p=1", "p=2"]}


@pytest.mark.parametrize(("line", "told"), [("port=", "claims, line 9"), ("=x", "claims, line 9")])
def test_what_is_no_claim_is_named_by_its_line(line, told):
    memories = (claiming("a"),)
    text = claims_text("x", memories) + f"# a note\n\n{line}\n"
    with pytest.raises(InvalidInput) as error:
        read_claims(text, memories)
    assert error.value.field.startswith(told)


def test_a_heading_that_was_changed_is_no_claim():
    memories = (claiming("night", Claim("p", "1")),)
    text = claims_text("x", memories).replace("[1] engram/night", "[1] engram/nihgt")
    with pytest.raises(InvalidInput, match="names no memory that is here"):
        read_claims(text, memories)


def test_what_stands_above_the_first_memory_is_refused():
    memories = (claiming("a"),)
    with pytest.raises(InvalidInput, match="line 1 stands below no memory"):
        read_claims("port=1\n" + claims_text("x", memories), memories)


TEXT = st.text(min_size=1, max_size=12).filter(lambda text: text.strip())
CLAIMS = st.builds(
    Claim, predicate=TEXT, object=st.none() | TEXT, subject=st.none() | TEXT,
    polarity=st.sampled_from(("asserts", "denies")), many=st.booleans(),
)  # fmt: skip


@given(st.lists(st.tuples(TEXT, TEXT, st.lists(CLAIMS, max_size=4)), min_size=1, max_size=4, unique_by=lambda m: m[0]))
def test_a_text_that_nobody_touched_changes_nothing(told):
    memories = tuple(claiming(name, *dict.fromkeys(claims), said=said) for name, said, claims in told)
    assert not read_claims(claims_text(told[0][1], memories), memories)


@given(st.text(max_size=200))
def test_whatever_is_written_is_read_or_refused(text):
    memories = (claiming("a", Claim("p", "1")),)
    for written in (text, claims_text("x", memories) + text):
        try:
            read = read_claims(written, memories)
        except InvalidInput:
            continue
        for claims in read.values():
            assert all(parse_claim(str(claim)) == claim for claim in claims if claim != Claim("p", "1"))
