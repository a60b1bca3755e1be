"""An engram's file is made to say what its memory has become, and is read again before it counts."""

from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.cognition.encoding import encoded
from memtui.errors import Refused
from memtui.model.instants import from_datetime
from memtui.model.records import Claim, Content, EncodingContext, HomophonicLink, Revival
from memtui.text.naming import is_blank
from memtui.vault.editing import laid_out
from memtui.vault.engram_files import read_engram_file
from memtui.vault.engram_writing import engram_file_text
from memtui.vault.source_text import SourceText
from tests.vault.test_editing_front_matter import TEXTS

PATH, NAME = "engrams/team/plan.md", "team/plan"
ZONE = ZoneInfo("Europe/Istanbul")
FIELDS = """---
title: The plan  # of the team
summary: The team moves to Izmir.
area: Company/acme
tags: [office, "#izmir"]
source_refs: ["commit:abc"]
confidence: 8
valid_from: 2026-05-28
claims:
  - Company/acme::city=Izmir  # signed
  - {predicate: floor, object: 3}
mood: sunny
---

Some [[body]].
"""
PARAGRAPH = "# The plan\n\nThe team moves\nto Izmir.\n\nSome [[body]].\n\nMore.\n"
BARE = "The team moves to Izmir."
SAMPLES = sorted(Path(__file__).parents[2].glob("sample_vault/engrams/**/*.md"))


def said(text, name=NAME):
    read = read_engram_file(PATH, name, SourceText(text).text, ZONE)
    assert not read.refused, read.problems
    return read.records[0].content


def believed(text):
    """What a ledger holds of a file: its silent fields are stamped."""
    content = said(text)
    return encoded(
        replace(content, valid_from=content.valid_from or moment(2026, 1, 1)), at=moment(2026, 1, 1), zone=ZONE
    )


def written(text, **changes):
    old = believed(text)
    return engram_file_text(PATH, NAME, text, old, replace(old, **changes), ZONE)


def moment(*parts):
    return from_datetime(datetime(*parts, tzinfo=timezone.utc))


def diff(text, **changes):
    result = written(text, **changes)
    before, after = text.splitlines(), result.splitlines()
    return [line for line in before if line not in after], [line for line in after if line not in before]


def test_nothing_new_changes_nothing():
    for text in (FIELDS, PARAGRAPH, BARE, FIELDS.replace("\n", "\r\n")):
        assert written(text) == text


def test_only_the_fields_that_differ_are_edited():
    assert diff(FIELDS, tags=("office", "izmir", "move")) == (
        ['tags: [office, "#izmir"]'],
        ['tags: [office, "#izmir", "move"]'],
    )
    assert diff(FIELDS, confidence=9.0) == (["confidence: 8"], ["confidence: 9"])
    assert diff(FIELDS, confidence="firm", pinned=True) == (["confidence: 8"], ["confidence: firm", "pinned: true"])
    assert diff(FIELDS, title=None, area=None) == (["title: The plan  # of the team", "area: Company/acme"], [])
    assert diff(FIELDS, title="Plan: two") == (
        ["title: The plan  # of the team"],
        ['title: "Plan: two"  # of the team'],
    )
    assert diff(FIELDS, valid_to=moment(2026, 6, 1, 10), superseded_by="later") == (
        [],
        ["superseded_by: later", "valid_to: 2026-06-01T10:00:00Z"],
    )
    assert diff(FIELDS, valid_from=moment(2026, 5, 1) + 7) == (
        ["valid_from: 2026-05-28"],
        ["valid_from: 2026-05-01T00:00:00.000007Z"],
    )
    assert diff(FIELDS, claims=(Claim("city", "Izmir", "Company/acme"),)) == (["  - {predicate: floor, object: 3}"], [])
    assert diff(FIELDS, body="\nOther.\n") == (["Some [[body]]."], ["Other."])
    assert diff(FIELDS, extra={"mood": "grey", "m": [1, {"a": "b: c"}]}) == (
        ["mood: sunny"],
        ["mood: grey", "m:", "  - 1", '  - a: "b: c"'],
    )


def test_all_fields_are_read_back():
    gap = Revival(moment(2026, 6, 1), moment(2026, 7, 1) + 1, "later", "deniz")
    changes = {
        "affect": "triumph", "affect_reason": "it took three years of planning", "stability_days": 0.5, "pinned": True,
        "owner": "deniz", "memory_type": "note: mine", "superseded_by": "a b", "valid_to": moment(2027, 1, 1),
        "revivals": (gap, Revival(moment(2026, 8, 1), moment(2026, 8, 2))),
        "claims": (
            Claim("city", "Izmir", "Company/acme"), Claim("plan", "x=y::z", polarity="denies"), Claim("exists"),
            Claim("kind", "!odd", many=True),
            Claim("p", "o", valid_from=moment(2026, 1, 1), valid_to=moment(2026, 2, 1)),
        ),
        "homophonic_links": (HomophonicLink("other"), HomophonicLink("third", 0.9, "sound: alike")),
        "encoding_context": EncodingContext("A/b", ("x", "y"), ("commit:1",), "regret", "night", moment(2026, 1, 1)),
        "aliases": ("umzug", NAME.rsplit("/", 1)[1]),
        "extra": {"mood": "sunny", "created": "2026-01-01"},
    }  # fmt: skip
    for text in (FIELDS, PARAGRAPH, BARE, FIELDS.replace("\n", "\r\n")):
        new = replace(believed(text), **changes)
        content = said(engram_file_text(PATH, NAME, text, believed(text), new, ZONE))
        assert replace(content, links=(), valid_from=new.valid_from) == replace(new, links=())


