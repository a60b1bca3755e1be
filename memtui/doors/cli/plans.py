"""Plans, confirmations and reviews as lines for a person, and as plain lines for a pipe."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import tzinfo

from memtui.doors.cli.output import Hanging, Line, counted, on_the_readers_clock
from memtui.doors.cli.session import Session
from memtui.model.proposals import (
    PROPOSAL_SIGNS,
    Contradiction,
    Expiry,
    Merge,
    Plan,
    Proposal,
    Suppressed,
    Undecided,
    told_names,
)
from memtui.model.reviews import Confirmation, DecisionRecord, Review, Undone, review_id
from memtui.text.visible import one_line, visible

_SHOWN_NAMES = 8
"""Names of a group that are told before it is said how many more there are."""


def plan_lines(plan: Plan, session: Session, zone: tzinfo, *, everything: bool) -> list[Line]:
    """A plan for a person: by sort, each proposal with its id, what it is about, and why."""
    lines: list[Line] = []
    groups: tuple[tuple[str, Sequence[Proposal]], ...] = (
        ("contradiction", plan.contradictions),
        ("merge", plan.merges),
        ("expiry", plan.expiries),
        ("undecided group", plan.undecided),
    )
    for thing, proposals in groups:
        if proposals:
            lines.append([(_plural(len(proposals), thing), "bold")])
            for proposal in proposals:
                lines.extend(proposal_lines(proposal, zone))
    if plan.suppressed:
        lines.append([(f"{len(plan.suppressed):,} rejected before, unchanged since", "bold")])
        lines.extend(_suppressed_line(each) for each in plan.suppressed)
    if everything and plan.retained:
        lines.append([(f"staying: {counted(len(plan.retained), 'engram')}", "bold")])
        lines.extend(_expiry_line(expiry) for expiry in plan.retained)
    if not lines:
        lines.append([("There is nothing to consolidate.", "bold")])
    elif plan.is_present and plan.proposals:
        accept = session.command("consolidate --accept ID")
        lines += [[], [(f"Nothing was changed. {accept} does as proposed, --reject and --defer do not.", "dim")]]
    elif plan.proposals:
        lines += [[], [("This plan is of another time than now: it can be read, not decided.", "dim")]]
    lines.extend([(visible(note), "yellow")] for note in plan.notes)
    return lines


def plain_plan(plan: Plan, *, everything: bool) -> list[Line]:
    """One line a proposal: sort, id, names with commas between, about, reason."""
    proposals: list[Proposal] = [*plan.proposals, *(plan.retained if everything else ())]
    rows = [(p.kind, p.id, ",".join(told_names(p.keys)), p.about, p.reason) for p in proposals]
    rows += [
        ("suppressed", s.proposal.id, ",".join(told_names(s.proposal.keys)), s.proposal.about, s.proposal.reason)
        for s in plan.suppressed
    ]
    return [[("\t".join(map(one_line, row)), "")] for row in rows]


def _plural(count: int, thing: str) -> str:
    return (
        f"{count:,} {thing}"
        if count == 1
        else f"{count:,} {thing[:-1]}ies"
        if thing[-1] == "y"
        else f"{count:,} {thing}s"
    )


def proposal_lines(proposal: Proposal, zone: tzinfo) -> list[Line]:
    """One proposal for a person."""
    match proposal:
        case Contradiction():
            lines = _contradiction_lines(proposal, zone)
        case Merge():
            lines = _merge_lines(proposal)
        case Expiry():
            lines = [_expiry_line(proposal)]
        case Undecided():
            lines = _undecided_lines(proposal)
    if proposal.returned:
        lines.append(_told("it was rejected before; since then ", "; ".join(proposal.returned), "yellow"))
    return lines


def _head(proposal: Proposal, about: str) -> Line:
    return [(f"  {PROPOSAL_SIGNS[proposal.kind]} ", "yellow"), (f"{proposal.id}  ", "bold"), (one_line(about), "cyan")]


def _told(label: str, text: str, style: str = "") -> Line:
    return Hanging([(f"      {label}", "dim"), (one_line(on_the_readers_clock(text)), style)], " " * 8)


def _contradiction_lines(found: Contradiction, zone: tzinfo) -> list[Line]:
    from memtui.text.moments import local

    lines: list[Line] = [_head(found, found.about)]
    claims = {stated.key: stated for pair in found.conflicts for stated in (pair.b, pair.a)}
    names = dict(zip(found.keys, told_names(found.keys), strict=True))
    for key in found.keys[:_SHOWN_NAMES]:
        stated = claims.get(key)
        said = ""
        if stated is not None:
            until = "" if stated.window.end is None else f" until {local(stated.window.end, zone)}"
            said = f"{stated.claim}, from {local(stated.window.start, zone)}{until}"
        label = "keep " if key == found.keep else "end  " if key in found.supersede else "     "
        lines.append(_told(label, f"{names[key]}: {said}" if said else names[key]))
    lines += _more(found.total, len(found.keys))
    lines.append(_told("", found.reason))
    if found.approximate:
        bounds = ", ".join(names[key] for key in found.approximate)
        lines.append(_told("known only to be no later than that: ", bounds, "yellow"))
    return lines


def _merge_lines(found: Merge) -> list[Line]:
    names = dict(zip(found.keys, told_names(found.keys), strict=True))
    ended = ", ".join(names[key] for key in found.supersede[:_SHOWN_NAMES])
    lines: list[Line] = [_head(found, names[found.keep]), _told("end  ", ended)]
    lines += _more(found.total, min(len(found.keys), _SHOWN_NAMES + 1))
    if found.text is not None:
        lines.append(_told("one text for all: ", found.text))
    if found.turned:
        lines.append(_told("", "look twice: they differ in a figure, a day or a denial", "yellow"))
    terms = f"; they share {', '.join(found.terms)}" if found.terms else ""
    lines.append(_told("", found.reason + terms))
    if found.scribe_note:
        lines.append(_told("", found.scribe_note, "yellow"))
    return lines


def _expiry_line(found: Expiry) -> Line:
    return Hanging(
        [
            (f"  {PROPOSAL_SIGNS['expiry']} ", "yellow"),
            (f"{found.id}  ", "bold"),
            (f"{found.key.kind}/{visible(found.key.name)}", "cyan"),
            (f"  {one_line(on_the_readers_clock(found.reason))}, stability {found.stability:.1f} days", "dim"),
        ],
        " " * 8,
    )


def _undecided_lines(found: Undecided) -> list[Line]:
    names = ", ".join(told_names(found.keys)[:_SHOWN_NAMES])
    lines: list[Line] = [_head(found, found.referent), _told("", names)]
    lines += _more(found.total, min(len(found.keys), _SHOWN_NAMES))
    lines.append(_told("", found.reason))
    if found.scribe_note:
        lines.append(_told("", found.scribe_note, "yellow"))
    return lines


def _suppressed_line(each: Suppressed) -> Line:
    names = ", ".join(told_names(each.proposal.keys)[:_SHOWN_NAMES])
    about = each.proposal.about or names
    when = on_the_readers_clock(f"rejected by {each.by} at {_iso(each)}")
    return [("    ", ""), (f"{each.proposal.id}  ", "bold"), (one_line(about), "cyan"), (f"  {one_line(when)}", "dim")]


def _iso(each: Suppressed) -> str:
    from memtui.model.instants import iso

    return iso(each.rejected_at)


def _more(total: int, shown: int) -> list[Line]:
    return [[(f"      and {total - shown:,} more", "dim")]] if total > shown else []


# --- Confirmations and reviews -------------------------------------------------------------------


def confirmation_lines(done: Confirmation, session: Session) -> list[Line]:
    """What decisions came to: what was done, and what was not and why."""
    lines: list[Line] = []
    for applied in done.applied:
        lines.append(
            Hanging(
                [(f"{applied.verb:8}", "bold green"), (applied.id, "bold"), (f"  {_clock(applied.effect)}", "")],
                " " * 8,
            )
        )
    for lost in done.refused:
        lines.append(
            Hanging(
                [("refused ", "bold red"), (lost.id, "bold"), (f"  {_clock(session.as_typed(lost.reason) or '')}", "")],
                " " * 8,
            )
        )
        lines.extend(Hanging([("          ", ""), (_clock(change), "yellow")], " " * 12) for change in lost.changed)
    if done.review is not None:
        undo = session.command(f"review undo {done.review.id}")
        lines.append([(f"{done.review.id}: {counted(len(done.applied), 'decision')}; {undo} takes it back", "dim")])
    elif done.refused:
        lines.append([("Nothing was changed.", "bold")])
    else:
        lines.append([("There is nothing to let go.", "bold")])
    lines.extend([(visible(note), "yellow")] for note in done.notes)
    return lines


def _clock(text: str) -> str:
    return one_line(on_the_readers_clock(text))


def review_lines(reviews: Iterable[Review], session: Session, zone: tzinfo) -> list[Line]:
    """The journal for a person."""
    from memtui.text.moments import local

    lines: list[Line] = []
    for review in reviews:
        what = counted(len(review.decisions), "decision")
        if review.undoes is not None:
            what = f"took {review_id(review.undoes)} back"
        undone = "" if review.undone_by is None else f", taken back by {review_id(review.undone_by)}"
        said = f"  {local(review.decided_at, zone)}  {visible(review.actor)}: {what}{undone}"
        lines.append([(review.id, "bold"), (said, "")])
        lines.extend(_decision_line(decision) for decision in review.decisions)
    return lines or [[(f"Nothing was decided yet. {session.command('consolidate')} shows what could be.", "bold")]]


def _decision_line(decision: DecisionRecord) -> Line:
    about = decision.about or ", ".join(told_names(decision.keys)[:_SHOWN_NAMES])
    head = f"{decision.verb:8}{decision.proposal}  "
    return Hanging([(f"    {head}", "dim"), (one_line(about), "cyan"), (f"  {_clock(decision.effect)}", "")], " " * 12)


def plain_reviews(reviews: Iterable[Review]) -> list[Line]:
    """One line a decision: review, stamp, actor, verb, proposal, sort, about or names, effect."""
    from memtui.model.instants import iso

    rows: list[tuple[str, ...]] = []
    for review in reviews:
        head = (review.id, iso(review.decided_at), review.actor)
        if review.undoes is not None:
            rows.append((*head, "undo", review_id(review.undoes), "", "", ""))
        for decision in review.decisions:
            about = decision.about or ",".join(told_names(decision.keys))
            rows.append((*head, decision.verb, decision.proposal, decision.kind, about, decision.effect))
    return [[("\t".join(map(one_line, row)), "")] for row in rows]


def undone_lines(undone: Undone) -> list[Line]:
    """What taking a review back came to."""
    of = "" if undone.review.undoes is None else f" {review_id(undone.review.undoes)}"
    lines: list[Line] = [
        [
            ("taken back", "bold green"),
            (f"{of}: ", ""),
            (_as_before(len(undone.restored)), ""),
        ]
    ]
    lines += [[("  ", ""), (f"{key.kind}/{visible(key.name)}", "cyan")] for key in undone.restored]
    for key, reason in undone.skipped:
        lines.append(
            [("left as it is ", "yellow"), (f"{key.kind}/{visible(key.name)}", "cyan"), (f"  {_clock(reason)}", "")]
        )
    lines.extend([(visible(note), "yellow")] for note in undone.notes)
    return lines


def _as_before(count: int) -> str:
    if not count:
        return "no memory was changed by it; what it decided is open again"
    return counted(count, "memory" if count == 1 else "memorie") + " as before"
