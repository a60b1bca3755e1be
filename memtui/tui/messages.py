"""What happened, as messages: the answers of workers and the choices of a person.

Workers never touch widgets. They post one of these, and the screen decides what it means. Messages
of one widget live beside that widget.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from textual.message import Message

from memtui.model.instants import Instant
from memtui.model.outcomes import SyncReport, Written
from memtui.model.proposals import Plan, Proposal
from memtui.model.records import RecordKey
from memtui.model.results import Snippet
from memtui.model.reviews import Confirmation, Undone
from memtui.model.status import Status
from memtui.text.query_completing import Vocabulary
from memtui.tui.actions import Pane
from memtui.tui.claims_text import Claiming
from memtui.tui.rows import Answer
from memtui.tui.standing import Standing
from memtui.tui.state import Cause, Done
from memtui.tui.styled_lines import Layout
from memtui.tui.timeline import Timeline
from memtui.tui.vault_board import Survey

Severity = Literal["information", "warning", "error"]


@dataclass
class VaultLoaded(Message):
    """The resident snapshot stands: searching can begin."""

    status: Status


@dataclass
class VaultFailed(Message):
    """The vault could not be opened or read."""

    sentence: str


@dataclass
class VaultChanged(Message):
    """The store holds something new, by us or by another process."""

    status: Status
    by_others: bool


@dataclass
class OrderChanged(Message):
    """Vectors or recalls came into the store: the order of an answer may be another, its texts are the same."""


@dataclass
class MeaningStands(Message):
    """How searching by meaning stands now."""

    standing: Standing
    embedding_ended: bool = False
    """Whether what waited has just been embedded."""


@dataclass
class EmbeddingAdvanced(Message):
    """So many of the texts are embedded by now."""

    embedded: int
    texts: int

    def can_replace(self, message: Message) -> bool:
        """Only the newest count is worth painting."""
        return isinstance(message, EmbeddingAdvanced)


@dataclass
class MeaningFailed(Message):
    """There is no meaning, for a reason; words answer. Nothing tries again by itself."""

    reason: str


@dataclass
class FollowingChanged(Message):
    """Changes by others can no longer be seen, for the reason in `trouble`; or (None) they can again."""

    trouble: str | None
    gone: str = ""
    """The store's file, where the reason is that it is not there any more."""


@dataclass
class SyncAdvanced(Message):
    """The sync has read `done` of `total` files."""

    done: int
    total: int

    def can_replace(self, message: Message) -> bool:
        """Only the newest count is worth painting."""
        return isinstance(message, SyncAdvanced)


@dataclass
class SyncEnded(Message):
    """The sync is through, or was given up with a reason."""

    report: SyncReport | None = None
    trouble: str | None = None
    unasked: bool = False
    """Whether the watcher began it: then it is told quietly, and of its problems only the new ones."""
    made_anew: bool = False
    """Whether it made a new store, as the one that was open had gone."""


@dataclass
class SearchAnswered(Message):
    """An answer to the `sequence`-th question, in the order they were asked."""

    sequence: int
    cause: Cause
    answer: Answer


@dataclass
class TimelineReady(Message):
    """The `sequence`-th timeline that was wished for."""

    sequence: int
    timeline: Timeline


@dataclass
class WhenLearned(Message):
    """A record was first recorded at `moment`; None where nothing is held of it."""

    key: RecordKey
    moment: Instant | None


@dataclass
class VocabularyRead(Message):
    """What a query may be completed with, as the vault was when it was asked for."""

    vocabulary: Vocabulary


@dataclass
class PassagesReady(Message):
    """The snippets of rows came in, for the answer with that sequence number."""

    sequence: int
    passages: dict[int, Snippet]


@dataclass
class PreviewReady(Message):
    """The lines of the `sequence`-th preview, laid out."""

    sequence: int
    layout: Layout
    note: str
    focus_line: int | None = None
    """The logical line to bring into view."""


@dataclass
class MemoryWritten(Message):
    """A verb was carried out; `undoes` is the earlier write it took back."""

    written: Written
    done: Done
    undoes: Done | None = None


@dataclass
class WriteFailed(Message):
    """A verb was refused or failed; what it was to undo can still be undone."""

    sentence: str
    undoes: Done | None = None


@dataclass
class ProposalsFound(Message):
    """The `sequence`-th look found more proposals."""

    sequence: int
    proposals: tuple[Proposal, ...]


@dataclass
class PassAdvanced(Message):
    """The `sequence`-th look has compared `done` of `total` memories."""

    sequence: int
    done: int
    total: int

    def can_replace(self, message: Message) -> bool:
        """Only the newest count is worth painting."""
        return isinstance(message, PassAdvanced)


@dataclass
class PassEnded(Message):
    """The `sequence`-th look is through with its plan, was ended (no plan), or failed."""

    sequence: int
    plan: Plan | None = None
    trouble: str | None = None


@dataclass
class Confirmed(Message):
    """Decisions were carried out, as far as they still stood."""

    confirmation: Confirmation


@dataclass
class ReviewTakenBack(Message):
    """A review was taken back."""

    id: str
    undone: Undone


@dataclass
class MembersRead(Message):
    """What the memories of a proposal say and claim."""

    id: str
    memories: tuple[Claiming, ...]


@dataclass
class ClaimsDeclared(Message):
    """Memories of a proposal claim something else by now; `whole` tells whether all that were to."""

    id: str
    names: tuple[str, ...]
    whole: bool = True


@dataclass
class ReviewFailed(Message):
    """Decisions could not be carried out, or not be taken back."""

    sentence: str


@dataclass
class VaultSurveyed(Message):
    """How the vault stands."""

    survey: Survey


@dataclass
class SurveyFailed(Message):
    """It could not be seen how the vault stands."""

    sentence: str


@dataclass
class Troubled(Message):
    """Something a worker did failed; the program goes on."""

    sentence: str


@dataclass
class Told(Message):
    """Something to say in a toast; the app makes it harmless and shows it."""

    sentence: str
    severity: Severity = "information"


@dataclass
class CopyWanted(Message):
    """A text should go to the clipboard; `what` names it, `name` is the record it belongs to."""

    text: str
    what: str
    name: str | None = None


@dataclass
class EditWanted(Message):
    """A file should be opened in the person's editor, at a line; what was saved is to be read then."""

    file: Path
    line: int | None


@dataclass
class TextWanted(Message):
    """A text should be changed in the person's editor; what was saved is handed to `then`.

    What was written although the editor failed is handed to `kept`.
    """

    text: str
    suffix: str
    """How the name of the file ends that is edited."""
    then: Callable[[str], None]
    kept: Callable[[str], None]


@dataclass
class Copied(Message):
    """A local tool took the text, or (None) there is none and the terminal must be asked."""

    text: str
    what: str
    name: str | None
    tool: str | None


@dataclass
class HelpWanted(Message):
    """The person asked what a pane is for and which keys work in it."""

    pane: Pane
    answering: str = ""
    """What answers searches just now, in a sentence."""
