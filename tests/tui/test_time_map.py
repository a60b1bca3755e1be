"""The bitemporal map: a row per version, whatever its times; the crosshair where the clocks stand."""

from __future__ import annotations

import re
from datetime import timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.opening import open_memory
from memtui.model.instants import DAY, MAX_INSTANT, MIN_INSTANT
from memtui.tui.display import width_of
from memtui.tui.time_map import Crosshair, believed_at, map_tab
from tests.clocks import SteppingClock, at

START = at("2026-03-01T09:00:00Z")


@pytest.fixture(scope="module")
def versions(tmp_path_factory):
    """A memory forgotten and revived nine times, and one that lasts from the year 1 to 9999."""
    clock = SteppingClock(START)
    memory = open_memory(tmp_path_factory.mktemp("map"), create=True, clock=clock)
    memory.remember("The mill grinds at six", name="mill")
    for _ in range(9):
        clock.forward(DAY)
        memory.forget("mill")
        clock.forward(3)
        memory.revive("mill")
    memory.remember("The river runs", name="river", valid_from="0001-01-01", valid_to="9999-12-31")
    return {name: memory.history(name) for name in ("mill", "river")}


def rows(prepared):
    return [line.text for line in prepared.lines]


@given(
    st.sampled_from(["mill", "river"]),
    st.integers(START - DAY, START + 20 * DAY),
    st.sampled_from([MIN_INSTANT, MAX_INSTANT]) | st.integers(START - DAY, START + 20 * DAY),
    st.integers(-30, 30),
    st.integers(1, 200),
)
def test_any_moment_at_any_width(versions, name, known_at, true_at, against, width):
    prepared = map_tab(versions[name], Crosshair(known_at, true_at), against, width, timezone.utc)
    drawn = [row for row in rows(prepared) if set("▓▒░") & set(row)]
    assert len({width_of(row) for row in drawn}) <= 1
    assert all("┃" in row or "│" in row for row in drawn)
    believed = believed_at(versions[name], known_at)
    assert any("▓" in row for row in drawn) == (believed is not None)
    assert prepared.note == (
        "not yet known" if believed is None else f"version {believed + 1} of {len(versions[name])}"
    )


def test_nine_revivals_leave_nine_gaps(versions):
    mill = versions["mill"]
    prepared = map_tab(mill, Crosshair(START + 30 * DAY, START + 30 * DAY), -1, 140, timezone.utc)
    (now,) = [row for row in rows(prepared) if "▓" in row]
    assert len(re.findall("[▓┃]+", now)) == 10


def test_the_versions_beside_the_believed_one_can_be_chosen(versions):
    mill = versions["mill"]
    at_end = Crosshair(START + 30 * DAY, START + 30 * DAY)
    assert any("against version 18," in row for row in rows(map_tab(mill, at_end, -1, 100, timezone.utc)))
    assert any("against version 1," in row for row in rows(map_tab(mill, at_end, -50, 100, timezone.utc)))
    assert any("< and > compare" in row for row in rows(map_tab(mill, at_end, 5, 100, timezone.utc)))
    first = Crosshair(START, START)
    assert any("against version 2," in row for row in rows(map_tab(mill, first, 1, 100, timezone.utc)))


def test_what_may_have_been_there_before_is_hatched(tmp_path):
    (tmp_path / "note.md").write_text("# Mill\n\nIt grinds.\n", encoding="utf-8")
    memory = open_memory(tmp_path, create=True, clock=SteppingClock(START))
    memory.sync()
    (key,) = [record.key for record in memory.list().records]
    page = rows(map_tab(memory.history(key), Crosshair(START, START), -1, 80, timezone.utc))
    assert any(row.startswith("unseen") and "░░ may have been there before ░" in row for row in page)


def test_versions_of_one_second_are_told_apart(tmp_path):
    clock = SteppingClock(START)
    memory = open_memory(tmp_path, create=True, clock=clock)
    memory.remember("The mill grinds at six", name="mill")
    for hour in ("seven", "eight"):
        clock.forward(250_000)
        memory.update("mill", summary=f"The mill grinds at {hour}")
    page = rows(map_tab(memory.history("mill"), Crosshair(clock.now, clock.now), -1, 120, timezone.utc))
    stamped = [row.split("  ")[0].strip() for row in page if "09:00:00." in row and set("▓▒") & set(row)]
    assert len(stamped) == len(set(stamped)) == 3
