"""export and import: a ledger leaves as it is and comes back as it was; items come in as new memories."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import fields as dataclass_fields
from dataclasses import replace
from datetime import tzinfo
from pathlib import Path

from memtui.cognition.encoding import encoded
from memtui.errors import InvalidInput, MemtuiError, Refused
from memtui.interchange.item_file import LONGEST_ITEM, ImportItem, ledger_as_items, read_items, refusal
from memtui.interchange.ledger_file import LedgerFile, is_ledger_line, ledger_lines, read_ledger
from memtui.memory.given import check_window
from memtui.memory.realm import Realm
from memtui.memory.remembering import free_name
from memtui.memory.retiring import check_successor
from memtui.model.belief import BeliefState
from memtui.model.instants import Instant, iso
from memtui.model.outcomes import Exported, Imported
from memtui.model.problems import Problem
from memtui.model.recalls import Recall
from memtui.model.records import Content, RecordKey
from memtui.model.reviews import Review
from memtui.model.versions import Draft, Version
from memtui.store.port import WriteUnit
from memtui.text.naming import check_name, normalise_summary, unnamed_engram

FORMATS = ("jsonl",)
_MOST_TOLD = 10


def export_ledger(realm: Realm, path: Path, belief: BeliefState, *, force: bool) -> Exported:
    """Write a realm's own ledger to a file, whole or not at all."""
    if not force and os.path.lexists(path):
        raise Refused(f"{path} exists already", file=str(path), hint="give another file, or --force to replace it")
    versions, recalls, reviews = _entries(realm, belief)
    scratch = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with scratch.open("w", encoding="utf-8", newline="") as file:
            file.writelines(ledger_lines([realm.partition], versions, recalls, reviews))
            file.flush()
            os.fsync(file.fileno())
        os.replace(scratch, path)
    except OSError as error:
        raise Refused(
            f"{path} cannot be written: {error.strerror or error}", file=str(path), hint="give a file you may write"
        ) from error
    finally:
        scratch.unlink(missing_ok=True)
    return Exported(str(path), len(versions), len(recalls), len(reviews))


def _entries(realm: Realm, belief: BeliefState) -> tuple[list[Version], list[Recall], list[Review]]:
    if belief.true_at is not None:
        raise Refused(
            f"a ledger holds every world time at once, so it cannot be exported as of {iso(belief.true_at)}",
            field="valid_at",
            value=iso(belief.true_at),
            hint="export what was known by a moment with as_of",
        )
    with realm.ledger.reading() as unit:
        versions = [version for version in unit.tail({}) if version.key.partition == realm.partition]
        recalls = list(unit.recalls([realm.partition]))
        reviews = list(unit.reviews([realm.partition]))
    until = belief.known_at
    if until is not None:
        versions = [version for version in versions if version.recorded_at <= until]
        recalls = [recall for recall in recalls if recall.recorded_at <= until]
        reviews = [review for review in reviews if review.decided_at <= until]
    return versions, recalls, reviews


def import_file(
    realm: Realm, path: Path, *, named: str | None, strict: bool, dry_run: bool, actor: str, zone: tzinfo
) -> Imported:
    """Take over a file: a ledger into an empty partition as it was, anything else item by item.

    The good items come in in one transaction, the bad are listed. Raises InvalidInput for a file that cannot be
    read and for an unknown format; Refused for a ledger that does not verify, and with `strict` for any problem.
    """
    if named is not None and named not in FORMATS:
        raise InvalidInput(f"{named!r} is no format of this version", field="format", value=named, choices=FORMATS)
    ledger, items, problems = _read(path, realm, zone)
    intake = _Intake(realm, str(path), actor, zone)
    with realm.writing(trial=dry_run) as unit:
        if ledger is not None and ledger.header.partitions == (realm.partition,) and _is_empty(unit, realm):
            unit.replay(ledger.versions, ledger.recalls, ledger.reviews)
            imported = Imported(
                replayed=len(ledger.versions),
                recalls=len(ledger.recalls),
                reviews=len(ledger.reviews),
                problems=_stamped_ahead(ledger, unit.stamp, path),
            )
        else:
            imported = intake.take(unit, items, problems, as_they_were=ledger is not None)
        if strict and imported.problems:
            raise Refused(
                f"{len(imported.problems)} problems, so nothing was imported (--strict): "
                + "; ".join(map(str, imported.problems[:_MOST_TOLD])),
                file=str(path),
                hint="mend them, or import without --strict",
            )
    return imported


def _stamped_ahead(ledger: LedgerFile, now: Instant, path: Path) -> tuple[Problem, ...]:
    """A ledger from the future is taken as it is, and told: until that moment the present stands still at it."""
    reviewed = (review.decided_at for review in ledger.reviews)
    stamps = (*(entry.recorded_at for entry in (*ledger.versions, *ledger.recalls)), *reviewed)
    last, line = max(zip(stamps, ledger.lines, strict=True), default=(0, None))
    if last < now:
        return ()
    return (Problem(str(path), f"was recorded in the future ({iso(last)}): one of the two clocks is wrong", line),)


def _is_empty(unit: WriteUnit, realm: Realm) -> bool:
    own = [realm.partition]
    return realm.partition not in unit.heads() and not unit.recalls(own) and not unit.reviews(own)


