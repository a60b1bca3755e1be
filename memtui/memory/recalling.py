"""Reconsolidation: that memories were recalled is noted in a log of its own, and never in the way of the answer."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.errors import Refused, StoreBusy, StoreFull, StoreUnreadable
from memtui.log import survived
from memtui.memory.realm import Realm
from memtui.model.records import RecordKey

WAIT_SECONDS = 0.5
"""How long noting a recall waits for another process: the answer is given already, and a lost event hurts no one."""
_LONGEST_CUE = 1_000
"""Characters of a cue that are kept: an event says what was asked, it need not hold a whole file."""


def note(realm: Realm, keys: Sequence[RecordKey], *, cue: str, actor: str) -> int:
    """One event for each engram among the keys, in one transaction; how many were written.

    Events never copy a record, so a shared memory that is recalled privately stays the shared one. A store that is
    busy, full or unreadable drops them, which the log counts; a read-only one is not even asked.
    """
    # An answer from another realm (a person's own, read beside a vault) is never noted in this one's store.
    engrams = [key for key in keys if key.kind == "engram" and key.partition in realm.readable]
    if not engrams or realm.ledger.read_only:
        return 0
    try:
        with realm.writing(wait=WAIT_SECONDS) as unit:
            return len(unit.recall(engrams, reader=realm.partition, cue=_storable(cue), actor=actor))
    except (StoreBusy, StoreFull, StoreUnreadable, Refused) as error:
        survived(f"{len(engrams)} recall events were dropped", error)
        return 0


def _storable(cue: str) -> str:
    from memtui.text.naming import clean_text

    return clean_text(cue)[0][:_LONGEST_CUE]
