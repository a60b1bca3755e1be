"""update and supersede; research and evidence; the gate before remembering."""

from __future__ import annotations

import pytest

from memtui.errors import Ambiguous, InvalidInput, NotFound, Refused
from memtui.model.instants import DAY
from memtui.model.records import Claim, Finding, RecordKey
from tests.clocks import at
from tests.memory.stores import everything


@pytest.fixture(params=["one-shot", "twin"])
def store(request):
    return request.param


def names(found):
    return [hit.name for hit in found]


# update ------------------------------------------------------------------------------------------


def test_an_update_corrects_and_its_old_words_are_the_past(memory, clock):
    first = memory.remember("The prot is 5433", name="port", tags=["net"], area="Service/db", claims=["port=5433"])
    clock.forward(DAY)
    fixed = memory.update("port", summary="The port is 5433", tags=["net", "db"], claims=[])
    assert (fixed.outcome, fixed.seq) == ("updated", 2)
    content = memory.show("port").content
    assert (content.summary, content.tags, content.area) == ("The port is 5433", ("net", "db"), "Service/db")
    assert content.claims == ()
    assert content.encoding_context == memory.show("port", as_of=first.recorded_at).content.encoding_context
    # What nobody says any more is found by its spelling alone, as what it was mistyped for.
    assert all(hit.score == 0 for hit in memory.search("prot"))
    assert names(memory.search("prot", as_of=first.recorded_at)) == ["port"]
    (past,) = memory.past_texts("prot")
    assert (past.known_from, past.known_to) == (first.recorded_at, fixed.recorded_at)


def test_an_end_that_has_not_come_is_moved_or_taken_away(memory):
    memory.remember("The sale is on", name="sale", valid_to="2026-06-01")
    memory.update("sale", valid_to="2026-07-01")
    assert memory.show("sale").content.valid_to == at("2026-07-01")
    memory.update("sale", valid_to="open")
    assert memory.show("sale").content.valid_to is None
    memory.update("sale", valid_from="2025-01-01")
    assert names(memory.search("sale", valid_at="2025-06-01")) == ["sale"]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({}, None),
        ({"summary": ""}, "summary"),
        ({"summary": "x" * 281}, "summary"),
        ({"valid_to": "2020-01-01"}, "valid_to"),
        ({"valid_from": "2031-01-01", "valid_to": "2030-01-01"}, "valid_to"),
        ({"findings": []}, "findings"),
        ({"superseded_by": "other"}, "superseded_by"),
        ({"revivals": []}, "revivals"),
        ({"encoding_context": {}}, "encoding_context"),
        ({"colour": "red"}, "colour"),
        ({"tags": ["half \ud800"]}, "tags"),
    ],
)
def test_an_update_that_cannot_be_is_refused_by_field(memory, fields, field):
    memory.remember("The port is 5433", name="port")
    held = everything(memory)
    with pytest.raises(InvalidInput) as refusal:
        memory.update("port", **fields)
    assert refusal.value.field == field
    assert everything(memory) == held


def test_nothing_can_be_asked_of_a_memory_that_is_not_there(memory):
    memory.remember("The port is 5433", name="port-of-staging")
    for verb in (
        lambda name: memory.update(name, tags=["x"]),
        lambda name: memory.supersede(name, "other"),
        lambda name: memory.forget(name),
        lambda name: memory.forget("port-of-staging", superseded_by=name),
        lambda name: memory.show(name),
        lambda name: memory.history(name),
        lambda name: memory.details(name),
        lambda name: memory.delete(name),
    ):
        with pytest.raises(NotFound) as none:
            verb("prot-of-staging")
        assert none.value.choices == ("port-of-staging",)
        assert "port-of-staging" in none.value.hint
    memory.remember("The port of production is 5432", name="port-of-production")
    with pytest.raises(Ambiguous) as several:
        memory.forget("port-of")
    assert several.value.choices == ("engram/port-of-production", "engram/port-of-staging")


# supersede ---------------------------------------------------------------------------------------


