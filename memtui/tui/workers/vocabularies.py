"""The words a query may be completed with: every record in sight is read for them, so it is done beside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memtui.model.belief import BeliefState
from memtui.tui.messages import Troubled, VocabularyRead
from memtui.tui.newest_only import NewestOnly
from memtui.tui.workers.background import Background

if TYPE_CHECKING:
    from memtui.memory.memory import Memory


@dataclass(frozen=True, slots=True)
class _Wish:
    """Whose words are wanted."""

    belief: BeliefState
    with_forgotten: bool


class Vocabularies:
    """Answers with VocabularyRead."""

    def __init__(self, background: Background, memory: Memory) -> None:
        self._background = background
        self._memory = memory
        self._lane = NewestOnly[_Wish](background.host, "vocabulary", self._read)

    def read(self, belief: BeliefState, *, with_forgotten: bool) -> None:
        """Read the words of what is believed then, forgotten records included or not."""
        self._lane.ask(_Wish(belief, with_forgotten))

    def _read(self, wish: _Wish) -> None:
        def work() -> None:
            vocabulary = self._memory.vocabulary(belief=wish.belief, all=wish.with_forgotten)
            if not self._lane.superseded:
                self._background.tell(VocabularyRead(vocabulary))

        if self._background.closing:
            return
        trouble = self._background.trouble_of(work, "reading of what queries may be completed with")
        if trouble is not None:
            self._background.tell(Troubled(trouble))
