"""The panel of a proposal: what it is about, who says what and since when, and what would become of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timezone, tzinfo

from memtui.cognition.decay import stability
from memtui.cognition.facts import told_claim
from memtui.cognition.policy import DEFAULT_MEMORY_POLICY
from memtui.cognition.turning import turning
from memtui.model.details import Strength
from memtui.model.instants import Instant
from memtui.model.proposals import Contradiction, Expiry, Merge, Proposal, Stated, Undecided, told_names
from memtui.model.records import Content, RecordKey
from memtui.model.results import RecordView
from memtui.model.reviews import Decision
from memtui.text.moments import local, on_the_readers_clock
from memtui.text.word_diff import word_diff
from memtui.tui.board import Entry, goes, stays, told_decision
from memtui.tui.columns import side_by_side
from memtui.tui.display import cut
from memtui.tui.lane_bars import Bar, painted
from memtui.tui.preview_lines import Prepared
from memtui.tui.retention_curve import curve_lines
from memtui.tui.styled_lines import Look, StyledLine, assemble
from memtui.tui.time_track import TimeTrack

MOST_MEMBERS = 8
"""Members that are told one by one."""
_SIDE_BY_SIDE = 76
"""Cells from which two memories stand beside each other."""
_LONGEST = 600
"""Characters of a member's text that are shown."""
_ALIKE = 0.3
"""Share of a text that must be the other's for what differs to be highlighted."""
_LABEL = 9
_BLANK = StyledLine("")
_KINDS = {
    "contradiction": "Contradiction",
    "merge": "They say the same",
    "expiry": "It has faded",
    "undecided": "It cannot be told whether they agree",
}
_GONE = StyledLine("It is not there any more.", "gone")


@dataclass(frozen=True, slots=True)
class Told:
    """What is known of a member beside its name."""

    record: RecordView
    strength: Strength | None = None
    recalls: tuple[Instant, ...] = ()
    """When it was recalled, oldest first."""
    since: Instant | None = None
    """From when its fading counts: its recording or last revival."""


Members = Mapping[RecordKey, Told]


def panel(
    entry: Entry, members: Members, decision: Decision | None, *, width: int, now: Instant, zone: tzinfo | None
) -> Prepared:
    """The lines of a proposal's panel for a column of `width` cells."""
    proposal = entry.proposal
    lines = [*_head(entry, decision, zone), _BLANK]
    match proposal:
        case Contradiction():
            lines += _contradiction(proposal, members, decision, width, now, zone)
        case Merge():
            lines += _merge(proposal, members, decision, width, zone)
        case Expiry():
            lines += _expiry(proposal, members, width, now, zone)
        case Undecided():
            lines += _undecided(proposal, members)
    return Prepared(tuple(lines), note=proposal.id)


def _head(entry: Entry, decision: Decision | None, zone: tzinfo | None) -> Iterable[StyledLine]:
    proposal = entry.proposal
    yield assemble((_KINDS[proposal.kind], "heading"), ("  ", "muted"), (entry.about, "strong"), hang=2)
    for change in entry.changed:
        yield assemble(("changed while you looked: ", "gone"), _clock(change, zone), hang=2)
    if entry.suppressed is not None:
        when = local(entry.suppressed.rejected_at, zone)
        yield StyledLine(f"rejected by {entry.suppressed.by} on {when}; nothing of it changed since", "muted")
        yield StyledLine("u of its review in the Vault, or `memtui review undo`, opens it again", "muted")
        return
    yield StyledLine(told_decision(proposal, decision), "accent" if decision is not None else "muted", hang=2)
    if proposal.returned:
        yield StyledLine("You rejected this before. Since then:", "gone")
        for change in proposal.returned:
            yield assemble("  ", _clock(change, zone), hang=4)
    yield StyledLine(_clock(proposal.reason, zone), "emphasis")


def _clock(text: str, zone: tzinfo | None) -> str:
    return on_the_readers_clock(text, zone or timezone.utc)


# --- Members -------------------------------------------------------------------------------------


def _member_head(number: int, name: str, key: RecordKey, proposal: Proposal, decision: Decision | None) -> StyledLine:
    key_shown = f"{number} " if number <= 9 else "  "
    if key == stays(proposal, decision):
        role: tuple[str, Look] = ("  stays", "added")
    elif key in goes(proposal, decision):
        role = ("  ends", "gone")
    else:
        role = ("  stays too", "muted")
    return assemble((key_shown, "accent"), (name, "strong"), role, hang=2)


def _compared(content: Content, other: Content | None) -> StyledLine:
    """A member's text; the words that another one does not have stand out."""
    text = _text(content)
    if other is None or text == _text(other):
        return StyledLine(text, hang=2)
    parts = [part for part in word_diff(_text(other), text) if part.change != "gone"]
    alike = sum(len(part.text) for part in parts if part.change == "same")
    if alike < _ALIKE * len(text):
        return StyledLine(text, hang=2)  # where nearly all differs, nothing stands out
    said: list[tuple[str, Look]] = [(part.text, "mark" if part.change == "added" else "text") for part in parts]
    return assemble(*said, hang=2)


