"""The reads that look at one memory closely, or back: how it stands, what it was, what changed between two moments."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.memory import reading
from memtui.memory.asking import Moment, belief_state, check_not_future, clamp_limit, instant
from memtui.memory.realms import Realms
from memtui.model.belief import NOW, BeliefState
from memtui.model.instants import Instant
from memtui.model.records import RecordKey
from memtui.model.results import RecordView
from memtui.model.versions import Version
from memtui.search.searcher import Searcher

if TYPE_CHECKING:
    from memtui.model.changes import BeliefDiff, PastTexts
    from memtui.model.details import RecordDetails, Strength
    from memtui.model.proposals import Plan, Proposal
    from memtui.model.reviews import Review


class Retrospect:
    """What single memories are and were, seen from a view's own belief state. Thread-safe."""

    _freshens = False
    """Whether a one-shot read may sync a few changed files first."""

    def __init__(self, realms: Realms, belief: BeliefState = NOW) -> None:
        self._realms = realms
        self._belief = belief
        self.zone = realms.zone

    @property
    def vault(self) -> Path:
        """The vault's folder. Raises VaultNotFound where only personal memories were opened."""
        return self._realms.home.root

    @property
    def vault_name(self) -> str:
        """The label of the vault's partition."""
        return self._realms.home.workspace

    def _asked(
        self, belief: BeliefState | None = None, as_of: Moment | None = None, valid_at: Moment | None = None
    ) -> BeliefState:
        return belief_state(belief, as_of, valid_at, self.zone, otherwise=self._belief)

    def details(
        self,
        name: str | RecordKey,
        *,
        belief: BeliefState | None = None,
        as_of: Moment | None = None,
        valid_at: Moment | None = None,
        personal: bool = False,
    ) -> RecordDetails:
        """One record in full, with how it stands in memory: its fading, and the cues that recalled it.

        Raises NotFound, Ambiguous.
        """
        asked = self._asked(belief, as_of, valid_at)
        realm = self._realms.of(personal)
        with realm.searching() as (searcher, present):
            check_not_future(asked, present)
            record = reading.show_record(searcher, self._resolve(searcher, name, asked, present), asked, present)
            known_at, _ = asked.settle(present)
            strength = searcher.strength(record, known_at) if record.key.kind == "engram" else None
        with realm.ledger.reading() as unit:
            from memtui.memory import histories

            return histories.details_of(unit, record, strength, BeliefState(known_at), realm.readable)

    def strength(self, record: RecordView, *, belief: BeliefState | None = None) -> Strength | None:
        """How a memory of the vault stands by its fading and recalls; None for what does not fade.

        A resident memory answers from what it holds.
        """
        if record.key.kind != "engram":
            return None
        with self._standing(belief) as (searcher, now):
            return searcher.strength(record, now)

    def retentions(self, records: Sequence[RecordView], *, belief: BeliefState | None = None) -> Sequence[float | None]:
        """How present records of the vault are in mind, in (0, 1]; None for what does not fade. Held as `strength`."""
        with self._standing(belief) as (searcher, now):
            return searcher.retentions(records, now)

    def history(
        self,
        name: str | RecordKey,
        *,
        as_of: Moment | None = None,
        valid_at: Moment | None = None,
        personal: bool = False,
    ) -> tuple[Version, ...]:
        """Every version of a record, oldest first, also those under the names its file had before.

        With `as_of` only those recorded by then; with `valid_at` only those that held it true at that moment.
        Raises NotFound, Ambiguous.
        """
        asked = self._asked(None, as_of, valid_at)
        realm = self._realms.of(personal)
        with realm.searching() as (searcher, present):
            check_not_future(asked, present)
            # A record that is known to be gone by then still has the name it was asked by.
            key = self._resolve(searcher, name, BeliefState(asked.known_at), present)
        with realm.ledger.reading() as unit:
            from memtui.memory import histories

            return histories.versions_of(unit, key, asked)

    def consolidate(
        self,
        *,
        as_of: Moment | None = None,
        valid_at: Moment | None = None,
        now: Moment | None = None,
        floor: float | None = None,
        min_idle_days: float | None = None,
        all: bool = False,  # noqa: A002 - the word every door uses
        found: Callable[[Proposal], object] = lambda proposal: None,
        advanced: Callable[[int, int], bool] = lambda done, total: True,
        personal: bool = False,
    ) -> Plan:
        """What a pass over all memories proposes: contradictions, merges, expiries, and what it cannot decide.

        Nothing is applied: `Memory.apply` carries out what a person decides. `now` is the present that fading counts
        to; `floor` and `min_idle_days` stand in for the policy's numbers of letting go; with `all` the memories that
        stay are told too. `found` is told each open proposal at once, `advanced` how many of how many memories were
        compared; where it answers False the pass ends and raises `memtui.model.proposals.Cancelled`.
        """
        from memtui.memory import consolidating

        asked = consolidating.Asked(
            self._asked(None, as_of, valid_at),
            instant(now, self.zone, "now"),
            floor=floor,
            min_idle_days=min_idle_days,
            everything=all,
            catches_up=self._freshens and not self._realms.of(personal).resident,
        )
        return consolidating.consolidate(self._realms, self._realms.of(personal), asked, found=found, advanced=advanced)

    def reviews(self, *, as_of: Moment | None = None, personal: bool = False) -> tuple[Review, ...]:
        """What was decided about proposals, oldest first; with `as_of` what had been by then."""
        known_at = self._asked(None, as_of).known_at
        realm = self._realms.of(personal)
        with realm.ledger.reading() as unit:
            reviews = unit.reviews([realm.partition])
        if known_at is None:
            return tuple(reviews)
        known = [review for review in reviews if review.decided_at <= known_at]
        undone = {review.undoes for review in known}
        return tuple(review if review.seq in undone else replace(review, undone_by=None) for review in known)

    def past_texts(
        self,
        query: str,
        *,
        k: int = 20,
        as_of: Moment | None = None,
        valid_at: Moment | None = None,
        personal: bool = False,
    ) -> PastTexts:
        """Texts that were ever believed and match the query, each with when it was believed; best first."""
        asked = self._asked(None, as_of, valid_at)
        with self._realms.of(personal).searching() as (searcher, present):
            check_not_future(asked, present)
            from memtui.memory import histories

            return histories.search_past(searcher, query, asked, present, limit=clamp_limit(k))

    def diff(
        self,
        a: Moment,
        b: Moment,
        *,
        valid_at: Moment | None = None,
        query: str = "",
        follow: bool = True,
        personal: bool = False,
    ) -> BeliefDiff:
        """What changed in what was believed between two moments of transaction time.

        Each state is asked about its own present, or both about `valid_at`. With a `query`, which may hold filters,
        only what it finds by words at one of the two moments, forgotten or not. With `follow` False a resident memory
        answers from what it holds. Raises InvalidInput for `b` before `a`.
        """
        earlier, later = instant(a, self.zone, "from"), instant(b, self.zone, "to")
        true_at = self._belief.true_at if valid_at is None else instant(valid_at, self.zone, "valid_at")
        realm = self._realms.of(personal)
        held = None if follow else realm.held
        with realm.searching() if held is None else nullcontext((held, realm.present(held))) as (searcher, present):
            check_not_future(BeliefState(earlier), present, "from")
            check_not_future(BeliefState(later), present, "to")
            from memtui.memory import histories

            among = None if not query.strip() else self._found_at((earlier, later), true_at, query, searcher, present)
            return histories.belief_diff(searcher, earlier, later, true_at, among)

    def _found_at(
        self, moments: Sequence[Instant], true_at: Instant | None, query: str, searcher: Searcher, present: Instant
    ) -> set[int]:
        """The records, by number, that a query finds at any of some moments of transaction time."""
        from memtui.memory.requesting import search_request

        found: set[int] = set()
        for known_at in moments:
            belief = BeliefState(known_at, true_at)
            request = search_request(query, belief, self.zone, k=1, everything=True)
            found |= searcher.matching(request, present)
        return found

    @contextmanager
    def _standing(self, belief: BeliefState | None) -> Generator[tuple[Searcher, Instant]]:
        realm = self._realms.of(personal=False)
        if (held := realm.held) is not None:
            yield held, self._asked(belief).settle(realm.present(held))[0]
            return
        with realm.searching() as (searcher, present):
            yield searcher, self._asked(belief).settle(present)[0]

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
            return reading.admit(searcher, name, belief, present)
        return reading.resolved(searcher, name, belief, present, forgotten=forgotten)
