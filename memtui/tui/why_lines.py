"""The Why tab: one sentence, then each number with how those below make it and a bar to compare it with its likes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from memtui.model.explaining import HOW_TO_READ_IT, named, reason, shares
from memtui.model.explanation import Explanation
from memtui.model.results import Order
from memtui.tui.display import cut, width_of
from memtui.tui.preview_lines import Prepared
from memtui.tui.styled_lines import Look, StyledLine, assemble

_BLANK = StyledLine("")
_VALUE_WIDTH = 9
_MOST_LABEL = 44
_LEAST_LABEL = 12
_MOST_BAR = 20
_LEAST_BAR = 6


_UNRANKED: Mapping[Order, str] = {
    "relevance": "Not ranked: nothing was found, and these are the closest names.",
    "recorded": "Not ranked: what was opened last comes first, then what was recorded last.",
    "true-since": "Not ranked: what became true last comes first.",
    "retention": "Not ranked: what is most present in mind comes first.",
}
"""Why a row that no search has found stands where it does."""


def why_tab(explanation: Explanation | None, width: int, order: Order = "relevance") -> Prepared:
    """Why a row ranks where it does, in lines of at most `width` cells; without a rank by the list's order."""
    if explanation is None:
        text = f"{_UNRANKED[order]} Type to search, and the reason stands here."
        return Prepared((StyledLine(text, "muted"),))
    lines: list[StyledLine] = []
    sentence = reason(explanation)
    if sentence:
        lines += [StyledLine(sentence, "strong"), _BLANK]
    longest = max(2 * depth + width_of(named(node)) for depth, node in explanation.walk())
    label_width = max(min(longest, width - _VALUE_WIDTH - 2 - _LEAST_BAR, _MOST_LABEL), _LEAST_LABEL)
    bar_width = max(min(width - label_width - _VALUE_WIDTH - 2, _MOST_BAR), 0)
    lines += _rows(explanation, None, 0, label_width, bar_width)
    lines += [_BLANK, StyledLine(HOW_TO_READ_IT, "muted")]
    return Prepared(tuple(lines), note=f"{explanation.value:.3f}")


def _rows(node: Explanation, share: float | None, depth: int, label_width: int, bar_width: int) -> Iterable[StyledLine]:
    indent = "  " * depth
    label = cut(named(node), label_width - len(indent))
    fill = " " * max(label_width - len(indent) - width_of(label), 0)
    look: Look = "strong" if depth == 0 else "text"
    bar = "" if share is None else _bar(share, bar_width)
    bar_look: Look = "gone" if node.value < 0 else "bar"
    yield assemble(indent, (label, look), fill, (f"{node.value:.3f}".rjust(_VALUE_WIDTH), look), "  ", (bar, bar_look))
    if node.detail:
        yield StyledLine(f"{indent}  {node.detail}", "muted", hang=len(indent) + 2)
    for child, its_share in zip(node.children, shares(node), strict=True):
        yield from _rows(child, its_share, depth + 1, label_width, bar_width)


def _bar(share: float, width: int) -> str:
    full, half = divmod(round(min(max(share, 0.0), 1.0) * width * 2), 2)
    return "━" * full + "╸" * half
