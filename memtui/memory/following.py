"""The resident state of a store: read once, then followed by its tail whenever the store has changed."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from memtui.search.chronicle import Chronicle
from memtui.search.policy import RankingPolicy
from memtui.search.resident import ResidentCorpus
from memtui.search.searcher import Searcher
from memtui.store.port import IndexedLedger
from memtui.store.vectors import Space


class Follower:
    """Holds the searcher over the latest state that was read. Thread-safe; the searcher itself never changes."""

    def __init__(self, ledger: IndexedLedger, partitions: Sequence[str], policy: RankingPolicy) -> None:
        self._ledger = ledger
        self._partitions = partitions
        self._policy = policy
        self._lock = threading.Lock()
        self._fingerprint: object = None
        self._corpus: ResidentCorpus | None = None
        self._space: Space | None = None
        self.searcher: Searcher | None = None
        """None until the store was read for the first time."""
        self._chronicle: Chronicle | None = None

    @property
    def chronicle(self) -> Chronicle | None:
        """The history of what is held; None until the store was read."""
        searcher, known = self.searcher, self._chronicle
        if searcher is None:
            return None
        chronicle = self._chronicle = Chronicle(searcher) if known is None else known.over(searcher)
        return chronicle

    def hold_vectors(self, space: Space) -> None:
        """From the next refresh on the vectors of a space are held too."""
        with self._lock:
            if space != self._space:
                self._space, self._fingerprint = space, None

    def refresh(self) -> bool:
        """Follow the store if it changed since the last look; whether it had. Raises StoreBusy, StoreUnreadable."""
        with self._lock:
            if self.searcher is not None and self._ledger.fingerprint() == self._fingerprint:
                return False
            with self._ledger.reading() as unit:
                # Taken inside the unit: no one can write while it reads.
                seen = self._ledger.fingerprint()
                if self._corpus is not None:
                    corpus = self._corpus.followed(unit)
                else:
                    corpus = ResidentCorpus.load(unit, self._partitions)
                if self._space is not None:
                    corpus = corpus.with_dense(unit, self._space, earlier=self._corpus)
            searcher = Searcher(corpus, self._policy) if self.searcher is None else self.searcher.over(corpus)
            self._corpus, self._fingerprint, self.searcher = corpus, seen, searcher
            return True
