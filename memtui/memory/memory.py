"""`Memory`: the one application core. Every door calls this, and only this."""

from __future__ import annotations

import contextlib
import getpass
import os
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memtui.clock import Clock, monotonic_ms, system_clock
from memtui.errors import NotFound, Refused
from memtui.log import LOGGER
from memtui.memory import reading
from memtui.memory.asking import Moment, belief_state, check_not_future, clamp_limit, instant, kinds_of
from memtui.memory.following import Follower
from memtui.memory.home import VaultHome
from memtui.memory.resolving import resolve
from memtui.model.belief import NOW, BeliefState
from memtui.model.instants import Instant
from memtui.model.records import WORKSPACE, RecordKey
from memtui.model.results import Found, Listing, RecordView, Status, SyncReport, Written
from memtui.model.versions import Version
from memtui.search.fetched import FetchedCorpus
from memtui.search.searcher import Searcher, SearchRequest
from memtui.store.duckdb.ledger import DuckDBLedger
from memtui.text.analysis import ANALYSER
from memtui.text.dates import local_zone

if TYPE_CHECKING:
    from memtui.store.port import SyncState
    from memtui.vault.syncing import Progress, VaultSync

PARTITIONS = (WORKSPACE,)
NO_EMBEDDER = "no embedder in this version: answered by words"


def default_actor() -> str:
    """Who acts: `MEMTUI_ACTOR`, else the login name."""
    named = os.environ.get("MEMTUI_ACTOR")
    if named:
        return named
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user without an entry in the password file
        return "unknown"


def _honest(found: Found, semantic: bool | None) -> Found:
    """Meaning was asked for and cannot be had: say so."""
    return replace(found, degraded=True, reason=NO_EMBEDDER) if semantic else found


