"""Plans, confirmations and reviews as every door writes them down (spec page 6, Shapes)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from memtui.model.instants import iso, iso_or_none
from memtui.model.proposals import Conflict, Contradiction, Expiry, Merge, Plan, Stated, Undecided, told_names
from memtui.model.records import RecordKey
from memtui.model.reviews import Confirmation, Review, Undone, review_id

Shape = dict[str, object]


def plan_as_dict(plan: Plan, *, everything: bool = False) -> Shape:
    """The `consolidate` shape; memories that stay only with `everything`."""
    expiries = (*plan.expiries, *plan.retained) if everything else plan.expiries
    return {
        "as_of": None if plan.is_present else iso(plan.known_at),
        "valid_at": None if plan.is_present else iso(plan.true_at),
        "scope": plan.partition,
        "expiries": [_expiry(expiry) for expiry in expiries],
        "merges": [_merge(merge) for merge in plan.merges],
        "contradictions": [_contradiction(contradiction) for contradiction in plan.contradictions],
        "undecided": [_undecided(undecided) for undecided in plan.undecided],
        "suppressed": [
            {
                "id": each.proposal.id,
                "kind": each.proposal.kind,
                "names": list(told_names(each.proposal.keys)),
                "rejected_at": iso(each.rejected_at),
                "by": each.by,
            }
            for each in plan.suppressed
        ],
        "notes": list(plan.notes),
    }


def confirmation_as_dict(confirmation: Confirmation) -> Shape:
    """What `--apply` and decisions add to it."""
    return {
        "review": None if confirmation.review is None else confirmation.review.id,
        "applied": [{"id": done.id, "decision": done.verb, "effect": done.effect} for done in confirmation.applied],
        "refused": [
            {"id": lost.id, "reason": lost.reason, "changed": list(lost.changed)} for lost in confirmation.refused
        ],
        "file_notes": list(confirmation.notes),
    }


def reviews_as_dict(reviews: Iterable[Review]) -> Shape:
    """The `review log` shape."""
    return {"reviews": [_review(review) for review in reviews]}


def undone_as_dict(undone: Undone) -> Shape:
    """The shape of `review undo`."""
    return {
        "review": undone.review.id,
        "undoes": None if undone.review.undoes is None else review_id(undone.review.undoes),
        "restored": [_key(key) for key in undone.restored],
        "skipped": [{**_key(key), "reason": reason} for key, reason in undone.skipped],
        "file_notes": list(undone.notes),
    }


def _key(key: RecordKey) -> Shape:
    return {"scope": key.partition, "kind": key.kind, "name": key.name}


def _expiry(expiry: Expiry) -> Shape:
    return {
        "id": expiry.id,
        "kind": expiry.key.kind,
        "name": expiry.key.name,
        "action": expiry.action,
        "retention": round(expiry.retention, 4),
        "days": round(expiry.days, 2),
        "stability": round(expiry.stability, 2),
        "floor": expiry.floor,
        "reason": expiry.reason,
        "returned": list(expiry.returned),
    }


def _merge(merge: Merge) -> Shape:
    names = _names(merge.keys)
    return {
        "id": merge.id,
        "kind": merge.keep.kind,
        "names": list(names.values()),
        "total": merge.total,
        "terms": list(merge.terms),
        "turned": merge.turned,
        "similarity": round(merge.similarity, 4),
        "suggested_keep": names[merge.keep],
        "suggested_supersede": [names[key] for key in merge.supersede],
        "strategy": "supersede" if merge.text is None else "synthesize",
        "text": merge.text,
        "reason": merge.reason,
        "scribe_note": merge.scribe_note,
        "returned": list(merge.returned),
    }


def _contradiction(found: Contradiction) -> Shape:
    names = _names(found.keys)
    return {
        "id": found.id,
        "subject": found.subject,
        "predicate": found.predicate,
        "names": list(names.values()),
        "total": found.total,
        "pairs": [_pair(pair, names) for pair in found.conflicts],
        "strategy": "await_confirmation",
        "suggested_keep": names[found.keep],
        "suggested_supersede": [names[key] for key in found.supersede],
        "basis": found.basis,
        "recorded_at_approximate": [names[key] for key in found.approximate],
        "decided_by": found.decided_by,
        "reason": found.reason,
        "returned": list(found.returned),
    }


def _pair(pair: Conflict, names: Mapping[RecordKey, str]) -> Shape:
    return {
        "a": names[pair.a.key],
        "b": names[pair.b.key],
        "kind": pair.kind,
        "relation": pair.relation,
        "a_claim": _stated(pair.a),
        "b_claim": _stated(pair.b),
    }


def _stated(stated: Stated) -> Shape:
    return {
        "claim": str(stated.claim),
        "valid_from": iso(stated.window.start),
        "valid_to": iso_or_none(stated.window.end),
        "recorded_at": iso_or_none(stated.learned),
    }


def _undecided(found: Undecided) -> Shape:
    return {
        "id": found.id,
        "referent": found.referent,
        "names": list(told_names(found.keys)),
        "total": found.total,
        "reason": found.reason,
        "scribe_note": found.scribe_note,
        "returned": list(found.returned),
    }


def _names(keys: tuple[RecordKey, ...]) -> Mapping[RecordKey, str]:
    """The members' names, as a group's names tell them."""
    return dict(zip(keys, told_names(keys), strict=True))


def _review(review: Review) -> Shape:
    return {
        "id": review.id,
        "decided_at": iso(review.decided_at),
        "actor": review.actor,
        "decisions": [
            {
                "id": decision.proposal,
                "kind": decision.kind,
                "about": decision.about,
                "names": list(told_names(decision.keys)),
                "decision": decision.verb,
                "keep": None if decision.keep is None else decision.keep.name,
                "at_survivor": decision.at_survivor,
                "effect": decision.effect,
                "facts": [{"of": fact.label, "is": fact.value} for fact in decision.facts],
            }
            for decision in review.decisions
        ],
        "undoes": None if review.undoes is None else review_id(review.undoes),
        "undone_by": None if review.undone_by is None else review_id(review.undone_by),
    }
