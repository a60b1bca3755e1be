"""Making what is seen of the rows: the snippets that come into view, and the preview of the selected one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memtui.model.belief import NOW, BeliefState
from memtui.model.results import Snippet
from memtui.tui.marking import Marker
from memtui.tui.messages import PassagesReady, PreviewReady, Troubled
from memtui.tui.newest_only import NewestOnly
from memtui.tui.preview_lines import Prepared, history_tab, text_tab
from memtui.tui.rows import Row
from memtui.tui.state import Tab
from memtui.tui.styled_lines import lay_out
from memtui.tui.why_lines import why_tab
from memtui.tui.workers.background import Background
from memtui.tui.workers.passages import Passages

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
    row: Row
    query: str
    tab: Tab
    whole: bool
    brief: bool
    width: int
    belief: BeliefState = NOW


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
        match wish.tab:
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
                )
            case "why":
                return why_tab(None if row.hit is None else row.hit.explanation, wish.width, row.order)
            case "history":
                return history_tab(self._memory.history(row.key), self._memory.zone)
