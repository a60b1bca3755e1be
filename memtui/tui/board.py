"""The review board: what is proposed, what was decided about it so far, and how the list shows it. Pure values.

Nothing here is applied; a decision is a wish until it is confirmed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from memtui.cognition.deciding import Misfit, misfits, new_text, superseded, survivor
from memtui.model.proposals import Contradiction, Merge, Plan, Proposal, Suppressed, Undecided, told_names
from memtui.model.records import RecordKey
from memtui.model.reviews import Accept, Decision, Defer, Many, Reject, tally

GroupName = Literal["contradiction", "merge", "expiry", "undecided", "suppressed"]
GROUPS: tuple[GroupName, ...] = ("contradiction", "merge", "expiry", "undecided", "suppressed")
GROUP_LABELS: Mapping[GroupName, str] = {
    "contradiction": "Contradictions",
    "merge": "Merges",
    "expiry": "Expiries",
    "undecided": "Undecided",
    "suppressed": "Suppressed",
}

_MOST_PAST = 500
"""Changes that can be taken back."""


@dataclass(frozen=True)
class Entry:
    """One proposal of the board."""

    proposal: Proposal
    suppressed: Suppressed | None = None
    changed: tuple[str, ...] = ()
    """What is otherwise than when it was decided about: then it is shown again."""
    misfit: str = ""
    """Why what was decided about it could not be confirmed together with the other decisions."""

    @property
    def id(self) -> str:
        """The proposal's id."""
        return self.proposal.id

    @property
    def group(self) -> GroupName:
        """Where it stands."""
        return self.proposal.kind if self.suppressed is None else "suppressed"

    @property
    def about(self) -> str:
        """What it is about, in a line."""
        proposal = self.proposal
        if isinstance(proposal, Contradiction | Undecided):
            return proposal.about
        return proposal.keep.name if isinstance(proposal, Merge) else proposal.key.name

    @cached_property
    def said(self) -> str:
        """All that a search among proposals looks at, folded."""
        names = " ".join(told_names(self.proposal.keys))
        terms = " ".join(self.proposal.terms) if isinstance(self.proposal, Merge) else ""
        return f"{self.proposal.kind} {self.proposal.about} {names} {terms} {self.proposal.reason}".casefold()


@dataclass(frozen=True, slots=True)
class Heading:
    """The line above a group."""

    group: GroupName
    count: int
    decided: int

    @property
    def id(self) -> None:
        """It cannot be selected."""


Line = Heading | Entry


