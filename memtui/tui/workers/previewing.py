"""Making what is seen of the rows: the snippets that come into view, and the preview of the selected one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memtui.errors import NotFound
from memtui.model.belief import NOW, BeliefState
from memtui.model.instants import Instant, to_datetime
from memtui.model.problems import Problem
from memtui.model.proposals import Expiry
from memtui.model.records import RecordKey
from memtui.model.results import Snippet
from memtui.model.reviews import Decision
from memtui.tui.board import Entry
from memtui.tui.diff_lines import diff_tab
from memtui.tui.marking import Marker
from memtui.tui.member_lines import Told, shown_members
from memtui.tui.messages import PassagesReady, PreviewReady, Troubled
from memtui.tui.newest_only import NewestOnly
from memtui.tui.preview_lines import Prepared, history_tab, text_tab
from memtui.tui.review_lines import panel
from memtui.tui.rows import Row
from memtui.tui.state import Tab
from memtui.tui.styled_lines import lay_out
from memtui.tui.time_map import Crosshair, map_tab
from memtui.tui.vault_board import VaultEntry
from memtui.tui.vault_lines import details
from memtui.tui.why_lines import why_tab
from memtui.tui.workers.background import Background
from memtui.tui.workers.passages import Passages
from memtui.tui.workers.surveying import excerpt_of

if TYPE_CHECKING:
    from memtui.memory.memory import Memory


@dataclass(frozen=True, slots=True)
class PassageWish:
    """Rows whose snippets will be seen."""

    sequence: int
    rows: Mapping[int, Row]
    query: str
    belief: BeliefState = NOW


@dataclass(frozen=True, slots=True)
class PreviewWish:
    """One preview to be made."""

    sequence: int
    row: Row | None
    query: str
    tab: Tab
    whole: bool
    brief: bool = False
    """Whether there is little room for the facts of a memory."""
    width: int = 0
    belief: BeliefState = NOW
    mark: Instant | None = None
    """Mark A, for the Diff tab."""
    against: int = -1
    """Which version the Map tab compares with: so many steps from the believed one."""
    searched: str = ""
    """What the Diff tab is narrowed down to."""
    entry: Entry | None = None
    """The proposal whose panel is wanted."""
    decision: Decision | None = None
    """What was decided about it so far."""
    key: RecordKey | None = None
    """A memory that is to be read where no row is selected."""
    inspected: VaultEntry | None = None
    """What of the vault is to be told."""
    answering: str = ""
    """What answers searches just now, for the page about the index."""


class Previewing:
    """Answers wishes, the newest only."""

    def __init__(self, background: Background, memory: Memory, passages: Passages) -> None:
        self._background = background
        self._memory = memory
        self._known_passages = passages
        self._passages = NewestOnly[PassageWish](background.host, "passages", self._make_passages)
        self._preview = NewestOnly[PreviewWish](background.host, "preview", self._make_preview)

    def passages(self, wish: PassageWish) -> None:
        """Answer with PassagesReady."""
        self._passages.ask(wish)

    def preview(self, wish: PreviewWish) -> None:
        """Answer with PreviewReady."""
        self._preview.ask(wish)

    def _make_passages(self, wish: PassageWish) -> None:
        passages: dict[int, Snippet] = {}

        def work() -> None:
            for index, row in wish.rows.items():
                passage = self._known_passages.of(wish.query, wish.belief, row)
                if passage is not None:
                    passages[index] = passage

        trouble = self._background.trouble_of(work, "snippet")
        self._background.tell(PassagesReady(wish.sequence, passages) if trouble is None else Troubled(trouble))

    def _make_preview(self, wish: PreviewWish) -> None:
        def work() -> None:
            prepared = self._prepared(wish)
            layout = lay_out(prepared.lines, wish.width)
            self._background.tell(PreviewReady(wish.sequence, layout, prepared.note, prepared.focus_line))

        trouble = self._background.trouble_of(work, "preview")
        if trouble is not None:
            self._background.tell(Troubled(trouble))

    def _prepared(self, wish: PreviewWish) -> Prepared:
        row = wish.row
        if wish.tab == "diff":
            return self._diff(wish)
        if wish.tab == "proposal":
            return self._proposal(wish)
        if wish.tab == "details":
            return self._details(wish)
        if row is None and wish.key is not None:
            row = Row(self._memory.show(wish.key), order="recorded")
        if row is None:
            return Prepared(())
        match wish.tab:
            case "map":
                return self._map(wish, row)
            case "text":
                passage = self._known_passages.of(wish.query, wish.belief, row)
                return text_tab(
                    row.record,
                    passage,
                    Marker() if row.hit is None else Marker.of(wish.query, passage),
                    whole=wish.whole,
                    brief=wish.brief,
                    zone=self._memory.zone,
                    strength=self._memory.strength(row.record, belief=wish.belief),
                    known_from=row.known_from,
                )
            case "why":
                return why_tab(None if row.hit is None else row.hit.explanation, wish.width, row.order)
            case _:
                return self._history(wish, row)

    def _details(self, wish: PreviewWish) -> Prepared:
        entry = wish.inspected
        if entry is None:
            return Prepared(())
        excerpt = excerpt_of(self._memory, entry.subject) if isinstance(entry.subject, Problem) else ()
        zone = self._memory.zone
        return details(entry, width=wish.width, zone=zone, answering=wish.answering, excerpt=excerpt)

    def _proposal(self, wish: PreviewWish) -> Prepared:
        if wish.entry is None:
            return Prepared(())
        fades = isinstance(wish.entry.proposal, Expiry)
        shown = shown_members(wish.entry.proposal, wish.decision)
        members = {key: told for _, key, _ in shown if (told := self._told(key, fades))}
        return panel(
            wish.entry, members, wish.decision, width=wish.width, now=self._memory.present(), zone=self._memory.zone
        )

    def _told(self, key: RecordKey, fades: bool) -> Told | None:
        """What is known of a member of a proposal; its recalls only where fading is what it is about."""
        try:
            if not fades:
                return Told(self._memory.show(key))
            details = self._memory.details(key)
        except NotFound:
            return None
        return Told(details.record, details.strength, tuple(recall.recorded_at for recall in details.recalls))

    def _history(self, wish: PreviewWish, row: Row) -> Prepared:
        """The versions that were recorded by then, and how many came later."""
        versions = self._memory.history(row.key)
        known_at = wish.belief.known_at
        known = [version for version in versions if known_at is None or version.recorded_at <= known_at]
        return history_tab(known, self._memory.zone, later=len(versions) - len(known))

    def _map(self, wish: PreviewWish, row: Row) -> Prepared:
        chronicle = self._memory.chronicle()
        number = chronicle.numbers.get(row.key)
        if number is None:
            return Prepared(())
        at = Crosshair(*wish.belief.settle(self._memory.present()))
        return map_tab(chronicle.versions_of(number), at, wish.against, wish.width, self._memory.zone)

    def _diff(self, wish: PreviewWish) -> Prepared:
        zone = self._memory.zone
        if wish.mark is None:
            return diff_tab(None, None, "", zone)
        known_at, _ = wish.belief.settle(self._memory.present())
        earlier, later = sorted((wish.mark, known_at))
        true_at = wish.belief.true_at
        diff = self._memory.diff(
            to_datetime(earlier),
            to_datetime(later),
            valid_at=None if true_at is None else to_datetime(true_at),
            query=wish.searched,
            follow=False,
        )
        return diff_tab(diff, wish.mark, wish.searched.strip(), zone)
