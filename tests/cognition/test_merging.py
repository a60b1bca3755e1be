"""Merge candidates: who says the same, found without comparing each with each."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.cognition.merging import Mergeable, Work, merge_groups, shared_terms
from memtui.model.intervals import Interval, ValiditySet
from memtui.model.records import RecordKey

ALWAYS = ValiditySet((Interval(0, None),))


def memories(sets, *, kind="engram", validity=ALWAYS):
    return [
        Mergeable(RecordKey("workspace", kind, f"m{place:05d}"), frozenset(words), validity, 3.0, place)
        for place, words in enumerate(sets)
    ]


def never(a, b):
    return False


def groups(among, threshold=0.5, apart=never, **options):
    return [(g.survivor, g.others) for g in merge_groups(among, threshold=threshold, apart=apart, **options)]


def overlap(a, b):
    return len(a.words & b.words) / len(a.words | b.words) if a.words | b.words else 0.0


def by_definition(among, threshold, apart):
    """Each that is not yet taken, best first, takes all that are alike to it: compared one by one."""
    order = sorted(range(len(among)), key=lambda p: (-among[p].confidence, -among[p].recorded_at, among[p].key.name))
    taken, found = set(), []
    for place in order:
        if place in taken:
            continue
        taken.add(place)
        alike = [
            other
            for other in range(len(among))
            if other not in taken
            and overlap(among[place], among[other]) >= threshold - 1e-9
            and not apart(place, other)
            and among[place].validity.overlaps(among[other].validity)
        ]
        if alike:
            taken.update(alike)
            found.append((place, tuple(alike)))
    return found


@given(
    st.lists(st.frozensets(st.sampled_from("abcdefghij"), max_size=8), max_size=24),
    st.sampled_from([0.25, 0.5, 0.7, 1.0]),
    st.sets(st.tuples(st.integers(0, 23), st.integers(0, 23)), max_size=12),
)
def test_groups_are_those_of_comparing_each_with_each(sets, threshold, pairs):
    among = memories(sets)

    def apart(a, b):
        return (a, b) in pairs or (b, a) in pairs

    assert groups(among, threshold, apart) == by_definition(among, threshold, apart)


@given(st.lists(st.frozensets(st.sampled_from("abcdef"), max_size=6), max_size=16), st.randoms(use_true_random=False))
def test_the_order_in_which_memories_come_does_not_matter(sets, random):
    among = memories(sets)
    shuffled = list(among)
    random.shuffle(shuffled)

    def told(memories):
        return {
            (memories[g.survivor].key, tuple(memories[o].key for o in g.others), g.words)
            for g in merge_groups(memories, threshold=0.5, apart=never)
        }

    assert told(among) == told(shuffled)


def test_the_surest_survives_then_the_newest_then_the_first_by_name():
    words = frozenset("abcd")

    def memory(name, confidence, recorded_at):
        return Mergeable(RecordKey("workspace", "engram", name), words, ALWAYS, confidence, recorded_at)

    assert groups([memory("old", 3, 1), memory("new", 3, 2)]) == [(1, (0,))]
    assert groups([memory("sure", 5, 1), memory("new", 3, 2)]) == [(0, (1,))]
    assert groups([memory("b", 3, 1), memory("a", 3, 1)]) == [(1, (0,))]


def test_every_member_reaches_the_threshold_with_the_survivor_itself():
    chain = memories(["abcd", "bcde", "cdef"])  # each is like the next, and the ends are not alike
    assert groups(chain, 0.6) == [(2, (1,))]
    (group,) = merge_groups(chain, threshold=0.6, apart=never)
    assert group.words == (pytest.approx(0.6),)
    assert group.meanings == (None,)


def test_another_kind_another_time_and_no_words_are_not_alike():
    times = [ValiditySet((Interval(0, 5),)), ValiditySet((Interval(5, 9),))]
    apart = [memories(["abcd"], validity=time)[0] for time in times]
    assert groups(apart) == []
    assert groups([*memories(["abcd"]), *memories(["abcd"], kind="research")]) == []
    assert groups(memories(["", "", ""])) == []


class Near:
    def __init__(self, pairs):
        self.pairs = pairs

    def near(self, place):
        return self.pairs.get(place, ())


def test_meaning_brings_what_words_do_not():
    among = memories(["abcd", "wxyz", "abcd"])
    assert groups(among) == [(2, (0,))]
    assert groups(among, nearness=Near({2: [(1, 0.97)]})) == [(2, (0, 1))]
    (group,) = merge_groups(among, threshold=0.5, apart=never, nearness=Near({2: [(1, 0.97)]}))
    assert (group.words, group.meanings) == ((1.0, 0.0), (None, 0.97))


def visited(sets):
    work = Work()
    list(merge_groups(memories(sets), threshold=0.5, apart=never, work=work))
    return work


def test_near_copies_of_one_template_take_work_in_proportion():
    def copies(count):
        return [("deploy", "of", "service", "finished", "in", f"region{n}") for n in range(count)]

    few, many = visited(copies(500)), visited(copies(1_000))
    assert many.visited < 2.2 * few.visited
    assert not many.cut


def test_too_much_work_is_cut_and_said():
    pool = [f"w{n}" for n in range(24)]
    sets = [tuple(pool[(n * 7 + k * k) % 24] for k in range(6)) for n in range(400)]
    assert not visited(sets).cut
    work = Work(visited=10**9)
    found = list(merge_groups(memories(sets), threshold=0.5, apart=never, work=work))
    assert work.cut
    taken = [place for group in found for place in (group.survivor, *group.others)]
    assert len(taken) == len(set(taken))


def test_it_ends_when_it_is_told_to():
    told = []
    among = memories([f"{n}" for n in range(600)])
    assert not list(merge_groups(among, threshold=0.5, apart=never, advanced=lambda done, total: told.append(done)))
    assert told == [0]


def test_at_most_twelve_words_that_all_share_are_told():
    assert shared_terms([frozenset("abc"), frozenset("bcd")]) == ("b", "c")
    assert len(shared_terms([frozenset(f"w{n}" for n in range(30))] * 2)) == 12
    assert shared_terms([]) == ()


@pytest.mark.slow
def test_a_hundred_thousand_of_few_words_stay_within_their_budget():
    import random

    draw = random.Random(1)
    pool = [f"w{n}" for n in range(100)]
    work = visited([draw.sample(pool, 15) for _ in range(100_000)])
    assert work.cut
    assert work.visited < 100_000 * 9_000
