"""Surveying a vault: its status, its census and its journal, newest wish only; and what stands around a problem."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memtui.model.belief import BeliefState
from memtui.model.instants import to_datetime
from memtui.model.problems import Problem
from memtui.regular_files import read_regular
from memtui.tui.messages import SurveyFailed, VaultSurveyed
from memtui.tui.newest_only import NewestOnly
from memtui.tui.vault_board import Survey
from memtui.tui.workers.background import Background

if TYPE_CHECKING:
    from memtui.memory.memory import Memory

_LARGEST = 4_000_000
"""Bytes of a file of which an excerpt is shown."""
_AROUND = 4
"""Lines before and after the one that is meant."""
_LONGEST = 400
"""Characters of a line that are shown."""


class Surveying:
    """Answers with VaultSurveyed or SurveyFailed."""

    def __init__(self, background: Background, memory: Memory) -> None:
        self._background = background
        self._memory = memory
        self._lane = NewestOnly[BeliefState](background.host, "survey", self._survey)

    def survey(self, belief: BeliefState) -> None:
        """Look how the vault stands in a belief state."""
        self._lane.ask(belief)

    def _survey(self, belief: BeliefState) -> None:
        def work() -> None:
            memory = self._memory
            known_at = None if belief.known_at is None else to_datetime(belief.known_at)
            status, census = memory.status(belief), memory.census(belief)
            survey = Survey(status, census, memory.reviews(as_of=known_at), memory.present())
            self._background.tell(VaultSurveyed(survey))

        trouble = self._background.trouble_of(work, "look at the vault")
        if trouble is not None:
            self._background.tell(SurveyFailed(trouble))


def excerpt_of(memory: Memory, problem: Problem) -> list[tuple[int, str]]:
    """The numbered lines around a problem's place; none where the file cannot be read or lies outside the vault."""
    root = os.path.realpath(memory.vault)
    path = os.path.realpath(os.path.join(root, problem.path))
    if problem.line is None or not path.startswith(root + os.sep):
        return []
    try:
        data = read_regular(path, _LARGEST)
    except OSError:
        return []  # the problem may be just that
    lines = [line.rstrip("\r") for line in data.decode("utf-8", errors="replace").split("\n")]
    first = max(problem.line - 1 - _AROUND, 0)
    return [(number, text[:_LONGEST]) for number, text in enumerate(lines, 1)][first : problem.line + _AROUND]