def test_a_successor_takes_over_in_one_transaction(memory, clock):
    memory.remember("The port is 5432", name="old", area="Service/db", tags=["net"], claims=["port=5432"])
    memory.update("old", source_refs=["commit:a"], homophonic_links=["song"], owner="ada", affect="regret")
    clock.forward(DAY)
    written = memory.supersede("old", "The port is 5433", name="new", tags=["net", "db"], reason="moved")
    (new_step, old_step) = memory.history("new")[-1], memory.history("old")[-1]
    assert (written.outcome, written.key.name) == ("superseded", "new")
    assert new_step.recorded_at == old_step.recorded_at == written.recorded_at
    assert {new_step.operation, old_step.operation} == {"supersede"}
    old, new = old_step.content, new_step.content
    assert (old.valid_to, old.superseded_by) == (written.recorded_at, "new")
    assert new.valid_from == written.recorded_at
    assert (new.area, new.source_refs, new.owner) == ("Service/db", ("commit:a",), "ada")
    assert (new.tags, new.claims, new.affect) == (("net", "db"), (), None)
    assert [link.target_name for link in new.homophonic_links] == ["song"]
    assert new.encoding_context.created_at == written.recorded_at
    assert names(memory.search("port")) == ["new"]
    assert memory.show("old").state == "superseded"


def test_a_successor_may_begin_in_the_past_and_keep_the_claims(memory):
    memory.remember("The port is 5432", name="old", valid_from="2025-01-01", claims=["port=5432"])
    memory.supersede("old", "The port is 5433", name="new", at="2025-06-01", keep_claims=True)
    for moment, name in (("2025-05-31T23:59:59.999999", "old"), ("2025-06-01", "new")):
        assert names(memory.search("port", valid_at=moment)) == [name]
    assert memory.show("new").content.claims == (Claim("port", "5432"),)


@pytest.mark.parametrize(
    ("arguments", "error", "told"),
    [
        ({"at": "2024-12-31"}, InvalidInput, "beginning"),
        ({"at": "2025-01-01"}, InvalidInput, "beginning"),
        ({"at": "2030-01-01"}, InvalidInput, "future"),
        ({"name": "taken"}, Refused, "exists already"),
        ({"name": "old"}, Refused, "exists already"),
        ({"name": "."}, InvalidInput, "cannot be a name"),
        ({"summary": "  "}, InvalidInput, "blank"),
        ({"colour": "red"}, InvalidInput, "colour"),
        ({"claims": ["=x"]}, InvalidInput, "claim"),
    ],
)
def test_a_succession_that_cannot_be_changes_neither(memory, arguments, error, told):
    memory.remember("The port is 5432", name="old", valid_from="2025-01-01")
    memory.remember("Something else", name="taken")
    held = everything(memory)
    arguments = {"summary": "The port is 5433", "name": "new", **arguments}
    with pytest.raises(error, match=told):
        memory.supersede("old", arguments.pop("summary"), **arguments)
    assert everything(memory) == held


def test_what_is_out_of_force_is_not_superseded_and_what_never_began_never_does(memory):
    memory.remember("The port is 5432", name="old")
    memory.supersede("old", "The port is 5433", name="new")
    with pytest.raises(Refused, match="superseded by new"):
        memory.supersede("old", "The port is 5434", name="newer")
    memory.remember("The mill opens", name="opening", valid_from="2030-01-01")
    memory.supersede("opening", "The mill is sold", name="sale")
    assert memory.show("opening", valid_at="2031-01-01").state == "superseded"
    assert names(memory.search("mill", valid_at="2031-01-01")) == ["sale"]


def test_a_ring_of_successors_is_refused(memory):
    for name in ("one", "two", "three"):
        memory.remember(f"The port is {name}", name=name)
    memory.forget("one", superseded_by="two")
    memory.forget("two", superseded_by="three")
    for ring in ("one", "two", "three"):
        with pytest.raises(Refused, match="leads back"):
            memory.forget("three", superseded_by=ring)
    assert memory.show("three").state == "in_force"


def test_a_successor_given_by_its_key_must_exist_too(memory):
    memory.remember("The port is 5432", name="old")
    with pytest.raises(NotFound):
        memory.forget("old", superseded_by=RecordKey("workspace", "engram", "nowhere"))


# Research and evidence ---------------------------------------------------------------------------


