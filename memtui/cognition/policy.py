"""The numbers of memory: one frozen value, so that an answer names the policy that made it."""

from __future__ import annotations

from dataclasses import dataclass

from memtui.model.instants import DAY, HOUR, Instant


@dataclass(frozen=True, slots=True)
class MemoryPolicy:
    """How fast memories fade, what recalling does to them, and what a cue is worth (spec page 3)."""

    shortest_stability: float = 0.1
    """Days; no memory fades faster."""
    stability_faint: float = 5.0
    """Days of a memory labelled `faint`, and of the numbers up to `faint_until`."""
    stability_firm: float = 15.0
    """Days of a memory labelled `firm`, of the number `firm_at`, and of one without a confidence."""
    stability_burning: float = 45.0
    """Days of a memory labelled `burning`, and of the numbers from `burning_from` on."""
    faint_until: float = 1.0
    """Confidence up to which a number is as stable as `faint`; from here on in a straight line to the next."""
    firm_at: float = 5.0
    """Confidence at which a number is as stable as `firm`."""
    burning_from: float = 10.0
    """Confidence from which a number is as stable as `burning`."""

    spacing_gain: float = 0.5
    """Each recall multiplies the stability by 1 + gain · R: nothing for a memory already lost, most for a fresh one."""
    longest_spaced: float = 60.0
    """Days; recalling lengthens no stability beyond this. One that was longer by its author stays as it is."""
    recalled_together: Instant = HOUR
    """Recalls no further than this from the last counted one count with it as one."""

    confidence_faint: float = 1.0
    """What the label `faint` counts in elections and display."""
    confidence_firm: float = 3.0
    """What the label `firm` counts in elections and display."""
    confidence_burning: float = 5.0
    """What the label `burning` counts in elections and display."""
    confidence_absent: float = 3.0
    """What a memory without a confidence counts."""
    confidence_gain: float = 0.05
    """Added to the derived confidence by each counted recall."""
    highest_confidence: float = 10.0
    """Where the derived confidence ends."""

    retention_floor: float = 0.05
    """In ranking no memory counts as more faded than this."""
    prior_base: float = 0.85
    """What is left of the relevance of a memory that has faded altogether."""
    prior_span: float = 0.15
    """What retention and affect may add to `prior_base`."""
    highest_prior: float = 1.5
    """The prior that earns the whole span."""

    area_weight: float = 0.55
    """Content: the words of the cue and of the area, in full where one contains the other, else times Jaccard."""
    phrase_weight: float = 0.55
    """Content: the whole cue as a phrase in title, summary or body."""
    words_weight: float = 0.28
    """Content: all words of the cue somewhere in title, summary and body."""
    cosine_weight: float = 0.61
    """Content: times the cosine of cue and memory, where there are vectors."""
    co_topics_weight: float = 0.20
    """Times the Jaccard of the topics around the cue and those around the encoding."""
    source_ref_weight: float = 0.15
    """A source the cue and the encoding share."""
    affect_weight: float = 0.05
    """The same affect, unless it is neutral."""
    time_of_day_weight: float = 0.05
    """The same time of day."""
    direct_floor: float = 0.30
    """The least sum that makes a direct hit, before adjustments."""
    most_direct: int = 8
    """Direct hits at most."""
    fresh_within: Instant = DAY
    """What was recorded no longer ago than this is fresh."""
    freshness: float = 0.10
    """Added to a direct hit that is fresh."""
    sure_from: float = 5.0
    """Authored confidence from which a memory is sure, as is one labelled `burning`."""
    sureness: float = 0.05
    """Added to a direct hit that is sure."""
    link_decay: float = 0.7
    """What a link passes on of a direct hit's score, before its resonance."""
    most_neighbours: int = 6
    """Linked memories at most."""
    ecphory_share: float = 0.5
    """The relevance of a memory whose ecphory score is 1 or more."""

    expire_below: float = 0.15
    """Retention below which a memory may be let go, if nothing else speaks for it."""
    expire_min_idle_days: float = 180.0
    """Days without reinforcement before it may."""
    merge_words: float = 0.5
    """Share of common words from which two memories may say the same."""


DEFAULT_MEMORY_POLICY = MemoryPolicy()
