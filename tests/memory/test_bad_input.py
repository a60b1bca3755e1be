"""What people and programs give that cannot be: quoted back by field, and nothing is written."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from memtui.errors import Ambiguous, InvalidInput, MemtuiError, NotFound
from memtui.model.belief import BeliefState
from memtui.model.instants import DAY
from memtui.model.records import Claim, Finding
from tests.clocks import START, SteppingClock, at
from tests.memory.stores import STORES, everything, opened


@pytest.fixture(params=["twin"])
def store(request):
    """What is refused before it reaches a store needs none; the other tests name theirs."""
    return request.param


@pytest.mark.parametrize(
    ("zone", "written", "meant"),
    [
        ("UTC", "2025-06-01", "2025-06-01T00:00:00Z"),
        ("UTC", "2025-06-01T12:00:00,5", "2025-06-01T12:00:00.5Z"),
        ("UTC", "2024-02-29", "2024-02-29T00:00:00Z"),
        ("Europe/Istanbul", "2025-06-01", "2025-05-31T21:00:00Z"),
        ("America/New_York", "2025-03-09T02:30", "2025-03-09T07:30:00Z"),  # skipped: moved on by the gap
        ("America/New_York", "2025-11-02T01:30", "2025-11-02T05:30:00Z"),  # twice: the first
        ("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00Z"),  # a day without a midnight
        ("America/New_York", "2025-03-09T02:30-05:00", "2025-03-09T07:30:00Z"),
        ("UTC", datetime(2025, 6, 1, 12, tzinfo=timezone(timedelta(hours=3))), "2025-06-01T09:00:00Z"),
        ("Europe/Istanbul", datetime(2025, 6, 1, 12), "2025-06-01T09:00:00Z"),  # noqa: DTZ001
    ],
)
def test_a_date_means_the_readers_zone(monkeypatch, vault, clock, store, zone, written, meant):
    monkeypatch.setenv("MEMTUI_TZ", zone)
    memory = opened(store, vault, clock)
    memory.remember("fine", name="fine", valid_from=written)
    assert memory.show("fine").content.valid_from == at(meant)
    assert memory.list(valid_at=written).total == 1
    assert memory.forget("fine", at=written).outcome == "forgotten"
    assert memory.list(valid_at=written).total == 0


NO_DATES = [
    "2024-13-01",
    "2025-02-29",
    "2025-06-31T12:00",
    "2025-06-01T25:00",
    "2025-06-01T12:00+25:00",
    "yesterdayish",
    "now",
    "",
    "1748779200",
    "0000-01-01",
    "12:00",
    "2025-W23",
    1.5,
]


@pytest.mark.parametrize("value", NO_DATES)
def test_what_is_no_date_is_quoted_wherever_it_is_given(memory, value):
    memory.remember("The port is 5433", name="port", valid_from="2025-01-01")
    held = everything(memory)
    for field, call in (
        ("valid_from", lambda: memory.remember("fine", valid_from=value)),
        ("valid_to", lambda: memory.remember("fine", valid_to=value)),
        ("reference_time", lambda: memory.remember("fine", reference_time=value)),
        ("valid_from", lambda: memory.update("port", valid_from=value)),
        ("at", lambda: memory.forget("port", at=value)),
        ("at", lambda: memory.supersede("port", "other", at=value)),
        ("as_of", lambda: memory.search("port", as_of=value)),
        ("valid_at", lambda: memory.list(valid_at=value)),
        ("now", lambda: memory.recall("port", now=value)),
        ("from", lambda: memory.diff(value, "2025-01-01")),
        ("as_of", lambda: memory.at(as_of=value)),
    ):
        with pytest.raises(InvalidInput) as refusal:
            call()
        assert refusal.value.field == field
        assert repr(str(value)) in refusal.value.message
    assert everything(memory) == held


@pytest.mark.parametrize("value", [10**20, -(10**18), 10**18])
@pytest.mark.parametrize(
    "verb",
    [
        lambda m, value: m.remember("fine", valid_from=value),
        lambda m, value: m.forget("port", at=value),
        lambda m, value: m.search("port", as_of=value),
        lambda m, value: m.search("port", now=value),
        lambda m, value: m.at(valid_at=value).list(),
    ],
    ids=["remember", "forget", "as_of", "now", "valid_at"],
)
@pytest.mark.parametrize("store", ["resident", "twin"])
def test_a_number_that_is_no_instant_is_quoted(memory, verb, value):
    memory.remember("The port is 5433", name="port")
    held = everything(memory)
    with pytest.raises(InvalidInput):
        verb(memory, value)
    assert everything(memory) == held


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("2025-06-01", "2025-05-31"),
        ("2025-06-01", "2025-06-01"),
        ("2025-06-01T00:00:00.000001", "2025-06-01"),
        (None, "2025-06-01"),
        ("2030-01-01", "2025-01-01"),
    ],
)
def test_a_window_that_holds_no_instant_is_refused(memory, start, end):
    with pytest.raises(InvalidInput) as refusal:
        memory.remember("fine", valid_from=start, valid_to=end)
    assert refusal.value.field == "valid_to"
    assert everything(memory) == ((), ())


def test_an_end_given_alone_keeps_the_stored_beginning(memory):
    memory.remember("The mill is let", name="let", valid_from="2025-01-01")
    memory.remember("The mill is let", name="let", valid_to="2025-06-01")
    content = memory.show("let").content
    assert (content.valid_from, content.valid_to) == (at("2025-01-01"), at("2025-06-01"))


CLAIMS = [
    ("=nothing", "claims[1].predicate"),
    ("port=", "claims[1].object"),
    ("::port=1", "claims[1].subject"),
    ("!port=1", "claims[1].predicate"),
    ("port+=", "claims[1].object"),
    ({"object": "1"}, "claims[1].predicate"),
    ({"predicate": "port", "colour": "red"}, "claims[1].colour"),
    ({"predicate": "port", "polarity": "maybe"}, "claims[1].polarity"),
    ({"predicate": "port", "object": "1", "many": "yes"}, "claims[1].many"),
    ({"predicate": "port", "many": True}, "claims[1].many"),
    ({"predicate": "port", "object": ["1"]}, "claims[1].object"),
    ({"predicate": "port", "valid_from": "soon"}, "claims[1].valid_from"),
    ({"predicate": "port", "valid_from": "2025-06-01", "valid_to": "2025-06-01"}, "claims[1].valid_to"),
    (5, "claims[1]"),
]


@pytest.mark.parametrize(("claim", "field"), CLAIMS)
def test_a_malformed_claim_is_told_by_place_and_part(memory, claim, field):
    memory.remember("The port is 5433", name="port")
    held = everything(memory)
    for call in (
        lambda: memory.remember("fine", claims=["up", claim]),
        lambda: memory.update("port", claims=["up", claim]),
        lambda: memory.supersede("port", "fine", claims=["up", claim]),
    ):
        with pytest.raises(InvalidInput) as refusal:
            call()
        assert refusal.value.field == field
    assert everything(memory) == held


@pytest.mark.parametrize(
    "fields",
    [{"claims": [Claim("")]}, {"kind": "research", "findings": [Finding("", "superb", ("url:x",))]}],
)
@pytest.mark.parametrize("store", ["resident", "twin"])
def test_a_value_made_elsewhere_is_looked_at_too(memory, fields):
    with pytest.raises(InvalidInput):
        memory.remember("fine", **fields)


@pytest.mark.parametrize(
    "fields",
    [
        {"claims": [Claim("port", valid_from=2, valid_to=1)]},
        {"claims": 5},
        {"tags": 5},
        {"tags": {"a": 1}},
        {"pinned": "no"},
        {"claims": ["port=half \ud800"]},
        {"claims": [{"predicate": "half \ud800"}]},
        {"homophonic_links": ["half \ud800"]},
    ],
)
@pytest.mark.parametrize("store", ["resident", "twin"])
def test_a_value_of_the_wrong_shape_is_told_by_its_field(memory, fields):
    with pytest.raises(InvalidInput):
        memory.remember("fine", **fields)


@pytest.mark.parametrize(
    "verb",
    [
        lambda m: m.forget("port", reason="half \ud800"),
        lambda m: m.supersede("port", "The port is 5434", reason="half \ud800"),
        lambda m: m.revive("gone", by="half \ud800"),
    ],
    ids=["forget", "supersede", "revive"],
)
@pytest.mark.parametrize("store", ["resident"])
def test_half_a_character_in_a_reason_is_told(memory, verb):
    memory.remember("The port is 5433", name="port")
    memory.remember("The mill is gone", name="gone")
    memory.forget("gone")
    with pytest.raises(InvalidInput, match="half a character"):
        verb(memory)
    assert all(version.reason is None or version.reason.isprintable() for version in everything(memory)[0])


@pytest.mark.parametrize("store", ["one-shot", "twin"])
@pytest.mark.parametrize("query", ["half \ud800", "\x00", "((((", '"', "a" * 20_000, "٪ ± §", "\u202e", "-", "NOT"])
def test_no_query_text_makes_a_read_fail(memory, query):
    memory.remember("The port is 5433", name="port")
    for found in (memory.search(query), memory.recall(query)):
        assert found.query == query[: len(found.query)]
        assert len(found.query) >= min(len(query), 1_000)
    memory.past_texts(query)


@pytest.mark.parametrize("name", ["", " ", "\u200b", ".", "..", "x" * 201, "tab\there", "null\x00"])
def test_what_cannot_be_a_name_is_told(memory, name):
    with pytest.raises(InvalidInput) as refusal:
        memory.remember("fine", name=name)
    assert refusal.value.field == "name"
    assert everything(memory) == ((), ())


@pytest.mark.parametrize("store", ["resident", "one-shot"])
def test_half_a_character_in_a_name_is_told(memory):
    with pytest.raises(InvalidInput):
        memory.remember("fine", name="half \ud800")


@pytest.mark.parametrize("store", STORES)
def test_names_of_any_script_are_compared_after_composition(memory):
    memory.remember("fine", name="cafe\u0301/日本 ✓")
    assert memory.show("caf\u00e9/日本 ✓").key.name == "caf\u00e9/日本 ✓"
    assert memory.remember("fine", name="caf\u00e9/日本 ✓").outcome == "unchanged"


def test_as_of_is_the_past_and_the_present_at_most(memory, clock):
    clock.step = 0
    memory.remember("The port is 5433", name="port")
    for call in (
        lambda t: memory.search("port", as_of=t),
        lambda t: memory.recall("port", as_of=t),
        lambda t: memory.list(as_of=t),
        lambda t: memory.show("port", as_of=t),
        lambda t: memory.details("port", as_of=t),
        lambda t: memory.history("port", as_of=t),
        lambda t: memory.past_texts("port", as_of=t),
        lambda t: memory.status(BeliefState(t)),
        lambda t: memory.diff(clock(), t),
        lambda t: memory.export(memory.vault / "out.jsonl", as_of=t),
    ):
        with pytest.raises(InvalidInput, match="future"):
            call(clock() + 1)
        call(clock())


def test_what_was_recorded_last_is_not_asked_of_the_future(memory, clock):
    memory.remember("The port is 5433", name="port")
    with pytest.raises(InvalidInput, match="future"):
        memory.recent(belief=BeliefState(clock() + DAY))


@pytest.mark.parametrize("asked", ["alpha", "same"])
def test_forgotten_records_do_not_crowd_out_a_name(memory, asked):
    for name in ("alpha-one", "alpha-two", "same"):
        memory.remember(f"about {name}", name=name)
    memory.remember("about the same", name="same", kind="research")
    memory.forget("alpha-two")
    memory.forget("research/same")
    try:
        assert memory.show(asked).state == "in_force"
    except Ambiguous as several:
        pytest.fail(str(several.choices))


# Clocks ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("back", [1, 400 * DAY])
def test_a_clock_that_is_set_back_hides_nothing(memory, clock, back, beside):
    clock.step = 0
    stamps = [memory.remember("The port is 5433", name="port").recorded_at]
    clock.forward(-back)
    assert [h.name for h in memory.search("port")] == ["port"]
    other = beside(memory)
    stamps.append(other.remember("The mill is old", name="mill").recorded_at)
    stamps.append(memory.forget("port").recorded_at)
    stamps.append(other.revive("port").recorded_at)
    assert stamps == list(range(stamps[0], stamps[0] + 4))
    assert memory.show("port").state == "in_force"
    assert [r.key.name for r in memory.list(as_of=stamps[2])] == ["mill"]
    assert {r.key.name for r in memory.list(as_of=stamps[3])} == {"mill", "port"}
    memory.recall("port")
    (recalled,) = memory.details("port").recalls
    assert recalled.recorded_at == stamps[3] + 1
    assert memory.remember("another").recorded_at == stamps[3] + 2


@pytest.mark.parametrize("store", STORES)
def test_two_writes_in_the_same_microsecond_have_two_stamps(memory, clock, beside):
    clock.step = 0
    other = beside(memory)
    stamps = [m.remember(f"thing {n}").recorded_at for n, m in enumerate((memory, other, memory, other))]
    assert stamps == [clock() + n for n in range(4)]
    for number, stamp in enumerate(stamps, start=1):
        assert memory.list(as_of=stamp).total == number


@pytest.mark.parametrize("store", STORES)
def test_nothing_had_been_recorded_yet_is_said(memory, clock):
    clock.now = at("2026-03-01")
    memory.remember("The port is 5433", name="port")
    found = memory.search("port", as_of="2026-02-01")
    assert (len(found), found.as_of_truncated) == (0, ())
    assert "nothing had been recorded yet" in found.reason
    assert "nothing had been recorded yet" in memory.list(as_of="2026-02-01").reason
    with pytest.raises(NotFound):
        memory.show("port", as_of="2026-02-01")


def test_every_refusal_is_a_sentence(memory):
    memory.remember("The port is 5433", name="port")
    calls = [
        lambda: memory.remember(""),
        lambda: memory.remember("x", name="port"),
        lambda: memory.forget("nothing"),
        lambda: memory.delete("port", force=True),
        lambda: memory.search("x", kinds=["nonsense"]),
        lambda: memory.list(as_of="2099-01-01"),
        lambda: memory.import_(memory.vault / "none.jsonl"),
        lambda: memory.import_(memory.vault / "none.jsonl", format="xml"),
        lambda: memory.note("  "),
    ]
    for call in calls:
        with pytest.raises(MemtuiError) as refusal:
            call()
        assert refusal.value.message.strip()
        assert "Traceback" not in str(refusal.value)
    assert len(everything(memory)[0]) == 1


def test_a_clock_before_1970_is_a_clock(vault):
    memory = opened("twin", vault, SteppingClock(at("1969-07-20T20:17:40Z")))
    memory.remember("It has landed", name="eagle")
    assert memory.show("eagle").content.valid_from < 0 < START
    assert [h.name for h in memory.recall("landed")] == ["eagle"]
