"""Earlier decisions: what a person rejected is not proposed again until a fact of it changes, and then says what."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from memtui.cognition.claims import same
from memtui.cognition.facts import changes
from memtui.model.instants import Instant
from memtui.model.proposals import Proposal, ProposalKind, Suppressed
from memtui.model.records import RecordKey
from memtui.model.reviews import DecisionRecord, Review

Told = tuple[Review, DecisionRecord]


class Earlier:
    """The decisions that stand at a moment: those of reviews by then that were not undone by then."""

    def __init__(self, reviews: Iterable[Review], until: Instant | None = None) -> None:
        known = [review for review in reviews if until is None or review.decided_at <= until]
        undone = {review.undoes for review in known}
        self._last: dict[str, Told] = {}
        self._rejected: dict[ProposalKind, list[Told]] = defaultdict(list)
        self._by_key: dict[tuple[ProposalKind, RecordKey], list[int]] = defaultdict(list)
        for review in known:
            if review.seq not in undone:
                for decision in review.decisions:
                    self._last[decision.proposal] = (review, decision)
        for told in self._last.values():
            if told[1].verb == "reject":
                place = len(self._rejected[told[1].kind])
                self._rejected[told[1].kind].append(told)
                for key in told[1].keys:
                    self._by_key[told[1].kind, key].append(place)

    def decision(self, id: str) -> Told | None:  # noqa: A002 - the word of every door
        """What was decided last about the proposal of that id."""
        return self._last.get(id)

    def is_open(self, id: str) -> bool:  # noqa: A002
        """Whether a proposal of that id would be shown: whether nobody rejected it."""
        told = self._last.get(id)
        return told is None or told[1].verb != "reject"

    def suppressed(self, proposal: Proposal) -> Suppressed | None:
        """The proposal as one that was rejected, if it was."""
        told = self._last.get(proposal.id)
        if told is None or self.is_open(proposal.id):
            return None
        return Suppressed(proposal, told[0].decided_at, told[0].actor)

    def with_changes(self, proposal: Proposal) -> Proposal:
        """The proposal; where one about the same was rejected, with what changed since."""
        told = self._alike(proposal)
        if told is None:
            return proposal
        return replace(proposal, returned=changes(told[1].facts, proposal.facts))

    def _alike(self, proposal: Proposal) -> Told | None:
        """The latest rejection about the same: of a group, one with at least two of its members."""
        rejected = self._rejected.get(proposal.kind, ())
        places = {place for key in proposal.keys for place in self._by_key.get((proposal.kind, key), ())}
        alike = [rejected[place] for place in places if _is_about_the_same(proposal, rejected[place][1])]
        return max(alike, key=lambda told: told[0].seq, default=None)


def _is_about_the_same(proposal: Proposal, decision: DecisionRecord) -> bool:
    if same(proposal.about) != same(decision.about):
        return False
    shared = len(set(proposal.keys) & set(decision.keys))
    return shared >= min(2, len(proposal.keys))
