"""The gate before a text becomes a record: is it as good as known? It advises and writes nothing.

Records are compared by meaning where a model can tell and they are embedded, else by the words they share.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from memtui.embedding.nearness import nearness
from memtui.errors import EmbedderUnavailable, InvalidInput
from memtui.log import survived
from memtui.memory.asking import check_not_future
from memtui.memory.candidate import Candidate
from memtui.memory.embedders import LONGEST_LOAD, NO_EMBEDDER, NOTHING_EMBEDDED, not_semantic
from memtui.memory.embedding import in_batches
from memtui.memory.nearest import Asked, Gate, Meant
from memtui.memory.realm import Realm
from memtui.memory.realms import Realms
from memtui.memory.timed import LONGEST_ANSWER
from memtui.model.belief import NOW
from memtui.model.duplicates import Dedup
from memtui.model.instants import Instant
from memtui.model.outcomes import Near
from memtui.search.searcher import Searcher

_MOST_NEAR = 10
"""Records that are told at most to who remembers."""
_MOST_EMBEDDED = 32
"""Passages of a candidate that are embedded for the comparison, some ten thousand words: a person waits for it."""


def dedup(realms: Realms, realm: Realm, candidate: Candidate, asked: Asked, *, if_present: bool) -> Dedup:
    """Whether a candidate is new: MERGE, REVIEW or CREATE, with the records in force that are nearest.

    With `if_present` by meaning, or not at all where that cannot be.
    """
    meant = _meant(realms, realm, candidate, LONGEST_LOAD)
    why = meant if isinstance(meant, str) else None
    if why is not None and if_present:
        return Dedup("CREATE", checked=False, reason=f"not compared: {why}")

    def ask(searcher: Searcher, present: Instant) -> Dedup:
        check_not_future(asked.belief, present)
        gate = Gate(searcher, present, candidate, asked, None if isinstance(meant, str) else meant)
        answer = gate.answer()
        reasons = (_in_part(meant, candidate), answer.reason) if why is None else (f"compared by words: {why}",)
        return replace(answer, reason="; ".join(filter(None, reasons)) or None)

    return realms.fresh(realm, ask, lambda answer, stale: replace(answer, stale=stale), sync=False)


def _in_part(meant: Meant | str, candidate: Candidate) -> str | None:
    """What is to be said where not the whole candidate was compared by meaning."""
    passages = len(candidate.chunks)
    if isinstance(meant, str) or len(meant.vectors) == passages:
        return None
    return f"compared by the first {len(meant.vectors):,} of {passages:,} passages; give a long text in parts"


def by_meaning(realms: Realms, realm: Realm, candidate: Candidate, kinds: tuple[str, ...]) -> list[Near]:
    """The records in force that are near a candidate by their meaning, for who has loaded the model and cannot wait.

    None where it does not answer in the time of a query, or where nothing tells which cosine is near.
    """
    meant = _meant(realms, realm, candidate, LONGEST_ANSWER)
    if isinstance(meant, str):
        return []
    with realm.searching() as (searcher, present):
        found = Gate(searcher, present, candidate, Asked(NOW, kinds, _MOST_NEAR), meant).answer()
    return [
        Near(near.key.kind, near.key.name, near.similarity, near.verdict, "meaning")
        for near in found.nearest
        if near.by == "meaning" and near.verdict != "CREATE"
    ]


def _meant(realms: Realms, realm: Realm, candidate: Candidate, seconds: float) -> Meant | str:
    """What the candidate means, or why that cannot be told, not in so many seconds, or compared with anything.

    The model is loaded only where something is embedded, and no store is held meanwhile.
    """
    try:
        choice, space = realms.meanings.asked()
        if choice is None:
            return NO_EMBEDDER
        if not choice.semantic:
            return not_semantic(choice.model_id)
        near = nearness(choice.model_id)
        if space is None or near.merge is None:
            return f"from where on two texts are near for {choice.model_id} was never measured"
        realm.hold_vectors(space)
        chunks = candidate.chunks
        told = {chunk.digest: chunk.text for chunk in chunks}
        with realm.ledger.reading() as unit:
            if not unit.embedded(space)[1]:
                return NOTHING_EMBEDDED
            known = dict(unit.known_vectors(space, list(told)))
        waiting = {digest: text for digest, text in told.items() if digest not in known}
        if len(waiting) > _MOST_EMBEDDED:
            beyond = list(waiting)[_MOST_EMBEDDED]
            chunks = chunks[: next(place for place, chunk in enumerate(chunks) if chunk.digest == beyond)]
            waiting = dict(list(waiting.items())[:_MOST_EMBEDDED])
        known.update(in_batches(waiting, lambda texts: realms.meanings.passages(texts, seconds)))
    except (EmbedderUnavailable, InvalidInput) as error:  # a model that is not there, a name that no embedder has
        survived("the gate went by words", error)
        return error.message
    return Meant(space, np.stack([known[chunk.digest] for chunk in chunks]), near)
