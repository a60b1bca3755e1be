"""Which sort of memory a text is, when its author did not say."""

from __future__ import annotations

import re

# An instruction cue must stand as a whole word: "mustard", "Shoulder" and "Neverland" instruct nobody.
_INSTRUCTIONS = (
    "always",
    "never",
    "must",
    "should",
    "make sure",
    "do not",
    "don't",
    "ensure",
    "avoid",
    "sempre",
    "nunca",
    "deve",
    "evite",
    "daima",
    "asla",
    "gerekir",
)
_PAST_EVENTS = (
    "shipped",
    "fixed",
    "released",
    "met",
    "decided",
    "migrated",
    "deployed",
    "merged",
    "launched",
    "moved",
    "removed",
    "replaced",
    "broke",
    "failed",
    "crashed",
    "signed",
    "hired",
    "joined",
    "agreed",
    "found",
)


def _whole_words(cues: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(re.escape(cue) for cue in cues)})(?!\w)", re.IGNORECASE)


_INSTRUCTION = _whole_words(_INSTRUCTIONS)
_PAST_EVENT = _whole_words(_PAST_EVENTS)


def classify(summary: str, *, area_is_referent: bool, text: str | None = None) -> str:
    """`procedural`, `episodic` or `semantic`, tried in this order (spec page 2, memory_type).

    `text` is the summary with the body, where past-event cues are looked for; by default the summary.
    """
    if _INSTRUCTION.search(summary.replace("’", "'")):
        return "procedural"
    if area_is_referent or _PAST_EVENT.search(text if text is not None else summary):
        return "episodic"
    return "semantic"


def time_of_day(hour: int) -> str:
    """The part of the day an hour (0–23, the user's zone) lies in; hours are half-open."""
    if 5 <= hour < 12:
        return "morning"
    if 12 <= hour < 17:
        return "afternoon"
    if 17 <= hour < 22:
        return "evening"
    return "night"
