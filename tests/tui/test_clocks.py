"""The two clocks as one value: what a move of one means for the other."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memtui.model.belief import NOW, BeliefState
from memtui.tui.clocks import Clocks

PRESENT = 1_000
past = st.integers(0, PRESENT - 1)
places = st.none() | past
anywhen = st.none() | st.integers(0, 3 * PRESENT)


@st.composite
def moved(draw):
    """Clocks after any moves."""
    clocks = Clocks(linked=draw(st.booleans()))
    for _ in range(draw(st.integers(0, 6))):
        match draw(st.sampled_from(["known", "true", "link"])):
            case "known":
                clocks = clocks.moved_known(draw(places), PRESENT)
            case "true":
                clocks = clocks.moved_true(draw(anywhen), PRESENT)
            case _:
                clocks = clocks.with_link(linked=not clocks.linked)
    return clocks


def settled(clocks):
    return clocks.belief.settle(PRESENT)


@given(moved(), places)
def test_known_at_stands_where_it_was_moved(clocks, place):
    after = clocks.moved_known(place, PRESENT)
    known, true = settled(after)
    assert known == (PRESENT if place is None else place)
    assert true == (known if clocks.linked else settled(clocks)[1])


@given(moved(), anywhen)
def test_true_at_stands_where_it_was_moved_and_nobody_knows_the_future(clocks, place):
    after = clocks.moved_true(place, PRESENT)
    known, true = settled(after)
    assert true == (PRESENT if place is None else place)
    assert known <= PRESENT
    if not clocks.linked:
        assert known == settled(clocks)[0]
    elif true <= PRESENT:
        assert known == true


@given(moved())
def test_what_is_shown_of_a_clock_is_what_is_asked(clocks):
    known, true = settled(clocks)
    assert (PRESENT if clocks.known is None else clocks.known) == known
    assert (PRESENT if clocks.true_place is None else clocks.true_place) == true
    assert clocks.is_present == (clocks.belief == NOW)


@given(moved())
def test_unlinking_moves_nothing_and_linking_brings_them_together(clocks):
    assert settled(clocks.with_link(linked=False)) == settled(clocks)
    known, true = settled(clocks.with_link(linked=True))
    assert known == true == settled(clocks)[0]


@given(moved())
def test_back_to_now_is_now(clocks):
    after = clocks.at_present()
    assert after.belief == BeliefState()
    assert after.linked == clocks.linked
