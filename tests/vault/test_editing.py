"""Documents are edited in their front matter and their text; what is not UTF-8 is left alone."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.errors import Refused
from memtui.text.frontmatter import split_front_matter
from memtui.text.naming import is_blank
from memtui.vault.decoding import decode
from memtui.vault.editing import editable_text, edited_document, file_bytes
from memtui.vault.source_text import Edit, SourceText
from tests.vault.test_editing_front_matter import RICH, TEXTS

PATH = "knowledge/printer.md"
HEADED = "# Printer\n\nIt prints.\n"
SAMPLES = sorted(Path(__file__).parents[2].glob("sample_vault/**/*.md"))
PLAIN_TEXTS = TEXTS.filter(lambda text: not is_blank(text))


def read(text):
    front = split_front_matter(SourceText(text).text)
    assert not front.broken
    return front


def test_nothing_given_changes_nothing():
    for text in (RICH, HEADED, "", "\ufeff" + HEADED, RICH.replace("\n", "\r\n")):
        assert edited_document(PATH, text) == text


def test_a_title_that_stands_as_a_heading_becomes_a_field_and_the_heading_stays():
    assert edited_document(PATH, HEADED, title="Label  printer") == "---\ntitle: Label printer\n---\n" + HEADED
    assert edited_document(PATH, RICH, title="Other") == RICH.replace("title: First", "title: Other")


def test_fields_are_set_and_taken_away():
    text = "---\ntitle: T\ntags: ['#a', 2026, c]\npinned: yes\n---\nBody\n"
    result = edited_document(PATH, text, tags=["a", "2026", "#d", " "], pinned=False, description=" What it is \n")
    assert result == "---\ntitle: T\ntags: ['#a', 2026, 'd']\npinned: false\ndescription: What it is\n---\nBody\n"
    assert edited_document(PATH, text, title="", tags=(), description="\u200b") == "---\npinned: yes\n---\nBody\n"
    assert edited_document(PATH, HEADED, pinned=False) == HEADED
    assert edited_document(PATH, HEADED, pinned=True) == "---\npinned: true\n---\n" + HEADED
    assert (
        edited_document(PATH, "---\ntags: ['# a']\n---\n", tags=["a", "#", "# b"]) == "---\ntags: ['# a', 'b']\n---\n"
    )
    assert edited_document(PATH, "---\ntags: a, b\n---\n", tags=["a", "c"]) == "---\ntags: [a, c]\n---\n"


def test_the_text_is_replaced_in_the_layout_it_had():
    text = "---\ntitle: T # keep\n---\n\nOld\n"
    assert edited_document(PATH, text, content="New\r\n\r\nwords\n\n") == "---\ntitle: T # keep\n---\n\nNew\n\nwords\n"
    assert edited_document(PATH, text, content="") == "---\ntitle: T # keep\n---\n"
    assert edited_document(PATH, "Old", content="New") == "New"
    assert edited_document(PATH, "", content="New") == "New\n"
    assert edited_document(PATH, "---\na: 1\n---", content="New") == "---\na: 1\n---\nNew\n"
    assert edited_document(PATH, "---\na: 1\n---glued", content="- item") == "---\na: 1\n---\n- item"
    assert edited_document(PATH, "a\r\nb\r\n", content="c\nd") == "c\r\nd\r\n"
    assert edited_document(PATH, text, content="New", append="More") == "---\ntitle: T # keep\n---\n\nNew\n\nMore\n"


@pytest.mark.parametrize(
    ("body", "addition", "result"),
    [
        ("One.\n", "Two.", "One.\n\nTwo.\n"),
        ("One.", "Two.\n", "One.\n\nTwo.\n"),
        ("One.\n\n\n", "\nTwo.\n\n", "One.\n\n\nTwo.\n"),
        ("", "Two.", "Two.\n"),
        ("\n", "Two.", "\nTwo.\n"),
        ("  ", "Two.", "  \nTwo.\n"),
        ("- a\n", "- b\n- c", "- a\n- b\n- c\n"),
        ("- a", "1. b", "- a\n1. b\n"),
        ("| a |\n", "| b |", "| a |\n| b |\n"),
        ("- a\n\n", "- b", "- a\n\n- b\n"),
        ("- a\n", "Two.", "- a\n\nTwo.\n"),
        ("One.\n", " \n", "One.\n"),
        ("a\r\nb\nc\r\n", "d\ne", "a\r\nb\nc\r\n\r\nd\r\ne\r\n"),
    ],
)
def test_what_is_appended_follows_as_a_paragraph_or_as_one_more_item(body, addition, result):
    assert edited_document(PATH, body, append=addition) == result
    assert edited_document(PATH, "---\na: 1\n---\n" + body.replace("\r", ""), append=addition) == (
        "---\na: 1\n---\n" + result.replace("\r", "")
    )


@given(st.sampled_from([RICH, HEADED, "\ufeff" + HEADED, RICH.replace("\n", "\r\n")]), PLAIN_TEXTS, PLAIN_TEXTS)
def test_an_edited_document_says_what_was_asked_for(text, description, addition):
    result = edited_document(PATH, text, description=description, append=addition)
    before, after = read(text), read(result)
    assert after.fields == {**before.fields, "description": after.fields["description"]}
    assert after.fields["description"] == description.replace("\r\n", "\n").replace("\r", "\n").strip()
    assert after.body.startswith(before.body)
    assert addition.replace("\r\n", "\n").replace("\r", "\n").strip("\n") in after.body
    raw_body = text[text.index("\nBody") :] if "\nBody" in text else HEADED
    assert raw_body.replace("\r\n", "\n") in result.replace("\r\n", "\n")


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_every_document_of_the_sample_vault_keeps_its_bytes(path):
    text = editable_text(PATH, path.read_bytes())
    assert file_bytes(PATH, text) == path.read_bytes()
    result = edited_document(PATH, text, title="Other: title", tags=["new"], pinned=True)
    kept = [line for line in text.splitlines() if not line.startswith(("title:", "tags:", "pinned:"))]
    assert [line for line in result.splitlines() if line in kept][-len(kept) :] == kept or not text.startswith("---")
    assert read(result).body == read(text).body
    assert edited_document(PATH, text, append="More").startswith(text.rstrip("\n"))


@pytest.mark.parametrize(
    ("path", "text", "given_", "said"),
    [
        (PATH, "---\na: [\n---\nBody\n", {"append": "x"}, "not valid YAML"),
        (PATH, "---\na: 1\nBody\n", {"title": "x"}, "is not closed"),
        (PATH, "Body\n", {"content": "---\na: 1\n---\nx"}, "would be taken for front matter"),
        ("d/x.excalidraw.md", "# Text Elements\n", {"content": "x"}, "is a drawing"),
        (PATH, "Body\n", {"append": "half \ud800"}, "half of a character"),
        (PATH, "Body\n", {"append": "x" + "\x01\x02" * 9}, "no longer be read as text"),
    ],
)
def test_what_cannot_be_done_without_harm_is_refused(path, text, given_, said):
    with pytest.raises(Refused) as refused:
        edited_document(path, text, **given_)
    assert said in refused.value.message
    assert refused.value.file == path
    assert refused.value.hint


def test_a_drawing_keeps_its_text_but_may_have_a_title():
    text = "---\nexcalidraw-plugin: parsed\n---\n# Text Elements\nword ^abcdefgh\n%%\n"
    assert edited_document("x.excalidraw.md", text, title="T") == text.replace("parsed\n", "parsed\ntitle: T\n")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("ağaç".encode("cp1254"), "is not UTF-8 (line 1)"),
        (b"ok\n" + "şey İĞ".encode("cp1254"), "is not UTF-8 (line 2)"),
        ("text".encode("utf-16"), "is not UTF-8"),
        ("some text".encode("utf-16-le"), "is UTF-16-LE"),
        ("şğı ".encode() * 9 + b"\xff", "is not UTF-8"),
        (b"\x89PNG\r\n", "holds no text"),
    ],
)
def test_what_is_not_utf8_is_left_alone(data, said):
    with pytest.raises(Refused) as refused:
        editable_text(PATH, data)
    assert said in refused.value.message
    assert "UTF-8" in (refused.value.hint or "") or "binary" in (refused.value.hint or "")


PIECES = st.lists(st.sampled_from(["a", "\n", "\r\n", "\0"]), max_size=20).map("".join)


@given(st.sampled_from(["", "\ufeff"]), PIECES, st.data())
def test_a_source_text_is_edited_where_readers_see_it(mark, raw, data):
    source = SourceText(mark + raw)
    assert source.text == decode(b"words enough to be text " + raw.encode()).text[24:]
    assert source.edited([]) == mark + raw
    start = data.draw(st.integers(0, len(source.text)))
    end = data.draw(st.integers(start, len(source.text)))
    new = data.draw(st.text(alphabet="ab\n", max_size=5))
    result = source.edited([Edit(start, end, new)])
    assert result.startswith(mark)
    assert SourceText(result).text == source.text[:start] + new + source.text[end:]


def test_a_lone_carriage_return_is_a_line_end_too():
    assert SourceText("a\rb\r\nc\n").text == "a\nb\nc\n"
    assert SourceText("a\rb\r\nc\n").edited([Edit(3, 4, "\n\n"), Edit(5, 5, "x\ny")]) == "a\rb\r\n\rcx\ry\n"
