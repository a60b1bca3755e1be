"""Reviewing: carrying out what a person decided about proposals, all that still stands in one transaction."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from memtui.cognition.claims import same, stated, topic_of
from memtui.cognition.deciding import misfits, new_text, retirements, superseded, survivor
from memtui.cognition.encoding import encoded
from memtui.errors import FilesUnusable, InvalidInput, NotFound, Refused
from memtui.memory.given import checked_summary
from memtui.memory.rechecking import Rechecking
from memtui.memory.retiring import check_successor
from memtui.model.instants import Instant, iso
from memtui.model.proposals import Contradiction, Expiry, Merge, Plan, Proposal, told_names
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
    Reject,
    Touched,
)
from memtui.model.versions import Draft, Version
from memtui.model.windows import window_start
from memtui.text.naming import unnamed_engram

if TYPE_CHECKING:
    from memtui.memory.realm import Realm
    from memtui.store.port import IndexedWriteUnit

Part = TypeVar("Part", bound=Hashable)

# --- Confirming ----------------------------------------------------------------------------------


def confirm(realm: Realm, plan: Plan, decisions: Mapping[str, Decision], *, actor: str) -> Confirmation:
    """Carry out decisions about a plan's proposals: those that still stand, together and in one transaction.

    What does not stand any more is refused, each with what changed; what does not fit together is refused as a whole,
    and nothing is written. Raises Refused for a plan of another partition or of another time than the present.
    """
    _check_types(plan, decisions)
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
            hint="consolidate without --as-of, --valid-at and --now, and decide about that plan",
        )
    realm.check_writable()

    keys = {key for id_ in decisions for proposal in [plan.find(id_)] if proposal for key in proposal.keys}
    lost: dict[str, NotApplied] = {}

    def verb(unit: IndexedWriteUnit) -> Confirmation:
        """The transaction: what stands, as this writer sees it, and can be carried out in files too."""
        able = {id_: decision for id_, decision in decisions.items() if id_ not in lost}
        return _Confirming(realm, unit, plan, actor).run(able)

    while True:
        try:
            confirmation, left = realm.change(keys, verb)
        except FilesUnusable as error:
            unable = _unable_to_follow(plan, {i: each for i, each in decisions.items() if i not in lost}, error)
            if not unable:
                raise
            lost.update(unable)
        else:
            return replace(confirmation, refused=(*confirmation.refused, *lost.values()), notes=tuple(left))


def _check_types(plan: object, decisions: Mapping[str, object]) -> None:
    """Whoever calls from another program may hand over anything. Raises InvalidInput."""
    if not isinstance(plan, Plan):
        raise InvalidInput(f"{plan!r} is no plan", field="plan", hint="`consolidate` makes one")
    for id_, decision in decisions.items():
        if not isinstance(decision, (Accept, Reject, Defer, Many)):
            raise InvalidInput(
                f"{decision!r} is no decision about {id_}",
                field="decisions",
                hint="give Accept(), Reject(), Defer() or Many()",
            )


def _unable_to_follow(plan: Plan, decisions: Mapping[str, Decision], error: FilesUnusable) -> dict[str, NotApplied]:
    """The decisions that would change a memory whose file cannot say so, each with why."""
    proposals = {id_: proposal for id_ in decisions if (proposal := plan.find(id_)) is not None}
    changed = [(each.proposal, each.key) for each in retirements(proposals, decisions)]
    marked = (id_ for id_ in proposals if isinstance(decisions[id_], Many))
    changed += [(id_, key) for id_ in marked for key in proposals[id_].keys]
    found: dict[str, NotApplied] = {}
    for id_, key in changed:
        refusal = error.refusals.get(key)
        if refusal is not None:
            hint = f"; {refusal.hint}" if refusal.hint else ""
            found[id_] = NotApplied(id_, f"{refusal.message}{hint}")
    return found


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
        rechecking = Rechecking(self._realm, self._unit, self._plan)
        refused = [rechecking.not_open(id_) for id_ in decisions if id_ not in proposals]
        refused += rechecking.changed(proposals, decisions)
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
        current = self._unit.current(gone)
        never = [key for key in gone if not current[key].content.validity()]
        more = f"; so {', '.join(told_names(never))} was never true" if never and decision.at_survivor else ""
        return _Done(f"{keep.name} stays; {', '.join(told_names(gone))} superseded by it{since}{more}", keep)

    def _retire(self, key: RecordKey, keep: RecordKey | None, end: Instant, reason: str) -> None:
        """End a memory; one that another decision ended in this same transaction stays as that left it."""
        # A gap of an earlier undoing would keep it from ending before that.
        content = self._unit.current([key])[key].content.without_empty_gaps()
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
        # All but the words of them goes on: the suggested survivor says how it is, and everyone what it rests on.
        fresh = Content(
            summary=checked_summary(text),
            area=kept.area,
            tags=_union(content.tags for content in contents),
            source_refs=_union(content.source_refs for content in contents),
            owner=kept.owner or self._actor,
            affect=kept.affect,
            affect_reason=kept.affect_reason,
            confidence=kept.confidence,
            stability_days=kept.stability_days,
            pinned=any(content.pinned for content in contents),
            memory_type=kept.memory_type,
            valid_from=self._unit.stamp,
            claims=_union(content.claims for content in contents),
            homophonic_links=_union(content.homophonic_links for content in contents),
            findings=_union(content.findings for content in contents),
            rating=kept.rating,
            supports=_union(content.supports for content in contents),
            refutes=_union(content.refutes for content in contents),
            links=_union(content.links for content in contents),
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
            meant = {claim.claim for claim in stated(key, content, self._unit.stamp) if topic_of(claim) == topic}
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


def _union(lists: Iterable[Sequence[Part]]) -> tuple[Part, ...]:
    return tuple(dict.fromkeys(item for each in lists for item in each))
