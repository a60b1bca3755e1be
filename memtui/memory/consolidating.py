"""Consolidating: the plan of a pass over one partition, as every door shows it. Never writes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memtui.cognition.consolidation import Advanced, Consolidating
from memtui.cognition.earlier import Earlier
from memtui.errors import EmbedderUnavailable, InvalidInput
from memtui.memory.asking import check_not_future
from memtui.memory.gathering import Gatherer
from memtui.memory.realm import Realm
from memtui.model.belief import NOW, BeliefState
from memtui.model.instants import Instant
from memtui.model.proposals import Contradiction, Expiry, Merge, Plan, Proposal, Stated, Suppressed, Undecided

if TYPE_CHECKING:
    from memtui.cognition.members import Learned
    from memtui.cognition.policy import MemoryPolicy
    from memtui.memory.realms import Realms
    from memtui.store.vectors import Space

Found = Callable[[Proposal], object]
"""Told each open proposal as it is found."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a plan is wanted for."""

    belief: BeliefState = NOW
    now: Instant | None = None
    """The present that fading counts to; by default when the belief state is known, as in a search."""
    floor: float | None = None
    """Retention below which a memory may go, instead of the policy's."""
    min_idle_days: float | None = None
    everything: bool = False
    """Whether memories that stay are told too."""
    catches_up: bool = False
    """Whether a few changed files may be read first."""


def consolidate(
    realms: Realms,
    realm: Realm,
    asked: Asked,
    *,
    found: Found = lambda proposal: None,
    advanced: Advanced = lambda done, total: True,
) -> Plan:
    """The plan of a realm's own memories in a belief state.

    Open proposals are told as they are found. Raises InvalidInput for a time to come, Cancelled where `advanced` ended
    the pass.
    """
    policy = _policy(realm.policy.memory, asked)
    stale = realms.caught_up(realm) if asked.catches_up else 0
    meant = _meant(realms)
    if meant.space is not None:
        realm.hold_vectors(meant.space)
    with realm.searching() as (searcher, present):
        check_not_future(asked.belief, present)
        known_at, true_at = asked.belief.settle(present)
        gatherer = Gatherer(searcher, realm.partition, known_at, true_at, policy)
        gathered = gatherer.everything(gone=asked.everything)
        nearness = None if meant.space is None else gatherer.nearness(gathered, meant.space, meant.merge)
        stamp = searcher.corpus.last_stamp
    # From here on the store is free for others: a pass takes seconds, and a scribe as long as it likes.
    with realm.ledger.reading() as unit:
        # Read after the memories: what someone rejects between the two was not proposed to him for nothing.
        earlier = Earlier(unit.reviews([realm.partition]), until=known_at)

    def learned(claims: Sequence[Stated]) -> Learned:
        with realm.searching() as (searcher, _):
            return Gatherer(searcher, realm.partition, known_at, true_at, policy).learned(claims)

    pass_ = Consolidating(
        members=gathered.members,
        now=known_at if asked.now is None else asked.now,
        true_at=true_at,
        learned=learned,
        named=gathered.named,
        many=realm.policy.many,
        nearness=nearness,
        policy=policy,
        is_open=earlier.is_open,
        merge_scribe=realms.merge_scribe,
        contradiction_scribe=realms.contradiction_scribe,
        everything=asked.everything,
    )
    sorted_out = _Sorted(earlier, found)
    for proposal in pass_.proposals(advanced):
        sorted_out.take(proposal)
    return replace(
        sorted_out.plan(realm.partition, known_at, true_at),
        notes=tuple(filter(None, (_unread(stale), meant.note, *pass_.notes))),
        is_present=asked.belief.is_present and asked.now is None,
        stamp=stamp,
    )


def _unread(stale: int) -> str | None:
    """That files are newer than what is known of them: what is decided about their memories would be refused."""
    if not stale:
        return None
    count = "1 file is" if stale == 1 else f"{stale:,} files are"
    return f"{count} newer than their last sync: `memtui sync` reads them first"


class _Sorted:
    """The proposals of a pass, by what they are and whether someone rejected them."""

    def __init__(self, earlier: Earlier, found: Found) -> None:
        self._earlier, self._found = earlier, found
        self._contradictions: list[Contradiction] = []
        self._merges: list[Merge] = []
        self._expiries: list[Expiry] = []
        self._undecided: list[Undecided] = []
        self._retained: list[Expiry] = []
        self._suppressed: list[Suppressed] = []

    def take(self, proposal: Proposal) -> None:
        """Put a proposal where it belongs; one that is open is told."""
        if isinstance(proposal, Expiry) and proposal.action != "expire":
            self._retained.append(proposal)
            return
        suppressed = self._earlier.suppressed(proposal)
        if suppressed is not None:
            self._suppressed.append(suppressed)
            return
        proposal = self._earlier.with_changes(proposal)
        match proposal:
            case Contradiction():
                self._contradictions.append(proposal)
            case Merge():
                self._merges.append(proposal)
            case Expiry():
                self._expiries.append(proposal)
            case Undecided():
                self._undecided.append(proposal)
        self._found(proposal)

    def plan(self, partition: str, known_at: Instant, true_at: Instant) -> Plan:
        """Everything that was taken, as a plan."""
        return Plan(
            partition,
            known_at,
            true_at,
            tuple(self._contradictions),
            tuple(self._merges),
            tuple(self._expiries),
            tuple(self._undecided),
            tuple(self._suppressed),
            tuple(self._retained),
        )


def _policy(policy: MemoryPolicy, asked: Asked) -> MemoryPolicy:
    """The policy with the numbers that were asked for. Raises InvalidInput for numbers that cannot be."""
    if asked.floor is not None:
        if not 0 < asked.floor <= 1:
            raise InvalidInput(f"a floor lies above 0 and is at most 1, not {asked.floor}", field="floor")
        policy = replace(policy, expire_below=asked.floor)
    if asked.min_idle_days is not None:
        if not asked.min_idle_days >= 0:
            raise InvalidInput(f"days are counted from 0, not {asked.min_idle_days}", field="min_idle")
        policy = replace(policy, expire_min_idle_days=asked.min_idle_days)
    return policy


@dataclass(frozen=True, slots=True)
class _Meant:
    """By what two memories are compared besides words: the space of their vectors, and when these say the same."""

    space: Space | None = None
    merge: float = 1.0
    note: str | None = None
    """Why only words count."""


def _meant(realms: Realms) -> _Meant:
    """What tells meanings here; nothing is loaded for that, for the vectors are in the store."""
    from memtui.embedding.nearness import nearness

    try:
        choice, space = realms.meanings.asked()
    except (EmbedderUnavailable, InvalidInput) as error:
        return _Meant(note=f"merges were looked for by words only: {error.message}")
    if choice is None or space is None:
        return _Meant()
    merge = nearness(choice.model_id).merge
    if merge is None:
        return _Meant(
            note=f"merges were looked for by words only: what says the same to {choice.model_id} is not known"
        )
    return _Meant(space, merge)
