"""How a realm stands: its counts, its health and how fresh it is."""

from __future__ import annotations

from memtui.memory import reading
from memtui.memory.asking import check_not_future
from memtui.memory.realm import Realm
from memtui.memory.realms import Realms
from memtui.model.belief import BeliefState
from memtui.model.status import Status


def status_of(realms: Realms, realm: Realm, asked: BeliefState) -> Status:
    """The status of a realm; counts and blind spots are those of a belief state, the rest is of now."""
    with realm.searching() as (searcher, present):
        check_not_future(asked, present)
        kinds, states = reading.counts(searcher, asked, present)
        blind, blind_total = reading.blind_spots(searcher, asked)
    with realm.ledger.reading() as unit:
        sync_state = unit.sync_state(realm.filled)
        analyser, rows = unit.analyser(), unit.text_count()
    note = realm.ledger.analyser_note(analyser)
    return Status(
        vault=realms.place(realm),
        workspace=realms.label(realm),
        partition=realm.partition,
        store=realm.ledger.location,
        counts=kinds,
        states=states,
        problems=sync_state.problems,
        stale=realms.stale(realm, sync_state),
        last_sync=sync_state.last_sync,
        analyser=analyser,
        index_rows=rows,
        size_bytes=realm.ledger.size_bytes(),
        as_of=asked.known_at,
        valid_at=asked.true_at,
        as_of_truncated=blind,
        truncated_total=blind_total,
        warnings=(*realm.ledger.warnings, *([note] if note else [])),
    )
