"""How a realm stands: its counts, its health and how fresh it is."""

from __future__ import annotations

from memtui.errors import EmbedderUnavailable, InvalidInput
from memtui.memory import reading
from memtui.memory.asking import check_not_future
from memtui.memory.realm import Realm
from memtui.memory.realms import Realms
from memtui.model.belief import BeliefState
from memtui.model.status import Status
from memtui.store.vectors import Space, VectorIndex
from memtui.text.chunking import CHUNKER


def status_of(realms: Realms, realm: Realm, asked: BeliefState) -> Status:
    """The status of a realm; counts and blind spots are those of a belief state, the rest is of now."""
    with realm.searching() as (searcher, present):
        check_not_future(asked, present)
        kinds, states = reading.counts(searcher, asked, present)
        blind, blind_total = reading.blind_spots(searcher, asked)
        note = reading.index_note(searcher)
    with realm.ledger.reading() as unit:
        sync_state, seen = unit.sync_state(realm.filled), unit.file_stats(realm.filled)
        analyser, rows = unit.analyser(), unit.text_count()
        embedding, trouble = _embedding(realms, unit)
    return Status(
        vault=realms.place(realm),
        workspace=realms.label(realm),
        partition=realm.partition,
        store=realm.ledger.location,
        counts=kinds,
        states=states,
        problems=(*sync_state.problems, *realms.synonyms.problems),
        stale=realms.stale(realm, seen),
        last_sync=sync_state.last_sync,
        analyser=analyser,
        index_rows=rows,
        size_bytes=realm.ledger.size_bytes(),
        embedding=embedding,
        as_of=asked.known_at,
        valid_at=asked.true_at,
        as_of_truncated=blind,
        truncated_total=blind_total,
        warnings=(*realm.ledger.warnings, *(sentence for sentence in (note, trouble) if sentence)),
    )


def _embedding(realms: Realms, unit: VectorIndex) -> tuple[dict[str, object], str | None]:
    """What is set to embed texts, how many of the store's texts it has embedded, and why it cannot be told."""
    shape: dict[str, object] = {"model_id": None, "dims": None, "chunks": 0, "embedded": 0}
    try:
        choice, space = realms.meanings.asked()
    except (EmbedderUnavailable, InvalidInput) as error:
        return shape, f"searches go by words: {error.message}"
    if choice is not None:
        shape.update(model_id=choice.model_id, dims=choice.dims)
        # Of a model folder only the model tells the width; what it has embedded is known by its name.
        asked = space or Space(choice.model_id, 0, CHUNKER)
        shape["embedded"], shape["chunks"] = unit.embedded(asked)
    return shape, None
