"""Ecphory: how far a cue meets the circumstances in which a memory was encoded (spec page 3).

    sum = max(area, phrase, words, cosine) + co-topics + shared source + affect + time of day
    direct hits: sum ≥ 0.30, the best 8; then freshness and sureness are added
    neighbours: what direct hits link to, score × 0.7 × resonance, the best 6

Nothing here depends on recall events: a memory that was recalled must never score below itself unrecalled.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
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


@dataclass(frozen=True)  # without slots: what is read out of it is kept
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

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the aim."""
        return words(self.aim)

    @cached_property
    def phrase(self) -> str:
        """The aim as it is looked for in texts."""
        return _one_line(self.aim)

    @cached_property
    def topics(self) -> frozenset[str]:
        """What else was going on, folded."""
        return _plain(self.co_topics)

    @cached_property
    def mood(self) -> str:
        """The affect, folded."""
        return folded(self.affect or _NEUTRAL).strip()

    @cached_property
    def hour(self) -> str:
        """The time of day, folded; empty for none."""
        return folded(self.time_of_day or "").strip()


@dataclass(frozen=True, slots=True)
class Encoded:
    """What of a memory a cue is compared with, folded once: its words and the circumstances of its encoding.

    The encoding context speaks first; area, source refs and affect fall back on the memory's own fields where it is
    silent.
    """

    area: frozenset[str]
    texts: tuple[str, ...]
    topics: frozenset[str]
    sources: frozenset[str]
    mood: str
    hour: str

    @classmethod
    def of(cls, content: Content) -> Encoded:
        """What of this content is compared."""
        context = content.encoding_context or _NOWHERE
        return cls(
            words(context.area or content.area),
            tuple(_one_line(text) for text in (content.title, content.summary, content.body) if text),
            _plain(context.co_topics),
            frozenset(context.source_refs or content.source_refs),
            folded(context.affect or content.affect or _NEUTRAL).strip(),
            folded(context.time_of_day or "").strip(),
        )


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
        best = max([part.value for part in content], default=0.0)
        score = math.fsum([best, *[part.value for part in circumstances], *[part.value for part in adjustments]])
        return cls(score, content, circumstances, adjustments)

    def explanation(self) -> Explanation:
        """The tree that makes the score."""
        rest = [leaf(*part) for part in (*self.circumstances, *self.adjustments)]
        best = [greatest("content", *(leaf(*part) for part in self.content))] if self.content else []
        return total("ecphory", *best, *rest)


def ecphory(
    encoded: Encoded, cue: Cue, *, cosine: float | None = None, policy: MemoryPolicy = DEFAULT_MEMORY_POLICY
) -> Ecphory:
    """The partial match of a cue and a memory, before adjustments.

    `cosine` is that of query and memory, None where there are no vectors.
    """
    return Ecphory.of(tuple(_content_parts(encoded, cue, cosine, policy)), tuple(_circumstances(encoded, cue, policy)))


def _content_parts(encoded: Encoded, cue: Cue, cosine: float | None, policy: MemoryPolicy) -> Iterator[Part]:
    asked, texts = cue.words, encoded.texts
    if overlap := _area_overlap(asked, encoded.area):
        yield Part("area", policy.area_weight * overlap, detail=f"overlap {overlap:.2f}")
    if asked:
        if any(cue.phrase in text for text in texts):
            yield Part("phrase", policy.phrase_weight)
        elif all(any(word in text for text in texts) for word in asked) and asked <= words(" ".join(texts)):
            yield Part("all words", policy.words_weight)
    if cosine is not None and cosine > 0:
        yield Part("meaning", policy.cosine_weight * min(1.0, cosine), detail=f"cosine {cosine:.3f}")


def _circumstances(encoded: Encoded, cue: Cue, policy: MemoryPolicy) -> Iterator[Part]:
    if topics := jaccard(cue.topics, encoded.topics):
        yield Part("co-topics", policy.co_topics_weight * topics, detail=f"overlap {topics:.2f}")
    if cue.source_refs and (sources := encoded.sources.intersection(cue.source_refs)):
        yield Part("shared source", policy.source_ref_weight, detail=min(sources))
    if cue.mood != _NEUTRAL and cue.mood == encoded.mood:
        yield Part("same affect", policy.affect_weight, detail=cue.mood)
    if cue.hour and cue.hour == encoded.hour:
        yield Part("same time of day", policy.time_of_day_weight, detail=cue.hour)


def _area_overlap(asked: frozenset[str], area: frozenset[str]) -> float:
    """1 where one contains the other, else their Jaccard."""
    if not asked or not area or (area == _GENERAL and asked != _GENERAL):
        return 0.0
    return 1.0 if asked <= area or area <= asked else jaccard(asked, area)


def _one_line(text: str) -> str:
    return " ".join(folded(text).split())


def _plain(topics: Sequence[str]) -> frozenset[str]:
    return frozenset(topic for given in topics if (topic := folded(given).strip()))


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
