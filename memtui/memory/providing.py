"""A registered search engine: asked within a time, and held to what its port promises."""

from __future__ import annotations

from typing import cast

from memtui.errors import InvalidInput, ProviderUnavailable
from memtui.memory.timed import LONGEST_ANSWER, NAMES, NoAnswer, Timed, is_name
from memtui.search.provided import Provided
from memtui.search.provider import ProviderQuery, RankedRecord, RecordSearchProvider, checked_ranking
from memtui.search.request import SearchRequest

_BEYOND = 50
"""How many records more than are wanted it is asked for: some may not be believed then, or not pass the filters."""


class Registered:
    """The engine of the program's user. Thread-safe as far as it is."""

    def __init__(self, provider: RecordSearchProvider) -> None:
        """Raises InvalidInput for what is no engine, or does not say what it is called."""
        missing = [name for name in ("name", "semantic", "search") if name not in dir(provider)]
        if missing:
            raise InvalidInput(
                f"a {type(provider).__name__} is no search engine: it has no {', '.join(missing)}",
                hint="memtui.RecordSearchProvider says what one has",
            )
        self._provider = provider
        self._calls = Timed("memtui-search-provider", ProviderUnavailable)
        self._name = self._own_name(type(provider).__name__)

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

        def ask() -> tuple[bool, tuple[RankedRecord, ...]]:
            return bool(self._provider.semantic), checked_ranking(self._name, self._provider.search(query))

        try:
            semantic, ranking = self._calls.call(ask, LONGEST_ANSWER)
        except NoAnswer as error:  # a user's own: whatever is wrong with it, memtui's own planes answer
            raise ProviderUnavailable(f"{self._name} {error}") from error
        return Provided(self._name, semantic, ranking)

    def _own_name(self, kind: str) -> str:
        """What it is called, once and for all. Raises InvalidInput."""
        try:
            name = self._calls.call(lambda: cast("object", self._provider.name), LONGEST_ANSWER)
        except NoAnswer as error:
            raise InvalidInput(
                f"a {kind} cannot be registered: asked for its name it {error}", field="name", hint=NAMES
            ) from error
        if not is_name(name):
            raise InvalidInput(f"the name of a {kind} cannot be told as it is", field="name", hint=NAMES)
        return str(name)
