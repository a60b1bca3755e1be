"""The port behind which another search engine may stand: one that ranks a vault's records itself."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, cast, runtime_checkable

from memtui.errors import ProviderUnavailable
from memtui.model.instants import Instant

MOST_RANKED = 10_000
"""Records that a ranking may hold: one without end must not fill the memory."""


class RankedRecord(NamedTuple):
    """A record that a provider found: `scope` is its partition, `score` above 0 and greater the better it fits."""

    scope: str
    kind: str
    name: str
    score: float


@dataclass(frozen=True, slots=True)
class ProviderQuery:
    """What a provider is asked.

    `words` is the query without its filters, `kinds` those that may be answered with (none: all), `limit` how many
    records are wanted at most. `known_at` and `true_at` are the belief state: None is the present.
    """

    words: str
    partitions: tuple[str, ...]
    kinds: tuple[str, ...]
    limit: int
    known_at: Instant | None
    true_at: Instant | None


@runtime_checkable
class RecordSearchProvider(Protocol):
    """An engine that ranks records, used instead of memtui's own planes once it is registered.

    `name` is what answers and explanations call it, at most 120 visible characters, read when it is registered;
    `semantic` says whether meaning has a say in its order. What it finds is still held against the belief state and
    the filters of the search: a record that is not believed then, or that does not pass, is no hit. It is called in
    threads, perhaps several at once. Raising, taking longer than two seconds or answering with anything else than
    `RankedRecord`s (or such tuples) is no harm: memtui's own planes answer, and the answer names the reason.
    """

    @property
    def name(self) -> str:
        """What the engine is called."""
        ...

    @property
    def semantic(self) -> bool:
        """Whether meaning has a say in its order."""
        ...

    def search(self, query: ProviderQuery) -> Iterable[RankedRecord]:
        """The records that answer a query, in any order."""
        ...


def checked_ranking(name: str, found: object) -> tuple[RankedRecord, ...]:
    """What a provider answered, if it is what its port promises. Raises ProviderUnavailable naming what is wrong."""
    if not isinstance(found, Iterable) or isinstance(found, str | bytes):
        raise _wrong(name, f"a {type(found).__name__} and not records")
    records: list[RankedRecord] = []
    for number, entry in enumerate(cast("Iterable[Any]", found)):
        if number >= MOST_RANKED:
            raise _wrong(name, f"more than {MOST_RANKED:,} records")
        if not isinstance(entry, tuple) or len(cast("tuple[Any, ...]", entry)) != len(RankedRecord._fields):
            raise _wrong(name, f"{_shown(cast('object', entry))} and not (scope, kind, name, score)")
        scope, kind, called, score = cast("tuple[Any, Any, Any, Any]", entry)
        if not all(isinstance(part, str) for part in (scope, kind, called)):
            raise _wrong(name, f"{_shown(cast('object', entry))}, whose names are no text")
        if isinstance(score, bool) or not isinstance(score, int | float) or not math.isfinite(score) or score < 0:
            raise _wrong(name, f"the score {_shown(score)} of {_shown(called)}")
        records.append(RankedRecord(scope, kind, called, float(score)))
    return tuple(records)


def _wrong(name: str, what: str) -> ProviderUnavailable:
    return ProviderUnavailable(f"{name} answered with {what}")


def _shown(value: object) -> str:
    text = "".join([sign if sign.isprintable() else "\ufffd" for sign in repr(value)[: _LONGEST_SHOWN + 1]])
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


_LONGEST_SHOWN = 60
