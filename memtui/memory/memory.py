"""`Memory`: the one application core. Every door calls this, and only this."""

from __future__ import annotations

import getpass
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from memtui.clock import Clock, monotonic_ms, system_clock
from memtui.config import load_config
from memtui.log import LOGGER
from memtui.memory.asking import Moment, instant
from memtui.memory.equipped import Equipped
from memtui.memory.home import VaultHome
from memtui.memory.realm import Realm
from memtui.memory.realms import Realms
from memtui.memory.view import View
from memtui.model.belief import NOW, BeliefState
from memtui.model.records import RecordKey
from memtui.model.results import Found
from memtui.text.dates import local_zone, zone_trouble

if TYPE_CHECKING:
    from memtui.model.outcomes import Imported, SyncReport, Written
    from memtui.model.proposals import Plan
    from memtui.model.reviews import Confirmation, Decisions, Undone
    from memtui.store.port import IndexedLedger, WriteUnit
    from memtui.vault.syncing import Progress

Gate = Literal["off", "warn", "refuse"]


def default_actor() -> str:
    """Who acts: `MEMTUI_ACTOR`, else the login name."""
    named = os.environ.get("MEMTUI_ACTOR")
    if named:
        return named
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user without an entry in the password file
        return "unknown"


class Memory(Equipped):
    """A vault's memory at the present, with the verbs that change it. Thread-safe; every call is blocking.

    With `resident` (screens, libraries, servers) the first search reads postings and versions into
    memory and follows the store by its tail; without (one-shot commands) each read fetches only what
    it needs. The clock is passed in and is the only source of the present. With `personal` a verb is about
    the memories of the person that MEMTUI_PERSONAL_ID names, which lie in a store of their own.
    """

    _freshens = True

    def __init__(
        self,
        home: VaultHome | None,
        *,
        clock: Clock = system_clock,
        actor: str | None = None,
        read_only: bool = False,
        resident: bool = True,
        warn: Callable[[str], None] = LOGGER.warning,
        ledger: IndexedLedger | None = None,
    ) -> None:
        self.actor = actor or default_actor()
        self.clock = clock
        self.read_only = read_only or (home is not None and not home.writable)
        if trouble := zone_trouble():
            warn(trouble)
        config = load_config(None) if home is None else home.config
        super().__init__(
            Realms(
                home,
                config,
                clock=clock,
                zone=local_zone(),
                actor=self.actor,
                read_only=read_only,
                resident=resident,
                warn=warn,
                ledger=ledger,
            )
        )

    @property
    def log_file(self) -> Path:
        """Where the interface writes its log."""
        return self._realms.home.folder / "memtui.log"

    @property
    def state_file(self) -> Path:
        """Where the interface keeps what returns on its next start."""
        return self._realms.home.folder / "interface.json"

    @property
    def ledger(self) -> IndexedLedger:
        """The vault's own ledger."""
        return self._realms.of(personal=False).ledger

    def at(self, *, as_of: Moment | None = None, valid_at: Moment | None = None) -> View:
        """A read-only view of what was believed at `as_of` about the world at `valid_at`."""
        return View(
            self._realms,
            BeliefState(instant(as_of, self.zone, "as_of"), instant(valid_at, self.zone, "valid_at")),
        )

    # Following the store -------------------------------------------------------------------------

    def load(self) -> None:
        """Read the store into memory, if this is a resident memory and it has not been done."""
        realm = self._realms.of(personal=False)
        if realm.resident and realm.held is None:
            realm.refresh()

    def refresh(self) -> bool:
        """Follow the store if it changed since the last look; whether it had. Raises StoreBusy, StoreUnreadable."""
        return self._realms.of(personal=False).refresh()

    def make_store(self, *, personal: bool = False) -> None:
        """Make the store if it is not there yet, or not any more. Raises StoreBusy, StoreUnreadable, Refused."""
        realm = self._realms.of(personal)
        realm.make_store()
        with realm.writing():
            return

    def is_store_gone(self) -> bool:
        """Whether the vault's store has gone since it was seen: what is held still answers, and nothing is recorded."""
        return self._realms.of(personal=False).ledger.is_gone()

    # Recalling -----------------------------------------------------------------------------------

    def reconsolidate(self, found: Found, *, personal: bool = False) -> int:
        """Record that the engrams of an answer were recalled; how many were.

        None of a past or read-only answer, and of one to filters alone: it lists, and no cue brought it to mind.
        `recall` does this unless told not to. Fail-soft: a busy or unwritable store drops the events and says so
        in the log.
        """
        if found.as_of is not None or found.valid_at is not None or not found.understood.words:
            return 0
        return self.note_recalled([hit.record.key for hit in found.hits], found.query, personal=personal)

    def note_recalled(self, keys: Sequence[RecordKey], cue: str, *, personal: bool = False) -> int:
        """Record that a person or agent was shown these engrams for a cue; how many events were written."""
        from memtui.memory import recalling

        return recalling.note(self._realms.of(personal), keys, cue=cue, actor=self.actor)

    # Writing -------------------------------------------------------------------------------------

    def remember(
        self,
        summary: str,
        *,
        name: str | None = None,
        kind: str = "engram",
        personal: bool = False,
        gate: Gate = "off",
        **fields: Any,
    ) -> Written:
        """Record a memory, or say that it is known already.

        `gate` looks for near-duplicates by their words, and by meaning where the model is loaded already: "warn"
        names them in `near`, "refuse" also refuses a text that is as good as there. Raises InvalidInput for a
        field that cannot be, Refused for a name that is taken or forgotten.
        """
        from memtui.memory import near_duplicates, remembering
        from memtui.memory.given import given_content

        content = given_content(kind, summary, fields, self.zone)
        realm = self._realms.of(personal)
        near = () if gate == "off" else near_duplicates.of(self._realms, realm, content, name=name, kind=kind)
        if gate == "refuse":
            near_duplicates.refuse(near)

        def verb(unit: WriteUnit) -> Written:
            return remembering.remember(
                unit, content, partition=realm.partition, kind=kind, name=name, actor=self.actor, zone=self.zone
            )

        written = realm.edit([], verb)
        return replace(written, near=tuple(n for n in near if n.name != written.key.name))

    def update(self, name: str | RecordKey, *, personal: bool = False, **fields: Any) -> Written:
        """Correct a memory: a new version of the same one, its old text in its history.

        Fields not given stay; a list that is given replaces the old one; `valid_to="open"` takes an end away that
        has not come. Of a document: `title`, `description`, `tags`, `content`, `append`, `pinned` edit its file.
        Raises NotFound, Ambiguous, InvalidInput, Refused.
        """
        realm, key = self._key(name, personal)
        from memtui.memory import correcting, documents

        if documents.is_document(key):
            return documents.update(realm, key, fields, actor=self.actor)
        return realm.edit([key], lambda unit: correcting.update(unit, key, fields, actor=self.actor, zone=self.zone))

    def supersede(
        self,
        old: str | RecordKey,
        summary: str,
        *,
        name: str | None = None,
        at: Moment | None = None,
        keep_claims: bool = False,
        reason: str | None = None,
        personal: bool = False,
        **fields: Any,
    ) -> Written:
        """Replace a memory by a new one, in one transaction; what is not given is taken over, claims only if asked.

        Raises NotFound, Ambiguous, InvalidInput, Refused.
        """
        realm, key = self._key(old, personal)
        from memtui.memory import correcting

        moment = instant(at, self.zone, "at")

        def verb(unit: WriteUnit) -> Written:
            return correcting.supersede(
                unit,
                key,
                summary,
                fields,
                actor=self.actor,
                zone=self.zone,
                name=name,
                at=moment,
                keep_claims=keep_claims,
                reason=reason,
            )

        return realm.edit([key], verb)

    def forget(
        self,
        name: str | RecordKey,
        *,
        superseded_by: str | RecordKey | None = None,
        reason: str | None = None,
        at: Moment | None = None,
        personal: bool = False,
    ) -> Written:
        """End a memory's validity; it stays, with its history. Raises NotFound, Ambiguous, InvalidInput, Refused."""
        realm, key = self._key(name, personal)
        successor = None if superseded_by is None else self._key(superseded_by, personal)[1]
        from memtui.memory import retiring

        moment = instant(at, self.zone, "at")
        return realm.edit(
            [key],
            lambda unit: retiring.forget(
                unit, key, actor=self.actor, superseded_by=successor, reason=reason, at=moment
            ),
        )

    def revive(self, name: str | RecordKey, *, by: str | None = None, personal: bool = False) -> Written:
        """Bring a forgotten memory back; its gap is dated and kept. Raises NotFound, Ambiguous, Refused."""
        realm, key = self._key(name, personal, forgotten=True)
        from memtui.memory import retiring

        return realm.edit([key], lambda unit: retiring.revive(unit, key, actor=self.actor, revived_by=by))

    def apply(self, plan: Plan, decisions: Decisions, *, personal: bool = False) -> Confirmation:
        """Carry out decisions about a plan's proposals, by their ids: all that still stands, in one transaction.

        A proposal of which a fact changed since, or that someone decided, is refused and the others are applied. What
        does not fit together is refused with all the others, and nothing is written. Raises Refused for a plan of
        another partition or time, and for a memory whose file changed since its sync.
        """
        from memtui.memory import reviewing

        return reviewing.confirm(self._realms.of(personal), plan, decisions, actor=self.actor)

    def undo_review(self, id: str | None = None, *, personal: bool = False) -> Undone:  # noqa: A002
        """Take a review back, the latest that stands by default: the inverse of all it wrote, in one transaction.

        A record that someone changed since stays as it is, and is named. Raises NotFound, Refused.
        """
        from memtui.memory import undoing

        return undoing.undo(self._realms.of(personal), id, actor=self.actor)

    def note(
        self,
        text: str,
        *,
        type: str = "note",  # noqa: A002 - the field's own name
        scope: str = "quick",
        summary: str | None = None,
        references: Sequence[str] = (),
        supersedes: str | None = None,
    ) -> Written:
        """Append an entry to the vault's change log, and sync it. Raises InvalidInput, Refused."""
        realm = self._realms.of(personal=False)
        from memtui.memory import documents

        return documents.note(
            realm,
            text,
            kind=type,
            scope=scope,
            summary=summary,
            references=tuple(references),
            supersedes=supersedes,
            actor=self.actor,
            zone=self.zone,
        )

    def delete(self, name: str | RecordKey, *, force: bool = False, personal: bool = False) -> Written:
        """Remove a document's file; the ledger keeps its versions. Memories are never deleted.

        Raises Refused for a memory, naming `forget`, and for a document without `force`; NotFound, Ambiguous.
        """
        realm, key = self._key(name, personal)
        from memtui.memory import documents

        return documents.delete(realm, key, force=force, actor=self.actor)

    def _key(self, name: str | RecordKey, personal: bool, *, forgotten: bool = False) -> tuple[Realm, RecordKey]:
        """The realm a verb writes to, and the record it is about."""
        realm = self._realms.of(personal)
        realm.check_writable()
        with realm.searching() as (searcher, present):
            return realm, self._resolve(searcher, name, NOW, present, forgotten=forgotten)

    def import_(
        self,
        path: Path | str,
        *,
        format: str | None = None,  # noqa: A002 - the word of every door
        strict: bool = False,
        dry_run: bool = False,
        personal: bool = False,
    ) -> Imported:
        """Take over a ledger into an empty store, or items into any: the good ones in one transaction, the bad listed.

        With `strict` any problem raises Refused and nothing is written; with `dry_run` nothing is written either way.
        Raises InvalidInput for a file that cannot be read, Refused for a ledger that does not verify.
        """
        from memtui.memory import interchanging

        return interchanging.import_file(
            self._realms.of(personal),
            Path(path),
            named=format,
            strict=strict,
            dry_run=dry_run,
            actor=self.actor,
            zone=self.zone,
        )

    def sync(
        self,
        progress: Progress | None = None,
        cancelled: Callable[[], bool] | None = None,
        *,
        strict: bool = False,
        unasked: bool = False,
        personal: bool = False,
    ) -> SyncReport:
        """Bring the ledger up to the vault's files, or a person's base up to its folders.

        An unchanged vault writes nothing. With `strict` any problem raises Refused and nothing is recorded.
        A store that has gone since it was seen is made anew, but where nobody asked for the sync: StoreGone.
        """
        realm = self._realms.of(personal)
        realm.check_writable()
        if not unasked and realm.ledger.is_gone():
            realm.make_store()
        started = monotonic_ms()
        realm.ledger.migrate()
        realm.ledger.mend_index()
        report = realm.sync(self.actor).run(progress, cancelled, strict=strict)
        return replace(report, took_ms=monotonic_ms() - started)


__all__ = ["Memory", "default_actor"]