class Memory:
    """A vault's memory. Thread-safe; every call is blocking.

    With `resident` (screens, libraries, servers) the first search reads postings and versions into
    memory and follows the store by its tail; without (one-shot commands) each read fetches only what
    it needs. The clock is passed in and is the only source of the present.
    """

    def __init__(
        self,
        home: VaultHome,
        *,
        clock: Clock = system_clock,
        actor: str | None = None,
        read_only: bool = False,
        resident: bool = True,
        warn: Callable[[str], None] = LOGGER.warning,
    ) -> None:
        self._home = home
        self._clock = clock
        self._resident = resident
        self.zone = local_zone()
        self.actor = actor or default_actor()
        self.read_only = read_only or not home.writable
        self.ledger = DuckDBLedger(
            home.store, clock, read_only=self.read_only, threads=None if resident else 1, warn=warn
        )
        self._sync_state: SyncState | None = None
        self._follower = Follower(self.ledger, PARTITIONS)

    @property
    def vault(self) -> Path:
        """The vault's folder."""
        return self._home.root

    @property
    def log_file(self) -> Path:
        """Where the interface writes its log."""
        return self._home.folder / "memtui.log"

    @property
    def vault_name(self) -> str:
        """The label of the vault's partition."""
        return self._home.workspace

    # Reading ---------------------------------------------------------------------------------

    def load(self) -> None:
        """Read the store into memory, if this is a resident memory and it has not been done."""
        if self._resident and self._follower.searcher is None:
            self.refresh()

    def refresh(self) -> bool:
        """Follow the store if it changed since the last look; whether it had. Raises StoreBusy, StoreUnreadable."""
        self._ensure_store()
        return self._follower.refresh()

    def _ensure_store(self) -> None:
        if not self.ledger.exists() and not self.read_only:
            self._home.make()

    @contextlib.contextmanager
    def _searching(self) -> Generator[tuple[Searcher, Instant], None, None]:
        """A searcher over the present state of the store, and that present."""
        if self._resident:
            self.refresh()
            searcher = self._follower.searcher
            assert searcher is not None, "refresh leaves a searcher"  # noqa: S101
            yield searcher, self._present(searcher)
            return
        self._ensure_store()
        with self.ledger.reading() as unit:
            searcher = Searcher(FetchedCorpus(unit, PARTITIONS))
            self._sync_state = unit.sync_state(WORKSPACE)
            yield searcher, self._present(searcher)

    def _present(self, searcher: Searcher) -> Instant:
        recorded_at = searcher.corpus.columns.recorded_at
        return max(self._clock(), int(recorded_at[-1])) if len(recorded_at) else self._clock()

    def search(
        self,
        query: str,
        *,
        k: int = 5,
        kinds: Sequence[str] | str | None = None,
        area: str | None = None,
        tags: Sequence[str] | None = None,
        belief: BeliefState | None = None,
        as_of: Moment | None = None,
        valid_at: Moment | None = None,
        now: Moment | None = None,
        semantic: bool | None = None,
        all: bool = False,  # noqa: A002 - the word every door uses
        follow: bool = True,
    ) -> Found:
        """The best records for a query. Never writes and never raises on any query text.

        This version answers by words; `semantic` True is therefore answered as degraded, with the reason.
        `now` is the present for recency only. With `follow` False a resident memory answers from what
        it holds: the screen's way while typing, where another worker follows the store.
        """
        request = SearchRequest(
            query=query,
            limit=clamp_limit(k),
            belief=belief_state(belief, as_of, valid_at, self.zone),
            kinds=kinds_of(kinds),
            area=area,
            tags=tuple(tags or ()),
            everything=all,
            scoring_now=instant(now, self.zone, "now"),
        )
        held = self._follower.searcher if not follow else None
        if held is not None:
            return _honest(reading.find(held, request, self._present(held)), semantic)
        with self._searching() as (searcher, present):
            check_not_future(request.belief, present)
            found = reading.find(searcher, request, present)
            if not self._resident:
                near = found.closest  # the store is closed when this unit ends
                found = replace(found, find_closest=lambda: near, stale=self._count_stale())
            return _honest(found, semantic)

    def recall(self, query: str, *, reconsolidate: bool = True, **options: Any) -> Found:
        """`search`, as a recall. No recall is recorded in this version, whatever `reconsolidate` says."""
        del reconsolidate
        return self.search(query, **options)

    def recent(self, k: int = 50, *, belief: BeliefState = NOW, all: bool = False) -> Listing:  # noqa: A002
        """What was recorded last, newest first."""
        with self._searching() as (searcher, present):
            return reading.list_records(searcher, belief, present, everything=all, limit=k, newest_first=True)

    def list(
        self,
        *,
        kinds: Sequence[str] | str | None = None,
        all: bool = False,  # noqa: A002
        limit: int | None = None,
        offset: int = 0,
        belief: BeliefState | None = None,
        as_of: Moment | None = None,
        valid_at: Moment | None = None,
    ) -> Listing:
        """Records without scores, by kind and name: in force only, unless `all`."""
        asked = belief_state(belief, as_of, valid_at, self.zone)
        with self._searching() as (searcher, present):
            check_not_future(asked, present)
            return reading.list_records(
                searcher, asked, present, kinds=kinds_of(kinds), everything=all, limit=limit, offset=offset
            )

    def show(
        self,
        name: str | RecordKey,
        *,
        belief: BeliefState | None = None,
        as_of: Moment | None = None,
        valid_at: Moment | None = None,
    ) -> RecordView:
        """One record as it stands in a belief state. Raises NotFound, Ambiguous."""
        asked = belief_state(belief, as_of, valid_at, self.zone)
        with self._searching() as (searcher, present):
            check_not_future(asked, present)
            key = self._resolve(searcher, name, asked, present)
            found = reading.show_record(searcher, key, asked, present)
            if found is None:
                raise NotFound(f"{key.kind}/{key.name} was not known then", value=key.name)
            return found

    def history(self, name: str | RecordKey) -> tuple[Version, ...]:
        """Every version of a record, oldest first, also those under the names its file had before.

        Raises NotFound, Ambiguous.
        """
        from memtui.vault.syncing import RENAMED_FROM

        with self._searching() as (searcher, present):
            key = self._resolve(searcher, name, NOW, present)
        with self.ledger.reading() as unit:
            versions = list(unit.history(key))
            seen = {key}
            while versions and (versions[0].reason or "").startswith(RENAMED_FROM):
                kind, _, earlier = (versions[0].reason or "").removeprefix(RENAMED_FROM).partition("/")
                key = key._replace(kind=kind, name=earlier)
                if key in seen:
                    break
                seen.add(key)
                versions = [*unit.history(key), *versions]
            return tuple(versions)

    def _resolve(
        self,
        searcher: Searcher,
        name: str | RecordKey,
        belief: BeliefState,
        present: Instant,
        *,
        forgotten: bool = False,
    ) -> RecordKey:
        if isinstance(name, RecordKey):
            return name
        return resolve(name, reading.named_records(searcher, belief, present), forgotten=forgotten)

    def status(self, belief: BeliefState | None = None) -> Status:
        """Counts, health and freshness of the vault."""
        asked = belief or NOW
        with self._searching() as (searcher, present):
            check_not_future(asked, present)
            kinds, forgotten = reading.counts(searcher, asked, present)
        with self.ledger.reading() as unit:
            sync_state = unit.sync_state(WORKSPACE)
            analyser, rows = unit.analyser(), unit.text_count()
        warnings = self.ledger.warnings
        note = self.ledger.analyser_note(analyser)
        return Status(
            vault=str(self.vault),
            workspace=self.vault_name,
            store=self.ledger.location,
            counts=kinds,
            forgotten=forgotten,
            problems=sync_state.problems,
            stale=self.stale(),
            last_sync=sync_state.last_sync,
            analyser=analyser,
            index_rows=rows,
            size_bytes=self._home.store.stat().st_size,
            as_of=asked.known_at,
            valid_at=asked.true_at,
            warnings=tuple([*warnings, note] if note else warnings),
        )

    def _count_stale(self) -> int:
        """How many files changed since the last sync, for an answer that says how fresh it is."""
        from memtui.vault.freshness import count_stale

        return 0 if self._sync_state is None else count_stale(self.vault, self._home.layout, self._sync_state)

    def stale(self) -> int:
        """How many files differ, by size and time, from what the last sync saw."""
        return self._sync().stale()

    # Writing ---------------------------------------------------------------------------------

    def remember(self, summary: str, *, name: str | None = None, **fields: Any) -> Written:
        """Record a memory, or say that it is known already.

        Raises InvalidInput for a field that cannot be, Refused for a name that is taken or forgotten.
        """
        self._check_writable()
        from memtui.memory import remembering

        content = remembering.content_from(summary, fields, self.zone)
        with self.ledger.writing() as unit:
            return remembering.remember(unit, content, partition=WORKSPACE, name=name, actor=self.actor, zone=self.zone)

    def forget(
        self,
        name: str | RecordKey,
        *,
        superseded_by: str | RecordKey | None = None,
        reason: str | None = None,
        at: Moment | None = None,
    ) -> Written:
        """End a memory's validity; it stays, with its history. Raises NotFound, Ambiguous, Refused."""
        self._check_writable()
        with self._searching() as (searcher, present):
            key = self._resolve(searcher, name, NOW, present)
            successor = None if superseded_by is None else self._resolve(searcher, superseded_by, NOW, present)
        from memtui.memory import retiring

        moment = instant(at, self.zone, "at")
        with self.ledger.writing() as unit:
            return retiring.forget(unit, key, actor=self.actor, superseded_by=successor, reason=reason, at=moment)

    def revive(self, name: str | RecordKey, *, by: str | None = None) -> Written:
        """Bring a forgotten memory back; its gap is dated and kept. Raises NotFound, Ambiguous, Refused."""
        self._check_writable()
        with self._searching() as (searcher, present):
            key = self._resolve(searcher, name, NOW, present, forgotten=True)
        from memtui.memory import retiring

        with self.ledger.writing() as unit:
            return retiring.revive(unit, key, actor=self.actor, revived_by=by)

    def _check_writable(self) -> None:
        if self.read_only:
            raise Refused(
                f"{self.vault} is opened read-only, so nothing can be recorded",
                file=str(self.vault),
                hint="open it without --read-only, in a folder you may write to",
            )
        self._home.make()

    def load_store(self) -> None:
        """Make the store if it is not there yet, and see that it can be read."""
        self._ensure_store()
        with self.ledger.reading():
            return

    def sync(
        self,
        progress: Progress | None = None,
        cancelled: Callable[[], bool] | None = None,
        *,
        strict: bool = False,
    ) -> SyncReport:
        """Bring the ledger up to the vault's files. An unchanged vault writes nothing.

        With `strict` any problem raises Refused and nothing is recorded.
        """
        self._check_writable()
        started = monotonic_ms()
        self.ledger.migrate()
        self._refill_index()
        report = self._sync().run(progress, cancelled, strict=strict)
        return replace(report, took_ms=monotonic_ms() - started)

    def _refill_index(self) -> None:
        """Fill the index anew when it was made by another analyser than this program's."""
        if not self.ledger.exists():
            return
        with self.ledger.reading() as unit:
            outdated = unit.analyser() != ANALYSER
        if outdated:
            with self.ledger.writing() as unit:
                unit.refill_index()

    def _sync(self) -> VaultSync:
        from memtui.vault.syncing import VaultSync  # reading files is not needed to answer a query

        return VaultSync(
            self.vault, self._home.layout, self.ledger, partition=WORKSPACE, actor=self.actor, zone=self.zone
        )