def _read(path: Path, realm: Realm, zone: tzinfo) -> tuple[LedgerFile | None, list[ImportItem], list[Problem]]:
    try:
        with path.open("rb") as file:
            is_ledger = is_ledger_line(file.readline(LONGEST_ITEM))
            file.seek(0)
            if not is_ledger:
                read = read_items(file, zone, path=str(path), own=realm.partition)
                return None, list(read.items), list(read.problems)
            ledger = read_ledger(file, path=str(path))
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror or error}", file=str(path), field="path") from error
    items: list[ImportItem] = []
    problems: list[Problem] = []
    documents = 0
    for item in ledger_as_items(ledger):
        refused = refusal(item.kind, item.scope, realm.partition)
        if refused is None:
            items.append(item)
        elif refused[0] == "kind":
            documents += 1
        else:
            problems.append(Problem(str(path), refused[1], item.line, refused[0], f"{item.kind}/{item.name}"))
    if documents:
        said = f"{documents} documents were left out: they come with their files, put those into the vault and sync"
        problems.append(Problem(str(path), said))
    return ledger, items, problems


class _Intake:
    """Takes items into a realm's own partition, one by one, within one transaction."""

    def __init__(self, realm: Realm, path: str, actor: str, zone: tzinfo) -> None:
        self._partition = realm.partition
        self._path = path
        self._actor = actor
        self._zone = zone

    def take(
        self, unit: WriteUnit, items: Iterable[ImportItem], problems: Iterable[Problem], *, as_they_were: bool
    ) -> Imported:
        """Record every item that can be; what cannot joins the problems.

        Items of a ledger come `as_they_were`: what never came into force there keeps its empty window.
        """
        wanted = list(items)
        # All at once: asked for one by one, ten thousand known memories would hold the store for minutes.
        unit.current(dict.fromkeys(key for item in wanted for key in self._named(item)))
        told = list(problems)
        counts = {"added": 0, "updated": 0, "unchanged": 0}
        for item in wanted:
            try:
                outcome, doubt = self._one(unit, item, may_be_empty=as_they_were)
                counts[outcome] += 1
            except MemtuiError as error:
                doubt = Problem(
                    self._path, error.message, item.line, error.field, None if error.value is None else str(error.value)
                )
            if doubt is not None:
                told.append(doubt)
        told.sort(key=lambda problem: problem.line or 0)
        return Imported(**counts, problems=tuple(told))

    def _one(self, unit: WriteUnit, item: ImportItem, *, may_be_empty: bool) -> tuple[str, Problem | None]:
        since = item.content.valid_from if item.content.valid_from is not None else item.reference
        dated = item.content if since is None else replace(item.content, valid_from=since)
        key = self._key(unit, item, dated)
        current = unit.current([key]).get(key)
        self._check_lifecycle(unit, key, dated)
        if current is None:
            content = dated if since is not None else replace(dated, valid_from=unit.stamp)
            check_window(content, may_be_empty=may_be_empty)
            content = replace(content, owner=content.owner or self._actor)
            if item.kind == "engram":
                content = encoded(content, at=unit.stamp, zone=self._zone)
            unit.append(Draft(key, "import", content, self._actor, origin_known=False))
            return "added", None
        merged = _merged(current.content, dated)
        check_window(merged, may_be_empty=may_be_empty)
        if current.content.path is not None and merged != current.content:
            raise Refused(
                f"is kept in {current.content.path}, which decides what it says; change that file",
                field="name",
                value=key.name,
            )
        if replace(merged, extra=current.content.extra) == current.content:
            merged = current.content  # only where it comes from is new: that is no news of the memory
        written = unit.append(Draft(key, "import", merged, self._actor))
        doubt = None
        if current.content.has_ended(unit.stamp) and not dated.has_ended(unit.stamp):
            reason = f"{key.kind}/{key.name} is forgotten and stays so; `memtui revive {key.name}` brings it back"
            doubt = Problem(self._path, reason, item.line, "name", key.name)
        return ("unchanged" if written is None else "updated"), doubt

    def _check_lifecycle(self, unit: WriteUnit, key: RecordKey, content: Content) -> None:
        """An end that has a successor is an end; nobody is revived in the future. Raises Refused."""
        if content.superseded_by is not None:
            if content.valid_to is None:
                raise Refused(
                    "is superseded and yet has no valid_to", field="superseded_by", value=content.superseded_by
                )
            successor = key._replace(name=content.superseded_by)
            if successor == key or successor in unit.current([successor]):
                check_successor(unit, key, successor)
        late = next((r.revived_at for r in content.revivals if r.revived_at > unit.stamp), None)
        if late is not None:
            raise Refused(f"is revived in the future ({iso(late)})", field="revivals", value=iso(late))

    def _named(self, item: ImportItem) -> list[RecordKey]:
        """The records an item may be about, as far as it tells without looking: itself and its successor."""
        names = [item.name or unnamed_engram(item.content.summary or ""), item.content.superseded_by]
        return [RecordKey(self._partition, item.kind, name) for name in names if name]

    def _key(self, unit: WriteUnit, item: ImportItem, content: Content) -> RecordKey:
        if item.name is not None:
            return RecordKey(self._partition, item.kind, check_name(item.name))
        base = RecordKey(self._partition, item.kind, unnamed_engram(content.summary or ""))
        since = content.valid_from if content.valid_from is not None else unit.stamp
        return free_name(unit, base, content, since, content.valid_from is not None)


def _merged(stored: Content, given: Content) -> Content:
    """The stored content with what an item gives; where an item is silent, what was known stays."""
    defaults = Content()
    own = {
        field.name: value
        for field in dataclass_fields(Content)
        if (value := getattr(given, field.name)) != getattr(defaults, field.name)
    }
    if normalise_summary(stored.summary or "") == normalise_summary(given.summary or ""):
        own.pop("summary", None)
    own.pop("encoding_context", None)  # stamped once, never overwritten
    if "extra" in own:
        own["extra"] = {**stored.extra, **given.extra}
    return replace(stored, **own)


__all__ = ["FORMATS", "export_ledger", "import_file"]
