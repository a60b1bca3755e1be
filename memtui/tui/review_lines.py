"""The panel of a proposal: what it is about, who says what and since when, and what would become of it."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from datetime import timezone, tzinfo

from memtui.cognition.decay import stability
from memtui.cognition.deciding import new_text
from memtui.model.instants import Instant
from memtui.model.proposals import Contradiction, Expiry, Likeness, Merge, Undecided
from memtui.model.records import RecordKey
from memtui.model.reviews import Accept, Decision
from memtui.text.moments import local, on_the_readers_clock
from memtui.tui.board import Entry, stays, told_decision
from memtui.tui.contradiction_lines import contradiction_lines
from memtui.tui.member_lines import (
    BLANK,
    LONGER,
    NOT_THERE,
    Members,
    fact,
    member_head,
    member_text,
    more,
    shortened,
    shown_members,
    true_since,
    whole_text,
)
from memtui.tui.preview_lines import Prepared
from memtui.tui.retention_curve import curve_lines
from memtui.tui.styled_lines import StyledLine, assemble

_KINDS = {
    "contradiction": "Contradiction",
    "merge": "They say the same",
    "expiry": "It has faded",
    "undecided": "It cannot be told whether they agree",
}
_UNANCHORED = "· "
"""How the referent of claims begins that name no subject; the predicate follows."""


def panel(
    entry: Entry, members: Members, decision: Decision | None, *, width: int, now: Instant, zone: tzinfo | None
) -> Prepared:
    """The lines of a proposal's panel for a column of `width` cells.

    Of a large group, `members` must hold those that `shown_members` names: who is missing is told as gone.
    """
    proposal = entry.proposal
    lines = [*_head(entry, decision, zone), BLANK]
    match proposal:
        case Contradiction():
            lines += contradiction_lines(proposal, members, decision, width, now, zone)
        case Merge():
            lines += _merge(proposal, members, decision, zone)
        case Expiry():
            lines += _expiry(proposal, members, width, now, zone)
        case Undecided():
            lines += _undecided(proposal, members, decision)
    return Prepared(tuple(lines), note=proposal.id)


def _head(entry: Entry, decision: Decision | None, zone: tzinfo | None) -> Iterable[StyledLine]:
    proposal = entry.proposal
    yield assemble((_KINDS[proposal.kind], "heading"), ("  ", "muted"), (entry.about, "strong"), hang=2)
    if entry.misfit:
        yield assemble(("does not fit with other decisions: ", "gone"), _clock(entry.misfit, zone), hang=2)
    for change in entry.changed:
        yield assemble(("changed since you decided: ", "gone"), _clock(change, zone), hang=2)
    if entry.suppressed is not None:
        when = local(entry.suppressed.rejected_at, zone)
        yield StyledLine(f"rejected by {entry.suppressed.by} on {when}; nothing of it changed since", "muted")
        yield StyledLine("F5 lists that review: u there opens it again", "muted")
    else:
        yield StyledLine(told_decision(proposal, decision), "accent" if decision is not None else "muted", hang=2)
        if proposal.returned:
            yield StyledLine("You rejected this before. Since then:", "gone")
            for change in proposal.returned:
                yield assemble("  ", _clock(change, zone), hang=4)
    yield StyledLine(_clock(proposal.reason, zone), "emphasis")


def _clock(text: str, zone: tzinfo | None) -> str:
    return on_the_readers_clock(text, zone or timezone.utc)


# --- Merges --------------------------------------------------------------------------------------


def _merge(found: Merge, members: Members, decision: Decision | None, zone: tzinfo | None) -> list[StyledLine]:
    """Who stays and who goes, or the text that stands for all; and what would not be said any more."""
    anew = new_text(found, decision if isinstance(decision, Accept) else Accept())
    remains = anew
    if anew is None:
        keep = stays(found, decision)
        kept = members.get(keep) if keep is not None else None
        remains = None if kept is None else whole_text(kept.record.content)
    likeness = {like.key: like for like in found.likenesses}
    # Beside a survivor someone else than the plan chose, these numbers would be of another pair.
    of_whom = f" of {found.keep.name}" if stays(found, decision) != found.keep else ""
    lines = [] if anew is None else [*_written(anew), BLANK]
    shown = shown_members(found, decision)
    for number, key, name in shown:
        lines.append(member_head(number, name, key, found, decision))
        told = members.get(key)
        if told is None:
            lines += [NOT_THERE, BLANK]
            continue
        lines += member_text(told.record.content, remains)
        like = likeness.get(key)
        if like is not None:
            lines.append(fact("alike", _alike(like, of_whom)))
        lines += [fact("true", true_since(told.record.content, zone)), BLANK]
    lines += more(found.total, len(shown))
    if found.terms:
        lines.append(fact("shared", ", ".join(found.terms)))
    if found.turned:
        lines.append(StyledLine("Look twice: they differ in a figure, a day or a denial.", "gone"))
    lost = "what the one that stays does not say" if anew is None else "what the new text does not say"
    lines.append(StyledLine(f"Highlighted is {lost}.", "muted"))
    if found.scribe_note:
        lines.append(StyledLine(found.scribe_note, "gone"))
    return lines


def _written(text: str) -> list[StyledLine]:
    """The text of the memory that would be written; as much of it as of any other."""
    one_line = " ".join(text.split())
    shown = shortened(one_line)
    note = [] if shown == one_line else [LONGER]
    return [StyledLine("What would be written instead of all of them:", "muted"), StyledLine(shown, hang=2), *note]


def _alike(like: Likeness, of_whom: str) -> str:
    meaning = "" if like.meaning is None else f", {like.meaning:.2f} by meaning"
    return f"{like.words:.0%} of the words{of_whom}{meaning}"


# --- Expiries ------------------------------------------------------------------------------------


def _expiry(found: Expiry, members: Members, width: int, now: Instant, zone: tzinfo | None) -> list[StyledLine]:
    """The text, the retention curve, and its numbers."""
    told = members.get(found.key)
    if told is None:
        return [NOT_THERE]
    content, strength = told.record.content, told.strength
    lines = [*member_text(content, None), BLANK]
    if strength is not None:
        since = told.record.recorded_at if told.since is None else told.since
        lines += curve_lines(
            authored=stability(content.confidence, content.stability_days),
            since=min(since, strength.reinforced_at),
            recalls=told.recalls,
            stability=strength.stability,
            last=strength.reinforced_at,
            now=now,
            floor=found.floor,
            width=width,
            zone=zone,
        )
        # Not each recall counts: those within an hour are one.
        counted = {0: "never recalled", 1: "recalled once"}.get(
            strength.counted, f"recalled {strength.counted:,} times"
        )
        lines += [BLANK, fact("left", f"{found.retention:.1%}, {counted}")]
        lines.append(fact("idle", f"{found.days:,.0f} days since {local(strength.reinforced_at, zone)}"))
        lines.append(fact("lasts", f"stability {strength.stability:,.1f} days"))
    return [*lines, fact("true", true_since(content, zone)), fact("area", content.area or "general")]


# --- Undecided -----------------------------------------------------------------------------------


def _undecided(found: Undecided, members: Members, decision: Decision | None) -> list[StyledLine]:
    """What the members say and declare, and the command that would decide."""
    lines: list[StyledLine] = []
    shown = shown_members(found, decision)
    for _, key, name in shown:
        lines.append(StyledLine(name, "strong", hang=2))
        told = members.get(key)
        if told is None:
            lines += [NOT_THERE, BLANK]
            continue
        claims = told.record.content.claims
        said = "; ".join(map(str, claims)) if claims else "no claim"
        lines += [*member_text(told.record.content, None), fact("claims", said, "accent" if claims else "muted"), BLANK]
    lines += more(found.total, len(shown))
    lines += _deciding([key for _, key, _ in shown], found.referent, members)
    if found.scribe_note:
        lines.append(StyledLine(found.scribe_note, "gone"))
    return lines


def _deciding(keys: Sequence[RecordKey], referent: str, members: Members) -> Iterable[StyledLine]:
    """The command that declares a claim: of a member without one, because those given replace those there are."""
    there = [key for key in keys if key in members]
    key = next((key for key in there if not members[key].record.content.claims), next(iter(there or keys)))
    subject, predicate = referent, "predicate"
    if referent.startswith(_UNANCHORED):
        subject, predicate = "SUBJECT", referent.removeprefix(_UNANCHORED)
    yield StyledLine("A claim decides: e opens those there are in your editor. Or in a shell, such as", "muted", hang=2)
    yield StyledLine(f"  {update_command(key.name, f'{subject}::{predicate}=object')}", "code", hang=4)
    if key in members and members[key].record.content.claims:
        yield StyledLine(f"It replaces what {key.name} claims: repeat --claim for each that is to stay.", "gone")


def update_command(name: str, claim: str) -> str:
    """The command that gives a memory a claim. It will be copied into a shell: stored text must stay text there."""
    given = f"--claim {shlex.quote(claim)}"
    if name.startswith("-"):
        return f"memtui update {given} -- {shlex.quote(name)}"
    return f"memtui update {shlex.quote(name)} {given}"