def test_words_are_changed_where_they_stand():
    assert written(PARAGRAPH, summary="A new plan.") == "# The plan\n\nA new plan.\n\nSome [[body]].\n\nMore.\n"
    assert written(PARAGRAPH, title="Plan B") == PARAGRAPH.replace("The plan", "Plan B")
    assert written(PARAGRAPH, title=None) == PARAGRAPH.removeprefix("# The plan\n\n")
    assert written(PARAGRAPH, body="New.\n") == "# The plan\n\nThe team moves\nto Izmir.\n\nNew.\n"
    assert written(PARAGRAPH, body=None) == "# The plan\n\nThe team moves\nto Izmir.\n"
    assert written(BARE, body="Below.\n") == BARE + "\n\nBelow.\n"
    assert written(BARE, title="T") == "---\ntitle: T\n---\n" + BARE
    assert written(BARE, summary="Ankara.", tags=("a",)) == "---\ntags: [a]\n---\nAnkara."
    crlf = "# T\r\n\r\nOne.\r\n\r\nTwo.\r\n"
    assert written(crlf, summary="Uno.", body="Dos.\nTres.\n") == "# T\r\n\r\nUno.\r\n\r\nDos.\r\nTres.\r\n"


def test_words_that_cannot_stand_in_the_text_become_fields():
    assert written(BARE, summary="# No heading") == '---\nsummary: "# No heading"\n---\n'
    assert written(PARAGRAPH, summary="One.\n\nTwo.") == (
        "---\nsummary: |-\n  One.\n\n  Two.\ntitle: The plan\n---\nSome [[body]].\n\nMore.\n"
    )
    assert written("Sum.\n\nBody.\n", body="\n\nfar below") == "---\nsummary: Sum.\n---\n\n\nfar below"


def test_what_the_ledger_stamps_is_not_written_into_a_silent_file():
    old = believed(BARE)
    assert None not in (old.valid_from, old.memory_type, old.encoding_context)
    changed = replace(old, summary="Always lock the door.", body="x\n")
    kept = engram_file_text(PATH, NAME, BARE, old, changed, ZONE)
    anew = engram_file_text(PATH, NAME, BARE, old, encoded(replace(changed, memory_type=None), at=0, zone=ZONE), ZONE)
    assert kept == anew == "Always lock the door.\n\nx\n"
    assert "memory_type: own" in written(BARE, memory_type="own")
    assert "valid_from: 2025-01-01T00:00:00Z" in written(BARE, valid_from=moment(2025, 1, 1))


def test_forgetting_and_reviving_a_file_ends_as_it_began():
    for text in (FIELDS, BARE, FIELDS.replace("\n", "\r\n")):
        old = believed(text)
        gone = replace(old, valid_to=moment(2026, 9, 1), superseded_by="later")
        forgotten = engram_file_text(PATH, NAME, text, old, gone, ZONE)
        assert (said(forgotten).valid_to, said(forgotten).superseded_by) == (moment(2026, 9, 1), "later")
        gap = Revival(moment(2026, 9, 1), moment(2026, 10, 1), "later", "deniz")
        back = replace(old, revivals=(gap,))
        revived = engram_file_text(PATH, NAME, forgotten, gone, back, ZONE)
        assert said(revived).validity() == replace(back, valid_from=said(text).valid_from).validity()
        again = engram_file_text(PATH, NAME, revived, back, old, ZONE)
        assert again.replace("---\n---\n", "") == text


def test_a_bound_that_the_ledger_lifted_earlier_is_taken_out():
    text = "---\nvalid_from: 2026-01-01\nvalid_to: 2026-02-01\n---\nSum.\n"
    old = replace(believed(text), valid_to=None, revivals=(Revival(moment(2026, 2, 1), moment(2026, 3, 1)),))
    result = engram_file_text(PATH, NAME, text, old, replace(old, tags=("a",)), ZONE)
    assert (said(result).valid_to, said(result).revivals) == (None, old.revivals)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"tags": ("#x",)}, "tags"),
        ({"summary": "x" * 281}, "summary"),
        ({"title": "two\nlines"}, "title"),
        ({"affect_reason": "short"}, "affect_reason"),
        ({"area": " padded "}, "area"),
        ({"body": "a\r\nb"}, "body"),
        ({"body": "   "}, "body"),
        ({"status": "done"}, "status"),
        ({"rating": "strong"}, "rating"),
        ({"aliases": ()}, "aliases"),
        ({"claims": (Claim("a=b", "c"),)}, "claims[0].predicate"),
        ({"extra": {"summary": "other"}}, "summary"),
        ({"valid_to": moment(2020, 1, 1), "valid_from": moment(2021, 1, 1)}, "valid_to"),
        ({"superseded_by": "half \ud800"}, "superseded_by"),
    ],
)
def test_what_would_be_read_differently_is_refused(changes, field):
    with pytest.raises(Refused) as refused:
        written(FIELDS, **changes)
    assert (refused.value.file, refused.value.field) == (PATH, field)
    assert refused.value.hint


