"""Known values of contradictions, referents and windows; where ours differ, the row says why."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timezone
from pathlib import Path

import pytest

from memtui.cognition import contradiction
from memtui.cognition.claims import conflict_of, referents_in, same, stated
from memtui.cognition.decay import confidence_number
from memtui.cognition.members import Member
from memtui.cognition.undecided import undecided
from memtui.errors import InvalidInput
from memtui.model.instants import MIN_INSTANT
from memtui.model.intervals import Interval
from memtui.model.records import Claim, Content, RecordKey
from memtui.text.claims import read_claim
from memtui.text.dates import parse_instant
from tests.cognition.memories import NOBODY, names

VALUES = json.loads((Path(__file__).parent / "contradiction_values.json").read_text(encoding="utf-8"))


def instant(text):
    """A stamp of the known values; what is no stamp is none, and one without a zone is UTC."""
    try:
        return None if text is None else parse_instant(text, timezone.utc)
    except InvalidInput:
        return None


def known(name, spec):
    """A member of the known values.

    They take as subject the smallest name of area and sources together; ours is the area first (page 2), so claims
    are given theirs. A memory without a beginning was always so there.
    """
    refs = tuple(spec.get("refs", ()))
    named = [each for each in (spec.get("area"), *refs) if each and "/" in each]
    claims = []
    for parts in spec.get("claims", ()):
        own = {**parts, "subject": parts.get("subject") or min(named, default=None)}
        start, end = instant(own.pop("valid_from", None)), instant(own.pop("valid_to", None))
        claims.append(replace(read_claim(own, timezone.utc), valid_from=start, valid_to=end))
    content = Content(
        summary=name,
        area=spec.get("area"),
        source_refs=refs,
        claims=tuple(claims),
        valid_from=instant(spec.get("from")) or MIN_INSTANT,
    )
    confidence = confidence_number(spec.get("confidence"))
    return Member(RecordKey("workspace", "engram", name), content, 0, True, confidence)


def contradicting(members):
    return contradiction.contradicting(contradiction.claims_by_topic(members), NOBODY)


@pytest.mark.parametrize("row", VALUES["pairs"])
def test_pairs_of_claims_agree(row):
    x, y = known("x", row["x"]), known("y", row["y"])
    for i, j, kind in row["kinds"]:
        first, second = (
            stated(each.key, replace(each.content, claims=(each.content.claims[place],)))
            for each, place in ((x, i), (y, j))
        )
        told = conflict_of(first[0], second[0], NOBODY) if first and second else None
        assert told == kind, (i, j)


OTHERWISE = {
    # Only who contradicts the survivor goes: m03 says the same as m05 (plan=pro), and both contradict m02.
    ("m05", "m02", "m03"): ("m05", "m02"),
    # There confidence comes first and an absent one counts least: only m06 states one. Page 3 falls back to the
    # latest beginning first, which is m04's, and an absent confidence counts 3.
    ("m06", "m01", "m04"): ("m04", "m01", "m06"),
}


def test_reports_agree_but_for_what_is_told_otherwise_on_purpose():
    otherwise = set()
    for row in VALUES["reports"]:
        members = [known(name, spec) for name, spec in row["members"].items()]
        # The election there goes by when a memory was created, ours by since when it is true.
        created = {name: instant(spec["created"]) for name, spec in row["members"].items()}
        authored = {
            each.key: replace(each, content=replace(each.content, valid_from=created[each.key.name]))
            for each in members
        }
        stamps, bounds = row["learned"] or {}, row["approximate"] or ()

        def learned(claim, stamps=stamps, bounds=bounds):
            return instant(stamps.get(claim.key.name)), claim.key.name in bounds

        told = [
            contradiction.contradiction(topic, claims, authored, learned, NOBODY)
            for topic, claims in contradicting(members)
        ]
        expected = []
        for subject, predicate, among, keep, gone, basis in row["found"]:
            kept, *lost = OTHERWISE.get((keep, *gone), (keep, *gone))
            otherwise |= {(keep, *gone)} & set(OTHERWISE)
            basis = "authored" if basis == "spec" else basis
            expected.append((same(subject), same(predicate), among, kept, lost, basis))
        assert [
            (same(p.subject), same(p.predicate), names(p.keys), p.keep.name, names(p.supersede), p.basis) for p in told
        ] == expected
    assert otherwise == set(OTHERWISE)


def instants_shared(a, b):
    return max(a.window.start, b.window.start) < min(a.window.bound, b.window.bound)


def compared(a, b):
    """Page 3 by the letter: one subject and predicate, one instant, and existence only with existence."""
    alike = (same(a.subject), same(a.claim.predicate), a.claim.object is None) == (
        same(b.subject),
        same(b.claim.predicate),
        b.claim.object is None,
    )
    return a.key != b.key and alike and instants_shared(a, b)


def test_undecided_groups_agree_but_for_who_is_told_elsewhere_or_can_be_compared():
    """There a group is listed whole; here nobody twice, and nobody whose claims can be compared with another's.

    One row there says that no two share a subject and predicate though two do (both claim Epic/e · plan, and do not
    contradict each other): it is not listed here.
    """
    untrue = 0
    for row in VALUES["reports"]:
        members = {name: known(name, spec) for name, spec in row["members"].items()}
        conflicting = {claim.key.name for _, claims in contradicting(members.values()) for claim in claims}
        told = {
            same(group.referent): names(group.keys)
            for group in undecided(members.values(), {members[name].key for name in conflicting})
        }
        expected = {}
        for referent, among in row["undecided"]:
            claims = [claim for name in among for claim in stated(members[name].key, members[name].content)]
            comparable = {a.key.name for a in claims for b in claims if compared(a, b)}
            left = [name for name in among if name not in conflicting | comparable]
            if left:
                expected[referent] = left
            elif not set(among) <= conflicting:
                untrue += 1
        assert told == expected
    assert untrue == 1


def test_windows_share_an_instant_as_known_unless_one_of_them_holds_none():
    """There, what ends before it begins still meets what is open; here it holds no instant, so it shares none."""
    differing = 0
    for start, end, other_start, other_end, expected in VALUES["intervals"]:
        a = Interval(MIN_INSTANT if start is None else start, end)
        b = Interval(MIN_INSTANT if other_start is None else other_start, other_end)
        if a.is_empty or b.is_empty:
            assert not a.overlaps(b)
            differing += expected
        else:
            assert a.overlaps(b) == expected
    assert differing


@pytest.mark.parametrize(("area", "refs", "subjects", "expected"), VALUES["referents"])
def test_memories_name_the_known_referents(area, refs, subjects, expected):
    content = Content(
        area=area or None, source_refs=tuple(refs), claims=tuple(Claim("p", subject=named) for named in subjects)
    )
    named = {same(each) for each in referents_in(content)} | {same(claim.subject) for claim in content.claims}
    assert sorted(named) == expected
