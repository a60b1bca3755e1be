"""Affect and the prior: what a memory's mood and its retention may add to its relevance (spec page 3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import overload

import numpy as np
from numpy.typing import NDArray

from memtui.cognition.policy import DEFAULT_MEMORY_POLICY, MemoryPolicy

PALETTE: Mapping[str, float] = {"triumph": 1.2, "regret": 1.3, "surprise": 1.5, "wistful": 1.0, "ominous": 1.4}
"""The affects that weigh differently from none (spec page 2). A vault may name its own."""
NO_AFFECT = 1.0
"""The weight of an affect that is absent or in no palette."""


def affect_weight(affect: str | None, palette: Mapping[str, float] | None = None) -> float:
    """The weight of an affect, in any case; the vault's own `palette` wins entry by entry."""
    if affect is None:
        return NO_AFFECT
    asked = affect.strip().casefold()
    own = {name.casefold(): weight for name, weight in (palette or {}).items()}
    return own.get(asked, PALETTE.get(asked, NO_AFFECT))


@overload
def prior(retention: float, affect_weight: float, policy: MemoryPolicy = ...) -> float: ...
@overload
def prior(
    retention: NDArray[np.float64], affect_weight: NDArray[np.float64], policy: MemoryPolicy = ...
) -> NDArray[np.float64]: ...
def prior(
    retention: float | NDArray[np.float64],
    affect_weight: float | NDArray[np.float64],
    policy: MemoryPolicy = DEFAULT_MEMORY_POLICY,
) -> float | NDArray[np.float64]:
    """max(0.05, R) × affect weight, of one memory or of many."""
    floor = policy.retention_floor
    kept = max(floor, retention) if isinstance(retention, float | int) else np.maximum(floor, retention)
    return kept * affect_weight


@overload
def prior_factor(prior: float, policy: MemoryPolicy = ...) -> float: ...
@overload
def prior_factor(prior: NDArray[np.float64], policy: MemoryPolicy = ...) -> NDArray[np.float64]: ...
def prior_factor(
    prior: float | NDArray[np.float64], policy: MemoryPolicy = DEFAULT_MEMORY_POLICY
) -> float | NDArray[np.float64]:
    """0.85 + 0.15 · min(prior, 1.5) / 1.5: what multiplies the relevance, never outside [0.85, 1].

    Its span stays below what being pinned is worth, so neither age nor affect displaces a decisive match.
    """
    most = policy.highest_prior
    counted = min(max(0.0, prior), most) if isinstance(prior, float | int) else np.clip(prior, 0.0, most)
    return policy.prior_base + policy.prior_span * (counted / most)
