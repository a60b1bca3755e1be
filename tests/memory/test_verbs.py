"""remember, forget, revive: what they write, what they refuse, and that nothing is lost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memtui.errors import Ambiguous, InvalidInput, NotFound, Refused
from memtui.model.instants import DAY, iso
from memtui.model.records import Content
from tests.clocks import at
from tests.memory.stores import everything, put


def found(memory, query, **options):
    return [hit.name for hit in memory.search(query, **options)]


def test_a_memory_is_found_by_the_very_next_search(memory):
    written = memory.remember("The staging database listens on port 5433", tags=["ops"], area="Service/db")
    assert written.outcome == "remembered"
    assert written.key.name.startswith("rem-")
    hit = memory.search("staging port").hits[0]
    assert hit.name == written.key.name
    assert hit.coverage == pytest.approx(1.0)
    record = memory.show(written.key.name).content
    assert record.memory_type == "episodic"
    assert record.encoding_context.co_topics == ("ops",)
    assert record.encoding_context.created_at == written.recorded_at == record.valid_from
    assert record.owner == "tester"


def test_the_same_text_again_is_known_already(memory):
    first = memory.remember("Backups run at night.")
    for again in ("backups run  at NIGHT", "Backups run at night.", "ｂackups run at night"):
        written = memory.remember(again)
        assert (written.outcome, written.key) == ("unchanged", first.key)
    assert memory.list().total == 1


def test_fields_not_given_keep_their_stored_values(memory):
    memory.remember("Backups run at night", name="backups", tags=["ops"], area="Service/db")
    written = memory.remember("Backups run at night", name="backups", confidence="firm")
    assert written.outcome == "updated"
    content = memory.show("backups").content
    assert (content.tags, content.area, content.confidence) == (("ops",), "Service/db", "firm")


def test_another_text_under_a_taken_name_is_refused(memory):
    memory.remember("Backups run at night", name="backups")
    with pytest.raises(Refused, match="already says something else"):
        memory.remember("Backups run at noon", name="backups")
    assert memory.show("backups").content.summary == "Backups run at night"


def test_a_forgotten_name_is_refused_naming_revive(memory):
    memory.remember("Backups run at night", name="backups")
    memory.forget("backups")
    with pytest.raises(Refused) as refusal:
        memory.remember("Backups run at night", name="backups")
    assert "revive" in refusal.value.hint


def test_the_same_fact_in_another_period_is_another_memory(memory):
    first = memory.remember("The office is closed", valid_from="2025-08-01", valid_to="2025-08-15")
    second = memory.remember("The office is closed", valid_from="2026-08-01", valid_to="2026-08-15")
    assert second.key.name == f"{first.key.name}-2"
    again = memory.remember("The office is closed", valid_from="2026-08-01", valid_to="2026-08-15")
    assert (again.outcome, again.key) == ("unchanged", second.key)


def test_forget_ends_validity_and_revive_dates_the_gap(memory, clock):
    memory.remember("Backups run at night", name="backups")
    clock.forward(DAY)
    forgotten = memory.forget("backups", reason="moved to noon")
    assert forgotten.outcome == "forgotten"
    assert found(memory, "backups") == []
    assert memory.search("backups").hidden == 1
    assert found(memory, "backups", all=True) == ["backups"]
    assert memory.forget("backups").outcome == "already_forgotten"
    assert len(memory.history("backups")) == 2
    clock.forward(DAY)
    revived = memory.revive("backups", by="ada")
    assert revived.outcome == "revived"
    assert found(memory, "backups") == ["backups"]
    (gap,) = memory.show("backups").content.revivals
    assert (gap.valid_to, gap.revived_at, gap.revived_by) == (forgotten.recorded_at, revived.recorded_at, "ada")
    assert memory.revive("backups").outcome == "already_in_force"
    assert len(memory.history("backups")) == 3
    inside = forgotten.recorded_at + 1
    assert found(memory, "backups", valid_at=inside) == []
    assert found(memory, "backups", valid_at=forgotten.recorded_at - 1) == ["backups"]


def test_both_clocks(memory, clock):
    clock.now = at("2026-03-01")
    memory.remember("The mill was rented", name="rent", valid_from="2024-01-01", valid_to="2025-01-01")
    assert found(memory, "mill rented") == []
    assert found(memory, "mill rented", valid_at="2024-06-01") == ["rent"]
    clock.now = at("2026-04-01")
    assert found(memory, "mill rented", valid_at="2024-06-01", as_of="2026-02-01") == []
    assert found(memory, "mill rented", valid_at="2024-06-01", as_of="2026-03-15") == ["rent"]
    with pytest.raises(InvalidInput, match="future"):
        memory.search("mill", as_of="2030-01-01")


def test_a_future_end_is_brought_forward_and_a_future_start_is_not_yet(memory):
    memory.remember("Sale ends", name="sale", valid_to="2030-01-01")
    memory.remember("New office", name="office", valid_from="2030-01-01")
    assert found(memory, "office") == []
    assert memory.show("office").state == "not_yet"
    assert memory.forget("sale").outcome == "forgotten"
    assert memory.show("sale").state == "forgotten"
    cancelled = memory.forget("office")
    assert cancelled.outcome == "forgotten"
    assert found(memory, "office", valid_at="2031-01-01") == []
    assert memory.revive("office").outcome == "revived"


def test_superseded_by(memory):
    memory.remember("Port is 5432", name="old")
    memory.remember("Port is 5433", name="new")
    with pytest.raises(NotFound, match="newer"):
        memory.forget("old", superseded_by="newer")
    with pytest.raises(Refused, match="leads back"):
        memory.forget("old", superseded_by="old")
    memory.forget("old", superseded_by="new")
    assert memory.show("old").state == "superseded"
    with pytest.raises(Refused, match="leads back"):
        memory.forget("new", superseded_by="old")
    memory.revive("old")
    assert memory.show("old").content.superseded_by is None


def test_names(memory):
    memory.remember("one", name="alpha-one")
    memory.remember("two", name="alpha-two")
    assert memory.show("alpha-o").key.name == "alpha-one"
    assert memory.show("engram/alpha-two").key.name == "alpha-two"
    with pytest.raises(Ambiguous) as several:
        memory.show("alpha")
    assert set(several.value.choices) == {"engram/alpha-one", "engram/alpha-two"}
    with pytest.raises(NotFound) as none:
        memory.show("alhpa-one")
    assert "alpha-one" in none.value.choices


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"summary": " \u200b "}, "summary"),
        ({"summary": "x" * 281}, "summary"),
        ({"valid_from": "2024-13-01"}, "valid_from"),
        ({"valid_from": "yesterdayish"}, "valid_from"),
        ({"valid_from": "2025-01-02", "valid_to": "2025-01-01"}, "valid_to"),
        ({"valid_to": "2025-01-01"}, "valid_to"),
        ({"confidence": "quite"}, "confidence"),
        ({"confidence": 11}, "confidence"),
        ({"confidence": float("nan")}, "confidence"),
        ({"stability_days": 0}, "stability_days"),
        ({"affect_reason": "too short"}, "affect_reason"),
        ({"claims": ["=nothing"]}, "claim"),
        ({"colour": "red"}, "colour"),
        ({"name": "a\nb"}, "name"),
        ({"body": "half \ud800"}, "body"),
    ],
)
def test_bad_input_names_the_field_and_writes_nothing(memory, fields, named):
    fields = dict(fields)
    summary = fields.pop("summary", "fine")
    with pytest.raises(InvalidInput) as refusal:
        memory.remember(summary, **fields)
    assert (refusal.value.field or "").startswith(named)
    assert memory.list(all=True).total == 0


def test_read_only_refuses_every_write(vault, clock):
    from memtui.memory.opening import open_memory

    writable = open_memory(vault, create=True, clock=clock)
    writable.remember("here", name="here")
    closed = open_memory(vault, clock=clock, read_only=True)
    assert found(closed, "here") == ["here"]
    for write in (
        lambda: closed.remember("x"),
        lambda: closed.forget("here"),
        lambda: closed.revive("here"),
        closed.sync,
    ):
        with pytest.raises(Refused, match="read-only"):
            write()


def test_one_live_memory_among_many_forgotten_ones_is_found(memory):
    put(memory, {f"n{number}": Content(summary=f"Deploy note {number} weekly deploy") for number in range(70)})
    for number in range(0, 70, 35):
        memory.forget(f"n{number}")
    gone = {v.key.name: replace(v.content, valid_to=v.recorded_at) for v in everything(memory)[0]}
    put(memory, gone, operation="forget")
    memory.remember("Deploy note weekly deploy", name="live")
    for k in (1, 5, 20):
        assert found(memory, "weekly deploy note", k=k) == ["live"]


def test_a_second_process_is_seen_at_once(vault, clock):
    from memtui.memory.opening import open_memory

    mine, theirs = (open_memory(vault, create=True, clock=clock) for _ in range(2))
    mine.remember("first things first", name="a")
    assert found(theirs, "things") == ["a"]
    theirs.remember("second things second", name="b")
    assert set(found(mine, "things")) == {"a", "b"}


def test_a_memory_forgotten_before_its_time(memory):
    memory.remember("moon base opens", name="moon", valid_from="2099-01-01")
    assert memory.forget("moon").outcome == "forgotten"
    assert memory.forget("moon").outcome == "already_forgotten"
    with pytest.raises(Refused, match="forgotten"):
        memory.remember("moon base opens", name="moon")
    assert memory.revive("moon").outcome == "revived"
    assert memory.show("moon").state == "not_yet"
    assert found(memory, "moon") == []
    assert found(memory, "moon", valid_at="2099-06-01") == ["moon"]


def test_remembering_again_cannot_empty_the_window(memory):
    memory.remember("port is 1", name="p", valid_from="2026-01-01", valid_to="2027-01-01")
    with pytest.raises(InvalidInput, match="valid_to"):
        memory.remember("port is 1", name="p", valid_from="2027-01-01")
    assert len(memory.history("p")) == 1


def test_time_that_passes_is_seen_without_any_write(memory, clock):
    memory.remember("the sale is on", name="sale", valid_from="2026-02-01", valid_to="2026-03-01")
    assert found(memory, "sale") == []
    clock.now = at("2026-02-10")
    assert found(memory, "sale") == ["sale"]
    clock.now = at("2026-03-02")
    assert found(memory, "sale") == []


def test_a_whole_word_is_not_outranked_by_the_beginning_of_another(memory):
    for number in range(12):
        memory.remember(f"note {number} about the port and other things", name=f"w{number}")
    memory.remember("Portfolio of mills", name="zz", title="Portfolio")
    assert found(memory, "port", k=50)[-1] == "zz"


def test_what_is_hidden_is_counted_under_the_same_filters(memory, write):
    memory.remember("giraffe one", name="g", tags=["zoo"])
    memory.forget("g")
    assert memory.search("giraffe").hidden == 1
    assert memory.search("giraffe", kinds="knowledge").hidden == 0
    assert memory.search("giraffe", tags=["other"]).hidden == 0
    assert memory.search("giraffe", tags=["zoo"]).hidden == 1


def test_a_forgotten_name_is_not_offered_to_who_looks(memory):
    memory.remember("a secret", name="secret-plan")
    memory.forget("secret-plan")
    with pytest.raises(NotFound) as looked:
        memory.show("secret-pln")
    assert looked.value.choices == ()
    with pytest.raises(NotFound) as bringing_back:
        memory.revive("secret-pln")
    assert bringing_back.value.choices == ("secret-plan",)


def test_another_store_in_the_same_place_is_read_anew(vault, clock, tmp_path):
    import shutil

    from memtui.memory.opening import open_memory

    mine = open_memory(vault, create=True, clock=clock)
    mine.remember("apples are red", name="one")
    elsewhere = open_memory(tmp_path / "else", create=True, clock=clock)
    elsewhere.remember("grapes are blue", name="two")
    assert found(mine, "apples") == ["one"]
    shutil.rmtree(vault / ".memtui")
    shutil.copytree(tmp_path / "else" / ".memtui", vault / ".memtui")
    assert found(mine, "apples") == []
    assert found(mine, "grapes") == ["two"]


def test_opening_a_folder_that_is_no_vault_makes_nothing(tmp_path):
    from memtui.errors import VaultNotFound
    from memtui.memory.opening import open_memory

    with pytest.raises(VaultNotFound, match="no vault"):
        open_memory(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_many_threads_make_one_store(vault, clock):
    from concurrent.futures import ThreadPoolExecutor

    from memtui.memory.opening import open_memory

    def first_use(number):
        return open_memory(vault, create=True, clock=clock).remember(f"memory number {number}").outcome

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(first_use, range(6))) == ["remembered"] * 6
    assert open_memory(vault, clock=clock).list().total == 6


def test_a_filter_leaves_out_the_same_in_a_list_and_in_a_recall(memory):
    memory.remember("The kettle whistles", name="kettle", tags=["Kitchen", "sound"])
    memory.remember("The kettle is red", name="red", tags=["kitchen"], area="home")
    memory.remember("The kettle was blue", name="blue", area="home")
    memory.forget("blue")

    def told(**filters):
        listed = [record.key.name for record in memory.list(**filters).records]
        assert sorted(listed) == sorted(hit.name for hit in memory.recall("kettle", k=9, **filters))
        return listed

    assert told(tags=["KITCHEN"]) == ["kettle", "red"]
    assert told(tags=["kitchen", "sound"]) == ["kettle"]
    assert told(area="Home") == ["red"]
    assert told(area="Home", all=True) == ["blue", "red"]
    assert told(area="general") == ["kettle"]  # the area of a memory that names none
    assert told(area="home", tags=["sound"]) == []
    assert memory.list(area="home", all=True, limit=1).total == 2


def test_what_is_to_come_is_told_how_to_be_planned(memory, clock):
    memory.remember("The bridge is open", name="bridge")
    later = clock.now + 30 * DAY
    for plan in (lambda: memory.forget("bridge", at=later), lambda: memory.supersede("bridge", "It is shut", at=later)):
        with pytest.raises(InvalidInput, match="future") as refusal:
            plan()
        assert "memtui update bridge --valid-to" in refusal.value.hint
    assert memory.update("bridge", valid_to=later).outcome == "updated"
    memory.remember("The tunnel is open", name="tunnel", valid_from=later)
    told = memory.revive("tunnel")
    assert (told.outcome, told.note) == ("already_in_force", f"its time comes at {iso(later)}")


def test_a_replacement_from_before_the_record_says_how_to_date_it(memory, clock):
    memory.remember("The bridge is open", name="bridge")
    long_ago = clock.now - 30 * DAY
    with pytest.raises(InvalidInput, match="not later than the beginning") as refusal:
        memory.supersede("bridge", "It is shut", at=long_ago)
    assert "memtui update bridge --valid-from" in refusal.value.hint
    memory.update("bridge", valid_from=long_ago - DAY)
    assert memory.supersede("bridge", "It is shut", at=long_ago).outcome == "superseded"


def test_a_vault_has_synonyms_of_its_own(vault, clock, write):
    from memtui.memory.opening import open_memory

    write("synonyms.toml", 'same = [["zeytin", "karasu"], 7]\n')
    memory = open_memory(vault, create=True, clock=clock)
    memory.remember("The karasu is drained at night", name="drain")
    assert found(memory, "zeytin") == ["drain"]
    assert memory.search("zeytin").hits[0].score == 0
    (problem,) = memory.status().problems
    assert (problem.path, problem.field) == ("synonyms.toml", "same, entry 2")