def test_a_file_that_is_no_memory_is_refused():
    for text in ("---\nconfidence: 99\n---\nSum.\n", "---\na: [\n---\nSum.\n", ""):
        with pytest.raises(Refused) as refused:
            engram_file_text(PATH, NAME, text, Content("Sum."), Content("New."), ZONE)
        assert refused.value.file == PATH
        assert "mend" in (refused.value.hint or "")


def test_a_heading_that_is_not_the_title_is_not_lost():
    text = "---\ntitle: Field\n---\n# Heading\n\nSum.\n"
    assert written(text, title="Other") == text.replace("Field", "Other")
    with pytest.raises(Refused):
        written(text, title=None)


def test_new_words_are_laid_out_like_the_old_ones():
    assert laid_out("New\r\nwords", "\nOld\n") == "\nNew\nwords\n"
    assert laid_out("\n\nNew\n", "Old") == "New"
    assert laid_out("New", None) == laid_out("New\n\n", " \n") == "New\n"
    assert laid_out(" \n", "\nOld\n") == ""
    assert written(FIELDS, body=laid_out("New", believed(FIELDS).body)) == FIELDS.replace("Some [[body]].", "New")


LINES = st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=30).map(
    lambda t: " ".join(t.split())
)
WORDS = LINES.filter(lambda t: not is_blank(t))
MOMENTS = st.integers(moment(1990, 1, 1), moment(2090, 1, 1))
CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "summary": WORDS,
        "title": st.none() | WORDS,
        "body": st.none() | TEXTS.filter(lambda t: not is_blank(t) and "\r" not in t),
        "area": st.none() | WORDS,
        "affect": st.none() | WORDS,
        "owner": st.none() | WORDS,
        "tags": st.lists(WORDS.filter(lambda t: t[0] != "#"), max_size=4, unique=True).map(tuple),
        "source_refs": st.lists(WORDS, max_size=4, unique=True).map(tuple),
        "confidence": st.none() | st.sampled_from(["firm", "BURNING", 1, 7.25, 10.0]),
        "stability_days": st.none() | st.floats(1e-9, 1e9, exclude_min=True),
        "pinned": st.booleans(),
        "valid_to": st.none() | MOMENTS.filter(lambda m: m > moment(2026, 6, 1)),
        "superseded_by": st.none() | WORDS,
        "claims": st.lists(
            st.builds(
                Claim,
                predicate=st.text("ab #:'é", min_size=1).map(str.strip).filter(lambda p: p and "::" not in p),
                object=st.none() | WORDS,
                subject=st.none() | st.just("A/b: c"),
                valid_from=st.none() | MOMENTS,
            ),
            max_size=3,
        ).map(tuple),
        "extra": st.dictionaries(st.sampled_from(["mood", "created", "x y"]), st.just("2026-01-01"), max_size=2),
    },
)  # fmt: skip


@given(st.sampled_from([FIELDS, PARAGRAPH, BARE, FIELDS.replace("\n", "\r\n"), "\ufeff" + FIELDS]), CHANGES, CHANGES)
def test_the_file_says_what_the_memory_has_become(text, first, second):
    old = believed(text)
    for changes in (first, second):
        new = replace(old, **changes)
        result = engram_file_text(PATH, NAME, text, old, new, ZONE)
        content = said(result)
        stamped = {
            "valid_from": new.valid_from,
            "memory_type": new.memory_type,
            "encoding_context": new.encoding_context,
        }
        assert replace(content, links=(), **stamped) == replace(new, links=())
        text, old = result, new


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_the_sample_vault_can_be_edited_and_edited_back(path):
    text = path.read_text(encoding="utf-8")
    old = believed(text)
    # A date comes back as the instant it meant, so a window that is closed stays as it is.
    end = moment(2030, 1, 1) if old.valid_to is None else old.valid_to
    new = replace(old, tags=(*old.tags, "new: tag"), superseded_by="x", summary="Other.", confidence=3, valid_to=end)
    changed = engram_file_text(PATH, NAME, text, old, new, ZONE)
    edited = ("tags:", "confidence:", "superseded_by:", "summary:")
    kept = [line for line in text.splitlines() if not line.startswith(edited)]
    assert set(kept) <= set(changed.splitlines())
    assert engram_file_text(PATH, NAME, changed, new, old, ZONE) == text
