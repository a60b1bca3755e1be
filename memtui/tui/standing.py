"""What answers a search just now: words alone, or words and meaning, and how the header says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from memtui.tui.display import cut

ModelState = Literal["unknown", "none", "asleep", "loading", "ready", "failed"]

LONGEST_REASON = 34
"""Cells a reason may take in the header; the whole of it is in its tooltip and in the help."""
NOTHING_EMBEDDED = "nothing is embedded"
_HOW_TO_EMBED = "Nothing is embedded yet, and this vault is open read-only: `memtui embed refresh` does it."


class PlaneTold(NamedTuple):
    """What the header says of the search plane, and one sentence that says it in full."""

    text: str
    degraded: bool
    whole: str


@dataclass(frozen=True, slots=True)
class Standing:
    """How searching by meaning stands, as far as the screen was told."""

    model: ModelState = "unknown"
    trouble: str = ""
    """Why there is no meaning although there should be."""
    texts: int = 0
    embedded: int = 0
    embedding: bool = False
    """Whether texts are being embedded."""
    engine: bool = False
    """Whether a search engine of the user's own is asked before the model is."""
    answered_by: str = ""
    """The plane of the last answer that the engine had a say in."""

    @property
    def may_help(self) -> bool:
        """Whether a second look by meaning can change an answer."""
        return self.engine or (self.model == "ready" and self.embedded > 0)

    def told(self) -> PlaneTold:
        """What the header says."""
        if self.trouble:
            instead = "Searches go without it" if self.engine else "Searches go by words"
            return PlaneTold(f"degraded: {_short(self.trouble)}", True, f"{instead}: {self.trouble}")
        if self.engine:
            return PlaneTold(self.answered_by or "hybrid", False, "Results are ranked by the search engine registered.")
        if self.model in ("unknown", "none") or not self.texts:
            return PlaneTold("lexical", False, "Searches go by words.")
        if not self.embedded and not self.embedding and self.model != "loading":
            return PlaneTold(f"degraded: {NOTHING_EMBEDDED}", True, _HOW_TO_EMBED)
        if self.model != "ready":
            whole = "Searches go by words until the model for searching by meaning is loaded."
            return PlaneTold("lexical: loading model", False, whole)
        count = f"{self.embedded:,} of {self.texts:,} texts are embedded"
        if not self.embedded:
            return PlaneTold("lexical: 0% embedded", False, f"Searches go by words: {count}.")
        if self.embedded < self.texts:
            share = min(max(int(100 * self.embedded / self.texts), 1), 99)
            return PlaneTold(f"hybrid {share}% embedded", False, f"Searches go by words and by meaning; {count}.")
        return PlaneTold("hybrid", False, "Searches go by words and by meaning.")


def _short(reason: str) -> str:
    """The first clause of a reason, small enough for the header."""
    for end in ("; ", ": ", ". "):
        reason = reason.partition(end)[0]
    reason = reason.rstrip(".").removeprefix("There is ")
    if reason[1:2].islower():
        reason = reason[0].lower() + reason[1:]
    return cut(reason, LONGEST_REASON)
