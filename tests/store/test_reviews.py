"""Reviews: what was decided is kept beside the versions, numbered for each partition, in every ledger alike."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memtui.errors import InvalidInput, Refused
from memtui.model.instants import DAY
from memtui.model.proposals import Fact
from memtui.model.records import Claim, Content, RecordKey
from memtui.model.reviews import Review, Touched
from memtui.store.columns import CLAIMS
from memtui.store.duckdb.ledger import DuckDBLedger
from tests.clocks import START, SteppingClock
from tests.interchange.contents import CONFIRMATION, reviewed
from tests.store.drafts import KEY, decision, draft
from tests.twins.ledger import TwinLedger

MINE = RecordKey("personal:ada", "engram", "port")


def review(ledger, *decisions, partition="workspace", actor="ada", undoes=None):
    with ledger.writing() as unit:
        return unit.review(partition, decisions, actor=actor, undoes=undoes)


def kept(ledger, *partitions):
    with ledger.reading() as unit:
        return list(unit.reviews(partitions))


def test_a_review_is_no_version_and_is_stamped_with_all_its_transaction_wrote(ledger, clock):
    with ledger.writing() as unit:
        written = unit.append(draft(Content(summary="one", valid_from=START)))
    clock.now = START - DAY
    with ledger.writing() as unit:
        changed = unit.append(draft(Content(summary="two", valid_from=START), operation="review"))
        made = unit.review("workspace", [decision()], actor="ada")
        assert list(unit.reviews(["workspace"])) == [made]
        assert unit.last_stamp() == unit.stamp
    assert made == Review("workspace", 1, written.recorded_at + 1, "ada", (decision(),))
    assert made.id == "r1"
    assert changed.recorded_at == made.decided_at
    assert kept(ledger, "workspace") == [made]
    with ledger.reading() as unit:
        assert [v.seq for v in unit.tail({})] == [1, 2]
        assert unit.heads()["workspace"].seq == 2


def test_the_latest_stamp_may_be_that_of_a_review(ledger, clock):
    assert review(ledger).decided_at == START + 1000
    with ledger.reading() as unit:
        assert unit.last_stamp() == START + 1000
        assert unit.heads() == {}
    clock.now = START - DAY
    with ledger.writing() as unit:
        assert unit.stamp == START + 1001
        unit.append(draft(Content(summary="next", valid_from=START)))
    with ledger.reading() as unit:
        assert unit.last_stamp() == START + 1001


def test_reviews_are_numbered_for_each_partition_and_do_not_mix(ledger):
    made = [
        review(ledger, decision(effect="one")),
        review(ledger, decision(MINE, effect="mine"), decision(MINE, verb="reject"), partition="personal:ada"),
        review(ledger, decision(effect="two"), actor="bob"),
    ]
    assert [(each.partition, each.seq) for each in made] == [("workspace", 1), ("personal:ada", 1), ("workspace", 2)]
    assert kept(ledger, "workspace") == [made[0], made[2]]
    assert kept(ledger, "personal:ada") == [made[1]]
    assert kept(ledger, "personal:ada", "workspace") == made
    assert kept(ledger, "personal:bob") == kept(ledger) == []
    assert {key.partition for each in made[1].decisions for key in each.keys} == {"personal:ada"}


def test_decisions_stay_in_their_order(ledger):
    given_ = [
        decision(proposal=f"{place:010x}", keys=(), facts=(), keep=None, touched=()) for place in range(30, 0, -1)
    ]
    first = review(ledger, *given_)
    second = review(ledger, *reversed(given_))
    assert kept(ledger, "workspace") == [first, second]


def test_a_transaction_may_hold_several_reviews(ledger):
    with ledger.writing() as unit:
        one = unit.review("workspace", [decision()], actor="ada")
        two = unit.review("workspace", [], actor="bob", undoes=1)
        assert list(unit.reviews(["workspace"])) == [replace(one, undone_by=2), two]
    assert (one.decided_at, one.seq, two.seq) == (two.decided_at, 1, 2)
    assert kept(ledger, "workspace") == [replace(one, undone_by=2), two]


def test_who_took_a_review_back_is_told_by_both(ledger):
    review(ledger, decision())
    review(ledger, decision(verb="reject"))
    review(ledger, decision(MINE), partition="personal:ada")
    undoing = review(ledger, undoes=1, actor="bob")
    assert (undoing.seq, undoing.undoes, undoing.undone_by, undoing.decisions) == (3, 1, None, ())
    assert [(r.seq, r.undoes, r.undone_by) for r in kept(ledger, "workspace")] == [
        (1, None, 3),
        (2, None, None),
        (3, 1, None),
    ]
    assert [r.undone_by for r in kept(ledger, "personal:ada")] == [None]


@pytest.mark.parametrize("undoes", [0, -1, 1, 3, 4, 9, 2**62])
def test_only_what_stands_is_taken_back(ledger, undoes):
    review(ledger, decision())
    review(ledger, decision())
    review(ledger, undoes=1)
    review(ledger, decision(MINE), partition="personal:ada")
    before = kept(ledger, "workspace", "personal:ada")
    with pytest.raises(Refused, match=rf"review {undoes} of workspace"):
        review(ledger, undoes=undoes)
    assert kept(ledger, "workspace", "personal:ada") == before
    assert review(ledger, undoes=2).seq == 4


def test_an_exception_takes_the_review_back(ledger):
    first = review(ledger, decision())
    with pytest.raises(RuntimeError), ledger.writing() as unit:
        unit.append(draft(Content(summary="lost", valid_from=START)))
        unit.review("workspace", [decision()], actor="ada", undoes=None)
        unit.review("workspace", [], actor="ada", undoes=1)
        raise RuntimeError("power cut")
    assert kept(ledger, "workspace") == [first]
    with ledger.writing(trial=True) as unit:
        assert unit.review("workspace", [], actor="ada").seq == 2
    assert kept(ledger, "workspace") == [first]
    with ledger.reading() as unit:
        assert unit.last_stamp() == first.decided_at


ODD = ["", 'it\'s "quoted"; DROP TABLE review; --', "日本\n\t é", "🫖👩‍🚀", "\\u0041 \\n {}[]", "%s $1 ?", "x" * 5000]


@pytest.mark.parametrize("text", ODD)
def test_texts_come_back_as_they_were(ledger, text):
    key = KEY._replace(name=text)
    odd = decision(
        key,
        proposal=text,
        about=text,
        effect=text,
        facts=(Fact(text, text), Fact("", text)),
        touched=(Touched(key, 2, 1), Touched(key, 3, None)),
    )
    made = review(ledger, odd, decision(), actor=text)
    assert kept(ledger, "workspace") == [made]
    assert kept(ledger, "workspace")[0].decisions[0] == odd


HALF = "half \ud83d"


@pytest.mark.parametrize(
    "said",
    [
        {"effect": HALF},
        {"about": HALF},
        {"proposal": HALF},
        {"facts": (Fact("port", HALF),)},
        {"facts": (Fact(HALF, "port"),)},
        {"keys": (KEY._replace(name=HALF),)},
    ],
)
def test_half_a_character_is_refused(ledger, said):
    with pytest.raises(InvalidInput, match="decisions holds half a character"):
        review(ledger, decision(**said))
    with pytest.raises(InvalidInput, match="actor holds half a character"):
        review(ledger, decision(), actor=HALF)
    assert kept(ledger, "workspace") == []


@pytest.mark.parametrize("said", [{"keys": (KEY, MINE)}, {"keep": MINE}, {"touched": (Touched(MINE, 1, None),)}])
def test_a_review_names_no_record_of_another_partition(ledger, said):
    with pytest.raises(ValueError, match="personal:ada"):
        review(ledger, decision(**said))
    assert kept(ledger, "workspace", "personal:ada") == []


def test_whether_a_version_makes_claims_is_told_without_reading_it(ledger):
    contents = [
        Content(summary="one", valid_from=START),
        Content(summary="one", valid_from=START, claims=(Claim("port", "1"),)),
        Content(summary="two", valid_from=START, claims=(Claim("up"), Claim("port", "1"))),
        Content(summary="two", valid_from=START),
    ]
    for content in contents:
        with ledger.writing() as unit:
            unit.append(draft(content, operation="update"))
    with ledger.reading() as unit:
        assert [bool(flag & CLAIMS) for flag in unit.columns(["workspace"]).flags] == [False, True, True, False]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(CONFIRMATION, max_size=6))
def test_any_review_comes_back_from_every_ledger(tmp_path_factory, confirmations):
    folder = tmp_path_factory.mktemp("alike")
    told = []
    for ledger in (DuckDBLedger(folder / "m.duckdb", SteppingClock(step=1)), TwinLedger(SteppingClock(step=1))):
        made = []
        for each in reviewed(confirmations):
            with ledger.writing() as unit:
                written = unit.review(each.partition, each.decisions, actor=each.actor, undoes=each.undoes)
            assert written == replace(each, decided_at=written.decided_at)
            made.append(written)
        undone = {(each.partition, each.undoes): each.seq for each in made}
        told.append(kept(ledger, "workspace", "base"))
        assert told[-1] == [replace(each, undone_by=undone.get((each.partition, each.seq))) for each in made]
    assert told[0] == told[1]


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(CONFIRMATION, max_size=6))
def test_any_reviews_are_replayed_as_they_were(tmp_path_factory, confirmations):
    folder = tmp_path_factory.mktemp("alike")
    made = reviewed(confirmations)
    undone = {(each.partition, each.undoes): each.seq for each in made}
    expected = [replace(each, undone_by=undone.get((each.partition, each.seq))) for each in made]
    for ledger in (DuckDBLedger(folder / "m.duckdb", SteppingClock()), TwinLedger(SteppingClock())):
        with ledger.writing() as unit:
            unit.replay([], [], made)
        assert kept(ledger, "base", "workspace") == expected
