"""A registered search engine: asked within a time, and held to what its port promises."""

from __future__ import annotations

from memtui.errors import InvalidInput, ProviderUnavailable
from memtui.memory.timed import LONGEST_ANSWER, Timed, TookTooLong
from memtui.search.provided import Provided
from memtui.search.provider import ProviderQuery, RankedRecord, RecordSearchProvider, checked_ranking
from memtui.search.request import SearchRequest

_BEYOND = 50
"""How many records more than are wanted it is asked for: some may not be believed then, or not pass the filters."""


class Registered:
    """The engine of the program's user. Thread-safe as far as it is."""

    def __init__(self, provider: RecordSearchProvider) -> None:
        """Raises InvalidInput for what is no engine."""
        missing = [name for name in ("name", "semantic", "search") if name not in dir(provider)]
        if missing:
            raise InvalidInput(
                f"a {type(provider).__name__} is no search engine: it has no {', '.join(missing)}",
                hint="memtui.RecordSearchProvider says what one has",
            )
        self._provider = provider
        self._calls = Timed("memtui-search-provider")
        self._called = type(provider).__name__

    def ranking(self, request: SearchRequest, partitions: tuple[str, ...]) -> Provided:
        """What it answers. Raises ProviderUnavailable naming what is wrong with it."""
        query = ProviderQuery(
            request.words,
            partitions,
            request.kinds,
            request.limit + _BEYOND,
            request.belief.known_at,
            request.belief.true_at,
        )

        def ask() -> tuple[str, bool, tuple[RankedRecord, ...]]:
            name = str(self._provider.name)
            return name, bool(self._provider.semantic), checked_ranking(name, self._provider.search(query))

        try:
            name, semantic, ranking = self._calls.call(ask, LONGEST_ANSWER)
        except ProviderUnavailable:
            raise
        except TookTooLong as error:
            raise ProviderUnavailable(f"{self._called} {error}") from error
        except Exception as error:  # a user's own: whatever is wrong with it, memtui's own planes answer
            raise ProviderUnavailable(f"{self._called} failed: {type(error).__name__}: {error}") from error
        self._called = name
        return Provided(name, semantic, ranking)
