"""What the Vault mode lists: its pages, the problems of its files, and the journal of reviews. Pure values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from memtui.model.instants import Instant
from memtui.model.problems import Problem
from memtui.model.proposals import told_names
from memtui.model.reviews import Review, review_id, tally
from memtui.text.moments import age
from memtui.tui.display import several

if TYPE_CHECKING:
    from memtui.model.status import Status
    from memtui.search.census import Census

VaultGroup = Literal["vault", "problems", "reviews"]
VAULT_GROUPS: Mapping[VaultGroup, str] = {"vault": "Vault", "problems": "Problems", "reviews": "Reviews"}
"""The groups in order, with their headings; the first is called as the vault is."""
Page = Literal["memories", "store"]
PAGES: Mapping[Page, str] = {"memories": "Memories", "store": "Store and index"}

_SIZES = ("bytes", "KB", "MB", "GB", "TB")


@dataclass(frozen=True, slots=True, eq=False)  # a census holds arrays
class Survey:
    """How a vault stood at one moment, in one belief state."""

    status: Status
    census: Census
    reviews: tuple[Review, ...]
    """The journal, oldest first."""
    now: Instant


@dataclass(frozen=True, slots=True, eq=False)
class VaultEntry:
    """One line that can be selected."""

    id: str
    group: VaultGroup
    title: str
    right: str
    """What stands at the end of its line."""
    subject: Page | Problem | Review
    survey: Survey
    said: str = ""
    """What a query looks at, folded."""

    @property
    def is_over(self) -> bool:
        """Whether it is a review that was taken back, or that took one back."""
        return isinstance(self.subject, Review) and not stands(self.subject)


@dataclass(frozen=True, slots=True)
class VaultHeading:
    """The line above a group."""

    group: VaultGroup
    label: str
    count: int | None
    id: None = None


VaultLine = VaultHeading | VaultEntry


@dataclass(frozen=True, eq=False)
class VaultBoard:
    """What is listed, of the last survey that came in."""

    survey: Survey | None = None
    query: str = ""
    only: VaultGroup | None = None
    """The one group that is shown; None: all."""
    name: str = VAULT_GROUPS["vault"]

    @cached_property
    def entries(self) -> tuple[VaultEntry, ...]:
        """Everything there is, by group."""
        survey = self.survey
        if survey is None:
            return ()
        return (*_pages(survey), *_problems(survey), *_reviews(survey))

    @cached_property
    def lines(self) -> tuple[VaultLine, ...]:
        """Headings and entries, as the list shows them; a query narrows down problems and reviews."""
        words = self.query.casefold().split()
        lines: list[VaultLine] = []
        for group, label in VAULT_GROUPS.items():
            shown = [entry for entry in self.entries if entry.group == group and all(w in entry.said for w in words)]
            if shown and self.only in (None, group):
                named = (self.name, None) if group == "vault" else (label, len(shown))
                lines += [VaultHeading(group, *named), *shown]
        return tuple(lines)

    def find(self, id_: str | None) -> VaultEntry | None:
        """The entry of an id."""
        return next((entry for entry in self.entries if entry.id == id_), None)

    @property
    def groups(self) -> list[VaultGroup]:
        """The groups that have entries."""
        held = {entry.group for entry in self.entries}
        return [group for group in VAULT_GROUPS if group in held]


def _pages(survey: Survey) -> Iterator[VaultEntry]:
    notes = {"memories": f"{survey.census.in_force:,} in force", "store": several(survey.status.index_rows, "text")}
    for page, title in PAGES.items():
        yield VaultEntry(page, "vault", title, notes[page], page, survey, title.casefold())


def _problems(survey: Survey) -> Iterator[VaultEntry]:
    seen: dict[str, int] = {}
    for problem in survey.status.problems:
        place = problem.path if problem.line is None else f"{problem.path}:{problem.line}"
        number = seen[place] = seen.get(place, 0) + 1
        right = " ".join(part for part in (problem.field, problem.reason) if part)
        yield VaultEntry(
            f"problem {place} {number}", "problems", place, right, problem, survey, f"problem {problem}".casefold()
        )


def _reviews(survey: Survey) -> Iterator[VaultEntry]:
    for review in reversed(survey.reviews):
        yield VaultEntry(
            f"review {review.seq}",
            "reviews",
            f"{review.id}  {came_to(review)}",
            age(review.decided_at, survey.now),
            review,
            survey,
            _said(review),
        )


def _said(review: Review) -> str:
    parts = ["review", review.id, review.actor, came_to(review)]
    for decision in review.decisions:
        parts += [decision.proposal, decision.kind, decision.about, *told_names(decision.keys), decision.effect]
    return " ".join(parts).casefold()


def stands(review: Review) -> bool:
    """Whether a review can be taken back."""
    return review.undoes is None and review.undone_by is None


def came_to(review: Review) -> str:
    """What a review was, in a few words."""
    if review.undoes is not None:
        return f"took {review_id(review.undoes)} back"
    told = tally([decision.verb for decision in review.decisions])
    return told if review.undone_by is None else f"{told}; taken back"


def size(count: int) -> str:
    """Bytes as people read them, in powers of a thousand."""
    number, unit = float(count), 0
    while number >= 999.5 and unit < len(_SIZES) - 1:
        number, unit = number / 1_000, unit + 1
    return f"{number:,.0f} {_SIZES[unit]}" if unit == 0 or number >= 99.5 else f"{number:,.1f} {_SIZES[unit]}"
