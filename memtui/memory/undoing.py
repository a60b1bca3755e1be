"""Undoing a review: the inverse of every version it wrote, where nothing came after."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from memtui.errors import NotFound, Refused
from memtui.model.instants import iso
from memtui.model.records import Content, RecordKey, Revival
from memtui.model.renames import renamed_from
from memtui.model.reviews import Review, Touched, Undone, review_id
from memtui.model.versions import Draft, Version

if TYPE_CHECKING:
    from memtui.memory.realm import Realm
    from memtui.store.port import IndexedWriteUnit, WriteUnit


def undo(realm: Realm, id_: str | None, *, actor: str) -> Undone:
    """Take a review back, the latest that stands where none is named; in one transaction.

    A record that someone changed since is left as it is, and named. Raises NotFound for an id that no review has,
    Refused for a review that was taken back already, is itself the taking back of one, or of which every record was
    changed since.
    """
    realm.check_writable()

    def verb(unit: IndexedWriteUnit) -> Undone:
        """The transaction: every record of the review as it was, where it still is as the review left it."""
        review = _chosen(unit.reviews([realm.partition]), id_)
        restored: list[RecordKey] = []
        skipped: list[tuple[RecordKey, str]] = []
        steps = _last_first(review)
        before, moved = _before(unit, steps), _renamed_since(unit, steps)
        for touched in steps:
            name = moved.get(touched.key)
            trouble = f"it is called {name} now" if name else _restore(unit, touched, before, review, actor)
            if trouble is None:
                restored.append(touched.key)
            else:
                skipped.append((touched.key, trouble))
        if skipped and not restored:
            key, reason = skipped[0]
            called = shlex.quote(moved.get(key, key.name))
            more = f", and {len(skipped) - 1:,} more" if len(skipped) > 1 else ""
            raise Refused(
                f"{review.id} cannot be taken back: {key.name} stays as it is: {reason}{more}",
                field="id",
                value=review.id,
                hint=f"`memtui revive {called}` brings it back, `memtui history {called}` tells what it was",
            )
        record = unit.review(realm.partition, (), actor=actor, undoes=review.seq)
        return Undone(record, tuple(restored), tuple(skipped))

    undone, left = realm.change((), verb)
    return replace(undone, notes=tuple(left))


def _chosen(reviews: Sequence[Review], id_: str | None) -> Review:
    every = list(reviews)
    if id_ is None:
        standing = [review for review in every if review.undoes is None and review.undone_by is None]
        if not standing:
            raise NotFound("there is no review to take back", hint="`memtui review log` lists what was decided")
        return standing[-1]
    found = next((review for review in every if review.id == id_.strip().casefold()), None)
    if found is None:
        raise NotFound(
            f"no review is called {id_}",
            field="id",
            value=id_,
            hint="`memtui review log` lists them",
            choices=tuple(review.id for review in every[-8:]),
        )
    if found.undone_by is not None:
        raise Refused(f"{found.id} was taken back already, by {review_id(found.undone_by)}", field="id", value=found.id)
    if found.undoes is not None:
        raise Refused(
            f"{found.id} took {review_id(found.undoes)} back; that is not undone, it is decided anew",
            field="id",
            value=found.id,
            hint="`memtui consolidate` shows what it brought back as open proposals",
        )
    return found


def _last_first(review: Review) -> list[Touched]:
    """What a review wrote, as one step a record: from its last version back to the one before the first."""
    first: dict[RecordKey, Touched] = {}
    last: dict[RecordKey, Touched] = {}
    for decision in review.decisions:
        for touched in decision.touched:
            first.setdefault(touched.key, touched)
            last[touched.key] = touched
    return [replace(last[key], before=first[key].before) for key in reversed(last)]


def _before(unit: WriteUnit, steps: Sequence[Touched]) -> dict[RecordKey, Version]:
    """What the records said before a review; read in one go, as are their current versions."""
    unit.current(touched.key for touched in steps)
    versions = unit.at_rows([(t.key.partition, t.before) for t in steps if t.before is not None])
    return {version.key: version for version in versions}


def _renamed_since(unit: WriteUnit, steps: Sequence[Touched]) -> dict[RecordKey, str]:
    """Which records go on under another name since, as their files were renamed; each with that name."""
    filed = {key for key, version in unit.current(t.key for t in steps).items() if version.content.path is not None}
    if not filed:
        return {}
    first = min(touched.seq for touched in steps)
    found: dict[RecordKey, str] = {}
    for version in unit.tail({touched.key.partition: first for touched in steps}):
        origin = renamed_from(version)
        if origin is not None and origin in filed:
            found[origin] = version.key.name
    return found


def _restore(
    unit: WriteUnit, touched: Touched, before: dict[RecordKey, Version], review: Review, actor: str
) -> str | None:
    """Append what a record said before; or why it stays as it is."""
    current = unit.current([touched.key])[touched.key]
    if current.seq != touched.seq:
        return f"{current.actor} changed it at {iso(current.recorded_at)}"
    reason = f"{review.id} undone"
    if touched.before is None:
        # It was made by the review: it stays on record, and was never so.
        content = replace(current.content, valid_to=current.content.valid_from)
    else:
        content = _as_before(before[touched.key], current, actor)
    unit.append(Draft(touched.key, "review", content, actor, reason))
    return None


def _as_before(before: Version, current: Version, actor: str) -> Content:
    """The content of then. An end that the review set is taken back as if it had never been: its gap is empty."""
    then, now = before.content, current.content
    # Where a text lies in its file is as it is now.
    content = replace(then, line=now.line)
    if now.valid_to is None or now.valid_to == then.valid_to:
        return content
    gap = Revival(now.valid_to, now.valid_to, superseded_by=now.superseded_by, revived_by=actor)
    return replace(content, revivals=(*now.revivals, gap))
