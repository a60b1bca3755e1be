"""Association: memories that answer to the circumstances of a cue, and those they bring along.

Ecphory joins after calibration and never above half of the best: it can rescue a memory from the far end of a
list or add one that shares no word, and can never displace what the words decide (spec page 3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo

import numpy as np
from numpy.typing import NDArray

from memtui.cognition.ecphory import (
    Cue,
    Ecphory,
    Encoded,
    adjusted,
    direct_hits,
    ecphory,
    ecphory_relevance,
    neighbours,
)
from memtui.cognition.memory_types import time_of_day
from memtui.model.explanation import Explanation, leaf, least, product
from memtui.model.instants import Instant, to_datetime
from memtui.model.versions import Version
from memtui.search.corpus import Corpus
from memtui.search.lexical import LexicalMatch
from memtui.search.mask import BeliefMask
from memtui.search.policy import RankingPolicy
from memtui.store.columns import KIND_CODE

_ENGRAM = KIND_CODE["engram"]
_MOST_ENCODINGS = 1_024
"""Some megabytes; more than the memories that the searches of a query being typed look at."""


@dataclass(frozen=True, slots=True)
class Association:
    """Why one engram is associated with a cue: by its own context, or by way of another memory."""

    score: float
    ecphory: Ecphory | None
    via: str | None = None

    def relevance(self, policy: RankingPolicy) -> float:
        """What it counts for beside calibrated relevance, in [0, weight]."""
        return ecphory_relevance(self.score, policy.memory)

    def explain(self, policy: RankingPolicy) -> Explanation:
        """The tree of that number."""
        own = leaf("by way of", self.score, detail=self.via)
        if self.ecphory is not None:
            own = self.ecphory.explanation()
        capped = least("at most 1", own, leaf("one", 1.0))
        return product("association", leaf("weight", policy.memory.ecphory_share), capped)


class Encodings:
    """What cues are compared with, by version: kept, because the next keystroke asks about the same memories."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, int], Encoded] = {}

    def of(self, version: Version) -> Encoded:
        """What of this version a cue is compared with."""
        number = (version.key.partition, version.seq)
        encoded = self._kept.get(number)
        if encoded is None:
            if len(self._kept) >= _MOST_ENCODINGS:
                self._kept = {}
            encoded = self._kept[number] = Encoded.of(version.content)
        return encoded


def cue_of(query: str, *, tags: Sequence[str], now: Instant, zone: tzinfo) -> Cue:
    """The cue a query gives: its words, the topics asked for, the time of day in the reader's zone.

    An area that is asked for is a filter: it admits memories and says nothing more about them.
    """
    hour = to_datetime(now).astimezone(zone).hour
    return Cue(query=query, co_topics=tuple(tags), time_of_day=time_of_day(hour))


def associate(
    corpus: Corpus,
    mask: BeliefMask,
    match: LexicalMatch,
    cue: Cue,
    *,
    now: Instant,
    policy: RankingPolicy,
    admits: Callable[[Version], bool] | None,
    encodings: Encodings,
) -> dict[int, Association]:
    """Index row → association, for the engrams under the mask that answer to the cue or are linked to one that does.

    Only what `admits` lets pass (None: everything) is looked at: what a filter leaves out takes no one's place.
    """
    compared = list(_compared(corpus, mask, match, policy, admits))
    own = {version.key.name: ecphory(encodings.of(version), cue, policy=policy.memory) for _, version in compared}
    place = {version.key.name: (text_id, version) for text_id, version in compared}
    direct = direct_hits({name: score.score for name, score in own.items()}, policy.memory)
    scored = {name: _adjusted(own[name], place[name][1], now, policy) for name in direct}
    found = {place[name][0]: Association(scored[name].score, scored[name]) for name in direct}
    links = {name: place[name][1].content.homophonic_links for name in direct}
    targets = {link.target_name for linked in links.values() for link in linked} - set(direct)
    if targets:
        rows = _text_of_names(corpus, mask, targets, admits)
        links = {name: [link for link in linked if link.target_name in rows] for name, linked in links.items()}
        for neighbour in neighbours({name: scored[name].score for name in direct}, links, policy.memory):
            found.setdefault(rows[neighbour.name], Association(neighbour.score, None, neighbour.via))
    return found


def _adjusted(own: Ecphory, version: Version, now: Instant, policy: RankingPolicy) -> Ecphory:
    return adjusted(own, version.content, recorded_at=version.recorded_at, now=now, policy=policy.memory)


def _compared(
    corpus: Corpus,
    mask: BeliefMask,
    match: LexicalMatch,
    policy: RankingPolicy,
    admits: Callable[[Version], bool] | None,
) -> Iterator[tuple[int, Version]]:
    """The engrams that share a word with the query; of very many those that hold most of it."""
    candidates = match.candidates[match.score[match.candidates] > 0]
    candidates = candidates[corpus.columns.kind[mask.row_of_text[candidates]] == _ENGRAM]
    most = policy.most_compared
    if len(candidates) > most:
        candidates = candidates[np.lexsort((candidates, -match.score[candidates], -match.coverage[candidates]))]
    taken = 0
    for start in range(0, len(candidates), most):
        text_ids = candidates[start : start + most]
        for text_id, version in _admitted(corpus, mask, text_ids, admits):
            if taken == most:
                return
            taken += 1
            yield text_id, version


def _admitted(
    corpus: Corpus, mask: BeliefMask, text_ids: NDArray[np.int64], admits: Callable[[Version], bool] | None
) -> Iterator[tuple[int, Version]]:
    versions = corpus.versions(mask.row_of_text[text_ids].tolist())
    for text_id, version in zip(text_ids.tolist(), versions, strict=True):
        if admits is None or admits(version):
            yield text_id, version


def _text_of_names(
    corpus: Corpus, mask: BeliefMask, names: Iterable[str], admits: Callable[[Version], bool] | None
) -> Mapping[str, int]:
    """The visible index row of each named engram that passes."""
    wanted = set(names)
    numbers = [number for number, key, _ in corpus.find(sorted(wanted)) if key.kind == "engram" and key.name in wanted]
    visible = np.flatnonzero(mask.visible)
    records = corpus.columns.record[mask.row_of_text[visible]]
    visible = visible[np.isin(records, numbers)]
    return {version.key.name: text_id for text_id, version in _admitted(corpus, mask, visible, admits)}
