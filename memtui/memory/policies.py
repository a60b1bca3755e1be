"""The numbers of ranking and remembering, as a vault's settings change them."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, cast

from memtui.cognition.affect import PALETTE
from memtui.cognition.policy import DEFAULT_MEMORY_POLICY, MemoryPolicy
from memtui.config import Config
from memtui.errors import InvalidInput
from memtui.search.policy import RankingPolicy


def ranking_policy(config: Config) -> RankingPolicy:
    """The policy of a vault: page 3's numbers with those of `[policy]`, the palette with those of `[affect]`.

    Raises InvalidInput naming file, key and value for what is no number above 0 or no number of the policy.
    """
    palette = {**PALETTE, **{name.casefold(): weight for name, weight in _numbers(config, "affect").items()}}
    own = _numbers(config, "policy")
    known = {field.name for field in fields(MemoryPolicy)}
    for name in own:
        if name not in known:
            raise InvalidInput(
                f"{config.origins['policy']}: the policy has no number {name!r}",
                file=config.origins["policy"],
                field=f"policy.{name}",
                choices=sorted(known),
            )
    return RankingPolicy(memory=replace(DEFAULT_MEMORY_POLICY, **cast("dict[str, Any]", own)), palette=palette)


def _numbers(config: Config, table: str) -> dict[str, float]:
    numbers: dict[str, float] = {}
    for name, value in config.table(table).items():
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < float("inf"):
            raise InvalidInput(
                f"{config.origins[table]}: {table}.{name} must be a number above 0, not {value!r}",
                file=config.origins[table],
                field=f"{table}.{name}",
                value=value,
            )
        numbers[name] = float(value)
    return numbers
