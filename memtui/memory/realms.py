"""The realms a memory is opened with: the vault's workspace, and the person's own beside it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from memtui.clock import Clock
from memtui.errors import VaultNotFound
from memtui.log import survived
from memtui.memory.home import VaultHome
from memtui.memory.identity import make_private, partition_of, personal_identity, personal_store
from memtui.memory.meanings import Meanings
from memtui.memory.policies import ranking_policy
from memtui.memory.realm import Realm
from memtui.model.instants import Instant
from memtui.model.records import BASE, WORKSPACE
from memtui.search.searcher import Searcher
from memtui.store.duckdb.ledger import DuckDBLedger
from memtui.text.synonyms import FILE_NAME, SHIPPED, Synonyms
from memtui.text.visible import one_line

if TYPE_CHECKING:
    from memtui.cognition.scribes import ContradictionScribe, MergeScribe
    from memtui.config import Config
    from memtui.memory.providing import Registered
    from memtui.model.problems import Problem
    from memtui.store.port import FileStats, IndexedLedger
    from memtui.vault.shelf import Shelf

Answer = TypeVar("Answer")

MOST_SYNCED_FIRST = 50
"""Changed files up to this many are synced before a one-shot read answers; beyond, the answer says it is stale."""


class Realms:
    """Opens each realm when it is first asked for. Thread-safe."""

    def __init__(
        self,
        home: VaultHome | None,
        config: Config,
        *,
        clock: Clock,
        zone: tzinfo,
        actor: str,
        read_only: bool,
        resident: bool,
        warn: Callable[[str], None],
        ledger: IndexedLedger | None = None,
    ) -> None:
        self._home = home
        self._config = config
        self._clock = clock
        self.zone = zone
        self._actor = actor
        self._read_only = read_only
        self._resident = resident
        self._warn = warn
        self.synonyms = SHIPPED if home is None else Synonyms(home.root / FILE_NAME, tell=self._tell_of_synonyms)
        self._policy = ranking_policy(config, self.synonyms)
        self.meanings = Meanings(config.text("embedder"))
        self.provider: Registered | None = None
        """The search engine that was registered, if any."""
        self.merge_scribe: MergeScribe | None = None
        self.contradiction_scribe: ContradictionScribe | None = None
        self._lock = threading.Lock()
        self._personal: dict[str, Realm] = {}
        self._workspace = None if home is None else self._of_vault(home, ledger)

    def _tell_of_synonyms(self, problems: tuple[Problem, ...]) -> None:
        first, *others = problems
        told = one_line(str(first)) + (f" and {len(others):,} more" if others else "")
        self._warn(f"not all of the vault's own synonyms count: {told}; `memtui status` lists what is wrong")

    @property
    def home(self) -> VaultHome:
        """The vault's home. Raises VaultNotFound where only personal memories were opened."""
        if self._home is None:
            raise _no_vault()
        return self._home

    def of(self, personal: bool) -> Realm:
        """The realm a request is about. Raises Refused for a personal one without an identity, VaultNotFound."""
        if personal:
            return self._of_person(personal_identity())
        if self._workspace is None:
            raise _no_vault()
        return self._workspace

    def _of_vault(self, home: VaultHome, ledger: IndexedLedger | None) -> Realm:
        store = ledger or self._store(home.store, read_only=self._read_only or not home.writable)
        return Realm(
            store,
            self._clock,
            partition=WORKSPACE,
            shelf=lambda: home.shelf,
            prepare=home.make,
            policy=self._policy,
            resident=self._resident,
            zone=self.zone,
            file_zone=lambda: home.zone,
        )

    def _of_person(self, identity: str) -> Realm:
        with self._lock:
            realm = self._personal.get(identity)
            if realm is None:
                path = personal_store(identity)
                store = self._store(path, read_only=self._read_only)
                realm = self._personal[identity] = Realm(
                    store,
                    self._clock,
                    partition=partition_of(identity),
                    shared=(BASE,),
                    filled=BASE,
                    shelf=self._base_shelf,
                    prepare=lambda: make_private(path.parent),
                    policy=self._policy,
                    resident=self._resident,
                    zone=self.zone,
                    file_zone=lambda: self.zone,
                )
            return realm

    def _store(self, path: Path, *, read_only: bool) -> DuckDBLedger:
        threads = None if self._resident else 1
        return DuckDBLedger(path, self._clock, read_only=read_only, threads=threads, warn=self._warn)

    def _base_shelf(self) -> Shelf:
        from memtui.vault.layout import DEFAULT_LAYOUT
        from memtui.vault.shelf import Shelf

        folders = tuple(Path(folder).expanduser() for folder in self._config.texts("base"))
        return Shelf.of_base(folders, DEFAULT_LAYOUT)

    def place(self, realm: Realm) -> str:
        """The folder a realm is about, as a status names it."""
        return str(self.home.root) if realm is self._workspace else str(Path(realm.ledger.location).parent)

    def label(self, realm: Realm) -> str:
        """What a realm is called."""
        return self.home.workspace if realm is self._workspace else "personal"

    def stale(self, realm: Realm, seen: FileStats) -> int:
        """How many files of a realm are not as its last sync saw them."""
        from memtui.vault.freshness import count_stale

        return count_stale(realm.shelf, seen)

    def fresh(
        self,
        realm: Realm,
        ask: Callable[[Searcher, Instant], Answer],
        told: Callable[[Answer, int], Answer],
        *,
        sync: bool,
    ) -> Answer:
        """The answer of a read; a one-shot one says how many files are newer than it.

        With `sync` a few changed files are read first, where that is allowed, so that nothing is stale.
        """
        with realm.searching() as (searcher, present):
            answer = ask(searcher, present)
        if realm.resident:
            return answer
        stale = self.stale(realm, realm.seen)
        if sync and self._read_first(realm, stale):
            with realm.searching() as (searcher, present):
                answer = ask(searcher, present)
            stale = self.stale(realm, realm.seen)
        return told(answer, stale) if stale else answer

    def caught_up(self, realm: Realm) -> int:
        """Read a few changed files first, for what is not asked again as a whole; how many stay unread."""
        stale = self.stale(realm, realm.file_stats())
        return self.stale(realm, realm.file_stats()) if self._read_first(realm, stale) else stale

    def _read_first(self, realm: Realm, stale: int) -> bool:
        """Read the changed files before a one-shot read answers, if they are few and may be read; whether it was done.

        A read never fails by what lies in files: where that stops the sync, or a hook's time does, what was known
        before answers.
        """
        may_sync = not realm.ledger.read_only and self._config.flag("auto_sync", default=True)
        if not (may_sync and 0 < stale <= MOST_SYNCED_FIRST):
            return False
        try:
            realm.sync(self._actor).run()
        except Exception as error:
            survived("changed files could not be read before the answer", error)
            return False
        return True


def _no_vault() -> VaultNotFound:
    return VaultNotFound(
        "only personal memories were opened, and this asks for a vault",
        hint="go into a vault, name one with --vault DIR or MEMTUI_VAULT, or make one with `memtui init`; "
        "--personal asks your own memories",
    )