@dataclass(frozen=True)
class Board:
    """What is proposed and what is decided so far."""

    entries: tuple[Entry, ...] = ()
    """By group, then as they were found."""
    decisions: Mapping[str, Decision] = field(default_factory=dict[str, Decision])
    marked: frozenset[str] = frozenset()
    only: GroupName | None = None
    """The one group that is shown; None: all."""
    query: str = ""
    past: tuple[Mapping[str, Decision | None], ...] = ()
    """Of each of the latest changes, newest last, what was decided before about those it concerned: what undo takes
    back."""

    def renewed(self, plan: Plan, changed: Mapping[str, tuple[str, ...]]) -> Board:
        """The board of another plan, shown as this one is; decisions about what is open no more are dropped."""
        entries = [Entry(p, changed=changed.get(p.id, ())) for p in plan.proposals]
        entries += [Entry(each.proposal, each) for each in plan.suppressed]
        fresh = replace(self, entries=_in_order(entries), decisions={}, past=(), marked=frozenset())
        open_ = fresh.proposals.keys()
        past = ({id_: before for id_, before in change.items() if id_ in open_} for change in self.past)
        return replace(
            fresh,
            decisions={id_: decision for id_, decision in self.decisions.items() if id_ in open_},
            past=tuple(change for change in past if change),
            marked=self.marked & open_,
        )

    def with_found(self, proposals: Sequence[Proposal]) -> Board:
        """With proposals that were just found."""
        known = {entry.id for entry in self.entries}
        fresh = [Entry(proposal) for proposal in proposals if proposal.id not in known]
        return replace(self, entries=_in_order([*self.entries, *fresh])) if fresh else self

    # What is shown

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Headings and entries, as the list shows them."""
        words = self.query.casefold().split()
        lines: list[Line] = []
        for group in GROUPS:
            shown = [
                entry for entry in self.entries if entry.group == group and all(word in entry.said for word in words)
            ]
            if shown and self.only in (None, group):
                decided = sum(entry.id in self.decisions for entry in shown)
                lines += [Heading(group, len(shown), decided), *shown]
        return tuple(lines)

    @cached_property
    def counts(self) -> Mapping[GroupName, int]:
        """How many there are of each group, whatever is shown."""
        counts: dict[GroupName, int] = dict.fromkeys(GROUPS, 0)
        for entry in self.entries:
            counts[entry.group] += 1
        return counts

    @cached_property
    def open(self) -> int:
        """How many wait for a decision: what the badge tells."""
        return sum(entry.suppressed is None and entry.id not in self.decisions for entry in self.entries)

    @cached_property
    def proposals(self) -> Mapping[str, Proposal]:
        """The open ones by id."""
        return {entry.id: entry.proposal for entry in self.entries if entry.suppressed is None}

    @cached_property
    def _by_id(self) -> Mapping[str, Entry]:
        return {entry.id: entry for entry in self.entries}

    def find(self, id_: str | None) -> Entry | None:
        """The entry of an id."""
        return None if id_ is None else self._by_id.get(id_)

    def contradiction_of(self, key: RecordKey) -> Entry | None:
        """The contradiction that a memory is part of: an open one before one that was rejected."""
        return next((e for e in self.entries if isinstance(e.proposal, Contradiction) and key in e.proposal.keys), None)

    # Deciding

    def decide(self, ids: Sequence[str], decision: Decision | None) -> Board:
        """Decide about some, or (None) take their decisions back; what a decision makes no sense for is left out."""
        fitting = {
            id_: decision
            for id_ in ids
            if id_ in self.proposals and (decision is None or self.unfit(id_, decision) is None)
        }
        before = {id_: self.decisions.get(id_) for id_ in fitting if self.decisions.get(id_) != decision}
        if not before:
            return self
        past = (*self.past, before)[-_MOST_PAST:]
        return replace(self._decided(dict.fromkeys(before, decision)), past=past, marked=frozenset())

    def _decided(self, wished: Mapping[str, Decision | None]) -> Board:
        """With other decisions about some; what did not fit before may fit now."""
        decisions = dict(self.decisions)
        for id_, decision in wished.items():
            decisions.pop(id_, None)  # what is decided anew is carried out last
            if decision is not None:
                decisions[id_] = decision
        fits = any(entry.misfit for entry in self.entries)
        entries = tuple(replace(each, misfit="") for each in self.entries) if fits else self.entries
        return replace(self, decisions=decisions, entries=entries)

    def unfit(self, id_: str, decision: Decision) -> str | None:
        """Why a decision makes no sense for a proposal; None where it does."""
        found = misfits({id_: self.proposals[id_]}, {id_: decision})
        return found[0].reason if found else None

    def undone(self) -> Board:
        """With the decisions as they were before the last change of them."""
        return replace(self._decided(self.past[-1]), past=self.past[:-1]) if self.past else self

    def with_misfits(self) -> Board:
        """With each entry that does not fit saying why."""
        why = {id_: found.reason for found in reversed(self.misfits) for id_ in found.ids}
        return replace(self, entries=tuple(replace(entry, misfit=why.get(entry.id, "")) for entry in self.entries))

    def with_mark(self, id_: str) -> Board:
        """With a proposal marked, or not any more."""
        return replace(self, marked=self.marked ^ {id_}) if id_ in self.proposals else self

    @cached_property
    def misfits(self) -> tuple[Misfit, ...]:
        """Decisions that cannot be carried out together."""
        return misfits(self.proposals, self.decisions)

    @cached_property
    def tally(self) -> str:
        """What the decisions come to, in a few words."""
        return tally([decision.verb for decision in self.decisions.values()])


def _in_order(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    return tuple(sorted(entries, key=lambda entry: GROUPS.index(entry.group)))


def stays(proposal: Proposal, decision: Decision | None) -> RecordKey | None:
    """Who survives as things stand: by the decision, else as suggested. None where a new text stands for all."""
    accept = decision if isinstance(decision, Accept) else Accept()
    if isinstance(proposal, Merge) and new_text(proposal, accept) is not None:
        return None
    try:
        return survivor(proposal, accept)
    except LookupError:
        return None


def goes(proposal: Proposal, decision: Decision | None) -> tuple[RecordKey, ...]:
    """Who goes out of force as things stand; nobody where it is rejected, deferred or many-valued."""
    if isinstance(decision, Reject | Defer | Many):
        return ()
    return superseded(proposal, stays(proposal, decision))


def told_decision(proposal: Proposal, decision: Decision | None) -> str:
    """What was decided so far, as a sentence."""
    match decision:
        case None:
            return "not decided yet"
        case Reject():
            return "rejected: it is not shown again until a fact of it changes"
        case Defer():
            return "deferred: it comes back"
        case Many():
            return "many-valued: both may be so"
        case Accept():
            if isinstance(proposal, Merge) and new_text(proposal, decision) is not None:
                gone = len(proposal.keys)
                return f"accepted: a new memory is written, and {'both' if gone == 2 else f'all {gone}'} end now"
            if isinstance(proposal, Contradiction | Merge):
                keep = stays(proposal, decision)
                when = "when it began" if decision.at_survivor else "now"
                gone = len(goes(proposal, decision))
                name = "" if keep is None else keep.name
                others = "the other ends" if gone == 1 else f"{gone} others end"
                return f"accepted: {name} stays, {others} {when}"
            return "accepted: it is let go"
