"""Finding the record a person means: exact name, `kind/name`, alias, unique prefix, else the closest."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memtui.errors import Ambiguous, NotFound
from memtui.model.records import KINDS, RecordKey

SHORTEST_PREFIX = 4
_CLOSEST = 5


@dataclass(frozen=True, slots=True)
class Named:
    """A record and the other names it answers to."""

    key: RecordKey
    aliases: tuple[str, ...]
    in_force: bool = True


def resolve(asked: str, records: Iterable[Named], *, forgotten: bool = False) -> RecordKey:
    """The one record that `asked` names.

    Only records in force are offered as the closest names; with `forgotten` only the others, which
    is what someone wants who brings one back.

    Raises Ambiguous with the candidates, or NotFound with the closest names.
    """
    wanted = unicodedata.normalize("NFC", asked)
    known = list(records)
    kind, _, rest = wanted.partition("/")
    steps: tuple[list[RecordKey], ...] = (
        [n.key for n in known if n.key.name == wanted],
        [n.key for n in known if kind in KINDS and n.key.kind == kind and n.key.name == rest],
        [n.key for n in known if wanted in n.aliases],
        [n.key for n in known if len(wanted) >= SHORTEST_PREFIX and n.key.name.startswith(wanted)],
    )
    for found in steps:
        distinct = list(dict.fromkeys(found))
        if len(distinct) == 1:
            return distinct[0]
        if distinct:
            raise Ambiguous(
                f"{asked!r} names {len(distinct)} records",
                value=asked,
                hint="say which one, as kind/name",
                choices=[f"{key.kind}/{key.name}" for key in sorted(distinct)[:20]],
            )
    near = closest(wanted, [n.key.name for n in known if n.in_force != forgotten])
    raise NotFound(
        f"no record is named {asked!r}",
        value=asked,
        hint=f"did you mean {', '.join(near)}?" if near else "`memtui list --names` shows what there is",
        choices=near,
    )


def closest(wanted: str, names: Sequence[str], limit: int = _CLOSEST) -> list[str]:
    """The names most like `wanted`, best first; none that is not really like it."""
    from rapidfuzz import fuzz, process, utils

    found = process.extract(
        wanted, sorted(set(names)), scorer=fuzz.WRatio, processor=utils.default_process, limit=limit, score_cutoff=60
    )
    return [name for name, _, _ in found]
