"""Rechecking: which proposals of a plan do not stand any more when they are confirmed, and why.

Between a plan and its confirmation hours may pass: someone decides, memories change, and time goes on.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Set
from typing import TYPE_CHECKING

from memtui.cognition.claims import differ, stated
from memtui.cognition.deciding import superseded, survivor
from memtui.cognition.earlier import Earlier, Told
from memtui.cognition.expiry import kept_by
from memtui.cognition.facts import changes, facts_now
from memtui.memory.gathering import Gatherer
from memtui.model.instants import iso
from memtui.model.proposals import Expiry, Merge, Plan, Proposal, is_about_the_same, told_names
from memtui.model.records import Content, RecordKey
from memtui.model.reviews import DECIDED, Accept, Decision, NotApplied
from memtui.search.fetched import FetchedCorpus
from memtui.search.searcher import Searcher
from memtui.vault.freshness import is_as_seen

if TYPE_CHECKING:
    from memtui.memory.realm import Realm
    from memtui.store.port import FileStats, IndexedWriteUnit


class Rechecking:
    """Looks at the proposals of a plan again, inside the transaction that is to carry them out."""

    def __init__(self, realm: Realm, unit: IndexedWriteUnit, plan: Plan) -> None:
        self._realm, self._unit, self._plan = realm, unit, plan
        self._earlier = Earlier(unit.reviews([realm.partition]))

    def not_open(self, id_: str) -> NotApplied:
        """Why the plan has no open proposal of an id: it was decided, it changed, or it never was."""
        told = self._earlier.decision(id_)
        if told is not None and told[1].verb != "defer":
            return _decided(id_, told)
        for proposal in self._plan.proposals:
            if len(id_) == len(proposal.id) and is_about_the_same(proposal.id, id_):
                return NotApplied(id_, f"it changed since: it is {proposal.id} now", (proposal.reason,))
        return NotApplied(id_, "no proposal of this id is open: what it was about changed, or it never was")

    def changed(self, proposals: Mapping[str, Proposal], decisions: Mapping[str, Decision]) -> list[NotApplied]:
        """Those that someone decided since the plan was made, and those that are otherwise now."""
        lost: dict[str, NotApplied] = {}
        differing: dict[str, tuple[str, ...]] = {}
        named: Set[str] = frozenset()
        if self._unit.last_stamp() != self._plan.stamp:
            lost = self._decided_since(proposals)
            gatherer = self._gatherer()
            differing = _differing(proposals, gatherer)
            if any(isinstance(proposal, Expiry) for proposal in proposals.values()):
                named = gatherer.named_since(self._plan.stamp or 0)
        seen = self._unit.file_stats(self._realm.filled)
        for id_, proposal in proposals.items():
            differs = (*differing.get(id_, ()), *self._speaks_against(proposal, decisions[id_], named))
            differs = differs or self._unread(proposal, seen) or self._out_of_force(proposal)
            if differs and id_ not in lost:
                lost[id_] = NotApplied(id_, "it is not as it was when it was proposed", differs)
        return list(lost.values())

    def _gatherer(self) -> Gatherer:
        """Reads the memories as they are in this transaction."""
        searcher = Searcher(FetchedCorpus(self._unit, self._realm.readable), self._realm.policy)
        stamp = self._unit.stamp
        return Gatherer(searcher, self._realm.partition, stamp, stamp, self._realm.policy.memory)

    def _decided_since(self, ids: Collection[str]) -> dict[str, NotApplied]:
        """Those that someone decided after the plan was made; who only put it off did not decide."""
        since = self._plan.stamp or 0
        told = {id_: told for id_ in ids if (told := self._earlier.decision(id_)) is not None}
        return {
            id_: _decided(id_, each)
            for id_, each in told.items()
            if each[0].decided_at > since and each[1].verb != "defer"
        }

    def _unread(self, proposal: Proposal, seen: FileStats) -> tuple[str, ...]:
        """Whose file is not as its last sync saw it: what it says now is not what was compared."""
        found: list[str] = []
        for key, version in self._unit.current(proposal.keys).items():
            path = version.content.path
            if path is not None and not is_as_seen(self._realm.shelf, path, seen):
                found.append(f"{key.name}: {path} changed since its last sync; `memtui sync` reads it")
        return tuple(found)

    def _out_of_force(self, proposal: Proposal) -> tuple[str, ...]:
        """Who is not true any more: time alone ends what has an end."""
        current = self._unit.current(proposal.keys)
        gone = [
            name
            for key, name in zip(proposal.keys, told_names(proposal.keys), strict=True)
            if key in current and current[key].content.state_at(self._unit.stamp) != "in_force"
        ]
        return tuple(f"{name} is out of force" for name in gone)

    def _speaks_against(self, proposal: Proposal, decision: Decision, named: Set[str]) -> tuple[str, ...]:
        """What keeps a memory from being let go, or two from being one, that no fact of the proposal tells.

        `named` are the names that something uses only since the plan was made.
        """
        if not isinstance(decision, Accept):
            return ()
        stamp = self._unit.stamp
        if isinstance(proposal, Expiry):
            kept = kept_by(proposal.key, self._content(proposal.key), stamp, named)
            return () if kept is None else (f"{proposal.key.name}: {kept}",)
        if not isinstance(proposal, Merge):
            return ()
        try:
            keep = survivor(proposal, decision)
        except LookupError:  # told as what does not fit
            return ()
        if keep is None:
            return ()
        own = stated(keep, self._content(keep), stamp)
        others = superseded(proposal, keep) if own else ()
        apart = [key.name for key in others if differ(own, stated(key, self._content(key), stamp))]
        return tuple(f"{name} claims something else than {keep.name}" for name in apart)

    def _content(self, key: RecordKey) -> Content:
        return self._unit.current([key])[key].content


def _differing(proposals: Mapping[str, Proposal], gatherer: Gatherer) -> dict[str, tuple[str, ...]]:
    """What differs of those of which a fact is another one now."""
    now = gatherer.of({key for proposal in proposals.values() for key in proposal.keys})
    return {id_: changes(proposal.facts, facts_now(proposal, now)) for id_, proposal in proposals.items()}


def _decided(id_: str, told: Told) -> NotApplied:
    review, decision = told
    verb = "marked as many-valued" if decision.verb == "many" else DECIDED[decision.verb]
    reason = f"{review.actor} {verb} it at {iso(review.decided_at)}; `memtui review undo {review.id}` takes that back"
    return NotApplied(id_, reason, decided=True)
