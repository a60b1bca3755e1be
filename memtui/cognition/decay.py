"""Forgetting and spacing: how long a memory lasts, what is left of it, and what recalling it does.

    R(t) = exp(−t / S)      t in days since the last reinforcement, S the stability in days
    S    ← S · (1 + 0.5 · R(t)) at each counted recall, up to max(60, S): never shorter

All after spec page 3. The array forms are twins of the scalar ones: NaN stands where those take None.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memtui.cognition.policy import DEFAULT_MEMORY_POLICY, MemoryPolicy
from memtui.model.instants import DAY, Instant
from memtui.model.records import CONFIDENCE_LABELS

LABEL_CODES: Mapping[str, float] = {label: -1.0 - place for place, label in enumerate(CONFIDENCE_LABELS)}
"""What stands for a confidence label among numbers: faint -1, firm -2, burning -3."""


def stability(
    confidence: float | str | None, stability_days: float | None, policy: MemoryPolicy = DEFAULT_MEMORY_POLICY
) -> float:
    """The authored stability in days: as given, else by confidence, as a label or as a number.

    A `stability_days` that is not a positive number, and a word that is no label, count as absent.
    """
    if stability_days is not None and 0 < stability_days < math.inf:
        return max(policy.shortest_stability, stability_days)
    if isinstance(confidence, str):
        days = _label_days(policy).get(confidence.casefold(), policy.stability_firm)
    elif confidence is None or math.isnan(confidence):
        days = policy.stability_firm
    else:
        days = _number_days(confidence, policy)
    return max(policy.shortest_stability, days)


def stabilities(
    confidence: NDArray[np.float64],
    stability_days: NDArray[np.float64],
    policy: MemoryPolicy = DEFAULT_MEMORY_POLICY,
) -> NDArray[np.float64]:
    """`stability` of many: NaN for absent, labels as `LABEL_CODES`. Shapes: all (n,)."""
    numbers = np.clip(confidence, policy.faint_until, policy.burning_from)
    rising = policy.stability_faint + (policy.stability_firm - policy.stability_faint) * (
        (numbers - policy.faint_until) / (policy.firm_at - policy.faint_until)
    )
    upper = policy.stability_firm + (policy.stability_burning - policy.stability_firm) * (
        (numbers - policy.firm_at) / (policy.burning_from - policy.firm_at)
    )
    days = np.where(numbers <= policy.firm_at, rising, upper)
    days[np.isnan(confidence)] = policy.stability_firm
    for label, own in _label_days(policy).items():
        days[confidence == LABEL_CODES[label]] = own
    given = (stability_days > 0) & np.isfinite(stability_days)
    return np.maximum(policy.shortest_stability, np.where(given, stability_days, days))


def _label_days(policy: MemoryPolicy) -> Mapping[str, float]:
    return {"faint": policy.stability_faint, "firm": policy.stability_firm, "burning": policy.stability_burning}


def _number_days(confidence: float, policy: MemoryPolicy) -> float:
    """Days of a confidence given as a number: two straight lines that meet at `firm_at`, level beyond both ends."""
    number = min(max(confidence, policy.faint_until), policy.burning_from)
    if number <= policy.firm_at:
        share = (number - policy.faint_until) / (policy.firm_at - policy.faint_until)
        return policy.stability_faint + (policy.stability_firm - policy.stability_faint) * share
    share = (number - policy.firm_at) / (policy.burning_from - policy.firm_at)
    return policy.stability_firm + (policy.stability_burning - policy.stability_firm) * share


def retention(days: float | None, stability: float, policy: MemoryPolicy = DEFAULT_MEMORY_POLICY) -> float:
    """What is left after `days` without reinforcement, in [0, 1]; None (never yet) is all of it."""
    if days is None or days <= 0:
        return 1.0
    return math.exp(-days / max(policy.shortest_stability, stability))


def retentions(
    days: NDArray[np.float64], stability: NDArray[np.float64], policy: MemoryPolicy = DEFAULT_MEMORY_POLICY
) -> NDArray[np.float64]:
    """`retention` of many: NaN days stand for never. Shapes: all (n,)."""
    elapsed = np.where(days > 0, days, 0.0)
    return np.exp(-elapsed / np.maximum(policy.shortest_stability, stability))


def spaced(stability: float, days: float | None, policy: MemoryPolicy = DEFAULT_MEMORY_POLICY) -> float:
    """The stability after a recall that came `days` after the last reinforcement (None: the first of all)."""
    before = max(policy.shortest_stability, stability)
    after = before * (1.0 + policy.spacing_gain * retention(days, before, policy))
    return min(after, max(policy.longest_spaced, before))


@dataclass(frozen=True, slots=True)
class Reinforcement:
    """Where recalling has brought a memory: its stability in days, when it was last reinforced, recalls counted."""

    stability: float
    last: Instant
    counted: int

    def retention_at(self, now: Instant, policy: MemoryPolicy = DEFAULT_MEMORY_POLICY) -> float:
        """What is left of the memory at `now`."""
        return retention((now - self.last) / DAY, self.stability, policy)


def reinforced(
    authored_stability: float,
    since: Instant,
    recalls: Sequence[Instant],
    policy: MemoryPolicy = DEFAULT_MEMORY_POLICY,
) -> Reinforcement:
    """What a memory's recalls, oldest first, have made of it.

    `since` is its last revival or last version that changed text or claims. Recalls before it still count for
    the stability; the earliest of them follows nothing that is known here, and so counts in full. A recall close
    to the last counted one (`recalled_together`) is not counted, but it does reinforce.
    """
    lasting = max(policy.shortest_stability, authored_stability)
    last: Instant | None = None
    last_counted: Instant | None = None
    counted = 0
    for recall in recalls:
        if since <= recall:
            last = since if last is None else max(last, since)
        if last_counted is None or recall - last_counted > policy.recalled_together:
            lasting = spaced(lasting, None if last is None else (recall - last) / DAY, policy)
            last_counted = recall
            counted += 1
        last = recall
    return Reinforcement(lasting, since if last is None else max(last, since), counted)


def confidence_number(confidence: float | str | None, policy: MemoryPolicy = DEFAULT_MEMORY_POLICY) -> float:
    """What an authored confidence counts in elections and display; an unknown word counts as absent."""
    if isinstance(confidence, str):
        counts = {
            "faint": policy.confidence_faint,
            "firm": policy.confidence_firm,
            "burning": policy.confidence_burning,
        }
        return counts.get(confidence.casefold(), policy.confidence_absent)
    return policy.confidence_absent if confidence is None or math.isnan(confidence) else float(confidence)


def derived_confidence(
    confidence: float | str | None, counted: int, policy: MemoryPolicy = DEFAULT_MEMORY_POLICY
) -> float:
    """The authored confidence and what `counted` recalls added to it, at most 10."""
    return min(policy.highest_confidence, confidence_number(confidence, policy) + policy.confidence_gain * counted)
