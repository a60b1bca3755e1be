"""The model of a vault: woken when something can profit from it, and given what is not embedded yet.

One thread does both, so that there is never more than one run. It writes in portions and lets a busy store go
first; an embedder that fails is told once and left alone until it is asked for again. Where the store fails, the model
still answers: that is told once, and tried again later.
"""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from memtui.errors import EmbedderUnavailable, InvalidInput, MemtuiError, StoreBusy
from memtui.tui import notes
from memtui.tui.messages import EmbeddingAdvanced, MeaningFailed, MeaningStands, Told
from memtui.tui.standing import ModelState, Standing
from memtui.tui.workers.background import Background
from memtui.tui.workers.following import StoreFollowing

if TYPE_CHECKING:
    from memtui.memory.memory import Memory
    from memtui.model.status import Status

log = logging.getLogger(__name__)

_LOOK_SECONDS = 0.05
"""How often it is looked whether the model is loaded."""
_FIRST_REST = 2.0
_LONGEST_REST = 60.0
"""Seconds until a store that is busy, or fails, is tried again: twice as long each time."""


class Embedding:
    """Tells MeaningStands, EmbeddingAdvanced and MeaningFailed; in a toast what the store refused to keep."""

    def __init__(self, background: Background, memory: Memory, following: StoreFollowing) -> None:
        self._background = background
        self._memory = memory
        self._following = following
        self._lock = threading.Lock()
        self._running = False
        self._again = False
        self._texts = 0
        self._embedded = 0
        self._may_write = False
        self._nothing_waits_of = -1
        """The number of texts at which a run found that none waits, whatever the counts say."""
        self._failed = False
        self._woken = False

    @property
    def running(self) -> bool:
        """Whether the thread runs."""
        return self._running

    def attend(self, status: Status, *, may_write: bool) -> None:
        """See to it that what the store holds by now is embedded; with `may_write` False the model is only woken."""
        with self._lock:
            self._texts = status.index_rows
            self._embedded = int(str(status.embedding["embedded"]))
            self._may_write = may_write and not self._memory.read_only
            self._again = self._running
            if self._running:
                return
            self._running = True
        self._background.start("embedding", self._run)

    def forgive(self) -> None:
        """The person asked for another try: the next change wakes a model that had failed."""
        self._failed = False

    def end_model(self) -> None:
        """End the model's process, so that whoever waits for it is let go. For closing: nothing may ask it later."""
        if not self._woken:
            return
        try:
            self._memory.close()
        except Exception:  # leaving must not depend on it
            log.exception("the embedder did not end as it should")

    def _run(self) -> None:
        try:
            while True:
                if not self._background.closing:
                    self._attend()
                with self._lock:
                    # Once this is said, another run may begin: nothing of this one may touch it any more.
                    if not self._again or self._background.closing:
                        self._running = False
                        return
                    self._again = False
        except BaseException:
            with self._lock:
                self._running = False
            raise

    def _attend(self) -> None:
        model = self._memory.readiness.state
        if model == "none" or not self._texts:
            self._stand(model)
            return
        waiting = self._texts > max(self._embedded, 0) and self._texts != self._nothing_waits_of
        # One that has failed without being needed is woken all the same: only that tells why in full.
        needed = self._embedded or (waiting and self._may_write) or model == "failed"
        if self._failed or not needed:
            self._stand("failed" if self._failed else model)
            return
        try:
            if self._wake() and waiting and self._may_write:
                self._embed()
        except (EmbedderUnavailable, InvalidInput) as error:
            self._fail(notes.trouble(error))
        except Exception as error:
            log.exception("embedding failed")
            self._fail(f"the embedder failed: {error or type(error).__name__}")

    def _wake(self) -> bool:
        """Load the model if it is not; whether it is ready. Raises EmbedderUnavailable, InvalidInput."""
        self._woken = True
        self._memory.wake()
        if self._memory.readiness.state == "loading":
            self._stand("loading")
        while (readiness := self._memory.readiness).state == "loading":
            if self._background.rest(_LOOK_SECONDS):
                return False
        if readiness.state == "failed":
            raise EmbedderUnavailable(readiness.reason or "the model was not loaded")
        self._stand("ready")
        return True

    def _embed(self) -> None:
        """Embed what waits. A store that is busy or fails is no failure of the model: it is tried again later."""
        rest, told = _FIRST_REST, ""
        self._stand("ready", embedding=True)
        while not self._background.closing:
            try:
                done = self._memory.embed(self._advanced, self._background.is_closing)
                break
            except EmbedderUnavailable:
                raise
            except StoreBusy as busy:
                log.info("embedding waits: %s", busy.message)
            except Exception as error:
                reason = notes.trouble(error) if isinstance(error, MemtuiError) else str(error) or type(error).__name__
                if reason != told:
                    told = reason
                    log.warning("embedding waits: %s", reason, exc_info=error)
                    self._background.tell(Told(f"New texts are not embedded yet: {reason}", "warning"))
            if self._background.rest(rest):
                return
            rest = min(rest * 2, _LONGEST_REST)
        else:
            return
        self._following.quietly(lambda: True)
        if not done.waiting:
            self._nothing_waits_of = self._texts
        self._embedded = max(self._texts - done.waiting, 0)
        self._stand("ready", ended=True)

    def _advanced(self, done: int, total: int) -> None:
        with self._lock:
            self._embedded = max(self._texts - (total - done), 0)
        self._background.tell(EmbeddingAdvanced(self._embedded, self._texts))

    def _fail(self, reason: str) -> None:
        if self._background.closing:
            return
        self._failed = True
        self._stand("failed")
        self._background.tell(MeaningFailed(reason))

    def _stand(self, model: ModelState, *, embedding: bool = False, ended: bool = False) -> None:
        embedded = self._texts if self._nothing_waits_of == self._texts else self._embedded
        standing = Standing(model, texts=self._texts, embedded=min(embedded, self._texts), embedding=embedding)
        self._background.tell(MeaningStands(standing, embedding_ended=ended))
