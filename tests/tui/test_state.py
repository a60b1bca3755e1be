"""What a key may do, decided without a screen."""

from dataclasses import replace

from memtui.model.records import WORKSPACE, RecordKey
from memtui.tui.actions import BY_ID
from memtui.tui.clocks import Clocks
from memtui.tui.state import Done, SearchState, applies, place_selection, refusal

A, B, C = (RecordKey(WORKSPACE, "engram", name) for name in "abc")
READY = SearchState(ready=True, selected=B, selected_state="in_force")


def test_typing_selects_the_first_row():
    assert place_selection(replace(READY, moved=True), [A, B, C], 1, "typed") == 0


def test_a_fused_answer_follows_the_record_only_after_the_person_moved():
    assert place_selection(READY, [A, B, C], 1, "fused") == 0
    assert place_selection(replace(READY, moved=True), [A, C, B], 1, "fused") == 2


def test_a_change_of_the_store_never_moves_the_selection():
    assert place_selection(READY, [A, C, B], 1, "changed") == 2


def test_where_the_record_is_gone_its_place_is_selected():
    assert place_selection(READY, [A, C], 1, "changed") == 1
    assert place_selection(READY, [A], 1, "changed") == 0
    assert place_selection(READY, [], 1, "changed") is None


def test_what_an_undo_brought_back_is_selected_when_it_is_listed():
    waiting = READY.brought_back(A)
    assert place_selection(waiting, [B, C], 0, "changed") == 0
    waiting = waiting.chose(B, "in_force", by_person=False)
    assert place_selection(waiting, [B, C, A], 0, "changed") == 2
    assert place_selection(waiting.chose(A, "in_force", by_person=False), [B, C, A], 0, "typed") == 0
    assert place_selection(waiting.chose(C, "in_force", by_person=True), [B, C, A], 0, "changed") == 1
    assert place_selection(waiting.typed("x"), [B, C, A], 0, "typed") == 0


def test_a_new_query_forgets_that_the_person_moved():
    moved = READY.chose(C, "in_force", by_person=True)
    assert moved.moved
    assert not moved.typed("x").moved


def test_undo_takes_the_last_write_first_and_none_is_lost():
    state = READY.did(Done("forget", A)).did(Done("forget", B))
    assert state.done[-1].key == B
    assert state.undoing().done == (Done("forget", A),)
    assert Done("forget", A).opposite == "revive"


def test_only_what_makes_sense_is_offered():
    forgotten = replace(READY, selected_state="forgotten")
    assert applies(BY_ID["memory.forget"], READY)
    assert not applies(BY_ID["memory.revive"], READY)
    assert applies(BY_ID["memory.revive"], forgotten)
    assert not applies(BY_ID["memory.forget"], forgotten)
    assert not applies(BY_ID["memory.undo"], READY)
    assert not applies(BY_ID["memory.open"], SearchState(ready=True))


def test_a_document_is_neither_forgotten_nor_revived_by_a_key():
    document = RecordKey(WORKSPACE, "note", "a")
    for state in ("in_force", "forgotten"):
        chosen = replace(READY, selected=document, selected_state=state)
        assert not applies(BY_ID["memory.forget"], chosen)
        assert not applies(BY_ID["memory.revive"], chosen)
        assert applies(BY_ID["memory.open"], chosen)


def test_each_refusal_says_why():
    forget, undo = BY_ID["memory.forget"], BY_ID["memory.undo"]
    assert refusal(forget, READY) is None
    assert "read-only" in (refusal(forget, replace(READY, read_only=True)) or "")
    assert "read-only" in (refusal(forget, replace(READY, clocks=Clocks(1))) or "")
    assert "opening" in (refusal(forget, SearchState()) or "")
    assert "selected" in (refusal(forget, SearchState(ready=True)) or "")
    assert "undo" in (refusal(undo, READY) or "")
    revive = BY_ID["memory.revive"]
    assert "not yet true" in (refusal(revive, replace(READY, selected_state="not_yet")) or "")
    assert refusal(revive, replace(READY, selected_state="forgotten")) is None
