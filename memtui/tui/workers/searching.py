"""Searching: by words at once, and then by words and meaning. Each has a lane of its own.

In both lanes only the newest question counts, and the slow one never holds up the fast one.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memtui.errors import MemtuiError, NotFound
from memtui.model.belief import BeliefState
from memtui.model.results import Order, RecordView, Snippet
from memtui.tui.keeping import Opened
from memtui.tui.messages import MeaningFailed, SearchAnswered
from memtui.tui.newest_only import NewestOnly
from memtui.tui.rows import Answer, Row
from memtui.tui.state import Cause
from memtui.tui.workers.background import Background
from memtui.tui.workers.following import StoreFollowing
from memtui.tui.workers.passages import Passages

if TYPE_CHECKING:
    from memtui.memory.memory import Memory
    from memtui.model.results import Found

log = logging.getLogger(__name__)

MOST_HITS = 50
MOST_RECENT = 500
MOST_CLOSEST = 5
MOST_OPENED = 5
_ROWS_FOR_ONE_OPENED = 3
"""Of so many rows of a page one may be for what was opened last: on a small screen the rest must be seen too."""


@dataclass(frozen=True, slots=True)
class Question:
    """One search to be run."""

    sequence: int
    query: str
    cause: Cause
    belief: BeliefState
    with_forgotten: bool
    page: int
    """How many rows will be seen at once, whose snippets are made along with the answer."""
    order: Order = "relevance"
    opened: tuple[Opened, ...] = ()
    """What was opened last, to stand above what was recorded last where nothing is asked."""


class Searching:
    """Answers questions with SearchAnswered."""

    def __init__(self, background: Background, memory: Memory, following: StoreFollowing, passages: Passages) -> None:
        self._background = background
        self._memory = memory
        self._following = following
        self._passages = passages
        self._words = NewestOnly[Question](background.host, "search", self._answer_by_words)
        self._meaning = NewestOnly[Question](background.host, "meaning", self._answer_by_meaning)
        self._met_meaning = False

    def by_words(self, question: Question) -> None:
        """Answer from what is held, at once."""
        self._words.ask(question)

    def by_meaning(self, question: Question) -> None:
        """Answer by words and meaning as soon as the model can; a question that is not the newest then is dropped."""
        self._meaning.ask(question)

    @property
    def waits_for_the_model(self) -> bool:
        """Whether a question is being answered by meaning."""
        return self._meaning.running

    def _answer_by_words(self, question: Question) -> None:
        answer = Answer(question.query, (), 0)

        def work() -> None:
            nonlocal answer
            answer = self._asked(question)

        trouble = self._background.trouble_of(work, "search")
        if trouble is not None:
            answer = replace(answer, trouble=trouble)
        self._tell(self._words, question, answer)

    def _answer_by_meaning(self, question: Question) -> None:
        def work() -> None:
            found = self._found(question, semantic=True)
            if not self._met_meaning:
                self._met_meaning = True
                self._following.doubt()
            if not self._meaning.superseded:
                answer = self._of_found(question, found)
                self._tell(self._meaning, question, replace(answer, by_meaning=True))

        if self._background.closing:
            return
        trouble = self._background.trouble_of(work, "search by meaning")
        if trouble is not None:
            self._background.tell(MeaningFailed(trouble))

    def _tell(self, lane: NewestOnly[Question], question: Question, answer: Answer) -> None:
        """Tell an answer with the snippets that will be seen, unless a newer question waits."""
        passages: dict[int, Snippet] = {}

        def work() -> None:
            nonlocal answer
            answer = replace(answer, rows=self._with_retention(answer.rows, question.belief))
            for index, row in enumerate(answer.rows):
                if lane.superseded:
                    return
                make = self._passages.of if index < question.page else self._passages.known
                passage = None if row.hit is None else make(question.query, question.belief, row)
                if passage is not None:
                    passages[index] = passage

        trouble = self._background.trouble_of(work, "search")
        if trouble is not None:
            answer = replace(answer, trouble=trouble)
        if not lane.superseded:
            self._background.tell(SearchAnswered(question.sequence, question.cause, replace(answer, passages=passages)))

    def _with_retention(self, rows: Sequence[Row], belief: BeliefState) -> list[Row]:
        retentions = self._memory.retentions([row.record for row in rows], belief=belief)
        return [replace(row, retention=retention) for row, retention in zip(rows, retentions, strict=True)]

    def _asked(self, question: Question) -> Answer:
        if not question.query.strip():
            return self._recent(question)
        return self._of_found(question, self._found(question, semantic=None))

    def _recent(self, question: Question) -> Answer:
        order: Order = "recorded" if question.order == "relevance" else question.order
        listing = self._memory.recent(MOST_RECENT, order=order, belief=question.belief, all=question.with_forgotten)
        # Who chose to see what is true or in mind first wants to see all by it.
        opened = self._opened(question) if order == "recorded" else ()
        return Answer.of_listing(listing, opened, question.order)

    def _opened(self, question: Question) -> list[RecordView]:
        """What was opened last of what is in sight, a few for a page."""
        most = max(1, min(MOST_OPENED, (question.page - 1) // _ROWS_FOR_ONE_OPENED))
        known_at = question.belief.known_at
        records: list[RecordView] = []
        for opened in question.opened:
            if len(records) == most:
                break
            if known_at is not None and opened.at > known_at:
                continue
            try:
                record = self._memory.show(opened.key, belief=question.belief)
            except NotFound:  # renamed or removed since, or not known then
                continue
            if record.state == "in_force" or question.with_forgotten:
                records.append(record)
        return records

    def _found(self, question: Question, *, semantic: bool | None) -> Found:
        return self._memory.search(
            question.query,
            k=MOST_HITS,
            belief=question.belief,
            order=question.order,
            all=question.with_forgotten,
            follow=False,
            semantic=semantic,
        )

    def _of_found(self, question: Question, found: Found) -> Answer:
        closest = [] if found.hits else self._closest(found.closest, question.belief)
        return replace(Answer.of_found(found, closest), query=question.query, is_cut=len(found.hits) >= MOST_HITS)

    def _closest(self, names: tuple[str, ...], belief: BeliefState) -> list[RecordView]:
        records: list[RecordView] = []
        for name in names[:MOST_CLOSEST]:
            try:
                records.append(self._memory.show(name, belief=belief))
            except MemtuiError as error:
                # A name that several records share cannot be shown as one row.
                log.info("closest name %r left out: %s", name, error.message)
        return records
