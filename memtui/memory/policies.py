"""The numbers of ranking and remembering, as a vault's settings change them."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, cast

from memtui.cognition.affect import PALETTE
from memtui.cognition.claims import same
from memtui.cognition.policy import DEFAULT_MEMORY_POLICY, MemoryPolicy
from memtui.config import Config
from memtui.errors import InvalidInput
from memtui.search.policy import PIN_RATIO, RankingPolicy
from memtui.text.synonyms import SHIPPED, Synonyms


def ranking_policy(config: Config, synonyms: Synonyms = SHIPPED) -> RankingPolicy:
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
    counts = {name: _whole(config, name, own[name]) for name in own if name.startswith("most_")}
    changed = cast("dict[str, Any]", {**own, **counts})
    memory = replace(DEFAULT_MEMORY_POLICY, **changed)
    if memory.prior_base + memory.prior_span >= PIN_RATIO * memory.prior_base:
        file = config.origins["policy"]
        raise InvalidInput(
            f"{file}: prior_base {memory.prior_base} with prior_span {memory.prior_span} would let age or affect "
            f"displace what words decide (their ratio must stay below {PIN_RATIO})",
            file=file,
            field="policy.prior_span",
            value=memory.prior_span,
        )
    many = frozenset(same(predicate) for predicate in config.texts("claims.many"))
    return RankingPolicy(memory=memory, palette=palette, synonyms=synonyms, many=many)


def _whole(config: Config, name: str, number: float) -> int:
    if not number.is_integer():
        file = config.origins["policy"]
        raise InvalidInput(f"{file}: policy.{name} counts, so it is a whole number", file=file, field=f"policy.{name}")
    return int(number)


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
