"""Faults of other memory systems, each with the right behaviour: the numbers are those of the list they come from."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from memtui.errors import InvalidInput, NotFound, Refused
from memtui.model.instants import DAY, HOUR, iso
from memtui.model.records import Content
from tests.clocks import at
from tests.memory.stores import everything, put


def names(found):
    return [hit.name for hit in found]


def test_01_forgotten_near_copies_do_not_crowd_out_the_live_match(memory):
    copies = {f"copy-{n}": Content(summary=f"The staging port is 5433, note {n}") for n in range(70)}
    since = put(memory, copies)
    ended = {n: replace(c, valid_from=since, valid_to=since + 1) for n, c in copies.items()}
    put(memory, ended, operation="forget")
    memory.remember("The staging port is 5433", name="live")
    for k in (1, 5, 10, 20):
        found = memory.recall("staging port note", k=k)
        assert names(found) == ["live"]
        assert found.hidden == 70
    assert len(memory.search("staging port", k=50, all=True)) == 50


def test_02_what_people_recall_privately_is_nothing_to_the_workspace(memory, monkeypatch):
    memory.remember("The office port is 5433", name="office-port")
    alone = memory.search("port", now="2026-02-01")
    for person in ("ada", "bob", "cyd"):
        monkeypatch.setenv("MEMTUI_PERSONAL_ID", person)
        for number in range(4):
            memory.remember(f"my own port {number} is elsewhere", name=f"own-{number}", personal=True)
        assert len(memory.recall("port", personal=True)) == 4
    found = memory.search("port", now="2026-02-01")
    assert names(found) == ["office-port"]
    assert [(h.score, h.rank_score, h.explanation) for h in found] == [
        (h.score, h.rank_score, h.explanation) for h in alone
    ]
    assert not found.degraded


@pytest.mark.parametrize("again", [{"name": "port"}, {}])
def test_03_remembering_under_a_forgotten_name_is_refused(memory, again):
    written = memory.remember("The port is 5433", **again)
    memory.forget(written.key.name)
    held = everything(memory)
    with pytest.raises(Refused, match="forgotten") as refusal:
        memory.remember("The port is 5433", **again)
    assert f"revive {written.key.name}" in refusal.value.hint
    assert everything(memory) == held
    assert memory.show(written.key.name).state == "forgotten"


def test_04_an_end_in_the_future_is_brought_forward_and_a_beginning_in_the_future_is_awaited(memory, clock):
    memory.remember("The summer price holds", name="price", valid_to="2026-09-01")
    memory.remember("The summer price list is printed", name="list", valid_from="2026-06-01")
    assert names(memory.recall("summer price")) == ["price"]
    forgotten = memory.forget("price")
    assert (forgotten.outcome, memory.show("price").content.valid_to) == ("forgotten", forgotten.recorded_at)
    assert names(memory.recall("summer price")) == []
    clock.now = at("2026-06-01")
    assert names(memory.recall("summer price")) == ["list"]


def test_05_using_a_memory_never_shortens_its_life(memory, clock):
    memory.remember("The mill opens at six", name="used")
    memory.remember("The mill closes at nine", name="unused")
    for _ in range(4):
        clock.forward(3 * DAY)
        memory.recall("mill opens six", k=1)
    clock.forward(40 * DAY)
    used, unused = (memory.details(name).strength for name in ("used", "unused"))
    assert used.counted == 4
    assert unused.counted == 0
    assert used.retention > unused.retention  # what is never recalled fades too, and sooner
    assert unused.retention < 0.1
    shown = [memory.show(name) for name in ("unused", "used")]
    assert memory.retentions(shown) == pytest.approx([unused.retention, used.retention])
    assert used.stability > unused.stability == 15
    assert used.confidence == pytest.approx(3.2)
    assert unused.confidence == 3


def test_06_many_moods_do_not_bury_the_exact_match(memory):
    loose = {f"loose-{n}": Content(summary=f"The port moved again, day {n}", affect="surprise") for n in range(25)}
    put(memory, {"exact": Content(summary="The staging port listens on 5433"), **loose})
    found = memory.recall("staging port listens", k=50)
    assert names(found)[0] == "exact"
    assert len(found) == 26
    memory.remember("Nobody felt anything", name="plain")
    assert memory.show("plain").content.affect is None
    (affect,) = (node for _, node in found.hits[0].explanation.walk() if node.label == "affect")
    assert affect.value == 1.0


def test_07_recalling_the_base_privately_copies_nothing(memory, monkeypatch, tmp_path):
    shared = tmp_path / "shared"
    (shared / "engrams").mkdir(parents=True)
    house = shared / "engrams" / "house.md"
    house.write_text("Shoes stay at the door.\n", encoding="utf-8")
    config = tmp_path / "own.toml"
    config.write_text(f"base = [{json.dumps(str(shared))}]\n", encoding="utf-8")
    monkeypatch.setenv("MEMTUI_CONFIG", str(config))
    monkeypatch.setenv("MEMTUI_PERSONAL_ID", "ada")
    from memtui.memory.memory import Memory

    mine = Memory(None, clock=memory.clock)
    mine.sync(personal=True)
    (hit,) = mine.recall("shoes door", personal=True)
    assert (hit.scope, hit.kind) == ("base", "engram")
    details = mine.details("house", personal=True)
    assert (details.versions, [r.reader for r in details.recalls]) == (1, ["personal:ada"])
    house.unlink()
    mine.sync(personal=True)
    assert names(mine.recall("shoes door", personal=True)) == []
    assert mine.list(personal=True, all=True).total == 1


def test_08_no_write_revives_without_a_trace(memory, tmp_path):
    memory.remember("The port is 5433", name="port", valid_from="2025-01-01")
    memory.forget("port", at="2025-06-01")
    for end in ("open", "2030-01-01", "2025-09-01"):
        with pytest.raises(Refused, match="a past end is not moved"):
            memory.update("port", valid_to=end)
    items = tmp_path / "items.jsonl"
    for end in (None, "2030-01-01T00:00:00Z"):
        item = {"name": "port", "summary": "The port is 5433", "valid_from": "2025-01-01", "valid_to": end}
        items.write_text(json.dumps(item) + "\n", encoding="utf-8")
        memory.import_(items)
        assert memory.show("port").content.valid_to == at("2025-06-01")
    memory.update("port", tags=["net"])
    content = memory.show("port").content
    assert (content.valid_to, content.tags) == (at("2025-06-01"), ("net",))
    memory.revive("port")
    assert [gap.valid_to for gap in memory.show("port").content.revivals] == [at("2025-06-01")]


def test_09_recalls_prune_nothing_that_past_reads_need(memory, clock):
    first = memory.remember("The port is 5433", name="port").recorded_at
    clock.forward(DAY)
    memory.update("port", summary="The port is 5434")
    before = memory.show("port", as_of=first)
    for _ in range(5):
        clock.forward(DAY)
        assert names(memory.recall("port")) == ["port"]
    assert memory.show("port", as_of=first) == before
    assert [v.content.summary for v in memory.history("port")] == ["The port is 5433", "The port is 5434"]
    assert len(memory.details("port").recalls) == 5


def test_10_an_answer_says_what_ran(memory):
    memory.remember("The port is 5433", name="port")
    asked = memory.recall("port", semantic=True)
    assert (asked.semantic, asked.degraded, asked.plane) == (False, True, "lexical")
    assert "no embedder" in asked.reason
    plain = memory.recall("port")
    assert (plain.semantic, plain.degraded, plain.reason) == (False, False, None)
    status = memory.status()
    assert status.index_rows == 1
    assert status.embedding["embedded"] == 0


def test_11_the_whole_store_is_searched_by_its_text_alone(memory):
    many = {f"n{n}": Content(summary=f"entry {n} says little", tags=("filler",)) for n in range(800)}
    put(memory, {"first": Content(summary="We meet on Friday, at the mill"), **many})
    assert names(memory.search("friday")) == ["first"]
    stamp = iso(memory.show("first").recorded_at)
    for query in (stamp[:10], "in_force", "engram", "tester", "2026-01-01"):
        assert names(memory.search(query)) == []


SCRIPTS = {
    "金曜日": "会議は金曜日に開かれる",
    "東京": "東京の港は閉まっている",
    "встреча": "Встреча в пятницу",
    "reunion": "La réunion est à midi",
    "istanbul": "Toplantı İstanbul'da",
    "cay": "Ünlü çay ocağı kapandı",
    "مرحبا": "مرحبا بالعالم",
    "नमस्ते": "नमस्ते दुनिया",
    "english": "something else in English",
}


def test_12_every_script_is_found(memory):
    put(memory, {f"n{number}": Content(summary=text) for number, text in enumerate(SCRIPTS.values())})
    for number, query in enumerate(SCRIPTS):
        for found in (memory.search(query), memory.recall(query, reconsolidate=False, semantic=True)):
            assert names(found) == [f"n{number}"]


def test_13_nothing_relevant_is_an_answer(memory):
    topics = ("mill", "harvest", "press", "scale", "ledger")
    put(memory, {f"n{n}": Content(summary=f"The {topics[n % 5]} was cleaned in week {n}") for n in range(20)})
    for query in ("weather on mars", "zzz", "", "…", "quantum"):
        assert len(memory.recall(query)) == 0
        assert len(memory.search(query)) == 0


def test_14_asking_twice_gives_the_same_answer(memory, clock):
    put(memory, {f"n{n}": Content(summary=f"The port of mill {n}", affect="regret") for n in range(12)})

    def asked():
        return [(h.name, h.rank_score) for h in memory.search("mill port", k=12, now="2026-02-01")]

    first, held = asked(), everything(memory)
    assert asked() == first
    assert everything(memory) == held
    recalled = names(memory.recall("mill port", k=12))
    clock.forward(2 * HOUR)
    assert len(memory.recall("mill port", k=3)) == 3
    assert sorted(names(memory.recall("mill port", k=12))) == sorted(recalled)
    assert asked() == first  # what was recalled has no say in a search


def test_15_what_was_asked_is_no_text_of_the_memory(memory):
    memory.remember("The mill has a port", name="mill")
    memory.recall("port xylophone")
    memory.recall("mill marmalade")
    assert [r.cue for r in memory.details("mill").recalls] == ["port xylophone", "mill marmalade"]
    for word in ("xylophone", "marmalade"):
        assert names(memory.search(word)) == []
        assert not memory.past_texts(word).texts


@pytest.mark.parametrize(
    ("summary", "memory_type"),
    [
        ("Mustard goes with the sausage", "semantic"),
        ("Shoulder pads are out of fashion", "semantic"),
        ("Neverland is an island", "semantic"),
        ("You must rinse the press", "procedural"),
        ("Always rinse the press", "procedural"),
    ],
)
def test_17_an_instruction_is_a_whole_word(memory, summary, memory_type):
    memory.remember(summary, name="it")
    assert memory.show("it").content.memory_type == memory_type


def test_18_nothing_is_written_where_nothing_changed_and_no_read_writes(memory, tmp_path):
    memory.remember("The port is 5433", name="port", tags=["net"])
    memory.remember("The mill is old", name="mill")
    memory.forget("mill")
    held = everything(memory)
    again = [
        memory.remember("The port is 5433", name="port"),
        memory.update("port", tags=["net"]),
        memory.forget("mill"),
        memory.revive("port"),
    ]
    assert [written.outcome for written in again] == ["unchanged", "unchanged", "already_forgotten", "already_in_force"]
    assert all(written.note for written in again)
    memory.search("port", all=True)
    memory.at(as_of=memory.clock()).recall("port")
    memory.recall("port", valid_at="2026-01-01")
    memory.recall("port", reconsolidate=False)
    memory.list(all=True)
    memory.show("port")
    memory.details("port")
    memory.history("port")
    memory.past_texts("port")
    memory.diff("2026-01-01", memory.clock())
    memory.status()
    memory.export(tmp_path / "out.jsonl")
    assert everything(memory) == held


def test_20_private_memories_live_their_whole_life_behind_the_same_door(memory, monkeypatch, tmp_path):
    monkeypatch.setenv("MEMTUI_PERSONAL_ID", "ada")
    mine = {"personal": True}
    memory.remember("I take tea", name="tea", **mine)
    memory.update("tea", tags=["drinks"], **mine)
    memory.supersede("tea", "I take coffee", name="coffee", **mine)
    assert [r.key.name for r in memory.list(**mine)] == ["coffee"]
    assert names(memory.recall("take", **mine)) == names(memory.search("take", **mine)) == ["coffee"]
    memory.forget("coffee", **mine)
    assert memory.revive("tea", **mine).outcome == "revived"
    assert [v.operation for v in memory.history("tea", **mine)] == ["remember", "update", "supersede", "revive"]
    assert memory.export(tmp_path / "mine.jsonl", **mine).versions == 6
    assert memory.status(**mine).partition == "personal:ada"
    with pytest.raises(Refused, match="never deleted"):
        memory.delete("tea", force=True, **mine)
    assert memory.list(all=True).total == 0
    with pytest.raises(NotFound):
        memory.show("tea")


def test_21_what_is_offered_works_and_errors_are_sentences(memory):
    with pytest.raises(InvalidInput) as refusal:
        memory.search("x", kinds="Research")
    for kind in refusal.value.choices:
        memory.search("x", kinds=kind)
    memory.remember("The harvest was thin", name="thin", affect="melancholy of the third kind")
    assert memory.show("thin").content.affect == "melancholy of the third kind"


def test_23_one_parser_reads_every_time_and_unknown_stays_unknown(memory, monkeypatch, vault, clock, store):
    from tests.memory.stores import opened

    monkeypatch.setenv("MEMTUI_TZ", "Europe/Istanbul")
    local = opened(store, vault, clock, ledger=memory.ledger)
    written = ("2025-06-01T12:00", "2025-06-01 12:00:00", "2025-06-01T09:00:00Z", "2025-06-01T10:00:00+01:00")
    for number, moment in enumerate(written):
        local.remember(f"fact {number}", name=f"n{number}", valid_from=moment)
        assert local.show(f"n{number}").content.valid_from == at("2025-06-01T09:00:00Z")
    local.remember("a day", name="day", valid_from="2025-06-01")
    assert local.show("day").content.valid_from == at("2025-05-31T21:00:00Z")
    undated = local.remember("no date was given", name="undated")
    content = local.show("undated").content
    assert (content.valid_from, content.valid_to, content.dated) == (undated.recorded_at, None, None)
    assert content.encoding_context.created_at == undated.recorded_at
    since = [r.key.name for r in local.list(valid_at="2025-06-01T11:59:59.999999")]
    assert since == ["day"]
    assert len(local.list(valid_at="2025-06-01T12:00").records) == 5


def many_forgotten(memory, number):
    """One live memory among so many forgotten near-copies of it."""
    since = memory.clock()
    window = {"valid_from": since, "valid_to": since + 1}
    put(
        memory,
        {f"copy-{n}": Content(summary=f"The mill's staging port is 5433, note {n}", **window) for n in range(number)},
    )
    memory.remember("The mill's staging port is 5433", name="live")
    assert names(memory.recall("the staging port of the mill", k=1)) == ["live"]
    found = memory.search("staging port 5433 note", k=1)
    assert (names(found), found.hidden) == (["live"], number)
    assert memory.search("staging", k=1).hits[0].coverage == pytest.approx(1.0)
    assert memory.list().total == 1
    assert memory.status().forgotten == number


def test_01_one_live_memory_among_very_many_forgotten_near_copies(memory, store):
    many_forgotten(memory, 2_000 if store == "resident" else 300)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("store", ["resident"])
def test_01_one_live_memory_among_a_hundred_thousand_forgotten_near_copies(memory):
    many_forgotten(memory, 100_000)
