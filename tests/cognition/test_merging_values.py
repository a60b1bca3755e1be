"""Merge candidates: known values of pairs, of the groups they connect, and of who survives."""

from __future__ import annotations

import itertools
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memtui.cognition.decay import derived_confidence
from memtui.cognition.merging import Mergeable, merge_groups, shared_terms
from memtui.cognition.overlap import jaccard, merge_tokens
from memtui.model.intervals import Interval, ValiditySet
from memtui.model.records import Content, RecordKey

KNOWN = json.loads((Path(__file__).parent / "merge_values.json").read_text(encoding="utf-8"))
ALWAYS = ValiditySet((Interval(0, None),))


def memory(name, words, *, confidence=3.0, recorded_at=0):
    return Mergeable(RecordKey("workspace", "engram", name), frozenset(words), ALWAYS, confidence, recorded_at)


def tokens(member):
    return merge_tokens(Content(**member["content"]))


@pytest.mark.parametrize("row", KNOWN["merge"])
def test_pairs_and_their_connected_groups_agree_with_known_values(row):
    words = {member["name"]: tokens(member) for member in row["members"]}
    alike = [
        [a, b, round(jaccard(words[a], words[b]), 4), list(shared_terms([words[a], words[b]]))]
        for a, b in itertools.combinations(words, 2)
        if jaccard(words[a], words[b]) >= row["floor"]
    ]
    connected = {name: {name} for name in words}
    for a, b, *_ in alike:
        joined = connected[a] | connected[b]
        connected.update(dict.fromkeys(joined, joined))
    components = sorted({tuple(sorted(names)) for names in connected.values() if len(names) > 1})
    expected = sorted(row["groups"], key=lambda group: group["names"])
    assert components == [tuple(group["names"]) for group in expected]
    for group in expected:
        assert [pair for pair in alike if pair[0] in group["names"]] == group["pairs"]


@pytest.mark.parametrize("row", KNOWN["merge"])
def test_groups_lie_in_known_ones_and_have_their_overlaps(row):
    """Known groups hold memories that had ended (in three of these rows); only what is in force is merged here."""
    members = [member for member in row["members"] if not member.get("ended")]
    among = [memory(member["name"], tokens(member), recorded_at=at) for at, member in enumerate(members)]
    known = {frozenset(pair[:2]): pair[2] for group in row["groups"] for pair in group["pairs"]}
    merged = set()
    for group in merge_groups(among, threshold=row["floor"], apart=lambda a, b: False):
        survivor = among[group.survivor].key.name
        for other, share in zip(group.others, group.words, strict=True):
            assert round(share, 4) == known[frozenset({survivor, among[other].key.name})]
        merged |= {survivor, *(among[other].key.name for other in group.others)}
    names = {member["name"] for member in members}
    for group in row["groups"]:
        if names.issuperset(group["names"]):
            assert merged.intersection(group["names"])


def survivor_of(row, confidence_of):
    def at(stamp):
        return int(datetime.fromisoformat(stamp).replace(tzinfo=UTC).timestamp()) if stamp else 0

    among = [
        memory(name, ["same"], confidence=confidence_of(confidence), recorded_at=at(stamp))
        for name, confidence, stamp in row["members"]
    ]
    (group,) = merge_groups(among, threshold=1.0, apart=lambda a, b: False)
    return row["members"][group.survivor]


@pytest.mark.parametrize("row", KNOWN["survivor"])
def test_survivors_agree_with_known_values(row):
    """In the known values a memory without a confidence, or with an unknown word for one, counts least of all.

    Here it counts 3, as everywhere: where that elects another, the elected has none.
    """
    counts = {"faint", "firm", "burning"}

    def least_if_absent(confidence):
        absent = confidence is None or (isinstance(confidence, str) and confidence not in counts)
        return 0.0 if absent else derived_confidence(confidence, 0)

    assert survivor_of(row, least_if_absent)[0] == row["expected"]
    name, confidence, _ = survivor_of(row, lambda confidence: derived_confidence(confidence, 0))
    assert name == row["expected"] or confidence is None
