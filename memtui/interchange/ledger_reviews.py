"""Reviews as lines of a ledger file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from memtui.interchange.ledger_rows import LedgerRow, LedgerRows
from memtui.model.documents import instant_as_json
from memtui.model.instants import Instant
from memtui.model.proposals import PROPOSAL_KINDS, Fact, ProposalKind
from memtui.model.records import KINDS, RecordKey
from memtui.model.reviews import VERBS, DecisionRecord, Review, Touched, Verb, decision_as_dict
from memtui.model.versions import Version
from memtui.store.verifying import LATEST_STAMP

_FIELDS = ("entry", "partition", "seq", "recorded_at", "actor", "undoes", "decisions")
_DECISION_FIELDS = (
    "proposal", "kind", "about", "verb", "effect", "at_survivor", "keep", "members", "facts", "touched",
)  # fmt: skip


def review_order(review: Review) -> tuple[Instant, str, int]:
    """The order in which reviews stand."""
    return review.decided_at, review.partition, review.seq


def review_as_json(review: Review) -> dict[str, Any]:
    """A review as a line says it. Which one took it back is told by that one."""
    return {
        "entry": "review",
        "partition": review.partition,
        "seq": review.seq,
        "recorded_at": instant_as_json(review.decided_at),
        "actor": review.actor,
        "undoes": review.undoes,
        "decisions": [decision_as_dict(decision) for decision in review.decisions],
    }


def read_review(row: LedgerRow, partitions: Sequence[str]) -> Review:
    """The review of a line. Raises InvalidInput naming line and field."""
    row.only(_FIELDS)
    partition = row.named("partition", partitions)
    return Review(
        partition=partition,
        seq=row.count("seq"),
        decided_at=row.instant("recorded_at"),
        actor=row.text("actor", blank=True),
        decisions=tuple(_read_decision(part, partition) for part in row.parts("decisions")),
        undoes=None if row.value("undoes") is None else row.count("undoes"),
    )


def _read_decision(row: LedgerRow, partition: str) -> DecisionRecord:
    row.only(_DECISION_FIELDS)
    return DecisionRecord(
        proposal=row.text("proposal"),
        kind=cast("ProposalKind", row.text("kind", choices=PROPOSAL_KINDS)),
        about=row.text("about", blank=True),
        keys=tuple(_read_member(member, partition) for member in row.parts("members")),
        verb=cast("Verb", row.text("verb", choices=VERBS)),
        facts=tuple(
            Fact(fact.text("label", blank=True), fact.text("value", blank=True)) for fact in row.parts("facts")
        ),
        effect=row.text("effect", blank=True),
        keep=None if row.value("keep") is None else _read_member(row.part("keep", row.value("keep")), partition),
        at_survivor=row.flag("at_survivor"),
        touched=tuple(
            Touched(
                _read_member(step, partition),
                step.count("seq"),
                None if step.value("before") is None else step.count("before"),
            )
            for step in row.parts("touched")
        ),
    )


def _read_member(row: LedgerRow, partition: str) -> RecordKey:
    return RecordKey(partition, row.text("kind", choices=KINDS), row.text("name"))


def check_reviews(
    rows: LedgerRows, reviews: Sequence[tuple[int, Review]], versions: Sequence[tuple[int, Version]]
) -> None:
    """Reviews of a partition are numbered without gaps, no stamp goes back, and each is taken back once at most.

    What they wrote is among the versions: taking a review back trusts it.
    """
    held = {(version.key.partition, version.seq): version.key for _, version in versions} if reviews else {}
    last: dict[str, tuple[int, Instant]] = {}
    standing: dict[str, set[int]] = {}
    for line, review in reviews:
        seq, stamp = last.get(review.partition, (0, review.decided_at))
        told = instant_as_json(review.decided_at)
        if not 0 <= review.decided_at <= LATEST_STAMP:
            rows.refuse("recorded_at is a stamp that no clock shows", "recorded_at", told, (), line)
        if review.seq != seq + 1:
            rows.refuse(
                f"seq does not follow {seq}, the review of {review.partition} before", "seq", review.seq, (), line
            )
        if review.decided_at < stamp:
            rows.refuse("recorded_at is before the review it follows", "recorded_at", told, (), line)
        own = standing.setdefault(review.partition, set())
        if review.undoes is None:
            own.add(review.seq)
        elif review.undoes in own:
            own.remove(review.undoes)
        else:
            rows.refuse("undoes names no review that stands", "undoes", review.undoes, (), line)
        for touched in (touched for decision in review.decisions for touched in decision.touched):
            if not _is_held(touched, held):
                key = touched.key
                said = f"decisions wrote a version of {key.kind}/{key.name} that the file does not hold"
                rows.refuse(said, "decisions", touched.seq, (), line)
        last[review.partition] = review.seq, review.decided_at


def _is_held(touched: Touched, held: Mapping[tuple[str, int], RecordKey]) -> bool:
    """Whether a version and the one it followed are of that record, the other before it."""
    steps = [touched.seq] if touched.before is None else [touched.seq, touched.before]
    is_before = touched.before is None or touched.before < touched.seq
    return is_before and all(held.get((touched.key.partition, seq)) == touched.key for seq in steps)


__all__ = ["check_reviews", "read_review", "review_as_json", "review_order"]
