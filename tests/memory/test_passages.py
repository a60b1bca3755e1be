"""Where an answer stands: also of what was found by its meaning alone, the file and the line of its passage."""

from __future__ import annotations

import pytest

from tests.memory.test_meaning import TopicEmbedder

WORDS = " ".join(f"word{n}" for n in range(110))
HOUSE = f"""---
title: The house
summary: What a guest should know
---
# The house

Shoes off.

{WORDS}

## Evenings

The kettle is on at five.

{WORDS}

## Autumn

The mill presses until midnight.

{WORDS}
"""


@pytest.fixture
def house(memory, write):
    memory.register_embedder(TopicEmbedder())
    write("knowledge/house.md", HOUSE)
    memory.sync()
    memory.remember("How a forgotten password is renewed", name="password")
    memory.remember("A rope hangs in the shed", name="rope")
    memory.embed()
    return HOUSE.split("\n")


@pytest.mark.parametrize(("query", "heading"), [("zeytin", "## Autumn"), ("çay", "## Evenings")])
def test_a_question_in_another_language_leads_to_the_line_that_answers_it(memory, house, query, heading):
    hit = memory.recall(query).hits[0]
    assert hit.name == "house"
    assert hit.coverage == 0
    assert hit.snippet.startswith(heading)
    assert house[hit.line - 1] == heading
    assert hit.as_dict()["line"] == house.index(heading) + 1


def test_where_words_answer_their_own_line_is_shown(memory, house):
    hit = memory.recall("shoes", semantic=True).hits[0]
    assert [hit.snippet[a:b] for a, b in hit.spans] == ["Shoes"]
    assert hit.line == house.index("# The house") + 1
