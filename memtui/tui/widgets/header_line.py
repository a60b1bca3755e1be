"""The header: one honest line about what is open and what answers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from memtui.model.records import WORKSPACE
from memtui.tui.display import cut, harmless, several, width_of

_NOTICE_SECONDS = 8.0
_SEPARATOR = " · "


@dataclass(frozen=True, slots=True)
class HeaderFacts:
    """What the header says."""

    vault: str
    partition: str = WORKSPACE
    belief: str = "now"
    plane: str = "opening"
    degraded: bool = False
    plane_in_full: str = ""
    """What the plane means, in a sentence: shown under the pointer."""
    records: int | None = None
    activity: str = ""
    """What is going on, or a quiet notice; stands before the count."""
    read_only: bool = False
    store_gone: bool = False
    """Whether the store is not there any more; what was read of it is still shown."""
    problems: int = 0
    """How many problems the files have; the Vault lists them."""


class HeaderLine(Widget):
    """Vault · partition · belief state · search plane, and the numbers of problems and records."""

    DEFAULT_CSS = "HeaderLine { height: 1; }"
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "header-line--vault", "header-line--past", "header-line--degraded", "header-line--count",
        "header-line--activity", "header-line--problems",
    }  # fmt: skip

    facts: reactive[HeaderFacts] = reactive(HeaderFacts(""))

    def tell(self, **changes: Any) -> None:
        """Say something else about some of the facts."""
        self.facts = replace(self.facts, **changes)

    def watch_facts(self, facts: HeaderFacts) -> None:
        """Explain the search plane under the pointer."""
        self.tooltip = Content(harmless(facts.plane_in_full)) if facts.plane_in_full else None

    def notice(self, text: str) -> None:
        """Say something in passing: it fades by itself."""
        self.tell(activity=text)
        self.set_timer(_NOTICE_SECONDS, lambda: self._fade(text))

    def _fade(self, text: str) -> None:
        if self.facts.activity == text:
            self.tell(activity="")

    def render(self) -> Content:
        """The line, cut from the middle outwards so that vault and count stay."""
        facts = self.facts
        right = self._right(facts)
        room = max(self.size.width - right.cell_length - 2, 0)
        left = self._left(facts, room)
        gap = max(self.size.width - left.cell_length - right.cell_length, 0)
        return Content.assemble(left, " " * gap, right)

    def _right(self, facts: HeaderFacts) -> Content:
        count = "" if facts.records is None else several(facts.records, "record")
        problems = several(facts.problems, "problem") if facts.problems else ""
        gone = "the store is gone" if facts.store_gone else ""
        used = sum(map(width_of, (count, problems, gone)))
        activity = cut(facts.activity, max(self.size.width // 2 - used, 0))
        said = [
            Content.styled(text, self.get_visual_style(f"header-line--{part}"))
            for part, text in (("activity", activity), ("problems", gone), ("problems", problems), ("count", count))
            if text
        ]
        return Content(_SEPARATOR).join(said)

    def _left(self, facts: HeaderFacts, room: int) -> Content:
        rest = [facts.partition, facts.belief, facts.plane]
        if facts.read_only:
            rest.insert(1, "read-only")
        vault_room = max(room - sum(width_of(part) + len(_SEPARATOR) for part in rest), min(room, 12))
        vault = cut(facts.vault, vault_room)
        left = Content.styled(vault, self.get_visual_style("header-line--vault"))
        used = width_of(vault)
        for part in rest:
            shown = cut(part, room - used - len(_SEPARATOR))
            if not shown:
                break
            used += width_of(shown) + len(_SEPARATOR)
            left = Content.assemble(left, _SEPARATOR, self._part(facts, part, shown))
        return left

    def _part(self, facts: HeaderFacts, part: str, shown: str) -> Content:
        if part is facts.belief and part != "now":
            return Content.styled(shown, self.get_visual_style("header-line--past"))
        if part is facts.plane and facts.degraded:
            return Content.styled(shown, self.get_visual_style("header-line--degraded"))
        return Content(shown)
