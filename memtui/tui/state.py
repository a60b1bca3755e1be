"""What the search screen knows, as plain values: what a key may do is decided here, without a screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeVar

from memtui.model.belief import BeliefState
from memtui.model.instants import Instant
from memtui.model.problems import Problem
from memtui.model.records import MEMORY_KINDS, RecordKey, State
from memtui.model.results import ORDERS, Order
from memtui.model.reviews import Review
from memtui.search.lanes import LANE_ORDERS, LaneOrder
from memtui.tui.actions import Action
from memtui.tui.board import Board
from memtui.tui.clocks import Clocks
from memtui.tui.vault_board import Page, VaultBoard, VaultEntry, stands

if TYPE_CHECKING:
    from memtui.tui.rows import Row

Cause = Literal["typed", "fused", "changed"]
"""Why an answer came: the person typed, meaning joined the words of the same query, or the store changed."""

Mode = Literal["search", "timeline", "review", "vault"]
MODES: tuple[Mode, ...] = ("search", "timeline", "review", "vault")
Tab = Literal["text", "why", "history", "map", "diff", "proposal", "details"]
TABS: Mapping[Mode, tuple[Tab, ...]] = {
    "search": ("text", "why", "history"),
    "timeline": ("map", "diff", "text", "why", "history"),
    "review": ("proposal", "text", "history"),
    "vault": ("details",),
}
TAB_LABELS: Mapping[Tab, str] = {
    "text": "Text",
    "why": "Why",
    "history": "History",
    "map": "Map",
    "diff": "Diff",
    "proposal": "Proposal",
    "details": "Details",
}


Choice = TypeVar("Choice")


def after(choices: Sequence[Choice], chosen: Choice) -> Choice:
    """The next of some choices, around the end; the second where what was chosen is none of them."""
    at = choices.index(chosen) if chosen in choices else 0
    return choices[(at + 1) % len(choices)]


def order_after(order: Order) -> Order:
    """The next order, around the end."""
    return after(ORDERS, order)


def lane_order_after(order: LaneOrder) -> LaneOrder:
    """The next order of lanes, around the end."""
    return after(LANE_ORDERS, order)


@dataclass(frozen=True, slots=True)
class Done:
    """A write that can be undone: forgetting by reviving, reviving by forgetting."""

    verb: Literal["forget", "revive"]
    key: RecordKey

    @property
    def opposite(self) -> Literal["forget", "revive"]:
        """The verb that undoes this one."""
        return "revive" if self.verb == "forget" else "forget"


@dataclass(frozen=True, slots=True)
class SearchState:
    """The search screen between two events."""

    query: str = ""
    mode: Mode = "search"
    clocks: Clocks = field(default_factory=Clocks)
    mark: Instant | None = None
    """Mark A: the moment of transaction time that the Diff tab compares with."""
    against: int = -1
    """How many versions from the believed one the one is that the Map tab compares it with."""
    show_forgotten: bool = False
    hide_gone: bool = False
    """Whether the Timeline leaves out what has been, and what nobody knew of yet."""
    lane_order: LaneOrder = "first-known"
    order: Order = "relevance"
    ready: bool = False
    """Whether the store is loaded; before that nothing is asked."""
    read_only: bool = False
    selected: RecordKey | None = None
    selected_state: State | None = None
    moved: bool = False
    """Whether the person chose the selection since the query changed."""
    reading: bool = False
    """Whether the preview fills the screen with the whole text."""
    reading_tab: Tab = "text"
    """The tab that fills the screen then."""
    tabs: Mapping[Mode, Tab] = field(
        default_factory=lambda: {"search": "text", "timeline": "map", "review": "proposal", "vault": "details"}
    )
    """The tab of the preview in each mode."""
    selected_contradicted: bool = False
    """Whether the selected memory contradicts another."""
    board: Board = field(default_factory=Board)
    """What is proposed, and what is decided about it so far."""
    overview: VaultBoard = field(default_factory=VaultBoard)
    """How the vault stands."""
    inspected: VaultEntry | None = None
    """What is selected there."""
    reviewed: tuple[str, ...] = ()
    """The reviews of this session that can be taken back, newest last."""
    done: tuple[Done, ...] = ()
    awaited: RecordKey | None = None
    """A record that an undo brought back, to be selected as soon as it is listed again."""

    @property
    def belief(self) -> BeliefState:
        """What the whole program shows."""
        return self.clocks.belief

    @property
    def tab(self) -> Tab:
        """The tab of the preview."""
        return self.reading_tab if self.reading else self.tabs[self.mode]

    @property
    def sees_everything(self) -> bool:
        """Whether what is out of force is shown too: lanes show it by their style."""
        return self.mode == "timeline" or self.show_forgotten

    def showing_tab(self, tab: Tab) -> SearchState:
        """Another tab is shown; where the mode has none of that kind, in the one that has."""
        mode = self.mode if tab in TABS[self.mode] else next(mode for mode in MODES if tab in TABS[mode])
        return replace(self, mode=mode, tabs={**self.tabs, mode: tab})

    def typed(self, query: str) -> SearchState:
        """The person changed the query: the selection goes back to the first row."""
        return replace(self, query=query, moved=False, reading=False, awaited=None)

    def sorted_by(self, order: Order) -> SearchState:
        """The rows come in another order: the selection goes back to the first one."""
        return replace(self, order=order, moved=False, awaited=None)

    def chose(
        self, key: RecordKey | None, state: State | None, *, by_person: bool, contradicted: bool = False
    ) -> SearchState:
        """A row became the selected one; a person who chose waits for no other."""
        awaited = None if by_person or key == self.awaited else self.awaited
        return replace(
            self,
            selected=key,
            selected_state=state,
            selected_contradicted=contradicted,
            moved=self.moved or by_person,
            awaited=awaited,
        )

    def chose_row(self, row: Row | None, *, by_person: bool) -> SearchState:
        """The same of a row, or of none."""
        if row is None:
            return self.chose(None, None, by_person=by_person)
        record = row.record
        return self.chose(row.key, record.state, by_person=by_person, contradicted=record.contradicted)

    def did(self, done: Done) -> SearchState:
        """A write succeeded and can be undone."""
        return replace(self, done=(*self.done, done))

    def undoing(self) -> SearchState:
        """The newest write is being undone: the one before it is next."""
        return replace(self, done=self.done[:-1])

    def brought_back(self, key: RecordKey) -> SearchState:
        """An undo brought a record back: it is what the person wants to see."""
        return replace(self, awaited=key)

    def stepped_tab(self, step: int) -> SearchState:
        """The preview shows the next or the previous tab, around the ends."""
        tabs = TABS[self.mode]
        return self.showing_tab(tabs[(tabs.index(self.tab) + step) % len(tabs)])


def place_selection(state: SearchState, keys: Sequence[RecordKey], at: int, cause: Cause) -> int | None:
    """The row to select in a new answer.

    Typing selects the first row. A fused answer does so too until the person has moved; from then
    on, and whenever the store changed, the selection follows its record, or goes to one that an undo
    brought back. Where the record is gone, the row that took its place (`at` was the old one) is selected.
    """
    if not keys:
        return None
    if state.awaited in keys:
        return keys.index(state.awaited)
    if cause == "typed" or (cause == "fused" and not state.moved) or state.selected is None:
        return 0
    try:
        return keys.index(state.selected)
    except ValueError:
        return min(at, len(keys) - 1)


def applies(action: Action, state: SearchState) -> bool:
    """Whether an action makes sense now: the footer and the palette leave out what does not."""
    match action.needs:
        case "selection":
            return state.selected is not None
        case "live":
            return _is_memory(state.selected) and state.selected_state in ("in_force", "not_yet")
        case "gone":
            return _is_memory(state.selected) and state.selected_state in ("forgotten", "superseded")
        case "undo":
            return bool(state.done)
        case "store":
            return state.ready
        case "timeline":
            return state.ready and state.mode == "timeline"
        case "contradicted":
            return state.selected_contradicted
        case "proposal":
            return state.mode == "review" and bool(state.board.entries)
        case "decided":
            return bool(state.board.decisions)
        case "review-undo":
            return state.mode == "review" and bool(state.board.past or state.reviewed)
        case "ranked":
            return "why" in TABS[state.mode]
        case "memory":
            return "text" in TABS[state.mode]
        case "inspected":
            return _inspected(state) is not None
        case "problem":
            return isinstance(_inspected(state), Problem)
        case "standing-review":
            review = _inspected(state)
            return isinstance(review, Review) and stands(review)
        case "past":
            return not state.belief.is_present
        case "nothing":
            return True


def _inspected(state: SearchState) -> Page | Problem | Review | None:
    """What is selected in the Vault mode, while that is shown."""
    return None if state.mode != "vault" or state.inspected is None else state.inspected.subject


def _is_memory(key: RecordKey | None) -> bool:
    """Whether a record lives by the verbs; a document lives by its file."""
    return key is not None and key.kind in MEMORY_KINDS


def refusal(action: Action, state: SearchState) -> str | None:
    """Why an action cannot be done now, as a sentence; None where it can."""
    if action.needs != "nothing" and not state.ready:
        return "The vault is still opening."
    if action.writes and state.read_only:
        return "This vault is open read-only: memories can be read here, not changed."
    if action.writes and not state.belief.is_present:
        return "Another time than now is read-only: memories are changed in the present. 0 goes back to now."
    if action.needs in ("selection", "live", "gone") and state.selected is None:
        return "No memory is selected."
    if action.needs == "gone" and _is_memory(state.selected) and state.selected_state == "not_yet":
        return "It is not yet true, so there is nothing to revive: it comes into force when its time has come."
    if action.needs == "undo" and not state.done:
        return "There is nothing to undo in this session."
    return None
