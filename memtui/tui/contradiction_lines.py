"""The panel of a contradiction: the memories beside each other, and their claims as bars on one axis of time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import timezone, tzinfo

from memtui.cognition.facts import told_claim
from memtui.model.instants import Instant
from memtui.model.intervals import ValiditySet
from memtui.model.proposals import Conflict, Contradiction, Stated, told_names
from memtui.model.records import RecordKey
from memtui.model.reviews import Decision
from memtui.text.moments import local, told_apart
from memtui.tui.board import stays
from memtui.tui.columns import side_by_side
from memtui.tui.display import padded, width_of
from memtui.tui.lane_bars import Bar, painted
from memtui.tui.member_lines import (
    BLANK,
    NOT_THERE,
    Members,
    Told,
    fact,
    member_head,
    member_text,
    more,
    number_shown,
    shown_members,
    true_since,
    whole_text,
)
from memtui.tui.styled_lines import Look, StyledLine, assemble
from memtui.tui.time_track import SHORTEST, TimeTrack

_SIDE_BY_SIDE = 76
"""Cells from which two memories stand beside each other."""
_LEAST_BAR = 8
_MOST_IN_WORDS = 3
"""Pairs whose relation is told in words."""
_Claims = Mapping[RecordKey, Sequence[Stated]]


def contradiction_lines(
    found: Contradiction, members: Members, decision: Decision | None, width: int, now: Instant, zone: tzinfo | None
) -> list[StyledLine]:
    """The members and how their claims lie to one another, for a column of `width` cells."""
    claims = _claims(found.conflicts)
    shown = shown_members(found, decision)
    blocks: list[list[StyledLine]] = []
    for number, key, name in shown:
        block = [member_head(number, name, key, found, decision)]
        told = members.get(key)
        if told is None:
            block.append(NOT_THERE)
        else:
            block += member_text(told.record.content, _other_text(found, members, decision, key))
            block += _facts(claims.get(key, ()), told, zone)
        blocks.append(block)
    if len(blocks) == 2 and width >= _SIDE_BY_SIDE:
        lines = side_by_side(blocks, width)
    else:
        lines = [line for place, block in enumerate(blocks) for line in ([BLANK] if place else []) + block]
    lines += [BLANK, *more(found.total, len(shown))]
    lines += _bars([(number, key, name) for number, key, name in shown if key in claims], claims, width, now, zone)
    return lines + list(_in_words(found, zone))


def _claims(conflicts: Iterable[Conflict]) -> _Claims:
    """What each member claims, every claim once."""
    claims: dict[RecordKey, dict[Stated, None]] = defaultdict(dict)
    for pair in conflicts:
        for stated in (pair.a, pair.b):
            claims[stated.key][stated] = None
    return {key: tuple(own) for key, own in claims.items()}


def _other_text(found: Contradiction, members: Members, decision: Decision | None, key: RecordKey) -> str | None:
    """The text that a member is compared with: the survivor's; of two the survivor's is compared with its rival's."""
    other = stays(found, decision)
    if key == other:
        other = next(each for each in found.keys if each != key) if len(found.keys) == 2 else None
    told = None if other is None else members.get(other)
    return None if told is None else whole_text(told.record.content)


def _facts(claims: Sequence[Stated], told: Told, zone: tzinfo | None) -> Iterable[StyledLine]:
    """What a member claims, and both its clocks."""
    for said in dict.fromkeys(map(told_claim, claims)):
        yield fact("claims", said, "accent")
    yield fact("true", true_since(told.record.content, zone))
    learned = [(stated.learned, stated.approximate) for stated in claims if stated.learned is not None]
    if not learned:
        yield fact("recorded", local(told.record.recorded_at, zone))
    for instant, approximate in dict.fromkeys(learned):
        yield fact("learned", ("by " if approximate else "") + local(instant, zone))
        if approximate:
            yield fact("", "perhaps earlier: it may be older than what memtui first saw of it", "gone")


def _bars(
    shown: Sequence[tuple[int, RecordKey, str]], claims: _Claims, width: int, now: Instant, zone: tzinfo | None
) -> list[StyledLine]:
    """When each claims to be so, on one axis, with dates below."""
    if not shown:
        return []
    # The number tells two names apart of which there is room for the same beginning only.
    label = 2 + min(max(width_of(name) for _, _, name in shown), max(width // 4, 8)) + 1
    windows = {key: ValiditySet.of(stated.window for stated in claims[key]).intervals for _, key, _ in shown}
    told = [interval for intervals in windows.values() for interval in intervals]
    if not told:
        return []
    start = min(interval.start for interval in told)
    end = max(now, *(interval.start if interval.end is None else interval.end for interval in told))
    track = TimeTrack(start, end + max((end - start) // 20, SHORTEST), max(width - label, _LEAST_BAR))
    lines: list[StyledLine] = []
    for number, key, name in shown:
        runs = painted(Bar(windows[key], "true"), track, now)
        bar: list[tuple[str, Look]] = [(run.text, "accent" if run.look == "cursor" else "bar") for run in runs]
        lines.append(assemble((number_shown(number), "accent"), (padded(name, label - 3) + " ", "muted"), *bar))
    dates = ""
    for cell, date in track.ticks(zone or timezone.utc):
        dates = dates.ljust(cell) + date
    return [*lines, StyledLine(" " * label + dates, "muted")]


def _in_words(found: Contradiction, zone: tzinfo | None) -> Iterable[StyledLine]:
    """How the first pairs of claims lie to one another, and for when both claim to be so."""
    names = dict(zip(found.keys, told_names(found.keys), strict=True))
    for pair in found.conflicts[:_MOST_IN_WORDS]:
        a, b = (names.get(stated.key, stated.key.name) for stated in (pair.a, pair.b))
        what = "assert and deny the same" if pair.kind == "polarity" else "say different things"
        how = _IN_WORDS[pair.relation].format(a=a, b=b)
        yield StyledLine(f"{how}; they {what}{_shared(pair, zone)}.", "muted", hang=2)
    rest = len(found.conflicts) - _MOST_IN_WORDS
    if rest > 0:
        yield StyledLine(f"and {rest:,} more {'pair' if rest == 1 else 'pairs'}", "muted")


def _shared(pair: Conflict, zone: tzinfo | None) -> str:
    """For when both claims are to be so."""
    a, b = pair.a.window, pair.b.window
    if not a.overlaps(b):
        return ""
    start = max(a.start, b.start)
    ends = [window.end for window in (a, b) if window.end is not None]
    if not ends:
        return f" since {local(start, zone)}"
    from_, to = told_apart(start, min(ends), zone=zone)
    return f" from {from_} to {to}"


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
