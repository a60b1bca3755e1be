"""Answers to searches: by words first, by meaning too where that can change them, and honest about what ran."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

from memtui.clock import monotonic_ms
from memtui.errors import EmbedderUnavailable, InvalidInput, ProviderUnavailable, Refused, StoreBusy, StoreUnreadable
from memtui.log import survived
from memtui.memory import reading
from memtui.memory.asking import check_not_future
from memtui.memory.embedders import NO_EMBEDDER, NOTHING_EMBEDDED, not_semantic
from memtui.memory.embedding import MOST_CAUGHT_UP, catch_up
from memtui.memory.realm import Realm
from memtui.memory.realms import Realms
from memtui.model.explanation import DECIDED
from memtui.model.instants import Instant
from memtui.model.results import Found
from memtui.search.request import SearchRequest
from memtui.search.searcher import Searcher
from memtui.store.vectors import Space

if TYPE_CHECKING:
    from memtui.embedding.names import Chosen


class _Share(NamedTuple):
    """How many of the texts are embedded in a space."""

    texts: int
    embedded: int
    trouble: str | None = None
    """What is wrong with the store's vectors, where it has none that can be read."""

    @property
    def waiting(self) -> int:
        """How many texts are not embedded."""
        return max(0, self.texts - self.embedded)

    def __str__(self) -> str:
        # Never told to be all while one waits.
        return f"{min(99, 100 * self.embedded // max(1, self.texts))}% embedded"


class _Look(NamedTuple):
    """One answer, whether words alone decide its first place, and how much could be compared."""

    found: Found
    decided: bool
    share: _Share


class Freshness(Enum):
    """How new the answer of a read is to be."""

    HELD = auto()
    """From what a resident realm holds already: someone else follows the store."""
    FOLLOWED = auto()
    """From the store as it is now; it is only told how many files changed since."""
    SYNCED = auto()
    """As FOLLOWED, and a few changed files are read first."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How a request is to be answered.

    With `semantic` None meaning has a say where something is embedded; in a one-shot command only where words
    leave the first place open, for there the model must be loaded first. With True it has one always, or the answer
    is degraded and says why. `takes_along` lets the newest of what is not embedded be embedded first, a little.
    """

    semantic: bool | None
    fresh: Freshness
    takes_along: bool = False


def answer(realms: Realms, realm: Realm, request: SearchRequest, manner: Manner) -> Found:
    """The answer to a request, with the time it took in all. Never raises on any query text."""
    began = monotonic_ms()
    found = _ranked(realms, realm, request, manner)
    return replace(found, took_ms=monotonic_ms() - began)


def _ranked(realms: Realms, realm: Realm, request: SearchRequest, manner: Manner) -> Found:
    provider = realms.provider
    if provider is None or manner.semantic is False or not request.asks_by_words:
        return _own(realms, realm, request, manner)
    try:
        provided = provider.ranking(request, realm.readable)
    except ProviderUnavailable as error:
        survived("the registered search engine did not answer", error)
        return _degraded(_own(realms, realm, request, manner), error.message)
    found = _look(realms, realm, replace(request, provided=provided), fresh=manner.fresh).found
    return replace(found, reason="; ".join(filter(None, (f"ranked by {provided.name}", found.reason))))


def _own(realms: Realms, realm: Realm, request: SearchRequest, manner: Manner) -> Found:
    """The answer of memtui's own planes."""
    if manner.semantic is False or not request.asks_by_words:
        return _look(realms, realm, request, fresh=manner.fresh).found
    try:
        choice, space = _asked_of(realms)
        return _with_meaning(realms, realm, request, choice, space, manner)
    except EmbedderUnavailable as error:  # words always answer
        survived("the search went by words", error)
        return _degraded(_look(realms, realm, request, fresh=manner.fresh).found, error.message)


def _asked_of(realms: Realms) -> tuple[Chosen | None, Space | None]:
    """What is set to tell meanings, and the space it does so in. Raises EmbedderUnavailable."""
    try:
        return realms.meanings.asked()
    except InvalidInput as error:  # a name that no embedder has
        raise EmbedderUnavailable(error.message, hint=error.hint) from error


