"""Headings, sections, drawings and links, as far as search needs them."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.text.markdown import first_heading, link_targets, section_at, sections, strip_excalidraw

TEXT = """before

# Title #
intro
## One
text
### Inner
deep
## Two ##
```python
# no heading
## nor this
```
end
"""


def outline(text):
    return [(s.level, s.heading, s.line) for s in sections(text)]


def test_sections_have_level_heading_and_line():
    assert outline(TEXT) == [(1, "Title", 3), (2, "One", 5), (3, "Inner", 7), (2, "Two", 9)]


def test_a_section_ends_after_its_subsections():
    title, one, inner, two = (TEXT[s.start : s.end] for s in sections(TEXT))
    assert title.endswith("end\n")
    assert one == "## One\ntext\n### Inner\ndeep\n"
    assert inner == "### Inner\ndeep\n"
    assert two.startswith("## Two ##\n```python")


@pytest.mark.parametrize(
    ("line", "starts", "ends"),
    [(1, "before", "\n\n"), (4, "# Title", "intro\n"), (6, "## One", "text\n"), (8, "### Inner", "deep\n"),
     (12, "## Two", "end\n"), (9999, "## Two", "end\n")],
)  # fmt: skip
def test_the_section_that_holds_a_line(line, starts, ends):
    start, end = section_at(TEXT, line)
    assert TEXT[start:end].startswith(starts)
    assert TEXT[start:end].endswith(ends)


def test_a_text_without_headings_is_one_stretch():
    assert sections("a\nb") == []
    assert section_at("a\nb", 2) == (0, 3)
    assert section_at("", 1) == (0, 0)


def test_underlined_headings():
    assert outline("Big\n===\ntext\n\nSmall\n---\n") == [(1, "Big", 1), (2, "Small", 5)]


@pytest.mark.parametrize(
    "text",
    [
        "one line\nand another\n---\n",  # below a paragraph people mean a rule
        "- item\n---\n",
        "> quote\n---\n",
        "| a |\n---\n",
        "\n---\n",
        "---\n---\n",
        "1. item\n---\n",
        "#hashtag\n",
        "    # code\n",
        "text\n-\n",
        "<!-- ## gone\n## gone too\n-->\n",
        "~~~\n# a\n```\n# b\n~~~\n",
        "````\n```\n# a\n````\n",
        "```\n# never closed\n",
        "####### seven\n",
    ],
)
def test_what_is_no_heading(text):
    assert outline(text) == []


def test_fences_close_and_headings_go_on():
    assert outline("```\n# a\n``` x\n# b\n```\n# c\n") == [(1, "c", 6)]
    assert outline("``` code ` in line\n# a\n") == [(1, "a", 2)]
    assert outline("<!-- x --> # no\n# yes\n#\n") == [(1, "yes", 2), (1, "", 3)]


def test_the_first_heading_of_the_highest_rank():
    assert first_heading("## Why\n# \n# What ##\n# Else") == "What"
    assert first_heading("## Why\n") is None


DRAWING = """==Switch to EXCALIDRAW VIEW==

# Excalidraw Data

## Text Elements
A box
of two lines ^RDM7Vf77

# drawn heading ^abcDEF12

%%
## Drawing
```compressed-json
N4KAkARALgngDgUwgLgAQQQDwMYEMA2AlgCYBOuA7hADTgQBuCpAzoQPYB2KqATLZMzYBXUtiRoIACyhQ4
```
%%
"""


def test_only_the_words_of_a_drawing():
    assert strip_excalidraw(DRAWING) == "A box\nof two lines\n\n# drawn heading\n\n"


def test_a_drawing_without_words_and_a_text_without_drawing():
    assert strip_excalidraw("# Excalidraw Data\n\n# Drawing\n```json\n{}\n```\n") == ""
    assert strip_excalidraw("just words\n") == "just words\n"
    assert strip_excalidraw("## Text Elements") == ""
    assert strip_excalidraw("# Text Elements\nold ^12345678\n# Embedded files\nabc: [[x.png]]\n") == "old\n"


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("see [[Plan]] and [[work/Plan|the other]] and [[Plan#Costs]]", ("Plan", "work/Plan")),
        ("| [[a\\|b]] | ![[embedded note]] |", ("a", "embedded note")),
        ("[[#here]] [[ ]] [[https://x.y]]", ()),
        (
            "[a](b.md) [c](<d e.md>) [f](g%20h.md#part 'title') [i](../j/k.md)",
            ("b.md", "d e.md", "g h.md", "../j/k.md"),
        ),
        ("[a](https://x.y/z.md) [b](mailto:a@b.c) [c](#part) [d](//host/x) ![i](pic.png)", ()),
        ("[ref]: notes/x.md\n[^1]: y.md\n[n]: prose\n", ("notes/x.md",)),
        ("`[[code]]` ``[[x]] ` [[y]]`` [[z]]", ("z",)),
        ("```\n[[fenced]]\n```\n[[free]]", ("free",)),
        ("a ` b [[free]]\n\nc ` d", ("free",)),
        ("[[a]] [[b]] [[a]]", ("a", "b")),
        ("[[b]] [x](a.md) [[c]]", ("b", "a.md", "c")),
        ("[[家]] [[Öğrenci]]", ("家", "Öğrenci")),
        ("[[un\nclosed]] [[a[b]] []]", ()),
    ],
)
def test_link_targets(text, targets):
    assert link_targets(text) == targets


@given(
    st.lists(
        st.sampled_from(["#", "## a\n", "\n", "```", "~~~\n", "---\n", "===\n", "[[", "]]", "](", "[", ")", "`", "x"])
    )
)
def test_stretches_cover_the_text_and_nothing_raises(parts):
    text = "".join(parts)
    link_targets(text)
    strip_excalidraw(text)
    starts = sorted({section_at(text, line) for line in range(1, text.count("\n") + 2)})
    assert "".join(text[start:end] for start, end in starts) == text
    assert all(text[s.start : s.end].strip() for s in sections(text))


def test_long_hostile_lines_cost_no_more_than_their_length():
    began = time.perf_counter()
    for piece in ("[[", "](", "[a](", "`` ` ", "x", "[[a]] `", "# ", "---\n", "<!--"):
        hostile = piece * (200_000 // len(piece))
        link_targets(hostile)
        sections(hostile)
    assert time.perf_counter() - began < 8


def test_images_and_definitions_are_told_by_what_stands_before_them():
    text = "![a](no.md) [b](one.md)![c](no.md)\n   [d]: two.md\n    [e]: no.md\nx [f]: no.md\n[g]: three.md"
    assert link_targets(text) == ("one.md", "two.md", "three.md")
    assert link_targets("  [d]: two.md") == ("two.md",)
    assert link_targets("[x](one.md)") == ("one.md",)


@pytest.mark.parametrize("pattern", ["[](" + "a" * 1_000, "[a]: b.md ", " ", "[[a", "` ", " ^abcdefg", "a\n---\n"])
def test_hostile_markdown_costs_what_its_length_says(pattern):
    """A generous bound: what tries a long run again from each of its characters takes minutes."""
    text = "## Text Elements\n[l](y.md)" + pattern * (1_000_000 // len(pattern))
    began = time.process_time()
    link_targets(text)
    strip_excalidraw(text)
    sections(text)
    assert time.process_time() - began < 6
