"""Lanes: a line per memory with its validity as a bar on world time; only those in view are ever drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from memtui.model.records import KINDS
from memtui.tui.actions import bindings_of
from memtui.tui.display import cut, fit, harmless
from memtui.tui.lane_bars import BAR_LOOKS, Bar, BarLook, painted
from memtui.tui.time_axis import TimeAxis
from memtui.tui.time_track import TimeTrack
from memtui.tui.timeline import Timeline
from memtui.tui.widgets.query_input import QueryInput
from memtui.tui.widgets.result_row import KIND_GLYPHS

_RULER = 1
"""Lines above the lanes: the dates."""
_LEAST_NAME, _MOST_NAME = 14, 48
_BEFORE_NAME = 4
_LOOK_OF: dict[str, BarLook] = {"in_force": "true", "not_yet": "later", "forgotten": "gone", "superseded": "gone"}
_EMPTY = Timeline()


class LaneList(ScrollView, can_focus=True, inherit_bindings=False):
    """The memories of a timeline, one of them selected. The track of the bars is that of `axis`."""

    BINDINGS = bindings_of("list")
    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *(f"lane-list--{look}" for look in BAR_LOOKS),
        *(f"lane-list--{part}" for part in ("title", "muted", "edge", "selected", "ruler", "remark")),
        *(f"lane-list--{kind}" for kind in KINDS),
    }

    track_of: reactive[TimeTrack | None] = reactive(None)
    """The stretch of world time that is drawn, with any number of cells; None: all of it."""

    @dataclass
    class LaneSelected(Message):
        """Another lane became the selected one."""

        index: int
        by_person: bool

    @dataclass
    class LaneOpened(Message):
        """A lane was opened with a double click."""

        index: int

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.timeline = _EMPTY
        self.axis = TimeAxis()
        self.selected: int | None = None
        self._said: tuple[str, ...] = ()
        self._painted: dict[tuple[int, bool], Strip] = {}
        self._styles: dict[str, Style] = {}
        self.lanes_painted = 0
        """How many lanes were ever drawn."""

    # What is shown

    @property
    def count(self) -> int:
        """How many lanes there are."""
        return len(self.timeline.lanes)

    @property
    def page(self) -> int:
        """How many lanes fit."""
        return max(self.size.height - _RULER, 1)

    def show(
        self, timeline: Timeline, selected: int | None, said: tuple[str, ...] = (), *, keep_place: bool = True
    ) -> None:
        """Show a timeline. With `keep_place` the selected lane stays where it is on the screen, or out of it.

        Another selected memory than before is brought into view.
        """
        before = None if self.selected is None else self.selected - self.scroll_offset.y
        was_selected = None if self.selected is None else self.timeline.key(self.selected)
        self.timeline, self.axis, self.selected, self._said = timeline, timeline.true_axis, selected, said
        self._painted.clear()
        self.virtual_size = Size(self.size.width, len(timeline.lanes) + _RULER)
        self.refresh()
        if keep_place and before is not None and selected is not None and timeline.key(selected) == was_selected:
            if not 0 <= before < self.page:
                return  # the person looks at others
            self.scroll_to(y=selected - before, animate=False)
        self._scroll_to_selected()
        # Where it was not shown before, it takes its room only now.
        self.call_after_refresh(self._scroll_to_selected)

    def watch_track_of(self) -> None:
        """Another stretch of time: everything is drawn anew."""
        self._painted.clear()

    @property
    def track(self) -> TimeTrack:
        """The cells of the bars."""
        cells = max(self.scrollable_content_region.width - self._bars_from - 1, 1)
        stretch = self.axis.whole(cells) if self.track_of is None else self.track_of
        return TimeTrack(stretch.start, stretch.end, cells)

    @property
    def _bars_from(self) -> int:
        width = self.scrollable_content_region.width
        return min(max(width * 2 // 5, _LEAST_NAME), _MOST_NAME)

    # Choosing

    def select(self, index: int, *, by_person: bool) -> None:
        """Select a lane, as near to `index` as there is one."""
        if not self.count:
            return
        index = max(0, min(index, self.count - 1))
        before, self.selected = self.selected, index
        self._scroll_to_selected()
        self.refresh()
        if index != before or by_person:
            self.post_message(self.LaneSelected(index, by_person))

    def _scroll_to_selected(self) -> None:
        if self.selected is None or not self.size.height:
            return
        y, most = self.scroll_offset.y, self.page
        if self.selected < y:
            y = self.selected
        elif self.selected >= y + most:
            y = self.selected - most + 1
        if y != self.scroll_offset.y:
            self.scroll_to(y=y, animate=False)

    def _lane_at(self, y: int) -> int | None:
        index = self.scroll_offset.y + y - _RULER
        return index if y >= _RULER and index < self.count else None

    def focus_on_click(self) -> bool:
        """Who types into the search box goes on typing: there a click only selects."""
        return not isinstance(self.screen.focused, QueryInput)

    def on_click(self, event: events.Click) -> None:
        """A click selects, a double click opens."""
        index = self._lane_at(event.y)
        if index is not None:
            self.select(index, by_person=True)
            if event.chain == 2:
                self.post_message(self.LaneOpened(index))

    # Drawing

    def on_resize(self) -> None:
        """Another width, other bars."""
        self._painted.clear()
        self.virtual_size = Size(self.size.width, self.count + _RULER)
        self._scroll_to_selected()

    def notify_style_update(self) -> None:
        """Another theme or focus: resolve the styles anew."""
        super().notify_style_update()
        self._styles.clear()
        self._painted.clear()

    def render_line(self, y: int) -> Strip:
        """The dates, then one line of the visible part."""
        width = self.scrollable_content_region.width
        if y < _RULER:
            return self._ruler(width)
        index = self.scroll_offset.y + y - _RULER
        if index >= self.count:
            return self._remark(y - _RULER, width)
        selected = index == self.selected
        strip = self._painted.get((index, selected))
        if strip is None:
            if len(self._painted) > 1_000:
                self._painted.clear()
            strip = self._painted[index, selected] = self._lane(index, width, selected)
        return strip

    def _style(self, part: str) -> Style:
        style = self._styles.get(part)
        if style is None:
            style = self._styles[part] = self.get_component_rich_style(f"lane-list--{part}")
        return style

    def _ruler(self, width: int) -> Strip:
        text = ""
        for cell, label in self.track.ticks(self.axis.zone):
            text = text.ljust(cell) + label
        style = self._style("ruler")
        return Strip([Segment(" " * self._bars_from, style), Segment(text, style)]).adjust_cell_length(
            width, self.rich_style
        )

    def _remark(self, line: int, width: int) -> Strip:
        if self.count or line >= len(self._said):
            return Strip.blank(width, self.rich_style)
        text = Segment(f"    {cut(harmless(self._said[line]), max(width - 5, 0))}", self._style("remark"))
        return Strip([text]).adjust_cell_length(width, self.rich_style)

    def _lane(self, index: int, width: int, selected: bool) -> Strip:
        self.lanes_painted += 1
        timeline = self.timeline
        version, known = timeline.version(index), timeline.is_known(index)
        content = version.content
        gone = not known or timeline.state(index) in ("forgotten", "superseded")
        room = self._bars_from - _BEFORE_NAME
        fitted = fit(content.title or content.summary or version.key.name, room - 1)
        title = self._style("muted") if gone else self._style("title")
        kind = self._style(version.key.kind)
        segments = [
            Segment("▌" if selected else " ", self._style("edge")),
            Segment(f" {KIND_GLYPHS.get(version.key.kind, '·')} ", self._style("muted") if not known else kind),
            Segment(fitted.plain + " " * (room - fitted.width), title + Style(bold=True) if selected else title),
        ]
        for run in painted(self._bar(index), self.track, timeline.lanes.true_at):
            segments.append(Segment(run.text, self._style(run.look or "muted")))
        strip = Strip(segments).adjust_cell_length(width, self.rich_style)
        ground = Style(bgcolor=self._style("selected").bgcolor)
        return Strip([Segment(s.text, (s.style or Style()) + ground) for s in strip], width) if selected else strip

    def _bar(self, index: int) -> Bar:
        timeline = self.timeline
        content = timeline.version(index).content
        intervals = content.validity().intervals
        if not timeline.is_known(index):
            return Bar(intervals, "blind" if timeline.is_blind(index) else "unknown")
        state = timeline.state(index)
        if timeline.is_contradicted(index):
            return Bar(intervals, "contradicted", "≠")
        note = "" if intervals else "never true"
        if state == "superseded" and content.superseded_by:
            note = f"→ {harmless(content.superseded_by)}"
        elif state == "forgotten" and intervals:
            note = "✕"
        return Bar(intervals, _LOOK_OF[state], note)