def _with_meaning(
    realms: Realms,
    realm: Realm,
    request: SearchRequest,
    choice: Chosen | None,
    space: Space | None,
    manner: Manner,
) -> Found:
    """The answer with as much meaning as is there and asked for. Raises EmbedderUnavailable."""
    semantic, fresh = manner.semantic, manner.fresh

    def by_words() -> Found:
        return _look(realms, realm, request, space, fresh=fresh).found

    if choice is None:
        return _by_words(by_words(), NO_EMBEDDER, semantic)
    if space is not None:
        realm.hold_vectors(space)
    # What is held tells at once how much is embedded; a one-shot command has to look anyway whether words decide.
    look = None if realm.resident else _look(realms, realm, request, space, fresh=fresh)
    share = _share_held(realm, space, fresh) if look is None else look.share
    takes_along = manner.takes_along and not realm.ledger.read_only
    can_help = share.embedded or (takes_along and share.waiting <= MOST_CAUGHT_UP)
    if space is not None and not can_help:
        told = by_words() if look is None else look.found
        if share.trouble is not None:
            return _degraded(told, f"answered by words: {share.trouble}")
        return _by_words(told, f"answered by words: {NOTHING_EMBEDDED}", semantic)
    if semantic is None and look is not None and look.decided:
        return replace(look.found, reason=look.found.reason or DECIDED)
    meaning = realms.meanings.of(request.words)
    if takes_along and (space is None or share.waiting):
        _catch_up(realms, realm, meaning.space)
    again = Freshness.HELD if fresh is Freshness.HELD else Freshness.FOLLOWED
    realm.hold_vectors(meaning.space)
    stale = None if look is None else look.found.stale
    look = _look(realms, realm, replace(request, meaning=meaning), meaning.space, fresh=again, stale=stale)
    if look.found.plane != "hybrid":
        return _by_words(look.found, f"answered by words: {NOTHING_EMBEDDED}", semantic)
    if not choice.semantic:
        return _degraded(replace(look.found, semantic=False), not_semantic(choice.model_id))
    if look.share.waiting:
        return replace(look.found, reason=look.found.reason or str(look.share))
    return look.found


def _share_held(realm: Realm, space: Space | None, fresh: Freshness) -> _Share:
    """How much of what a resident realm holds is embedded."""
    held = realm.held if fresh is Freshness.HELD else None
    if held is not None and (space is None or held.corpus.dense(space) is not None):
        return _share_of(held, space)
    with realm.searching() as (searcher, _):
        return _share_of(searcher, space)


def _share_of(searcher: Searcher, space: Space | None) -> _Share:
    if space is None:
        return _Share(len(searcher.corpus.lengths.text_id), 0)
    embedded = searcher.corpus.embedded(space)
    held = None if embedded else searcher.corpus.dense(space)
    return _Share(len(searcher.corpus.lengths.text_id), embedded, None if held is None else held.trouble)


def _catch_up(realms: Realms, realm: Realm, space: Space) -> None:
    """Embed the newest of what waits, so that what was remembered a moment ago is found by meaning too."""
    try:
        catch_up(realm, space, realms.meanings.passages)
    except (StoreBusy, StoreUnreadable, Refused) as error:
        survived("nothing was embedded before the answer", error)


def _by_words(found: Found, why: str, semantic: bool | None) -> Found:
    """By words, as good as it gets: degraded only for who asked for meaning."""
    return _degraded(found, why) if semantic else found


def _degraded(found: Found, why: str) -> Found:
    return replace(found, degraded=True, reason="; ".join(filter(None, (why, found.reason))))


def _look(
    realms: Realms,
    realm: Realm,
    request: SearchRequest,
    space: Space | None = None,
    *,
    fresh: Freshness,
    stale: int | None = None,
) -> _Look:
    """One answer, and how much of what there is could be compared in a space.

    `stale` is how many files are newer, where a look just before has counted them.
    """

    def ask(searcher: Searcher, present: Instant) -> _Look:
        check_not_future(request.belief, present)
        found, decided = reading.find(searcher, request, present, realms.zone)
        if not realm.resident:
            near, unheld = found.closest, found.unheld  # the store is closed when this unit ends
            found = replace(found, find_closest=lambda: near, find_unheld=lambda: unheld)
        return _Look(found, decided, _share_of(searcher, space))

    def told(look: _Look, stale: int) -> _Look:
        return look._replace(found=replace(look.found, stale=stale))

    held = realm.held if fresh is Freshness.HELD else None
    if held is not None and (space is None or held.corpus.dense(space) is not None):
        return ask(held, realm.present(held))
    if stale is not None:
        with realm.searching() as (searcher, present):
            return told(ask(searcher, present), stale)
    return realms.fresh(realm, ask, told, sync=fresh is Freshness.SYNCED)
