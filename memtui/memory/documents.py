"""Documents: verbs that change a vault's files. The file is the source; the ledger follows by sync."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

from memtui.errors import InvalidInput, MemtuiError, NotFound, Refused
from memtui.memory.realm import Realm
from memtui.model.instants import to_datetime
from memtui.model.outcomes import Outcome, Written
from memtui.model.records import LONGEST_TEXT, MEMORY_KINDS, Content, RecordKey
from memtui.model.versions import Version
from memtui.regular_files import read_regular
from memtui.text.naming import is_blank
from memtui.vault.changelog import entry_id, read_changelog
from memtui.vault.changelog_edit import with_entry
from memtui.vault.editing import editable_text, edited_document, file_bytes
from memtui.vault.replacing import prepare
from memtui.vault.scanning import LARGEST
from memtui.vault.source_text import SourceText

_EDITABLE = ("title", "description", "tags", "content", "append", "pinned")
_OWN_FILE = frozenset({"knowledge", "feature", "task", "note"})
"""Kinds that have a file of their own; the others share one."""

LONGEST_HEADLINE = 200
"""Characters of the longest headline of a note."""


def is_document(key: RecordKey) -> bool:
    """Whether a record lives by its file and not by the verbs."""
    return key.kind not in MEMORY_KINDS


def update(realm: Realm, key: RecordKey, given: Mapping[str, Any], *, actor: str) -> Written:
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
    _record(realm, path, "is changed", actor)
    return _version_of(realm, key, "updated")


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
    """Append an entry to the change log, making one where there is none, and sync it.

    Raises InvalidInput for a blank text, NotFound for an entry to supersede that is not there, Refused.
    """
    if is_blank(text):
        raise InvalidInput("the note is blank", field="text", value=text, hint="say in a sentence what happened")
    for field, said, most in (("text", text, LONGEST_TEXT), ("summary", summary or "", LONGEST_HEADLINE)):
        if len(said) > most:
            raise InvalidInput(
                f"the {field} of the note has {len(said):,} characters; at most {most:,} are allowed",
                field=field,
                hint="keep the gist here and put the rest into a file of the vault",
            )
    realm.check_writable()
    root = realm.shelf.roots[0]
    path = root.layout.changelog
    target = realm.shelf.real(path) or realm.shelf.absolute(path)
    with realm.searching() as (_, present):
        moment = to_datetime(present).astimezone(zone)
    data = _bytes_if_there(target, path)
    log = None if data is None else editable_text(path, data)
    name = _entry_id(moment, scope, text, set() if log is None else _names_in(path, log, zone))
    date = moment.isoformat(timespec="seconds")
    entry: dict[str, object] = {"id": name, "date": date, "type": kind, "scope": scope}
    if summary is not None:
        entry["summary"] = summary
    entry["description"] = text
    if references:
        entry["references"] = list(references)
    if supersedes is not None:
        entry["supersedes"] = _entry(realm, supersedes)
    prepare(target, file_bytes(path, with_entry(log, entry, path=path)), expected=data).commit()
    _record(realm, path, "holds the entry", actor)
    key = RecordKey(realm.partition, "changelog", name)
    if key not in _entries(realm):
        raise Refused(
            f"{path} holds the entry now, but it could not be read back",
            file=path,
            hint="`memtui sync` says what is wrong with the file",
        )
    return _version_of(realm, key, "remembered")


def _bytes_if_there(target: Path, path: str) -> bytes | None:
    try:
        return read_regular(str(target), LARGEST)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Refused(
            f"{path} cannot be read: {error.strerror or error}", file=path, hint="allow reading it, then try again"
        ) from error


def _names_in(path: str, log: str, zone: tzinfo) -> set[str]:
    return {record.name for record in read_changelog(path, SourceText(log).text, zone).records}


def _entry_id(moment: datetime, scope: str, text: str, taken: set[str]) -> str:
    """A name for a new entry: the same words may be noted again within a second."""
    name = entry_id(moment.isoformat(), scope, text)
    while name in taken:
        name = entry_id(name, scope, text)
    return name


def delete(realm: Realm, key: RecordKey, *, force: bool, actor: str) -> Written:
    """Remove a document's file; its versions stay in the ledger."""
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
    _unchanged(realm, path)
    try:
        realm.shelf.absolute(path).unlink()  # of a link the link: what it leads to may be another's
    except OSError as error:
        raise Refused(f"{path} cannot be removed: {error.strerror or error}", file=path) from error
    _record(realm, path, "is removed", actor)
    return _version_of(realm, key, "deleted")


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

    target = realm.shelf.real(path)
    known = realm.sync_state().files.get(path)
    if target is None:
        raise Refused(f"{path} is gone", file=path, hint="`memtui sync` takes note of that")
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


def _record(realm: Realm, path: str, done: str, actor: str) -> None:
    """Sync what was done to a file. Where that fails the error says that the file, at least, is as was asked."""
    try:
        realm.sync(actor).run()
    except MemtuiError as error:
        raise type(error)(
            f"{path} {done}, but that is not recorded yet: {error.message}",
            file=path,
            hint="do not repeat it; the next `memtui sync` records it",
        ) from error


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
