"""What the Vault mode tells of what is selected: the vault in numbers, its store, a problem, or a review."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import timezone, tzinfo

import numpy as np

from memtui.model.instants import DAY
from memtui.model.problems import Problem
from memtui.model.proposals import PROPOSAL_SIGNS, told_names
from memtui.model.records import KINDS
from memtui.model.reviews import DECIDED, DECISION_SIGNS, DecisionRecord, Review, Verb, review_id
from memtui.search.census import Census
from memtui.text.moments import local, on_the_readers_clock
from memtui.tui.display import several
from memtui.tui.member_lines import BLANK, fact
from memtui.tui.plots import bar, column_rows, dates_below
from memtui.tui.preview_lines import Prepared
from memtui.tui.styled_lines import Look, StyledLine, assemble
from memtui.tui.time_notes import SIGNS
from memtui.tui.time_track import TimeTrack
from memtui.tui.vault_board import PAGES, Survey, VaultEntry, came_to, size, stands

_HEIGHT = 6
_LABEL = 8
"""Cells before a plot, for the numbers of its axis."""
_NARROW_BAR = 12
_FALLING = (0.9, 0.7, 0.5, 0.3, 0.15)
"""Where the groups of retention end, downwards; below the last a memory is stale."""
_MOST_DECISIONS = 300
"""Decisions of one review that are told."""
_MOST_NAMES = 6
_LOOKS: Mapping[Verb, Look] = {"accept": "added", "reject": "gone", "defer": "muted", "many": "accent"}


def details(
    entry: VaultEntry, *, width: int, zone: tzinfo | None, answering: str = "", excerpt: Sequence[tuple[int, str]] = ()
) -> Prepared:
    """The lines of an entry for a column of `width` cells.

    `answering` is what answers searches just now, `excerpt` the numbered lines of a problem's file around its place.
    """
    survey, subject = entry.survey, entry.subject
    if isinstance(subject, Problem):
        return Prepared(tuple(_problem(subject, excerpt)))
    if isinstance(subject, Review):
        return Prepared(tuple(_review(subject, zone)), note=subject.id)
    page = _memories(survey, width, zone) if subject == "memories" else _store(survey, zone, answering)
    return Prepared((StyledLine(PAGES[subject], "heading"), BLANK, *page))


# --- The memories --------------------------------------------------------------------------------


def _memories(survey: Survey, width: int, zone: tzinfo | None) -> Iterator[StyledLine]:
    census = survey.census
    yield from _counts(census)
    yield BLANK
    yield StyledLine("Growth", "heading")
    yield from _growth(census, width, zone or timezone.utc)
    if len(census.retention):
        yield BLANK
        yield StyledLine("How present they are", "heading")
        yield from _retention(census, width)


def _counts(census: Census) -> Iterator[StyledLine]:
    """A table of what is in force, by kind and partition, and how the others stand."""
    partitions = list(census.kinds)
    widths = [max(len(name), 7) for name in partitions]
    if len(partitions) > 1:
        heads = "".join(f"  {name:>{room}}" for name, room in zip(partitions, widths, strict=True))
        yield StyledLine(" " * 11 + heads, "muted")
    for kind in KINDS:
        numbers = [census.kinds[name].get(kind, 0) for name in partitions]
        if any(numbers):
            shown = (f"{number:,}" if number else "·" for number in numbers)
            told = "".join(f"  {number:>{room}}" for number, room in zip(shown, widths, strict=True))
            yield assemble((f"  {kind:9}", "muted"), told)
    states = [f"{count:,} {SIGNS[state][1]}" for state, count in census.states.items() if count]
    yield StyledLine("  " + (" · ".join(states) if states else "Nothing is recorded yet."), "muted", hang=2)


def _growth(census: Census, width: int, zone: tzinfo) -> Iterator[StyledLine]:
    """How many records were known at each time, as columns."""
    known, now = census.first_known, census.known_at
    if not len(known):
        yield StyledLine("  Nothing is recorded yet.", "muted")
        return
    cells = max(width - _LABEL - 1, 8)
    start = int(known[0])
    track = TimeTrack(start, max(now, start + 60_000_000) + 1, cells)
    ends = [track.begin_of(cell + 1) for cell in range(cells)]
    counts = np.searchsorted(known, np.array(ends, dtype=np.int64), side="left")
    most = len(known)
    rows = column_rows((counts / most).tolist(), _HEIGHT)
    for number, row in enumerate(rows):
        label = f"{most:,}" if number == 0 else "0" if number == _HEIGHT - 1 else ""
        yield assemble((f"{label:>{_LABEL - 1}} ", "muted"), (row, "bar"))
    yield StyledLine(" " * _LABEL + dates_below(track, zone), "muted")
    recent = [(days, most - int(np.searchsorted(known, now - days * DAY, side="right"))) for days in (7, 30)]
    told = ", ".join(f"{count:,} in the last {days} days" for days, count in recent)
    yield StyledLine(f"  {most:,} known, {told}.", "muted", hang=2)


def _retention(census: Census, width: int) -> Iterator[StyledLine]:
    """How many of the memories that fade are how present in mind."""
    bounds = (1.0, *_FALLING, 0.0)
    places = np.searchsorted(-np.array(_FALLING), -census.retention, side="left")
    counts = np.bincount(places, minlength=len(bounds) - 1).tolist()
    room = max(width - 24, _NARROW_BAR)
    most = max(counts)
    for upper, lower, count in zip(bounds, bounds[1:], counts, strict=False):
        label = f"  {lower:4.0%} – {upper:4.0%}  "
        yield assemble((label, "muted"), (bar(count / most, room), "bar"), (f" {count:,}" if count else " ·", "muted"))
    if counts[-1]:
        told = f"  Below {_FALLING[-1]:.0%} a memory is stale: is:stale finds it, F4 proposes which may go."
        yield StyledLine(told, "muted", hang=2)


# --- The store -----------------------------------------------------------------------------------


def _store(survey: Survey, zone: tzinfo | None, answering: str) -> Iterator[StyledLine]:
    status = survey.status
    yield fact("store", status.store)
    yield fact("size", size(status.size_bytes))
    yield fact("folder", status.vault)
    when = "" if status.last_sync is None else local(status.last_sync, zone)
    newer = f"; {several(status.stale, 'file')} newer" if status.stale else "; nothing is newer"
    yield fact("read", f"files {when}{newer}" if status.last_sync is not None else f"no files yet{newer}")
    yield BLANK
    yield StyledLine("By words", "heading")
    yield fact("index", f"{several(status.index_rows, 'text')}, analyser {status.analyser}")
    yield BLANK
    yield StyledLine("By meaning", "heading")
    embedding = status.embedding
    if embedding["model_id"] is None:
        yield fact("model", "none is set")
    else:
        dims = f", {embedding['dims']} numbers a vector" if embedding["dims"] else ""
        yield fact("model", f"{embedding['model_id']}{dims}")
        share = f"{embedding['embedded']:,} of {status.index_rows:,} texts in {embedding['chunks']:,} chunks"
        yield fact("embedded", share)
    if answering:
        yield fact("now", answering)
    for warning in status.warnings:
        yield BLANK
        yield StyledLine(warning, "gone", hang=2)
    if status.truncated_total:
        yield BLANK
        yield StyledLine(
            f"Of {several(status.truncated_total, 'record')} nobody can tell what it was before it was first read.",
            "muted",
        )


# --- Problems ------------------------------------------------------------------------------------


def _problem(problem: Problem, excerpt: Sequence[tuple[int, str]]) -> Iterator[StyledLine]:
    place = "" if problem.line is None else f":{problem.line}"
    yield assemble(("Problem", "heading"), ("  ", "muted"), (f"{problem.path}{place}", "strong"), hang=2)
    yield BLANK
    yield StyledLine(problem.reason, "gone", hang=2)
    if problem.field:
        yield fact("field", problem.field)
    if problem.value:
        yield fact("value", problem.value)
    if excerpt:
        yield BLANK
    for number, text in excerpt:
        here = number == problem.line
        yield assemble((f"{number:>5} ", "accent" if here else "muted"), (text, "mark" if here else "text"), hang=6)
    yield BLANK
    yield StyledLine("enter opens the file in your editor; what you save is read at once.", "muted", hang=2)


# --- Reviews -------------------------------------------------------------------------------------


def _review(review: Review, zone: tzinfo | None) -> Iterator[StyledLine]:
    yield assemble(("Review", "heading"), ("  ", "muted"), (review.id, "strong"))
    yield StyledLine(f"{local(review.decided_at, zone)}, by {review.actor}", "muted")
    yield StyledLine(came_to(review))
    if review.undone_by is not None:
        yield StyledLine(f"{review_id(review.undone_by)} took it back.", "gone")
    elif stands(review):
        yield StyledLine(
            "u takes it back: whatever it changed is as before, but for what someone changed since.", "muted"
        )
    for decision in review.decisions[:_MOST_DECISIONS]:
        yield BLANK
        yield from _decision(decision, zone)
    left = len(review.decisions) - _MOST_DECISIONS
    if left > 0:
        yield BLANK
        yield StyledLine(f"and {left:,} more: `memtui review log` tells all.", "muted")


def _decision(decision: DecisionRecord, zone: tzinfo | None) -> Iterator[StyledLine]:
    names = told_names(decision.keys)
    shown = ", ".join(names[:_MOST_NAMES]) + (
        f" and {len(names) - _MOST_NAMES:,} more" if len(names) > _MOST_NAMES else ""
    )
    yield assemble(
        (f"{DECISION_SIGNS[decision.verb]} {DECIDED[decision.verb]}", _LOOKS[decision.verb]),
        (f"  {PROPOSAL_SIGNS[decision.kind]} ", "accent"),
        (decision.about or shown, "strong"),
        (f"  {decision.proposal}", "muted"),
        hang=4,
    )
    if decision.about:
        yield StyledLine(f"    {shown}", "muted", hang=4)
    yield StyledLine(f"    {on_the_readers_clock(decision.effect, zone or timezone.utc)}", hang=4)
