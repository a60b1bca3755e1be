"""One line that counts the rows by kind, area and tag, as far as there is room, and says how they are sorted.

A click on a count narrows the query down to it, one on the order asks for another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from memtui.model.records import KINDS
from memtui.tui.display import cut, harmless, width_of
from memtui.tui.spread import AMONG, Among, Share
from memtui.tui.widgets.result_row import KIND_GLYPHS

_BETWEEN = {False: "  ", True: " "}
_BETWEEN_FIELDS = {False: "    ", True: "   "}
_LONGEST_VALUE = 24
_BEFORE_ORDER = 3
"""Cells kept free before the order."""


class Placed(NamedTuple):
    """A share on the line: what stands before it; its sign, word and number; and the cells `[start, end)` of these."""

    lead: str
    sign: str
    word: str
    number: str
    start: int
    end: int
    share: Share


def placed(shares: Sequence[Share], width: int) -> list[Placed]:
    """What fits on a line, in order: every kind, then areas and tags by turns; with little room in short."""
    kinds = [share for share in shares if share.field == "kind"]
    others = _by_turns(shares)
    # An area and a tag are worth more than the words for kinds.
    short = _end(_lined_up([*kinds, *others[:2]], short=False)) > width
    taken = kinds
    full: set[Among] = set()
    for share in others:
        more = [*taken, share]
        if share.field not in full and _end(_lined_up(more, short=short)) <= width:
            taken = more
        else:
            full.add(share.field)  # a rarer one in its place would tell less
    return [place for place in _lined_up(taken, short=short) if place.end <= width]


def _by_turns(shares: Sequence[Share]) -> list[Share]:
    areas = [share for share in shares if share.field == "area"]
    tags = [share for share in shares if share.field == "tag"]
    turns = range(max(len(areas), len(tags)))
    return [share for turn in turns for share in (*areas[turn : turn + 1], *tags[turn : turn + 1])]


def _lined_up(shares: Sequence[Share], *, short: bool) -> list[Placed]:
    """The shares one behind the other; `short`: kinds by their signs, of an area the last part of its path."""
    line: list[Placed] = []
    for field in AMONG:
        for share in (share for share in shares if share.field == field):
            before = "" if field == "kind" else f"{field} "
            if line:
                same = line[-1].share.field == field
                before = _BETWEEN[short and field == "kind"] if same else f"{_BETWEEN_FIELDS[short]}{before}"
            start = _end(line) + width_of(before)
            sign, word = _shown(share, short=short)
            number = f"{share.number:,}"
            line.append(Placed(before, sign, word, number, start, start + width_of(sign + word + number), share))
    return line


def _shown(share: Share, *, short: bool) -> tuple[str, str]:
    """The sign of a share and its word, each with the blank behind it."""
    sign = KIND_GLYPHS.get(share.value, "·") if share.field == "kind" else ""
    if short and sign:
        return sign, ""
    word = share.value.rpartition("/")[2] or share.value if short else share.value
    return f"{sign} " if sign else "", f"{cut(harmless(word), _LONGEST_VALUE)} "


def _end(line: Sequence[Placed]) -> int:
    return line[-1].end if line else 0


class CountsLine(Widget):
    """The counts of an answer; those that are filters of the query already are left out."""

    ALLOW_SELECT = False
    DEFAULT_CSS = "CountsLine { height: 1; }"
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "counts-line--word", "counts-line--number", "counts-line--field", "counts-line--order",
        *(f"counts-line--{kind}" for kind in KINDS),
    }  # fmt: skip

    shares: reactive[tuple[Share, ...]] = reactive(())
    order: reactive[str] = reactive("")
    """How the rows are sorted."""

    @dataclass
    class ShareClicked(Message):
        """A count was clicked."""

        share: Share

    @dataclass
    class OrderClicked(Message):
        """How the rows are sorted was clicked."""

    def __init__(self, order_told: str, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._order_told = order_told
        """What is said of the order under the pointer."""

    def render(self) -> Content:
        """The counts in order, and at the end how the rows are sorted."""
        parts: list[tuple[str, str]] = []
        line = self._placed()
        for place in line:
            parts += [(place.lead, "field"), (place.sign, place.share.value if place.sign else "word")]
            parts += [(place.word, "word"), (place.number, "number")]
        parts.append((" " * (self._order_start() - _end(line)), "field"))
        parts.append((self.order, "order"))
        styled = [Content.styled(text, self.get_visual_style(f"counts-line--{name}")) for text, name in parts if text]
        return Content("").join(styled)

    def _placed(self) -> list[Placed]:
        return placed(self.shares, self._order_start() - (_BEFORE_ORDER if self.order else 0))

    def _order_start(self) -> int:
        return max(self.content_size.width - width_of(self.order), 0)

    def _share_at(self, x: int) -> Share | None:
        return next((place.share for place in self._placed() if place.start <= x < place.end), None)

    def _is_order(self, x: int) -> bool:
        return self._order_start() <= x < self.content_size.width

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Tell what a click would do."""
        x = event.x - self.gutter.left
        share = self._share_at(x)
        told = self._order_told if self._is_order(x) else "" if share is None else f"Only {harmless(share.filter)}"
        self.tooltip = Content(told) if told else None

    def on_click(self, event: events.Click) -> None:
        """Narrow down to what is under the pointer, or ask for another order."""
        x = event.x - self.gutter.left
        share = self._share_at(x)
        if self._is_order(x):
            self.post_message(self.OrderClicked())
        elif share is not None:
            self.post_message(self.ShareClicked(share))
