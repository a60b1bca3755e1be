"""A memory held in a list, for what the real one cannot do on demand: slow answers, failures, 100,000 rows."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timezone, tzinfo

from memtui.errors import NotFound
from memtui.memory.meanings import Readiness
from memtui.model.belief import NOW, BeliefState
from memtui.model.details import Strength
from memtui.model.explanation import Explanation, leaf, product, total
from memtui.model.instants import DAY
from memtui.model.outcomes import SyncReport, Written
from memtui.model.proposals import Plan
from memtui.model.records import WORKSPACE, Content, RecordKey
from memtui.model.results import Found, Hit, Listing, RecordView, Snippet
from memtui.model.status import Status
from memtui.model.versions import Version
from memtui.text.query_completing import Vocabulary

PRESENT = 1_780_000_000_000_000


def engram(name: str, summary: str, **fields: object) -> RecordView:
    """A small record in force."""
    content = Content(summary=summary, valid_from=PRESENT - 3 * DAY, **fields)  # type: ignore[arg-type]
    return RecordView(RecordKey(WORKSPACE, "engram", name), content, "in_force", PRESENT - 2 * DAY, 1)


@dataclass
class FakeMemory:
    """Answers by plain substring; `delay` and `fail` make it slow or broken for chosen queries."""

    records: list[RecordView] = field(default_factory=list)
    delay: Callable[[str], float] = lambda _query: 0.0
    fail: Callable[[str], bool] = lambda _query: False
    vault_name: str = "fake"
    read_only: bool = False
    asked: list[str] = field(default_factory=list)
    recalled: list[tuple[str, str]] = field(default_factory=list)
    snippets_made: int = 0
    load_gate: threading.Event | None = None
    changed: bool = False
    changed_files: int | Callable[[], int] = 0
    looks: int = 0
    syncs: int = 0
    zone: tzinfo = timezone.utc

    def load(self) -> None:
        if self.load_gate is not None:
            self.load_gate.wait(5)

    def refresh(self) -> bool:
        changed, self.changed = self.changed, False
        return changed

    @property
    def readiness(self) -> Readiness:
        return Readiness("none", "no embedder is set")

    def search(self, query, *, k=50, belief=NOW, all=False, semantic=None, **options) -> Found:  # noqa: A002
        self.asked.append(query)
        time.sleep(self.delay(query))
        if self.fail(query):
            raise RuntimeError("the engine broke [/bold]")
        words = re.findall(r"\w+", query.casefold())
        hits = [
            self._hit(record, words)
            for record in self.records
            if (all or record.state == "in_force")
            and words
            and any(w in (record.content.summary or "").casefold() for w in words)
        ]
        return Found(query, tuple(hits[:k]), took_ms=1.2, find_closest=lambda: () if hits else tuple(self._names(3)))

    def _names(self, count: int) -> list[str]:
        return [record.key.name for record in self.records[:count]]

    def _hit(self, record: RecordView, words: list[str]) -> Hit:
        def snip(view: RecordView) -> Snippet:
            self.snippets_made += 1
            text = view.content.summary or ""
            spans = [m.span() for word in words for m in re.finditer(re.escape(word), text.casefold())]
            return Snippet(text, tuple(sorted(spans)), 1)

        def explain() -> Explanation:
            score = total("bm25", *(leaf(word, 1.5) for word in words))
            return product("rank score", score, leaf("recency", 0.97, "3 days old"))

        return Hit(record, score=1.0, rank_score=1.0, coverage=1.0, snip=snip, explain=explain)

    def recent(self, k=50, *, order="recorded", belief=NOW, all=False) -> Listing:  # noqa: A002
        shown = [r for r in self.records if all or r.state == "in_force"]
        return Listing(len(shown), tuple(shown[:k]))

    has_search_provider = False

    @property
    def holds(self) -> bool:
        return False

    def vocabulary(self, *, belief=NOW, all=False) -> Vocabulary:  # noqa: A002
        return Vocabulary(sorted({r.content.area for r in self.records if r.content.area}))

    def show(self, name, *, belief: BeliefState = NOW) -> RecordView:
        for record in self.records:
            if name in (record.key, record.key.name):
                return record
        raise NotFound(f"no memory is called {name}")

    def retentions(self, records: list[RecordView], *, belief: BeliefState = NOW) -> list[float | None]:
        return [0.5 if record.key.kind == "engram" else None for record in records]

    def strength(self, record: RecordView, *, belief: BeliefState = NOW) -> Strength:
        return Strength(0.75, 15.0, record.recorded_at, 2, 3.1)

    def note_recalled(self, keys, cue) -> int:
        self.recalled += [(key.name, cue) for key in keys]
        return len(keys)

    def history(self, key: RecordKey) -> tuple[Version, ...]:
        record = self.show(key)
        return (
            Version(key, 1, PRESENT - 9 * DAY, "remember", "ada", None, replace(record.content, tags=()), "", True, ""),
            Version(key, 2, PRESENT - 2 * DAY, "update", "ada", "clearer", record.content, "", True, ""),
        )

    def _put(self, key: RecordKey, state: str, outcome: str) -> Written:
        at = next(i for i, r in enumerate(self.records) if r.key == key)
        self.records[at] = replace(self.records[at], state=state)  # type: ignore[arg-type]
        return Written(outcome, key, 3, PRESENT)  # type: ignore[arg-type]

    def forget(self, key, *, reason=None) -> Written:
        return self._put(key, "forgotten", "forgotten")

    def revive(self, key) -> Written:
        return self._put(key, "in_force", "revived")

    def stale(self) -> int:
        self.looks += 1
        return self.changed_files() if callable(self.changed_files) else self.changed_files

    def is_store_gone(self) -> bool:
        return False

    def sync(self, progress=None, cancelled=None, *, unasked=False) -> SyncReport:
        self.syncs += 1
        if progress:
            progress(1, 1, "a.md")
        return SyncReport(unchanged=len(self.records))

    def consolidate(self, **options: object) -> Plan:
        return Plan("workspace", 0, 0)

    def status(self, belief: BeliefState = NOW) -> Status:
        live = sum(r.state == "in_force" for r in self.records)
        return Status(
            "/tmp/fake", "fake", "fake.duckdb", {"engram": live}, {"in_force": live}, (), 0, None, "1", live, 0
        )
