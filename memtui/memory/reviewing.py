"""Reviewing: carrying out what a person decided about proposals, all that still stands in one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from memtui.cognition.claims import same, stated, topic_of
from memtui.cognition.deciding import misfits, new_text, superseded, survivor
from memtui.cognition.earlier import Earlier
from memtui.cognition.encoding import encoded
from memtui.cognition.facts import changes, facts_now
from memtui.errors import InvalidInput, NotFound, Refused
from memtui.memory.gathering import Gatherer
from memtui.memory.given import checked_summary
from memtui.memory.retiring import check_successor
from memtui.model.instants import Instant, iso
from memtui.model.proposals import Contradiction, Expiry, Merge, Plan, Proposal, is_about_the_same, told_names
from memtui.model.records import Content, RecordKey
from memtui.model.reviews import (
    Accept,
    Applied,
    Confirmation,
    Decision,
    DecisionRecord,
    Defer,
    Many,
    NotApplied,
    Review,
    Touched,
)
from memtui.model.versions import Draft, Version
from memtui.model.windows import window_start
from memtui.search.fetched import FetchedCorpus
from memtui.search.searcher import Searcher
from memtui.text.naming import unnamed_engram

if TYPE_CHECKING:
    from memtui.memory.realm import Realm
    from memtui.store.port import IndexedWriteUnit


# --- Confirming ----------------------------------------------------------------------------------


def confirm(realm: Realm, plan: Plan, decisions: Mapping[str, Decision], *, actor: str) -> Confirmation:
    """Carry out decisions about a plan's proposals: those that still stand, together and in one transaction.

    What does not stand any more is refused, each with what changed; what does not fit together is refused as a whole,
    and nothing is written. Raises Refused for a plan of another partition or of another time than the present.
    """
    if plan.partition != realm.partition:
        raise Refused(
            f"this plan is of {plan.partition}, not of {realm.partition}",
            field="partition",
            value=plan.partition,
            hint="make a plan of these memories, and decide about that",
        )
    if not plan.is_present:
        raise Refused(
            "this plan is of another time than now: it can be read, not decided",
            field="as_of",
            hint="consolidate without --as-of, --valid-at and --now, and decide about that plan",
        )
    realm.check_writable()

    def verb(unit: IndexedWriteUnit) -> Confirmation:
        """The transaction: what stands, as this writer sees it."""
        return _Confirming(realm, unit, plan, actor).run(decisions)

    keys = {key for id_ in decisions for proposal in [plan.find(id_)] if proposal for key in proposal.keys}
    confirmation, left = realm.change(keys, verb)
    return replace(confirmation, notes=tuple(left))


@dataclass(slots=True)
class _Done:
    """What one decision came to."""

    effect: str
    keep: RecordKey | None = None
    steps: list[tuple[Version | None, Version]] = field(default_factory=list[tuple["Version | None", Version]])


class _Confirming:
    """One confirmation inside its transaction."""

    def __init__(self, realm: Realm, unit: IndexedWriteUnit, plan: Plan, actor: str) -> None:
        self._realm, self._unit, self._plan, self._actor = realm, unit, plan, actor

    def run(self, decisions: Mapping[str, Decision]) -> Confirmation:
        """Refuse what changed, then all if anything does not fit, else carry out what stands."""
        proposals = {id_: proposal for id_ in decisions if (proposal := self._plan.find(id_)) is not None}
        self._unit.current({key for proposal in proposals.values() for key in proposal.keys})  # read in one go
        earlier = Earlier(self._unit.reviews([self._realm.partition]))
        refused = [_not_open(id_, self._plan, earlier) for id_ in decisions if id_ not in proposals]
        refused += self._changed(proposals, earlier)
        for lost in refused:
            proposals.pop(lost.id, None)
        standing = {id_: decisions[id_] for id_ in decisions if id_ in proposals}
        unfit = [*misfits(proposals, standing)]
        found = [NotApplied(id_, misfit.reason) for misfit in unfit for id_ in misfit.ids]
        if not unfit:
            found = self._unable(proposals, standing)
        if found:
            return Confirmation(refused=(*refused, *_once(found)))
        if not standing:
            return Confirmation(refused=tuple(refused))
        records = [self._record(proposals[id_], decision) for id_, decision in standing.items()]
        review = self._unit.review(self._realm.partition, records, actor=self._actor)
        applied = tuple(Applied(record.proposal, record.verb, record.effect) for record in records)
        return Confirmation(applied, tuple(refused), review)

    def _changed(self, proposals: Mapping[str, Proposal], earlier: Earlier) -> list[NotApplied]:
        """Those that someone decided since the plan was made, and those of which a fact is another one now."""
        if self._unit.last_stamp() == self._plan.stamp:
            return []
        since = self._plan.stamp or 0
        decided_since = [(id_, told) for id_ in proposals if (told := earlier.decision(id_)) is not None]
        lost = [_decided(*each) for each in decided_since if each[1][0].decided_at > since]
        searcher = Searcher(FetchedCorpus(self._unit, self._realm.readable), self._realm.policy)
        stamp = self._unit.stamp
        now = Gatherer(searcher, self._realm.partition, stamp, stamp, self._realm.policy.memory).of(
            {key for proposal in proposals.values() for key in proposal.keys}
        )
        decided = {each.id for each in lost}
        for id_, proposal in proposals.items():
            differs = changes(proposal.facts, facts_now(proposal, now))
            gone = [member.key for member in now.values() if member.key in proposal.keys and not member.in_force]
            differs += tuple(f"{key.name} is out of force" for key in gone if not differs)
            if differs and id_ not in decided:
                lost.append(NotApplied(id_, "it is not as it was when it was proposed", differs))
        return lost

    def _unable(self, proposals: Mapping[str, Proposal], decisions: Mapping[str, Decision]) -> list[NotApplied]:
        """What only the ledger can tell: survivors of the future, and rings of successors."""
        found: list[NotApplied] = []
        for id_, decision in decisions.items():
            proposal = proposals[id_]
            if not isinstance(decision, Accept) or not isinstance(proposal, (Contradiction, Merge)):
                continue
            if isinstance(proposal, Merge) and (text := new_text(proposal, decision)) is not None:
                try:
                    checked_summary(text)
                except InvalidInput as error:
                    found.append(NotApplied(id_, error.message))
                continue
            keep = survivor(proposal, decision)
            assert keep is not None, "a contradiction and a merge have a survivor"  # noqa: S101
            start = self._start_of(keep)
            if decision.at_survivor and start > self._unit.stamp:
                found.append(NotApplied(id_, f"{keep.name} is true only from {iso(start)}, which is still to come"))
            for key in superseded(proposal, keep):
                if key.kind == keep.kind:
                    try:
                        check_successor(self._unit, key, keep)
                    except (NotFound, Refused) as error:
                        found.append(NotApplied(id_, error.message))
        return found

    def _start_of(self, key: RecordKey) -> Instant:
        start = self._unit.current([key])[key].content.valid_from
        return self._unit.stamp if start is None else start

    # What decisions do

    def _record(self, proposal: Proposal, decision: Decision) -> DecisionRecord:
        """Carry a decision out, and what is kept of it."""
        done = self._carried_out(proposal, decision)
        return DecisionRecord(
            proposal=proposal.id,
            kind=proposal.kind,
            about=proposal.about,
            keys=proposal.keys,
            verb=decision.verb,
            facts=proposal.facts,
            effect=done.effect,
            keep=done.keep,
            at_survivor=isinstance(decision, Accept) and decision.at_survivor,
            touched=tuple(Touched(new.key, new.seq, None if old is None else old.seq) for old, new in done.steps),
        )

    def _carried_out(self, proposal: Proposal, decision: Decision) -> _Done:
        before = len(self._unit.steps)
        if isinstance(decision, Accept):
            done = self._accept(proposal, decision)
        elif isinstance(decision, Many):
            assert isinstance(proposal, Contradiction), "others were refused"  # noqa: S101
            done = self._mark_many(proposal)
        elif isinstance(decision, Defer):
            done = _Done("it comes back")
        else:
            done = _Done("it is not shown again until a fact of it changes")
        done.steps.extend(self._unit.steps[before:])
        return done

    def _accept(self, proposal: Proposal, decision: Accept) -> _Done:
        if isinstance(proposal, Expiry):
            self._retire(proposal.key, None, self._unit.stamp, f"expiry {proposal.id}: {proposal.reason}")
            return _Done(f"{proposal.key.name} is let go")
        if isinstance(proposal, Merge) and (text := new_text(proposal, decision)) is not None:
            return self._synthesize(proposal, text)
        keep = survivor(proposal, decision)
        assert keep is not None, "what has no survivor was refused"  # noqa: S101
        gone = superseded(proposal, keep)
        end = self._start_of(keep) if decision.at_survivor else self._unit.stamp
        for key in gone:
            self._retire(key, keep, end, f"{proposal.kind} {proposal.id}: {proposal.about or 'they say the same'}")
        since = " since " + iso(end) if decision.at_survivor else ""
        return _Done(f"{keep.name} stays; {', '.join(told_names(gone))} superseded by it{since}", keep)

    def _retire(self, key: RecordKey, keep: RecordKey | None, end: Instant, reason: str) -> None:
        """End a memory; one that another decision ended in this same transaction stays as that left it."""
        content = self._unit.current([key])[key].content
        if content.has_ended(self._unit.stamp):
            return
        start = window_start(content)
        # A successor is of the same kind; what a memory of another kind contradicts only ends.
        successor = keep.name if keep is not None and keep.kind == key.kind else None
        ended = replace(content, valid_to=end if start is None else max(end, start), superseded_by=successor)
        told = reason if keep is None or successor else f"{reason}; in favour of {keep.kind}/{keep.name}"
        self._unit.append(Draft(key, "review", ended, self._actor, told))

    def _synthesize(self, proposal: Merge, text: str) -> _Done:
        """Record what is to stand for all members, and let it supersede them."""
        contents = [self._unit.current([key])[key].content for key in proposal.keys]
        kept = self._unit.current([proposal.keep])[proposal.keep].content
        fresh = Content(
            summary=checked_summary(text),
            area=kept.area,
            tags=_union(content.tags for content in contents),
            source_refs=_union(content.source_refs for content in contents),
            confidence=kept.confidence,
            owner=self._actor,
            valid_from=self._unit.stamp,
        )
        kind = proposal.keep.kind
        if kind == "engram":
            fresh = encoded(fresh, at=self._unit.stamp, zone=self._realm.zone)
        key = self._free(proposal.keep._replace(name=unnamed_engram(fresh.summary or "")))
        reason = f"merge {proposal.id}: one text for {', '.join(told_names(proposal.keys))}"
        self._unit.append(Draft(key, "review", fresh, self._actor, reason))
        for member in proposal.keys:
            self._retire(member, key, self._unit.stamp, reason)
        return _Done(f"{key.name} says it for all; {', '.join(told_names(proposal.keys))} superseded by it", key)

    def _free(self, base: RecordKey) -> RecordKey:
        """A name that nothing has: what a member says already, word for word, is said by a new memory all the same."""
        key, number = base, 1
        while self._unit.current([key]):
            number += 1
            key = base._replace(name=f"{base.name}-{number}")
        return key

    def _mark_many(self, proposal: Contradiction) -> _Done:
        """Mark the claims of a contradiction as accumulating."""
        topic = (same(proposal.subject), same(proposal.predicate))
        for key in proposal.keys:
            content = self._unit.current([key])[key].content
            meant = {claim.claim for claim in stated(key, content) if topic_of(claim) == topic}
            claims = tuple(
                replace(claim, many=True) if claim in meant and claim.object is not None else claim
                for claim in content.claims
            )
            reason = f"{proposal.kind} {proposal.id}: {proposal.about} may have several values"
            self._unit.append(Draft(key, "review", replace(content, claims=claims), self._actor, reason))
        return _Done(f"{proposal.predicate} may have several values in {', '.join(told_names(proposal.keys))}")


def _once(found: Sequence[NotApplied]) -> list[NotApplied]:
    """One entry a proposal, with all its reasons."""
    by_id: dict[str, list[str]] = {}
    for each in found:
        reasons = by_id.setdefault(each.id, [])
        if each.reason not in reasons:
            reasons.append(each.reason)
    return [NotApplied(id_, "; ".join(reasons)) for id_, reasons in by_id.items()]


def _union(lists: Iterable[Sequence[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item for each in lists for item in each))


def _not_open(id_: str, plan: Plan, earlier: Earlier) -> NotApplied:
    """Why there is no open proposal of an id: it was decided, it changed, or it never was."""
    told = earlier.decision(id_)
    if told is not None and told[1].verb != "defer":
        return _decided(id_, told)
    for proposal in plan.proposals:
        if is_about_the_same(proposal.id, id_):
            return NotApplied(id_, f"it changed since: it is {proposal.id} now", (proposal.reason,))
    return NotApplied(id_, "no proposal of this id is open: what it was about changed, or it never was")


def _decided(id_: str, told: tuple[Review, DecisionRecord]) -> NotApplied:
    review, decision = told
    verb = {"accept": "accepted", "reject": "rejected", "many": "marked as many-valued", "defer": "deferred"}[
        decision.verb
    ]
    reason = f"{review.actor} {verb} it at {iso(review.decided_at)}; `memtui review undo {review.id}` takes that back"
    return NotApplied(id_, reason, decided=True)
