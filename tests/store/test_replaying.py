"""Replay: a ledger is taken over as it was, byte for byte, or not at all."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memtui.errors import Refused
from memtui.interchange.ledger_file import ledger_lines
from memtui.model.canonical import chain_hash, content_hash
from memtui.model.instants import DAY, HOUR
from memtui.model.records import Content, RecordKey
from tests.clocks import START
from tests.store.drafts import FULL, KEY, decision, draft

MINE = RecordKey("personal:ada", "engram", "port")


@pytest.fixture
def lived(ledger, clock):
    """A ledger of two partitions with versions, recalls and reviews."""
    with ledger.writing() as unit:
        unit.append(draft(FULL))
        unit.append(draft(Content(summary="mine", valid_from=START), MINE, origin_known=False))
    clock.forward(DAY)
    with ledger.writing() as unit:
        unit.append(draft(replace(FULL, tags=("other",)), operation="update", reason="a reason \x00 é"))
        unit.append(draft(Content(summary="a mill", valid_from=START), KEY._replace(name="mill")))
    for reader in ("workspace", "personal:ada"):
        clock.forward(HOUR)
        with ledger.writing() as unit:
            unit.recall([KEY, MINE], reader=reader, cue="port?", actor="ada")
    for key in (KEY, MINE):
        for undoes in (None, 1, None):
            clock.forward(HOUR)
            with ledger.writing() as unit:
                unit.review(key.partition, () if undoes else [decision(key)], actor="ada", undoes=undoes)
    return ledger


def parts(ledger, *partitions):
    with ledger.reading() as unit:
        versions = [replace(v, text_id=-1) for v in unit.tail({}) if v.key.partition in partitions]
        return versions, list(unit.recalls(partitions)), list(unit.reviews(partitions))


def exported(ledger, *partitions):
    return "".join(ledger_lines(partitions, *parts(ledger, *partitions)))


def replayed(into, versions, recalls, reviews=()):
    with into.writing() as unit:
        unit.replay(versions, recalls, reviews)


@pytest.mark.parametrize("partitions", [("workspace",), ("personal:ada",), ("personal:ada", "workspace")])
def test_what_is_replayed_is_the_same_byte_for_byte(lived, another, clock, partitions):
    clock.now = START - 900 * DAY  # the clock of another machine
    copy = another()
    replayed(copy, *parts(lived, *partitions))
    assert parts(copy, *partitions) == parts(lived, *partitions)
    assert exported(copy, *partitions) == exported(lived, *partitions)
    with copy.reading() as here, lived.reading() as there:
        assert here.heads() == {p: h for p, h in there.heads().items() if p in partitions}
        for partition in partitions:
            a, b = here.columns([partition]), there.columns([partition])
            assert a.recorded_at.tolist() == b.recorded_at.tolist()
            assert a.flags.tolist() == b.flags.tolist()
            assert a.reinforced_at.tolist() == b.reinforced_at.tolist()
        assert here.text_count() == len({v.text_id for v in here.tail({})})
    with copy.writing() as unit:
        assert unit.stamp > max(v.recorded_at for v in parts(lived, *partitions)[0])
        assert unit.append(draft(Content(summary="next", valid_from=START), KEY._replace(name="next"))) is not None
        assert unit.review(partitions[0], [], actor="ada").seq == 4


def test_an_empty_ledger_is_replayed_too(another):
    copy = another()
    replayed(copy, [], [])
    assert parts(copy, "workspace") == ([], [], [])


def test_one_partition_joins_others_that_are_there(lived, another):
    copy = another()
    with copy.writing() as unit:
        unit.append(draft(Content(summary="here already", valid_from=START)))
    replayed(copy, *parts(lived, "personal:ada"))
    assert parts(copy, "personal:ada") == parts(lived, "personal:ada")
    with copy.reading() as unit:
        stamps = [v.recorded_at for v in unit.tail({})]
        columns = unit.columns(["personal:ada", "workspace"])
    assert stamps == sorted(stamps) == columns.recorded_at.tolist()
    assert columns.rows_at(max(stamps)).tolist() == [stamps.index(parts(copy, "personal:ada")[0][0].recorded_at)]


def untouched(ledger, attempt, told):
    """An attempt at a replay is refused, and nothing of it is there."""
    held = parts(ledger, "workspace", "personal:ada")
    with pytest.raises(Refused, match=told):
        attempt()
    assert parts(ledger, "workspace", "personal:ada") == held


def test_a_partition_that_has_anything_is_refused(lived, another):
    versions, recalls, reviews = parts(lived, "workspace")
    untouched(lived, lambda: replayed(lived, versions, recalls), "already")
    only_recalls = another()
    with only_recalls.writing() as unit:
        unit.recall([KEY], reader="workspace", cue="x", actor="t")
    untouched(only_recalls, lambda: replayed(only_recalls, versions, recalls), "already")
    untouched(only_recalls, lambda: replayed(only_recalls, [], recalls), "already")
    only_reviews = another("reviews")
    with only_reviews.writing() as unit:
        unit.review("workspace", [decision()], actor="t")
    untouched(only_reviews, lambda: replayed(only_reviews, versions, recalls), "already")
    untouched(only_reviews, lambda: replayed(only_reviews, [], [], reviews), "already")
    replayed(only_reviews, *parts(lived, "personal:ada"))
    assert parts(only_reviews, "personal:ada") == parts(lived, "personal:ada")


def sealed(version, previous):
    """A version with a running hash that fits, whatever else it says."""
    chain = chain_hash(
        previous,
        version.key,
        seq=version.seq,
        recorded_at=version.recorded_at,
        operation=version.operation,
        actor=version.actor,
        reason=version.reason,
        content_digest=version.content_hash,
        origin_known=version.origin_known,
    )
    return replace(version, chain=chain)


TAMPERED = {
    "a broken chain": lambda v: [v[0], replace(v[1], chain="0" * 64), v[2]],
    "another actor": lambda v: [replace(v[0], actor="mallory"), *v[1:]],
    "another reason": lambda v: [v[0], replace(v[1], reason=None), v[2]],
    "another stamp": lambda v: [replace(v[0], recorded_at=v[0].recorded_at - 1), *v[1:]],
    "another name": lambda v: [v[0], v[1], replace(v[2], key=v[2].key._replace(name="x"))],
    "a gap": lambda v: [v[0], v[2]],
    "a missing beginning": lambda v: v[1:],
    "a version twice": lambda v: [v[0], v[0], *v[1:]],
    "another order": lambda v: [v[1], v[0], v[2]],
    "a changed content": lambda v: [replace(v[0], content=replace(v[0].content, summary="forged")), *v[1:]],
    "a changed content with its hash": lambda v: [
        replace(
            v[0],
            content=Content(summary="f", valid_from=1),
            content_hash=content_hash(Content(summary="f", valid_from=1)),
        ),
        *v[1:],
    ],
    "an unknown operation": lambda v: [v[0], v[1], sealed(replace(v[2], operation="invent"), v[1].chain)],
    "a stamp before the last": lambda v: [
        v[0],
        v[1],
        sealed(replace(v[2], recorded_at=v[0].recorded_at - 1), v[1].chain),
    ],
}


@pytest.mark.parametrize("how", TAMPERED)
def test_a_ledger_that_does_not_verify_is_refused_whole(lived, another, how):
    versions, *others = parts(lived, "workspace")
    copy = another()
    forged = TAMPERED[how](versions)
    untouched(copy, lambda: replayed(copy, forged, *others), "version")
    with copy.reading() as unit:
        assert unit.text_count() == 0
        assert unit.names(["workspace"]) == []
    replayed(copy, versions, *others)  # the true one is still welcome
    assert exported(copy, "workspace") == exported(lived, "workspace")


def test_a_replay_that_is_interrupted_leaves_nothing(lived, another):
    copy = another()
    with pytest.raises(RuntimeError), copy.writing() as unit:
        unit.replay(*parts(lived, "workspace"))
        raise RuntimeError("power cut")
    assert parts(copy, "workspace") == ([], [], [])