def test_research_and_evidence_live_as_engrams_do(memory, clock):
    findings = [
        {"text": "It listens on 5433", "rating": "strong", "source_refs": ["url:x", "commit:a"]},
        "It is slow | 2 | url:y",
        "It is old | url:z",
    ]
    memory.remember("How the database listens", kind="research", name="listening", findings=findings)
    memory.remember(
        "The log shows 5433", kind="evidence", name="log", rating=4, source_refs=["file:log"], supports=["listening"]
    )
    assert memory.show("listening").content.findings == (
        Finding("It listens on 5433", "strong", ("url:x", "commit:a")),
        Finding("It is slow", "2", ("url:y",)),
        Finding("It is old", "unrated", ("url:z",)),
    )
    evidence = memory.show("log").content
    assert (evidence.rating, evidence.supports, evidence.memory_type) == ("4", ("listening",), None)
    assert {hit.kind for hit in memory.recall("5433", k=5)} == {"research", "evidence"}
    assert memory.details("log").recalls == ()  # only engrams are reconsolidated
    clock.forward(300 * DAY)
    for hit in memory.recall("5433", kinds=("research", "evidence")):
        (prior,) = (node for _, node in hit.explanation.walk() if node.label == "prior factor")
        assert (prior.value, prior.detail) == (pytest.approx(0.95), "does not fade")
    memory.supersede("log", "The second log shows 5434", name="second")
    assert memory.show("second").content.rating == "4"
    memory.forget("listening")
    assert memory.revive("listening").outcome == "revived"
    assert memory.update("listening", findings=["It is new | url:n"]).outcome == "updated"


@pytest.mark.parametrize(
    ("kind", "fields", "field"),
    [
        ("evidence", {"source_refs": ["url:x"]}, "rating"),
        ("evidence", {"rating": "strong"}, "source_refs"),
        ("evidence", {"rating": "superb", "source_refs": ["url:x"]}, "rating"),
        ("evidence", {"rating": 6, "source_refs": ["url:x"]}, "rating"),
        ("evidence", {"rating": "3", "source_refs": ["url:x"], "affect": "regret"}, "affect"),
        ("research", {"findings": ["no bar at all"]}, "findings[0]"),
        ("research", {"findings": [{"text": "no source"}]}, "findings[0].source_refs"),
        ("research", {"findings": ["a | url:x", {"text": " ", "source_refs": ["url:x"]}]}, "findings[1].text"),
        ("research", {"findings": ["a | url:x", "b | weak"]}, "findings[1]"),
        ("research", {"findings": ["bad | 9 | url:x"]}, "findings[0].rating"),
        ("research", {"findings": ["| strong | url:x"]}, "findings[0].text"),
        ("research", {"findings": [{"text": "x", "colour": 1, "source_refs": ["url:x"]}]}, "findings[0].colour"),
        ("research", {"findings": [{"text": "x", "rating": "9", "source_refs": ["u"]}]}, "findings[0].rating"),
        ("research", {"stability_days": 3}, "stability_days"),
        ("engram", {"findings": []}, "findings"),
        ("knowledge", {}, "kind"),
        ("Research", {}, "kind"),
    ],
)
def test_each_kind_has_its_own_fields(memory, kind, fields, field):
    with pytest.raises(InvalidInput) as refusal:
        memory.remember("fine", kind=kind, **fields)
    assert refusal.value.field == field
    assert everything(memory) == ((), ())


def test_one_name_may_be_of_several_kinds(memory):
    memory.remember("The port", name="port")
    memory.remember("About the port", name="port", kind="research")
    with pytest.raises(Ambiguous) as several:
        memory.show("port")
    assert several.value.choices == ("engram/port", "research/port")
    memory.forget("research/port")
    assert memory.show("engram/port").state == "in_force"


# The gate ----------------------------------------------------------------------------------------


def test_the_gate_advises_and_only_refuse_stands_in_the_way(memory):
    memory.remember("The staging database listens on port 5433", name="port", area="Service/db")
    close = "The staging database listens on port 5433 now"
    assert memory.remember(close, name="unasked").near == ()
    memory.forget("unasked")
    warned = memory.remember(close, name="warned", area="Service/db", gate="warn")
    assert (warned.outcome, [n.name for n in warned.near]) == ("remembered", ["port"])
    assert warned.near[0].verdict == "MERGE"
    held = everything(memory)
    with pytest.raises(Refused, match="nearly the same") as refusal:
        memory.remember(f"{close}!", name="refused", area="Service/db", gate="refuse")
    assert set(refusal.value.choices) == {"port", "warned"}
    assert everything(memory) == held
    loose = memory.remember("The staging database listens to nobody", name="loose", gate="refuse")
    assert loose.outcome == "remembered"
    assert {n.verdict for n in loose.near} <= {"REVIEW"}
    assert memory.remember("The harvest was thin", name="thin", gate="refuse").near == ()


def test_a_memory_is_no_near_duplicate_of_itself(memory):
    memory.remember("The staging database listens on port 5433")
    again = memory.remember("the staging database listens on port 5433.", gate="refuse")
    assert (again.outcome, again.near) == ("unchanged", ())
