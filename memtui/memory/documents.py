"""Documents: verbs that change a vault's files. The file is the source; the ledger follows by sync."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from datetime import tzinfo
from pathlib import Path
from typing import Any

from memtui.errors import InvalidInput, NotFound, Refused
from memtui.memory.realm import Realm
from memtui.model.instants import to_datetime
from memtui.model.outcomes import Outcome, Written
from memtui.model.records import MEMORY_KINDS, Content, RecordKey
from memtui.model.versions import Version
from memtui.vault.changelog_edit import with_entry
from memtui.vault.editing import editable_text, edited_document, file_bytes
from memtui.vault.opening import read_regular
from memtui.vault.replacing import prepare
from memtui.vault.scanning import LARGEST

_EDITABLE = ("title", "description", "tags", "content", "append", "pinned")
_OWN_FILE = frozenset({"knowledge", "feature", "task", "note"})
"""Kinds that have a file of their own; the others share one."""


def is_document(key: RecordKey) -> bool:
    """Whether a record lives by its file and not by the verbs."""
    return key.kind not in MEMORY_KINDS


def update(realm: Realm, key: RecordKey, given: Mapping[str, Any], *, actor: str, zone: tzinfo) -> Written:
    """Edit a document's file, keeping the rest of its bytes, and sync it.

    Raises InvalidInput for a field a document does not have; Refused for a record that shares its file with
    others, for a file that changed since its last sync, and for one that cannot be edited safely.
    """
    fields = {name: value for name, value in given.items() if value is not None}
    for name in fields:
        if name not in _EDITABLE:
            raise InvalidInput(f"a document has no field {name!r} to update", field=name, choices=_EDITABLE)
    if not fields:
        raise InvalidInput("nothing to update was given", hint="name at least one field, such as --tag or --append")
    current = _own_file(realm, key, "update")
    path = current.content.path or ""
    target, data = _unchanged(realm, path)
    text = editable_text(path, data)
    edited = edited_document(path, text, **fields)
    if edited == text:
        return Written("unchanged", key, current.seq, current.recorded_at, note="it says so already")
    prepare(target, file_bytes(path, edited), expected=data).commit()
    return _synced(realm, key, "updated", actor)


def note(
    realm: Realm,
    text: str,
    *,
    kind: str,
    scope: str,
    summary: str | None,
    references: tuple[str, ...],
    supersedes: str | None,
    actor: str,
    zone: tzinfo,
) -> Written:
    """Append an entry to the change log, making one where there is none, and sync it."""
    realm.check_writable()
    root = realm.shelf.roots[0]
    path = root.layout.changelog
    target = realm.shelf.absolute(path)
    with realm.searching() as (_, present):
        moment = to_datetime(present).astimezone(zone)
    entry: dict[str, object] = {"date": moment.isoformat(timespec="seconds"), "type": kind, "scope": scope}
    if summary is not None:
        entry["summary"] = summary
    entry["description"] = text
    if references:
        entry["references"] = list(references)
    if supersedes is not None:
        entry["supersedes"] = _entry(realm, supersedes)
    data = None
    with contextlib.suppress(FileNotFoundError):
        data = read_regular(str(target), LARGEST)
    grown = with_entry(None if data is None else editable_text(path, data), entry, path=path)
    known: set[RecordKey] = set() if data is None else _entries(realm)
    prepare(target, file_bytes(path, grown), expected=data).commit()
    realm.sync(actor).run()
    with realm.ledger.reading() as unit:
        fresh = unit.current(_entries(realm) - known)
    own = [key for key, version in fresh.items() if version.content.body == text.strip()]
    if not own:
        raise Refused(
            f"{path} holds the entry now, but it could not be read back",
            file=path,
            hint="`memtui sync` says what is wrong with the file",
        )
    return _version_of(realm, own[-1], "remembered")


def delete(realm: Realm, key: RecordKey, *, force: bool, actor: str, zone: tzinfo) -> Written:
    """Remove a document's file; its versions stay in the ledger."""
    del zone
    if not is_document(key):
        raise Refused(
            f"{key.kind}/{key.name} is a memory, and memories are never deleted",
            value=key.name,
            hint=f"`memtui forget {key.name}` retires it; it stays, with its history, and can be revived",
        )
    current = _own_file(realm, key, "delete")
    path = current.content.path or ""
    if not force:
        raise Refused(
            f"deleting {key.kind}/{key.name} removes the file {path}",
            file=path,
            value=key.name,
            hint="add --force to do so; the ledger keeps its versions",
        )
    target, _ = _unchanged(realm, path)
    try:
        target.unlink()
    except OSError as error:
        raise Refused(f"{path} cannot be removed: {error.strerror or error}", file=path) from error
    return _synced(realm, key, "deleted", actor)


def _own_file(realm: Realm, key: RecordKey, verb: str) -> Version:
    """The current version of a document that has a file of its own in this realm. Raises NotFound, Refused."""
    with realm.ledger.reading() as unit:
        current = unit.current([key]).get(key)
    if current is None:
        raise NotFound(f"no record is named {key.kind}/{key.name}", value=key.name)
    path = current.content.path or key.name
    if key.partition != realm.partition:
        raise Refused(
            f"{key.kind}/{key.name} belongs to the base, which is read-only here",
            file=path,
            value=key.name,
            hint="change the file in its own folder",
        )
    if key.kind not in _OWN_FILE:
        raise Refused(
            f"{key.kind}/{key.name} shares {path} with others, so it cannot be {verb}d by itself",
            file=path,
            value=key.name,
            hint=_shared_file_hint(key, current.content),
        )
    return current


def _shared_file_hint(key: RecordKey, content: Content) -> str:
    if key.kind == "changelog":
        return f"append what holds now: `memtui note TEXT --supersedes {key.name}`; or edit {content.path}"
    return f"edit {content.path} and `memtui sync`"


def _unchanged(realm: Realm, path: str) -> tuple[Path, bytes]:
    """Where a document's file lies, and its bytes, if they are those of the last sync. Raises Refused."""
    import hashlib

    target = realm.shelf.absolute(path)
    known = realm.sync_state().files.get(path)
    try:
        data = read_regular(str(target), LARGEST)
    except OSError as error:
        raise Refused(
            f"{path} cannot be read: {error.strerror or error}", file=path, hint="`memtui sync` takes note of that"
        ) from error
    if known is None or hashlib.sha256(data).hexdigest() != known.digest:
        raise Refused(
            f"{path} changed since its last sync", file=path, hint="`memtui sync` reads the file; then try again"
        )
    return target, data


def _synced(realm: Realm, key: RecordKey, outcome: Outcome, actor: str) -> Written:
    realm.sync(actor).run()
    return _version_of(realm, key, outcome)


def _version_of(realm: Realm, key: RecordKey, outcome: Outcome) -> Written:
    with realm.ledger.reading() as unit:
        version = unit.current([key])[key]
    return Written(outcome, key, version.seq, version.recorded_at)


def _entries(realm: Realm) -> set[RecordKey]:
    path = realm.shelf.roots[0].layout.changelog
    return set(realm.sync_state().records.get(path, ()))


def _entry(realm: Realm, asked: str) -> str:
    """The id of an entry that another one replaces. Raises NotFound with the closest ids."""
    from memtui.memory.resolving import closest

    names = [key.name for key in _entries(realm)]
    if asked in names:
        return asked
    near = closest(asked, names)
    raise NotFound(
        f"the change log has no entry {asked!r}",
        field="supersedes",
        value=asked,
        choices=near,
        hint="`memtui list --types changelog` shows the entries",
    )
