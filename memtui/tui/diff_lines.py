"""What changed, as styled lines: two versions word by word, and two belief states record by record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING, cast

from memtui.model.instants import Instant
from memtui.model.records import CONTENT_FIELDS, Content
from memtui.model.results import RecordView
from memtui.text.moments import on_the_readers_clock, told_apart
from memtui.text.word_diff import Part, word_diff
from memtui.tui.preview_lines import Prepared, changes
from memtui.tui.styled_lines import Look, StyledLine, assemble
from memtui.tui.widgets.result_row import KIND_GLYPHS

if TYPE_CHECKING:
    from memtui.model.changes import BeliefDiff

_BLANK = StyledLine("")
_TEXTS = ("title", "summary", "body")
_UNCHANGED_SHOWN = 60
"""Characters of what stays that are shown beside a change."""
_LOOKS: Mapping[str, Look] = {"same": "text", "gone": "gone", "added": "added"}
_SIGNS = {"same": ("", ""), "gone": ("[−", "−]"), "added": ("{+", "+}")}
"""A change is told without colour too."""


def version_diff(before: Content, after: Content, zone: tzinfo | None) -> Iterable[StyledLine]:
    """What differs between two versions: texts word by word, the other fields value by value."""
    for name in _TEXTS:
        old, new = getattr(before, name) or "", getattr(after, name) or ""
        if old != new:
            yield StyledLine(f"  {name}", "muted")
            yield from text_diff(old, new)
    yield from changes(before, after, zone, [name for name in CONTENT_FIELDS if name not in _TEXTS])


def text_diff(before: str, after: str, indent: str = "  ") -> Iterable[StyledLine]:
    """Two texts as one, line by line; what stays is shortened."""
    line: list[tuple[str, Look]] = []
    for part in _shortened(word_diff(before, after)):
        opening, closing = _SIGNS[part.change]
        look = _LOOKS[part.change]
        pieces = part.text.split("\n")
        for place, piece in enumerate(pieces):
            if place:
                yield _joined(line, indent)
                line = []
            if piece:
                line.append((f"{opening}{piece}{closing}", look))
    if line:
        yield _joined(line, indent)


def _joined(line: Sequence[tuple[str, Look]], indent: str) -> StyledLine:
    return assemble(indent, *line, hang=len(indent))


def _shortened(parts: Sequence[Part]) -> Iterable[Part]:
    for place, part in enumerate(parts):
        if part.change != "same" or len(part.text) <= 2 * _UNCHANGED_SHOWN:
            yield part
            continue
        head = part.text[:_UNCHANGED_SHOWN] if place else ""
        tail = part.text[-_UNCHANGED_SHOWN:] if place < len(parts) - 1 else ""
        yield Part(f"{head}…{tail}", "same")


NO_MARK = (
    "Press m in the lanes to mark this moment as A, then move the clocks: "
    "here stands what was learned, forgotten, changed and revived between."
)
_SECTIONS: Sequence[tuple[str, str, Look]] = (
    ("learned", "Learned", "added"),
    ("revived", "Revived", "added"),
    ("began", "Began to be true", "added"),
    ("forgotten", "Forgotten", "gone"),
)


def diff_tab(diff: BeliefDiff | None, mark: Instant | None, query: str, zone: tzinfo) -> Prepared:
    """What was learned, forgotten, changed and revived between two belief states, with counts."""
    if diff is None:
        return Prepared((StyledLine(NO_MARK, "muted"),))
    earlier, later = told_apart(diff.earlier, diff.later, zone=zone)
    labels = ("A", "here") if diff.earlier == mark else ("here", "A")
    head = [
        assemble((earlier, "strong"), (f" ({labels[0]}) → ", "muted"), (later, "strong"), (f" ({labels[1]})", "muted"))
    ]
    if query:
        head.append(StyledLine(f"of what matches {query}", "muted"))
    counts = [f"{len(diff.changed)} changed"] if diff.changed else []
    counts = [f"{len(getattr(diff, name))} {name}" for name, _, _ in _SECTIONS if getattr(diff, name)] + counts
    if not counts:
        return Prepared((*head, _BLANK, StyledLine("Nothing changed between these moments.", "muted")))
    lines = [*head, StyledLine(" · ".join(counts), "emphasis")]
    for name, title, look in _SECTIONS:
        records: Sequence[RecordView] = getattr(diff, name)
        if records:
            lines += [_BLANK, _heading(title, len(records))]
            lines += [_record(record, "+" if look == "added" else "−", look) for record in records]
    if diff.changed:
        lines += [_BLANK, _heading("Changed", len(diff.changed))]
        for changed in diff.changed:
            lines.append(_record(changed.record, "~", "accent"))
            lines += _changed_fields(changed.changes, zone)
    come = len(diff.learned) + len(diff.revived) + len(diff.began)
    return Prepared(tuple(lines), note=f"+{come} −{len(diff.forgotten)} ~{len(diff.changed)}")


def _heading(title: str, count: int) -> StyledLine:
    return assemble((title, "heading"), (f"  {count}", "muted"))


def _record(record: RecordView, sign: str, look: Look) -> StyledLine:
    glyph = KIND_GLYPHS.get(record.key.kind, "·")
    return assemble(
        (f"{sign} ", look), (f"{glyph} ", "accent"), record.title, (f"  {record.key.name}", "muted"), hang=4
    )


def _gaps(value: object) -> list[dict[str, object]]:
    return cast("list[dict[str, object]]", value) if isinstance(value, list) else []


def _gap(gap: Mapping[str, object], look: Look, zone: tzinfo) -> StyledLine:
    said = f"out of force {gap.get('valid_to')} – {gap.get('revived_at')}"
    return assemble(("    ", "muted"), (on_the_readers_clock(said, zone), look), hang=6)


def _changed_fields(changes_of: Mapping[str, tuple[object, object]], zone: tzinfo) -> Iterable[StyledLine]:
    for name, (old, new) in changes_of.items():
        if isinstance(old, str) and isinstance(new, str) and name in _TEXTS:
            yield StyledLine(f"    {name}", "muted")
            yield from text_diff(old, new, "    ")
        elif name == "revivals":
            before, after = _gaps(old), _gaps(new)
            yield from (_gap(gap, "gone", zone) for gap in before if gap not in after)
            yield from (_gap(gap, "added", zone) for gap in after if gap not in before)
        else:
            label = f"    {name.replace('_', ' ')}  "
            before, after = (on_the_readers_clock(_said(value), zone) for value in (old, new))
            values: Sequence[tuple[str, Look]] = ((before, "gone"), (" → ", "muted"), (after, "added"))
            yield assemble((label, "muted"), *values, hang=6)


_LONGEST = 120


def _said(value: object) -> str:
    if value in (None, [], ""):
        return "nothing"
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
