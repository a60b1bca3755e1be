"""Ecphory: how far a cue meets the circumstances in which a memory was encoded (spec page 3).

    sum = max(area, phrase, words, cosine) + co-topics + shared source + affect + time of day
    direct hits: sum ≥ 0.30, the best 8; then freshness and sureness are added
    neighbours: what direct hits link to, score × 0.7 × resonance, the best 6

Nothing here depends on recall events: a memory that was recalled must never score below itself unrecalled.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from memtui.cognition.overlap import folded, jaccard, words
from memtui.cognition.policy import DEFAULT_MEMORY_POLICY, MemoryPolicy
from memtui.model.explanation import Explanation, greatest, leaf, total
from memtui.model.instants import Instant
from memtui.model.records import Content, EncodingContext, HomophonicLink

_NOWHERE = EncodingContext()
_NEUTRAL = "neutral"
_GENERAL = frozenset({"general"})
"""The area of a memory about nothing in particular: only who asks for just that means it."""


@dataclass(frozen=True, slots=True)
class Cue:
    """What is asked, and the circumstances it is asked in.

    Where an `area` is given (inferred, or named by who asks), content is what meets the area: it takes the
    place of the query, which the search itself already answers.
    """

    query: str
    area: str | None = None
    co_topics: tuple[str, ...] = ()
    source_refs: tuple[str, ...] = ()
    affect: str | None = None
    time_of_day: str | None = None

    @property
    def aim(self) -> str:
        """The text that content is compared with, without blanks around it."""
        return (self.area or "").strip() or self.query.strip()


class Part(NamedTuple):
    """One named part of a score, greater than 0."""

    label: str
    value: float
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class Ecphory:
    """How far a cue meets a memory: the best of `content`, and all of the rest, make the `score`."""

    score: float
    content: tuple[Part, ...]
    """Alternatives, of which the greatest counts."""
    circumstances: tuple[Part, ...]
    adjustments: tuple[Part, ...] = ()

    @classmethod
    def of(
        cls, content: tuple[Part, ...], circumstances: tuple[Part, ...], adjustments: tuple[Part, ...] = ()
    ) -> Ecphory:
        """The result these parts make."""
        best = max((part.value for part in content), default=0.0)
        score = math.fsum((best, *(part.value for part in (*circumstances, *adjustments))))
        return cls(score, content, circumstances, adjustments)

    def explanation(self) -> Explanation:
        """The tree that makes the score."""
        rest = [leaf(*part) for part in (*self.circumstances, *self.adjustments)]
        best = [greatest("content", *(leaf(*part) for part in self.content))] if self.content else []
        return total("ecphory", *best, *rest)


def ecphory(
    content: Content, cue: Cue, *, cosine: float | None = None, policy: MemoryPolicy = DEFAULT_MEMORY_POLICY
) -> Ecphory:
    """The partial match of a cue and a memory, before adjustments.

    The encoding context speaks first; area, source refs and affect fall back on the memory's own fields where
    it is silent. `cosine` is that of query and memory, None where there are no vectors.
    """
    context = content.encoding_context or _NOWHERE
    return Ecphory.of(
        tuple(part for part in _content_parts(content, context, cue, cosine, policy) if part.value > 0),
        tuple(part for part in _circumstances(content, context, cue, policy) if part.value > 0),
    )


def _content_parts(
    content: Content, context: EncodingContext, cue: Cue, cosine: float | None, policy: MemoryPolicy
) -> list[Part]:
    asked = words(cue.aim)
    overlap = _area_overlap(asked, words(context.area or content.area))
    parts = [Part("area", policy.area_weight * overlap, detail=f"overlap {overlap:.2f}")]
    texts = [_one_line(text) for text in (content.title, content.summary, content.body) if text]
    if asked:
        phrase = _one_line(cue.aim)
        if any(phrase in text for text in texts):
            parts.append(Part("phrase", policy.phrase_weight))
        elif all(any(word in text for text in texts) for word in asked) and asked <= words(" ".join(texts)):
            parts.append(Part("all words", policy.words_weight))
    if cosine is not None:
        parts.append(Part("meaning", policy.cosine_weight * min(1.0, cosine), detail=f"cosine {cosine:.3f}"))
    return parts


def _circumstances(content: Content, context: EncodingContext, cue: Cue, policy: MemoryPolicy) -> list[Part]:
    topics = jaccard(_plain(cue.co_topics), _plain(context.co_topics))
    sources = set(cue.source_refs) & set(context.source_refs or content.source_refs)
    mood = folded(cue.affect or _NEUTRAL).strip()
    same_mood = mood != _NEUTRAL and mood == folded(context.affect or content.affect or _NEUTRAL).strip()
    hour = folded(cue.time_of_day or "").strip()
    same_hour = bool(hour) and hour == folded(context.time_of_day or "").strip()
    return [
        Part("co-topics", policy.co_topics_weight * topics, detail=f"overlap {topics:.2f}"),
        Part("shared source", policy.source_ref_weight if sources else 0.0, detail=min(sources, default=None)),
        Part("same affect", policy.affect_weight if same_mood else 0.0, detail=mood),
        Part("same time of day", policy.time_of_day_weight if same_hour else 0.0, detail=hour),
    ]


def _area_overlap(asked: frozenset[str], area: frozenset[str]) -> float:
    """1 where one contains the other, else their Jaccard."""
    if not asked or not area or (area == _GENERAL and asked != _GENERAL):
        return 0.0
    return 1.0 if asked <= area or area <= asked else jaccard(asked, area)


def _one_line(text: str) -> str:
    return " ".join(folded(text).split())


def _plain(topics: Sequence[str]) -> set[str]:
    return {topic for given in topics if (topic := folded(given).strip())}


def adjusted(
    ecphory: Ecphory,
    content: Content,
    *,
    recorded_at: Instant,
    now: Instant,
    policy: MemoryPolicy = DEFAULT_MEMORY_POLICY,
) -> Ecphory:
    """The same with what being fresh (within 24 hours of `recorded_at`) and being sure add."""
    parts: list[Part] = []
    if 0 <= now - recorded_at <= policy.fresh_within:
        parts.append(Part("fresh", policy.freshness))
    confidence = content.confidence
    sure = confidence.casefold() == "burning" if isinstance(confidence, str) else (confidence or 0) >= policy.sure_from
    if sure:
        parts.append(Part("sure", policy.sureness, detail=f"confidence {confidence}"))
    return Ecphory.of(ecphory.content, ecphory.circumstances, tuple(parts))


def direct_hits(scores: Mapping[str, float], policy: MemoryPolicy = DEFAULT_MEMORY_POLICY) -> list[str]:
    """Names whose score before adjustments reaches the floor, at most 8: best first, then by name."""
    reached = [name for name, score in scores.items() if score >= policy.direct_floor]
    return sorted(reached, key=lambda name: (-scores[name], name))[: policy.most_direct]


class Neighbour(NamedTuple):
    """A memory that a direct hit links to."""

    name: str
    score: float
    via: str
    """The direct hit it came from."""


def neighbours(
    direct: Mapping[str, float],
    links: Mapping[str, Sequence[HomophonicLink]],
    policy: MemoryPolicy = DEFAULT_MEMORY_POLICY,
) -> list[Neighbour]:
    """What the direct hits link to and is no direct hit itself, at most 6: best first, then by name.

    `direct` holds the scores the direct hits ended with, `links` the links of each. A memory linked more than
    once comes by the link that gives it most.
    """
    best: dict[str, Neighbour] = {}
    for source in sorted(direct):
        for link in links.get(source, ()):
            resonance = min(1.0, max(0.0, link.resonance_score))
            reached = Neighbour(link.target_name, direct[source] * policy.link_decay * resonance, source)
            known = best.get(reached.name)
            if reached.name not in direct and reached.score > (known.score if known else 0.0):
                best[reached.name] = reached
    return sorted(best.values(), key=lambda found: (-found.score, found.name))[: policy.most_neighbours]


def ecphory_relevance(score: float, policy: MemoryPolicy = DEFAULT_MEMORY_POLICY) -> float:
    """What an ecphory score counts for beside a calibrated relevance: half the score up to 1, so at most 0.5."""
    return policy.ecphory_share * min(1.0, score)
