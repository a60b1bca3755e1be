"""The numbers of ranking: one frozen value, so that a result names the policy that made it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memtui.cognition.affect import PALETTE
from memtui.cognition.policy import DEFAULT_MEMORY_POLICY, MemoryPolicy
from memtui.text.synonyms import SHIPPED, Synonyms

K1 = 1.5
"""BM25: how soon more occurrences of a term stop counting (spec page 4)."""
B = 0.75
"""BM25: how much a long text is discounted (spec page 4)."""


PIN_RATIO = 1.35
"""A first place this many times the second is decided by words: no prior may displace it (spec page 4)."""
DECIDED_COVERAGE = 0.9
"""Share of a query that a first place must hold to be decided by words alone, whatever meaning says."""


@dataclass(frozen=True, slots=True)
class RankingPolicy:
    """Weights and factors of `rank_score`; `score` knows none of them."""

    field_share: float = 0.5
    """Share of what BM25F finds beyond BM25 that counts."""
    exact_form: float = 0.15
    """A word in the very form that was typed, beside its stem."""
    identity: float = 1.5
    """Times (share of query terms in name, aliases or title)², times max(score, 1)."""
    prefix: float = 0.6
    """The word being typed, as the beginning of another: below a whole word, less the more is missing."""
    prefix_terms: int = 32
    """At most this many dictionary terms stand in for the word being typed."""
    typo: float = 0.5
    """A word that occurs nowhere, by the words spelt nearly like it (spec page 4)."""
    rejoined: float = 1.0
    """An identifier by the same characters joined otherwise (`olv214` by `olv-214`); in a name also by its parts."""
    typo_terms: int = 4
    """At most this many words are what another is taken for: the nearest, of these the most frequent."""
    most_typos: int = 8
    """For at most this many words of one query others are looked for: a pasted page must not be spelt through."""
    synonym: float = 0.5
    """A word, by those that stand in for it (spec page 4)."""
    synonym_terms: int = 8
    """At most this many synonyms of one word are looked for."""
    synonyms: Synonyms = SHIPPED
    recency_floor: float = 0.85
    recency_half_life_days: float = 120.0
    finished: float = 0.85
    """Completed and archived documents."""
    changelog: float = 0.6
    """Entries of a change log are pointers to the document that says it in full."""
    overridden: float = 0.85
    """What a later entry of the change log says it replaces."""
    captured: float = 0.4
    """What was captured automatically ranks below what a person wrote."""
    drawing: float = 0.8
    """A drawing names in a few words what a document says in full, and no terminal shows the picture."""
    pinned: float = 1.1
    memory: MemoryPolicy = DEFAULT_MEMORY_POLICY
    """The numbers of fading, affect and ecphory."""
    palette: Mapping[str, float] = field(default_factory=lambda: PALETTE)
    """Weight of each affect, by its name in lower case."""
    many: frozenset[str] = frozenset()
    """Predicates of claims, folded, that may have several values at a time."""
    most_compared: int = 256
    """At most this many engrams are compared with the cue's context: those that hold most of its words."""


DEFAULT_POLICY = RankingPolicy()
