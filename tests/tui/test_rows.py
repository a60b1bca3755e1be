"""Rows of the result list, as strips."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style

from memtui.model.instants import DAY
from memtui.model.records import KINDS, WORKSPACE, Content, RecordKey
from memtui.model.results import RecordView, Snippet
from memtui.tui.marking import Marker
from memtui.tui.rows import Row
from memtui.tui.widgets.result_row import KIND_GLYPHS, RowLook, best_line, paint_row

PLAIN = Style()
MATCH = Style(bold=True)
LOOK = RowLook(PLAIN, PLAIN, MATCH, PLAIN, PLAIN, PLAIN, PLAIN, PLAIN, dict.fromkeys(KINDS, PLAIN))
NOW = 100 * DAY


def painted(
    content, passage=None, query="", width=60, name="a-name", state="in_force", overridden=False, retention=None
):
    record = RecordView(RecordKey(WORKSPACE, "engram", name), content, state, 90 * DAY, 1, overridden)
    strips = paint_row(
        Row(record, retention=retention), passage, Marker.of(query, passage), LOOK, width, NOW, selected=False
    )
    return [strip.text for strip in strips]


@given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=30), st.integers(30, 120))
@example("", "0", "\u200d", 31)
def test_both_lines_are_exactly_as_wide_as_the_list(title, body, name, width):
    content = Content(title=title, summary=body, area=name, pinned=True)
    passage = Snippet(body, ((0, min(3, len(body))),) if body else (), 1)
    for line in painted(content, passage, body, width, name or "n", "forgotten"):
        assert cell_len(line) == width


def test_every_kind_has_a_glyph_of_one_cell():
    assert set(KIND_GLYPHS) == set(KINDS)
    assert len(set(KIND_GLYPHS.values())) == len(KINDS)
    assert all(cell_len(glyph) == 1 for glyph in KIND_GLYPHS.values())


def test_a_row_tells_title_age_badges_snippet_and_name():
    content = Content(title="Tare guard", summary="Before each weighing", pinned=True)
    first, second = painted(content, Snippet("the empty scale is near zero", ((10, 15),), 1), "scale")
    assert first.startswith("  ● Tare guard")
    assert first.rstrip().endswith("10d")
    assert "pinned" in first
    assert "the empty scale is near zero" in second
    assert second.rstrip().endswith("a-name")


@pytest.mark.parametrize(("retention", "bar"), [(1.0, "━━━"), (0.5, "━╸─"), (0.001, "╸──"), (None, "   ")])
def test_a_bar_tells_how_present_a_memory_is_in_mind(retention, bar):
    assert f"  {bar}   10d" in painted(Content(summary="x"), retention=retention)[0]
    assert "━" not in painted(Content(summary="x"), retention=retention, width=40)[0]


def test_a_forgotten_one_says_so():
    assert "forgotten" in painted(Content(summary="x"), state="forgotten")[0]
    assert "superseded" in painted(Content(summary="x"), state="superseded")[0]
    assert "not yet true" in painted(Content(summary="x"), state="not_yet")[0]


def test_one_that_a_later_entry_replaces_says_so():
    assert "overridden" in painted(Content(summary="x"), overridden=True)[0]
    assert "overridden" not in painted(Content(summary="x"))[0]


def test_a_long_title_that_is_the_text_goes_on_below():
    text = "The scale in the cold hall drifts by two kilograms so it is zeroed twice a day, at dawn and at dusk"
    first, second = painted(Content(summary=text), Snippet(text, (), 1))
    shown = first[4:].partition("…")[0]
    assert text.startswith(shown)
    assert second.strip().startswith(text[len(shown) :].strip()[:20])


def test_a_short_title_that_is_the_text_leaves_room_for_area_and_name():
    assert "Feature/x · a-name" in painted(Content(summary="Short", area="Feature/x"), Snippet("Short", (), 1))[1]


def test_the_name_loses_its_folders_first():
    content = Content(title="Title", summary="Some other words that fill the line")
    assert "…/lot-blocks" in painted(content, name="knowledge/decisions/lot-blocks", width=50)[1]


def test_the_best_line_has_the_most_matches_and_no_markdown_before_it():
    text = "# Scale\n- one scale and another scale\nplain"
    spans = ((2, 7), (14, 19), (32, 37))
    line, inside = best_line(Snippet(text, spans, 1), "Other")
    assert line == "one scale and another scale plain"
    assert [line[a:b] for a, b in inside] == ["scale", "scale"]


def test_a_line_that_repeats_the_title_is_the_last_choice():
    line, _ = best_line(Snippet("Error codes\nWhat each one means", ((0, 5),), 1), "Error codes")
    assert line == "What each one means"
    assert best_line(Snippet("", (), 1)) == ("", ())
