"""Fields into text: what of a record is searched as which field."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.model.records import Claim, Content, Finding, RecordKey
from memtui.text.searchable import SearchableText, searchable, searchable_hash


def test_an_engram():
    content = Content(
        title="Lead",
        summary="Mia leads the team",
        body="since spring",
        area="Person/Mia",
        tags=("team", "people"),
        source_refs=("commit:3eb6f2c",),
        claims=(Claim("leads", "team", "Person/Mia"),),
        aliases=("mia",),
    )
    text = searchable(RecordKey("workspace", "engram", "people/mia-leads"), "people/mia-leads", content)
    assert text == SearchableText(
        title="Lead",
        description="Mia leads the team",
        tags="team people",
        body="since spring\nPerson/Mia\nPerson/Mia::leads=team\ncommit:3eb6f2c",
        identity="people/mia-leads\nmia\nmia-leads",
    )


def test_research_has_its_findings():
    content = Content(summary="s", findings=(Finding("kettles boil", "strong", ("url:x",)),))
    assert searchable("research", "r", content).body == "kettles boil\nurl:x"
    assert searchable("research", "r", content).identity == "r"


@pytest.mark.parametrize(
    ("content", "title", "tags"),
    [
        (Content(summary="short", body="long", tags=("fix", "api"), doc_type="fix"), "short", "fix api"),
        (Content(body="\nfirst line\nsecond", doc_type="fix", tags=("api",)), "first line", "fix api"),
    ],
)
def test_a_changelog_entry(content, title, tags):
    text = searchable("changelog", "e1", content)
    assert (text.title, text.tags) == (title, tags)
    assert text.description == ""


def test_a_changelog_entry_holds_its_references():
    content = Content(summary="s", body="text", source_refs=("file:a.py",))
    assert searchable("changelog", "e1", content).body == "text\nfile:a.py"


def test_documents_take_title_then_heading_then_name():
    assert searchable("knowledge", "a/b", Content(title="T", body="# H")).title == "T"
    assert searchable("knowledge", "a/b", Content(body="```\n# no\n```\n# Yes\ntext")).title == "Yes"
    assert searchable("note", "a/b", Content(summary="said", body="text")) == SearchableText(
        "a/b", "said", "", "text", "a/b\nb"
    )


FIELDS = st.builds(SearchableText, *[st.text(st.characters(exclude_categories=()), max_size=4)] * 5)


@given(FIELDS, FIELDS)
def test_the_hash_tells_fields_apart(one, other):
    assert (searchable_hash(one) == searchable_hash(other)) == (one == other)
    assert len(searchable_hash(one)) == 64


def test_moving_words_between_fields_changes_the_hash():
    assert searchable_hash(SearchableText("ab", "", "", "", "")) != searchable_hash(
        SearchableText("a", "b", "", "", "")
    )
