"""consolidate and review: what a pass proposes, what a person decides, and the journal of it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import click

from memtui.doors.cli.arguments import checked
from memtui.doors.cli.output import Line, print_json, print_lines, say
from memtui.doors.cli.plans import confirmation_lines, plain_plan, plain_reviews, plan_lines, review_lines, undone_lines
from memtui.doors.cli.session import Session, as_of_option, common_options, pass_session, reading_options
from memtui.errors import Ambiguous, InvalidInput, Refused
from memtui.model.plan_shapes import confirmation_as_dict, plan_as_dict, reviews_as_dict, undone_as_dict
from memtui.text.visible import visible

if TYPE_CHECKING:
    from memtui.memory.memory import Memory
    from memtui.model.proposals import Plan
    from memtui.model.reviews import Confirmation, Decision

Command = TypeVar("Command", bound=Callable[..., Any])

_LEAST_DIGITS = 4
"""Digits of an id that may stand for the whole."""
_EXAMPLE = """\b
Example:  memtui consolidate
          memtui consolidate --accept 3f2a9c01de --reject 77b0c4a2e1
          memtui review undo"""


def _ids(name: str, *flags: str, metavar: str = "ID", text: str) -> Callable[[Command], Command]:
    return click.option(*flags, name, multiple=True, metavar=metavar, help=text)


@click.command("consolidate", epilog=_EXAMPLE)
@click.option("--dry-run", is_flag=True, help="Only show the plan; the same as no option at all.")
@click.option("--apply", "apply_", is_flag=True, help="Without decisions: let go what may expire, nothing else.")
@_ids("accept", "--accept", text="Do as proposed (repeatable, as are the others).")
@_ids("reject", "--reject", text="It is not so: not shown again until a fact of it changes.")
@_ids("defer", "--defer", text="Not now: it comes back.")
@_ids("many", "--many", text="Both may be so: the predicate accumulates.")
@_ids("keep", "--keep", metavar="ID=NAME", text="Accept with another survivor.")
@_ids("text", "--text", metavar="ID=TEXT", text="Accept a merge with a new text that stands for all.")
@_ids("at_survivor", "--at-survivor", text="Accept; the others end when the survivor began, not now.")
@click.option("--floor", type=float, metavar="X", help="Retention below which a memory may go.")
@click.option("--min-idle", type=float, metavar="DAYS", help="Days without reinforcement before it may.")
@click.option("--now", metavar="T", help="The present that fading counts to; such a plan can only be read.")
@click.option("--all", "everything", is_flag=True, help="Also the memories that stay, and why.")
@click.option("--yes", is_flag=True, help="Do not ask before letting go.")
@reading_options
@common_options
@pass_session
def consolidate_command(
    session: Session,
    *,
    dry_run: bool,
    apply_: bool,
    accept: Sequence[str],
    reject: Sequence[str],
    defer: Sequence[str],
    many: Sequence[str],
    keep: Sequence[str],
    text: Sequence[str],
    at_survivor: Sequence[str],
    floor: float | None,
    min_idle: float | None,
    now: str | None,
    everything: bool,
    yes: bool,
) -> None:
    """Show what a pass over all memories proposes, and carry out what is decided.

    Contradictions, merges and expiries are only proposed; each has an id by which it is accepted, rejected or deferred.
    """
    decisions = _decisions(accept, reject, defer, many, keep, text, at_survivor)
    if dry_run and (apply_ or decisions):
        raise InvalidInput("--dry-run changes nothing, so it takes no decisions", field="--dry-run")
    memory = session.memory()
    propose = partial(memory.consolidate, floor=floor, min_idle_days=min_idle, now=now, all=everything)
    plan = _plan(session, propose)
    if apply_ and not decisions:
        decisions = _all_expiries(session, plan, yes=yes)
    elif not decisions:
        _show(session, memory, plan, everything=everything)
        return
    decisions = _by_whole_ids(plan, decisions)
    confirmation = memory.apply(plan, decisions, personal=session.personal) if decisions else None
    _tell(session, memory, plan, confirmation, everything=everything)
    if confirmation is not None and confirmation.refused:
        click.get_current_context().exit(1)


def _plan(session: Session, propose: Callable[..., Plan]) -> Plan:
    """The plan, with a count while it is made and someone watches."""
    watched = sys.stderr.isatty() and not session.as_json

    def advanced(done: int, total: int) -> bool:
        if watched and done:
            sys.stderr.write(f"\r{done:,} of {total:,} memories compared")
            sys.stderr.flush()
        return True

    try:
        return propose(as_of=session.as_of, valid_at=session.valid_at, advanced=advanced, personal=session.personal)
    finally:
        if watched:
            sys.stderr.write("\r\x1b[K")


def _decisions(
    accept: Sequence[str],
    reject: Sequence[str],
    defer: Sequence[str],
    many: Sequence[str],
    keep: Sequence[str],
    text: Sequence[str],
    at_survivor: Sequence[str],
) -> dict[str, Decision]:
    """What was decided, by id. Raises InvalidInput for an id that is decided in two ways."""
    from memtui.model.reviews import Accept, Defer, Many, Reject

    survivors, texts = _given("--keep", keep, "NAME"), _given("--text", text, "TEXT")
    late = _each("--at-survivor", at_survivor)
    accepted = (*_each("--accept", accept), *survivors, *texts, *late)
    given: list[tuple[str, Decision]] = [
        *((id_, Accept(survivors.get(id_), id_ in late, texts.get(id_))) for id_ in dict.fromkeys(accepted)),
        *((id_, Reject()) for id_ in _each("--reject", reject)),
        *((id_, Defer()) for id_ in _each("--defer", defer)),
        *((id_, Many()) for id_ in _each("--many", many)),
    ]
    return _once(given)


def _once(given: Iterable[tuple[str, Decision]]) -> dict[str, Decision]:
    """Decisions by id, in order. Raises InvalidInput for an id that is decided in two ways."""
    found: dict[str, Decision] = {}
    for id_, decision in given:
        if found.setdefault(id_, decision) != decision:
            raise InvalidInput(f"{id_} is decided in two ways: {found[id_].verb} and {decision.verb}", value=id_)
    return found


def _by_whole_ids(plan: Plan, decisions: Mapping[str, Decision]) -> dict[str, Decision]:
    """The same by whole ids, of which beginnings may have been given. Raises Ambiguous, and InvalidInput as `_once`."""
    return _once((_whole_id(plan, id_), decision) for id_, decision in decisions.items())


def _each(option: str, words: Sequence[str]) -> list[str]:
    """The ids of an option that may be repeated, and may hold several with commas between.

    Raises InvalidInput where one is blank: whoever hands over nothing meant something.
    """
    ids = [id_.strip().lower() for word in words for id_ in word.split(",")]
    if not all(ids):
        raise InvalidInput(f"{option} names no proposal", field=option, hint="`memtui consolidate` shows their ids")
    return ids


def _whole_id(plan: Plan, id_: str) -> str:
    """The id of the one proposal that begins so; what is no beginning of one stays as it is. Raises Ambiguous."""
    found = [proposal.id for proposal in plan.proposals if proposal.id.startswith(id_)]
    if len(id_) < _LEAST_DIGITS or len(found) < 2:
        return found[0] if len(id_) >= _LEAST_DIGITS and found else id_
    raise Ambiguous(f"several proposals begin with {id_}", field="id", value=id_, choices=found[:8])


def _given(option: str, words: Sequence[str], what: str) -> dict[str, str]:
    """What an option says of each id, as `ID=…`. Raises InvalidInput for anything else, and for two of one id."""
    found: dict[str, str] = {}
    for word in words:
        id_, _, said = word.partition("=")
        id_, said = id_.strip().lower(), said.strip()
        if not id_ or not said:
            raise InvalidInput(f"{option} takes ID={what}, not {word!r}", field=option, value=word)
        if found.setdefault(id_, said) != said:
            raise InvalidInput(f"{option} says two things of {id_}: {found[id_]} and {said}", field=option, value=id_)
    return found


def _all_expiries(session: Session, plan: Plan, *, yes: bool) -> dict[str, Decision]:
    """Accepting every expiry, each printed, if that is wanted. Raises Refused where nobody can be asked."""
    from memtui.model.reviews import Accept

    if not plan.expiries or yes:
        return {expiry.id: Accept() for expiry in plan.expiries}
    if session.as_json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Refused(
            f"{len(plan.expiries):,} memories would be let go, and nobody can be asked here",
            field="--yes",
            hint="add --yes, or name the ids with --accept",
        )
    for expiry in plan.expiries:
        say(f"{expiry.id}  {expiry.key.kind}/{expiry.key.name}: {expiry.reason}")
    if not click.confirm(f"Let go of {len(plan.expiries):,} memories?", err=True):
        raise Refused("nothing was let go", hint="name single ones with --accept ID")
    return {expiry.id: Accept() for expiry in plan.expiries}


def _show(session: Session, memory: Memory, plan: Plan, *, everything: bool) -> None:
    if session.as_json:
        print_json(plan_as_dict(plan, everything=everything))
    elif session.plain:
        print_lines(plain_plan(plan, everything=everything), session)
    else:
        print_lines(plan_lines(plan, session, memory.zone, everything=everything), session)


def _tell(session: Session, memory: Memory, plan: Plan, confirmation: Confirmation | None, *, everything: bool) -> None:
    """What decisions came to."""
    from memtui.model.reviews import Confirmation as Nothing

    done = confirmation or Nothing()
    if done.review is not None:
        session.done = f"{len(done.applied):,} decisions are carried out as {done.review.id}"
    if session.as_json:
        print_json({**plan_as_dict(plan, everything=everything), **confirmation_as_dict(done)})
        return
    lines: list[Line] = [*confirmation_lines(done, session), *([(visible(note), "yellow")] for note in plan.notes)]
    print_lines(lines, session)


@click.group("review", epilog="Example:  memtui review log")
@common_options
def review_command() -> None:
    """What was decided about proposals, and taking it back."""


@review_command.command("log", epilog="Example:  memtui review log")
@as_of_option
@common_options
@pass_session
def log_command(session: Session) -> None:
    """List the reviews, newest first, each with its decisions and what they did."""
    memory = session.memory()
    reviews = memory.reviews(as_of=session.as_of, personal=session.personal)[::-1]
    if session.as_json:
        print_json(reviews_as_dict(reviews))
    elif session.plain:
        print_lines(plain_reviews(reviews), session)
    else:
        print_lines(review_lines(reviews, session, memory.zone), session)


@review_command.command("undo", epilog="Example:  memtui review undo r3")
@click.argument("id_", metavar="[ID]", required=False)
@common_options
@pass_session
def undo_command(session: Session, id_: str | None) -> None:
    """Take a review back: the one named, else the latest that stands.

    Whatever it wrote gets its inverse; a memory that someone changed since stays as it is, and is named.
    """
    undone = session.memory().undo_review(id_, personal=session.personal)
    session.done = f"{undone.review.id} took a review back"
    if session.as_json:
        print_json(undone_as_dict(undone))
    else:
        print_lines(undone_lines(undone), session)


for _command in (log_command, undo_command):
    checked(_command)
