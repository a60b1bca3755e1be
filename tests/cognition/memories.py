"""Memories for tests of consolidation: small, and named for what they claim."""

from __future__ import annotations

import sys
from collections import Counter

from hypothesis import strategies as st

from memtui.cognition import contradiction
from memtui.cognition.members import Member
from memtui.model.records import Claim, Content, RecordKey
from memtui.text.claims import parse_claim

NOBODY = frozenset()


def member(name, *claims, area="Feature/x", since=0, until=None, recorded_at=0, confidence=3.0, refs=(), **more):
    """A memory in force; claims as people write them, or as values."""
    content = Content(
        summary=name,
        area=area,
        source_refs=tuple(refs),
        claims=tuple(parse_claim(claim) if isinstance(claim, str) else claim for claim in claims),
        valid_from=since,
        valid_to=until,
        **more,
    )
    return Member(RecordKey("workspace", "engram", name), content, recorded_at, True, confidence)


def found(members, *, many=frozenset(), learned=None):
    """The contradictions among some memories; each was learned when it was recorded, unless that is given."""
    by_key = {each.key: each for each in members}
    when = learned or (lambda claim: (by_key[claim.key].recorded_at, False))
    topics = contradiction.contradicting(contradiction.claims_by_topic(members), many)
    return [contradiction.contradiction(topic, claims, by_key, when, many) for topic, claims in topics]


def names(keys):
    return [key.name for key in keys]


BOUNDS = st.sampled_from([None, None, None, *range(7)])
CLAIMS = st.builds(
    Claim,
    predicate=st.sampled_from(["p", "p", "P ", "q"]),
    object=st.sampled_from([None, "1", "1", "2", " A", "a"]),
    subject=st.sampled_from([None, None, "S/s", "s/S "]),
    polarity=st.sampled_from(["asserts", "asserts", "denies"]),
    many=st.sampled_from([False, False, False, False, True]),
    valid_from=BOUNDS,
    valid_to=BOUNDS,
)
"""Few subjects, predicates and objects in several spellings; windows that touch, contain, are open or empty."""


@st.composite
def memberships(draw, most=6):
    """Memories that may contradict each other, agree, or have nothing to do with each other."""
    return [
        member(
            f"m{place}",
            *draw(st.lists(CLAIMS, min_size=draw(st.integers(0, 1)), max_size=3)),
            area=draw(st.sampled_from(["S/s", "S/s", "s/s", "T/t", "general", None])),
            refs=draw(st.sampled_from([(), ("S/s",), ("T/t", "S/s")])),
            since=(since := draw(st.integers(0, 5))),
            until=draw(st.none() | st.integers(since + 1, 7)),
            recorded_at=draw(st.integers(0, 2)),
            confidence=draw(st.sampled_from([3.0, 5.0])),
        )
        for place in range(draw(st.integers(1, most)))
    ]


def work(run):
    """How many lines of the package are passed, each as often as it is: the work of something, on any machine."""
    passed = Counter()

    def traced(frame, event, arg):
        if "memtui" not in frame.f_code.co_filename:
            return None
        passed[event] += 1
        return traced

    before = sys.gettrace()
    sys.settrace(traced)
    try:
        run()
    finally:
        sys.settrace(before)
    return passed.total()
