"""Finding the record a person means: exact name, `kind/name`, alias, unique prefix, else the closest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memtui.errors import Ambiguous, NotFound
from memtui.model.normal_forms import nfc
from memtui.model.records import KINDS, RecordKey

SHORTEST_PREFIX = 4
MOST_CLOSEST = 5
_LEAST_LIKE = 70
"""Likeness, of 100, below which a name is not offered: rather none than an odd one."""


@dataclass(frozen=True, slots=True)
class Named:
    """A record and the other names it answers to."""

    key: RecordKey
    aliases: tuple[str, ...]
    in_force: bool = True


def resolve(asked: str, records: Iterable[Named], *, forgotten: bool = False) -> RecordKey:
    """The one record that `asked` names.

    Records in force come before those that are not, also among the closest names; with `forgotten` the others do,
    which is what someone wants who brings one back.

    Raises Ambiguous with the candidates, or NotFound with the closest names.
    """
    known = list(records)
    key = called(asked, known, forgotten=forgotten)
    if key is not None:
        return key
    wanted = normal(asked)
    begun = [n for n in known if len(wanted) >= SHORTEST_PREFIX and n.key.name.startswith(wanted)]
    key = _the_one(asked, begun, forgotten=forgotten)
    if key is not None:
        return key
    near = closest(wanted, [n.key.name for n in known if n.in_force != forgotten])
    raise NotFound(
        f"no record is named {asked!r}",
        value=asked,
        hint=f"did you mean {', '.join(near)}?" if near else "`memtui list --names` shows what there is",
        choices=near,
    )


def called(asked: str, records: Sequence[Named], *, forgotten: bool = False) -> RecordKey | None:
    """The one record that `asked` is the whole name of: its name, else `kind/name`, else an alias.

    Raises Ambiguous with the candidates.
    """
    wanted = normal(asked)
    kind, _, rest = wanted.partition("/")
    steps = (
        [n for n in records if n.key.name == wanted],
        [n for n in records if kind in KINDS and n.key.kind == kind and n.key.name == rest],
        [n for n in records if wanted in n.aliases],
    )
    return next((key for found in steps if (key := _the_one(asked, found, forgotten=forgotten)) is not None), None)


def names_in(asked: str) -> list[str]:
    """The names and aliases that `asked` may stand for as a whole: itself, and what follows a kind."""
    wanted = normal(asked)
    kind, _, rest = wanted.partition("/")
    return [wanted, rest] if kind in KINDS and rest else [wanted]


def normal(name: str) -> str:
    """A name as names are compared."""
    return nfc(name)


def _the_one(asked: str, found: Sequence[Named], *, forgotten: bool) -> RecordKey | None:
    """The only record found; of several the only one that stands as it is asked for: the others crowd none out."""
    distinct = sorted({named.key for named in found})
    standing = {named.key for named in found if named.in_force != forgotten}
    if len(distinct) > 1 and len(standing) == 1:
        return standing.pop()
    if len(distinct) > 1:
        raise Ambiguous(
            f"{asked!r} names {len(distinct)} records",
            value=asked,
            hint="say which one, as kind/name",
            choices=[f"{key.kind}/{key.name}" for key in distinct[:20]],
        )
    return distinct[0] if distinct else None


def closest(wanted: str, names: Sequence[str], limit: int = MOST_CLOSEST) -> list[str]:
    """The names most like `wanted`, best first; none that is not really like it."""
    from rapidfuzz import fuzz, process, utils

    found = process.extract(
        wanted,
        sorted(set(names)),
        scorer=fuzz.WRatio,
        processor=utils.default_process,
        limit=limit,
        score_cutoff=_LEAST_LIKE,
    )
    return [name for name, _, _ in found]
