"""The laws every store applies before a version is appended: stamp, guard, sequence, chain.

Kept apart from any database so that all adapters share one copy, and so that no door can go around them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace

from memtui.errors import InvalidInput, Refused
from memtui.model.canonical import chain_hash, content_as_dict, content_hash
from memtui.model.instants import MAX_INSTANT, MIN_INSTANT, Instant, iso
from memtui.model.records import Content
from memtui.model.reviews import DecisionRecord, Review
from memtui.model.versions import OPERATIONS, Draft, Head, Version, says_anew
from memtui.model.windows import never_came_into_force, window_flaw


def next_stamp(clock_now: Instant, last_stamp: Instant | None) -> Instant:
    """The transaction time of a new transaction: the clock, but always later than the last one.

    A clock set back therefore never hides or reorders what was recorded.
    """
    return clock_now if last_stamp is None else max(clock_now, last_stamp + 1)


def guarded(current: Content, proposed: Content, now: Instant) -> Content:
    """The proposed content with every past invalidation of the current one kept.

    What has ended is changed in its `valid_to` and `superseded_by` only by a payload that quotes that
    very instant in a newly appended revival; `revivals` can only grow (spec page 3, Guard), but a gap in which no
    instant lies may go: it says nothing of when the memory was true. What never came into force keeps its beginning
    too: moved back, it would open without a revival.
    Raises Refused for appended revivals that do not follow what happened: they would rewrite the past.
    """
    kept = tuple(gap for gap in current.revivals if not gap.is_empty or gap in proposed.revivals)
    grown = proposed.revivals[: len(kept)] == kept
    appended = proposed.revivals[len(kept) :] if grown else tuple(r for r in proposed.revivals if r not in kept)
    ended = current.has_ended(now)
    if appended and not (ended and appended[0].valid_to == current.valid_to):
        raise Refused(
            f"the revival of {iso(appended[0].valid_to)} quotes no end of this memory",
            field="revivals",
            value=iso(appended[0].valid_to),
            hint="revivals can only be added at the end, by reviving what has ended",
        )
    content = replace(proposed, revivals=kept + appended)
    if appended or not ended:
        return content
    begin = current.valid_from if never_came_into_force(current) else content.valid_from
    return replace(content, valid_from=begin, valid_to=current.valid_to, superseded_by=current.superseded_by)


def make_version(draft: Draft, *, current: Version | None, head: Head, stamp: Instant) -> Version | None:
    """The version a draft becomes, or None when it would say nothing new.

    Raises Refused for a content that no record may hold (an unknown operation, an inverted window), InvalidInput for
    a text that nothing can store.
    """
    if draft.operation not in OPERATIONS:
        raise Refused(f"{draft.operation!r} is not an operation of the ledger", choices=OPERATIONS)
    _check_texts(draft)
    content = draft.content if current is None else guarded(current.content, draft.content, stamp)
    _check_window(draft, None if current is None else current.content, content)
    digest = content_hash(content)
    before = draft.goes_on if current is None else current
    if current is not None and digest == current.content_hash:
        return None
    origin_known = draft.origin_known if current is None else current.origin_known
    seq = head.seq + 1
    chain = chain_hash(
        head.chain,
        draft.key,
        seq=seq,
        recorded_at=stamp,
        operation=draft.operation,
        actor=draft.actor,
        reason=draft.reason,
        content_digest=digest,
        origin_known=origin_known,
    )
    return Version(
        key=draft.key,
        seq=seq,
        recorded_at=stamp,
        operation=draft.operation,
        actor=draft.actor,
        reason=draft.reason,
        content=content,
        content_hash=digest,
        origin_known=origin_known,
        chain=chain,
        reinforces=says_anew(None if before is None else before.content, content),
    )


def _check_texts(draft: Draft) -> None:
    """Half a character (a lone surrogate) fits no file and no database. Raises InvalidInput naming the field."""
    said = {"name": draft.key.name, "actor": draft.actor, "reason": draft.reason, **content_as_dict(draft.content)}
    for field, value in said.items():
        _check_text(field, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def _check_text(field: str, text: str) -> None:
    if not text.isascii() and _HALF.search(text):
        raise InvalidInput(
            f"{field} holds half a character (a lone surrogate), which cannot be stored",
            field=field,
            hint="send it as valid UTF-8",
        )


def next_review(
    earlier: Sequence[Review],
    partition: str,
    decisions: Sequence[DecisionRecord],
    actor: str,
    undoes: int | None,
    stamp: Instant,
) -> Review:
    """The review that follows the earlier ones of a partition.

    Raises Refused for taking back what is no review, was taken back already, or is itself a taking back; InvalidInput
    for a text that nothing can store; ValueError for a record of another partition.
    """
    _check_text("actor", actor)
    for decision in decisions:
        _check_decision(decision, partition)
    if undoes is not None:
        meant = next((review for review in earlier if review.seq == undoes), None)
        if meant is None or meant.undone_by is not None or meant.undoes is not None:
            raise Refused(f"review {undoes} of {partition} is none that can be taken back", field="id", value=undoes)
    seq = max((review.seq for review in earlier), default=0) + 1
    return Review(partition, seq, stamp, actor, tuple(decisions), undoes=undoes)


def _check_decision(decision: DecisionRecord, partition: str) -> None:
    keys = [*decision.keys, *(touched.key for touched in decision.touched)]
    if decision.keep is not None:
        keys.append(decision.keep)
    foreign = {key.partition for key in keys} - {partition}
    if foreign:  # kept by name alone, it would become another record: nobody's private one is named here by mistake
        raise ValueError(f"a decision about records of {sorted(foreign)} in a review of {partition}")
    said = [decision.proposal, decision.about, decision.effect, *(key.name for key in keys)]
    for text in (*said, *(text for fact in decision.facts for text in fact)):
        _check_text("decisions", text)


_HALF = re.compile("[\ud800-\udfff]")

# What ends a record may end it the moment it began: a memory that never came into force keeps an empty window.
_MAY_END_AT_ONCE = frozenset({"forget", "sync", "supersede", "review", "import"})


def _check_window(draft: Draft, before: Content | None, content: Content) -> None:
    """Only what a draft changes is judged: a record that never came into force may still be tagged."""
    if content.valid_from is None:
        raise Refused(f"{draft.key.kind}/{draft.key.name} has no valid_from", field="valid_from")
    window = (content.valid_from, content.valid_to, content.revivals)
    if before is not None and window == (before.valid_from, before.valid_to, before.revivals):
        return
    instants = (
        content.valid_from,
        content.valid_to,
        *(i for r in content.revivals for i in (r.valid_to, r.revived_at)),
    )
    if any(instant is not None and not MIN_INSTANT <= instant <= MAX_INSTANT for instant in instants):
        raise Refused("a window reaches beyond the years 1 to 9999; leave its end open instead", field="valid_to")
    flaw = window_flaw(content, may_be_empty=draft.operation in _MAY_END_AT_ONCE)
    if flaw is not None:
        raise Refused(
            f"{draft.key.kind}/{draft.key.name}: {flaw.field} ({iso(flaw.value)}) {flaw.reason}",
            field=flaw.field,
            value=iso(flaw.value),
            hint="give a valid_to later than valid_from",
        )


__all__ = ["guarded", "make_version", "next_review", "next_stamp"]
