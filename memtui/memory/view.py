"""The reads: what was believed, at one belief state. They never write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.errors import Refused
from memtui.memory import answering, reading
from memtui.memory.answering import Freshness, Manner
from memtui.memory.asking import Moment, check_not_future, clamp_limit, kinds_of
from memtui.memory.requesting import search_request
from memtui.memory.retrospect import Retrospect
from memtui.model.belief import NOW, BeliefState
from memtui.model.instants import Instant
from memtui.model.records import RecordKey
from memtui.model.results import Found, Fusion, Listing, Order, RecordView
from memtui.search.request import SearchRequest
from memtui.search.searcher import Searcher

if TYPE_CHECKING:
    from memtui.model.duplicates import Dedup
    from memtui.model.outcomes import Exported
    from memtui.model.status import Status
    from memtui.search.census import Census
    from memtui.search.chronicle import Chronicle
    from memtui.text.query_completing import Vocabulary


class View(Retrospect):
    """What a vault's memory, or a person's with `personal`, holds at one belief state. Thread-safe.

    `as_of` asks what was believed then (transaction time), `valid_at` what was true then (world time);
    an instant is an aware datetime or ISO text. Without them a read is asked at this view's own belief
    state. A personal read sees that person's memories and their base, and nothing of any vault.
    """

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
        fusion: Fusion = "adaptive",
        order: Order = "relevance",
        all: bool = False,  # noqa: A002 - the word every door uses
        follow: bool = True,
        personal: bool = False,
    ) -> Found:
        """The best records for a query. Never writes and never raises on any query text.

        The query may hold filters, "exact phrases" and -words (`memtui.text.query_language`); they and the arguments
        must all hold. One of nothing but filters, or `*`, gives what passes, newest first. What could not be applied
        is named in `ignored_filters`.

        The same as `recall`, but what was recalled before has no say in the order. By words, and by meaning where
        something is embedded; with `semantic` True always by both, or degraded with the reason, with False by words
        alone. `order` sorts all hits before the best `k` are taken. `now` is the present for recency and fading only.
        With `follow` False a resident memory answers from what it holds, by words unless `semantic` is True: the
        screen's way while typing, where another worker follows the store.
        """
        asked = self._asked(belief, as_of, valid_at)
        request = search_request(
            query, asked, self.zone, k=k, kinds=kinds, area=area, tags=tags, now=now, order=order, everything=all
        )
        realm = self._realms.of(personal)
        request = replace(request, ecphory=follow, fusion=fusion)
        manner = Manner(semantic, Freshness.FOLLOWED) if follow else Manner(bool(semantic), Freshness.HELD)
        return answering.answer(self._realms, realm, request, manner)

    def recall(
        self,
        query: str,
        *,
        k: int = 5,
        kinds: Sequence[str] | str | None = None,
        area: str | None = None,
        tags: Sequence[str] | None = None,
        as_of: Moment | None = None,
        valid_at: Moment | None = None,
        now: Moment | None = None,
        semantic: bool | None = None,
        fusion: Fusion = "adaptive",
        order: Order = "relevance",
        all: bool = False,  # noqa: A002
        reconsolidate: bool = True,
        personal: bool = False,
    ) -> Found:
        """The best records for a cue; what is recalled often fades more slowly. Never raises on any query text.

        With `reconsolidate` a memory at its present records one recall event for each engram among the hits;
        a view of the past is read-only and records none. A memory at its present first embeds a few of the newest
        texts that wait (at most 32 chunks, within 300 ms of the model's being loaded).
        """
        asked = self._asked(None, as_of, valid_at)
        request = search_request(
            query, asked, self.zone, k=k, kinds=kinds, area=area, tags=tags, now=now, order=order, everything=all
        )
        request = replace(request, ecphory=True, counts_recalls=True, fusion=fusion)
        present = self._freshens and request.belief == NOW
        manner = Manner(semantic, Freshness.SYNCED if present else Freshness.FOLLOWED, takes_along=present)
        found = answering.answer(self._realms, self._realms.of(personal), request, manner)
        if reconsolidate:
            self.reconsolidate(found, personal=personal)
        return found

    def reconsolidate(self, found: Found, *, personal: bool = False) -> int:
        """Record that the engrams of an answer were recalled; how many were: none here, a view never writes."""
        del found, personal
        return 0

    def vocabulary(
        self,
        *,
        belief: BeliefState | None = None,
        all: bool = False,  # noqa: A002
        personal: bool = False,
    ) -> Vocabulary:
        """The areas, tags and predicates that a query may be completed with (`memtui.text.query_completing`).

        Reads every record in sight: for a worker, and once for each state of the store.
        """
        from memtui.search.vocabulary import vocabulary_of

        asked = self._asked(belief)
        with self._realms.of(personal).searching() as (searcher, present):
            check_not_future(asked, present)
            return vocabulary_of(searcher.corpus, searcher.mask(asked, present, everything=all))

    def recent(
        self,
        k: int = 50,
        *,
        order: Order = "recorded",
        belief: BeliefState | None = None,
        all: bool = False,  # noqa: A002
        personal: bool = False,
    ) -> Listing:
        """What was recorded last, newest first; or what comes first in another order."""
        asked = self._asked(belief)
        with self._realms.of(personal).searching() as (searcher, present):
            check_not_future(asked, present)
            request = SearchRequest("", belief=asked, everything=all)
            return reading.list_records(searcher, request, present, limit=k, order=order)

    def list(
        self,
        *,
        kinds: Sequence[str] | str | None = None,
        area: str | None = None,
        tags: Sequence[str] | None = None,
        all: bool = False,  # noqa: A002
        limit: int | None = None,
        offset: int = 0,
        belief: BeliefState | None = None,
        as_of: Moment | None = None,
        valid_at: Moment | None = None,
        personal: bool = False,
    ) -> Listing:
        """Records without scores, by kind and name: in force only, unless `all`."""
        asked = self._asked(belief, as_of, valid_at)
        request = SearchRequest(
            "", belief=asked, kinds=kinds_of(kinds), area=area, tags=tuple(tags or ()), everything=all
        )

        def find(searcher: Searcher, present: Instant) -> Listing:
            check_not_future(asked, present)
            return reading.list_records(searcher, request, present, limit=limit, offset=offset)

        realm = self._realms.of(personal)
        return self._realms.fresh(
            realm, find, lambda found, stale: replace(found, stale=stale), sync=self._freshens and asked == NOW
        )

    def show(
        self,
        name: str | RecordKey,
        *,
        belief: BeliefState | None = None,
        as_of: Moment | None = None,
        valid_at: Moment | None = None,
        personal: bool = False,
    ) -> RecordView:
        """One record as it stands in a belief state. Raises NotFound, Ambiguous."""
        asked = self._asked(belief, as_of, valid_at)
        with self._realms.of(personal).searching() as (searcher, present):
            check_not_future(asked, present)
            key = self._resolve(searcher, name, asked, present)
            return reading.show_record(searcher, key, asked, present)

    def chronicle(self) -> Chronicle:
        """The history of all that a resident memory of the vault holds: what moving through time needs.

        Raises Refused where nothing is held: one-shot reads ask for one belief state each.
        """
        chronicle = self._realms.of(personal=False).chronicle
        if chronicle is None:
            raise Refused("no history is held here", hint="open the memory resident, and load it first")
        return chronicle

    @property
    def holds(self) -> bool:
        """Whether a resident memory has read the vault's store."""
        return self._realms.of(personal=False).held is not None

    def present(self) -> Instant:
        """The present of both clocks, for what a resident memory of the vault holds. Raises Refused as `chronicle`."""
        realm = self._realms.of(personal=False)
        if realm.held is None:
            raise Refused("no history is held here", hint="open the memory resident, and load it first")
        return realm.present(realm.held)

    def status(
        self,
        belief: BeliefState | None = None,
        *,
        as_of: Moment | None = None,
        valid_at: Moment | None = None,
        personal: bool = False,
    ) -> Status:
        """Counts, health and freshness."""
        from memtui.memory.health import status_of

        asked = self._asked(belief, as_of, valid_at)
        return status_of(self._realms, self._realms.of(personal), asked)

    def census(self, belief: BeliefState | None = None, *, personal: bool = False) -> Census:
        """How many records there are of what, since when, and how present the fading ones are in mind."""
        from memtui.search.census import census_of

        asked = self._asked(belief)
        with self._realms.of(personal).searching() as (searcher, present):
            check_not_future(asked, present)
            return census_of(searcher, *asked.settle(present))

    def stale(self, *, personal: bool = False) -> int:
        """How many files differ, by size and time, from what the last sync saw."""
        realm = self._realms.of(personal)
        return self._realms.stale(realm, realm.file_stats())

    def export(
        self,
        path: Path | str,
        *,
        as_of: Moment | None = None,
        valid_at: Moment | None = None,
        force: bool = False,
        personal: bool = False,
    ) -> Exported:
        """Write the whole ledger, as it stood at `as_of`, as JSON lines that `import_` can replay.

        Raises Refused for a file that is there already (without `force`), and for a world time: a ledger has none.
        """
        from memtui.memory import interchanging

        asked = self._asked(None, as_of, valid_at)
        realm = self._realms.of(personal)
        with realm.searching() as (searcher, present):
            check_not_future(asked, present)
            del searcher
        return interchanging.export_ledger(realm, Path(path), asked, force=force)

    def dedup(
        self,
        candidate: str | Path,
        *,
        kinds: Sequence[str] | str | None = None,
        k: int = 5,
        if_present: bool = False,
        personal: bool = False,
    ) -> Dedup:
        """Whether a text is as good as known: MERGE, REVIEW or CREATE, with the records in force nearest to it.

        `candidate` is the text, markdown or plain, or a path whose file is read; a file's own record is left out. By
        meaning where the vault is embedded, else by words; with `if_present` by meaning or not at all. It advises,
        writes nothing and asks nobody. Raises InvalidInput for what cannot be read or says nothing.
        """
        from memtui.memory.candidate import read_candidate
        from memtui.memory.dedup import dedup
        from memtui.memory.nearest import Asked

        realm = self._realms.of(personal)
        asked = Asked(self._belief, kinds_of(kinds), clamp_limit(k))
        return dedup(self._realms, realm, read_candidate(realm, candidate), asked, if_present=if_present)
