"""What a hit shows: the words' passage, or the one nearest in meaning where it holds next to none of the words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.model.records import Content, RecordKey
from memtui.model.versions import Draft
from memtui.search.fetched import FetchedCorpus
from memtui.search.passages import SLIGHT
from memtui.search.resident import ResidentCorpus
from memtui.store.vectors import EmbeddedText
from memtui.text.chunking import chunks_of
from memtui.text.searchable import searchable
from tests.clocks import START, SteppingClock
from tests.search.test_meaning import SPACE, asked, direction
from tests.twins.ledger import TwinLedger

BOTH = pytest.mark.parametrize("corpus", [ResidentCorpus.load, FetchedCorpus])
LONG = " ".join(f"filler{n}" for n in range(110))
SECTIONS = ("# House\n\nIt stands.", "## Kettle\n\nBoil it twice.", "## Olives\n\nPress at night.")
BODY = "\n\n".join(f"{section}\n\n{LONG}" for section in SECTIONS) + "\n"


def holding(angles, body=BODY, kind="note", chunker=None, **fields):
    """A ledger of one record whose passages mean these angles."""
    ledger = TwinLedger(SteppingClock(step=1000))
    with ledger.writing() as unit:
        key = RecordKey("workspace", kind, "house")
        content = Content(title="House", body=body, valid_from=START, path="house.md", line=5, **fields)
        unit.append(Draft(key, "sync", content, "t"))
        names = [f"chunk {place}" for place in range(len(angles))]
        unit.embed(SPACE, [EmbeddedText(0, tuple(names))], dict(zip(names, map(direction, angles), strict=True)))
        unit.note_files(
            "workspace", files=[], gone=[], records={"house.md": [(key, 5)]}, problems={}, settings="{}"
        )  # fmt: skip
    return ledger


def only(ledger, query, corpus=ResidentCorpus.load, **options):
    (hit,) = asked(ledger, query, corpus, **options).hits
    return hit


@BOTH
@pytest.mark.parametrize(("nearest", "first", "line"), [(0, "# House", 1), (1, "## Kettle", 7), (2, "## Olives", 13)])
def test_a_hit_by_meaning_alone_shows_its_nearest_passage_from_its_first_line(corpus, nearest, first, line):
    angles = [40, 50, 60]
    angles[nearest] = 5
    hit = only(holding(angles), "xyzzy", corpus)
    assert hit.snippet.split("\n")[0] == first
    assert (hit.spans, hit.passage.line, hit.line) == ((), line, line + 4)


@BOTH
def test_without_meaning_in_play_nothing_changes(corpus):
    hit = only(holding([40, 5, 50]), "press night", corpus, meaning=None)
    assert "Press at night." in hit.snippet
    assert hit.line == 17


def test_words_that_hold_the_query_choose_the_passage():
    hit = only(holding([40, 5, 50]), "press night")
    assert "Press at night." in hit.snippet
    assert [hit.snippet[a:b] for a, b in hit.spans] == ["Press", "night"]


def test_words_that_hold_next_to_nothing_of_it_do_not():
    unknown = " ".join(f"q{n}" for n in range(8))
    hit = only(holding([40, 5, 50]), f"press {unknown}")
    assert hit.coverage < SLIGHT
    assert hit.snippet.startswith("## Kettle")
    within = only(holding([40, 50, 5]), f"press {unknown}")
    assert "Press at night." in within.snippet
    assert [within.snippet[a:b] for a, b in within.spans] == ["Press"]
    assert within.snippet.split("\n")[0] == BODY.split("\n")[within.passage.line - 1]


def test_the_summary_goes_with_the_first_passage_only():
    assert only(holding([5, 40, 50], summary="Where we live"), "xyzzy").snippet.startswith("Where we live\n# House")
    assert only(holding([50, 40, 5], summary="Where we live"), "xyzzy").snippet.startswith("## Olives")


@pytest.mark.parametrize("angles", [[5], [40, 5], [40, 30, 20, 5]])
def test_what_was_cut_otherwise_or_not_at_all_is_shown_from_its_beginning(angles):
    assert only(holding(angles), "xyzzy").snippet.startswith("# House")


def test_of_an_entry_what_stands_beside_its_text_is_no_passage():
    """The references of a change log's entry are searched and embedded, but they are not its text."""
    references = tuple(f"commit:{n:040d}" for n in range(120))
    entry = Content(title="Moved", body=f"The port moved.\n\n{LONG}", source_refs=references)
    chunks = chunks_of(searchable("changelog", "house", entry))
    assert chunks[-1].start > len(entry.body)
    ledger = holding([40] * (len(chunks) - 1) + [5], entry.body, "changelog", source_refs=references)
    assert only(ledger, "xyzzy").snippet.startswith("The port moved.")


LINES = st.lists(
    st.sampled_from(("## Head", "", "short line", "a b", LONG, f"- {LONG}", "```", "ğüş 日本語 🎈", "  indented\r")),
    min_size=1,
    max_size=14,
)


@given(lines=LINES, data=st.data())
@settings(max_examples=120, deadline=None)
def test_the_line_of_a_passage_is_where_its_first_words_stand(lines, data):
    body = "\n".join(lines)
    chunks = chunks_of(searchable("note", "house", Content(title="House", body=body)))
    nearest = data.draw(st.integers(0, len(chunks) - 1))
    angles = [60] * len(chunks)
    angles[nearest] = 5
    ledger = holding(angles, body)
    hit, fetched = (only(ledger, "xyzzy", corpus) for corpus in (ResidentCorpus.load, FetchedCorpus))
    assert hit.passage == fetched.passage
    if not body.strip():
        assert hit.snippet in ("House", "")
        return
    first = hit.snippet.split("\n")[0].strip("…")
    assert first in body.split("\n")[hit.passage.line - 1]
    assert len(hit.snippet) <= 320
    place = sum(len(line) + 1 for line in body.split("\n")[: hit.passage.line - 1])
    chunk = chunks[nearest]
    assert chunk.start - len(LONG) - 2 <= place < max(chunk.end, 1)
    assert np.isclose(hit.explanation.evaluate(), hit.rank_score, atol=1e-9)
