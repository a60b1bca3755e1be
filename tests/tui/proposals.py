"""Proposals as a consolidation pass makes them, and what is known of their members."""

from __future__ import annotations

from dataclasses import replace

from memtui.model.details import Strength
from memtui.model.instants import DAY
from memtui.model.intervals import Interval
from memtui.model.proposals import Conflict, Contradiction, Expiry, Likeness, Merge, Stated, Undecided
from memtui.model.records import WORKSPACE, Claim, Content, RecordKey
from memtui.model.results import RecordView
from memtui.tui.member_lines import Told
from tests.clocks import at

NOW = at("2026-08-01T10:00:00Z")
MAY, JUNE, JULY = (at(f"2026-{month}-03T00:00:00Z") for month in ("05", "06", "07"))


def key(name, kind="engram"):
    return RecordKey(WORKSPACE, kind, name)


def told(name, text, start=MAY, end=None, **content):
    record = Content(summary=text, valid_from=start, valid_to=end, **content)
    return Told(RecordView(key(name), record, "in_force", start + DAY, 1))


def stated(name, value, start, end=None, **more):
    return Stated(key(name), Claim("port", value), "staging", Interval(start, end), **more)


def contradicting(*claims, relation="overlaps", kind="object", **more):
    keys = tuple(sorted({claim.key for claim in claims}))
    made = {
        "id": "0123456789",
        "subject": "staging",
        "predicate": "port",
        "keys": keys,
        "total": len(keys),
        "conflicts": tuple(Conflict(claims[0], claim, kind, relation) for claim in claims[1:]),
        "keep": claims[-1].key,
        "supersede": tuple(each for each in keys if each != claims[-1].key),
        "basis": "recorded_at",
        "approximate": (),
        "decided_by": "rule",
        "reason": "new-port was learned last",
    }
    return Contradiction(**made | more)


OLD, NEW = stated("old-port", "8080", MAY, JULY), stated("new-port", "8087", JUNE)
PORTS = contradicting(OLD, NEW)
TOLD_PORTS = {
    key("old-port"): told("old-port", "Staging listens on 8080 behind the proxy", MAY, JULY),
    key("new-port"): told("new-port", "Staging listens on 8087 behind the proxy", JUNE),
}
BACKUPS = (key("backups"), key("backups-again"))
MERGE = Merge(
    id="1123456789",
    keys=BACKUPS,
    total=2,
    keep=BACKUPS[1],
    supersede=BACKUPS[:1],
    likenesses=(Likeness(BACKUPS[0], 0.78, 0.91),),
    terms=("backups", "ledger", "night"),
    reason="backups-again is the newest",
)
TOLD_BACKUPS = {
    BACKUPS[0]: told("backups", "Backups of the ledger run every night at two and are kept for a month"),
    BACKUPS[1]: told("backups-again", "Backups of the ledger run every night at two"),
}
LAMP = Expiry(
    id="2123456789",
    key=key("lamp"),
    action="expire",
    retention=0.0001,
    days=200,
    stability=22.3,
    floor=0.15,
    reason="it faded",
)
LAST = NOW - 200 * DAY
TOLD_LAMP = {
    key("lamp"): replace(
        told("lamp", "The lamp in the hall flickers", LAST - 80 * DAY),
        strength=Strength(0.0001, 22.3, LAST, 2, 3.1),
        recalls=(LAST - 40 * DAY, LAST),
    )
}
SLOW = Undecided(
    id="3123456789",
    referent="Feature/staging",
    keys=(key("new-port"), key("slow")),
    total=2,
    reason="1 of 2 declares no claim",
)
TOLD_SLOW = {
    key("new-port"): told("new-port", "Staging listens on 8087", claims=(Claim("port", "8087"),)),
    key("slow"): told("slow", "Staging is slow on Mondays"),
}
EVERY = [(PORTS, TOLD_PORTS), (MERGE, TOLD_BACKUPS), (LAMP, TOLD_LAMP), (SLOW, TOLD_SLOW)]
