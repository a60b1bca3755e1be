"""Merge candidates: who says the same, found without comparing each with each."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.cognition.likeness import WordIndex
from memtui.cognition.merging import Mergeable, Work, merge_groups, shared_terms
from memtui.cognition.overlap import jaccard
from memtui.model.intervals import Interval, ValiditySet
from memtui.model.records import RecordKey

ALWAYS = ValiditySet((Interval(0, None),))
TIMES = [
    ALWAYS,
    ValiditySet((Interval(0, 5),)),
    ValiditySet((Interval(5, 9),)),
    ValiditySet((Interval(0, 2), Interval(7, None))),  # out of force while those of the others last
    ValiditySet((Interval(2, 7),)),
    ValiditySet(()),
]


def memory(name, words, *, kind="engram", validity=ALWAYS, confidence=3.0, recorded_at=0):
    return Mergeable(RecordKey("workspace", kind, name), frozenset(words), validity, confidence, recorded_at)


def memories(sets, **options):
    return [memory(f"m{place:05d}", words, recorded_at=place, **options) for place, words in enumerate(sets)]


def never(a, b):
    return False


def always(a, b):
    return True


def groups(among, threshold=0.5, apart=never, **options):
    return [(g.survivor, g.others) for g in merge_groups(among, threshold=threshold, apart=apart, **options)]


class Near:
    """Who is near whom, both ways."""

    def __init__(self, cosines):
        self.cosines = cosines

    def near(self, place):
        return [(next(iter(pair - {place})), cosine) for pair, cosine in self.cosines.items() if place in pair]


# The laws: what it comes to is what comparing each with each comes to


@st.composite
def problems(draw):
    """Memories over few words, who contradicts whom, who is near whom by meaning, and a threshold."""
    words = st.frozensets(st.sampled_from("abcdefghij"), max_size=8)
    kinds, times = st.sampled_from(["engram", "engram", "research"]), st.sampled_from([ALWAYS, *TIMES])
    some = st.tuples(words, kinds, times, st.sampled_from([1.0, 3.0]), st.integers(0, 2))
    drawn = draw(st.lists(some, max_size=24))
    among = [
        memory(f"m{at:02d}", words, kind=kind, validity=time, confidence=confidence, recorded_at=recorded_at)
        for at, (words, kind, time, confidence, recorded_at) in enumerate(drawn)
    ]
    pairs = [frozenset(pair) for pair in itertools.combinations(range(len(among)), 2)]
    if not pairs:
        return among, frozenset(), {}, 0.5
    apart = frozenset(draw(st.sets(st.sampled_from(pairs), max_size=12)))
    near = draw(st.dictionaries(st.sampled_from(pairs), st.sampled_from([0.9, 0.97]), max_size=6))
    return among, apart, near, draw(st.sampled_from([0.1, 0.25, 0.3, 0.5, 0.6, 0.7, 2 / 3, 0.8, 1.0]))


def best_first(among):
    return sorted(
        range(len(among)),
        key=lambda p: (-among[p].confidence, -among[p].recorded_at, among[p].key.name, among[p].key.kind),
    )


def are_alike(problem, a, b):
    among, apart, near, threshold = problem
    x, y, pair = among[a], among[b], frozenset({a, b})
    if x.key.kind != y.key.kind or not x.validity.overlaps(y.validity) or pair in apart:
        return False
    return jaccard(x.words, y.words) >= threshold or pair in near


def found_in(problem, **options):
    among, apart, near, threshold = problem
    return merge_groups(
        among, threshold=threshold, apart=lambda a, b: frozenset({a, b}) in apart, nearness=Near(near), **options
    )


def by_definition(problem):
    """Each that is not yet taken, best first, takes all that are alike to it: compared one by one."""
    among, _, near, _ = problem
    left, expected = best_first(among), []
    while left:
        own, *left = left
        others = [other for other in left if are_alike(problem, own, other)]
        left = [other for other in left if other not in others]
        others.sort(key=lambda other: among[other].key.name)
        if others:
            words = tuple(jaccard(among[own].words, among[other].words) for other in others)
            meanings = tuple(near.get(frozenset({own, other})) for other in others)
            expected.append((own, tuple(others), words, meanings))
    return expected


@given(problems())
def test_groups_are_those_of_comparing_each_with_each(problem):
    work = Work()
    found = found_in(problem, work=work)
    assert [(g.survivor, g.others, g.words, g.meanings) for g in found] == by_definition(problem)
    assert not work.cut


@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.7, 0.8])
def test_groups_among_many_of_few_words_are_those_of_comparing_each_with_each(threshold):
    draw = random.Random(7)
    words = [f"w{n}" for n in range(30)]
    among = memories([draw.sample(words, draw.randint(1, 12)) for _ in range(600)])  # hundreds have each word
    problem = among, frozenset(), {}, threshold
    expected = by_definition(problem)
    assert len(expected) > 5
    assert [(g.survivor, g.others, g.words, g.meanings) for g in found_in(problem)] == expected


@given(problems())
def test_groups_are_connected_ones_cut_to_their_survivor_again_and_again(problem):
    order = best_first(problem[0])
    left, expected = set(order), set()
    while left:
        component = {min(left)}
        while reached := {b for a in component for b in left - component if are_alike(problem, a, b)}:
            component |= reached
        survivor = next(place for place in order if place in component)
        others = {other for other in component - {survivor} if are_alike(problem, survivor, other)}
        left -= others | {survivor}
        if others:
            expected.add((survivor, frozenset(others)))
    assert {(g.survivor, frozenset(g.others)) for g in found_in(problem)} == expected


@given(problems(), st.randoms(use_true_random=False), st.sampled_from([None, 0]))
def test_the_order_in_which_memories_come_does_not_matter(problem, draw, most):
    among, apart, near, threshold = problem
    order = list(range(len(among)))
    draw.shuffle(order)
    moved = {place: at for at, place in enumerate(order)}
    shuffled = (
        [among[place] for place in order],
        {frozenset(moved[place] for place in pair) for pair in apart},
        {frozenset(moved[place] for place in pair): cosine for pair, cosine in near.items()},
        threshold,
    )

    def told(problem):
        keys = [memory.key for memory in problem[0]]
        found = found_in(problem, work=Work(most=most))
        return [(keys[g.survivor], [keys[other] for other in g.others], g.words, g.meanings) for g in found]

    assert told(shuffled) == told(problem)


@given(problems(), st.integers(0, 400))
def test_groups_that_are_found_with_little_work_are_right_too(problem, most):
    taken = []
    order = best_first(problem[0])
    for group in found_in(problem, work=Work(most=most)):
        assert all(are_alike(problem, group.survivor, other) for other in group.others)
        assert all(order.index(group.survivor) < order.index(other) for other in group.others)
        taken += [group.survivor, *group.others]
    assert len(taken) == len(set(taken))


# Who survives, and who is not alike


def test_the_surest_survives_then_the_newest_then_the_first_by_name():
    assert groups([memory("old", "abcd", recorded_at=1), memory("new", "abcd", recorded_at=2)]) == [(1, (0,))]
    sure = memory("sure", "abcd", confidence=5.0, recorded_at=1)
    assert groups([sure, memory("new", "abcd", recorded_at=2)]) == [(0, (1,))]
    assert groups([memory("b", "abcd"), memory("a", "abcd")]) == [(1, (0,))]


def test_every_member_reaches_the_threshold_with_the_survivor_itself():
    chain = memories(["abcd", "bcde", "cdef"])  # each is like the next, and the ends are not alike
    assert groups(chain, 0.6) == [(2, (1,))]
    (group,) = merge_groups(chain, threshold=0.6, apart=never)
    assert group.words == (pytest.approx(0.6),)
    assert group.meanings == (None,)


def test_another_kind_another_time_and_no_words_are_not_alike():
    assert groups([memory(f"m{at}", "abcd", validity=TIMES[at]) for at in (1, 2)]) == []
    assert groups([memory(f"m{at}", "abcd", validity=TIMES[at]) for at in (3, 4)]) == []
    assert groups([memory(f"m{at}", "abcd", validity=TIMES[5]) for at in (1, 2)]) == []
    assert groups([memory("m", "abcd"), memory("m", "abcd", kind="research")]) == []
    assert groups(memories(["", "", ""])) == []
    assert groups([]) == []


def test_those_that_contradict_each_other_stay_apart_and_may_each_have_others():
    among = memories(["abcd"] * 4)
    assert groups(among, apart=lambda a, b: (a < 2) != (b < 2)) == [(3, (2,)), (1, (0,))]
    assert groups(among, apart=always) == []


def test_meaning_brings_what_words_do_not():
    among = memories(["abcd", "wxyz", "abcd"])
    near = Near({frozenset({1, 2}): 0.97})
    assert groups(among) == [(2, (0,))]
    (group,) = merge_groups(among, threshold=0.5, apart=never, nearness=near)
    assert (group.survivor, group.others) == (2, (0, 1))
    assert (group.words, group.meanings) == ((1.0, 0.0), (None, 0.97))


def test_a_threshold_outside_its_range_is_refused():
    for threshold in (0.0, -0.5, 1.1):
        with pytest.raises(ValueError, match="Jaccard"):
            list(merge_groups(memories(["ab", "ab"]), threshold=threshold, apart=never))


def test_it_ends_when_it_is_told_to():
    told = []
    among = memories([[f"w{n}"] for n in range(600)])

    def until_halfway(done, total):
        told.append((done, total))
        return done < 300

    assert not list(merge_groups(among, threshold=0.5, apart=never, advanced=until_halfway))
    assert told == [(0, 600), (256, 600), (512, 600)]
    told.clear()
    assert not list(merge_groups(among, threshold=0.5, apart=never, advanced=lambda done, total: told.append(done)))
    assert told == [0]


def test_at_most_twelve_words_that_all_share_are_told():
    assert shared_terms([frozenset("abc"), frozenset("bcd")]) == ("b", "c")
    assert len(shared_terms([frozenset(f"w{n}" for n in range(30))] * 2)) == 12
    assert shared_terms([]) == ()


# How much work it is


def worked(sets, apart=never, **options):
    work = Work(**options)
    found = list(merge_groups(memories(sets), threshold=0.5, apart=apart, work=work))
    return work, found


def near_copies(count):
    return [("deploy", "service", "finished", "without", "trouble", f"region{n}") for n in range(count)]


def of_few_words(count, size=15):
    draw = random.Random(1)
    pool = [f"w{n}" for n in range(100)]
    return [draw.sample(pool, size) for _ in range(count)]


def half_template(count):
    """Half of the words of each are its own: enough in common to be looked at, too little to be alike."""
    return [("deploy", "service", "finished", *(f"{n}.{k}" for k in range(3))) for n in range(count)]


@pytest.mark.parametrize(
    "make",
    [
        near_copies,
        half_template,
        lambda count: [("deploy", "service")] * count,
        lambda count: [("everywhere", *(f"{n}.{k}" for k in range(8))) for n in range(count)],
    ],
)
def test_twice_as_many_take_about_twice_the_work(make):
    (few, _), (many, _) = worked(make(500)), worked(make(1_000))
    assert many.visited <= 2.2 * few.visited
    assert not many.cut


def test_near_copies_are_one_group():
    _, found = worked(near_copies(1_000))
    assert [len(group.others) for group in found] == [999]


@pytest.mark.parametrize(
    ("make", "apart"), [(of_few_words, never), (near_copies, always), (lambda n: ["ab"] * n, always)]
)
def test_work_that_would_grow_with_the_square_is_cut_in_proportion_and_said(make, apart):
    (few, _), (many, _) = (worked(make(count), apart, most=500 * count) for count in (2_000, 4_000))
    assert few.cut
    assert many.cut
    assert many.visited <= 2.2 * few.visited
    assert not worked(make(200), apart)[0].cut


def test_a_list_that_is_too_long_to_look_at_is_said():
    sets = [frozenset(words) for words in near_copies(1_500)]
    work = Work(most=0)
    numbers, _ = WordIndex(sets, [0] * len(sets), threshold=0.5, work=work).alike(0)
    assert numbers.tolist() == [0]
    assert work.cut


def test_answers_by_meaning_that_never_end_are_cut_and_said(monkeypatch):
    monkeypatch.setattr("memtui.cognition.merging._NEAR_ANYWAY", 0)
    asked = []

    class Everyone:
        def near(self, place):
            asked.append(place)
            return [(other, 0.99) for other in range(300) if other != place]

    work = Work()
    among = memories([[f"w{n}"] for n in range(300)])
    assert not list(merge_groups(among, threshold=0.5, apart=always, nearness=Everyone(), work=work))
    assert len(asked) == 21
    assert work.cut


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "apart", "cut"),
    [
        (near_copies, never, False),
        (half_template, never, False),
        (lambda count: [("same", "words")] * count, never, False),
        (lambda count: [()] * count, never, False),
        (of_few_words, never, True),
        (lambda count: of_few_words(count, 5), never, True),
        (near_copies, always, True),
        (lambda count: [("same", "words")] * count, always, True),
    ],
)
def test_a_hundred_thousand_stay_within_their_budget(make, apart, cut):
    work, _ = worked(make(100_000), apart)
    assert work.cut == cut
    assert work.visited < 100_000 * 16_000
