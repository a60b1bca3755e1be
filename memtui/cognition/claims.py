"""How claims are compared: what they are about, in which window they speak, and when two of them cannot both be so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import NamedTuple

from memtui.cognition.encoding import is_referent
from memtui.model.instants import Instant
from memtui.model.intervals import Interval
from memtui.model.normal_forms import nfc
from memtui.model.proposals import ConflictKind, Stated
from memtui.model.records import Claim, Content, RecordKey

_PREFIXES = ("commit:", "file:", "knowledge:", "feature:", "task:", "url:")
"""How sources begin that name no `Kind/name`, though a slash may follow."""


class Topic(NamedTuple):
    """What claims must share to be compared: subject and predicate, folded."""

    subject: str
    predicate: str


def same(text: str) -> str:
    """A subject, predicate or object as it is compared: without case, and with one blank wherever there are some."""
    return " ".join(nfc(text).casefold().split())


def topic_of(stated: Stated) -> Topic:
    """What a claim is about."""
    return Topic(same(stated.subject), same(stated.claim.predicate))


def object_of(claim: Claim) -> str | None:
    """A claim's object as it is compared; None for an existence claim."""
    return None if claim.object is None else same(claim.object)


def referents_in(content: Content) -> Iterator[str]:
    """What a memory names as `Kind/name`, as it is written: its area, then its sources."""
    if content.area is not None and is_referent(content.area.strip()):
        yield content.area.strip()
    for named in content.source_refs:
        if is_referent(named.strip()) and not named.strip().casefold().startswith(_PREFIXES):
            yield named.strip()


def subject_of(claim: Claim, content: Content) -> str | None:
    """What a claim is about: what it says itself, else the memory's area, else the smallest referent of its sources.

    None for a claim that is unanchored: it can be compared with nothing.
    """
    if claim.subject is not None:
        return claim.subject.strip()
    area = None if content.area is None else content.area.strip()
    if area is not None and is_referent(area):
        return area
    return min(referents_in(content), default=None)


def stated(key: RecordKey, content: Content, at: Instant | None = None) -> list[Stated]:
    """The claims of a memory that can be compared, each with its subject and window as `declared` has them.

    A claim whose window holds no instant says nothing.
    """
    return [claim for claim in declared(key, content, at) if not claim.window.is_empty]


def declared(key: RecordKey, content: Content, at: Instant | None = None) -> list[Stated]:
    """The claims of a memory that have a subject, each with its window, which may be empty.

    A window is the claim's own, a missing bound that of the memory's current window: of the stretches in which it is
    true the one that holds the moment `at`, else the last.
    """
    if not content.claims:
        return []
    intervals = content.validity().intervals
    if not intervals:
        return []
    current = next((stretch for stretch in intervals if at is not None and stretch.contains(at)), intervals[-1])
    found: list[Stated] = []
    for claim in content.claims:
        subject = subject_of(claim, content)
        start = current.start if claim.valid_from is None else claim.valid_from
        window = Interval(start, current.end if claim.valid_to is None else claim.valid_to)
        if subject is not None:
            found.append(Stated(key, claim, subject, window))
    return found


def conflict(a: Claim, b: Claim, many: Set[str] | None) -> ConflictKind | None:
    """How two claims of one topic contradict each other, were their windows to overlap; None where they do not.

    `many` are the predicates, folded, that may have several values at a time; None: no predicate may, whatever the
    claims say. An existence claim is compared only with an existence claim.
    """
    first, second = object_of(a), object_of(b)
    if a.polarity != b.polarity:
        return "polarity" if first == second else None
    if a.polarity == "denies" or first is None or second is None or first == second:
        return None
    if many is None:
        return "object"
    return None if a.many or b.many or same(a.predicate) in many else "object"


def conflict_of(a: Stated, b: Stated, many: Set[str] | None) -> ConflictKind | None:
    """How two claims contradict each other: of two memories, on one topic, in windows that share an instant."""
    if a.key == b.key or topic_of(a) != topic_of(b) or not a.window.overlaps(b.window):
        return None
    return conflict(a.claim, b.claim, many)


def differ(first: Iterable[Stated], second: Iterable[Stated]) -> bool:
    """Whether two memories claim different things on one topic, in windows that share an instant.

    Also where both may be so, as the predicate may have several values: two values are two things to remember.
    """
    others = tuple(second)
    return any(conflict_of(x, y, None) is not None for x in first for y in others)
