"""The retention curve as a plot of characters: its peaks, its floor, today, and what stands below."""

from __future__ import annotations

from datetime import timezone

from hypothesis import given
from hypothesis import strategies as st

from memtui.model.instants import DAY
from memtui.tui.display import width_of
from memtui.tui.retention_curve import HEIGHT, curve_lines
from tests.clocks import at

NOW = at("2026-08-01T10:00:00Z")
BLOCKS = " ▁▂▃▄▅▆▇█"
AXIS = 6


def plot(*, recalls=(), last=None, since=NOW - 300 * DAY, stability=15.0, width=100, floor=0.15, authored=15.0):
    lines = curve_lines(
        authored=authored,
        since=since,
        recalls=recalls,
        stability=stability,
        last=max([since, *recalls]) if last is None else last,
        now=NOW,
        floor=floor,
        width=width,
        zone=timezone.utc,
    )
    return lines[:HEIGHT], lines[HEIGHT], lines[HEIGHT + 1]


def heights(rows):
    """The height of each column in eighths of a row; what is no block stands on the floor of its row."""
    columns = zip(*(row.text[AXIS:] for row in rows), strict=True)
    return [sum(max(BLOCKS.find(sign), 0) for sign in column) for column in columns]


def test_it_starts_whole_and_fades():
    found = heights(plot()[0])
    assert found[0] == 8 * HEIGHT
    assert found == sorted(found, reverse=True)
    assert found[-1] == 0


def test_each_recall_is_a_peak_above_its_mark_however_narrow_its_cell():
    for width in (36, 60, 110):
        recalls = (NOW - 200 * DAY, NOW - 120 * DAY)
        rows, marks, _ = plot(recalls=recalls, width=width)
        cells = [place - AXIS for place, sign in enumerate(marks.text) if sign == "▴"]
        assert len(cells) == len(recalls)
        assert all(heights(rows)[cell] == 8 * HEIGHT for cell in cells)


def test_what_was_recalled_lasts_longer():
    cells = 40
    at_first = heights(plot(width=AXIS + cells)[0])
    recalled = heights(plot(width=AXIS + cells, stability=45.0)[0])
    assert sum(recalled) > sum(at_first)


def test_the_floor_is_a_line_where_the_curve_does_not_stand():
    rows, _, _ = plot()
    floor_row = rows[HEIGHT - 1]
    assert floor_row.text.startswith(" 15% ")
    assert "┄" in floor_row.text
    assert not any("┄" in row.text for row in rows[:-1])
    assert rows[0].text.startswith("100%")


def test_today_is_one_upright_line_with_its_foot_on_the_axis():
    rows, marks, _ = plot()
    today = marks.text.index("┴")
    assert all(row.text[today] == "│" for row in rows)


def test_dates_stand_below():
    _, _, dates = plot()
    assert "Jan 2026" in dates.text


def test_what_is_fresh_shows_how_it_will_reach_the_floor():
    rows, marks, _ = plot(since=NOW - 2 * DAY)
    today = marks.text.index("┴") - AXIS
    assert 0 < today < len(rows[0].text) - AXIS - 1


def test_what_fades_over_centuries_leaves_its_past_half_of_the_room():
    for stability in (1e5, 1e12):
        rows, marks, _ = plot(stability=stability, authored=stability, recalls=(NOW - 100 * DAY,))
        assert 40 <= marks.text.index("┴") <= 60
        assert set(heights(rows)) == {8 * HEIGHT}


@given(st.lists(st.integers(0, 2_000), max_size=30), st.integers(0, 3_000), st.floats(0.1, 1e6), st.integers(14, 110))
def test_it_takes_as_many_rows_and_cells_as_it_should(ages, born, stability, width):
    recalls = tuple(sorted(NOW - age * DAY for age in ages))
    rows, marks, dates = plot(since=NOW - born * DAY, recalls=recalls, stability=stability, width=width)
    assert {width_of(row.text) for row in rows} == {width}
    assert width_of(marks.text) <= width
    assert width_of(dates.text) <= width
    for line in (*rows, marks, dates):
        assert all(0 <= span.start < span.end <= len(line.text) for span in line.spans)
