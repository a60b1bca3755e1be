"""The consolidation pass: what a look over all memories of one partition proposes. Pure; nothing is applied.

Proposals come as they are found: contradictions and what is undecided first, for they take one look at the claims;
then expiries; then merges, which take longest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from memtui.cognition import contradiction, expiry, undecided
from memtui.cognition.claims import differ
from memtui.cognition.facts import facts_of, merge_fact
from memtui.cognition.members import Learned, Member, by_name
from memtui.cognition.merging import Group, Mergeable, Nearness, Work, merge_groups, shared_terms
from memtui.cognition.overlap import merge_tokens
from memtui.cognition.policy import DEFAULT_MEMORY_POLICY, MemoryPolicy
from memtui.cognition.scribes import ContradictionScribe, MergeScribe
from memtui.cognition.turning import turning
from memtui.errors import said
from memtui.model.instants import Instant
from memtui.model.proposals import (
    MOST_SHOWN,
    Cancelled,
    Likeness,
    Merge,
    Proposal,
    Stated,
    Undecided,
    proposal_id,
    told_names,
)
from memtui.model.records import LONGEST_SUMMARY, RecordKey

_MOST_TURNING = 20_000
"""Characters of a text in which figures, days and denials are looked for."""
Advanced = Callable[[int, int], bool]
"""Told how many of how many memories were compared; False ends the pass."""


@dataclass(slots=True)
class Consolidating:
    """One pass over the memories of a partition at a belief state."""

    members: Sequence[Member]
    now: Instant
    """The present that fading is counted to."""
    true_at: Instant
    learned: Callable[[Sequence[Stated]], Learned]
    """When some claims were learned, asked once about all that are in conflict."""
    named: Set[str] = frozenset()
    """Every name that something in force uses."""
    many: Set[str] = frozenset()
    """Predicates, folded, that may have several values at a time."""
    nearness: Callable[[Sequence[RecordKey]], Nearness | None] | None = None
    """Who is near whom by meaning, for memories in the order given; None where nothing is embedded."""
    policy: MemoryPolicy = DEFAULT_MEMORY_POLICY
    is_open: Callable[[str], bool] = lambda id_: True
    """Whether a proposal of that id would be shown: a scribe is asked about no other."""
    merge_scribe: MergeScribe | None = None
    contradiction_scribe: ContradictionScribe | None = None
    everything: bool = False
    """Whether memories that stay are told too."""
    notes: list[str] = field(default_factory=list[str])
    """What was not compared, and why; complete when the pass is through."""

    def proposals(self, advanced: Advanced = lambda done, total: True) -> Iterator[Proposal]:
        """What is proposed, as it is found. Raises Cancelled where `advanced` says so."""
        in_force = [member for member in self.members if member.in_force]
        members = {member.key: member for member in in_force}
        self._go_on(advanced, 0, len(in_force))
        in_conflict: set[RecordKey] = set()
        conflicts = list(contradiction.contradicting(contradiction.claims_by_topic(in_force), self.many))
        learned = self.learned([claim for _, found in conflicts for claim in found])
        for topic, found in conflicts:
            in_conflict.update(claim.key for claim in found)
            yield contradiction.contradiction(topic, found, members, learned, self.many)
        for group in undecided.undecided(in_force, in_conflict):
            yield self._judged(group, members)
        self._go_on(advanced, 0, len(in_force))
        for member in self.members:
            found_out = expiry.expiry(member, now=self.now, true_at=self.true_at, named=self.named, policy=self.policy)
            if found_out is not None and (self.everything or found_out.action == "expire"):
                yield found_out
        yield from self._merges(in_force, members, advanced)

    @staticmethod
    def _go_on(advanced: Advanced, done: int, total: int) -> None:
        if not advanced(done, total):
            raise Cancelled

    # Merges

    def _merges(
        self, in_force: Sequence[Member], members: Mapping[RecordKey, Member], advanced: Advanced
    ) -> Iterator[Merge]:
        places = sorted(in_force, key=lambda member: by_name(member.key))
        words = [merge_tokens(member.content) for member in places]
        mergeable = [
            Mergeable(member.key, own, member.content.validity(), member.confidence, member.recorded_at)
            for member, own in zip(places, words, strict=True)
        ]
        apart = _Apart(places)
        nearness = None if self.nearness is None else self.nearness([member.key for member in places])
        work = Work()
        ended = False

        def told(done: int, total: int) -> bool:
            nonlocal ended
            ended = not advanced(done, total)
            return not ended

        for group in merge_groups(
            mergeable,
            threshold=self.policy.merge_words,
            apart=apart,
            nearness=nearness,
            advanced=told,
            work=work,
        ):
            yield self._merge(group, places, words, members)
        if ended:
            raise Cancelled
        if work.cut:
            self.notes.append(
                "there are too many memories of nearly the same few words to compare each with each: "
                "some that say the same may be missing among the merges"
            )

    def _merge(
        self,
        group: Group,
        places: Sequence[Member],
        words: Sequence[frozenset[str]],
        members: Mapping[RecordKey, Member],
    ) -> Merge:
        keep = places[group.survivor].key
        others = group.others[: MOST_SHOWN - 1]
        likenesses = tuple(
            Likeness(places[place].key, shared, meaning)
            for place, shared, meaning in zip(others, group.words, group.meanings, strict=False)
        )
        shown = (keep, *(like.key for like in likenesses))
        total = len(group.others) + 1
        facts = facts_of({key: merge_fact(members[key]) for key in shown})
        terms = shared_terms([words[place] for place in (group.survivor, *others)])
        proposal = Merge(
            id=proposal_id("merge", shown, "", facts),
            keys=tuple(sorted(shown, key=by_name)),
            total=total,
            keep=keep,
            supersede=shown[1:],
            likenesses=likenesses,
            terms=terms,
            turned=len({turning(members[key].said[:_MOST_TURNING]) for key in shown}) > 1,
            reason=_why_merge(likenesses, total, told_names([keep])[0]),
            facts=facts,
        )
        if self.merge_scribe is None or not self.is_open(proposal.id):
            return proposal
        text, trouble = self._written(self.merge_scribe, proposal, members)
        return replace(proposal, text=text, scribe_note=trouble)

    @staticmethod
    def _written(
        scribe: MergeScribe, proposal: Merge, members: Mapping[RecordKey, Member]
    ) -> tuple[str | None, str | None]:
        """What the scribe writes for a group, and why it writes nothing where it failed."""
        try:
            text = scribe.merge([(key, members[key].content) for key in (proposal.keep, *proposal.supersede)])
            text = None if text is None else str(text)
        except Exception as error:
            return None, f"the scribe failed: {said(error)}"
        if text is None:
            return None, None
        if not text.strip():
            return None, "the scribe wrote a blank text"
        text = text.strip()
        if len(text) > LONGEST_SUMMARY:
            return None, f"the scribe wrote {len(text):,} characters, and a memory has {LONGEST_SUMMARY} at most"
        return text, None

    # Judging

    def _judged(self, group: Undecided, members: Mapping[RecordKey, Member]) -> Proposal:
        """An undecided group; or what a scribe sees in it, for a person to confirm."""
        scribe = self.contradiction_scribe
        if scribe is None or not self.is_open(group.id):
            return group
        try:
            judgement = scribe.judge(group.referent, [(key, members[key].content) for key in group.keys])
            if judgement is None:
                return group
            named = dict(zip(told_names(group.keys), group.keys, strict=True))
            keys = sorted({named[name] for name in judgement.names}, key=by_name)
            if len(keys) < 2:
                return replace(group, scribe_note="the scribe named fewer than two of the memories it was shown")
            reason = str(judgement.reason)
        except Exception as error:
            return replace(group, scribe_note=f"the scribe failed: {said(error)}")
        return contradiction.promoted(group.referent, [members[key] for key in keys], reason)


class _Apart:
    """Whether two memories claim different things, and so cannot be merged."""

    def __init__(self, members: Sequence[Member]) -> None:
        self._claims: dict[int, list[Stated]] = {
            place: claims
            for place, member in enumerate(members)
            if member.content.claims and (claims := member.stated())
        }

    def __call__(self, a: int, b: int) -> bool:
        first, second = self._claims.get(a), self._claims.get(b)
        return first is not None and second is not None and differ(first, second)


def _why_merge(likenesses: Iterable[Likeness], total: int, keep: str) -> str:
    by_words = min((like.words for like in likenesses), default=1.0)
    meanings = [like.meaning for like in likenesses if like.meaning is not None]
    told = (
        f"{by_words:.0%} of the words"
        if not meanings
        else f"a cosine of {min(meanings):.2f} or {by_words:.0%} of the words"
    )
    more = f"; {total - MOST_SHOWN:,} more are like it" if total > MOST_SHOWN else ""
    return f"each shares at least {told} with {keep}{more}"
