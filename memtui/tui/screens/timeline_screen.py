"""The Timeline: two clocks to be moved, and lanes, map and diff that follow them like everything else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from textual import getters, on

from memtui.model.instants import SECOND, Instant
from memtui.model.records import RecordKey
from memtui.search.lanes import LaneOrder
from memtui.tui import time_notes
from memtui.tui.actions import BY_ID
from memtui.tui.clocks import Clocks
from memtui.tui.display import width_of
from memtui.tui.messages import SearchAnswered, TimelineReady, Told, WhenLearned
from memtui.tui.rows import Row
from memtui.tui.screens.completing_screen import CompletingScreen
from memtui.tui.screens.time_prompt import TimePrompt, TimeWanted
from memtui.tui.state import Cause, Mode, applies
from memtui.tui.time_axis import Place
from memtui.tui.time_map import believed_at
from memtui.tui.timeline import Timeline
from memtui.tui.vault_worker import TimelineWish
from memtui.tui.widgets.lane_list import LaneList
from memtui.tui.widgets.mode_tabs import ModeTabs
from memtui.tui.widgets.pane_rule import PaneRule
from memtui.tui.widgets.time_slider import TimeSlider

if TYPE_CHECKING:
    from memtui.memory.memory import Memory
    from memtui.tui.keeping import Keeping

_AROUND_NOTE = 10
"""Cells between the name of the lanes and their counts."""
Clock = Literal["known", "true"]
_MINUTE = 60 * SECOND


class TimelineScreen(CompletingScreen, inherit_bindings=False):
    """Search and Timeline are one screen: query, selection, preview and belief state are the same in both."""

    known_slider = getters.query_one("#known-at", TimeSlider)
    true_slider = getters.query_one("#true-at", TimeSlider)
    lanes = getters.query_one(LaneList)
    lanes_rule = getters.query_one("#lanes-rule", PaneRule)
    modes = getters.query_one(ModeTabs)

    def __init__(self, memory: Memory, *, keeping: Keeping, sync_on_start: bool) -> None:
        super().__init__(memory, keeping=keeping, sync_on_start=sync_on_start)
        kept = keeping.kept
        self.state = replace(self.state, mode=kept.mode, clocks=Clocks(linked=kept.linked), lane_order=kept.lane_order)
        self._wished = 0
        self._made = 0
        self._cause: Cause = "typed"
        """Why the timeline under way was wished for."""
        self._hits: dict[RecordKey, Row] = {}
        """The hits of the query that is shown, for what they tell beside the record."""
        self._looked_at: Instant | None = None
        """When it was last seen whether something had begun or ended to be true by itself."""
        self._unseen = 0
        """How many records the query cannot tell of, as they were first read later."""

    def on_mount(self) -> None:
        """Begin in the mode of the last time."""
        self._show_mode()

    # For the screen at hand to say what it does then.

    def mode_changed(self) -> None:
        """Another mode is shown."""

    # The modes

    @property
    def in_timeline(self) -> bool:
        """Whether the Timeline is shown."""
        return self.state.mode == "timeline"

    def action_show_mode(self, mode: Mode) -> None:
        """Show a mode."""
        if mode == self.state.mode:
            return
        self.known_slider.let_go()
        self.true_slider.let_go()
        self.state = replace(self.state, mode=mode)
        self.show_mode_anew()

    def show_mode_anew(self) -> None:
        """The state says another mode than is shown."""
        self.keep(replace(self.keeping.kept, mode=self.state.mode))
        self._show_mode()
        self.ask("changed")

    def _show_mode(self) -> None:
        self.modes.mode = self.state.mode
        self.set_class(self.in_timeline, "-timeline")
        self.mode_changed()
        self.call_after_refresh(self.tell_above_lanes)  # how much of it there is room for is known only then

    @on(ModeTabs.ModeClicked)
    def _mode_clicked(self, event: ModeTabs.ModeClicked) -> None:
        self.action_show_mode(event.mode)

    def action_to_timeline(self) -> None:
        """Go to the moment the selected memory was learned."""
        if self.row is not None:
            self.worker.when_learned(self.row.key)

    @on(WhenLearned)
    def _when_learned(self, event: WhenLearned) -> None:
        if event.moment is None:
            self.post_message(Told(f"Of {event.key.name} nothing is held.", "warning"))
            return
        self.state = replace(self.state, awaited=event.key)
        if not self.in_timeline:
            self.state = replace(self.state, mode="timeline")
            self.keep(replace(self.keeping.kept, mode="timeline"))
            self._show_mode()
        clocks = self.state.clocks
        # Both clocks: what was true when it was learned is what one who asks this wants to see.
        self.set_clocks(replace(clocks, known=event.moment, true=None if clocks.linked else event.moment))

    # The clocks

    def look_for_changes(self) -> None:
        """See what others wrote; and that time goes on."""
        super().look_for_changes()
        now, since = self.now, self._looked_at
        if not self.ready or (since is not None and now - since < _MINUTE):
            return
        self._looked_at = now
        if since is not None and self.state.belief.known_at is None:
            self.worker.look_at_time(since)
        if self.in_timeline:
            self._go_with_time()

    def _go_with_time(self) -> None:
        """The axes end at the present."""
        now = self.now
        for slider in (self.known_slider, self.true_slider):
            slider.axis = replace(slider.axis, now=max(now, slider.axis.now))

    @property
    def now(self) -> Instant:
        """The present."""
        return self.worker.present() or self.known_slider.axis.now

    def set_clocks(self, clocks: Clocks) -> None:
        """Let everything show another belief state."""
        self.state = replace(self.state, clocks=clocks)
        self._show_clocks()
        self.tell_records()
        self.ask("changed")

    def _show_clocks(self) -> None:
        clocks = self.state.clocks
        self.known_slider.place, self.true_slider.place = clocks.known, clocks.true_place
        self.true_slider.note = time_notes.link(clocks)
        self.header.tell(belief=time_notes.belief(clocks.belief, self.lanes.axis.zone))

    @on(TimeSlider.Moved)
    def _slider_moved(self, event: TimeSlider.Moved) -> None:
        self._move("known" if event.slider is self.known_slider else "true", event.place)

    def _move(self, clock: Clock, place: Place) -> None:
        clocks = self.state.clocks
        moved = clocks.moved_known(place, self.now) if clock == "known" else clocks.moved_true(place, self.now)
        self.set_clocks(moved)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The keys of the clocks work where the Timeline is shown, but not where text is typed."""
        if not action.startswith("clock_"):
            return super().check_action(action, parameters)
        if self.focused is self.query_input:
            return False
        return applies(BY_ID["clock.now" if action == "clock_now" else "clock.link"], self.state)

    async def run_command(self, command: str) -> None:
        """Run what was chosen from the palette: the keys of the clocks are letters in the search box, they are not."""
        if command.startswith("screen.clock_") and self.focused is self.query_input:
            self.set_focus(self.lanes if self.in_timeline else self.results)
        await self.run_action(command)

    def action_clock_step(self, clock: Clock, steps: int) -> None:
        """Move a clock by events."""
        (self.known_slider if clock == "known" else self.true_slider).action_step(steps)

    def action_clock_now(self) -> None:
        """Back to the present."""
        self.set_clocks(self.state.clocks.at_present())

    def action_clock_link(self) -> None:
        """Link the clocks, or let each stand by itself."""
        clocks = self.state.clocks.with_link(linked=not self.state.clocks.linked)
        self.keep(replace(self.keeping.kept, linked=clocks.linked))
        self.set_clocks(clocks)

    def action_clock_type(self) -> None:
        """Type a time for the clock that has the focus, for *known at* where none has."""
        clock: Clock = "true" if self.focused is self.true_slider else "known"
        slider = self.true_slider if clock == "true" else self.known_slider

        def move(answer: tuple[Place] | None) -> None:
            if answer is not None:
                self._move(clock, answer[0])

        self._go_with_time()
        name = "known and true at" if self.state.clocks.linked else f"{clock} at"
        self.post_message(TimeWanted(TimePrompt(name, slider.axis, slider.place), move))

    def action_clock_mark(self) -> None:
        """Mark this moment as A."""
        known = self.state.clocks.known
        mark = self.now if known is None else known
        self.set_mark(mark)
        self.post_message(Told(time_notes.marked(mark, self.lanes.axis.zone)))

    def set_mark(self, mark: Instant | None) -> None:
        """Mark a moment, or take the mark away."""
        self.state = replace(self.state, mark=mark)
        self.known_slider.mark = mark
        self.ask_preview()

    @property
    def lanes_follow(self) -> bool:
        """Whether the lanes show what the clocks and the query say."""
        return self._made == self._wished

    @on(TimeSlider.Zoomed, "#true-at")
    def _zoomed(self) -> None:
        self.lanes.track_of = self.true_slider.track

    # Asking

    def with_the_answer(self, act: Callable[[], None]) -> None:
        """In the Timeline the answer is the lanes."""
        if not self.in_timeline:
            super().with_the_answer(act)
        elif self.ready and self.lanes_follow:
            act()
        else:
            self.act_later(act)

    def ask(self, cause: Cause) -> None:
        """Let the lanes follow too: all memories, or the hits of the query as soon as they are there."""
        if not self.in_timeline:
            super().ask(cause)
            return
        if not self.ready:
            return
        self._cause = cause
        if self.searched.strip():
            self._wished += 1  # the lanes come after the hits
            super().ask(cause)
        else:
            self._hits, self._unseen = {}, 0
            self.forget_question()
            self._wish(None)

    def _wish(self, keys: Sequence[RecordKey] | None) -> None:
        self._wished += 1
        state = self.state
        self.worker.timeline(TimelineWish(self._wished, state.belief, state.lane_order, state.hide_gone, keys))

    def answer_shown(self, event: SearchAnswered) -> None:
        """The lanes are of what was found."""
        if not self.in_timeline:
            super().answer_shown(event)
            return
        rows = () if event.answer.suggested else event.answer.rows
        self._hits = {row.key: row for row in rows}
        self._unseen = event.answer.blind_spots
        self._cause = event.cause
        self._wish(list(self._hits))

    @on(TimelineReady)
    def _show_timeline(self, event: TimelineReady) -> None:
        if event.sequence != self._wished or not self.in_timeline:
            return
        self._made = event.sequence
        timeline, state = event.timeline, self.state
        lanes = self.lanes
        selected = self._to_select(timeline)
        lanes.show(timeline, selected, time_notes.no_lanes(self.searched), keep_place=self._cause != "typed")
        self.known_slider.axis, self.true_slider.axis = timeline.known_axis, timeline.true_axis
        self._show_clocks()
        lanes.track_of = self.true_slider.track
        self.tell_above_lanes()
        self.header.tell(records=timeline.in_force)
        row = self.row
        self.state = state.chose_row(row, by_person=False)
        self.ask_preview()
        self.selection_changed()
        self.act_on_answer()

    def tell_above_lanes(self) -> None:
        """What the lanes are, and how many stand how."""
        rule, timeline = self.lanes_rule, self.lanes.timeline
        best = len(self._hits) if self.results.answer.is_cut else None
        heading = time_notes.heading(self.state.lane_order, self.state.order, self.searched, best)
        counted = timeline.counted()
        if self._unseen:
            counted["blind"] = self._unseen  # a query finds none of them, and they are there all the same
        rule.labels = (heading,)
        rule.note = time_notes.legend(counted, rule.size.width - width_of(heading) - _AROUND_NOTE)

    def _to_select(self, timeline: Timeline) -> int | None:
        count = len(timeline.lanes)
        if not count:
            return None
        state = self.state
        if state.awaited is not None and (place := timeline.place_of(state.awaited)) is not None:
            return place
        if self._cause == "typed" and self.searched.strip():
            return 0
        place = timeline.place_of(state.selected)
        return min(self.lanes.selected or 0, count - 1) if place is None else place

    @property
    def row(self) -> Row | None:
        """The selected memory: in the Timeline that of the selected lane."""
        if not self.in_timeline:
            return super().row
        lanes = self.lanes
        index = lanes.selected
        if index is None or index >= lanes.count:
            return None
        timeline = lanes.timeline
        key = timeline.key(index)
        hit = self._hits.get(key)
        known_from = None if timeline.is_known(index) else timeline.first_known(key)
        return hit or Row(timeline.record(index), order="recorded", known_from=known_from)

    @on(LaneList.LaneSelected)
    def _lane_selected(self, event: LaneList.LaneSelected) -> None:
        row = self.row
        if row is not None:
            self.state = replace(self.state.chose_row(row, by_person=event.by_person), against=-1)
        self.ask_preview()
        self.selection_changed()

    def action_compare(self, step: int) -> None:
        """Compare the believed version with the one before or after the one it is compared with."""
        if not applies(BY_ID["view.version-before"], self.state):
            return
        key, chronicle = self.state.selected, self.lanes.timeline.chronicle
        number = None if key is None or chronicle is None else chronicle.numbers.get(key)
        if number is None or chronicle is None:
            return
        versions = chronicle.versions_of(number)
        known_at = self.now if self.state.clocks.known is None else self.state.clocks.known
        believed = believed_at(versions, known_at) or 0
        last = len(versions) - 1
        other = min(max(believed + self.state.against, 0), last)
        self.state = replace(self.state, against=min(max(other + step, 0), last) - believed)
        self.ask_preview()

    def action_sort_lanes(self, order: LaneOrder) -> None:
        """Put the lanes into an order, now and on the next start."""
        self.state = replace(self.state, lane_order=order)
        self.keep(replace(self.keeping.kept, lane_order=order))
        self.ask("changed")

    def tell_records(self) -> None:
        """How many records there were then is not what is counted now."""
        if self.state.belief.is_present:
            super().tell_records()
