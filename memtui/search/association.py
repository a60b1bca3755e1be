"""Association: memories that answer to the circumstances of a cue, and those they bring along.

Ecphory joins after calibration and never above half of the best: it can rescue a memory from the far end of a
list or add one that shares no word, and can never displace what the words decide (spec page 3).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo

import numpy as np
from numpy.typing import NDArray

from memtui.cognition.ecphory import Cue, Ecphory, adjusted, direct_hits, ecphory, neighbours
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


@dataclass(frozen=True, slots=True)
class Association:
    """Why one engram is associated with a cue: by its own context, or by way of another memory."""

    score: float
    ecphory: Ecphory | None
    via: str | None = None

    def relevance(self, policy: RankingPolicy) -> float:
        """What it counts for beside calibrated relevance, in [0, weight]."""
        return policy.memory.ecphory_share * min(1.0, self.score)

    def explain(self, policy: RankingPolicy) -> Explanation:
        """The tree of that number."""
        own = leaf("by way of", self.score, detail=self.via)
        if self.ecphory is not None:
            own = self.ecphory.explanation()
        capped = least("at most 1", own, leaf("one", 1.0))
        return product("association", leaf("weight", policy.memory.ecphory_share), capped)


def cue_of(query: str, *, tags: Sequence[str], now: Instant, zone: tzinfo) -> Cue:
    """The cue a query gives: its words, the topics asked for, the time of day in the reader's zone.

    An area that is asked for is a filter: it admits memories and says nothing more about them.
    """
    hour = to_datetime(now).astimezone(zone).hour
    return Cue(query=query, co_topics=tuple(tags), time_of_day=time_of_day(hour))


def associate(
    corpus: Corpus, mask: BeliefMask, match: LexicalMatch, cue: Cue, *, now: Instant, policy: RankingPolicy
) -> dict[int, Association]:
    """Index row → association, for the engrams under the mask that answer to the cue or are linked to one that does."""
    text_ids = _compared(corpus, mask, match, policy)
    if not len(text_ids):
        return {}
    versions = corpus.versions(mask.row_of_text[text_ids].tolist())
    own = {v.key.name: ecphory(v.content, cue, policy=policy.memory) for v in versions}
    place = {v.key.name: (text_id, v) for text_id, v in zip(text_ids.tolist(), versions, strict=True)}
    direct = direct_hits({name: score.score for name, score in own.items()}, policy.memory)
    scored = {name: _adjusted(own[name], place[name][1], now, policy) for name in direct}
    found = {place[name][0]: Association(scored[name].score, scored[name]) for name in direct}
    links = {name: place[name][1].content.homophonic_links for name in direct}
    if any(links.values()):
        near = neighbours({name: scored[name].score for name in direct}, links, policy.memory)
        rows = _text_of_names(corpus, mask, [neighbour.name for neighbour in near])
        for neighbour in near:
            text_id = rows.get(neighbour.name)
            if text_id is not None and text_id not in found:
                found[text_id] = Association(neighbour.score, None, neighbour.via)
    return found


def _adjusted(own: Ecphory, version: Version, now: Instant, policy: RankingPolicy) -> Ecphory:
    return adjusted(own, version.content, recorded_at=version.recorded_at, now=now, policy=policy.memory)


def _compared(corpus: Corpus, mask: BeliefMask, match: LexicalMatch, policy: RankingPolicy) -> NDArray[np.int64]:
    """The engrams that share a word with the query; of very many those that hold most of it."""
    candidates = match.candidates[match.score[match.candidates] > 0]
    candidates = candidates[corpus.columns.kind[mask.row_of_text[candidates]] == _ENGRAM]
    if len(candidates) <= policy.most_compared:
        return candidates
    order = np.lexsort((candidates, -match.score[candidates], -match.coverage[candidates]))
    return candidates[order[: policy.most_compared]]


def _text_of_names(corpus: Corpus, mask: BeliefMask, names: Sequence[str]) -> Mapping[str, int]:
    """The visible index row of each named engram."""
    wanted = set(names)
    numbers = {number: key.name for number, key, _ in corpus.names() if key.kind == "engram" and key.name in wanted}
    visible = np.flatnonzero(mask.visible)
    records = corpus.columns.record[mask.row_of_text[visible]]
    found: dict[str, int] = {}
    for number, name in sorted(numbers.items()):
        for text_id in visible[records == number].tolist():
            found.setdefault(name, text_id)
    return found