def _text(content: Content) -> str:
    """What a member says, in one line."""
    said = [part for part in (content.title, content.summary) if part]
    if content.body and content.body not in said:
        said.append(content.body)
    text = " ".join(" ".join(said).split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _fact(label: str, value: str, look: Look = "text") -> StyledLine:
    return assemble((f"  {label}".ljust(_LABEL + 2), "muted"), (value, look), hang=_LABEL + 2)


def _since(content: Content, zone: tzinfo | None) -> str:
    intervals = content.validity().intervals
    if not intervals:
        return "never"
    last = intervals[-1]
    until = "" if last.end is None else f" until {local(last.end, zone)}"
    return f"since {local(last.start, zone)}{until}"


def _more(total: int, shown: int) -> list[StyledLine]:
    return [_BLANK, StyledLine(f"and {total - shown:,} more", "muted")] if total > shown else []


# --- Contradictions ------------------------------------------------------------------------------


def _contradiction(
    found: Contradiction,
    members: Members,
    decision: Decision | None,
    width: int,
    now: Instant,
    zone: tzinfo | None,
) -> list[StyledLine]:
    names = told_names(found.keys)
    claims = {stated.key: stated for pair in reversed(found.conflicts) for stated in (pair.a, pair.b)}
    keep = stays(found, decision)
    kept = members.get(keep) if keep is not None else None
    blocks: list[list[StyledLine]] = []
    for number, (key, name) in enumerate(zip(found.keys[:MOST_MEMBERS], names, strict=False), start=1):
        block = [_member_head(number, name, key, found, decision)]
        told = members.get(key)
        if told is None:
            block.append(_GONE)
        else:
            other = None if kept is None or key == keep else kept.record.content
            # The survivor is compared with whoever contradicts it, so that its words stand out too.
            if key == keep and len(found.keys) == 2:
                rival = members.get(next(each for each in found.keys if each != key))
                other = None if rival is None else rival.record.content
            block.append(_compared(told.record.content, other))
            block += _claim_lines(claims.get(key), told, zone)
        blocks.append(block)
    lines = side_by_side(blocks, width) if len(blocks) == 2 and width >= _SIDE_BY_SIDE else _stacked(blocks)
    lines += _more(found.total, len(blocks))
    return [*lines, *_relations(found, claims, width, now, zone)]


def _stacked(blocks: Sequence[Sequence[StyledLine]]) -> list[StyledLine]:
    lines: list[StyledLine] = []
    for place, block in enumerate(blocks):
        lines += [_BLANK, *block] if place else block
    return lines


def _claim_lines(stated: Stated | None, told: Told, zone: tzinfo | None) -> Iterable[StyledLine]:
    if stated is not None:
        yield _fact("claims", told_claim(stated), "accent")
    yield _fact("true", _since(told.record.content, zone))
    if stated is not None and stated.learned is not None:
        yield _fact("learned", ("by " if stated.approximate else "") + local(stated.learned, zone))
        if stated.approximate:
            yield _fact("", "perhaps earlier: it may be older than its file's first sync", "gone")
    else:
        yield _fact("recorded", local(told.record.recorded_at, zone))


def _relations(
    found: Contradiction, claims: Mapping[RecordKey, Stated], width: int, now: Instant, zone: tzinfo | None
) -> list[StyledLine]:
    """The windows of the claims as bars on one axis, and how they lie to one another in words."""
    shown = [(key, claims[key]) for key in found.keys[:MOST_MEMBERS] if key in claims]
    if not shown:
        return []
    label = min(max(len(key.name) for key, _ in shown), max(width // 4, 8)) + 1
    start = min(stated.window.start for _, stated in shown)
    end = max([now, *(stated.window.bound for _, stated in shown if stated.window.end is not None)])
    track = TimeTrack(start, max(end + (end - start) // 20, start + 1_000), max(width - label, 8))
    lines = [_BLANK]
    for key, stated in shown:
        runs = painted(Bar([stated.window], "true"), track, now)
        parts: list[tuple[str, Look]] = [(run.text, "accent" if run.look == "cursor" else "bar") for run in runs]
        lines.append(assemble((cut(key.name, label - 1).ljust(label), "muted"), *parts))
    dates = ""
    for cell, date in track.ticks(zone or timezone.utc):
        dates = dates.ljust(cell) + date
    lines.append(StyledLine(" " * label + dates, "muted"))
    names = dict(zip(found.keys, told_names(found.keys), strict=True))
    for pair in found.conflicts[:3]:
        how = _IN_WORDS[pair.relation].format(a=names[pair.a.key], b=names[pair.b.key])
        what = "assert and deny the same" if pair.kind == "polarity" else "say different things"
        lines.append(StyledLine(f"{how}; they {what}.", "muted", hang=2))
    return lines


_IN_WORDS = {
    "before": "{a} ends before {b} begins",
    "after": "{a} begins after {b} ends",
    "meets": "{a} ends as {b} begins",
    "met by": "{a} begins as {b} ends",
    "overlaps": "{a} began first and ends while {b} holds",
    "overlapped by": "{a} begins while {b} holds and outlasts it",
    "starts": "{a} begins with {b} and ends first",
    "started by": "{a} begins with {b} and outlasts it",
    "during": "{a} lies within {b}",
    "contains": "{b} lies within {a}",
    "finishes": "{a} begins while {b} holds and ends with it",
    "finished by": "{b} begins while {a} holds and ends with it",
    "equals": "{a} and {b} hold for the same time",
}


# --- Merges --------------------------------------------------------------------------------------


def _merge(
    found: Merge, members: Members, decision: Decision | None, width: int, zone: tzinfo | None
) -> list[StyledLine]:
    del width
    names = dict(zip(found.keys, told_names(found.keys), strict=True))
    keep = stays(found, decision)
    kept = members.get(keep) if keep is not None else None
    likeness = {like.key: like for like in found.likenesses}
    lines: list[StyledLine] = []
    if found.text is not None:
        lines += [StyledLine("What a scribe would say instead of all:", "muted"), StyledLine(found.text), _BLANK]
    for number, key in enumerate(found.keys[:MOST_MEMBERS], start=1):
        told = members.get(key)
        lines.append(_member_head(number, names[key], key, found, decision))
        if told is None:
            lines += [_GONE, _BLANK]
            continue
        other = None if kept is None or key == keep else kept.record.content
        lines.append(_compared(told.record.content, other))
        like = likeness.get(key)
        if like is not None:
            meaning = "" if like.meaning is None else f", {like.meaning:.2f} by meaning"
            lines.append(_fact("alike", f"{like.words:.0%} of the words{meaning}"))
        lines += [_fact("true", _since(told.record.content, zone)), _BLANK]
    lines += _more(found.total, min(len(found.keys), MOST_MEMBERS))
    if found.terms:
        lines.append(_fact("shared", ", ".join(found.terms)))
    texts = [_text(told.record.content) for key in found.keys if (told := members.get(key)) is not None]
    if len({turning(text) for text in texts}) > 1:
        lines.append(StyledLine("Look twice: they differ in a figure, a day or a denial.", "gone"))
    lines.append(StyledLine("Highlighted is what the one that stays does not say.", "muted"))
    if found.scribe_note:
        lines.append(StyledLine(found.scribe_note, "gone"))
    return lines


# --- Expiries ------------------------------------------------------------------------------------


def _expiry(found: Expiry, members: Members, width: int, now: Instant, zone: tzinfo | None) -> list[StyledLine]:
    told = members.get(found.key)
    if told is None:
        return [_GONE]
    content = told.record.content
    lines = [StyledLine(_text(content)), _BLANK]
    if told.strength is not None:
        since = told.record.recorded_at if told.since is None else told.since
        lines += curve_lines(
            authored=stability(content.confidence, content.stability_days),
            since=min(since, told.strength.reinforced_at),
            recalls=told.recalls,
            stability=told.strength.stability,
            last=told.strength.reinforced_at,
            now=now,
            floor=DEFAULT_MEMORY_POLICY.expire_below,
            width=width,
            zone=zone,
        )
        recalled = {0: "never recalled", 1: "recalled once"}.get(
            len(told.recalls), f"recalled {len(told.recalls)} times"
        )
        lines += [_BLANK, _fact("left", f"{found.retention:.1%}, {recalled}")]
        lines.append(_fact("idle", f"{found.days:,.0f} days since {local(told.strength.reinforced_at, zone)}"))
        lines.append(_fact("lasts", f"stability {told.strength.stability:.1f} days"))
    lines += [_fact("true", _since(content, zone)), _fact("area", content.area or "general")]
    return lines


# --- Undecided -----------------------------------------------------------------------------------


def _undecided(found: Undecided, members: Members) -> list[StyledLine]:
    lines: list[StyledLine] = []
    for key, name in zip(found.keys[:MOST_MEMBERS], told_names(found.keys), strict=False):
        lines.append(StyledLine(name, "strong"))
        told = members.get(key)
        if told is None:
            lines += [_GONE, _BLANK]
            continue
        lines.append(StyledLine(_text(told.record.content), hang=2))
        claims = told.record.content.claims
        said = "; ".join(str(claim) for claim in claims) if claims else "declares no claim"
        lines += [_fact("claims", said, "accent" if claims else "muted"), _BLANK]
    lines += _more(found.total, min(len(found.keys), MOST_MEMBERS))
    subject = "SUBJECT" if found.referent.startswith("·") else found.referent
    lines.append(StyledLine("A claim decides, such as", "muted"))
    lines.append(StyledLine(f'  memtui update {found.keys[0].name} --claim "{subject}::predicate=value"', "code"))
    if found.scribe_note:
        lines.append(StyledLine(found.scribe_note, "gone"))
    return lines
