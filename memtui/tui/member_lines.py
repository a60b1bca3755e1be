"""The members of a proposal as styled lines: who stays and who goes, what each says and since when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import tzinfo

from memtui.model.details import Strength
from memtui.model.instants import Instant
from memtui.model.proposals import Proposal, told_names
from memtui.model.records import Content, RecordKey
from memtui.model.results import RecordView
from memtui.model.reviews import Decision
from memtui.text.moments import local
from memtui.text.word_diff import word_diff
from memtui.tui.board import goes, stays
from memtui.tui.styled_lines import Look, StyledLine, assemble

MOST_MEMBERS = 9
"""Members that are told one by one, beside the survivor: those that a key of their own makes the survivor."""
_LONGEST = 600
"""Characters of a member's text that are shown."""
_ALIKE = 0.3
"""Share of a text that must be the other's for what differs to be highlighted."""
_LABEL = 11
BLANK = StyledLine("")
NOT_THERE = StyledLine("  It is not there any more.", "gone")
LONGER = StyledLine("  enter shows the whole text", "muted")


@dataclass(frozen=True, slots=True)
class Told:
    """What is known of a member beside its name."""

    record: RecordView
    strength: Strength | None = None
    recalls: tuple[Instant, ...] = ()
    """When it was recalled, oldest first."""
    since: Instant | None = None
    """From when its fading counts: its recording or last revival."""


Members = Mapping[RecordKey, Told]


def shown_members(proposal: Proposal, decision: Decision | None) -> list[tuple[int, RecordKey, str]]:
    """Those that are told one by one, each with its number and name: the first ones and, wherever it is, who stays."""
    keep = stays(proposal, decision)
    numbered = enumerate(zip(proposal.keys, told_names(proposal.keys), strict=True), start=1)
    return [(number, key, name) for number, (key, name) in numbered if number <= MOST_MEMBERS or key == keep]


def number_shown(number: int) -> str:
    """The key that makes a member the survivor, with a blank; blanks for one that has no key."""
    return f"{number} " if number <= MOST_MEMBERS else "  "


def member_head(number: int, name: str, key: RecordKey, proposal: Proposal, decision: Decision | None) -> StyledLine:
    """The line above a member: its key, its name, and what becomes of it as things stand."""
    if key == stays(proposal, decision):
        role: tuple[str, Look] = ("  stays", "added")
    elif key in goes(proposal, decision):
        role = ("  ends", "gone")
    else:
        role = ("  stays too", "muted")
    return assemble((number_shown(number), "accent"), (name, "strong"), role, hang=2)


def whole_text(content: Content) -> str:
    """What a member says, in one line."""
    said = [part for part in (content.title, content.summary) if part]
    if content.body and content.body not in said:
        said.append(content.body)
    return " ".join(" ".join(said).split())


def member_text(content: Content, other: str | None) -> list[StyledLine]:
    """A member's text, the words highlighted that `other` does not have; and a note where it is cut."""
    whole = whole_text(content)
    text = shortened(whole)
    lines = [_marked(text, None if other is None else shortened(other))]
    return lines if text == whole else [*lines, LONGER]


def shortened(text: str) -> str:
    """As much of a text as is shown of it."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _marked(text: str, other: str | None) -> StyledLine:
    if other is None or text == other:
        return StyledLine(text, hang=2)
    parts = [part for part in word_diff(other, text) if part.change != "gone"]
    alike = sum(len(part.text) for part in parts if part.change == "same")
    if alike < _ALIKE * len(text):
        return StyledLine(text, hang=2)  # where nearly all differs, nothing stands out
    said: list[tuple[str, Look]] = [(part.text, "mark" if part.change == "added" else "text") for part in parts]
    return assemble(*said, hang=2)


def fact(label: str, value: str, look: Look = "text") -> StyledLine:
    """A value with its label before it."""
    return assemble((f"  {label}".ljust(_LABEL), "muted"), (value, look), hang=_LABEL)


def true_since(content: Content, zone: tzinfo | None) -> str:
    """The last interval of world time in which a member holds."""
    intervals = content.validity().intervals
    if not intervals:
        return "never"
    last = intervals[-1]
    until = "" if last.end is None else f" until {local(last.end, zone)}"
    return f"since {local(last.start, zone)}{until}"


def more(total: int, shown: int) -> list[StyledLine]:
    """How many are not told one by one, if any, and a blank line."""
    return [StyledLine(f"and {total - shown:,} more", "muted"), BLANK] if total > shown else []
