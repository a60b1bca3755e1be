"""Deciding: what decisions about proposals come to, and which of them do not fit together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from memtui.model.proposals import Contradiction, Expiry, Merge, Proposal, Undecided, told_names
from memtui.model.records import RecordKey
from memtui.model.reviews import Accept, Decision, Many

_MOST_NAMES = 8
"""Names that are told where another one was given."""


class Retirement(NamedTuple):
    """That an accepted proposal takes a memory out of force, in favour of another or of none."""

    proposal: str
    key: RecordKey
    keep: RecordKey | None
    anew: bool = False
    """Whether a new memory, made of all, takes its place."""
    at_survivor: bool = False
    """Whether it ends when the survivor began, instead of now."""

    @property
    def way(self) -> str:
        """How it goes, as a clause."""
        if self.anew:
            return f"be superseded by what {self.proposal} writes"
        if self.keep is None:
            return "expire"
        return f"be superseded by {self.keep.name}{' when that began' if self.at_survivor else ''}"


class Misfit(NamedTuple):
    """Decisions, by the ids of their proposals, that cannot be carried out together, and why."""

    ids: tuple[str, ...]
    reason: str


def survivor(proposal: Proposal, decision: Accept) -> RecordKey | None:
    """Who stays if a proposal is accepted so; None for an expiry.

    Raises LookupError, with a sentence, for a name that is none of the proposal's.
    """
    if not isinstance(proposal, (Contradiction, Merge)):
        return None
    if decision.keep is None:
        return proposal.keep
    named = dict(zip(told_names(proposal.keys), proposal.keys, strict=True))
    meant = named.get(decision.keep) or next(
        (key for key in proposal.keys if decision.keep in (key.name, f"{key.kind}/{key.name}")), None
    )
    if meant is None:
        several = f" and {len(named) - _MOST_NAMES:,} more" if len(named) > _MOST_NAMES else ""
        cut = f", the sample of {proposal.total:,} to choose from" if proposal.total > len(named) else ""
        raise LookupError(f"{decision.keep} is none of {', '.join(list(named)[:_MOST_NAMES])}{several}{cut}")
    return meant


def superseded(proposal: Proposal, keep: RecordKey | None) -> tuple[RecordKey, ...]:
    """Who goes if a proposal is accepted with a survivor: of a contradiction those who contradict the survivor.

    Where there are too many pairs to be told, those of which it is told: nobody goes who may agree, and whoever is left
    is proposed again.
    """
    if isinstance(proposal, Expiry):
        return (proposal.key,)
    if isinstance(proposal, Undecided):
        return ()
    if keep == proposal.keep:
        return proposal.supersede
    others = tuple(key for key in proposal.keys if key != keep)
    if isinstance(proposal, Merge) or not proposal.conflicts:
        return others  # what a scribe calls a contradiction has no pairs
    pairs = [(pair.a.key, pair.b.key) for pair in proposal.conflicts]
    return tuple(key for key in others if (key, keep) in pairs or (keep, key) in pairs)


def retirements(proposals: Mapping[str, Proposal], decisions: Mapping[str, Decision]) -> list[Retirement]:
    """Everything the accepted ones take out of force. Raises LookupError as `survivor`."""
    found: list[Retirement] = []
    for id_, decision in decisions.items():
        if isinstance(decision, Accept) and id_ in proposals:
            proposal = proposals[id_]
            if isinstance(proposal, Merge) and new_text(proposal, decision) is not None:
                found += [Retirement(id_, key, None, anew=True) for key in proposal.keys]
                continue
            keep = survivor(proposal, decision)
            late = decision.at_survivor
            found += [Retirement(id_, key, keep, at_survivor=late) for key in superseded(proposal, keep)]
    return found


def new_text(proposal: Merge, decision: Accept) -> str | None:
    """The text of the memory that accepting a merge records in place of all; None where a survivor stays.

    Who names a survivor wants no new text, though a scribe wrote one.
    """
    if decision.text is not None:
        return decision.text
    return proposal.text if decision.keep is None else None


def misfits(proposals: Mapping[str, Proposal], decisions: Mapping[str, Decision]) -> tuple[Misfit, ...]:
    """What cannot be, or cannot be together: each with the ids it concerns. Empty where all fits."""
    single = [
        Misfit((id_,), reason)
        for id_, decision in decisions.items()
        if id_ in proposals and (reason := _unfit(proposals[id_], decision)) is not None
    ]
    if single:
        return tuple(single)
    return tuple(_together(retirements(proposals, decisions)))


def _unfit(proposal: Proposal, decision: Decision) -> str | None:
    """Why a decision makes no sense for a proposal by itself."""
    if isinstance(decision, Many):
        if isinstance(proposal, Contradiction) and any(pair.kind == "object" for pair in proposal.conflicts):
            return None
        return "only claims of different values can be marked as accumulating"
    if not isinstance(decision, Accept):
        return None
    if isinstance(proposal, Undecided):
        return (
            "there is nothing to accept: declare the claim that decides with `memtui update NAME --claim …`, "
            "or reject it so that it is not shown again"
        )
    if decision.text is not None and not isinstance(proposal, Merge):
        return "a text can only stand for memories that are merged"
    if decision.text is not None and decision.keep is not None:
        return "a new text stands for all, so none of them stays: give a text or a survivor"
    if isinstance(proposal, Expiry) and (decision.keep is not None or decision.at_survivor):
        return "an expiry has no survivor"
    if isinstance(proposal, Merge) and decision.at_survivor and new_text(proposal, decision) is not None:
        return "what stands for all is written now: let the others end now, or name one of them as the survivor"
    try:
        keep = survivor(proposal, decision)
    except LookupError as error:
        return str(error.args[0])
    if not isinstance(proposal, Expiry) and not superseded(proposal, keep):
        return f"nothing contradicts {keep.name if keep else ''}, so nothing would change"
    return None


def _together(found: list[Retirement]) -> list[Misfit]:
    """Memories that are to go twice, in favour of different ones, and survivors that are to go themselves."""
    by_key: dict[RecordKey, list[Retirement]] = defaultdict(list)
    for retirement in found:
        by_key[retirement.key].append(retirement)
    told: dict[Misfit, None] = {}
    for key, own in by_key.items():
        ways = sorted({(retirement.way, retirement.keep) for retirement in own}, key=str)
        if len(ways) > 1:
            said = " and ".join(way for way, _ in ways)
            ids = tuple(dict.fromkeys(retirement.proposal for retirement in own))
            told[Misfit(ids, f"{key.name} would go twice: it would {said}; accept one of them")] = None
    for retirement in found:
        keep = retirement.keep
        if keep is not None and keep in by_key:
            ids = tuple(dict.fromkeys((retirement.proposal, *(other.proposal for other in by_key[keep]))))
            reason = (
                f"{retirement.key.name} would be superseded by {keep.name}, which is to go itself; "
                "name another survivor, or accept one of them"
            )
            told[Misfit(ids, reason)] = None
    return list(told)
